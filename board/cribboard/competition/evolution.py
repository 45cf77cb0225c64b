"""Apply events to the position of a competition (design law 2).

Each topic applies its own events. An undo reaches back to an earlier position, so it needs the history: only `step`
applies one. Nothing is refused or checked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cribboard.competition import entrants, medals, results, rounds
from cribboard.competition.events import CompetitionActUndone, CompetitionEvent, EntrantEvent, ResultEvent, RoundEvent
from cribboard.competition.position import CompetitionPosition


def fold(position: CompetitionPosition, events: Iterable[CompetitionEvent]) -> CompetitionPosition:
    """Apply all `events` to a position, in order.

    If an undo is among the events, `position` must be the one at the start of the log."""
    history = [position]
    for event in events:
        history.append(step(history, event))
    return history[-1]


def step(history: Sequence[CompetitionPosition], event: CompetitionEvent) -> CompetitionPosition:
    """Apply `event` to the last position of `history`.

    The index of a position in `history` is the number of its last event."""
    p = history[-1]
    if isinstance(event, CompetitionActUndone):
        return replace(history[event.to], number=len(history))
    if isinstance(event, EntrantEvent):
        changed = entrants.evolve(p, event)
    elif isinstance(event, RoundEvent):
        changed = rounds.evolve(p, event)
    elif isinstance(event, ResultEvent):
        changed = results.evolve(p, event)
    else:
        changed = medals.evolve(p, event)
    return replace(changed, number=p.number + 1, undo_to=p.number)
