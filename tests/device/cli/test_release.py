"""`cribboard release` lists, changes and removes releases, and says whether this one can run here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.journals import ACTS, played
from tests.support.pi_in_a_tree import make_release

from cribd.__main__ import main
from cribd.cli import release as command
from cribd.install.machine import Machine
from cribd.install.plan import CURRENT


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    (tmp_path / "run").mkdir()
    here = Machine(tmp_path)
    monkeypatch.setattr(command, "Machine", lambda: here)
    return here


def test_releases_are_listed_with_the_one_that_runs(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["release", "--lang", "en"]) == 0
    assert capsys.readouterr().out == f"{phrase('command.release.none', folder='/opt/cribboard/releases')}\n"
    make_release(machine, "1.0", 1)
    make_release(machine, "1.1", 2)
    machine.link(CURRENT, "releases/1.0")
    assert main(["release", "list", "--lang", "en"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        phrase("command.release.line", name="1.1", python="3.11"),
        phrase("command.release.line.runs", name="1.0", python="3.11"),
    ]
    assert main(["release", "list", "--json"]) == 0
    assert [(entry["name"], entry["runs"]) for entry in json.loads(capsys.readouterr().out)] == [
        ("1.1", False),
        ("1.0", True),
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("use 2.0", phrase("problem.install.no_release", name="'2.0'", names="1.0")),
        ("remove 2.0", phrase("problem.install.no_release", name="'2.0'", names="1.0")),
        ("remove 1.0", phrase("problem.install.runs", release="1.0")),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, said: str
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    make_release(machine, "1.0", 1)
    machine.link(CURRENT, "releases/1.0")
    assert main(["release", *words.split(), "--lang", "en"]) == 2
    assert capsys.readouterr().err == f"{said}\n"


@pytest.mark.parametrize("words", ["use 1.0", "remove 1.0"])
def test_only_root_changes_releases(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert main(["release", *words.split(), "--lang", "fr"]) == 2
    assert capsys.readouterr().err == f"{phrase('command.release.root', 'fr_CA')}\n"


def test_a_release_that_can_run_here_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, journal = tmp_path / "config.toml", tmp_path / "journal.db"
    config.write_text(f'journal = "{journal}"\n', encoding="utf-8")
    assert main(["release", "check", "--config", str(config), "--lang", "en"]) == 0
    played(journal, *ACTS)
    assert main(["release", "check", "--config", str(config), "--lang", "en"]) == 0
    assert capsys.readouterr().out == f"{phrase('command.release.sound')}\n" * 2
    journal.write_bytes(journal.read_bytes()[:5000])
    assert main(["release", "check", "--config", str(config), "--lang", "en"]) == 2
    assert has_phrase(capsys.readouterr().err, "command.journal_damaged", where=journal)
    config.write_text("[page]\nport = 99999\n", encoding="utf-8")
    assert main(["release", "check", "--config", str(config), "--lang", "en"]) == 2
    allowed = phrase("problem.or_else", one=phrase("problem.whole_number", low=0, high=65535), other='"off"')
    wrong = phrase("problem.not_allowed", key="page.port", value=99999, allowed=allowed)
    assert capsys.readouterr().err == f"{wrong}\n"
