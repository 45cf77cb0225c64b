"""The journal: every event of every game, committed before anything is shown as settled (design law 5).

One SQLite file, append-only, in WAL mode with synchronous=FULL: when `append` returns, a power cut takes nothing back.
There is one writer (`cribd.storage.lock`). Calls block, so the table makes them in a thread. An event is kept as its
canonical line alone; number, boot id and monotonic time order the lines, because a Pi has no battery clock. Triggers
refuse any change of what was written.

SD cards wear out all the same, so the journal trusts only what the chain proves. A result is computed from the lines of
its game; the table `result` is written for other programs and never read.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cribboard.cards import NotationError
from cribboard.events import Event
from cribboard.game import Game
from cribboard.record import Heading, Record, first_link, next_link, played, read_chained, read_heading
from cribboard.series import Match, Result, final_result
from cribd.clock import Clock
from cribd.storage import schema
from cribd.storage.schema import UNREADABLE

#: A game begins at most one match, and a start after a damaged game begins another.
_MATCHES_A_GAME = 2
#: The condition that a game's match number is plausible.
_IS_MATCH = f"typeof(match) = 'integer' AND match BETWEEN 1 AND {_MATCHES_A_GAME} * id"
#: More rows than a page of the file holds.
_REHEARSED = 200
#: Errors of SQLite that come from around the file (disk, rights, locks), and not from its content.
_AROUND = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_LOCKED),
    *(sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PERM, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_READONLY),
}


class JournalDamaged(Exception):  # noqa: N818 (a state of the file, not an error of the caller)
    """The journal, or a game in it, is damaged. `where` names the file or the game."""

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
    """The journal cannot be opened or written: the disk is full, missing or damaged, or a later program made the file.

    Nothing was written.
    """


@dataclass(frozen=True, slots=True)
class Kept:
    """A game of the journal: its number, its match, its heading, and the game after its last line."""

    id: int
    match: int
    heading: Heading
    game: Game


class Journal:
    """The journal in the file at `path`; makes its folder if needed.

    Raises `JournalDamaged` if the file is no journal, `NotKept` if it cannot be opened.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._boot = _boot_id()
        self.lock: int | None = None
        self._ends: dict[int, tuple[int, str]] = {}  # by game: the number of its last line, and the chain there
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        except (OSError, sqlite3.OperationalError) as wrong:
            raise NotKept(f"{path}: {wrong}") from wrong
        self._db.text_factory = schema.as_text
        try:
            self._open()
        except BaseException as wrong:
            self._db.close()
            if isinstance(wrong, UNREADABLE):
                raise self._why(wrong) from wrong
            raise

    def _open(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA foreign_keys = ON")
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if not 0 <= version < schema.VERSIONS:
            raise JournalDamaged(str(self._path), f"it says that it is of version {version}")
        if version not in (0, schema.VERSION):
            raise NotKept(f"{self._path}: it is of version {version}, and this program writes version {schema.VERSION}")
        if version != schema.VERSION:
            schema.create(self._db)

    def rehearse(self) -> None:
        """Write what the next games will write, and roll it back: SQLite reads every page that it will need.

        Raises `JournalDamaged` if it fails: a page may be damaged that the games so far do not touch.
        """
        games = [(number, number) for number in range(1, _REHEARSED)]
        lines = [(number, "line" * (number % 20), "chain" * 13, "at" * 16, "") for number in range(1, _REHEARSED)]
        try:
            self._db.execute("BEGIN IMMEDIATE")
            first = self._db.execute("SELECT 1 + coalesce(max(id), 0) FROM game").fetchone()[0]
            if first > schema.most_games(self._db):
                raise JournalDamaged(str(self._path), f"it cannot hold {first - 1} games")
            self._db.executemany(
                f"INSERT INTO game (id, match, heading, at) VALUES ({first} - 1 + ?, ?, '{'heading' * 20}', 'at')",
                games,
            )
            self._db.executemany(
                "INSERT INTO result (game, winner, scores, counts, first_dealer) "
                f"VALUES ({first} - 1 + ?, ?, '121 121', 1, 0)",
                games,
            )
            self._db.executemany(
                f"INSERT INTO line (game, number, line, chain, at, boot, seconds) VALUES ({first}, ?, ?, ?, ?, ?, 0)",
                lines,
            )
            self._db.execute("INSERT OR REPLACE INTO setting (name, value) VALUES ('rehearsed', '')")
            self._db.execute("SELECT name, value FROM setting").fetchall()
        except UNREADABLE as wrong:
            raise self._why(wrong) from wrong
        finally:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")

    def begin(self, heading: Heading, match: int) -> int:
        """Begin a game of match number `match`. Returns its number in the journal. Raises `NotKept`."""
        with self._transaction():
            row = self._db.execute(
                "INSERT INTO game SELECT 1 + coalesce(max(id), 0), ?, ?, ? FROM game",
                (match, "\n".join(heading.lines()), self._clock.wall().isoformat()),
            )
        assert row.lastrowid is not None
        self._ends[row.lastrowid] = 0, first_link(heading)
        return row.lastrowid

    def append(self, kept: Kept, events: Sequence[Event], result: Result | None = None) -> None:
        """Write the events of an act, and the result if it is final, in one transaction. Raises `NotKept`."""
        number, link = self._ends[kept.id]
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
        self._ends[kept.id] = number, link

    def latest(self) -> Kept | None:
        """The game that was begun last, after its last line. Raises `JournalDamaged` if it is damaged."""
        found = self._read("SELECT id, match, heading FROM game ORDER BY id DESC LIMIT 1")
        return self._kept(*found[0]) if found else None

    def game(self, number: int) -> Kept:
        """Game `number` of the journal. Raises KeyError if there is none, `JournalDamaged` if it is damaged."""
        if not 0 < number < 2**63:  # SQLite knows no other
            raise KeyError(number)
        found = self._read("SELECT id, match, heading FROM game WHERE id = ?", number)
        if not found:
            raise KeyError(number)
        return self._kept(*found[0])

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def games(self) -> tuple[tuple[int, str, str], ...]:
        """Number, time of the start (ISO 8601) and rules of every game; "" for what cannot be read.

        Raises `JournalDamaged` if the file cannot be read at all.
        """
        return tuple((number, at, "".join(heading.split("\n")[1:2])) for number, at, heading in self._begun())

    def headings(self) -> Mapping[int, str]:
        """The heading of every game, by its number; "" for what cannot be read. Raises `JournalDamaged`."""
        return {number: heading for number, _, heading in self._begun()}

    def _begun(self) -> Iterator[tuple[int, str, str]]:
        """Number, start and heading of every game, one query each, so that a damaged page costs one game alone."""
        for number in range(1, self.newest() + 1):
            try:
                found = self._read("SELECT at, heading FROM game WHERE id = ?", number)
            except JournalDamaged:
                found = [("", "")]
            for cells in found:
                at, heading = (cell if isinstance(cell, str) else "" for cell in cells)
                yield number, at, heading

    def match(
        self,
        number: int,
        like: Heading,
        *,
        latest: Kept | None = None,
        left_out: Callable[[JournalDamaged], object] = lambda _: None,
    ) -> Match:
        """The match of this number, under the rules of `like`. Calls `left_out` for each damaged game; `latest` is not
        read again."""
        match = Match(like.rules)
        for found in self._read("SELECT id, match, heading FROM game WHERE match = ? ORDER BY id", number):
            try:
                kept = latest if latest is not None and latest.id == found[0] else self._kept(*found)
                result = final_result(kept.game)
            except JournalDamaged as damaged:
                left_out(damaged)
            else:
                match = match if result is None else match.add(result)
        return match

    def next_match(self) -> int:
        """A match number that no game has. Raises `JournalDamaged` if the file cannot be read at all."""
        try:
            found = self._read(f"SELECT 1 + coalesce(max(match), 0) FROM game WHERE {_IS_MATCH}")
        except JournalDamaged:
            return self.newest() + 1
        return int(found[0][0])

    def setting(self, name: str) -> str | None:
        """The setting of this name. Raises `JournalDamaged`."""
        found = self._read("SELECT value FROM setting WHERE name = ?", name)
        return str(found[0][0]) if found else None

    def write_settings(self, settings: Mapping[str, str]) -> None:
        """Write these settings. Raises `NotKept`."""
        with self._transaction():
            self._db.executemany("INSERT OR REPLACE INTO setting VALUES (?, ?)", settings.items())

    def close(self) -> None:
        """Write the write-ahead log into the file, close it and release the lock."""
        with contextlib.suppress(sqlite3.Error):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.close()
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None

    def newest(self) -> int:
        """The number of the game that was begun last, 0 if there is none. Raises `JournalDamaged`."""
        try:
            return schema.newest_game(self._db)
        except UNREADABLE as wrong:
            raise JournalDamaged(str(self._path), str(wrong)) from wrong

    def _kept(self, number: int, match: object, heading_text: object) -> Kept:
        where = f"game {number}"
        rows = self._read(schema.LINES, number)
        if not isinstance(heading_text, str):
            raise JournalDamaged(where, "its heading is no text")
        if not isinstance(match, int) or not 1 <= match <= _MATCHES_A_GAME * number:
            raise JournalDamaged(where, f"its match cannot be {match!r}")
        try:
            heading = read_heading(heading_text)
            events, link = read_chained(heading, rows)
            game = played(Record(heading, events))
        except NotationError as wrong:
            raise JournalDamaged(where, str(wrong)) from wrong
        self._ends[number] = len(events), link
        return Kept(number, match, heading, game)

    def _read(self, query: str, *values: object) -> list[Any]:
        try:
            return self._db.execute(query, values).fetchall()
        except UNREADABLE as wrong:
            raise JournalDamaged(str(self._path), str(wrong)) from wrong

    def _why(self, wrong: sqlite3.DatabaseError | UnicodeDecodeError) -> NotKept | JournalDamaged:
        """Whether the file is damaged, or only cannot be used now. A file that SQLite calls read-only, though we
        may write it, is damaged."""
        around = getattr(wrong, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if (
            around == sqlite3.SQLITE_READONLY
            and os.access(self._path, os.W_OK)
            and os.access(self._path.parent, os.W_OK)
        ):
            around = sqlite3.SQLITE_CORRUPT
        if around in _AROUND:
            return NotKept(f"{self._path}: {wrong}")
        return JournalDamaged(str(self._path), str(wrong))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as wrong:
            with contextlib.suppress(sqlite3.Error):  # SQLite may have rolled back by itself
                self._db.execute("ROLLBACK")
            if isinstance(wrong, UNREADABLE) and not isinstance(wrong, sqlite3.ProgrammingError):
                raise NotKept(f"{self._path}: {wrong}") from wrong
            raise


def _boot_id() -> str:
    """The id of this boot of the machine: monotonic times of different boots cannot be compared."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return "unknown"
