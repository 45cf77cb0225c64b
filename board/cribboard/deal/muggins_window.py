"""The muggins window: how long a call, or points that were never called, can be mugged (rules reference, section 4).

Points of the play stay open to muggins until their side pegs again, and no longer than until the first hand is
released. `cribboard.deal.claim_windows.miss_what_was_open` keeps the latter, and `cribboard.deal.muggins` has the
call of muggins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cribboard.actions import By
from cribboard.event_terms import OF_SHOW
from cribboard.position import ClaimWindow, Position, UnjudgedCall
from cribboard.rules import Option


def is_played(p: Position) -> bool:
    """Whether muggins may be called in this game."""
    return p.silent and p.rules.claims.muggins is Option.ON


def outlives_acceptance(p: Position, calls: Sequence[UnjudgedCall], by: By) -> bool:
    """Whether these accepted calls can still be mugged: they are of the play, and the next card or claim accepted
    them."""
    of_play = not any(window.occasion in OF_SHOW for call in calls for window in call.windows)
    return p.rules.claims.muggins is Option.ON and of_play and by in (By.NEXT_CARD, By.NEXT_COUNT)


def closed_by_release(p: Position, side: int, covers: Iterable[ClaimWindow]) -> Sequence[int]:
    """The sides whose window closes when this side releases its peg: its own; for the first hand, all."""
    first_hand = any(window.occasion in OF_SHOW for window in covers)
    return p.rules.sides if first_hand else (side,)
