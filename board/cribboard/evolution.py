"""Apply events to the position of a game (design law 2).

`evolve` never refuses and asks nothing. The same start and the same events always give an equal position. Each topic of
the game applies its own events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, get_args, get_type_hints

from cribboard.deal import (
    claim_verdicts,
    claims,
    cut_and_deal,
    end_of_game,
    false_go,
    go,
    laying_cards,
    misdeal,
    muggins,
    questions,
    show,
    starter,
    undo,
)
from cribboard.events import Event, Undone
from cribboard.position import Pegs, Position, updated
from cribboard.rules import Rules, Way

#: For each type of event, the function `evolve` of the topic that handles this type.
TOPICS: dict[type, Callable[[Position, Any], Position]] = {
    event_type: evolve_topic
    for evolve_topic in (
        undo.evolve,
        cut_and_deal.evolve,
        misdeal.evolve,
        starter.evolve,
        laying_cards.evolve,
        go.evolve,
        false_go.evolve,
        show.evolve,
        claims.evolve,
        claim_verdicts.evolve,
        muggins.evolve,
        questions.evolve,
        end_of_game.evolve,
    )
    for event_type in get_args(get_type_hints(evolve_topic)["event"])
}


def start(rules: Rules, way: Way, *, dealer: int | None = None) -> Position:
    """Make the position at the beginning of a new game.

    `dealer` is the seat that deals first, if it is known, as in a later game of a match. If `dealer` is None, the cut
    decides."""
    begun = Position(rules=rules, way=way, pegs=(Pegs(),) * rules.deal_and_play.teams)
    if dealer is None:
        return begun
    dealt = fold(begun, cut_and_deal.beginning_of_deal(begun, dealer))
    return updated(dealt, number=0, last=dealt.last[1:])


def fold(position: Position, events: Iterable[Event]) -> Position:
    """Apply `events` to the position, in order.

    An undo cannot go back before `position`."""
    history = [position]
    for event in events:
        history.append(step(history, event))
    return history[-1]


def step(history: list[Position], event: Event) -> Position:
    """Apply `event` to the last position, and return the new one.

    The position after event n is at index n of `history`. Only this function can apply an undo, because that goes back
    in the history."""
    return undo.undone(history, event) if isinstance(event, Undone) else evolve(history[-1], event)


def evolve(position: Position, event: Event) -> Position:
    """Apply `event` to the position."""
    changed = TOPICS[event.__class__](position, event)
    return updated(changed, number=position.number + 1, last=(*changed.last, event))
