"""Lift and release pegs, and accept or challenge claims.

Sides score all points in this way. The three ways to score differ here: on trust the call is pegged, on verify it is
compared with the cards, on auto the board calls (`cribboard.deal.auto_calls`). Rules reference, sections 4, 7.1 to 7.5
and 7.20 to 7.22.

Nothing here may refuse a claim, or treat it differently, because of what is due: that stays hidden until the claim is
closed.
"""

from __future__ import annotations

from dataclasses import replace

from cribboard import events
from cribboard.actions import By, IllegalAction
from cribboard.deal import claim_verdicts, claim_windows, rule_of_116
from cribboard.deal.claim_windows import called_for, covered
from cribboard.deal.decision import Decision, must_be_ahead
from cribboard.deal.impossible_points import doubt_about
from cribboard.deal.order_of_points import comes_before_claim, sides_to_answer_first
from cribboard.deal.press_kind import (
    PressKind,
    acceptor,
    has_peg_in_hand,
    is_counting,
    may_claim_unread,
    press_at,
    waits_for_answer,
)
from cribboard.event_terms import OF_SHOW, Doubt, Occasion, Timing, Verdict
from cribboard.position import Claim, PegState, Phase, Position, updated
from cribboard.rules import Way


def lift_or_move_peg(decision: Decision, side: int, points: int) -> None:
    """Handle a press on the side's own track (7.1)."""
    p = decision.position
    if p.way is Way.AUTO and not may_claim_unread(p, side):
        raise IllegalAction("board_pegs")
    if p.phase not in (Phase.PLAY, Phase.SHOW, Phase.PEGGING):
        raise IllegalAction("no_score_now")
    must_be_ahead(p, side, points)
    if p.claim is not None and comes_before_claim(p, side, points):
        decision.add(events.PegPutBack(p.claim.side))
        p = decision.position
    match press_at(p, side, points):
        case PressKind.MOVES:
            assert p.claim is not None
            in_time = p.rules.version > 1 and p.open_windows[side]
            _lift_peg(decision, side, points, Timing.IN_TIME if in_time else p.claim.timing)
        case PressKind.WAITS:
            raise IllegalAction("waits_for_other_side", side=side)
        case PressKind.IS_DOWN:
            raise IllegalAction("peg_is_down", side=side)
        case PressKind.ADDS:
            _lift_peg(decision, side, points, Timing.IN_TIME)
        case PressKind.CLAIMS | PressKind.COUNTS:
            conclude(decision, By.NEXT_COUNT)
            if decision.stops():
                return
            if decision.position.counts_done > p.counts_done:  # this press accepted a count, and begins the next
                open_next_hand(decision)
            _lift_peg(decision, side, points, Timing.IN_TIME)
        case PressKind.LATE:
            if not has_peg_in_hand(p, side):
                conclude(decision, By.NEXT_COUNT)
            if not decision.stops():
                _lift_peg(decision, side, points, Timing.LATE)
        case PressKind.TOO_LATE | PressKind.OUT_OF_TURN as meant:
            if not has_peg_in_hand(p, side):
                put_down(decision, By.OTHER_SIDE)
            if not decision.won():
                verdict = Verdict.TOO_LATE if meant is PressKind.TOO_LATE else Verdict.OUT_OF_TURN
                refuse_claim(decision, side, points, verdict)


def refuse_claim(decision: Decision, side: int, points: int, verdict: Verdict) -> None:
    """Refuse a claim because it breaks a rule.

    No peg moves, and the event names the rule."""
    decision.add(events.ClaimRuled(side, points, verdict, claim_verdicts.GROUNDS[verdict]))


def open_next_hand(decision: Decision) -> None:
    """Open the next hand's count, unless the board waits for cards."""
    p = decision.position
    following = p.show_order()[p.counts_done]
    starter = p.starter is not None or following in p.waived
    if p.to_show is None and starter and following[1] is Occasion.HAND:
        decision.add(events.CountOpened(*following))


def _lift_peg(decision: Decision, side: int, points: int, timing: Timing) -> None:
    p = decision.position
    if rule_of_116.bars_single_point(p, side, points):
        refuse_claim(decision, side, points, Verdict.SINGLE_POINT)
        return
    doubt = doubt_about(p, side, points)
    pressed_again = p.claim is not None and p.claim.points == points and p.claim.doubt is Doubt.FAR
    if doubt is Doubt.FAR and p.way is not Way.TRUST:
        refuse_claim(decision, side, points, Verdict.IMPOSSIBLE)
    else:
        decision.add(events.PegTaken(side, points, Doubt.NONE if pressed_again else doubt, timing))


def claim_zero(decision: Decision, side: int) -> None:
    """Claim zero points at the side's own count (7.4).

    In a silent game it is zero for the play, as long as claim windows of the play are open."""
    p = decision.position
    if p.way is not Way.VERIFY or not is_counting(p, side) or not p.unclaimed(side):
        raise IllegalAction("no_count_now", side=side)
    if waits_for_answer(p, side):
        raise IllegalAction("waits_for_other_side", side=side)
    if p.claim and not has_peg_in_hand(p, side):
        conclude(decision, By.NEXT_COUNT)
    if not decision.stops():
        decision.add(events.PegTaken(side, 0, Doubt.NONE, Timing.IN_TIME))


def put_back(decision: Decision, side: int) -> None:
    """Put this side's peg in hand back where it was."""
    _in_hand(decision.position, side)
    decision.add(events.PegPutBack(side))


def release_own(decision: Decision, side: int, by: By) -> None:
    """Release the side's peg in hand.

    `by` is the owner, or on trust the timer. If the board doubts a claim of nineteen points, the owner claims zero
    instead or puts the peg back; the timer is refused."""
    p = decision.position
    claim = _in_hand(p, side)
    if by is not By.OWNER and not (by is By.TIME and p.way is Way.TRUST):
        raise IllegalAction("no_peg_in_hand", side=side)
    if claim.doubt is Doubt.FAR:
        raise IllegalAction("same_hole_again", points=claim.points)
    if claim.doubt is Doubt.NINETEEN:
        if by is By.TIME:
            raise IllegalAction("answer_first", side=side)
        if not _claim_zero_at_nineteen(decision, claim):
            return
    if claim.timing is Timing.LATE:
        raise IllegalAction("waits_for_other_side", side=side)
    _must_not_win_too_soon(decision.position)
    release(decision, by)


def _claim_zero_at_nineteen(decision: Decision, claim: Claim) -> bool:
    """Turn a claim of nineteen into a claim of zero, if possible.

    Else put the peg back. Returns whether zero is claimed."""
    p, side = decision.position, claim.side
    if claim.timing is Timing.LATE or (p.way is Way.VERIFY and not is_counting(p, side)):
        decision.add(events.PegPutBack(side))
        return False
    decision.add(events.PegTaken(side, 0, Doubt.NONE, Timing.IN_TIME))
    return True


def accept(decision: Decision, side: int) -> None:
    """Accept another side's claim, because `side` says OK.

    If the claim's peg is still in hand, release the peg. If the peg waits for several sides, record only the OK of this
    side; if a different side must accept the claim, only release the peg."""
    p = decision.position
    claim = _theirs(p, side, "nothing_to_accept")
    waiting, must_accept = sides_to_answer_first(p), acceptor(p)
    if side in waiting and len(waiting) > 1:
        decision.add(events.Agreed(side))
        return
    if must_accept not in (None, side) and side not in waiting:
        raise IllegalAction("not_your_claim", side=must_accept)
    _must_not_win_too_soon(p, but_for=side)
    if claim.state is PegState.IN_HAND:
        _must_be_sure(claim)
        release(decision, By.OTHER_SIDE)
    if must_accept in (None, side):
        claim_verdicts.accept_as_called(decision, By.OTHER_SIDE)


def challenge(decision: Decision, side: int) -> None:
    """Challenge a claim as too high.

    With cards the call is judged; on trust a peg in hand goes back for a recount."""
    p = decision.position
    claim = _theirs(p, side, "nothing_to_challenge")
    silent = p.silent and claim.timing is Timing.IN_TIME
    if silent and claim.state is PegState.IN_HAND:
        raise IllegalAction("not_let_go", side=claim.side)
    _must_not_win_too_soon(p, but_for=side)
    decision.add(events.ClaimChallenged(claim.side, side))
    if silent:
        claim_verdicts.judge_challenged_call(decision, side)
    elif claim.timing is Timing.LATE or p.way is Way.TRUST:
        _refuse_in_hand(decision)
    else:
        if claim.state is PegState.IN_HAND:
            _must_be_sure(claim)
            release(decision, By.OTHER_SIDE)
        claim_verdicts.accept_as_called(decision, By.CHALLENGE)


def conclude(decision: Decision, by: By) -> None:
    """Close the open claim, unless it would win the game."""
    put_down(decision, by)
    if decision.position.game_claimed is None:  # only the other side's answer accepts a claim of the game
        claim_verdicts.accept_as_called(decision, by)


def put_down(decision: Decision, by: By) -> None:
    """Release the peg in hand, but refuse doubtful or late claims."""
    claim = decision.position.claim
    if claim is None or claim.state is PegState.RELEASED:
        return
    if claim.doubt is not Doubt.NONE or claim.timing is Timing.LATE:
        _refuse_in_hand(decision)
    else:
        _must_not_win_too_soon(decision.position)
        release(decision, by)


def _in_hand(p: Position, side: int) -> Claim:
    if p.claim is None or not has_peg_in_hand(p, side):
        raise IllegalAction("no_peg_in_hand", side=side)
    return p.claim


def _theirs(p: Position, side: int, otherwise: str) -> Claim:
    if p.claim is None or p.way is Way.AUTO:
        raise IllegalAction(otherwise)
    if p.claim.side == side:
        raise IllegalAction("own_claim")
    return p.claim


def _must_be_sure(claim: Claim) -> None:
    if claim.doubt is Doubt.NINETEEN:
        raise IllegalAction("answer_first", side=claim.side)
    if claim.doubt is Doubt.FAR:
        raise IllegalAction("same_hole_again", points=claim.points)


def _must_not_win_too_soon(p: Position, *, but_for: int | None = None) -> None:
    """Raise `IllegalAction` if another side must answer first (3.24).

    Side `but_for` gives its OK with this action."""
    if waiting := [side for side in sides_to_answer_first(p) if side != but_for]:
        raise IllegalAction("points_first", side=waiting[0])


def _refuse_in_hand(decision: Decision) -> None:
    claim = decision.position.claim
    assert claim is not None
    decision.add(events.PegPutBack(claim.side))
    if claim.timing is Timing.LATE:
        refuse_claim(decision, claim.side, claim.points, Verdict.TOO_LATE)


def release(decision: Decision, by: By) -> None:
    """Release the peg in hand, and peg the points."""
    claim = decision.position.claim
    assert claim is not None
    side, points, late = claim.side, claim.points, claim.timing is Timing.LATE
    p = decision.position
    if p.silent:
        covers = p.missed_windows[side] if late else covered(p, side, points)
        first_hand = any(window.occasion in OF_SHOW for window in covers)  # it ends muggins for all sides
        claim_verdicts.judge_waiting_calls(decision, p.rules.sides if first_hand else (side,))
    decision.add(events.PegReleased(side, points, by))
    p = decision.position
    if p.way is Way.TRUST or p.silent:
        claim_verdicts.peg(decision, side, points)
    else:
        covers = p.missed_windows[side] if late else called_for(p, side, points)
        all_at_once = p.way is Way.AUTO or (p.phase is Phase.SHOW and not points)
        at_least = len(covers) if all_at_once else 1
        claim_verdicts.peg(
            decision, side, claim_verdicts.judge_released_claim(decision, side, covers, points, at_least)
        )
    if not p.silent:
        claim_verdicts.win(decision, side)


# How the events change the position


def evolve(p: Position, event: events.ClaimEvent) -> Position:
    """Apply an event that concerns a claim."""
    match event:
        case events.PegTaken():
            still_in_hand = p.claim is not None and p.claim.side == event.side and p.claim.state is PegState.IN_HAND
            since = p.claim.since if p.claim and still_in_hand else p.acts[-1][0]
            return updated(p, claim=Claim(event.side, event.points, PegState.IN_HAND, event.doubt, event.timing, since))
        case events.PegReleased() if p.claim and p.way is not Way.TRUST:
            claim = replace(p.claim, points=event.points, state=PegState.RELEASED, doubt=Doubt.NONE)
            return updated(
                claim_windows.store_unjudged_call(p, event.side, event.points) if p.silent else p, claim=claim
            )
        case events.PegReleased() | events.PegPutBack():
            return updated(p, claim=None)
        case events.ClaimAccepted():
            return _claim_accepted(p)
        case events.ClaimRuled():  # an act that caused only this refusal is dropped, so undo skips it
            only_this = p.acts and p.acts[-1][0] == p.number - 1
            return updated(p, acts=p.acts[:-1]) if only_this else p
        case events.ClaimChallenged():
            return p


def _claim_accepted(p: Position) -> Position:
    accepted = updated(
        p, claim=None, open_challenge=None, open_windows=tuple(p.unclaimed(side) for side in p.rules.sides)
    )
    if not p.counting or any((o.seat, o.occasion) == p.counting for windows in accepted.open_windows for o in windows):
        return accepted
    nothing = ((),) * len(p.pegs)
    return updated(accepted, counting=None, turn=None, counts_done=p.counts_done + 1, missed_windows=nothing)
