"""How a call is closed: compared with the cards, set to the truth, and paid for where the rules want it.

A told game compares as soon as the peg is let go. A silent one pegs what was called, and compares when the other side
has answered it or nobody can any more: then, and not before, what was due is in an event (design law 9; rules
reference, section 4). Who may call, let go or challenge is the business of `cribboard.claims`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cribboard.actions import By
from cribboard.claim_value import ClaimValue, judge, no_single_point
from cribboard.decision import Ruling
from cribboard.events import (
    Awarded,
    Bar,
    ClaimAccepted,
    ClaimJudged,
    GameWon,
    Ground,
    Pegged,
    PegPutBack,
    PointsBarred,
    SetBack,
    Verdict,
)
from cribboard.openings import OF_SHOW, put
from cribboard.position import Opening, Pegs, PegState, Position, Standing
from cribboard.rules import Option, OverClaim

if TYPE_CHECKING:  # the same, but the type checker knows the fields
    from dataclasses import replace as updated
else:
    from cribboard.position import updated

GROUNDS = {
    Verdict.EXACT: Ground.COUNT,
    Verdict.TOO_MANY: Ground.OVER_CLAIM,
    Verdict.TOO_FEW: Ground.UNDER_CLAIM,
    Verdict.UNVERIFIED: Ground.UNREAD,
}


def peg(ruling: Ruling, side: int, points: int) -> None:
    """The front peg moves. Whether that wins the game is `win`'s to say."""
    if points:
        ruling.add(Pegged(side, points, ruling.position.pegs[side].front + points))


def win(ruling: Ruling, side: int) -> None:
    """The game is won if this side stands in the game hole. What was not judged until then is judged for the record."""
    p = ruling.position
    if not p.left_to_go(side) and not ruling.won():
        close(ruling, p.rules.sides)
        ruling.add(GameWon(side))


def tell(ruling: Ruling, side: int, openings: tuple[Opening, ...], called: int, at_least: int) -> int:
    """Judge a call and say so. The points that are pegged for it in a told game."""
    said = judge(ruling.position, side, openings, called, at_least=at_least)
    _say(ruling, side, openings, called, said)
    return said.pegs


def close(ruling: Ruling, sides: Iterable[int]) -> None:
    """What these sides have called and nobody has judged yet is judged; the pegs stay where they are."""
    among = set(sides)
    for standing in ruling.position.standing:
        if standing.side in among:
            compare(ruling, standing)


def close_window(ruling: Ruling, side: int, covers: tuple[Opening, ...]) -> None:
    """This side lets go of its peg again: what it called before can no more be mugged, and with the first hand nobody's
    calls in the play can (rules reference, section 4: the window)."""
    first_hand = any(opening.occasion in OF_SHOW for opening in covers)
    close(ruling, ruling.position.rules.sides if first_hand else (side,))


def compare(ruling: Ruling, standing: Standing) -> ClaimValue:
    """Judge a call that stands, and say so."""
    said = weigh(ruling.position, standing)
    _say(ruling, standing.side, standing.openings, standing.called, said)
    return said


def weigh(p: Position, standing: Standing) -> ClaimValue:
    """What a call that stands comes to, from where the pegs stood before it."""
    whole = len(standing.openings)
    return judge(_as_of(p, standing), standing.side, standing.openings, standing.called, at_least=whole)


def accepted(ruling: Ruling, by: By) -> None:
    """The claim is accepted: it stands as it was called. In the play muggins may still be called on it where only the
    next card, or the next claim, has accepted it."""
    claim = ruling.position.claim
    if claim is None:
        return
    ruling.add(ClaimAccepted(claim.side, by))
    p = ruling.position
    if not p.silent:
        return
    of_play = not any(o.occasion in OF_SHOW for each in _standing(p, claim.side) for o in each.openings)
    if not (p.rules.claims.muggins is Option.ON and of_play and by in (By.NEXT_CARD, By.NEXT_COUNT)):
        close(ruling, (claim.side,))
    win(ruling, claim.side)


def too_much(ruling: Ruling, by: int) -> None:
    """A challenged claim of a silent game: what was called too many comes back, and costs what the rules say."""
    claim = ruling.position.claim
    assert claim is not None
    side = claim.side
    standing = _standing(ruling.position, side)[-1]
    claims_game = ruling.position.game_claimed == side
    said = compare(ruling, standing)
    if said.verdict is Verdict.TOO_MANY:
        before, rules = standing.before, ruling.position.rules.claims
        back = before.front if said.pegs else before.back
        front = ruling.position.pegs[side].front - (standing.called - said.pegs)  # it may have been given points since
        ruling.add(SetBack(side, front, min(back, front), Ground.OVER_CLAIM))
        if rules.over_claim is OverClaim.AWARD_EXCESS:
            award(ruling, by, standing.called - said.pegs, Ground.OVER_CLAIM)
        if claims_game and rules.false_game_penalty and not ruling.won():
            front = max(0, ruling.position.pegs[side].front - rules.false_game_penalty)
            ruling.add(SetBack(side, front, min(back, front), Ground.FALSE_GAME))
    if not ruling.won():
        ruling.add(ClaimAccepted(side, By.CHALLENGE))
        win(ruling, side)


def award(ruling: Ruling, side: int, points: int, ground: Ground) -> None:
    """Points that the side did not make, within the holes that are left to it."""
    points = min(points, ruling.position.left_to_go(side))
    claim = ruling.position.claim
    if points and claim is not None and claim.side == side and claim.state is PegState.IN_HAND:
        ruling.add(PegPutBack(side))  # it was lifted so far from another hole
    p = ruling.position
    if points == 1 < p.left_to_go(side) and no_single_point(p, p.pegs[side].front):
        ruling.add(PointsBarred(side, points, Bar.SINGLE_POINT))
        return
    if points:
        ruling.add(Awarded(side, points, ground))
        peg(ruling, side, points)
        win(ruling, side)


def _standing(p: Position, side: int) -> tuple[Standing, ...]:
    return tuple(each for each in p.standing if each.side == side)


def _as_of(p: Position, standing: Standing) -> Position:
    """The position with the pegs of the side as they stood before its call."""
    pegs: tuple[Pegs, ...] = put(p.pegs, standing.side, standing.before)
    return updated(p, pegs=pegs)


def _say(ruling: Ruling, side: int, openings: tuple[Opening, ...], called: int, said: ClaimValue) -> None:
    closes = tuple(opening.occasion for opening in openings[: said.closes])
    ground = GROUNDS[said.verdict]
    ruling.add(ClaimJudged(side, closes, said.verdict, called, said.due, said.combinations, ground))
    for move in said.moves:
        if move.bar is not None:
            ruling.add(PointsBarred(side, move.barred, move.bar))
