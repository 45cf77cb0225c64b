"""Outcomes of games that are played for an event, on their way from a board to the organiser.

The end of such a game and its row in `outbox` are one transaction, so no outcome is lost on the way. The organiser
writes what it received in one transaction with the result, so an outcome counts once however often it comes. The
outcome itself is in no table: it is computed from the lines of its game, which the chain proves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from cribd.storage import schema
from cribd.storage.journal_file import JournalFile


@dataclass(frozen=True, slots=True)
class PlayedFor:
    """The competition that a game of the journal belongs to, with the numbers of round, table and game.

    All numbers start at 1."""

    event: UUID
    """The id of the competition on every machine."""
    round: int
    table: int
    game: int
    """Of the games of one meeting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a game of an event ended."""

    place: PlayedFor
    scores: tuple[int, ...]
    """By side, 0 to the game hole."""
    broken_off: bool
    record: str
    """The last link of the game's chain."""
    entrants: tuple[int, ...] = ()
    """The numbers of the two entrants who played, by side; () where they were not written."""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """An outcome and the board that hands it in: "" is the board of this machine."""

    outcome: Outcome
    board: str = ""

    @property
    def id(self) -> tuple[int, int, int, str, str]:
        """What it is known by in its competition: the place, the board, and the last link of the record."""
        place = self.outcome.place
        return place.round, place.table, place.game, self.board, self.outcome.record


class Entered(StrEnum):
    """How the desk answered an outcome."""

    ACCEPTED = "accepted"
    """The desk has this result, from the board or a slip; or, for a game broken off, any result that counts."""
    DISPUTED = "disputed"
    """The desk had another result: an official decides."""
    NOT_TAKEN = "not_taken"
    """The desk could not enter it: the players hand in a slip."""
    KEPT = "kept"
    """The board has written it, and the desk has not answered yet. The board hands it in again."""


class Outbox:
    """What this board hands in, in the journal's file."""

    def __init__(self, file: JournalFile) -> None:
        self._file = file

    def write(self, game: int) -> None:
        """Write, within the transaction that ends this game, that its outcome is to be handed in."""
        self._file.db.execute("INSERT INTO outbox VALUES (?)", (game,))

    def waiting(self) -> tuple[int, ...]:
        """List the games whose outcomes the desk has not answered, oldest first. Raises `JournalDamaged`."""
        if not self._file.read(schema.OUTBOX):
            return ()
        query = "SELECT game FROM outbox WHERE game NOT IN (SELECT game FROM outbox_answer) ORDER BY game"
        return tuple(game for (game,) in self._file.read(query))

    def settle(self, game: int, answer: Entered) -> None:
        """Write the answer of the desk to the outcome of this game. Raises `NotKept`."""
        with self._file.transaction():
            new = "WHERE NOT EXISTS (SELECT 1 FROM outbox_answer WHERE game = ?)"
            row = game, answer.value, self._file.now(), game
            self._file.db.execute(f"INSERT INTO outbox_answer SELECT ?, ?, ? {new}", row)

    def rehearse(self) -> None:
        """Write rows like the next ones, for the newest game and competition, within a transaction."""
        for row in (
            "outbox SELECT max(id) FROM game",
            "outbox_answer SELECT max(id), 'accepted', 'at' FROM game",
            "received SELECT max(id), 1, 1, 1, '', 'record', 'accepted', 'at' FROM competition",
        ):
            self._file.db.execute(f"INSERT INTO {row}")


class Received:
    """What the organiser received from boards, in the journal's file."""

    def __init__(self, file: JournalFile) -> None:
        self._file = file

    def answer(self, competition: int, handed_in: HandedIn) -> Entered | None:
        """The answer that this outcome got when it was received; None if it is new. Raises `JournalDamaged`.

        An answer that has rotted is NOT_TAKEN: a slip joins the result that is there."""
        if not self._file.read(schema.OUTBOX):
            return None
        query = (
            "SELECT answer FROM received WHERE competition = ? AND round = ? AND at_table = ? AND number = ? "
            "AND board = ? AND record = ?"
        )
        found = self._file.read(query, competition, *handed_in.id)
        if not found:
            return None
        return next((answer for answer in Entered if answer == found[0][0]), Entered.NOT_TAKEN)

    def write(self, competition: int, answers: Iterable[tuple[HandedIn, Entered]]) -> None:
        """Write outcomes with their answers, within the transaction that enters the results."""
        at = self._file.now()
        rows = [(competition, *handed_in.id, answer.value, at) for handed_in, answer in answers]
        self._file.db.executemany("INSERT INTO received VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
