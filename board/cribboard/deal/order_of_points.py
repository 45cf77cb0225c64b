"""The order in which points count (rules reference, 3.24).

When two sides can reach the game hole, a claim wins only if no other side can still claim earlier points, no matter
which side presses first. Those earlier points lie open on the table, so they are public (3.25).
"""

from __future__ import annotations

from cribboard.deal.claim_comparison import due
from cribboard.deal.claim_windows import called_for, is_for_play, is_go_of_count
from cribboard.event_terms import OF_SHOW, Doubt, Occasion, Timing
from cribboard.position import Claim, ClaimWindow, PegState, Position
from cribboard.rules import Way


def sides_to_answer_first(p: Position) -> tuple[int, ...]:
    """List the sides that must answer before a winning claim stands.

    They are in order from the claimant's left. Each may still claim earlier points and has not said OK. Empty if the
    claim may win, does not reach the game hole, or is in doubt."""
    claim = p.claim
    if claim is None or claim.state is not PegState.IN_HAND or claim.doubt is not Doubt.NONE:
        return ()
    if not _reaches_game_hole(p, claim):
        return ()
    return tuple(side for side in _with_earlier_points(p, claim) if side not in claim.approved_by)


def comes_before_claim(p: Position, side: int, points: int) -> bool:
    """Whether another side's peg in hand must go back first.

    Releasing that peg would lose earlier points of this press. In a silent game the first released hand ends the
    claims of the play. On trust only the players know the order, so a peg at the game hole goes back for any press."""
    claim = p.claim
    if p.rules.version < 2 or claim is None or claim.side == side or claim.state is not PegState.IN_HAND:
        return False
    if p.way is Way.TRUST:
        return _reaches_game_hole(p, claim)
    for_a_hand = any(window.occasion in OF_SHOW for window in called_for(p, claim.side, claim.points))
    if side not in _with_earlier_points(p, claim) or not (_reaches_game_hole(p, claim) or (p.silent and for_a_hand)):
        return False
    return not for_a_hand or is_for_play(p, side, points)


def _with_earlier_points(p: Position, claim: Claim) -> tuple[int, ...]:
    """List the sides that may claim points before this claim."""
    if p.rules.version < 2 or p.way is not Way.VERIFY or claim.timing is Timing.LATE:
        return ()
    place = max((_place(p, window) for window in called_for(p, claim.side, claim.points)), default=0)
    others = ((claim.side + step) % len(p.pegs) for step in range(1, len(p.pegs)))
    return tuple(side for side in others if _may_gain_before(p, side, place))


def _may_gain_before(p: Position, side: int, place: int) -> bool:
    before = [window for window in p.unclaimed(side) if _place(p, window) < place]
    return any(not window.verified for window in before) or due(p, side, before) > 0


def _place(p: Position, window: ClaimWindow) -> int:
    """Return the index of this claim window in the order of counting.

    Hands and crib open one after the other and have the same place."""
    match window.occasion:
        case Occasion.HEELS:
            return 0
        case Occasion.GO if not is_go_of_count(p, window):
            return 1
        case Occasion.CARD | Occasion.GO:
            return 2
    return 3


def _reaches_game_hole(p: Position, claim: Claim) -> bool:
    return claim.points == p.left_to_go(claim.side)
