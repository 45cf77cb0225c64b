"""A release is tried before it runs; what fails its trial leaves the board that ran before.

The releases here are folders with a command: that of this tree with a real board on simulated wires where journal or
configuration matter, and else a stand-in. Stand-ins start it as systemd would.
"""

from __future__ import annotations

import sqlite3
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.support import stand_ins
from tests.support.catalogues import has_phrase, phrase
from tests.support.journals import ACTS, played
from tests.support.pi_in_a_tree import FAULTS, UNIT_TEXT, make_release, started

from cribd.clock import SystemClock
from cribd.install import changes, releases
from cribd.install.machine import InstallRefused, Machine
from cribd.install.plan import CONFIG, CURRENT, UNIT, UNITS
from cribd.storage import schema


def page(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
        return str(answer.read().decode())


def activate(machine: Machine, release: releases.Release) -> None:
    releases.activate(machine, release, SystemClock())


@pytest.mark.slow
def test_a_first_release_is_tried_then_linked_then_started_as_always(machine: Machine, port: int) -> None:
    activate(machine, make_release(machine, "1.0", 1, real=True))
    assert machine.path(CURRENT).resolve() == machine.path("/opt/cribboard/releases/1.0")
    assert started(machine) == [
        f"1.0 run --config {machine.path(CONFIG)} --keep-journal-version",
        f"1.0 run --config {machine.path(CONFIG)}",
    ]
    assert "Cribboard" in page(port)
    assert machine.read(f"{UNITS}/cribd.service") == UNIT_TEXT.replace("electronic cribbage board", "board of 1.0")
    assert not machine.path("/run/systemd/system/cribd.service").exists()
    assert not machine.path("/run/systemd/system/cribd.service.d").exists()
    assert "systemctl enable cribd.service" in stand_ins.calls(machine.root)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "code", "values"),
    [
        ("ends", "not_ready", {"said": "The bus is broken. Mend it."}),
        ("never ready", "not_ready", {}),
        ("no page", "no_answer", {"host": "127.0.0.1"}),
    ],
)
def test_a_release_that_fails_its_trial_leaves_the_one_before_running(
    machine: Machine, port: int, monkeypatch: pytest.MonkeyPatch, fault: str, code: str, values: dict[str, object]
) -> None:
    activate(machine, make_release(machine, "1.0", 1))
    monkeypatch.setattr(releases, "HEALTH_S", 2.0)
    monkeypatch.setattr(releases, "_roll_back", with_patience(monkeypatch))
    bad = make_release(machine, "2.0", 2, run=FAULTS[fault])
    with pytest.raises(InstallRefused) as refused:
        activate(machine, bad)
    if code == "no_answer":
        values |= {"port": port}
    problem, returned = refused.value.problems
    assert has_phrase(problem, f"problem.install.{code}", release="2.0", seconds=2, **values)
    assert returned == phrase("problem.install.returned", release="1.0")
    assert releases.current(machine) == "1.0"
    assert "board of 1.0" in (machine.read(f"{UNITS}/cribd.service") or "")
    assert started(machine)[-1] == f"1.0 run --config {machine.path(CONFIG)}"
    assert "Cribboard" in page(port)


@pytest.mark.slow
def test_the_reason_is_never_what_the_release_before_printed(
    machine: Machine, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A release that says nothing in its time has no words of its own: then it is what `systemctl` says."""
    activate(machine, make_release(machine, "1.0", 1, run='echo "The board is at its page." >&2'))
    monkeypatch.setattr(releases, "HEALTH_S", 2.0)
    monkeypatch.setattr(releases, "_roll_back", with_patience(monkeypatch))
    with pytest.raises(InstallRefused, match=r"Release 2\.0 did not become ready") as refused:
        activate(machine, make_release(machine, "2.0", 2, run=FAULTS["never ready"]))
    assert "page" not in str(refused.value)


def with_patience(patch: pytest.MonkeyPatch) -> object:
    """The way back, with the time that a real board has."""
    roll_back = releases._roll_back

    def patient(*arguments: object) -> object:
        patch.setattr(releases, "HEALTH_S", 30.0)
        return roll_back(*arguments)  # type: ignore[arg-type]

    return patient


@pytest.mark.slow
def test_a_release_that_fails_only_after_its_trial_is_returned_from(machine: Machine, port: int) -> None:
    """It is well on trial, and ends when it is started as always."""
    activate(machine, make_release(machine, "1.0", 1))
    bad = make_release(machine, "2.0", 2, run='case "$*" in *--keep-journal-version) ;; *) exit 1;; esac')
    with pytest.raises(InstallRefused, match=r"Release 2\.0 did not become ready[^\n]*\nRelease 1\.0 runs again\."):
        activate(machine, bad)
    assert releases.current(machine) == "1.0"
    assert "board of 1.0" in (machine.read(f"{UNITS}/cribd.service") or "")
    assert "Cribboard" in page(port)


@pytest.mark.slow
def test_a_first_release_that_fails_leaves_nothing_that_runs(machine: Machine, port: int) -> None:
    with pytest.raises(InstallRefused, match=r"Release 1\.0 did not become ready"):
        activate(machine, make_release(machine, "1.0", 1, run=FAULTS["ends"]))
    assert releases.current(machine) == ""
    assert not stand_ins.alive(machine.root)
    assert machine.read(f"{UNITS}/cribd.service") is None
    assert not machine.path("/run/systemd/system/cribd.service").exists()


@pytest.mark.slow
def test_a_power_cut_during_the_trial_brings_back_the_release_before(machine: Machine, port: int) -> None:
    """What is in /run is gone at the next start."""
    activate(machine, make_release(machine, "1.0", 1))
    releases._start_trial(machine, make_release(machine, "2.0", 2), UNIT_TEXT, SystemClock())
    assert started(machine)[-1].startswith("2.0 ")
    stand_ins.stop(machine.root)
    releases._end_trial(machine)
    machine.must("systemctl", "start", "cribd.service")
    assert started(machine)[-1].startswith("1.0 ")


class PowerCut(BaseException):
    """Nothing is done after it, not even what a program does at its end."""


@pytest.mark.slow
@pytest.mark.parametrize(("step", "runs"), [("apply_changes", "1.0"), ("_end_trial", "2.0"), ("_restart", "2.0")])
def test_after_a_power_cut_in_the_switch_one_of_both_releases_runs_and_the_next_switch_completes_it(
    machine: Machine, port: int, monkeypatch: pytest.MonkeyPatch, step: str, runs: str
) -> None:
    """The power goes after the unit was written, after the link was moved, and after the trial was ended."""
    activate(machine, make_release(machine, "1.0", 1))
    new = make_release(machine, "2.0", 2)
    made, tried = changes.apply_changes, False

    def cut(*given: Any) -> None:
        nonlocal tried
        if step == "apply_changes":
            made(*given)
        elif step == "_restart" and not tried:  # the first start is that of the trial
            tried = True
            stand_ins.stop(machine.root)
            machine.must("systemctl", "restart", UNIT)
            return
        raise PowerCut

    with monkeypatch.context() as power:
        power.setattr(releases, step, cut)
        power.setattr(releases, "_roll_back", lambda *_: [])
        with pytest.raises(PowerCut):
            activate(machine, new)
    stand_ins.stop(machine.root)
    releases._end_trial(machine)  # what is in /run is gone at the next start
    machine.must("systemctl", "start", UNIT)
    assert started(machine)[-1].startswith(f"{runs} ")
    assert "Cribboard" in page(port)
    activate(machine, new)
    assert releases.current(machine) == "2.0"
    assert "board of 2.0" in (machine.read(f"{UNITS}/cribd.service") or "")


@pytest.mark.slow
def test_an_earlier_journal_is_raised_only_after_the_trial(machine: Machine, port: int) -> None:
    journal = machine.path("/var/lib/cribboard/journal.db")
    older(journal, writer=4)
    release = make_release(machine, "1.0", 1, real=True)
    releases._start_trial(machine, release, UNIT_TEXT, SystemClock())
    assert writer_of(journal) == 4
    stand_ins.stop(machine.root)
    releases._end_trial(machine)
    activate(machine, release)
    assert writer_of(journal) == schema.VERSION
    assert not journal.with_name("journal.db.trial").exists()


def older(journal: Path, *, writer: int) -> None:
    """A journal with a game, as a program of this version left it."""
    journal.parent.mkdir(parents=True)
    played(journal, *ACTS)
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        db.execute("UPDATE setting SET value = ? WHERE name = 'writer'", (str(writer),))


def writer_of(journal: Path) -> int:
    with closing(sqlite3.connect(journal)) as db:
        return schema.writer(db)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "code", "values"),
    [
        (
            lambda machine: machine.write(CONFIG, "[page]\nport = 99999\n"),
            "problem.not_allowed",
            {"key": "page.port", "value": 99999},
        ),
        (lambda machine: machine.write(CONFIG, "[page\n"), "problem.config.toml", {}),
        (
            lambda machine: with_numbers(machine.path("/var/lib/cribboard/journal.db"), 50, 50),
            "problem.journal.newer",
            {"writer": phrase("problem.journal.version", number=50), "least": 50},
        ),
    ],
    ids=["a value", "no TOML", "a later journal"],
)  # fmt: skip
def test_a_release_that_cannot_read_what_is_here_is_refused_before_the_board_stops(
    machine: Machine, port: int, spoil: object, code: str, values: dict[str, object]
) -> None:
    journal = machine.path("/var/lib/cribboard/journal.db")
    journal.parent.mkdir(parents=True)
    played(journal, *ACTS)
    activate(machine, make_release(machine, "1.0", 1))
    runs = started(machine)
    spoil(machine)  # type: ignore[operator]
    with pytest.raises(InstallRefused) as refused:
        activate(machine, make_release(machine, "0.9", 2, real=True))
    (problem,) = refused.value.problems
    assert has_phrase(problem, "problem.install.check", release="0.9")
    assert has_phrase(problem, code, **values)
    assert started(machine) == runs
    assert stand_ins.alive(machine.root)
    assert releases.current(machine) == "1.0"


def with_numbers(journal: Path, writer: int, least: int) -> None:
    with closing(sqlite3.connect(journal, isolation_level=None)) as db:
        db.execute("UPDATE setting SET value = ? WHERE name = 'writer'", (str(writer),))
        db.execute(f"PRAGMA user_version = {least}")


def test_a_release_without_its_unit_is_refused(machine: Machine, port: int) -> None:
    release = make_release(machine, "1.0", 1)
    next(machine.path(release.folder).glob("lib/**/cribd.service")).unlink()
    with pytest.raises(InstallRefused) as refused:
        activate(machine, release)
    assert refused.value.problems == (phrase("problem.install.no_unit", release="1.0"),)


def test_releases_are_listed_newest_first_without_unfinished_ones(machine: Machine) -> None:
    for number, name in enumerate(["0.9", "1.0", "1.0-2"], start=1):
        make_release(machine, name, number)
    machine.path("/opt/cribboard/releases/2.0/bin").mkdir(parents=True)
    assert [release.name for release in releases.releases(machine)] == ["1.0-2", "1.0", "0.9"]


def test_two_old_releases_stay(machine: Machine) -> None:
    for number in range(1, 6):
        make_release(machine, f"{number}.0", number)
    machine.link(CURRENT, "releases/2.0")
    assert releases.remove_old(machine) == ["3.0", "1.0"]
    assert [release.name for release in releases.releases(machine)] == ["5.0", "4.0", "2.0"]


def test_a_release_is_removed_by_name_but_not_the_one_that_runs(machine: Machine) -> None:
    make_release(machine, "1.0", 1)
    make_release(machine, "2.0", 2)
    machine.link(CURRENT, "releases/2.0")
    with pytest.raises(InstallRefused) as refused:
        releases.remove(machine, "2.0")
    assert refused.value.problems == (phrase("problem.install.runs", release="2.0"),)
    releases.remove(machine, "1.0")
    assert [release.name for release in releases.releases(machine)] == ["2.0"]
    with pytest.raises(InstallRefused) as unknown:
        releases.named(machine, "1.0")
    assert unknown.value.problems == (phrase("problem.install.no_release", name="'1.0'", names="2.0"),)
