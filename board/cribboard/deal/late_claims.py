"""Late claims of points that a side has missed.

Another side must accept a late claim (rules reference, 7.5 and 3.25).
"""

from __future__ import annotations

from cribboard.deal.claim_comparison import due
from cribboard.position import Phase, Position
from cribboard.rules import LateClaim, Option


def may_be_accepted(p: Position, side: int) -> bool:
    """Whether another side may accept a late claim of this side.

    In a game with muggins, the other side takes these points itself (7.5)."""
    claims = p.rules.claims
    return bool(p.missed_windows[side]) and claims.late_claim is LateClaim.AGREED and claims.muggins is Option.OFF


def is_too_late(p: Position, side: int) -> bool:
    """Whether, during the play, a late claim would be refused."""
    return p.phase is Phase.PLAY and bool(p.missed_windows[side]) and not may_be_accepted(p, side)


def calls_for_missed(p: Position, side: int) -> range:
    """Return the calls that would claim missed points.

    They are numbers higher than the points due now. Empty without such points, outside the play, before version 2 of
    the rules, and if the board cannot verify a claim window."""
    in_time, missed = p.open_windows[side], p.missed_windows[side]
    if p.rules.version < 2 or p.phase is not Phase.PLAY or not in_time or not missed:
        return range(0)
    if not all(window.verified for window in (*in_time, *missed)):
        return range(0)
    return range(due(p, side, in_time) + 1, due(p, side, missed) + 1)
