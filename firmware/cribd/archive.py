"""Past games: what the journal holds of every game that ended, for whoever lists, replays or sums them up.

Reads the journal's file through connections of its own, read only, each open for one look alone: the one writer (design
law 5) never waits for it. Every function blocks, and belongs in a worker thread. A game under way is not here, whatever
is asked (law 9); nor is one under rules that seal results, until the owner has opened all that ended up to then. A game
that is not what was written is named as damaged, and keeps none of the others from being read. Must never write, and
never holds a game for longer than it is asked for.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from cribboard.cards import NotationError
from cribboard.events import BrokenOff, Event, ResultFinal, Skunk
from cribboard.record import Heading, Record, first_link, next_link, read_heading
from cribboard.rules import Option, RulesError, read_label
from cribboard.series import Result

#: The setting of the journal that says up to which game results are open, sealed or not.
OPENED = "opened"
#: So much of the file is kept in memory during a look, in KiB.
_CACHE_KIB = 256
#: So many games that were broken off are remembered with the scores at which they were left.
_LEFT_OFF = 256


class GameDamaged(Exception):  # noqa: N818 (a state of the file, not an error of the caller)
    """Game `id` is not what was written, from `line` of its lines on; 0 is the heading."""

    def __init__(self, number: int, line: int) -> None:
        super().__init__(f"game {number} is damaged from line {line} on")
        self.id = number
        self.line = line


class ArchiveAway(Exception):  # noqa: N818 (a state of the file, not an error of the caller)
    """The journal's file cannot be read at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A game that ended: its number in the journal, when it began and ended, its heading, and its result, None where it
    was broken off."""

    id: int
    begun: datetime
    ended: datetime
    heading: Heading
    result: Result | None

    @property
    def skunk(self) -> Skunk:
        """Whether every loser was left below the line."""
        if self.result is None:
            return Skunk.NONE
        line, double = self.heading.rules.game.skunk_line, self.heading.rules.game.double_skunk_line
        best = max(score for side, score in enumerate(self.result.scores) if side != self.result.winner)
        if double is not None and best < double:
            return Skunk.DOUBLE
        return Skunk.SKUNK if line is not None and best < line else Skunk.NONE


@dataclass(frozen=True, slots=True)
class Damaged:
    """A game that cannot be read: its number, and the first of its lines that is not what was written."""

    id: int
    line: int


class Archive:
    """The games of the journal at `path` that ended."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._left_off: dict[int, tuple[int, ...]] = {}

    def page(self, most: int, *, before: int | None = None) -> tuple[Ended | Damaged, ...]:
        """At most so many games that ended, the newest first; of those `before` a game, if one is named. Raises
        `ArchiveAway`."""
        with self._look() as db:
            return tuple(islice(_games(db, before), most))

    def ended(self, number: int) -> Ended:
        """Game `number`. Raises KeyError if no game of that number ended, `GameDamaged`, `ArchiveAway`."""
        with self._look() as db:
            return _ended(db, number, opened=_opened(db))

    def record(self, number: int) -> Record:
        """The record of game `number`. Raises KeyError if no game of that number ended, `GameDamaged` if it is not what
        was written, `ArchiveAway`."""
        with self._look() as db:
            heading = _ended(db, number, opened=_opened(db)).heading
            return Record(heading, tuple(_events(db, number, heading)))

    def scores(self, game: Ended) -> tuple[int, ...]:
        """Where the front pegs stood at the end. Of a game that was broken off only its record tells, so it is read
        once. Raises `GameDamaged`, `ArchiveAway`."""
        if game.result is not None:
            return game.result.scores
        if game.id not in self._left_off:
            played = game.heading.begin()
            played.hear(self.record(game.id).events)
            if len(self._left_off) == _LEFT_OFF:
                self._left_off.clear()
            self._left_off[game.id] = tuple(pegs.front for pegs in played.position.pegs)
        return self._left_off[game.id]

    def opened(self) -> int:
        """The number up to which games are open even where their rules seal results. Raises `ArchiveAway`."""
        with self._look() as db:
            return _opened(db)

    def sealed(self) -> int:
        """How many games have ended that are sealed. Raises `ArchiveAway`."""
        with self._look() as db:
            return sum(_is_sealed_and_ended(db, number) for number in _sealed(db))

    @contextmanager
    def _look(self) -> Iterator[sqlite3.Connection]:
        """The file as it is now."""
        try:
            address = f"{self._path.absolute().as_uri()}?mode=ro"
            with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as db:
                db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
                yield db
        except sqlite3.DatabaseError as wrong:
            raise ArchiveAway(str(wrong)) from wrong


def _games(db: sqlite3.Connection, before: int | None) -> Iterator[Ended | Damaged]:
    """The games that ended, one look after the other, so that a bad place in the file costs one game alone. The numbers
    of a journal have no gap."""
    newest, opened = _newest(db), _opened(db)
    for number in range(newest if before is None else min(before - 1, newest), 0, -1):
        try:
            yield _ended(db, number, opened=opened)
        except KeyError:
            pass
        except GameDamaged as damaged:
            yield Damaged(number, damaged.line)


def _ended(db: sqlite3.Connection, number: int, *, opened: int) -> Ended:
    """Game `number`, without its lines but the last. Raises KeyError where none of that number ended, or it is sealed,
    `GameDamaged`."""
    try:
        row = db.execute(
            "SELECT heading, at, winner, scores, counts, first_dealer FROM game LEFT JOIN result "
            "ON result.game = game.id WHERE game.id = ?",
            (number,),
        ).fetchone()
        last = db.execute(
            "SELECT number, line, at FROM line WHERE game = ? ORDER BY number DESC LIMIT 1", (number,)
        ).fetchone()
    except sqlite3.DatabaseError as wrong:
        raise GameDamaged(number, 0) from wrong
    if row is None:
        raise KeyError(number)
    text, begun, winner, scores, counts, first_dealer = row
    lines, line, at = last or (0, "", begun)
    try:
        heading = read_heading(text)
        if number > opened and heading.rules.game.sealed is Option.ON:
            raise KeyError(number)
        if line != heading.spelling.write(BrokenOff() if winner is None else ResultFinal()):
            if winner is None and number == _newest(db):
                raise KeyError(number)  # it is still being played
            raise GameDamaged(number, lines + 1)
        return Ended(
            id=number,
            begun=datetime.fromisoformat(begun),
            ended=datetime.fromisoformat(at),
            heading=heading,
            result=None if winner is None else Result(winner, tuple(map(int, scores.split())), counts, first_dealer),
        )
    except (TypeError, ValueError) as wrong:  # a heading, a time or a score that is none, or not even text
        raise GameDamaged(number, 0) from wrong


def _newest(db: sqlite3.Connection) -> int:
    """The number of the game that was begun last."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()[0])


# Sealed results


def _opened(db: sqlite3.Connection) -> int:
    """As the table has kept it. What cannot be read opens nothing."""
    with suppress(sqlite3.DatabaseError, ValueError):
        found = db.execute("SELECT value FROM setting WHERE name = ?", (OPENED,)).fetchone()
        return int(found[0]) if found else 0
    return 0


def _sealed(db: sqlite3.Connection) -> Iterator[int]:
    """The numbers of the games that are not open and whose rules seal results."""
    for number in range(_opened(db) + 1, _newest(db) + 1):
        with suppress(sqlite3.DatabaseError, RulesError, TypeError):  # a heading that cannot be read seals nothing
            (text,) = db.execute("SELECT heading FROM game WHERE id = ?", (number,)).fetchone()
            label = text.partition("\nRules: ")[2].partition("\n")[0]
            if read_label(label).game.sealed is Option.ON:
                yield number


def _is_sealed_and_ended(db: sqlite3.Connection, number: int) -> bool:
    try:
        _ended(db, number, opened=number)
    except KeyError:
        return False
    except GameDamaged:
        return True
    return True


def _events(db: sqlite3.Connection, number: int, heading: Heading) -> Iterator[Event]:
    """The events of a game, each proved by its link of the chain. Raises `GameDamaged`."""
    link, at = first_link(heading), 0
    try:
        for at, (numbered, line, chain) in enumerate(
            db.execute("SELECT number, line, chain FROM line WHERE game = ? ORDER BY number", (number,)), start=1
        ):
            link = next_link(link, line)
            if (numbered, chain) != (at, link):
                raise GameDamaged(number, at)
            yield heading.spelling.read(line)
    except sqlite3.DatabaseError as wrong:
        raise GameDamaged(number, at + 1) from wrong
    except (NotationError, TypeError) as wrong:  # no line of a record, or not even text
        raise GameDamaged(number, at) from wrong
