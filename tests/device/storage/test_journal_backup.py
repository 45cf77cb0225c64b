"""A copy of the journal, made while the board writes it, is a whole journal by itself."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.support.disks import Flushed, read_only
from tests.support.journals import ACTS, begin, do, opened, played

from cribd.clock import ManualClock
from cribd.storage import schema
from cribd.storage.archive import Archive, ArchiveAway
from cribd.storage.journal_backup import back_up_journal, file_name, try_copy, write_whole
from cribd.storage.journal_file import NewerJournal
from cribd.storage.open_journal import open_or_repair_journal


def test_the_copy_has_every_act_that_was_committed_when_it_was_made(path: Path, tmp_path: Path) -> None:
    journal, _ = open_or_repair_journal(path, ManualClock())
    game = begin(journal)
    do(journal, game, *ACTS[:-1])
    back_up_journal(path, tmp_path / "copy.db")
    do(journal, game, ACTS[-1])
    journal.close()
    with opened(tmp_path / "copy.db") as copy:
        stored = copy.latest_game()
    assert stored is not None
    assert stored.game.log == game.game.log[: len(stored.game.log)]
    assert 0 < len(stored.game.log) < len(game.game.log)


def test_the_copy_is_one_file_that_only_its_owner_reads(path: Path, tmp_path: Path) -> None:
    played(path, *ACTS)
    stick = tmp_path / "stick"
    stick.mkdir()
    back_up_journal(path, stick / "copy.db")
    assert [file.name for file in stick.iterdir()] == ["copy.db"]
    assert (stick / "copy.db").stat().st_mode & 0o777 == 0o600


def test_what_a_fat_stick_has_beside_the_name_is_on_the_disk_too(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAT keeps the size of a file beside its name, and writes both when the file is flushed after it got the name.

    A stick that was pulled out 15 seconds after a copy had an empty file (`make pi-vm`)."""
    played(path, *ACTS)
    flushed = Flushed(monkeypatch)
    back_up_journal(path, tmp_path / "copy.db")
    assert flushed.since_the_name(tmp_path / "copy.db") == {tmp_path / "copy.db", tmp_path}
    write_whole(tmp_path / "copy.toml", b"[table]")
    assert flushed.since_the_name(tmp_path / "copy.toml") == {tmp_path / "copy.toml", tmp_path}


def test_a_backup_does_not_overwrite_a_file(path: Path, tmp_path: Path) -> None:
    played(path, *ACTS)
    (tmp_path / "copy.db").write_text("mine")
    with pytest.raises(FileExistsError):
        back_up_journal(path, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "mine"


def test_where_there_is_no_journal_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(ArchiveAway):
        back_up_journal(tmp_path / "nothing.db", tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("beside", ["nothing", "log and index", "log", "log and rotten index"])
def test_a_journal_on_a_read_only_disk_is_copied_whole(path: Path, tmp_path: Path, beside: str) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    journal, _ = open_or_repair_journal(path, ManualClock())
    game = begin(journal)
    do(journal, game, *ACTS)
    if beside == "nothing":
        journal.close()
    for file in path.parent.glob(f"{path.name}*"):
        shutil.copyfile(file, disk / file.name)
    journal.close()
    index = disk / f"{path.name}-shm"
    if beside == "log":
        index.unlink()
    elif beside == "log and rotten index":
        index.write_bytes(b"\xa5" * index.stat().st_size)
    before = {file.name for file in disk.iterdir()}
    with read_only(disk):
        back_up_journal(disk / path.name, tmp_path / "copy.db")
        assert Archive(disk / path.name).page(9) == ()
        assert {file.name for file in disk.iterdir()} == before
    with opened(tmp_path / "copy.db") as copy:
        stored = copy.latest_game()
    assert stored is not None
    assert stored.game.log == game.game.log


def test_the_name_of_a_copy_is_its_moment() -> None:
    assert file_name(datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)) == "cribboard-2026-03-14-150926.db"


def test_a_trial_opens_a_copy_and_leaves_the_journal_and_nothing_beside_it(path: Path) -> None:
    played(path, *ACTS)
    before = path.read_bytes()
    path.with_name(f"{path.name}.trial").write_text("of a trial that was cut off", encoding="utf-8")
    try_copy(path, ManualClock())
    assert path.read_bytes() == before
    assert {file.name for file in path.parent.iterdir()} <= {path.name, f"{path.name}-wal", f"{path.name}-shm"}


@pytest.mark.parametrize("name", ["{}.trial", "{}.trial.part"])
def test_a_rollback_that_a_power_cut_left_beside_a_copy_is_not_done_in_the_next_copy(
    name: str, path: Path, tmp_path: Path
) -> None:
    played(path, *ACTS)
    copy = tmp_path / "copy" / "copy.db"
    copy.parent.mkdir()
    back_up_journal(path, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as cut:
        cut.executescript("PRAGMA cache_size = 1; BEGIN; CREATE TABLE more (text);")
        cut.executemany("INSERT INTO more VALUES (?)", [(f"{number:0400}",) for number in range(500)])
        shutil.copy(f"{copy}-journal", path.with_name(f"{name.format(path.name)}-journal"))
    played(path, *ACTS, games=20)
    try_copy(path, ManualClock())
    beside = {file.name for file in path.parent.iterdir()} - {"copy"}
    assert beside <= {path.name, f"{path.name}-wal", f"{path.name}-shm"}


def test_a_trial_refuses_a_journal_for_later_versions_by_its_own_name(path: Path) -> None:
    played(path, *ACTS)
    with closing(sqlite3.connect(path)) as file:
        file.executescript("UPDATE setting SET value = '50' WHERE name = 'writer'; PRAGMA user_version = 50;")
    with pytest.raises(NewerJournal, match=f"^{path}: version 50 wrote this journal"):
        try_copy(path, ManualClock())
    assert {file.name for file in path.parent.iterdir()} <= {path.name, f"{path.name}-wal", f"{path.name}-shm"}


def test_a_journal_of_an_earlier_version_stays_one_until_it_may_be_raised(path: Path) -> None:
    played(path, *ACTS)
    with closing(sqlite3.connect(path)) as file:
        file.executescript("UPDATE setting SET value = '4' WHERE name = 'writer';")
    journal, aside = open_or_repair_journal(path, ManualClock(), upgrade=False)
    stored = journal.latest_game()
    assert (aside, stored is not None) == (None, True)
    do(journal, begin(journal), *ACTS)
    journal.close()
    with closing(sqlite3.connect(path)) as file:
        assert schema.writer(file) == 4
    open_or_repair_journal(path, ManualClock())[0].close()
    with closing(sqlite3.connect(path)) as file:
        assert schema.writer(file) == schema.VERSION
