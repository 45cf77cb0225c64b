"""The journal: every event of every game, on disk before anything is shown as settled (design law 5).

One SQLite file, append-only, in WAL mode with synchronous=FULL: when `append` returns, a power cut takes nothing back.
One writer; it blocks, so the table calls it aside from the loop. A line is the game's canonical spelling and nothing
else is kept of an event; number, boot and monotonic time order it, for a Pi has no battery clock. Triggers refuse any
change of what was written.
"""

from __future__ import annotations

import contextlib
import fcntl
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from cribboard.cards import NotationError
from cribboard.events import Event
from cribboard.game import Game
from cribboard.record import Heading, first_link, next_link, read_heading
from cribboard.series import Match, Result
from cribd.clock import Clock

_TABLES = """
CREATE TABLE IF NOT EXISTS game (
    id INTEGER PRIMARY KEY, match INTEGER NOT NULL, heading TEXT NOT NULL, at TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS line (
    game INTEGER NOT NULL REFERENCES game, number INTEGER NOT NULL, line TEXT NOT NULL, chain TEXT NOT NULL,
    at TEXT NOT NULL, boot TEXT NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (game, number)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS result (
    game INTEGER PRIMARY KEY REFERENCES game, winner INTEGER NOT NULL, scores TEXT NOT NULL, counts INTEGER NOT NULL,
    first_dealer INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""
#: What may not be written to a table: what is there already, and what is out of order.
_NEVER = {
    "game": "NEW.id <> 1 + coalesce((SELECT max(id) FROM game), 0)",
    "line": "NEW.number <> 1 + coalesce((SELECT max(number) FROM line WHERE game = NEW.game), 0)",
    "result": "EXISTS (SELECT 1 FROM result WHERE game = NEW.game)",
}
_VERSION = 1
#: More than a page of the file holds of anything.
_REHEARSED = 200


class JournalDamaged(Exception):  # noqa: N818 (a state of the file, not an error of the caller)
    """The journal, or a game in it, is not what was written. `where` names the file or the game."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


class JournalBusy(Exception):  # noqa: N818 (a state of the file, not an error of the caller)
    """Another board writes this journal."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: another board is playing on this journal")
        self.path = path


class NotKept(Exception):  # noqa: N818 (a state of the disk, not an error of the caller)
    """The journal cannot be opened or written: the disk is full, gone or rotten, or a later program made the file.

    What was to be written is not there.
    """


@dataclass(frozen=True, slots=True)
class Kept:
    """A game of the journal: its number there, its heading, and the game as it stands after its last line."""

    id: int
    match: int
    heading: Heading
    game: Game


class Journal:
    """The file at `path`; its folder is made if it is not there.

    Raises `JournalDamaged` if it is no journal, `NotKept` if it cannot be opened.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._boot = _boot_id()
        self.lock: IO[bytes] | None = None
        self._link: tuple[int, int, str] | None = None  # game, number of its last line, chain there
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        except (OSError, sqlite3.OperationalError) as wrong:
            raise NotKept(f"{path}: {wrong}") from wrong
        try:
            self._open()
        except BaseException as wrong:
            self._db.close()
            if isinstance(wrong, sqlite3.OperationalError):
                raise NotKept(f"{path}: {wrong}") from wrong
            if isinstance(wrong, sqlite3.DatabaseError):
                raise JournalDamaged(str(path), str(wrong)) from wrong
            raise

    def _open(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA foreign_keys = ON")
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _VERSION):
            raise NotKept(f"{self._path}: it is of version {version}, and this program writes version {_VERSION}")
        if version != _VERSION:
            self._db.executescript(f"BEGIN; {_TABLES} {_triggers()} PRAGMA user_version = {_VERSION}; COMMIT;")

    def rehearse(self) -> None:
        """Do what the next games will do, and take it all back: what SQLite needs of the file for that is read now.

        Raises `JournalDamaged` if it cannot be: the end of a file may have rotted where no game of today looks.
        """
        games = [(number, number) for number in range(1, _REHEARSED)]
        lines = [(number, "line" * 20, "chain" * 13, "at" * 16, "boot" * 9) for number in range(1, _REHEARSED)]
        try:
            self._db.execute("BEGIN IMMEDIATE")
            first = self._db.execute("SELECT 1 + coalesce(max(id), 0) FROM game").fetchone()[0]
            self._db.executemany(f"INSERT INTO game VALUES ({first} - 1 + ?, ?, '{'heading' * 20}', 'at')", games)
            self._db.executemany(f"INSERT INTO result VALUES ({first} - 1 + ?, ?, '121 121', 1, 0)", games)
            self._db.executemany(f"INSERT INTO line VALUES ({first}, ?, ?, ?, ?, ?, 0)", lines)
            self._db.execute("SELECT * FROM setting").fetchall()
        except sqlite3.OperationalError as wrong:
            raise NotKept(f"{self._path}: {wrong}") from wrong
        except sqlite3.DatabaseError as wrong:
            raise JournalDamaged(str(self._path), str(wrong)) from wrong
        finally:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")

    def begin(self, heading: Heading, match: int) -> int:
        """Begin a game of match number `match`; its number in the journal."""
        with self._transaction():
            row = self._db.execute(
                "INSERT INTO game SELECT 1 + coalesce(max(id), 0), ?, ?, ? FROM game",
                (match, "\n".join(heading.lines()), self._clock.wall().isoformat()),
            )
        assert row.lastrowid is not None
        return row.lastrowid

    def append(self, kept: Kept, events: Sequence[Event], result: Result | None = None) -> None:
        """Write what an act caused, in one transaction, and with it the result if it became final. Raises `NotKept`."""
        _, number, link = self._end_of(kept)
        at, seconds = self._clock.wall().isoformat(), self._clock.now()
        spelling = kept.heading.spelling
        rows = []
        for event in events:
            line = spelling.write(event)
            number, link = number + 1, next_link(link, line)
            rows.append((kept.id, number, line, link, at, self._boot, seconds))
        with self._transaction():
            self._db.executemany("INSERT INTO line VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            if result is not None:
                scores = " ".join(map(str, result.scores))
                row = (kept.id, result.winner, scores, result.counts, result.first_dealer)
                self._db.execute("INSERT INTO result VALUES (?, ?, ?, ?, ?)", row)
        self._link = (kept.id, number, link)

    def latest(self) -> Kept | None:
        """The game that was begun last, as its last line left it. Raises `JournalDamaged` if it is not sound."""
        found = self._read("SELECT id, match, heading FROM game ORDER BY id DESC LIMIT 1")
        return self._kept(*found[0]) if found else None

    def game(self, number: int) -> Kept:
        """Game `number` of the journal. Raises KeyError if there is none, `JournalDamaged` if it is not sound."""
        found = self._read("SELECT id, match, heading FROM game WHERE id = ?", number)
        if not found:
            raise KeyError(number)
        return self._kept(*found[0])

    @property
    def path(self) -> Path:
        """Its file."""
        return self._path

    def games(self) -> tuple[tuple[int, str, str], ...]:
        """Number, day and time of the start, and rules, of every game."""
        rows = self._read("SELECT id, at, heading FROM game ORDER BY id")
        return tuple((number, at, "".join(heading.splitlines()[1:2])) for number, at, heading in rows)

    def headings(self) -> Mapping[int, str]:
        """The heading of every game, by its number."""
        return dict(self._read("SELECT id, heading FROM game"))

    def match(self, number: int, like: Heading) -> Match:
        """The match of that number as it stands, under the rules of `like`."""
        rows = self._read(
            "SELECT winner, scores, counts, first_dealer FROM result JOIN game ON game.id = result.game "
            "WHERE match = ? ORDER BY game",
            number,
        )
        results = (Result(w, tuple(map(int, scores.split())), counts, first) for w, scores, counts, first in rows)
        return Match(like.rules, tuple(results))

    def next_match(self) -> int:
        """The number of a match that no game belongs to yet."""
        found = self._read("SELECT match FROM game ORDER BY id DESC LIMIT 1")
        return int(found[0][0]) + 1 if found else 1

    def setting(self, name: str) -> str | None:
        found = self._read("SELECT value FROM setting WHERE name = ?", name)
        return str(found[0][0]) if found else None

    def settle(self, settings: Mapping[str, str]) -> None:
        """Keep these settings."""
        with self._transaction():
            self._db.executemany("INSERT OR REPLACE INTO setting VALUES (?, ?)", settings.items())

    def close(self) -> None:
        """Fold the write-ahead log into the file and let go of it."""
        with contextlib.suppress(sqlite3.Error):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.close()
        if self.lock is not None:
            self.lock.close()

    def _kept(self, number: int, match: int, heading_text: str) -> Kept:
        where = f"game {number}"
        try:
            heading = read_heading(heading_text)
            link = first_link(heading)
            events: list[Event] = []
            rows = self._read("SELECT number, line, chain FROM line WHERE game = ? ORDER BY number", number)
            for at, line, chain in rows:
                link = next_link(link, line)
                if link != chain or at != len(events) + 1:
                    raise JournalDamaged(where, f"line {at} is not what was written: {line}")
                events.append(heading.spelling.read(line))
        except NotationError as wrong:
            raise JournalDamaged(where, str(wrong)) from wrong
        self._link = (number, len(events), link)
        game = heading.begin()
        game.hear(events)  # the chain says that these are the events that were decided: no need to judge them again
        return Kept(number, match, heading, game)

    def _read(self, query: str, *values: object) -> list[Any]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.DatabaseError as wrong:
            raise JournalDamaged(str(self._path), str(wrong)) from wrong

    def _end_of(self, kept: Kept) -> tuple[int, int, str]:
        if self._link is not None and self._link[0] == kept.id:
            return self._link
        found = self._read("SELECT number, chain FROM line WHERE game = ? ORDER BY number DESC LIMIT 1", kept.id)
        return (kept.id, *found[0]) if found else (kept.id, 0, first_link(kept.heading))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as wrong:
            with contextlib.suppress(sqlite3.Error):  # SQLite may have rolled back by itself
                self._db.execute("ROLLBACK")
            if isinstance(wrong, sqlite3.OperationalError) or type(wrong) is sqlite3.DatabaseError:
                raise NotKept(f"{self._path}: {wrong}") from wrong
            raise


def _triggers() -> str:
    """Statements that make SQLite itself refuse any change of what was written."""
    forbidden = [
        (table, event, when)
        for table, never in _NEVER.items()
        for event, when in (("UPDATE", "true"), ("DELETE", "true"), ("INSERT", never))
    ]
    return "".join(
        f"CREATE TRIGGER IF NOT EXISTS {table}_{event.lower()} BEFORE {event} ON {table} WHEN {when} "
        f"BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;\n"
        for table, event, when in forbidden
    )


def open_journal(path: Path, clock: Clock) -> tuple[Journal, Path | None]:
    """The journal at `path`, for the one board that writes it, until that closes it or dies.

    A damaged file is kept under another name, which is returned, and a new one begun. Raises `JournalBusy` if another
    board writes it: two writers would break the chain; and `NotKept` if it cannot be opened.
    """
    lock = _lock(path)
    try:
        journal, aside = _open_or_begin(path, clock)
    except BaseException:
        lock.close()
        raise
    journal.lock = lock
    return journal, aside


def _lock(path: Path) -> IO[bytes]:
    """A file beside the journal that only one process can hold; the kernel lets go of it when that process ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.with_name(f"{path.name}.lock").open("ab")
    except OSError as wrong:
        raise NotKept(f"{path}: {wrong}") from wrong
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as held:
        lock.close()
        raise JournalBusy(path) from held
    return lock


def is_played_on(path: Path) -> bool:
    """Whether a board writes the journal at `path` now."""
    try:
        with path.with_name(f"{path.name}.lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _open_or_begin(path: Path, clock: Clock) -> tuple[Journal, Path | None]:
    try:
        return _sound(path, clock), None
    except JournalDamaged:
        aside = next(
            other for n in range(1, 1000) if not (other := path.with_name(f"{path.name}.damaged-{n}")).exists()
        )
        for suffix in ("", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
        return _sound(path, clock), aside


def _sound(path: Path, clock: Clock) -> Journal:
    journal = Journal(path, clock)
    try:
        journal.rehearse()
    except BaseException:
        journal.close()
        raise
    return journal


def _boot_id() -> str:
    """Names this run of the machine, so that monotonic times of one boot are compared with no other's."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return "unknown"
