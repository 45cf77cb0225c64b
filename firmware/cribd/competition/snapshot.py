"""The snapshot of a competition.

It holds views and no position (design law 9). Fields other than `hall` are only for the organiser: the number of events
would reveal how many games a sealed match took.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from cribboard.competition.events import CompetitionActUndone, CompetitionEvent, RoundStarted
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.terms import CompetitionPhase, GameAt
from cribboard.competition.view import CompetitionView
from cribd.competition.refusals import RefusedRequest


@dataclass(frozen=True, slots=True)
class CompetitionSnapshot:
    """A competition at one moment, for the hall and the organiser."""

    number: int  # in the journal
    uuid: UUID  # on every machine
    heading: CompetitionHeading
    hall: CompetitionView
    organiser: CompetitionView
    log: tuple[CompetitionEvent, ...]  # every event, undone ones included
    times: tuple[str, ...]  # when each was written, in ISO 8601
    since: tuple[tuple[GameAt, str], ...]  # the games that are outstanding, the oldest first, and when each began
    round_since: str  # when the games of the current round began; "" before that


@dataclass(frozen=True, slots=True)
class DamagedCompetition:
    """The current competition cannot be read."""

    number: int
    reason: str


State = CompetitionSnapshot | DamagedCompetition | None
"""None: no competition was ever begun."""


def current_of(state: State) -> CompetitionSnapshot:
    """Return the snapshot of the current competition. Raises `RefusedRequest` if there is none."""
    if not isinstance(state, CompetitionSnapshot):
        raise RefusedRequest("no_competition")
    return state


@dataclass(frozen=True, slots=True)
class ListedCompetition:
    """An entry in the list of all competitions."""

    number: int
    at: str  # when it was begun, in ISO 8601; "" where that cannot be read
    heading: CompetitionHeading | None  # None where it cannot be read
    phase: CompetitionPhase | None  # None where the competition is damaged


def standing(log: Sequence[CompetitionEvent]) -> Iterator[int]:
    """Yield the indices of all events that are not undone.

    The last one is first. Undos are left out too."""
    before = [0] * (len(log) + 1)  # by event number: the number of the standing event below it
    last = [0] * (len(log) + 1)  # by event number: the number of the last event that stands after it
    for number, event in enumerate(log, start=1):
        if isinstance(event, CompetitionActUndone):
            last[number] = last[event.to]
        else:
            before[number], last[number] = last[number - 1], number
    number = last[len(log)]
    while number:
        yield number - 1
        number = before[number]


def began(log: Sequence[CompetitionEvent], started: Sequence[int]) -> dict[GameAt | int, int]:
    """Find the event that began each round and each game.

    The first game of two entrants in a round begins with the round, and has no entry of its own.

    `started` are the numbers of the started rounds. The keys are games, and numbers of rounds; the values are places in
    the log."""
    found: dict[GameAt | int, int] = {}
    indices = [*standing(log)][::-1]
    starts = [index for index in indices if isinstance(log[index], RoundStarted)]
    found.update(zip(started, starts, strict=False))
    for index in indices:
        at = getattr(log[index], "at", None)
        if isinstance(at, GameAt):
            found.setdefault(GameAt(at.round, at.table, at.game + 1), index)
    return found
