"""The archive of the journal's finished games.

Reads the journal's file through its own read-only connections, one for each call, so the writer (design law 5) never
waits for it. Every function blocks: call it in a worker thread. It never returns a game under way (law 9). Until the
results are open, only an `ArchiveReader` behind the PIN gets a game of a sealed competition (law 10). A damaged game is
named, and the others can still be read. A result is computed from the chained lines of its game. The archive never
writes, and keeps no game in memory.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path

from cribboard.cards import NotationError
from cribboard.events import BrokenOff, ResultFinal
from cribboard.record import Heading, Record, RecordError, played, read_chained, read_heading, write
from cribboard.series import FinishedGame, final_result
from cribboard.skunk import Skunk, skunk_at
from cribd.causes import of_sqlite
from cribd.storage.journal_file import NewerJournal
from cribd.storage.schema import (
    GAME_CHECK,
    LAST_LINKS,
    LINES,
    UNREADABLE,
    holds_checks,
    holds_competitions,
    is_for_later_versions,
    least_reader,
    newest_game,
    open_to_read,
    writer,
)
from cribd.storage.seals import Seals

#: How much of the file SQLite keeps in memory, in KiB.
_CACHE_KIB = 256
#: How many outcomes are cached, so that the lines of a game are read once.
_REMEMBERED = 256


class ArchiveReader(StrEnum):
    """Who reads the archive: somebody with or without the PIN."""

    ANYBODY = "anybody"  # pages and commands for everybody: no game of a sealed competition
    PIN = "pin"  # whoever gave the PIN of the owner or the organiser: every game that ended


class GameDamaged(Exception):  # noqa: N818 (a state of the file, not an error of the caller)
    """Game `id` is damaged from line `line` on. Line 0 is the heading."""

    def __init__(self, number: int, line: int) -> None:
        super().__init__(f"game {number} is damaged from line {line} on")
        self.id = number
        self.line = line


class ArchiveAway(Exception):  # noqa: N818 (a state of the file, not an error of the caller)
    """The journal's file cannot be read at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedGame:
    """A finished game of the journal.

    The result is None if the game was broken off."""

    id: int
    begun: datetime
    ended: datetime
    heading: Heading
    result: FinishedGame | None

    @property
    def skunk(self) -> Skunk:
        """The skunk of this game, by the best losing score."""
        if self.result is None:
            return Skunk.NONE
        best = max(score for side, score in enumerate(self.result.scores) if side != self.result.winner)
        return skunk_at(best, self.heading.rules.game)


@dataclass(frozen=True, slots=True)
class _Found:
    """A finished game of which only a part has been read."""

    id: int
    heading: Heading
    broken_off: bool
    begun: object
    ended: object
    lines: object
    """The number of the last one."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    scores: tuple[int, ...]
    result: FinishedGame | None


@dataclass(frozen=True, slots=True)
class DamagedGame:
    """A damaged game, with the number of its first damaged line."""

    id: int
    line: int


class Archive:
    """The finished games of the journal at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._outcomes: dict[int, _Outcome] = {}
        self._seals = Seals()

    def page(
        self, most: int, *, before: int | None = None, reader: ArchiveReader = ArchiveReader.ANYBODY
    ) -> tuple[EndedGame | DamagedGame, ...]:
        """Return at most `most` finished games, newest first.

        With `before`, return only games with a lower number. Raises `ArchiveAway`."""
        with self._connection() as db:
            return tuple(islice(self._games(db, before, reader), most))

    def every(self, *, reader: ArchiveReader = ArchiveReader.ANYBODY) -> Iterator[EndedGame | DamagedGame]:
        """Yield every finished game, newest first, each read on demand. Raises `ArchiveAway`."""
        with self._connection() as db:
            yield from self._games(db, None, reader)

    def ended(self, number: int, *, reader: ArchiveReader = ArchiveReader.ANYBODY) -> EndedGame:
        """Read the finished game `number`, without its events.

        Raises KeyError if this reader may not see a finished game there, `GameDamaged`, `ArchiveAway`."""
        with self._connection() as db:
            return self._ended(db, number, reader)

    def record(self, number: int, *, reader: ArchiveReader = ArchiveReader.ANYBODY) -> Record:
        """Read the record of game `number`.

        Raises KeyError if this reader may not see it, `GameDamaged`, `ArchiveAway`."""
        with self._connection() as db:
            return _record(db, self._find(db, number, reader))

    def texts(self, links: Collection[str]) -> Mapping[str, str]:
        """Return the records of competition games by their last hashes.

        Sealed games are included, since only readers of a result know its hash. Unreadable games are left out. Raises
        `ArchiveAway`."""
        texts = {}
        with self._connection() as db:
            for link, game in db.execute(LAST_LINKS).fetchall() if links and holds_competitions(db) else ():
                if link in links:
                    with suppress(KeyError, GameDamaged):
                        texts[link] = write(_record(db, self._find(db, game, ArchiveReader.PIN)))
        return texts

    def scores(self, game: EndedGame) -> tuple[int, ...]:
        """Read the final score of each side. Raises `GameDamaged`, `ArchiveAway`."""
        if game.result is not None:
            return game.result.scores
        with self._connection() as db:
            return self._outcome(db, self._find(db, game.id, ArchiveReader.PIN)).scores

    def sealing(self) -> frozenset[int | str]:
        """Find the competitions whose games are shown only with the PIN.

        Their number of games is hidden too: a match of three games was closer than one of two. Raises `ArchiveAway`."""
        with self._connection() as db:
            return self._seals.sealing(db)

    def is_sealed(self, number: int) -> bool:
        """Whether game `number`, finished or not, must stay hidden.

        If this cannot be read, the game must stay hidden. Raises `ArchiveAway`."""
        with self._connection() as db:
            try:
                return self._seals.is_sealed(db, number)
            except UNREADABLE:
                return True

    def _games(
        self, db: sqlite3.Connection, before: int | None, reader: ArchiveReader
    ) -> Iterator[EndedGame | DamagedGame]:
        """Yield the finished games, newest first.

        Each has its own query, so a damaged page loses only one game. Game numbers are consecutive, so it counts down.
        """
        newest = newest_game(db)
        for number in range(newest if before is None else min(before - 1, newest), 0, -1):
            try:
                yield self._ended(db, number, reader)
            except KeyError:
                pass
            except GameDamaged as damaged:
                yield DamagedGame(number, damaged.line)

    def _find(self, db: sqlite3.Connection, number: int, reader: ArchiveReader) -> _Found:
        """Find the finished game `number`, if this reader may see it.

        Raises KeyError if it has not ended or is sealed for this reader, and `GameDamaged` if it is damaged."""
        try:
            if reader is ArchiveReader.ANYBODY and self._seals.is_sealed(db, number):
                raise KeyError(number)
        except UNREADABLE as wrong:
            raise GameDamaged(number, 0) from wrong
        return _find(db, number)

    def _ended(self, db: sqlite3.Connection, number: int, reader: ArchiveReader) -> EndedGame:
        """Read the finished game `number`, without its events.

        Raises KeyError if it is not finished or is sealed, and `GameDamaged` if it is damaged."""
        found = self._find(db, number, reader)
        return EndedGame(
            id=number,
            begun=_moment(found.begun, number),
            ended=_moment(found.ended, number),
            heading=found.heading,
            result=None if found.broken_off else self._outcome(db, found).result,
        )

    def _outcome(self, db: sqlite3.Connection, found: _Found) -> _Outcome:
        """Read the outcome of a game from its lines. Raises `GameDamaged`."""
        if found.id not in self._outcomes:
            try:
                game = played(_record(db, found))
            except RecordError as wrong:
                raise GameDamaged(found.id, wrong.line) from wrong
            if len(self._outcomes) >= _REMEMBERED:
                self._outcomes.clear()
            scores = tuple(pegs.front for pegs in game.position.pegs)
            self._outcomes[found.id] = _Outcome(scores, final_result(game))
        return self._outcomes[found.id]

    def setting(self, name: str) -> str | None:
        """Read a setting of the journal, or None. Raises `ArchiveAway`."""
        with self._connection() as db:
            found = db.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
        return None if found is None or not isinstance(found[0], str) else found[0]

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Open a read-only connection to the file. Raises `ArchiveAway`."""
        try:
            with open_to_read(self._path) as db:
                db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
                if is_for_later_versions(db):
                    raise ArchiveAway(NewerJournal(self._path, least_reader(db), writer(db)).args[0])
                yield db
        except UNREADABLE as wrong:
            raise ArchiveAway(of_sqlite(wrong)) from wrong


def _find(db: sqlite3.Connection, number: int) -> _Found:
    """Find game `number`, sealed or not. Raises KeyError if it is not finished, and `GameDamaged` if it is damaged."""
    try:
        row = db.execute("SELECT heading, at FROM game WHERE id = ?", (number,)).fetchone()
        last = db.execute(
            "SELECT number, line, at FROM line WHERE game = ? ORDER BY number DESC LIMIT 1", (number,)
        ).fetchone()
        check = db.execute(GAME_CHECK, (number,)).fetchone() if holds_checks(db) else None
    except UNREADABLE as wrong:
        raise GameDamaged(number, 0) from wrong
    if row is None and check is not None:
        raise GameDamaged(number, 0)
    if row is None:
        raise KeyError(number)
    heading, begun = _heading(row[0], number), row[1]
    lines, line, ended = last or (0, "", begun)
    if check is not None:
        _, checked_heading, checked_begin, checked_lines, checked_end, *_ = check
        if checked_lines != lines:
            raise GameDamaged(number, lines + 1 if isinstance(lines, int) else 1)
        if checked_heading != row[0]:
            raise GameDamaged(number, 0)
        if (checked_begin, checked_end or begun) != (begun, ended):
            begun = ended = None  # one of two has rotted
    broken_off = line == heading.spelling.write(BrokenOff())
    if not broken_off and line != heading.spelling.write(ResultFinal()):
        if number == newest_game(db):
            raise KeyError(number)  # it is still being played
        raise GameDamaged(number, lines + 1 if isinstance(lines, int) else 1)
    return _Found(number, heading, broken_off, begun, ended, lines)


def _heading(text: object, number: int) -> Heading:
    if not isinstance(text, str):
        raise GameDamaged(number, 0)
    try:
        return read_heading(text)
    except NotationError as wrong:
        raise GameDamaged(number, 0) from wrong


def _moment(text: object, number: int) -> datetime:
    """Convert a time of the journal to local time. Raises `GameDamaged` if it cannot be converted."""
    try:
        return datetime.fromisoformat(str(text)).astimezone()
    except (ValueError, OverflowError) as wrong:
        raise GameDamaged(number, 0) from wrong


def _record(db: sqlite3.Connection, found: _Found) -> Record:
    """Read the record of a game, checked by its chain. Raises `GameDamaged`."""
    rows: list[tuple[object, object, object]] = []
    try:
        rows.extend(db.execute(LINES, (found.id,)))
        events, _ = read_chained(found.heading, rows)
    except UNREADABLE as wrong:
        raise GameDamaged(found.id, len(rows) + 1) from wrong
    except RecordError as wrong:
        raise GameDamaged(found.id, wrong.line) from wrong
    if len(events) != found.lines:  # the last one can be found, and not all before it
        raise GameDamaged(found.id, len(events) + 1)
    return Record(found.heading, events)
