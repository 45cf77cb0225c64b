"""The score log, which has one `ScoreEntry` for each settled score.

An entry is made when a claim is closed, never before (design law 9); on trust when the peg is released. Points that a
side gives back are an entry of their own, and an undo removes the entries of its act. So a side's entries add up to its
score, except for unanswered calls of a silent game. Each function returns the position with the log changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cribboard import events
from cribboard.cards import Card
from cribboard.event_terms import Ground, Occasion
from cribboard.position import ClaimWindow, Position, updated
from cribboard.rules import Way
from cribboard.score_entry import ScoreEntry, Settled


def judged(p: Position, claim: events.ClaimJudged, windows: Sequence[ClaimWindow], *, points: int = 0) -> Position:
    """Add an entry for a judged claim on these claim windows.

    The windows are closed now. `points` were already pegged for the claim."""
    of = next((o for o in windows if o.occasion in (Occasion.HAND, Occasion.CRIB)), None)
    cards = () if of is None else p.crib if of.occasion is Occasion.CRIB else p.hands[of.seat]
    seat = of.seat if of else windows[0].seat if windows else None
    return entered(p, claim.side, claim, points, seat=seat, cards=cards)


def given(p: Position, what: events.Awarded | events.ThreeForLast) -> Position:
    """Add an entry for points that a ruling or rule gives.

    `moved` enters the points later. Muggins points belong to the ruling."""
    match p.last:
        case (*_, events.MugginsRuled() as ruled) if isinstance(what, events.Awarded) and what.ground is Ground.MUGGINS:
            return entered(p, what.side, ruled, 0)
    return entered(p, what.side, what, 0)


def moved(p: Position, event: events.Pegged) -> Position:
    """Record a move of the front peg.

    It changes the last entry, or on trust adds an entry. In a silent game, `judged` makes the entry."""
    for before in reversed(p.last):
        match before:
            case events.ClaimJudged(side) | events.Awarded(side) | events.ThreeForLast(side) if side == event.side:
                return updated(
                    p, scores=(*p.scores[:-1], replace(p.scores[-1], points=event.points, score=event.score))
                )
            case events.Pegged() | events.PegReleased():
                break
    return entered(p, event.side, None, event.points) if p.way is Way.TRUST else p


def entered(
    p: Position, side: int, what: Settled | None, points: int, *, seat: int | None = None, cards: tuple[Card, ...] = ()
) -> Position:
    """Add an entry to the score log.

    The points are below 0 if the side had to give them back."""
    entry = ScoreEntry(
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
