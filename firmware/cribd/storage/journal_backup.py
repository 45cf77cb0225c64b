"""Copies the journal, even while the board writes.

The copy is one file, whole and checked, and a journal itself. Blocks: call it in a thread. It never writes the
journal.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from datetime import datetime
from errno import EEXIST, ENOSPC, ENOTDIR
from pathlib import Path
from typing import BinaryIO

from cribd.causes import of_sqlite
from cribd.clock import Clock
from cribd.storage.archive import ArchiveAway
from cribd.storage.journal_file import NO_JOURNAL, NewerJournal
from cribd.storage.open_journal import open_journal_as_it_is
from cribd.storage.schema import UNREADABLE, VERSIONS, delete, open_to_read

#: The first bytes of a backup of a club (`cribd.club.encrypted_backup`), which is encrypted.
CLUB_MAGIC = b"Cribboard club\n\0"


def file_name(now: datetime, suffix: str = ".db") -> str:
    """Make a copy's name from the time only (design law 10)."""
    return f"cribboard-{now:%Y-%m-%d-%H%M%S}{suffix}"


def copy_at(target: Path, now: datetime, suffix: str = ".db") -> Path:
    """Return the path for a new copy, in or at `target`.

    `target` must be a folder, exist already, or end in `suffix`. Raises NotADirectoryError for other paths, because a
    missing folder, such as an unmounted stick, must not become a file."""
    if target.is_dir():
        return target / file_name(now, suffix)
    if target.suffix != suffix and not target.exists():
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), str(target))
    return target


def back_up_journal(journal: Path, to: Path) -> None:
    """Copy the journal to a file that appears only when complete.

    Raises OSError where nothing can be written or `to` is there already, `ArchiveAway` where the journal is unreadable
    or none.
    """
    if to.exists():
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(to))
    part = to.with_name(f"{to.name}.part")
    delete(part)  # of a copy that was cut off
    try:
        part.touch(mode=0o600)
        _copy(journal, part)
        _fsync_file(part)
        _verify(part)
        part.rename(to)
        _fsync_file_and_folder(to)
    finally:
        delete(part)


def write_new(to: Path, content: bytes) -> None:
    """Write a new file that appears only when it is complete. Raises OSError, also if `to` exists already."""
    if to.exists():
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(to))
    write_whole(to, content)


def write_whole(to: Path, content: bytes, *, mode: int = 0o600) -> None:
    """Write or replace a file that appears only when complete. Raises OSError."""
    part = to.with_name(f"{to.name}.part")
    part.unlink(missing_ok=True)
    try:
        part.touch(mode=mode)
        part.write_bytes(content)
        _fsync_file(part)
        part.rename(to)
        _fsync_file_and_folder(to)
    finally:
        part.unlink(missing_ok=True)


def _fsync_file_and_folder(named: Path) -> None:
    """Make sure that a file's new name is on the disk.

    On FAT the size stands beside the name: a name that was just given says that the file is empty, until the file
    itself is flushed once more. Whoever pulls out the stick before that has an empty copy."""
    with named.open("rb") as file:
        os.fsync(file.fileno())
    number = os.open(named.parent, os.O_RDONLY)
    try:
        with suppress(OSError):
            os.fsync(number)
    finally:
        os.close(number)


def _fsync_file(part: Path) -> None:
    """Make sure that the file is on the disk.

    It is dropped from memory, so that a later read comes from the disk."""
    with part.open("rb") as written:
        os.fsync(written.fileno())
        with suppress(OSError):
            os.posix_fadvise(written.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _verify(part: Path) -> None:
    """Check the written copy with SQLite. Raises `ArchiveAway`."""
    try:
        with closing(sqlite3.connect(f"{part.resolve().as_uri()}?mode=ro", uri=True)) as copy:
            [(found,)] = copy.execute("PRAGMA integrity_check(1)").fetchall()
    except UNREADABLE as wrong:
        raise ArchiveAway(of_sqlite(wrong)) from wrong
    if found != "ok":
        raise ArchiveAway(found)


def open_copy(journal: Path) -> BinaryIO:
    """Copy the journal, and open the copy for reading.

    The copy has no name: its space is freed when it is closed or this process ends. It is on the journal's disk, since
    a temporary folder may be in memory.

    Raises OSError, `ArchiveAway`.
    """
    copy = journal.with_name(f"{journal.name}.copy")
    copy.unlink(missing_ok=True)  # of a process that was killed
    back_up_journal(journal, copy)
    try:
        return copy.open("rb")
    finally:
        copy.unlink()


def try_copy(journal: Path, clock: Clock) -> None:
    """Test whether a board could use a copy of the journal.

    The copy is checked, upgraded, written to and deleted. Raises OSError, `ArchiveAway`, `JournalDamaged`,
    `JournalAway`; `NewerJournal` if only a later version reads it."""
    copy = journal.with_name(f"{journal.name}.trial")
    delete(copy)  # of a trial that was cut off
    try:
        back_up_journal(journal, copy)
        open_journal_as_it_is(copy, clock, make=False).close()
    except NewerJournal as newer:
        raise NewerJournal(journal, newer.least, newer.writer) from newer
    finally:
        delete(copy)


def _copy(journal: Path, part: Path) -> None:
    try:
        with (
            open_to_read(journal.resolve()) as source,
            closing(sqlite3.connect(part)) as copy,
        ):
            [(version,)] = source.execute("PRAGMA user_version").fetchall()
            if not 0 < version < VERSIONS:
                raise ArchiveAway(NO_JOURNAL)
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file: no log beside it
    except UNREADABLE as wrong:
        if getattr(wrong, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
            raise OSError(ENOSPC, os.strerror(ENOSPC), str(part)) from wrong
        raise ArchiveAway(of_sqlite(wrong)) from wrong
