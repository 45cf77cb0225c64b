"""Apply events to the position (design law 2).

`evolve` never refuses and asks nothing. The same start and the same events always give an equal position. Each topic of
the game has a table of handlers, one for each type of event; here they are put together.
"""

from __future__ import annotations

from collections.abc import Iterable

from cribboard.deal import (
    claim_verdicts,
    claims,
    cut_and_deal,
    end_of_game,
    false_go,
    go,
    laying_cards,
    muggins,
    questions,
    show,
    starter,
    undo,
)
from cribboard.events import Event, Undone
from cribboard.position import Handlers, Pegs, Position, updated
from cribboard.rules import Rules, Way

#: The handler of each type of event.
HANDLERS: Handlers = {
    **undo.HANDLERS,
    **cut_and_deal.HANDLERS,
    **starter.HANDLERS,
    **laying_cards.HANDLERS,
    **go.HANDLERS,
    **false_go.HANDLERS,
    **show.HANDLERS,
    **claims.HANDLERS,
    **claim_verdicts.HANDLERS,
    **muggins.HANDLERS,
    **questions.HANDLERS,
    **end_of_game.HANDLERS,
}


def start(rules: Rules, way: Way, *, dealer: int | None = None) -> Position:
    """Begin a new game. `dealer` is None if the cut decides, and a seat in a later game of a match."""
    begun = Position(rules=rules, way=way, pegs=(Pegs(),) * rules.deal_and_play.teams)
    if dealer is None:
        return begun
    dealt = fold(begun, cut_and_deal.beginning_of_deal(begun, dealer))
    return updated(dealt, number=0, last=dealt.last[1:])


def fold(position: Position, events: Iterable[Event]) -> Position:
    """Apply `events` to the position, in order. An undo goes back to `position` at most."""
    history = [position]
    for event in events:
        history.append(step(history, event))
    return history[-1]


def step(history: list[Position], event: Event) -> Position:
    """Apply `event` to the last position of `history`, which has the position after each event, by number. Only
    this function can apply an undo, because that goes back in the history."""
    return undo.undone(history, event) if isinstance(event, Undone) else evolve(history[-1], event)


def evolve(position: Position, event: Event) -> Position:
    """Apply `event` to the position."""
    changed = HANDLERS[event.__class__](position, event)
    return updated(changed, number=position.number + 1, last=(*changed.last, event))
