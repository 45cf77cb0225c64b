"""`cribboard backup` and `cribboard restore`: journal and configuration, to a folder and back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.journals import ACTS, opened, played

from cribd.__main__ import main
from cribd.cli.errors import Exit
from cribd.storage import stick


class Board:
    """A machine with a journal of two games and a configuration, and an empty stick."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.stick = folder / "stick"
        self.stick.mkdir()
        self.journal, self.config = folder / "state" / "journal.db", folder / "config.toml"
        self.journal.parent.mkdir()
        self.config.write_text(f'journal = "{self.journal}"\n[table]\nrules = "acc"\n')
        played(self.journal, *ACTS, games=2)

    def __call__(self, *words: str, code: Exit = Exit.DONE) -> list[str]:
        assert main([*words, "--config", str(self.config)]) == code
        said = self._capsys.readouterr()
        return (said.out + said.err).splitlines()

    def games(self) -> int:
        with opened(self.journal) as journal:
            return len(journal.games())


@pytest.fixture
def board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Board:
    return Board(tmp_path, capsys)


def test_a_backup_brings_journal_and_configuration_back_and_keeps_what_was_there(board: Board) -> None:
    copy, beside = board("backup", str(board.stick))
    assert sorted(map(str, board.stick.iterdir())) == [copy, beside]
    before = board.config.read_text()
    board.config.write_text(before.replace("acc", "fadoq"))
    board.config.chmod(0o640)
    board.journal.unlink()
    said = board("restore", copy)
    assert board.games() == 2
    assert board.config.read_text() == before
    assert board.config.stat().st_mode & 0o777 == 0o640
    aside = board.config.with_name("config.toml.before-restore-1")
    assert said[-1] == f"{board.config} is restored. The configuration that was there is kept as {aside}."
    assert "fadoq" in aside.read_text()
    assert board("restore", copy)[-1] == f"{board.config} is as in the copy."


def test_only_the_journal_is_restored_where_that_is_asked(board: Board) -> None:
    copy, _ = board("backup", str(board.stick))
    board.config.write_text(board.config.read_text().replace("acc", "fadoq"))
    board("restore", copy, "--journal-only")
    assert "fadoq" in board.config.read_text()


def test_a_copy_with_a_configuration_that_this_release_does_not_know_changes_nothing(board: Board) -> None:
    copy, beside = board("backup", str(board.stick))
    Path(beside).write_text("[lamps]\nbrightness = 5\n")
    board.journal.unlink()
    said = board("restore", copy, code=Exit.CANNOT)
    assert said[0].startswith("lamps = ")
    assert not board.journal.exists()


def test_a_copy_of_a_later_release_is_refused_and_nothing_changes(board: Board) -> None:
    copy, _ = board("backup", str(board.stick))
    with closing(sqlite3.connect(copy)) as file:
        file.executescript("UPDATE setting SET value = '50' WHERE name = 'writer'; PRAGMA user_version = 50;")
    board.config.write_text(board.config.read_text().replace("acc", "fadoq"))
    assert "later release" in board("restore", copy, code=Exit.CANNOT)[0]
    assert board.games() == 2
    assert "fadoq" in board.config.read_text()


def test_without_a_folder_the_copy_goes_to_the_stick_with_the_label(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stick, "find_stick", lambda label: board.stick if label == "CLUB" else None)
    assert board("backup", code=Exit.CANNOT) == [
        "No stick with the label CRIBBOARD is mounted. Plug it in, or name a folder."
    ]
    board.config.write_text(board.config.read_text() + '[backup]\nlabel = "CLUB"\n')
    assert board("backup") == sorted(map(str, board.stick.iterdir()))


def test_a_folder_that_is_missing_and_a_journal_that_is_missing_are_said(board: Board) -> None:
    missing = board.stick / "gone"
    assert board("backup", str(missing), code=Exit.CANNOT)[0].startswith(f"{missing}: there is no such folder.")
    board.journal.unlink()
    assert str(board.journal) in board("backup", str(board.stick), code=Exit.CANNOT)[0]
    assert list(board.stick.iterdir()) == []
