"""The SQLite file of the journal, open for its writer.

Games and competitions are kept alike: a row with the heading, and a row for each line of the log with the chain up to
there. `ChainedLines` writes and reads the lines of both.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC
from errno import EROFS
from pathlib import Path
from typing import Any, TypeVar

from cribboard.cards import NotationError
from cribboard.record import ChainHeading, RecordError, first_link, next_link, read_chained
from cribboard.validation import Message, placed
from cribd.causes import of_sqlite, reason
from cribd.clock import Clock
from cribd.storage import schema
from cribd.storage.log_lengths import LogLengths
from cribd.storage.schema import UNREADABLE, refused_beside
from cribd.storage.soundness import why_unsound

E = TypeVar("E")
T = TypeVar("T")

Stamp = tuple[str, str, float]
"""When a line was written: the time of day in ISO 8601 to the second, the boot, and the monotonic seconds of it."""

#: Errors of SQLite that come from around the file (disk, rights, locks), and not from its content.
_AROUND = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_LOCKED),
    *(sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PERM, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_READONLY),
}
#: The errors of `_AROUND` that also occur on a disk to which nothing can be written.
_AROUND_WRITES = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}


NO_JOURNAL = Message("journal.none", "it holds no journal")


def line_damaged(wrong: NotationError) -> str:
    """Return a phrase that says why a line is unreadable."""
    if not isinstance(wrong, RecordError):
        return str(wrong)
    text = repr(wrong.text)
    return Message("journal.line", "line {line}: {why}: {text}", line=wrong.line, why=wrong.reason, text=text)


class JournalDamaged(Exception):  # noqa: N818 (a state of the file, not an error of the caller)
    """The journal, or a log in it, is damaged."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(placed(where, reason))
        self.where = where
        self.reason = reason


class JournalAway(Exception):  # noqa: N818 (a state of the disk, not an error of the caller)
    """The journal cannot be opened or written.

    For example, the disk is full or the file is missing. Nothing was written."""


class JournalHurt(JournalAway):
    """The file is damaged and therefore cannot be written."""

    def __init__(self, damaged: JournalDamaged) -> None:
        again = Message("journal.hurt", "start the board again, and it builds the journal anew")
        super().__init__(placed(damaged.args[0], again))


class DiskReadOnly(JournalAway):
    """Linux has made the disk read-only."""

    def __init__(self, path: Path) -> None:
        again = Message("journal.read_only", "Linux has made the disk read-only after an error: start the Pi again")
        super().__init__(placed(path, again))


def journal_unavailable(path: Path, refused: OSError) -> JournalAway:
    """Turn an OSError about the journal into a `JournalAway`."""
    return DiskReadOnly(path) if refused.errno == EROFS else JournalAway(placed(path, reason(refused)))


class NewerJournal(JournalAway):
    """Only version `least` or later may read this journal."""

    def __init__(self, path: Path, least: int, writer: int) -> None:
        later = Message(
            "journal.newer",
            "{writer} wrote this journal, and only version {least} or later may read it; this program is version "
            "{version}",
            writer=Message("journal.version", "version {number}", number=writer)
            if writer
            else Message("journal.later", "a later version"),
            least=least,
            version=schema.VERSION,
        )
        super().__init__(placed(path, later))
        self.path = path
        self.least = least
        self.writer = writer


class JournalFile:
    """The SQLite file of the journal at `path`.

    With `make`, a missing file or an empty database gets its folder and its tables. Without `write`, it is only read,
    also on a disk that takes no write, and has no `make`.

    Several threads may use it: one transaction or query runs at a time. Raises `JournalDamaged` if the file is no
    journal, `JournalAway` if it cannot be opened.
    """

    def __init__(self, path: Path, clock: Clock, *, make: bool = True, write: bool = True) -> None:
        self.path = path
        self.log_lengths = LogLengths(path)
        self._clock = clock
        self._boot = _boot_id()
        self._lock = threading.RLock()
        self._writes = write
        self._opened = contextlib.ExitStack()
        try:
            self.db = self._opened.enter_context(self._connected(make=make) if write else schema.open_to_read(path))
            self.db.text_factory = schema.as_text
            self._open(make=make and write)
        except BaseException as wrong:
            self._opened.close()
            if isinstance(wrong, OSError):
                raise journal_unavailable(path, wrong) from wrong
            if isinstance(wrong, UNREADABLE):
                raise self.why(wrong) from wrong
            raise

    def _connected(self, *, make: bool) -> contextlib.closing[sqlite3.Connection]:
        if make:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        address = str(self.path) if make else f"{self.path.absolute().as_uri()}?mode=rw"
        db = sqlite3.connect(address, uri=not make, check_same_thread=False, isolation_level=None)
        return contextlib.closing(db)

    def _open(self, *, make: bool) -> None:
        version = schema.least_reader(self.db)
        if version == 0 and not make:
            raise JournalDamaged(str(self.path), NO_JOURNAL)
        if self._writes:
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = FULL")
            self.db.execute("PRAGMA foreign_keys = ON")
        if not 0 <= version < schema.VERSIONS:
            claims = Message("journal.of_version", "it says that it is of version {version}", version=version)
            raise JournalDamaged(str(self.path), claims)
        self._refuse_newer_journal(version)
        if version == 0:
            schema.upgrade(self.db)

    def _refuse_newer_journal(self, version: int) -> None:
        """Raise `NewerJournal` if only later versions may read the file."""
        if schema.is_for_later_versions(self.db):
            raise NewerJournal(self.path, version, schema.writer(self.db))

    def upgrade(self) -> None:
        """Upgrade the file from an earlier version. Raises `JournalDamaged`, `JournalAway`.

        Only the file's writer may call this. The earlier version can still read the file."""
        try:
            schema.upgrade(self.db)
        except UNREADABLE as wrong:
            with contextlib.suppress(sqlite3.Error):
                self.db.execute("ROLLBACK")
            raise self.why(wrong) from wrong

    def read(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query. Raises `JournalDamaged`."""
        return self.ask(lambda db: db.execute(query, values).fetchall())

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Call `question` while no other thread uses the file. Raises `JournalDamaged`."""
        try:
            with self._lock:
                return question(self.db)
        except UNREADABLE as wrong:
            raise JournalDamaged(str(self.path), of_sqlite(wrong)) from wrong

    def check(self) -> None:
        """Check that the file is sound; call this before any write. Raises `JournalDamaged`, `JournalAway`."""
        try:
            wrong = why_unsound(self.db)
        except UNREADABLE as unreadable:
            raise self.why(unreadable) from unreadable
        if wrong is not None:
            raise JournalDamaged(str(self.path), wrong)

    def why(self, wrong: sqlite3.DatabaseError | UnicodeDecodeError) -> JournalAway | JournalDamaged:
        """Return the journal's exception for an SQLite error.

        SQLite has one error for a read-only disk, for one that fails, and for others, so the system is asked too. If
        SQLite calls the file read-only but we may write it, it is damaged."""
        around = getattr(wrong, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        refused = refused_beside(self.path) if around in _AROUND_WRITES else None
        if refused is not None and (refused.errno == EROFS or around == sqlite3.SQLITE_IOERR):
            return journal_unavailable(self.path, refused)
        if around == sqlite3.SQLITE_READONLY and os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK):
            around = sqlite3.SQLITE_CORRUPT
        if around in _AROUND:
            return JournalAway(placed(self.path, of_sqlite(wrong)))
        return JournalDamaged(str(self.path), of_sqlite(wrong))

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all writes of the `with` block, or none.

        Raises `JournalAway`, and `JournalHurt` if the file is damaged."""
        with self._lock:
            try:
                self.db.execute("BEGIN IMMEDIATE")
                yield
                self.db.execute("COMMIT")
            except BaseException as wrong:
                with contextlib.suppress(sqlite3.Error):  # SQLite may have rolled back by itself
                    self.db.execute("ROLLBACK")
                if isinstance(wrong, UNREADABLE) and not isinstance(wrong, sqlite3.ProgrammingError):
                    why = self.why(wrong)
                    raise (JournalHurt(why) if isinstance(why, JournalDamaged) else why) from wrong
                raise

    def now(self) -> str:
        """Return the present date and time in ISO 8601."""
        return self._clock.wall().isoformat()

    def stamp(self) -> Stamp:
        """Return the time stamp for a line that is written now.

        It has the date and time, the boot id, and the monotonic seconds: short, because every line has one."""
        return f"{self._clock.wall().astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", self._boot, self._clock.now()

    def fold(self) -> None:
        """Write the write-ahead log into the file.

        Then no data is lost if somebody deletes the log. It costs two more writes of the disk than a commit."""
        with self._lock, contextlib.suppress(sqlite3.Error):
            self.db.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def note_end(self, kind: str, number: int, lines: int) -> None:
        """Store the length of a log, after a commit.

        The lengths file beside the journal keeps the number."""
        with self._lock:
            self.log_lengths.record_length(kind, number, lines)

    def close(self) -> None:
        """Write the write-ahead log into the file, and close the file."""
        folded = False
        if self._writes:
            with contextlib.suppress(sqlite3.Error):
                busy, _, _ = self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                folded = not busy
        self._opened.close()
        self.log_lengths.close(folded=folded)


#: The number of the last line of a log, and the chain there.
End = tuple[int, str]


class ChainedLines:
    """The logs of all games, or of all competitions.

    `table` is the SQLite table. Its first column is the number of the log."""

    def __init__(self, file: JournalFile, kind: str, table: str) -> None:
        self._file = file
        self._kind = kind
        self._insert = f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._ends: dict[int, End] = {}  # by log
        self._with_boot: set[int] = set()  # the logs with a line of this process

    def begin(self, log: int, heading: ChainHeading[E]) -> None:
        """Start an empty log, after its heading was committed."""
        self.set_end(log, (0, first_link(heading)))

    def read(self, log: int, heading: ChainHeading[E], rows: Sequence[tuple[object, object, object]]) -> tuple[E, ...]:
        """Read the events of these rows, to continue their log. Raises `RecordError`."""
        events, link = read_chained(heading, rows)
        self.resume(log, (len(events), link))
        return events

    def resume(self, log: int, end: End) -> None:
        """Prepare to continue a log from this end."""
        self._ends[log] = end

    def write(self, log: int, heading: ChainHeading[E], events: Sequence[E], stamp: Stamp) -> End:
        """Write the events of an act, within a transaction.

        Pass the returned end to `set_end` after the commit. A line without a boot is of the same boot as the line
        before it: its id takes more bytes than an event."""
        (number, link), (at, boot, seconds) = self._ends[log], stamp
        rows: list[tuple[int, int, str, str, str, str, float]] = []
        for event in events:
            line = heading.spelling.write(event)
            number, link = number + 1, next_link(link, line)
            rows.append((log, number, line, link, at, "" if rows or log in self._with_boot else boot, seconds))
        self._file.db.executemany(self._insert, rows)
        return number, link

    def last_link(self, log: int) -> str:
        """Return the last link of the log's chain."""
        return self._ends[log][1]

    def set_end(self, log: int, end: End) -> None:
        """Record, after the commit, that the log now ends at `end`."""
        if end[0] > self._ends.get(log, end)[0]:
            self._with_boot.add(log)
        self._ends[log] = end
        self._file.note_end(self._kind, log, end[0])


def _boot_id() -> str:
    """Read the id of the machine's present boot.

    Monotonic times of different boots cannot be compared."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return "unknown"
