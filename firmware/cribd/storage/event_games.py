"""Stores this board's games in competitions that other machines run.

Whether such a game is sealed is written before its first card, since the organiser may be out of reach later. The seal
ends when the organiser says that the event is open. What is unknown stays sealed (design law 10).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from uuid import UUID

from cribboard.validation import Message
from cribd.storage import schema
from cribd.storage.journal_file import JournalDamaged, JournalFile
from cribd.storage.log_lengths import log_name
from cribd.storage.outbox import PlayedFor

#: The events of the games that this query selects, each with its seal, from the rows and from their checks.
_EVENTS = "SELECT event, is_sealed FROM event_game {where} UNION SELECT event, is_sealed FROM event_game_check {where}"
_OPENED = "SELECT 1 FROM opened_event WHERE event = ?"


class EventGames:
    """This board's games in competitions that other machines run."""

    def __init__(self, file: JournalFile) -> None:
        self._file = file

    def write(self, game: int, place: PlayedFor, *, is_sealed: bool) -> None:
        """Store that a game belongs to a competition.

        Call this in the transaction that begins the game. From the first such game on, no older version may read the
        file: it would show sealed games."""
        row = game, str(place.event), place.round, place.table, place.game, is_sealed
        self._file.db.execute("INSERT INTO event_game VALUES (?, ?, ?, ?, ?, ?)", row)
        self._file.db.execute(f"PRAGMA user_version = {schema.LEAST_READER_OF_EVENT_GAMES}")

    def place(self, game: int) -> PlayedFor | None:
        """Read the competition, round, table and number of this game.

        None if the game belongs to no such competition. Raises `JournalDamaged`."""
        if not self._file.read(schema.EVENT_GAMES):
            return None
        query = "SELECT event, round, at_table, number, is_sealed FROM {} WHERE game = ?"
        row, check = (self._file.read(query.format(table), game) for table in ("event_game", "event_game_check"))
        if not row and not check:
            return None
        with suppress(ValueError, TypeError, AttributeError):
            if row == check:
                event, round_, table, number, _ = row[0]
                return PlayedFor(UUID(event), round_, table, number)
        changed = Message("journal.changed", "its match, or the event that it is played for, has changed")
        raise JournalDamaged(log_name("game", game), changed)

    def has(self, place: PlayedFor) -> bool:
        """Whether this board has begun the game at `place`. Raises `JournalDamaged`."""
        if not self._file.read(schema.EVENT_GAMES):
            return False
        query = "SELECT 1 FROM event_game WHERE event = ? AND round = ? AND at_table = ? AND number = ?"
        return bool(self._file.read(query, str(place.event), place.round, place.table, place.game))

    def count(self) -> int:
        """Count the games in competitions that other machines run. Raises `JournalDamaged`."""
        if not self._file.read(schema.EVENT_GAMES):
            return 0
        return int(self._file.read("SELECT count(*) FROM event_game")[0][0])

    def set_open(self, event: UUID, *, is_open: bool) -> None:
        """Store whether the results of this competition are open. Raises `JournalAway`."""
        with self._file.transaction():
            self._file.db.execute("DELETE FROM opened_event WHERE event = ?", (str(event),))
            if is_open:
                row = str(event), self._file.now()
                self._file.db.execute("INSERT INTO opened_event VALUES (?, ?)", row)


def sealed_events(db: sqlite3.Connection, game: int | None = None) -> Iterator[str]:
    """Yield the ids of other machines' sealed competitions.

    With `game`, yield only the event of this game. Raises `UNREADABLE`."""
    if db.execute(schema.EVENT_GAMES).fetchone() is None:
        return
    values = () if game is None else (game, game)
    for event, is_sealed in db.execute(_EVENTS.format(where="" if game is None else "WHERE game = ?"), values):
        if is_sealed != 0 and db.execute(_OPENED, (event,)).fetchone() is None:
            yield str(event)
