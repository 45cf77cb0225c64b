"""The journal of all games and their events (design law 5).

One SQLite file, append-only, in WAL mode with synchronous=FULL: when `append` returns, a power cut loses nothing. There
is one writer (`cribd.storage.open_journal`). Calls block, so the table makes them in a thread. An event is stored
before it is shown as settled, and only as its canonical line; number, boot id and monotonic time order the lines,
because a Pi has no battery clock. Triggers refuse any change of written rows. Competitions are stored beside the games
(`cribd.storage.competitions`).

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
from uuid import UUID

from cribboard.cards import NotationError
from cribboard.events import BrokenOff, Event, ResultFinal
from cribboard.game import Game
from cribboard.position import Position
from cribboard.record import Heading, Record, played, read_heading
from cribboard.series import FinishedGame, Match, final_result
from cribboard.validation import Message, placed
from cribd.clock import Clock
from cribd.storage import schema
from cribd.storage.competitions import Competitions
from cribd.storage.event_games import EventGames
from cribd.storage.journal_file import (
    ChainedLines,
    JournalAway,
    JournalDamaged,
    JournalFile,
    JournalHurt,
    line_damaged,
)
from cribd.storage.log_lengths import lines_lost, log_name, lost_last
from cribd.storage.members import Members
from cribd.storage.outbox import Outbox, Outcome, PlayedFor
from cribd.storage.rebuild import Rebuilt
from cribd.storage.schema import UNREADABLE

__all__ = ["Journal", "JournalAway", "JournalBusy", "JournalDamaged", "JournalHurt", "StoredGame"]

#: A game begins at most one match, and a start after a damaged game begins another.
_MATCHES_A_GAME = 2
#: The condition that a game's match number is plausible.
_IS_MATCH = f"typeof(match) = 'integer' AND match BETWEEN 1 AND {_MATCHES_A_GAME} * id"
#: The rows, and the length of their text, that fill eight pages of each table: more than a game needs.
_REHEARSED, _LONG = 40, "text" * 200


class JournalBusy(Exception):  # noqa: N818 (a state of the file, not an error of the caller)
    """Another process, usually a board, has this journal open for writing."""

    def __init__(self, path: Path) -> None:
        super().__init__(placed(path, Message("journal.busy", "another board is playing on this journal")))
        self.path = path


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game of the journal.

    `game` is the state after the last line. `played_for` is the competition game that it is, or None."""

    id: int
    match: int
    heading: Heading
    game: Game
    played_for: PlayedFor | None = None


class Journal:
    """The journal in the file at `path`.

    With `make`, a missing file or an empty database gets its folder and its tables. Without `write`, it is only read.
    Raises `JournalDamaged` if the file is no journal, `JournalAway` if it cannot be opened.
    """

    def __init__(self, path: Path, clock: Clock, *, make: bool = True, write: bool = True) -> None:
        self._clock = clock
        self._file = JournalFile(path, clock, make=make, write=write)
        self._lines = ChainedLines(self._file, "game", "line")
        self.truncated_logs = self._file.log_lengths.find_truncated(self._file.db)
        """What the journal had and has no longer: games and competitions whose newest lines are gone, in words."""
        self.competitions = Competitions(self._file)
        self.members = Members(self._file)
        self.outbox = Outbox(self._file)
        self.event_games = EventGames(self._file)
        self.lock: int | None = None
        self.rebuilt: Rebuilt | None = None
        """The report on the rebuilt journal, if the file was damaged at this start."""
        self.aside: Path | None = None
        """Where the damaged file is kept then."""
        self.rotten_settings: set[str] = set()
        """The settings that could not be read."""

    def check(self) -> None:
        """Check that the file is sound; call this before any write. Raises `JournalDamaged`, `JournalAway`."""
        self._file.check()

    def upgrade(self) -> None:
        """Upgrade the file from an earlier version.

        Only the file's writer may do this. Raises `JournalDamaged`, `JournalAway`."""
        self._file.upgrade()

    def rehearse(self) -> None:
        """Write and roll back test rows, to find damaged pages.

        The rows are like those of the next games, so SQLite reads every page that the next games need. Raises
        `JournalAway`, and `JournalDamaged`, even for pages that no game uses yet."""
        numbers = [(number,) for number in range(1, _REHEARSED + 1)]
        try:
            self._file.db.execute("BEGIN IMMEDIATE")
            first = self._file.db.execute("SELECT 1 + coalesce(max(id), 0) FROM game").fetchone()[0]
            if first > schema.highest_possible_number(self._file.db):
                full = Message("journal.full", "it cannot hold {number} games", number=first - 1)
                raise JournalDamaged(str(self._file.path), full)
            self._file.db.executemany(
                f"INSERT INTO game (id, match, heading, at) VALUES ({first} - 1 + ?, 1, '{_LONG}', 'at')", numbers
            )
            self._file.db.executemany(
                "INSERT INTO result (game, winner, scores, counts, first_dealer) "
                f"VALUES ({first} - 1 + ?, 0, '{_LONG}', 1, 0)",
                numbers,
            )
            self._file.db.executemany(
                "INSERT INTO line (game, number, line, chain, at, boot, seconds) "
                f"VALUES ({first}, ?, '{_LONG}', 'chain', 'at', 'boot', 0)",
                numbers,
            )
            self.competitions.rehearse(numbers, _LONG)
            self.outbox.rehearse()
            self._file.db.execute("INSERT OR REPLACE INTO setting (name, value) VALUES ('rehearsed', '')")
            self._file.db.execute("SELECT name, value FROM setting").fetchall()
        except UNREADABLE as wrong:
            raise self._file.why(wrong) from wrong
        finally:
            with contextlib.suppress(sqlite3.Error):
                self._file.db.execute("ROLLBACK")

    def begin(
        self,
        heading: Heading,
        match: int,
        *,
        played_for: PlayedFor | None = None,
        is_sealed: bool = True,
        entrants: Sequence[int] = (),
        club: str = "",
    ) -> int:
        """Begin a game of match number `match`.

        With `played_for`, it is a game of a competition. If the competition is on another machine, that of this `club`,
        `is_sealed` says whether this game is hidden until that machine opens the results. Returns the number of the
        game in the journal. Raises `JournalAway`."""
        competition = None if played_for is None else self._number_of(played_for.event)
        with self._file.transaction():
            row = self._file.db.execute(
                "INSERT INTO game SELECT 1 + coalesce(max(id), 0), ?, ?, ? FROM game",
                (match, "\n".join(heading.lines()), self._clock.wall().isoformat()),
            )
            assert row.lastrowid is not None
            if played_for is not None and competition is None:
                self.event_games.write(row.lastrowid, played_for, is_sealed=is_sealed)
            elif played_for is not None:
                place = row.lastrowid, competition, played_for.round, played_for.table, played_for.game
                self._file.db.execute("INSERT INTO competition_game VALUES (?, ?, ?, ?, ?)", place)
            if played_for is not None:
                self.outbox.write_entrants(row.lastrowid, entrants, club)
        self._lines.begin(row.lastrowid, heading)
        return row.lastrowid

    def append(self, stored: StoredGame, events: Sequence[Event], result: FinishedGame | None = None) -> None:
        """Write the events and any `result` in one transaction.

        If the game ends and belongs to an event, its outcome waits in the outbox from then on. Raises `JournalAway`."""
        stamp = self._file.stamp()
        with self._file.transaction():
            end = self._lines.write(stored.id, stored.heading, events, stamp)
            if result is not None:
                scores = " ".join(map(str, result.scores))
                row = (stored.id, result.winner, scores, result.counts, result.first_dealer)
                self._file.db.execute("INSERT INTO result VALUES (?, ?, ?, ?, ?)", row)
            if stored.played_for is not None and events and isinstance(events[-1], ResultFinal | BrokenOff):
                self.outbox.write(stored.id)
        self._lines.set_end(stored.id, end)

    def outcome(self, number: int) -> Outcome:
        """Compute the outcome of game `number` from its lines.

        Raises KeyError if it is no game of an event, or has not ended, and `JournalDamaged`."""
        stored = self.game(number)
        if not stored.game.log or not isinstance(stored.game.log[-1], ResultFinal | BrokenOff):
            raise KeyError(number)
        return self.outcome_of(stored, stored.game.position)

    def outcome_of(self, stored: StoredGame, end: Position) -> Outcome:
        """Return the outcome of a game that ends at `end`.

        The last events of the game must have been written. Raises KeyError if it is no game of an event, and
        `JournalDamaged`."""
        if stored.played_for is None:
            raise KeyError(stored.id)
        return Outcome(
            place=stored.played_for,
            scores=tuple(pegs.front for pegs in end.pegs),
            broken_off=end.winner is None,
            record=self._lines.last_link(stored.id),
            entrants=self.outbox.entrants(stored.id),
        )

    def latest_game(self) -> StoredGame | None:
        """Read the newest game; None if there is no game. Raises `JournalDamaged` if it is damaged."""
        found = self._file.read("SELECT id, match, heading FROM game ORDER BY id DESC LIMIT 1")
        return self._stored(*found[0]) if found else None

    def game(self, number: int) -> StoredGame:
        """Read game `number`. Raises KeyError if there is none, `JournalDamaged` if it is damaged."""
        if not 0 < number < 2**63:  # SQLite knows no other
            raise KeyError(number)
        found = self._file.read("SELECT id, match, heading FROM game WHERE id = ?", number)
        if not found and self._file.ask(schema.holds_checks) and self._file.read(schema.GAME_CHECK, number):
            raise JournalDamaged(log_name("game", number), Message("journal.missing", "it is missing"))
        if not found:
            raise KeyError(number)
        return self._stored(*found[0])

    @property
    def loss(self) -> Message | None:
        """The sentence on games and competitions with lost lines, or None."""
        return lost_last(self.path, self.truncated_logs) if self.truncated_logs else None

    @property
    def path(self) -> Path:
        return self._file.path

    def games(self) -> tuple[tuple[int, str, str], ...]:
        """List the number, start time and rules of every game.

        Times are in ISO 8601; an unreadable value is "". Raises `JournalDamaged` if the file cannot be read at all."""
        return tuple((number, at, "".join(heading.split("\n")[1:2])) for number, at, heading in self._begun())

    def headings(self) -> Mapping[int, str]:
        """Return the headings of all games.

        The key is the number of the game. A heading that cannot be read is "". Raises `JournalDamaged`."""
        return {number: heading for number, _, heading in self._begun()}

    def _begun(self) -> Iterator[tuple[int, str, str]]:
        """Yield the number, start time and heading of every game.

        Each game has its own query, so a damaged page loses only one game. An unreadable value is ""."""
        for number in range(1, self.newest() + 1):
            try:
                found = self._file.read("SELECT at, heading FROM game WHERE id = ?", number)
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
        latest: StoredGame | None = None,
        left_out: Callable[[JournalDamaged], object] = lambda _: None,
    ) -> Match:
        """Read the match with this number.

        The heading `like` has the match's rules. Call `left_out` for each damaged game; do not read `latest` again."""
        match = Match(like.rules)
        for found in self._file.read("SELECT id, match, heading FROM game WHERE match = ? ORDER BY id", number):
            try:
                stored = latest if latest is not None and latest.id == found[0] else self._stored(*found)
                result = final_result(stored.game)
            except JournalDamaged as damaged:
                left_out(damaged)
            else:
                match = match if result is None else match.add(result)
        return match

    def next_match(self) -> int:
        """Return an unused match number. Raises `JournalDamaged` if the file cannot be read at all."""
        try:
            found = self._file.read(f"SELECT 1 + coalesce(max(match), 0) FROM game WHERE {_IS_MATCH}")
        except JournalDamaged:
            return self.newest() + 1
        return int(found[0][0])

    def games_of_no_event(self) -> int:
        """Count the games that belong to no competition. Raises `JournalDamaged`."""
        of_events = "SELECT count(*) FROM competition_game"
        found = self._file.read(of_events) if self._file.ask(schema.holds_competitions) else [(0,)]
        return self.newest() - int(found[0][0]) - self.event_games.count()

    def setting(self, name: str) -> str | None:
        """Read a setting; None for a missing or damaged one.

        A damaged setting is added to `rotten_settings`."""
        values = set()
        try:
            for table in ("setting", "setting_check") if self._file.ask(schema.holds_checks) else ("setting",):
                values.update(self._file.read(f"SELECT value FROM {table} WHERE name = ?", name))
        except JournalDamaged:
            values.add((None,))
        if len(values) > 1 or any(not isinstance(value, str) for (value,) in values):
            self.rotten_settings.add(name)
            return None
        return next((str(value) for (value,) in values), None)

    def write_settings(self, settings: Mapping[str, str]) -> None:
        """Write these settings. Raises `JournalAway`."""
        with self._file.transaction():
            self._file.db.executemany("INSERT OR REPLACE INTO setting VALUES (?, ?)", settings.items())
        self._file.fold()

    def try_to_write(self) -> None:
        """Write a page without changing any data, as a test. Raises `JournalAway`."""
        with self._file.transaction():
            self._file.db.execute(f"PRAGMA user_version = {schema.least_reader(self._file.db)}")

    def close(self) -> None:
        """Close the file and release the lock."""
        self._file.close()
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None

    def newest(self) -> int:
        """Return the number of the newest game, or 0. Raises `JournalDamaged`."""
        return self._file.ask(schema.newest_game)

    def _stored(self, number: int, match: object, heading_text: object) -> StoredGame:
        where = log_name("game", number)
        rows = self._file.read(schema.LINES, number)
        if not isinstance(heading_text, str):
            raise JournalDamaged(where, Message("journal.heading", "its heading is no text"))
        if not isinstance(match, int) or not 1 <= match <= _MATCHES_A_GAME * number:
            raise JournalDamaged(where, Message("journal.match", "its match cannot be {match}", match=repr(match)))
        try:
            heading = read_heading(heading_text)
            events = self._lines.read(number, heading, rows)
            game = played(Record(heading, events))
        except NotationError as wrong:
            raise JournalDamaged(where, line_damaged(wrong)) from wrong
        found = self._file.read(schema.PLAYED_FOR, number) if self._file.ask(schema.holds_competitions) else []
        self._check(number, match, len(game.log), found[0] if found else (None,) * 4)
        if not found:
            return StoredGame(number, match, heading, game, self.event_games.place(number))
        competition, *place = found[0]
        return StoredGame(number, match, heading, game, PlayedFor(self.competitions.uuid_of(competition), *place))

    def _check(self, number: int, match: int, lines: int, played_for: tuple[object, ...]) -> None:
        """Compare a game with its row in the check table. Raises `JournalDamaged`."""
        where = log_name("game", number)
        for found in self._file.read(schema.GAME_CHECK, number) if self._file.ask(schema.holds_checks) else ():
            checked_match, _, _, checked_lines, _, *checked_place = found
            if checked_lines != lines:
                raise JournalDamaged(where, lines_lost(checked_lines, lines))
            if (checked_match, checked_place) != (match, list(played_for)):
                changed = Message("journal.changed", "its match, or the event that it is played for, has changed")
                raise JournalDamaged(where, changed)

    def _number_of(self, event: UUID) -> int | None:
        """Find the number of this competition, or None. Raises `JournalAway`."""
        try:
            return self.competitions.number_of(event)
        except KeyError:
            return None
        except JournalDamaged as damaged:
            raise JournalHurt(damaged) from damaged
