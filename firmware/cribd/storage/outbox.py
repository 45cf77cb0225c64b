"""The outcomes that a board hands in to the organiser.

The end of a game of an event and its row in `outbox` are one transaction, so no outcome is lost on the way. The
organiser writes what it received in one transaction with the result, so an outcome counts once however often it comes.
The outcome itself is in no table: it is computed from the lines of its game, which the chain proves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from cribd.storage import schema
from cribd.storage.journal_file import JournalFile


@dataclass(frozen=True, slots=True)
class PlayedFor:
    """Where a game belongs in a competition.

    All numbers start at 1."""

    event: UUID
    """The id of the competition on every machine."""
    round: int
    table: int
    game: int
    """Of the games of one meeting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a game of a competition ended."""

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
    """An outcome, as a board hands it in."""

    outcome: Outcome
    board: str = ""
    """The key of the board; "" for the board of this machine."""
    sequence: int = 0
    """Its number among the outcomes of this board, from 1."""
    signature: bytes = b""

    @property
    def id(self) -> tuple[int, int, int, str, str]:
        """The key of the outcome in its competition."""
        place = self.outcome.place
        return place.round, place.table, place.game, self.board, self.outcome.record


class OutcomeStatus(StrEnum):
    """The desk's answer to an outcome."""

    ACCEPTED = "accepted"
    """The desk has this result, from the board or a slip; or, for a game broken off, any result that counts."""
    DISPUTED = "disputed"
    """The desk had another result: an official decides."""
    NOT_TAKEN = "not_taken"
    """The desk could not enter it: the players hand in a slip."""
    KEPT = "kept"
    """The board has written it, and the desk has not answered yet. The board hands it in again."""


#: The answers to outcomes that were not entered.
UNENTERED = (OutcomeStatus.DISPUTED, OutcomeStatus.NOT_TAKEN)


class Outbox:
    """The outcomes of this board, with the desk's answers."""

    def __init__(self, file: JournalFile) -> None:
        self._file = file

    def write(self, game: int) -> None:
        """Add a game's outcome, within the transaction that ends the game."""
        self._file.db.execute("INSERT INTO outbox VALUES (?)", (game,))

    def write_entrants(self, game: int, entrants: Sequence[int], club: str) -> None:
        """Store the game's entrants, within the transaction that begins the game."""
        if club or self._has_clubs:  # the tables may be older while a new release is on trial
            row = game, club, " ".join(map(str, entrants))
            self._file.db.execute("INSERT INTO event_entrants VALUES (?, ?, ?)", row)

    def entrants(self, game: int) -> tuple[int, ...]:
        """Return the numbers of the game's entrants, or (). Raises `JournalDamaged`."""
        found = self._file.read("SELECT entrants FROM event_entrants WHERE game = ?", game) if self._has_clubs else []
        words = str(found[0][0]).split() if found else []
        return tuple(map(int, words)) if all(word.isdecimal() and word.isascii() for word in words) else ()

    def waiting(self, club: str = "") -> tuple[int, ...]:
        """List the games that the club's desk has not answered yet.

        The oldest is first. The club "" stands for the desk of this machine. Raises `JournalDamaged`."""
        if not self._file.read(schema.OUTBOX):
            return ()
        query = "SELECT game FROM outbox WHERE game NOT IN (SELECT game FROM outbox_answer) ORDER BY game"
        clubs = self._clubs()
        return tuple(game for (game,) in self._file.read(query) if clubs.get(game, "") == club)

    def unentered(self) -> tuple[tuple[int, OutcomeStatus], ...]:
        """List the outcomes that this machine's desk did not enter.

        Each is the game with the desk's answer, the oldest first. Raises `JournalDamaged`."""
        if not self._file.read(schema.OUTBOX):
            return ()
        found = self._file.read(
            "SELECT game, answer FROM outbox_answer WHERE answer IN (?, ?) ORDER BY game", *UNENTERED
        )
        clubs = self._clubs()
        return tuple((game, OutcomeStatus(answer)) for game, answer in found if not clubs.get(game, ""))

    def _clubs(self) -> dict[int, str]:
        """Map each game of a competition to the competition's club. Raises `JournalDamaged`."""
        return dict(self._file.read("SELECT game, club FROM event_entrants")) if self._has_clubs else {}

    def of_club(self, club: str) -> tuple[tuple[int, str], ...]:
        """List the games with an outcome for this club.

        Each has the last hash of its record. The oldest is first. Raises `JournalDamaged`."""
        query = (
            "SELECT game, (SELECT chain FROM line WHERE line.game = outbox.game ORDER BY number DESC LIMIT 1) "
            "FROM outbox JOIN event_entrants USING (game) WHERE club = ? ORDER BY game"
        )
        return tuple(self._file.read(query, club)) if self._has_clubs else ()

    @property
    def _has_clubs(self) -> bool:
        return bool(self._file.read(schema.CLUB))

    def store_answer(self, game: int, answer: OutcomeStatus) -> None:
        """Store the desk's answer, if there is none yet. Raises `JournalAway`."""
        with self._file.transaction():
            new = "WHERE NOT EXISTS (SELECT 1 FROM outbox_answer WHERE game = ?)"
            row = game, answer.value, self._file.now(), game
            self._file.db.execute(f"INSERT INTO outbox_answer SELECT ?, ?, ? {new}", row)

    def rehearse(self) -> None:
        """Test, within a transaction, whether outcomes can be written."""
        for row in (
            "outbox SELECT max(id) FROM game",
            "outbox_answer SELECT max(id), 'accepted', 'at' FROM game",
            "received SELECT max(id), 1, 1, 1, '', 'record', 'accepted', 'at' FROM competition",
            "event_entrants SELECT max(id), '', '1 2' FROM game",
            "signed_outcome VALUES ('', '', 1, '', 1, 1, 1, '', 0, '', x'', '')",
            "game_record VALUES ('', '', 1, zeroblob(8192), '', '')",
        ):
            self._file.db.execute(f"INSERT INTO {row}")
