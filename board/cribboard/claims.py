"""The peg in hand, let go, accepted or challenged: the one protocol by which points reach a peg.

The three ways to score differ here and nowhere else: a table that trusts pegs what is called, one that verifies
compares the call with the cards, and on auto the board calls. Whoever calls, the same events move the peg. See the
rules reference, sections 4 and 7.1 to 7.5, and 7.20 to 7.22.

What is due never leaves before its claim is closed: nothing here may refuse a claim, or take it differently, because
of what is due.
"""

from __future__ import annotations

from cribboard import verdicts
from cribboard.actions import By, IllegalAction
from cribboard.claim_value import due
from cribboard.decision import Ruling
from cribboard.events import (
    Agreed,
    ClaimChallenged,
    ClaimRuled,
    CountOpened,
    Doubt,
    Ground,
    Occasion,
    PegPutBack,
    PegReleased,
    PegTaken,
    Timing,
    Verdict,
)
from cribboard.openings import called_for, covered
from cribboard.order import comes_before_claim, held_up_by
from cribboard.position import Claim, PegState, Phase, Position
from cribboard.press_kind import (
    Press,
    acceptor,
    counts,
    doubt_about,
    holds,
    press_at,
    takes_no_single,
    unverified,
    waits_for_answer,
)
from cribboard.rules import Way


def take(ruling: Ruling, side: int, points: int) -> None:
    """A press on one's own track takes the peg in hand, or moves it (7.1)."""
    p = ruling.position
    if p.way is Way.AUTO and not unverified(p, side):
        raise IllegalAction("board_pegs")
    if p.phase not in (Phase.PLAY, Phase.SHOW, Phase.PEGGING):
        raise IllegalAction("no_score_now")
    if points < 1:
        raise IllegalAction("behind_the_peg", points=points)
    if points > p.left_to_go(side):
        raise IllegalAction("past_the_end", points=points, left=p.left_to_go(side))
    if p.claim is not None and comes_before_claim(p, side, points):
        ruling.add(PegPutBack(p.claim.side))
        p = ruling.position
    match press_at(p, side, points):
        case Press.MOVES:
            assert p.claim is not None
            in_time = p.rules.version > 1 and p.open[side]
            _hold(ruling, side, points, Timing.IN_TIME if in_time else p.claim.timing)
        case Press.WAITS:
            raise IllegalAction("waits_for_other_side", side=side)
        case Press.IS_DOWN:
            raise IllegalAction("peg_is_down", side=side)
        case Press.ADDS:
            _hold(ruling, side, points, Timing.IN_TIME)
        case Press.CLAIMS | Press.COUNTS:
            settle(ruling, By.NEXT_COUNT)
            if ruling.stops():
                return
            if ruling.position.counts_done > p.counts_done:  # a count was accepted by this press: the next is its own
                open_next_hand(ruling)
            _hold(ruling, side, points, Timing.IN_TIME)
        case Press.LATE:
            if not holds(p, side):
                settle(ruling, By.NEXT_COUNT)
            if not ruling.stops():
                _hold(ruling, side, points, Timing.LATE)
        case Press.TOO_LATE | Press.OUT_OF_TURN as meant:
            if not holds(p, side):
                put_down(ruling, By.OTHER_SIDE)
            if not ruling.won():
                verdict = Verdict.TOO_LATE if meant is Press.TOO_LATE else Verdict.OUT_OF_TURN
                rule_out(ruling, side, points, verdict)


def rule_out(ruling: Ruling, side: int, points: int, verdict: Verdict) -> None:
    """A claim that moves no peg, with the rule that it breaks."""
    ruling.add(ClaimRuled(side, points, verdict, _GROUNDS[verdict]))


_GROUNDS = {
    Verdict.OUT_OF_TURN: Ground.ORDER,
    Verdict.TOO_LATE: Ground.LATE_CLAIM,
    Verdict.IMPOSSIBLE: Ground.IMPOSSIBLE,
    Verdict.SINGLE_POINT: Ground.SINGLE_POINT,
}


def open_next_hand(ruling: Ruling) -> None:
    """The next hand of the show is to be counted, if it is all known."""
    p = ruling.position
    following = p.show_order()[p.counts_done]
    starter = p.starter is not None or following in p.waived
    if p.to_show is None and starter and following[1] is Occasion.HAND:
        ruling.add(CountOpened(*following))


def _hold(ruling: Ruling, side: int, points: int, timing: Timing) -> None:
    p = ruling.position
    if takes_no_single(p, side, points):
        rule_out(ruling, side, points, Verdict.SINGLE_POINT)
        return
    doubt = doubt_about(p, side, points)
    pressed_again = p.claim is not None and p.claim.points == points and p.claim.doubt is Doubt.FAR
    if doubt is Doubt.FAR and p.way is not Way.TRUST:
        rule_out(ruling, side, points, Verdict.IMPOSSIBLE)
    else:
        ruling.add(PegTaken(side, points, Doubt.NONE if pressed_again else doubt, timing))


def take_zero(ruling: Ruling, side: int) -> None:
    """At one's own count, OK with no peg in hand says zero (7.4); in a silent game first for what the play left."""
    p = ruling.position
    if p.way is not Way.VERIFY or not counts(p, side) or not p.unclaimed(side):
        raise IllegalAction("no_count_now", side=side)
    if waits_for_answer(p, side):
        raise IllegalAction("waits_for_other_side", side=side)
    if p.claim and not holds(p, side):
        settle(ruling, By.NEXT_COUNT)
    if not ruling.stops():
        ruling.add(PegTaken(side, 0, Doubt.NONE, Timing.IN_TIME))


def put_back(ruling: Ruling, side: int) -> None:
    """The peg in hand goes back where it was."""
    _in_hand(ruling.position, side)
    ruling.add(PegPutBack(side))


def let_go(ruling: Ruling, side: int, by: By) -> None:
    """The owner's own release, or in trust the table's timer. To « 19 = zero? » the owner's OK says yes."""
    claim = _in_hand(ruling.position, side)
    no_zero_now = ruling.position.way is Way.VERIFY and not counts(ruling.position, side)
    if by is not By.OWNER and not (by is By.TIME and ruling.position.way is Way.TRUST):
        raise IllegalAction("no_peg_in_hand", side=side)
    match claim.doubt:
        case Doubt.NINETEEN if by is By.TIME:
            raise IllegalAction("answer_first", side=side)
        case Doubt.NINETEEN if claim.timing is Timing.LATE or no_zero_now:
            ruling.add(PegPutBack(side))
            return
        case Doubt.NINETEEN:
            ruling.add(PegTaken(side, 0, Doubt.NONE, Timing.IN_TIME))
        case Doubt.FAR:
            raise IllegalAction("same_hole_again", points=claim.points)
    if claim.timing is Timing.LATE:
        raise IllegalAction("waits_for_other_side", side=side)
    _must_not_win_too_soon(ruling.position)
    _release(ruling, by)


def accept(ruling: Ruling, side: int) -> None:
    """The other side's OK lets go of a peg in hand, and accepts what was claimed; to a late claim it says yes. A side
    for which a peg waits, and another is to accept it, only lets go of it, when no other side is waited for."""
    claim = _theirs(ruling.position, side, "nothing_to_accept")
    waiting = held_up_by(ruling.position)
    if side in waiting and len(waiting) > 1:
        ruling.add(Agreed(side))
        return
    if (whose := acceptor(ruling.position)) not in (None, side):
        if side not in waiting:
            raise IllegalAction("not_your_claim", side=whose)
        _must_not_win_too_soon(ruling.position, but_for=side)
        _release(ruling, By.OTHER_SIDE)
        return
    _must_not_win_too_soon(ruling.position, but_for=side)
    if claim.state is PegState.IN_HAND:
        _must_be_sure(claim)
        _release(ruling, By.OTHER_SIDE)
    verdicts.accepted(ruling, By.OTHER_SIDE)


def challenge(ruling: Ruling, side: int) -> None:
    """« Too much ». With cards the board has the answer; where it trusts, a peg in hand goes back for a recount."""
    claim = _theirs(ruling.position, side, "nothing_to_challenge")
    if ruling.position.silent and claim.state is PegState.IN_HAND and claim.timing is Timing.IN_TIME:
        raise IllegalAction("not_let_go", side=claim.side)
    _must_not_win_too_soon(ruling.position, but_for=side)
    ruling.add(ClaimChallenged(claim.side, side))
    if ruling.position.silent and claim.timing is Timing.IN_TIME:
        verdicts.too_much(ruling, side)
        return
    if claim.timing is Timing.LATE or ruling.position.way is Way.TRUST:
        _refuse_in_hand(ruling)
        return
    if claim.state is PegState.IN_HAND:
        _must_be_sure(claim)
        _release(ruling, By.OTHER_SIDE)
    verdicts.accepted(ruling, By.CHALLENGE)


def settle(ruling: Ruling, by: By) -> None:
    """Play goes on: a peg in hand is let go and what was claimed stands."""
    put_down(ruling, by)
    if ruling.position.game_claimed is None:  # that needs an answer, which no card and no count is
        verdicts.accepted(ruling, by)


def put_down(ruling: Ruling, by: By) -> None:
    """Whatever peg is in hand is let go. A peg in doubt, or late, goes back."""
    claim = ruling.position.claim
    if claim is None or claim.state is PegState.RELEASED:
        return
    if claim.doubt is not Doubt.NONE or claim.timing is Timing.LATE:
        _refuse_in_hand(ruling)
    else:
        _must_not_win_too_soon(ruling.position)
        _release(ruling, by)


def award(ruling: Ruling, side: int) -> None:
    """On auto the board itself calls what is due, by the same path as any claim."""
    while openings := called_for(ruling.position, side, 0):
        if not all(opening.verified for opening in openings):
            return
        settle(ruling, By.BOARD)
        ruling.add(PegTaken(side, due(ruling.position, side, openings), Doubt.NONE, Timing.IN_TIME))
        _release(ruling, By.BOARD)
        if ruling.won():
            return


def call_nothing(ruling: Ruling) -> None:
    """On auto, a count that the board could not make and the players did not is closed with nothing."""
    p = ruling.position
    if p.counting is not None and p.claim is None:
        ruling.add(PegTaken(p.rules.side_of(p.counting[0]), 0, Doubt.NONE, Timing.IN_TIME))
        _release(ruling, By.BOARD)


def _in_hand(p: Position, side: int) -> Claim:
    if p.claim is None or not holds(p, side):
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
    """A peg at the game hole is not let go while another side may still claim points that stand before it (3.24); its
    own OK says that it claims none."""
    if waiting := [side for side in held_up_by(p) if side != but_for]:
        raise IllegalAction("points_first", side=waiting[0])


def _refuse_in_hand(ruling: Ruling) -> None:
    claim = ruling.position.claim
    assert claim is not None
    ruling.add(PegPutBack(claim.side))
    if claim.timing is Timing.LATE:
        rule_out(ruling, claim.side, claim.points, Verdict.TOO_LATE)


def _release(ruling: Ruling, by: By) -> None:
    """From here nothing raises or moves the peg. With cards the call is judged; the truth, or less, is pegged."""
    claim = ruling.position.claim
    assert claim is not None
    side, points, late = claim.side, claim.points, claim.timing is Timing.LATE
    p = ruling.position
    if p.silent:
        verdicts.close_window(ruling, side, p.missed[side] if late else covered(p, side, points))
    ruling.add(PegReleased(side, points, by))
    p = ruling.position
    if p.way is Way.TRUST or p.silent:
        verdicts.peg(ruling, side, points)
    else:
        openings = p.missed[side] if late else called_for(p, side, points)
        all_at_once = p.way is Way.AUTO or (p.phase is Phase.SHOW and not points)
        at_least = len(openings) if all_at_once else 1
        verdicts.peg(ruling, side, verdicts.tell(ruling, side, openings, points, at_least))
    if not p.silent:
        verdicts.win(ruling, side)
