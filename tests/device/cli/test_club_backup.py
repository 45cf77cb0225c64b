"""`cribboard event backup --club` and `restore`: a club's hub goes to another machine, by a phrase."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.journals import ACTS, opened, played

from cribd.__main__ import main
from cribd.cli.errors import Exit
from cribd.club.keys import FILE_NAME, load_or_make
from cribd.club.membership import SETTING

OWN = "Caribou nectar zigzag"


class Machines:
    """A hub, and a machine that takes its place."""

    def __init__(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self._capsys = capsys
        self.hub, self.other, self.file = (
            folder / "hub" / "journal.db",
            folder / "other" / "journal.db",
            folder / "a.club",
        )
        self.phrase = folder / "phrase"
        self.phrase.write_text(f"{OWN}\n", encoding="utf-8")
        self.hub.parent.mkdir()
        played(self.hub, *ACTS, games=2)
        self.key = load_or_make(self.hub)

    def backup(self, *options: str, code: Exit = Exit.DONE) -> str:
        return self._run("backup", str(self.file), "--club", "--journal", str(self.hub), *options, code=code)

    def restore(self, *options: str, code: Exit = Exit.DONE) -> str:
        return self._run("restore", str(self.file), "--journal", str(self.other), *options, code=code)

    def _run(self, *words: str, code: Exit) -> str:
        given = () if "--phrase-file" in words or "--asks" in words else ("--phrase-file", str(self.phrase))
        assert main(["event", *(word for word in words if word != "--asks"), *given, "--lang", "en"]) == code
        said = self._capsys.readouterr()
        return said.out + said.err

    @property
    def content(self) -> dict[str, bytes]:
        """What the other machine has."""
        folder = self.other.parent
        return {file.name: file.read_bytes() for file in folder.iterdir()} if folder.exists() else {}


@pytest.fixture
def machines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Machines:
    return Machines(capsys, tmp_path)


def types(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    """Somebody at a terminal types these phrases, which getpass reads without showing them."""
    typed = iter(answers)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(getpass, "getpass", lambda question: next(typed))


def test_another_machine_becomes_the_hub_with_its_journal_and_key(machines: Machines) -> None:
    machines.backup()
    with opened(machines.hub) as played_on:
        assert phrase("command.event.restored_club", "en") in machines.restore()
        assert played_on.games()
    assert sorted(machines.content) == [FILE_NAME, "journal.db"]
    assert load_or_make(machines.other).id == machines.key.id
    assert machines.other.with_name(FILE_NAME).stat().st_mode & 0o777 == 0o600
    with opened(machines.other) as journal:
        assert len(journal.games()) == 2
        assert not journal.setting(SETTING)


@pytest.mark.parametrize("wrong", ["another phrase of mine", "a changed byte"])
def test_a_wrong_phrase_and_a_damaged_file_change_nothing(machines: Machines, wrong: str) -> None:
    machines.backup()
    if wrong == "a changed byte":
        content = bytearray(machines.file.read_bytes())
        content[-40] ^= 1
        machines.file.write_bytes(content)
    else:
        machines.phrase.write_text(wrong, encoding="utf-8")
    played_before(machines)
    before = machines.content
    said = machines.restore(code=Exit.PROBLEM)
    why = phrase("problem.club.backup_refused", "en")
    assert said == f"{phrase('command.event.restore_refused', 'en', file=machines.file, why=why)}\n"
    assert machines.content == before


def played_before(machines: Machines) -> None:
    """The other machine has games and a key of its own."""
    machines.other.parent.mkdir()
    played(machines.other, *ACTS, games=3)
    load_or_make(machines.other)


def test_a_machine_with_games_of_its_own_is_asked_for_instead_and_keeps_all_aside(machines: Machines) -> None:
    machines.backup()
    played_before(machines)
    before = machines.content
    assert "--instead" in machines.restore(code=Exit.CANNOT)
    assert machines.content == before
    said = machines.restore("--instead")
    aside = machines.other.with_name(f"{FILE_NAME}.before-restore-1")
    assert phrase("command.event.restore_key_aside", "en", file=aside) in said
    assert aside.read_bytes() == before[FILE_NAME]
    assert load_or_make(machines.other).id == machines.key.id
    assert "journal.db.before-restore-1" in machines.content


def test_at_a_terminal_the_proposed_phrase_is_taken_by_enter(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    types(monkeypatch, "")
    said = machines.backup("--asks")
    proposed = said.splitlines()[0].partition(": ")[2]
    assert len(proposed.split()) == 5
    types(monkeypatch, proposed.upper())
    machines.restore("--asks")
    assert load_or_make(machines.other).id == machines.key.id


@pytest.mark.parametrize(
    ("typed", "why"),
    [((OWN, "another phrase"), "phrases_differ"), (("short", "short"), "phrase_short")],
)
def test_a_phrase_that_is_mistyped_or_short_writes_nothing(
    machines: Machines, monkeypatch: pytest.MonkeyPatch, typed: tuple[str, ...], why: str
) -> None:
    types(monkeypatch, *typed)
    assert phrase(f"command.event.{why}", "en", least=12) in machines.backup("--asks", code=Exit.CANNOT)
    assert not machines.file.exists()


def test_a_machine_without_a_key_is_no_hub(machines: Machines) -> None:
    machines.key.file.unlink()
    assert phrase("command.event.no_club_key", "en", file=machines.key.file) in machines.backup(code=Exit.CANNOT)
    assert not machines.file.exists()
