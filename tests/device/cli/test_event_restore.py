"""`cribboard event restore`: a copy of a journal takes its place, and nothing is lost without a word."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.support.journals import ACTS, begin, do, opened, played, tamper

from cribboard.actions import By, ReleasePeg
from cribd.__main__ import main
from cribd.cli.errors import Exit
from cribd.clock import ManualClock
from cribd.storage.open_journal import open_or_repair_journal
from cribd.storage.schema import VERSION


class Restore:
    """Runs `cribboard event restore` for the journal in this folder."""

    def __init__(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self._capsys = capsys
        self.journal = folder / "here" / "journal.db"
        self.copy = folder / "copy.db"
        (folder / "board.toml").write_text("")
        self._options = ("--journal", str(self.journal), "--config", str(folder / "board.toml"))

    def __call__(self, *words: str, code: Exit = Exit.DONE, what: str = "restore") -> str:
        arguments = words or (str(self.copy),)
        assert main(["event", what, *arguments, *self._options]) == code
        said = self._capsys.readouterr()
        return said.out + said.err

    @property
    def beside(self) -> list[str]:
        return sorted(file.name for file in self.journal.parent.iterdir()) if self.journal.parent.exists() else []

    def games(self) -> int:
        with opened(self.journal) as journal:
            return len(journal.games())


@pytest.fixture
def restore(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Restore:
    """With a copy of two games and an event of one entrant."""
    restore = Restore(capsys, tmp_path)
    played(tmp_path / "there.db", *ACTS, games=2)
    options = ("--journal", str(tmp_path / "there.db"))
    assert main(["event", "begin", "acc", "--name", "Mardi", *options]) == 0
    assert main(["event", "register", "Odile", *options]) == 0
    assert main(["event", "backup", str(restore.copy), *options]) == 0
    capsys.readouterr()
    return restore


def restored(restore: Restore, language: str = "en") -> str:
    """What is said when the copy took the place of the journal."""
    return phrase("command.event.restored", language, file=restore.journal, games=2, events=1)


def test_a_copy_is_restored_where_there_was_no_journal(restore: Restore) -> None:
    assert restore(str(restore.copy), "--lang", "en") == f"{restored(restore)}\n"
    assert restore.beside == ["journal.db"]
    assert restore.games() == 2
    journal, aside = open_or_repair_journal(restore.journal, ManualClock())
    assert aside is None
    assert journal.competitions.competition(1).competition.position.entrants[0].name == "Odile"
    journal.close()


def test_the_same_copy_twice_and_an_older_journal_ask_nothing_and_are_kept(restore: Restore) -> None:
    restore()
    said = restore(str(restore.copy), "--lang", "fr")
    assert phrase("command.event.restore_aside", "fr_CA", file=f"{restore.journal}.before-restore-1") in said
    assert restored(restore, "fr_CA") in said
    assert restore.games() == 2


@pytest.mark.parametrize("language", ["en", "fr_CA"])
def test_newer_results_are_named_and_nothing_is_done_without_the_flag(restore: Restore, language: str) -> None:
    restore()
    with opened(restore.journal) as journal:
        stored = journal.latest_game()
        assert stored is not None
        do(journal, stored, ReleasePeg(1, By.OWNER))
        do(journal, begin(journal), *ACTS)
        journal.members.add(["Zoé"])
    restore("acc", "--instead", what="begin")
    restore("Luc", what="register")
    before = {file.name: file.read_bytes() for file in restore.journal.parent.iterdir() if file.suffix == ".db"}
    said = restore(str(restore.copy), "--lang", language, code=Exit.CANNOT)
    lacks = "; ".join(
        (
            phrase("command.event.lacks.games", language, numbers="2, 3"),
            phrase("command.event.lacks.events", language, numbers="2"),
            phrase("command.event.lacks.members", language, number=1),
        )
    )
    loses = phrase("command.event.restore_loses", language, file=restore.journal, what=lacks)
    assert said == f"{loses}\n"
    assert "--instead" in loses
    assert {name: restore.journal.with_name(name).read_bytes() for name in before} == before
    restore(str(restore.copy), "--instead")
    assert restore.games() == 2
    with opened(restore.journal.with_name("journal.db.before-restore-1")) as aside:
        assert len(aside.games()) == 3
        assert aside.competitions.newest() == 2


@pytest.mark.parametrize("language", ["en", "fr_CA"])
def test_a_journal_on_which_a_board_plays_is_left_alone(restore: Restore, language: str) -> None:
    restore()
    board, _ = open_or_repair_journal(restore.journal, ManualClock())
    busy = phrase("command.event.restore_busy", language, file=restore.journal)
    assert busy in restore(str(restore.copy), "--instead", "--lang", language, code=Exit.CANNOT)
    do(board, begin(board), *ACTS)
    board.close()
    assert restore.games() == 3


def test_an_unsound_copy_is_refused_in_both_languages_and_changes_nothing(restore: Restore, tmp_path: Path) -> None:
    whole = restore.copy.read_bytes()
    restore()
    before = restore.journal.read_bytes()
    restore.copy.with_name("folder.db").mkdir()
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE recipe (name)")
    rotten = bytearray(whole)
    rotten[4096:8192] = b"\xa5" * 4096
    variants: dict[str, tuple[bytes | None, str]] = {
        "none.db": (None, "problem.file.unreadable"),
        "empty.db": (b"", "command.event.restore_damaged"),
        "list.db": (b"shopping list" * 1000, "command.event.restore_damaged"),
        "head.db": (whole[:4096], "command.event.restore_damaged"),
        "half.db": (whole[: len(whole) // 2], "command.event.restore_damaged"),
        "rotten.db": (bytes(rotten), "command.event.restore_damaged"),
        "other.db": ((tmp_path / "other.db").read_bytes(), "command.event.restore_damaged"),
    }
    for name, (content, code) in variants.items():
        file = tmp_path / name
        if content is not None:
            file.write_bytes(content)
        for language in ("en", "fr_CA"):
            for flag in ((), ("--instead",)):
                exit_code = Exit.CANNOT if content is None else Exit.PROBLEM
                said = restore(str(file), *flag, "--lang", language, code=exit_code)
                assert has_phrase(said, code, language, file=file), said
                assert "Traceback" not in said
    assert restore.journal.read_bytes() == before
    assert [name for name in restore.beside if not name.endswith(("-wal", "-shm"))] == ["journal.db"]


def test_a_copy_of_a_later_release_is_refused_with_the_numbers(restore: Restore) -> None:
    later = VERSION + 2
    tamper(restore.copy, f"UPDATE setting SET value = '{later}' WHERE name = 'writer'; PRAGMA user_version = {later}")
    said = restore(str(restore.copy), "--lang", "en", code=Exit.CANNOT)
    numbers = {"file": restore.copy, "least": later, "version": VERSION}
    assert phrase("command.event.restore_newer", **numbers) in said
    french = restore(str(restore.copy), "--lang", "fr", code=Exit.CANNOT)
    assert phrase("command.event.restore_newer", "fr_CA", **numbers) in french
    assert not restore.journal.exists()


def test_a_damaged_journal_gives_way_and_is_kept(restore: Restore) -> None:
    restore()
    restore.journal.write_bytes(b"nonsense" * 1000)
    assert "before-restore-1" in restore()
    assert restore.games() == 2
    assert restore.journal.with_name("journal.db.before-restore-1").read_bytes().startswith(b"nonsense")


def test_a_manual_copy_of_both_files_is_restored_whole(restore: Restore, tmp_path: Path) -> None:
    """The main file and its write-ahead log, copied by hand while the board was off after a power cut."""
    journal, _ = open_or_repair_journal(tmp_path / "cut.db", ManualClock())
    do(journal, begin(journal), *ACTS)
    for name in ("cut.db", "cut.db-wal"):
        (tmp_path / f"by-hand-{name}").write_bytes((tmp_path / name).read_bytes())
    journal.close()
    whole = phrase("command.event.restored", file=restore.journal, games=1, events=0)
    assert whole in restore(str(tmp_path / "by-hand-cut.db"), "--lang", "en")
    with opened(restore.journal) as found:
        assert found.game(1).game.log


def test_restoring_needs_the_pin_if_one_is_set_and_accepts_no_address(restore: Restore, tmp_path: Path) -> None:
    assert "--address" in restore(str(restore.copy), "--address", "http://x:1", "--lang", "fr", code=Exit.CANNOT)
    (tmp_path / "board.toml").write_text('[page]\nport = "off"\norganiser_pin = "1379"\n')
    assert "PIN" in restore(str(restore.copy), "--lang", "en", code=Exit.CANNOT)
    assert not restore.journal.exists()
    (tmp_path / "pin").write_text("1379\n")
    restore(str(restore.copy), "--pin-file", str(tmp_path / "pin"))
    assert restore.games() == 2
