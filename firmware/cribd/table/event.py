"""The table in an event: the game that it must play next, and how its outcome reaches the organiser's desk.

The table knows no competition: `Table.offer` sets what is due, and an outcome goes to `Desk`, which the daemon
connects. The game's last events and the event's result are written in one transaction, or the game's alone where the
desk does not take the result (design law 5).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from cribboard.rules import Rules
from cribd.storage.competitions import CompetitionAct, PlayedFor


@dataclass(frozen=True, slots=True, kw_only=True)
class EventGame:
    """A game of an event that is due at this table. Its sides stand in the order of the pairing."""

    place: PlayedFor
    names: tuple[str, ...]
    rules: Rules
    captains: tuple[str, ...] = ()
    """The captains, by side, who alone may call an official; empty if anybody may."""
    is_play_off: bool = False
    is_sealed: bool = False
    """Whether its result must not be shown once the next game begins (design law 10)."""


@dataclass(frozen=True, slots=True)
class WaitsForRound:
    """An event in progress that has no game for this table at present."""

    table: int
    """The table of the hall, from 1."""
    round: int
    """The round that starts next, from 1."""


#: What an event has for the table: a game that is due, or the round that it waits for; None outside an event.
Due = EventGame | WaitsForRound | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a game of an event ended."""

    place: PlayedFor
    scores: tuple[int, ...]
    """By side, 0 to the game hole."""
    broken_off: bool
    record: str
    """The last link of the game's chain."""


class Entered(StrEnum):
    """How the desk answered an outcome."""

    ACCEPTED = "accepted"
    """The desk has this result, from the board or a slip; or, for a game broken off, any result that counts."""
    DISPUTED = "disputed"
    """The desk had another result: an official decides."""
    NOT_TAKEN = "not_taken"
    """The desk could not enter it: the players hand in a slip."""


class Desk(Protocol):
    """The interface of the organiser's desk that a table uses."""

    def connect(self, offer: Callable[[Due], None]) -> None:
        """Pass every change of what is due at this table to `offer`."""

    async def enter(self, outcome: Outcome, write: Callable[[CompetitionAct | None], None]) -> Entered:
        """Enter an outcome.

        `write` writes the end of the game, and an act of the competition if there is one, in a thread. It is called
        once, even if the desk refuses the outcome. Raises `NotKept`."""

    async def call_official(self, place: PlayedFor, side: int) -> None:
        """Record that a side of this game calls an official, or waits for one.

        If the desk cannot, the players go there."""

    async def official_came(self, place: PlayedFor, side: int) -> None:
        """Record that the official called by this side is at the table. The desk may know it already."""
