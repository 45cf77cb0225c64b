"""Turns a step key's press into a hole's press (7.25).

The hole is one point farther than the side's call. A board whose holes have no buttons has a step key for each side.
From `as_hole` on, a step is a hole: what judges a hole judges a step. Pure, a part of `interpret`.
"""

from __future__ import annotations

from cribboard.deal.impossible_points import doubt_about
from cribboard.deal.press_kind import has_peg_in_hand
from cribboard.event_terms import Doubt
from cribboard.expected import peg_presses
from cribboard.position import Position
from cribboard.possible_counts import MOST
from cribd.boards import Board
from cribd.inputs import HolePressed, Input, Key, KeyHeld, KeyPressed
from cribd.table.commands import Situation
from cribd.table.review import Review
from cribd.table.snapshot import CountJudgeMode, Playing


def as_hole(now: Situation, given: Input) -> Input | None:
    """Convert a step key's press to the press of a hole.

    Other inputs are unchanged. A key that is held down repeats, and each repeat goes on with the call. None ends the
    repeats: at the highest call, and where there is no call."""
    match given:
        case KeyPressed(Key.STEP, int(side)) if not isinstance(now.mode, Review):
            return HolePressed(side, _hole(now, side))
        case KeyHeld(Key.STEP, int(side)):
            called = _called(now, side) if isinstance(now.mode, Playing | CountJudgeMode) else 0
            more = _next_higher_call(now, side, called) if called else None
            return None if more is None else HolePressed(side, _hole(now, side))
    return given


def _hole(now: Situation, side: int) -> int:
    """Return the hole for a call that is one step higher.

    After the highest call it is usually the hole of the front peg, whose press puts the peg in hand back. Where nothing
    can be called it is the next hole, and the press of that is answered."""
    called = _called(now, side)
    more = _next_higher_call(now, side, called)
    if isinstance(now.mode, CountJudgeMode) or now.position is None or side not in now.position.rules.sides:
        return more or 1
    return _ahead(now.board, now.position, side, more if more is not None else 0 if called else 1)


def _ahead(board: Board, p: Position, side: int, points: int) -> int:
    return board.hole_of(p.pegs[side].front + points, p.rules.game.target)


def _called(now: Situation, side: int) -> int:
    """Return the points of the present call; 0 without one.

    The call is that of the side's peg in hand, or of the count judge's question."""
    if isinstance(now.mode, CountJudgeMode):
        return (now.mode.called.number or 0) if now.mode.called is not None else 0
    p = now.position
    if p is None:
        return 0
    if p.open_challenge is not None and p.open_challenge.by == side:
        return p.open_challenge.points or 0
    return p.claim.points if p.claim is not None and has_peg_in_hand(p, side) else 0


def _next_higher_call(now: Situation, side: int, called: int) -> int | None:
    """Return the points of the next higher call, or None.

    Left out are numbers that a hole press could not call either, and those that the board would ask for twice."""
    p = now.position
    if isinstance(now.mode, CountJudgeMode) or p is None or side not in p.rules.sides:
        return called + 1 if called < MOST else None
    if p.open_challenge is not None and p.open_challenge.by == side:
        return called + 1 if called < min(MOST, p.left_to_go(side)) else None
    calls = (press.points for press in peg_presses(p, side) if press.points > called)
    return next((points for points in calls if doubt_about(p, side, points) is not Doubt.FAR), None)
