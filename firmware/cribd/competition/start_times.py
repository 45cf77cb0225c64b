"""Find when the games under way began, from the times of the log's lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cribboard.competition.events import CompetitionActUndone, Event, RoundStarted
from cribboard.competition.terms import GameAt


def standing(log: Sequence[Event]) -> Iterator[int]:
    """Yield the indices of the events that were not undone, the last one first."""
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


def began(log: Sequence[Event], times: Sequence[str], started: Sequence[int]) -> dict[GameAt | int, str]:
    """Find start times: of a game that follows a result, by game, and of each round in `started`, by its number."""
    found: dict[GameAt | int, str] = {}
    indices = [*standing(log)][::-1]
    starts = [times[index] for index in indices if isinstance(log[index], RoundStarted)]
    found.update(zip(started, starts, strict=False))
    for index in indices:
        at = getattr(log[index], "at", None)
        if isinstance(at, GameAt):
            found.setdefault(GameAt(at.round, at.table, at.game + 1), times[index])
    return found
