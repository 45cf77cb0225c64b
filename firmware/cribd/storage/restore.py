"""Replaces the journal of this machine by a copy.

The copy is only read: it is checked in a copy of its own beside the journal. The journal that was there is kept aside.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from cribd.causes import of_sqlite
from cribd.clock import Clock
from cribd.storage import schema
from cribd.storage.journal import JournalDamaged
from cribd.storage.journal_backup import write_whole
from cribd.storage.journal_file import NO_JOURNAL, JournalFile
from cribd.storage.log_lengths import remove_lengths_file
from cribd.storage.open_journal import lock_to_replace, put_aside, take_place
from cribd.storage.rebuild import READY
from cribd.storage.schema import UNREADABLE

#: The end of a log: its number of lines, and the chain there.
_End = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore, with the earlier journal's path."""

    games: int
    events: int
    aside: Path | None


@dataclass(frozen=True, slots=True)
class MissingData:
    """The data that the journal has and the copy lacks.

    It has the numbers of games and events that are missing or shorter there, and how many members."""

    games: tuple[int, ...] = ()
    events: tuple[int, ...] = ()
    members: int = 0

    def __bool__(self) -> bool:
        return bool(self.games or self.events or self.members)


def restore(copy: Path, journal: Path, clock: Clock, *, instead: bool) -> Restored | MissingData:
    """Replace the journal by the copy.

    Without `instead`, a copy that lacks data of the journal is not restored, and the missing data is returned.

    Raises OSError if the copy cannot be read or nothing be written, `JournalDamaged` if the copy is damaged or no
    journal, `NewerJournal` if it is for later versions, `JournalBusy` if a board plays on the journal.
    """
    content = copy.read_bytes()[:16]
    if content != b"SQLite format 3\0":
        raise JournalDamaged(str(copy), NO_JOURNAL)
    there = journal.exists()
    lock = lock_to_replace(journal)
    ready = journal.with_name(f"{journal.name}.{READY}")
    part = journal.with_name(f"{journal.name}.restored")
    try:
        schema.delete(part)  # of a restore that was cut off
        _copy(copy, part, clock)
        with closing(sqlite3.connect(part)) as db:
            games, events = schema.newest_game(db), schema.newest_competition(db)
        if not instead and (lacking := _lacking(journal, part)):
            return lacking
        _copy_owner(part, journal)
        aside = None
        remove_lengths_file(journal)
        part.rename(ready)
        if there and journal.stat().st_size:
            aside = put_aside(journal, "before-restore")
        lock = take_place(journal, lock, ready)
        return Restored(games, events, aside)
    finally:
        os.close(lock)
        if not there and journal.exists() and not journal.stat().st_size:
            journal.unlink()
        schema.delete(part)


def replace_file(file: Path, content: bytes) -> Path | None:
    """Replace a file's content, and keep its owner and permissions.

    Return the path at which the earlier file is kept. None if the content is the same already. Raises OSError."""
    if file.read_bytes() == content:
        return None
    there = file.stat()
    aside = next(name for number in range(1, 1000) if not (name := _aside(file, number)).exists())
    os.link(file, aside)
    write_whole(file, content, mode=there.st_mode & 0o777)
    if os.geteuid() == 0:
        os.chown(file, there.st_uid, there.st_gid)
    return aside


def restore_beside(journal: Path, name: str, content: bytes) -> Path | None:
    """Write the file of this name beside the journal. Raises OSError.

    Only the journal's owner can read a new file. Return where an earlier, different file is kept, or None."""
    file = journal.with_name(name)
    if file.exists():
        return replace_file(file, content)
    write_whole(file, content)
    if os.geteuid() == 0:
        owner = journal.stat()
        os.chown(file, owner.st_uid, owner.st_gid)
    return None


def _aside(file: Path, number: int) -> Path:
    return file.with_name(f"{file.name}.before-restore-{number}")


def _copy(copy: Path, part: Path, clock: Clock) -> None:
    """Copy the file `copy` to `part`, and check the result.

    Raises OSError, `JournalDamaged`, `NewerJournal`."""
    shutil.copyfile(copy, part)
    with suppress(FileNotFoundError):
        shutil.copyfile(copy.with_name(f"{copy.name}-wal"), part.with_name(f"{part.name}-wal"))
    part.chmod(0o600)
    try:
        file = JournalFile(part, clock, make=False)
        try:
            file.check()
        finally:
            file.close()
        with closing(sqlite3.connect(part)) as db:
            db.execute("PRAGMA journal_mode = DELETE")  # one file: no log beside it
    except JournalDamaged as damaged:
        raise JournalDamaged(str(copy), damaged.reason) from damaged
    except UNREADABLE as wrong:
        raise JournalDamaged(str(copy), of_sqlite(wrong)) from wrong
    with part.open("rb") as written:
        os.fsync(written.fileno())


def _copy_owner(part: Path, journal: Path) -> None:
    """Give `part` the journal's owner, if this process is root.

    If the journal is empty, it was only now made here: then take the owner of its folder."""
    if os.geteuid() == 0:
        owner = (journal if journal.stat().st_size else journal.parent).stat()
        os.chown(part, owner.st_uid, owner.st_gid)


def _lacking(journal: Path, copy: Path) -> MissingData:
    """Find the data that the journal has and the copy lacks.

    What cannot be read is left out: the journal is moved aside anyway."""
    found: dict[str, tuple[int, ...]] = {}
    with suppress(*UNREADABLE), schema.open_to_read(journal) as here, schema.open_to_read(copy) as copied:
        for table, owner in (("line", "game"), ("competition_line", "competition")):
            found[owner] = tuple(
                number
                for number, (lines, chain) in _log_ends(here, table, owner).items()
                if not _contains_end(copied, table, owner, number, (lines, chain))
            )
        return MissingData(found["game"], found["competition"], len(_members(here) - _members(copied)))
    return MissingData(found.get("game", ()), found.get("competition", ()))


def _log_ends(db: sqlite3.Connection, table: str, owner: str) -> dict[int, _End]:
    """Find the number and hash of each log's last line.

    The logs are those of games or of competitions. Logs without lines are left out."""
    newest = schema.newest_game(db) if owner == "game" else schema.newest_competition(db)
    query = f"SELECT number, chain FROM {table} WHERE {owner} = ? ORDER BY number DESC LIMIT 1"
    ends = {number: db.execute(query, (number,)).fetchone() for number in range(1, newest + 1)}
    return {number: end for number, end in ends.items() if end is not None}


def _contains_end(db: sqlite3.Connection, table: str, owner: str, number: int, end: _End) -> bool:
    """Whether a log contains the line `end`."""
    if owner == "competition" and not schema.holds_competitions(db):
        return False
    query = f"SELECT chain FROM {table} WHERE {owner} = ? AND number = ?"
    return bool(db.execute(query, (number, end[0])).fetchone() == (end[1],))


def _members(db: sqlite3.Connection) -> set[str]:
    there = db.execute(schema.MEMBERS).fetchone()
    return {name for (name,) in db.execute("SELECT name FROM member")} if there else set()
