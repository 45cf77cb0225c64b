"""Judge calls, peg the right points and add penalties.

A call is compared when its peg is released. A silent game first pegs what was called, and compares it when the other
side has answered, or can no longer answer: only then is what was due in an event (design law 9; rules reference,
section 4). `cribboard.deal.claims` decides who may call, release or challenge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from cribboard import events
from cribboard.actions import By
from cribboard.deal import claim_windows, rule_of_116, score_log
from cribboard.deal.claim_comparison import ClaimComparison, compare_claim
from cribboard.deal.decision import Decision
from cribboard.event_terms import OF_SHOW, Bar, Ground, Verdict
from cribboard.position import ClaimWindow, Pegs, PegState, Position, UnjudgedCall, put, updated
from cribboard.rules import Option, OverClaim

#: The rule that each verdict on a claim rests on.
GROUNDS: Mapping[Verdict, Ground] = MappingProxyType(
    {
        Verdict.EXACT: Ground.COUNT,
        Verdict.TOO_MANY: Ground.OVER_CLAIM,
        Verdict.TOO_FEW: Ground.UNDER_CLAIM,
        Verdict.UNVERIFIED: Ground.UNREAD,
        Verdict.OUT_OF_TURN: Ground.ORDER,
        Verdict.TOO_LATE: Ground.LATE_CLAIM,
        Verdict.IMPOSSIBLE: Ground.IMPOSSIBLE,
        Verdict.SINGLE_POINT: Ground.SINGLE_POINT,
    }
)


def peg(decision: Decision, side: int, points: int) -> None:
    """Peg this many points for a side; 0 points move no peg.

    Call `win` next, to end the game if the side is in the game hole."""
    if points:
        decision.add(events.Pegged(side, points, decision.position.pegs[side].front + points))


def win(decision: Decision, side: int) -> None:
    """End the game if this side is in the game hole.

    Before that, judge the calls that still wait for their verdict."""
    p = decision.position
    if not p.left_to_go(side) and not decision.won():
        judge_waiting_calls(decision, p.rules.sides)
        decision.add(events.GameWon(side))


def judge_released_claim(
    decision: Decision, side: int, covers: tuple[ClaimWindow, ...], called: int, at_least: int
) -> int:
    """Judge a released call, and return the points to peg."""
    value = compare_claim(decision.position, side, covers, called, at_least=at_least)
    _add_verdict(decision, side, called, value)
    return value.pegs


def judge_waiting_calls(decision: Decision, sides: Iterable[int]) -> None:
    """Judge the waiting calls of these sides.

    The pegs do not move."""
    among = set(sides)
    for call in decision.position.unjudged:
        if call.side in among:
            judge_waiting_call(decision, call)


def judge_waiting_call(decision: Decision, call: UnjudgedCall) -> ClaimComparison:
    """Judge a call of a silent game."""
    value = compare_waiting_call(decision.position, call)
    _add_verdict(decision, call.side, call.called, value)
    return value


def compare_waiting_call(p: Position, call: UnjudgedCall) -> ClaimComparison:
    """Compare a call of a silent game with the points due.

    The pegs stand where they stood before the call."""
    before = updated(p, pegs=put(p.pegs, call.side, call.before))
    return compare_claim(before, call.side, call.windows, call.called, at_least=len(call.windows))


def unjudged_of(p: Position, side: int) -> tuple[UnjudgedCall, ...]:
    """Return the unjudged calls of this side."""
    return tuple(call for call in p.unjudged if call.side == side)


def accept_as_called(decision: Decision, by: By) -> None:
    """Accept the open claim, if there is one, as called.

    In a silent game judge the claim now, unless another side can still call muggins on it."""
    claim = decision.position.claim
    if claim is None:
        return
    decision.add(events.ClaimAccepted(claim.side, by))
    p = decision.position
    if not p.silent:
        return
    of_play = not any(o.occasion in OF_SHOW for call in unjudged_of(p, claim.side) for o in call.windows)
    goes_on = by in (By.NEXT_CARD, By.NEXT_COUNT)
    if not (p.rules.claims.muggins is Option.ON and of_play and goes_on):  # else it can still be mugged
        judge_waiting_calls(decision, (claim.side,))
    win(decision, claim.side)


def judge_challenged_call(decision: Decision, by: int) -> None:
    """Judge a challenged call of a silent game.

    Take back excess points, and add the penalties of the rules."""
    claim = decision.position.claim
    assert claim is not None
    side = claim.side
    call = unjudged_of(decision.position, side)[-1]
    claims_game = decision.position.game_claimed == side
    value = judge_waiting_call(decision, call)
    if value.verdict is Verdict.TOO_MANY:
        before, rules = call.before, decision.position.rules.claims
        back = before.front if value.pegs else before.back
        # from where it stands now: it may have been given points since
        front = decision.position.pegs[side].front - (call.called - value.pegs)
        decision.add(events.SetBack(side, front, min(back, front), Ground.OVER_CLAIM))
        if rules.over_claim is OverClaim.AWARD_EXCESS:
            award(decision, by, call.called - value.pegs, Ground.OVER_CLAIM)
        if claims_game and rules.false_game_penalty and not decision.won():
            front = max(0, decision.position.pegs[side].front - rules.false_game_penalty)
            decision.add(events.SetBack(side, front, min(back, front), Ground.FALSE_GAME))
    if not decision.won():
        decision.add(events.ClaimAccepted(side, By.CHALLENGE))
        win(decision, side)


def award(decision: Decision, side: int, points: int, ground: Ground) -> None:
    """Award points for another side's mistake, if the rules allow."""
    points = min(points, decision.position.left_to_go(side))
    claim = decision.position.claim
    if points and claim is not None and claim.side == side and claim.state is PegState.IN_HAND:
        decision.add(events.PegPutBack(side))  # it was lifted from where the front peg stood before
    if rule_of_116.bars_single_point(decision.position, side, points):
        decision.add(events.PointsBarred(side, points, Bar.SINGLE_POINT))
        return
    if points:
        decision.add(events.Awarded(side, points, ground))
        peg(decision, side, points)
        win(decision, side)


def _add_verdict(decision: Decision, side: int, called: int, value: ClaimComparison) -> None:
    closes = tuple(worth.window.occasion for worth in value.values)
    combinations = tuple(award for worth in value.values for award in worth.window.awards)
    ground = GROUNDS[value.verdict]
    decision.add(events.ClaimJudged(side, closes, value.verdict, called, value.due, combinations, ground))
    for worth in value.values:
        if worth.bar is not None:
            decision.add(events.PointsBarred(side, worth.barred, worth.bar))


# How the events change the position


def evolve(p: Position, event: events.VerdictEvent) -> Position:
    """Apply a verdict event to the position."""
    match event:
        case events.ClaimJudged():
            return claim_windows.close_windows(p, event)
        case events.Pegged(side):
            moved = Pegs(front=event.score, back=p.pegs[side].front)
            return score_log.moved(updated(p, pegs=put(p.pegs, side, moved)), event)
        case events.SetBack(side):
            back = updated(p, pegs=put(p.pegs, side, Pegs(front=event.score, back=event.back)))
            return score_log.entered(back, side, event, event.score - p.pegs[side].front)
        case events.Awarded():
            return score_log.given(p, event)
        case events.PointsBarred():
            return p
