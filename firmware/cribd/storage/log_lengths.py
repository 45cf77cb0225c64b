"""Keeps the lengths of the newest logs beside the journal.

A write-ahead log that is deleted or cut leaves a sound journal, only shorter, so nothing in it can tell. Therefore the
number of lines of a game or a competition is written to `journal.db.ends` too, after each commit. Nobody waits for the
disk then: after a power cut the file may be older than the journal, or unreadable. Then it finds less, but nothing that
is not lost.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from weakref import finalize

from cribboard.validation import Message, listed, placed
from cribd.storage import schema

#: The length of the file: a sector of a disk, which is written whole or not at all.
_BYTES = 512
#: The most logs in the file. Each takes less than 24 bytes, and the checksum at the beginning takes 17.
_LOGS = 16
_DIGITS = 16
#: The table of the lines of each kind of log.
_TABLES = {"game": "line", "competition": "competition_line"}
_MISSING = Message("journal.missing", "it is missing")


def lines_lost(had: int, has: int) -> Message:
    """Return a phrase with a log's earlier and present length."""
    return Message("journal.lines", "it had {had} lines, and has {has}", had=had, has=has)


def log_name(kind: str, number: int) -> Message:
    """Return the name of a log, such as "game 12"."""
    if kind == "game":
        return Message("journal.game", "game {number}", number=number)
    return Message("journal.competition", "competition {number}", number=number)


def lost_last(path: Path, lost: Iterable[str]) -> Message:
    """Return the sentence that names the logs with lost lines."""
    return Message("journal.short", "{file} has lost what was written last: {lost}", file=path, lost=listed(lost))


class LogLengths:
    """The lengths of the newest logs. Never raises.

    `path` is the journal; the numbers are in a file beside it. A log that is shorter has lost lines."""

    def __init__(self, path: Path) -> None:
        self._journal = path
        self._file: int | None = None
        self._lengths = dict(_read(_beside(path)))
        self._says_lost = False

    def find_truncated(self, db: sqlite3.Connection) -> tuple[str, ...]:
        """Describe the logs that are known to have lost lines."""
        found: tuple[str, ...] = ()
        with suppress(*schema.UNREADABLE):
            found = tuple(dict.fromkeys(_find_truncated(db, self._lengths)))
        self._says_lost = bool(found)
        return found

    def record_length(self, kind: str, number: int, lines: int) -> None:
        """Store the length of a log after a commit.

        Of the games only the newest is stored, because no other game grows."""
        others = (log for log in self._lengths if log != (kind, number) and not kind == log[0] == "game")
        self._says_lost = False
        self._lengths = {**{log: self._lengths[log] for log in others}, (kind, number): lines}
        text = "".join(f"{kind} {number} {length}\n" for (kind, number), length in [*self._lengths.items()][-_LOGS:])
        if self._journal.name == ":memory:":  # SQLite's name of a database without a file
            return
        with suppress(OSError):
            if self._file is None:
                self._file = _opened(self._journal)
                self._close_file = finalize(self, os.close, self._file)  # also of a journal that nobody closes
            os.pwrite(self._file, f"{_sum(text)}\n{text}".encode("ascii").ljust(_BYTES), 0)

    def close(self, *, folded: bool) -> None:
        """Close the lengths file, and delete it unless it is needed.

        It is needed while SQLite's log is not in the journal, and while lines of a log are lost."""
        if self._file is not None:
            self._close_file()
            self._file = None
        if folded and not self._says_lost:
            with suppress(OSError):
                remove_lengths_file(self._journal)


def remove_lengths_file(journal: Path) -> None:
    """Delete the journal's lengths file, if there is one. Raises OSError."""
    _beside(journal).unlink(missing_ok=True)


def _beside(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}.ends")


def _opened(journal: Path) -> int:
    """Open the lengths file, owned by the journal's owner."""
    file = os.open(_beside(journal), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    if os.geteuid() == 0:
        owner = journal.stat()
        os.fchown(file, owner.st_uid, owner.st_gid)
    return file


def _sum(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()[:_DIGITS]


def _read(file: Path) -> Iterator[tuple[tuple[str, int], int]]:
    try:
        said, _, text = file.read_text(encoding="ascii").rstrip(" ").partition("\n")
    except (OSError, UnicodeDecodeError):
        return
    if said == _sum(text):
        for kind, number, lines in (line.split(" ") for line in text.splitlines()):
            yield (kind, int(number)), int(lines)


def _find_truncated(db: sqlite3.Connection, lengths: dict[tuple[str, int], int]) -> Iterator[str]:
    for (kind, number), had in lengths.items():
        if kind not in _TABLES:  # of a later version
            continue
        newest = schema.newest_game(db) if kind == "game" else schema.newest_competition(db)
        for missing in range(newest + 1, number + 1):
            yield placed(log_name(kind, missing), _MISSING)
        if number <= newest:
            query = f"SELECT coalesce(max(number), 0) FROM {_TABLES[kind]} WHERE {kind} = ?"
            (has,) = db.execute(query, (number,)).fetchone()
            if has < had:
                yield placed(log_name(kind, number), lines_lost(had, has))
