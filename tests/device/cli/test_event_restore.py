"""`cribboard event restore`: a copy of a journal takes its place, and nothing is lost without a word."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.journals import ACTS, begin, do, opened, played, tamper

from cribboard.actions import By, ReleasePeg
from cribd.__main__ import main
from cribd.cli.errors import Exit
from cribd.clock import ManualClock
from cribd.storage.open_journal import open_journal
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


def test_a_copy_is_restored_where_there_was_no_journal(restore: Restore) -> None:
    assert restore(str(restore.copy), "--lang", "en") == f"{restore.journal} is restored. Games: 2. Events: 1.\n"
    assert restore.beside == ["journal.db"]
    assert restore.games() == 2
    journal, aside = open_journal(restore.journal, ManualClock())
    assert aside is None
    assert journal.competitions.competition(1).competition.position.entrants[0].name == "Odile"
    journal.close()


def test_the_same_copy_twice_and_an_older_journal_ask_nothing_and_are_kept(restore: Restore) -> None:
    restore()
    said = restore(str(restore.copy), "--lang", "fr")
    assert f"gardé sous {restore.journal}.before-restore-1" in said
    assert f"{restore.journal} est restauré. Parties\u00a0: 2. Tournois\u00a0: 1." in said
    assert restore.games() == 2


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("has what the copy lacks: games 2, 3; events 2; members: 1.", "With --instead")),
        ("fr", ("ce qui manque à la copie\u00a0: parties 2, 3; tournois 2; membres\u00a0: 1.", "Avec --instead")),
    ],
)
def test_newer_results_are_named_and_nothing_is_done_without_the_flag(
    restore: Restore, language: str, words: tuple[str, ...]
) -> None:
    restore()
    with opened(restore.journal) as journal:
        kept = journal.latest()
        assert kept is not None
        do(journal, kept, ReleasePeg(1, By.OWNER))
        do(journal, begin(journal), *ACTS)
        journal.members.add(["Zoé"])
    restore("acc", "--instead", what="begin")
    restore("Luc", what="register")
    before = {file.name: file.read_bytes() for file in restore.journal.parent.iterdir() if file.suffix == ".db"}
    said = restore(str(restore.copy), "--lang", language, code=Exit.CANNOT)
    assert all(word in said for word in words), said
    assert {name: restore.journal.with_name(name).read_bytes() for name in before} == before
    restore(str(restore.copy), "--instead")
    assert restore.games() == 2
    with opened(restore.journal.with_name("journal.db.before-restore-1")) as aside:
        assert len(aside.games()) == 3
        assert aside.competitions.newest() == 2


@pytest.mark.parametrize(("language", "words"), [("en", "Stop the board first"), ("fr", "Arrêtez d’abord la planche")])
def test_a_journal_on_which_a_board_plays_is_left_alone(restore: Restore, language: str, words: str) -> None:
    restore()
    board, _ = open_journal(restore.journal, ManualClock())
    assert words in restore(str(restore.copy), "--instead", "--lang", language, code=Exit.CANNOT)
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
    variants: dict[str, tuple[bytes | None, str, str]] = {
        "none.db": (None, "cannot be read", "Lecture impossible"),
        "empty.db": (b"", "no copy of a journal", "pas la copie"),
        "list.db": (b"shopping list" * 1000, "no copy of a journal", "pas la copie"),
        "head.db": (whole[:4096], "is damaged", "est abîmé"),
        "half.db": (whole[: len(whole) // 2], "is damaged", "est abîmé"),
        "rotten.db": (bytes(rotten), "is damaged", "est abîmé"),
        "other.db": ((tmp_path / "other.db").read_bytes(), "no copy of a journal", "pas la copie"),
    }
    for name, (content, english, french) in variants.items():
        file = tmp_path / name
        if content is not None:
            file.write_bytes(content)
        for language, words in (("en", english), ("fr", french)):
            for flag in ((), ("--instead",)):
                code = Exit.CANNOT if content is None else Exit.PROBLEM
                said = restore(str(file), *flag, "--lang", language, code=code)
                assert words in said, said
                assert "Traceback" not in said
    assert restore.journal.read_bytes() == before
    assert [name for name in restore.beside if not name.endswith(("-wal", "-shm"))] == ["journal.db"]


def test_a_copy_of_a_later_release_is_refused_with_the_numbers(restore: Restore) -> None:
    later = VERSION + 2
    tamper(restore.copy, f"UPDATE setting SET value = '{later}' WHERE name = 'writer'; PRAGMA user_version = {later}")
    said = restore(str(restore.copy), "--lang", "en", code=Exit.CANNOT)
    assert f"only version {later} or later of the journal may read it; this one knows version {VERSION}" in said
    assert f"version {later}" in restore(str(restore.copy), "--lang", "fr", code=Exit.CANNOT)
    assert not restore.journal.exists()


def test_a_damaged_journal_gives_way_and_is_kept(restore: Restore) -> None:
    restore()
    restore.journal.write_bytes(b"nonsense" * 1000)
    assert "before-restore-1" in restore()
    assert restore.games() == 2
    assert restore.journal.with_name("journal.db.before-restore-1").read_bytes().startswith(b"nonsense")


def test_a_manual_copy_of_both_files_is_restored_whole(restore: Restore, tmp_path: Path) -> None:
    """The main file and its write-ahead log, copied by hand while the board was off after a power cut."""
    journal, _ = open_journal(tmp_path / "cut.db", ManualClock())
    do(journal, begin(journal), *ACTS)
    for name in ("cut.db", "cut.db-wal"):
        (tmp_path / f"by-hand-{name}").write_bytes((tmp_path / name).read_bytes())
    journal.close()
    assert "Games: 1." in restore(str(tmp_path / "by-hand-cut.db"), "--lang", "en")
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
