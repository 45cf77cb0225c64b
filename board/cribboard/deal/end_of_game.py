"""End a game: with a winner, with a result that every side accepted, or broken off."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from cribboard import events
from cribboard.actions import IllegalAction
from cribboard.deal.decision import Decision
from cribboard.position import Handler, Phase, Position, updated, without_question


def accept_result(decision: Decision, side: int) -> None:
    """Accept the result for a side. When the last side accepts, the result is final."""
    p = decision.position
    if p.phase is not Phase.WON:
        raise IllegalAction("nothing_to_accept")
    if side in p.agreed:
        raise IllegalAction("waits_for_other_side", side=side)
    decision.add(events.ResultAccepted(side))
    if len(decision.position.agreed) == len(p.pegs):
        decision.add(events.ResultFinal())


def break_off(decision: Decision) -> None:
    """End the game without a result."""
    decision.add(events.BrokenOff())


# How the events change the position


def _game_won(p: Position, event: events.GameWon) -> Position:
    won = updated(
        p,
        phase=Phase.WON,
        winner=event.side,
        claim=None,
        open_challenge=None,
        awaits_false_go_answer=False,
        counting=None,
        turn=None,
    )
    return without_question(won)


def _result_accepted(p: Position, event: events.ResultAccepted) -> Position:
    return updated(p, agreed=p.agreed | {event.side})


def _result_final(p: Position, _: events.ResultFinal) -> Position:
    return without_question(updated(p, phase=Phase.OVER))


def _broken_off(p: Position, _: events.BrokenOff) -> Position:
    return without_question(updated(p, phase=Phase.OVER, claim=None, winner=None))


HANDLERS: Mapping[type, Handler] = MappingProxyType(
    {
        events.GameWon: _game_won,
        events.ResultAccepted: _result_accepted,
        events.ResultFinal: _result_final,
        events.BrokenOff: _broken_off,
    }
)
