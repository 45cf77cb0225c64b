"""What each side has scored, entry by entry: for what it was, and how far the peg moved.

An entry is made when a claim is closed, never before (design law 9); where a table trusts, when the peg is let go.
What comes back comes back as an entry of its own, and what is undone is gone with its entry. So the points of a side
add up to where its front peg stands, but for calls of a silent game that nobody has answered yet. Like all of evolution
it never refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cribboard.cards import Card
from cribboard.events import (
    Awarded,
    ClaimJudged,
    Ground,
    MugginsRuled,
    Occasion,
    PassTakenBack,
    Pegged,
    PegReleased,
    SetBack,
    ThreeForLast,
)
from cribboard.position import Opening, Position
from cribboard.rules import Way
from cribboard.score_entry import Scored

if TYPE_CHECKING:  # the same, but the type checker knows the fields
    from dataclasses import replace as updated
else:
    from cribboard.position import updated


def judged(p: Position, claim: ClaimJudged, openings: Sequence[Opening], *, points: int = 0) -> Position:
    """A claim is closed that was on these openings; so many `points` were pegged for it before."""
    of = next((o for o in openings if o.occasion in (Occasion.HAND, Occasion.CRIB)), None)
    cards = () if of is None else p.crib if of.occasion is Occasion.CRIB else p.hands[of.seat]
    seat = of.seat if of else openings[0].seat if openings else None
    return _added(p, claim.side, claim, points, seat=seat, cards=cards)


def given(p: Position, what: Awarded | ThreeForLast) -> Position:
    """Points that are nobody's claim; they are pegged next. Those of muggins are for what was ruled just before."""
    match p.last:
        case (*_, MugginsRuled() as ruled) if isinstance(what, Awarded) and what.ground is Ground.MUGGINS:
            return _added(p, what.side, ruled, 0)
    return _added(p, what.side, what, 0)


def moved(p: Position, event: Pegged) -> Position:
    """The peg moves: for what was judged or given just now, or as a table that trusts believes. What a silent game pegs
    is no entry before it is judged."""
    for before in reversed(p.last):
        match before:
            case ClaimJudged(side) | Awarded(side) | ThreeForLast(side) if side == event.side:
                return updated(
                    p, scores=(*p.scores[:-1], replace(p.scores[-1], points=event.points, score=event.score))
                )
            case Pegged() | PegReleased():
                break
    return _added(p, event.side, None, event.points) if p.way is Way.TRUST else p


def came_back(p: Position, side: int, what: SetBack | PassTakenBack, points: int) -> Position:
    """So many points of the side are taken back."""
    return _added(p, side, what, -points)


def _added(
    p: Position,
    side: int,
    what: ClaimJudged | MugginsRuled | Awarded | ThreeForLast | SetBack | PassTakenBack | None,
    points: int,
    *,
    seat: int | None = None,
    cards: tuple[Card, ...] = (),
) -> Position:
    entry = Scored(
        number=p.number + 1,
        deal=p.deal,
        side=side,
        seat=seat,
        what=what,
        points=points,
        score=p.pegs[side].front,
        cards=cards,
        starter=p.starter if cards else None,
    )
    return updated(p, scores=(*p.scores, entry))
