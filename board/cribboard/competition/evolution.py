"""Apply events to the position (design law 2). `evolve` refuses nothing and checks nothing.

Each topic has a table of handlers, one for each type of event; here they are put together. An undo reaches back to an
earlier position, so it needs the history: `step` is the one place where it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from cribboard.competition import entrants, medals, results, rounds
from cribboard.competition.events import CompetitionActUndone, Event
from cribboard.competition.formats import Format
from cribboard.competition.position import CompetitionPosition

#: The handler of each type of event.
HANDLERS: Mapping[type, Callable[[CompetitionPosition, Any], CompetitionPosition]] = MappingProxyType(
    {kind: handler for topic in (entrants, rounds, results, medals) for kind, handler in topic.HANDLERS.items()}
)


def start(form: Format, *, tables: int = 0) -> CompetitionPosition:
    """Make the position of a new competition. Tables may be set later."""
    return CompetitionPosition(format=form, tables=tables, games=form.games, missing=form.missing)


def fold(position: CompetitionPosition, events: Iterable[Event]) -> CompetitionPosition:
    """Apply all `events` to a position. An undo cannot go back before `position`."""
    history = [position]
    for event in events:
        history.append(step(history, event))
    return history[-1]


def step(history: Sequence[CompetitionPosition], event: Event) -> CompetitionPosition:
    """Apply `event` to the last position of `history`, in which the index is the event number."""
    if isinstance(event, CompetitionActUndone):
        return replace(history[event.to], number=len(history))
    return evolve(history[-1], event)


def evolve(position: CompetitionPosition, event: Event) -> CompetitionPosition:
    """Apply one event to the position."""
    changed = HANDLERS[event.__class__](position, event)
    return replace(changed, number=position.number + 1, undo_to=position.number)
