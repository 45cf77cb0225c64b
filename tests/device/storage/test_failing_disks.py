"""A disk that takes no more, real and on the twin: nothing is lost, the cause is said, and the next write works."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
from tests.support.disks import ext4, mounted
from tests.support.journals import ACTS, begin, do

from cribd.clock import ManualClock
from cribd.storage.journal import Journal, JournalAway
from cribd.storage.journal_file import DiskReadOnly
from cribd.storage.open_journal import open_or_repair_journal
from cribd.twin.disk import disk

MakeDisk = Callable[[], None]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real disk of 2 MB."""
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=2m", "tmpfs") as at:
        yield at


@pytest.fixture
def ext4_disk(tmp_path: Path) -> Iterator[Path]:
    """A real disk of 8 MB with the file system of a Pi."""
    with ext4(tmp_path) as at:
        yield at


@contextmanager
def journal_in(folder: Path) -> Iterator[Journal]:
    disk()  # in front of SQLite before the file is opened, as the twin does it
    journal, aside = open_or_repair_journal(folder / "journal.db", ManualClock())
    assert aside is None
    yield journal
    journal.close()


def fill(folder: Path) -> None:
    """Write until the disk is full."""
    with (folder / "films").open("wb", buffering=0) as films:
        while True:
            try:
                films.write(bytes(4096))
            except OSError:
                return


def refuses_and_heals(folder: Path, *, fail: MakeDisk, mend: MakeDisk, why: str) -> None:
    """An act is refused while the disk fails, and written when it is mended. What was written is there all the time."""
    with journal_in(folder) as journal:
        stored = begin(journal)
        do(journal, stored, *ACTS[:3])
        written = stored.game.log
        fail()
        for _ in range(3):
            with pytest.raises(JournalAway, match=why):
                do(journal, stored, ACTS[3])
            with pytest.raises(JournalAway, match=why):
                journal.try_to_write()
            assert stored.game.log == written
            assert journal.game(stored.id).game.log == written
        mend()
        journal.try_to_write()
        do(journal, stored, *ACTS[3:])
        written = stored.game.log
    with journal_in(folder) as journal:
        assert journal.game(stored.id).game.log == written


def test_a_full_disk_refuses_acts_until_there_is_room(small_disk: Path) -> None:
    refuses_and_heals(
        small_disk,
        fail=lambda: fill(small_disk),
        mend=(small_disk / "films").unlink,
        why="journal.db: database or disk is full$",
    )


def test_a_full_disk_of_the_twin_refuses_acts_like_a_real_one(tmp_path: Path) -> None:
    refuses_and_heals(
        tmp_path,
        fail=lambda: disk().fill(full=True),
        mend=lambda: disk().fill(full=False),
        why="journal.db: database or disk is full$",
    )


def test_a_read_only_disk_of_the_twin_refuses_acts_until_it_can_be_written(tmp_path: Path) -> None:
    refuses_and_heals(
        tmp_path,
        fail=lambda: disk().forbid_writes(read_only=True),
        mend=lambda: disk().forbid_writes(read_only=False),
        why="journal.db: disk I/O error$",
    )


def test_a_disk_that_linux_makes_read_only_after_an_error_loses_nothing_and_says_why(ext4_disk: Path) -> None:
    with journal_in(ext4_disk) as journal:
        stored = begin(journal)
        do(journal, stored, *ACTS[:3])
        subprocess.run(["mount", "-o", "remount,abort", str(ext4_disk)], check=True)
        for _ in range(2):
            with pytest.raises(DiskReadOnly, match=f"journal.db: {phrase('problem.journal.read_only')}$"):
                do(journal, stored, ACTS[3])
        assert journal.game(stored.id).game.log == stored.game.log
    with pytest.raises(DiskReadOnly):
        open_or_repair_journal(ext4_disk / "journal.db", ManualClock())
    with closing(Journal(ext4_disk / "journal.db", ManualClock(), write=False)) as journal:
        assert journal.game(stored.id).game.log == stored.game.log
    assert sorted(ext4_disk.glob("*damaged*")) == [], "it is not taken for damaged"


def test_a_slow_disk_keeps_an_act_after_its_time(tmp_path: Path) -> None:
    clock = ManualClock()
    disk().slow_down((2.0, clock))
    try:
        with journal_in(tmp_path) as journal:
            stored = begin(journal)
            before = clock.now()
            do(journal, stored, ACTS[0])
            assert clock.now() == before + 2.0
            assert journal.game(stored.id).game.log == stored.game.log
    finally:
        disk().slow_down(None)


def test_two_faults_of_the_disk_end_one_by_one(tmp_path: Path) -> None:
    with journal_in(tmp_path) as journal:
        disk().fill(full=True)
        disk().forbid_writes(read_only=True)
        disk().fill(full=False)
        with pytest.raises(JournalAway, match="disk I/O error"):
            journal.try_to_write()
        disk().forbid_writes(read_only=False)
        journal.try_to_write()
