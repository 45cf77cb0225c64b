"""What a hole or a key means in a game: the rules reference, paragraphs 7.1 to 7.5, 7.7, 7.13 and 7.20.

Pure. Never asks whether an action is allowed: that is the referee's business.
"""

from __future__ import annotations

from cribboard.actions import (
    Accept,
    AcceptResult,
    Agree,
    AllPass,
    Challenge,
    DropQuestion,
    EndDeal,
    LetLieDead,
    NameDealer,
    OpenCount,
    PutPegBack,
    ReleasePeg,
    SayGo,
    TakeBackPass,
    TakePegInHand,
    TakeZero,
    Undo,
)
from cribboard.events import Doubt, Timing
from cribboard.hand_counts import MOST
from cribboard.position import Claim, PegState, Phase, Position, Raised
from cribboard.rules import Way
from cribd.boards import Board
from cribd.inputs import Key
from cribd.table.commands import Answer, NameSeat, OpenMenu
from cribd.table.snapshot import Refusal


def hole(board: Board, p: Position, track: int, hole: int) -> Answer:
    """7.1: a press on one's own track takes the peg in hand, moves it, lets it go, or puts it back."""
    claim = p.claim if p.claim and p.claim.side == track and p.claim.state is PegState.IN_HAND else None
    points = points_ahead(board, p, track, hole)
    if p.raised is not None and p.raised.by == track:
        return _hole_of_muggins(p.raised, points)
    if claim is None:
        return TakePegInHand(track, points)
    if points == 0:
        return PutPegBack(track) if claim.points else ReleasePeg(track)
    if points == claim.points:
        return _same_hole(claim)
    return TakePegInHand(track, points)


def _hole_of_muggins(raised: Raised, points: int) -> Answer:
    """7.3: after CHALLENGE a hole on one's own track is for what the other side missed."""
    if points == 0:
        return PutPegBack(raised.by)
    return ReleasePeg(raised.by) if points == raised.points else TakePegInHand(raised.by, points)


def _same_hole(claim: Claim) -> Answer:
    if claim.doubt is Doubt.NINETEEN:
        return Refusal("answer_first", {"side": claim.side})
    if claim.timing is Timing.LATE:
        return Refusal("waits_for_other_side", {"side": claim.side})
    if claim.doubt is Doubt.FAR:
        return TakePegInHand(claim.side, claim.points)
    return ReleasePeg(claim.side)


def points_ahead(board: Board, p: Position, track: int, hole: int) -> int:
    """How far the hole of that number lies ahead of the front peg; negative behind it.

    7.20: where a board is walked twice the next hole of that number is meant, if it is 1 to 29 ahead, and one behind
    otherwise; the game hole is the game hole.
    """
    front, target = p.pegs[track].front, p.rules.game.target
    if hole == board.game_hole == board.hole_of(target, target):
        return target - front
    if board.laps == 1:
        return hole - front
    if hole == board.hole_of(front, target):
        return 0
    ahead = (hole - front) % board.last_hole
    last = target if hole == board.hole_of(target, target) else target - 1
    return ahead if 1 <= ahead <= MOST and front + ahead <= last else ahead - board.last_hole


def key(p: Position, key: Key, side: int) -> Answer:
    match key:
        case Key.OK:
            return _ok(p, side)
        case Key.GO:
            return _go(p, side)
        case Key.CHALLENGE:
            return LetLieDead(side) if p.renege else Challenge(side)
        case Key.UNDO:
            return Undo() if p.question is None else DropQuestion()
        case Key.MENU:
            return OpenMenu()


def _go(p: Position, side: int) -> Answer:
    """7.7: go is that of the seat to play. Until the next lead it says for a seat that passed with the others that it
    goes on after all. On trust the board knows of no play, and GO means nothing."""
    if p.way is Way.TRUST and p.phase is not Phase.WON:
        return nothing(Key.GO)
    if p.passed and p.count_over:
        after_last = p.rules.round_from(p.rules.left_of(p.stack[-1][0]))
        for seat in after_last:
            if seat in p.passed and p.rules.side_of(seat) == side:
                return TakeBackPass(seat)
    return SayGo(p.turn if p.turn is not None and p.rules.side_of(p.turn) == side else side)


def go_held(p: Position, side: int) -> Answer:
    """7.7: with three seats or more, who laid last says so for all that nobody can go on."""
    last = p.stack[-1][0] if p.stack and not p.count_over else None
    if last is None or len(p.rules.seats) < 3 or p.rules.side_of(last) != side:
        return _go(p, side)
    return AllPass(last)


def _ok(p: Position, side: int) -> Answer:
    """OK answers whatever is open, the nearest first: a question, a claim, one's own count, the deal, the result."""
    if p.question is not None or p.renege:
        return Agree(side)
    if p.phase is Phase.WON:
        return AcceptResult(side)
    if p.raised is not None and (p.raised.by == side or p.raised.points is not None):
        return Accept(side)
    if p.phase is Phase.CUT:
        return NameDealer(side) if len(p.rules.seats) == len(p.rules.sides) else NameSeat(side)
    if p.way is Way.AUTO and p.phase is Phase.SHOW:
        return OpenCount(side)
    own_count = p.counting is not None and p.rules.side_of(p.counting[0]) == side and bool(p.unclaimed(side))
    match p.claim:
        case Claim(side=claimant, state=PegState.IN_HAND):
            return ReleasePeg(side) if claimant == side else Accept(side)
        case Claim() if not own_count or p.game_claimed is not None:
            return Accept(side)
    if own_count:
        return TakeZero(side)  # and with it what the play left is accepted, as by any next count
    return EndDeal(side) if p.phase is Phase.PEGGING else Accept(side)


def nothing(key: Key) -> Refusal:
    return Refusal("key_means_nothing", {"key": key})
