# `make run` opens the board on this machine, `make quick` tests what can be tested in a minute, `make test` everything.
# They install what is missing into .venv, never ask a question, and are quick the second time.

SHELL := /bin/bash
VENV := .venv
NEXT := .venv-3.13
WIRES := .venv-wires
PYTHONS := 3.11 3.12 3.13 3.14
BIN := $(VENV)/bin
NEWER = $$([ -x $(NEXT)/bin/python ] && echo $(NEXT) || echo $(VENV))/bin/python
ARGS :=
#: It runs with the system's Python, before there is an environment.
INSTALLER := PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=board:firmware /usr/bin/python3 -m cribd.install
# What is compiled once starts quicker, and the tests start the board hundreds of times.
unexport PYTHONDONTWRITEBYTECODE

INSTALLS := tests/device/install
#: What `make test` runs: all but what has a command of its own.
TESTS := board/cribboard tests --ignore tests/wires --ignore tests/club --ignore $(INSTALLS)
#: What `make quick` leaves out: whole boards, what is typed, damaged files, and pages.
WHOLE := $(addprefix --ignore tests/device/,cli club daemon doctor robots solo storage test_frozen.py tools \
    twin/test_page.py web)
#: Where more is of a kind that `make test` has one of.
LONG := tests/journey tests/game $(addprefix tests/device/,display robots solo table tools)
#: What runs on Python 3.13 beside the tests of a club, which mostly wait: the game, and what meets the system.
NEWEST := $(addprefix tests/device/,drivers readers storage twin wires) tests/game/strategy tests/game/test_laws.py \
    $(wildcard tests/game/test_scenarios_*.py)
#: What drives the pages: a browser, and what playwright's own node links to.
BROWSER := chromium-headless-shell libatomic1
#: Three tests at a time, or four where some mostly wait; whoever has done its own takes some of another.
THREE_BY_THREE := -n 3 --dist worksteal
FOUR_BY_FOUR := -n 4 --dist worksteal

#: Tests write in memory where there is some: they open thousands of journals, and SQLite waits for the disk.
quick test test-wires test-club sweeps: export TMPDIR := $(or $(shell .ci/memory),$(TMPDIR),/tmp)

.PHONY: help run demo club quick test lint browser next rewritten test-wires test-club sweeps bench soak papers install uninstall dist pi-vm lock licences clean

help: ## say what can be made
	@sed -n 's/^\([a-z0-9.-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

run: $(VENV)/.ready-to-run ## open the board, with simulated hardware (options in ARGS)
	$(BIN)/cribboard run --twin $(ARGS)

quick: lint ## lint, then tests of the game and of each part of the device: a minute
	@.ci/debian espeak-ng
	$(BIN)/python -m pytest $(THREE_BY_THREE) -m "not slow and not long" board/cribboard tests/game tests/device $(WHOLE)

demo: $(VENV)/.ready-to-run ## watch robots play, with the scoreboard and the phones' page (options in ARGS)
	$(BIN)/cribboard run --twin --demo $(ARGS)

club: $(VENV)/.ready-to-run ## watch a club night: a hub, its broker and twelve boards, at which robots play (ARGS=--help)
	@.ci/debian mosquitto
	$(BIN)/python -m tools.club $(ARGS)

test: ## lint, and every test but those of test-wires and test-club
	@.ci/debian python3 $(BROWSER) espeak-ng mosquitto avahi-daemon
	@$(MAKE) --no-print-directory --jobs 2 lint rewritten
	$(BIN)/python -m pytest $(FOUR_BY_FOUR) -m "not long" $(TESTS)

lint: $(VENV)/.ready-to-test ## style and types of Python and of the pages, and the laws on who may import whom
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	tools/lint-js

browser:
	@.ci/debian $(BROWSER) espeak-ng

next: # Python 3.13 has an environment of its own where that of $(VENV) is another
	@if ! newer=$$(.ci/python 3.13); then \
	    echo "There is no Python 3.13 here: on it the tests are left to CI."; \
	    [ "$$CI" != true ] || { echo "In CI nothing may be missing." >&2; exit 1; }; \
	elif [ "$$newer" != "$$(.ci/python $(PYTHONS))" ]; then \
	    $(MAKE) --no-print-directory $(NEXT)/.ready-to-test; \
	fi

rewritten: $(VENV)/.ready-to-test # pytest rewrites each test once; in a fresh clone all workers would do it at once
	@[ -d tests/game/__pycache__ ] || { echo "Rewriting the tests for pytest …" >&2; \
	$(BIN)/python -m pytest --collect-only $(TESTS); true; } >/dev/null

test-wires: $(VENV)/.ready-to-test browser $(WIRES)/.ready $(WIRES)/cloud-init/cloud-init ## the board on the Pi's own libraries, over faked device nodes: games, plugs, faults; the installer; long journeys
	$(BIN)/python -m pytest $(FOUR_BY_FOUR) tests/wires $(INSTALLS)
	$(BIN)/python -m pytest $(FOUR_BY_FOUR) -m long $(LONG)

test-club: $(VENV)/.ready-to-test next ## a club over a real mosquitto: strangers, false keys, floods, what is killed; on Python 3.13
	@.ci/debian mosquitto mosquitto-clients faketime iproute2
	$(NEWER) -m pytest $(FOUR_BY_FOUR) -rs -m "long or not slow" tests/club $(NEWEST)

sweeps: $(VENV)/.ready-to-test browser next ## all that `make test` tries a sample of, and quick tests on Python 3.13, before a release: half an hour
	SWEEPS=whole $(BIN)/python -m pytest $(THREE_BY_THREE) -m sweep board/cribboard tests
	$(NEWER) -m pytest $(THREE_BY_THREE) -m "not slow and not sweep" tests/device --ignore $(INSTALLS)

bench: $(VENV)/.ready-to-test $(WIRES)/.ready browser ## measure, print one table and write bench.json (ARGS=--help)
	$(BIN)/python -m bench $(ARGS)

soak: $(VENV)/.ready-to-test ## play a week under random faults, and measure what grows: about half an hour (ARGS=--help)
	$(BIN)/python -m tools.soak $(ARGS)

papers: $(VENV)/.ready-to-run ## make hardware/ again from the board files
	$(BIN)/python -m tools.hardware hardware

install: ## on a Raspberry Pi, with sudo: install the board, or update it (ARGS=--dry-run; docs/install.md)
	@$(INSTALLER) install $(ARGS)

uninstall: ## on a Raspberry Pi, with sudo: undo what was installed (ARGS=--dry-run, --purge)
	@$(INSTALLER) uninstall $(ARGS)

dist: $(VENV)/.ready-to-test ## make the release file, which installs a Pi without a network, in dist/
	@$(BIN)/python -m tools.dist

pi-vm: $(VENV)/.ready-to-test ## as root: install, update and remove the board in systems that boot, and cut their power: an hour (ARGS=--help)
	$(BIN)/python -u -m tools.pi_vm $(ARGS)

lock: $(VENV)/.ready-to-test ## pin what pyproject.toml asks for in requirements/ (ARGS=--upgrade: the newest)
	$(BIN)/python -m tools.lock $(ARGS)

licences: $(VENV)/.ready-to-test ## list the licence of everything that is installed; fails where one is unknown
	@$(BIN)/python -m tools.licences

clean: ## forget the environments
	rm -rf $(VENV) $(NEXT) $(WIRES) node_modules

$(VENV)/.ready-to-run: pyproject.toml requirements/twin.txt
	@.ci/environment $(VENV) twin $(PYTHONS)
	@touch $@

$(VENV)/.ready-to-test: pyproject.toml requirements/dev.txt
	@.ci/environment $(VENV) dev $(PYTHONS)
	@touch $@ $(VENV)/.ready-to-run

$(NEXT)/.ready-to-test: pyproject.toml requirements/dev.txt
	@.ci/environment $(NEXT) dev 3.13
	@touch $@

# What a Pi has. lgpio has no wheel for Python 3.13.
$(WIRES)/.ready: pyproject.toml requirements/wires.txt
	@.ci/environment $(WIRES) wires 3.11 3.12
	@touch $@

# What reads the card of `cribboard first-boot`.
$(WIRES)/cloud-init/cloud-init: .ci/cloud-init
	@.ci/cloud-init $(WIRES)/cloud-init
	@touch $@
