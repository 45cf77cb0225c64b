"""Turns pressed holes and keys into actions of the game.

`hole_action` and `key_action` follow the rules reference, paragraphs 7.1 to 7.5, 7.7, 7.13 and 7.20. Pure, a part of
`interpret`. The referee judges whether the action is allowed.
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
from cribboard.event_terms import Doubt, Timing
from cribboard.position import Claim, PegState, Phase, Position
from cribboard.possible_counts import MOST
from cribboard.rules import Way
from cribd.boards import Board
from cribd.inputs import Key
from cribd.table.commands import ChangeMode, InputMeaning, OpenMenu
from cribd.table.snapshot import NamingDealer, Refusal


def hole_action(board: Board, p: Position, track: int, hole: int) -> InputMeaning:
    """Return the meaning of a pressed hole (rules reference, 7.1).

    The side that owns the track takes, moves, releases or returns a peg."""
    claim = p.claim if p.claim and p.claim.side == track and p.claim.state is PegState.IN_HAND else None
    points = points_ahead(board, p, track, hole)
    if p.open_challenge is not None and p.open_challenge.by == track:  # 7.3: it claims the points that were missed
        if points == 0:
            return PutPegBack(track)
        return ReleasePeg(track) if points == p.open_challenge.points else TakePegInHand(track, points)
    if claim is None:
        return TakePegInHand(track, points)
    if points == 0:
        return PutPegBack(track) if claim.points else ReleasePeg(track)
    if points == claim.points:
        return _same_hole_again(claim)
    return TakePegInHand(track, points)


def _same_hole_again(claim: Claim) -> InputMeaning:
    """Return the meaning of a second press of the same hole.

    A refusal if the side must first answer a question or wait for the other side."""
    if claim.doubt is Doubt.NINETEEN:
        return Refusal("answer_first", {"side": claim.side})
    if claim.timing is Timing.LATE:
        return Refusal("waits_for_other_side", {"side": claim.side})
    if claim.doubt is Doubt.FAR:
        return TakePegInHand(claim.side, claim.points)
    return ReleasePeg(claim.side)


def points_ahead(board: Board, p: Position, track: int, hole: int) -> int:
    """Count the points from the front peg to the hole.

    Behind the peg the number is negative. 7.20: on a board with two laps a number stands for two holes. The one ahead
    is meant if it is 1 to 29 points ahead, and otherwise one behind. The game hole stands for itself."""
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


def key_action(p: Position, key: Key, side: int) -> InputMeaning:
    """Return the meaning of a short press of a key."""
    match key:
        case Key.OK:
            return _ok(p, side)
        case Key.GO:
            return _go(p, side)
        case Key.CHALLENGE:
            return LetLieDead(side) if p.awaits_false_go_answer else Challenge(side)
        case Key.UNDO:
            return Undo() if p.question is None else DropQuestion()
        case Key.MENU:
            return OpenMenu()
        case Key.STEP:  # a hole of its side, by now
            return means_nothing(key)


def _go(p: Position, side: int) -> InputMeaning:
    """Return the meaning of the key GO (7.7).

    The go is declared for the seat to play. An earlier go of this side is undone after the count has ended, until the
    next lead. In trust the board does not follow the play, and GO means nothing."""
    if p.way is Way.TRUST and p.phase is not Phase.WON:
        return means_nothing(Key.GO)
    if p.declared_for and p.count_over:
        after_last = p.rules.round_from(p.rules.left_of(p.stack[-1][0]))
        for seat in after_last:
            if seat in p.declared_for and p.rules.side_of(seat) == side:
                return TakeBackPass(seat)
    return SayGo(p.turn if p.turn is not None and p.rules.side_of(p.turn) == side else side)


def held_go_action(p: Position, side: int) -> InputMeaning:
    """Return the action of a long press of GO (7.7).

    The side that laid last declares go for all seats. From another side, or with two seats, it acts as a short one."""
    last = p.stack[-1][0] if p.stack and not p.count_over else None
    if last is None or len(p.rules.seats) < 3 or p.rules.side_of(last) != side:
        return _go(p, side)
    return AllPass(last)


def _ok(p: Position, side: int) -> InputMeaning:
    """Return the action of the key OK for this side.

    It answers what is open: a question, a claim, the side's own count, the deal or the result."""
    if p.question is not None or p.awaits_false_go_answer:
        return Agree(side)
    if p.phase is Phase.WON:
        return AcceptResult(side)
    if p.open_challenge is not None and (p.open_challenge.by == side or p.open_challenge.points is not None):
        return Accept(side)
    if p.phase is Phase.CUT:
        return NameDealer(side) if len(p.rules.seats) == len(p.rules.sides) else ChangeMode(NamingDealer(side))
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


def means_nothing(key: Key) -> Refusal:
    """Return the refusal of a key that has no meaning now."""
    return Refusal("key_means_nothing", {"key": key})
