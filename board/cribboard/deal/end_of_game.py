"""The end of a game.

`claim_verdicts.win` decides when a game is won.
"""

from __future__ import annotations

from cribboard import events
from cribboard.actions import IllegalAction
from cribboard.deal.decision import Decision
from cribboard.position import Phase, Position, updated, without_question


def accept_result(decision: Decision, side: int) -> None:
    """Accept the result of the game for a side.

    When the last side accepts the result, it is final."""
    p = decision.position
    if p.phase is not Phase.WON:
        raise IllegalAction("nothing_to_accept")
    if side in p.agreed:
        raise IllegalAction("waits_for_other_side", side=side)
    decision.add(events.ResultAccepted(side))
    if len(decision.position.agreed) == len(p.pegs):
        decision.add(events.ResultFinal())


# How the events change the position


def evolve(p: Position, event: events.EndEvent) -> Position:
    """Apply an event that ends the game, or accepts its result."""
    match event:
        case events.GameWon():
            won = updated(p, phase=Phase.WON, winner=event.side, counting=None, turn=None)
            return without_question(updated(won, claim=None, open_challenge=None, awaits_false_go_answer=False))
        case events.ResultAccepted():
            return updated(p, agreed=p.agreed | {event.side})
        case events.ResultFinal():
            return without_question(updated(p, phase=Phase.OVER))
        case events.BrokenOff():
            return without_question(updated(p, phase=Phase.OVER, claim=None, winner=None))
