"""The calls that the board itself makes on auto.

Its calls use the same claims and events as those of a player. It calls nothing that rests on an unread card.
"""

from __future__ import annotations

from cribboard import events
from cribboard.actions import By
from cribboard.deal import claims
from cribboard.deal.claim_comparison import due
from cribboard.deal.claim_windows import called_for
from cribboard.deal.decision import Decision
from cribboard.event_terms import Doubt, Timing
from cribboard.rules import Way


def call_what_is_due(decision: Decision) -> None:
    """On auto, peg the points that are due."""
    p = decision.position
    if p.way is Way.AUTO:
        for side, windows in enumerate(p.open_windows):
            if not decision.won() and any(window.due for window in windows):
                _call(decision, side)


def call_count(decision: Decision) -> None:
    """On auto, call the hand or crib being counted."""
    p = decision.position
    if p.way is Way.AUTO and p.counting is not None:
        _call(decision, p.rules.side_of(p.counting[0]))


def call_nothing(decision: Decision) -> None:
    """Close an uncalled count with 0 points."""
    p = decision.position
    if p.counting is not None and p.claim is None:
        decision.add(events.PegTaken(p.rules.side_of(p.counting[0]), 0, Doubt.NONE, Timing.IN_TIME))
        claims.release(decision, By.BOARD)


def _call(decision: Decision, side: int) -> None:
    while windows := called_for(decision.position, side, 0):
        if not all(window.verified for window in windows):
            return
        claims.conclude(decision, By.BOARD)
        decision.add(events.PegTaken(side, due(decision.position, side, windows), Doubt.NONE, Timing.IN_TIME))
        claims.release(decision, By.BOARD)
        if decision.won():
            return
