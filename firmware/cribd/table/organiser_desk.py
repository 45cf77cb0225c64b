"""The interface between a table and the organiser's desk.

The table gets the game that it must play next, and hands in the outcome. The table knows no competition: `Table.offer`
sets what is due and what the desk says, and an outcome goes to `Desk`, which the daemon connects. The outcome waits in
the journal's outbox from the end of the game until the desk has answered (design law 5).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from cribboard.rules import Rules
from cribd.storage.outbox import Outcome, OutcomeStatus, PlayedFor


@dataclass(frozen=True, slots=True)
class Meeting:
    """The meeting of entrants to which a game belongs."""

    games: int = 0
    """How many are played, of a match at most; 0 if that is not known."""
    needed: int = 0
    """How many games won decide a match; 0 if it is none."""
    wins: tuple[int, ...] = (0, 0)
    """Of a match: the games won before this one, by side."""
    skunk_wins: int = 1
    """How many games a win with a skunk is worth in a match."""


#: The meeting for an organiser of an older release, which does not describe meetings.
UNKNOWN_MEETING = Meeting()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventGame:
    """A game of a competition that is due at this table."""

    place: PlayedFor
    names: tuple[str, ...]
    rules: Rules
    entrants: tuple[int, ...] = ()
    """The numbers of its entrants, by side; the pairing names side 0 first."""
    club: str = ""
    """The club whose hub organises the event; "" for this machine."""
    captains: tuple[str, ...] = ()
    """The captains, by side, who alone may call an official; empty if anybody may."""
    is_play_off: bool = False
    meeting: Meeting = UNKNOWN_MEETING
    is_sealed: bool = False
    """Whether its result must not be shown once the next game begins (design law 10)."""


@dataclass(frozen=True, slots=True)
class WaitsForRound:
    """The state of a table that waits for the next round."""

    table: int
    """The table of the hall, from 1."""
    round: int
    """The round that starts next, from 1."""
    moves: tuple[tuple[str, int | None], ...] = ()
    """Who sat at this table in the round before, and at which table each sits next, once that is drawn.

    None: at no table, since it has a bye or waits."""


@dataclass(frozen=True, slots=True)
class TakenGame:
    """A game that the desk takes away from its board."""

    place: PlayedFor
    ends: bool
    """Whether it ends as it stands; else it goes on without a board, and its result comes by slip."""


@dataclass(frozen=True, slots=True)
class DeskSays:
    """The messages of the organiser's desk to one table."""

    is_paused: bool = False
    word: str = ""
    """A word for its screen, which OK closes; "" if there is none."""
    word_number: int = 0
    """Another one for each word: two rulings may be alike."""
    rehearsal: int = 0
    """The number of the rehearsal that OK confirms; 0 if there is none."""
    has_ruled: bool = False
    """Whether the desk has answered the call for an official that is open at this table."""
    takes: tuple[TakenGame, ...] = ()
    """The games that the desk takes from this table, if they were begun here."""


#: What an event has for the table: a game that is due, or the round that it waits for; None outside an event.
Due = EventGame | WaitsForRound | None


#: What the desk says outside an event.
NOTHING_SAID = DeskSays()


class Offer(Protocol):
    """A callback that gives a table its due game and messages."""

    def __call__(self, due: Due, says: DeskSays = ..., /) -> None:
        """Send the due game and the desk's messages to the table."""


class Desk(Protocol):
    """The interface through which a table calls the organiser's desk."""

    def connect(self, offer: Offer, answer: Callable[[Outcome, OutcomeStatus], None]) -> None:
        """Connect the table to the desk.

        From now on, the desk passes the due game and its messages to `offer`, and each late answer to `answer`."""

    async def hand_in(self, game: int, outcome: Outcome) -> OutcomeStatus:
        """Hand in an outcome, and return the desk's answer.

        `KEPT` if there is no answer yet. The outcome is in the outbox, and is handed in again until there is one."""

    async def call_official(self, place: PlayedFor, side: int) -> None:
        """Report that a side calls or awaits an official.

        If the desk cannot, the players go there."""

    async def official_came(self, place: PlayedFor, side: int) -> None:
        """Report that the official whom this side called has come.

        The desk may have recorded it already."""
