"""Record acts and undo them (rules reference, 7.13).

Every action opens with `Acted`. An act is what one undo takes back: mostly one action, but a peg that is lifted, moved
and released by its owner is one act. An undo is an event too, so the log keeps both.
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard import actions, events
from cribboard.actions import Action, By, IllegalAction, Question
from cribboard.deal.decision import Decision
from cribboard.position import Handlers, PegState, Position, unchanged, updated, without_question
from cribboard.rules import UndoBy, Way


def undo(decision: Decision) -> None:
    """Undo the last act: at once, or after the OK of the other sides if the rules require it. On auto, ask the sides
    that would lose points."""
    p = decision.position
    if not p.acts:
        raise IllegalAction("nothing_to_undo")
    before, side = p.acts[-1]
    match p.rules.claims.undo:
        case UndoBy.OFFICIAL:
            decision.add(events.Asked(side, Question.UNDO))
        case UndoBy.AGREED if p.way is Way.VERIFY:
            decision.add(events.Asked(side, Question.UNDO))
        case UndoBy.AGREED if p.way is Way.AUTO and (losing := _pegged_by_last_act(p)):
            keeping = (other for other in p.rules.sides if other not in losing)
            decision.add(events.Asked(next(keeping, side), Question.UNDO))
        case _:
            decision.go_back(before)


def undo_officially(decision: Decision) -> None:
    """Undo the last act, as an official orders; no side is asked."""
    p = decision.position
    if not p.acts:
        raise IllegalAction("nothing_to_undo")
    decision.go_back(p.acts[-1][0])


def _pegged_by_last_act(p: Position) -> set[int]:
    """The sides whose pegs the last act moved. Empty before version 2 of the rulings."""
    since = p.acts[-1][0]
    return {score.side for score in p.scores if score.number > since and score.points} if p.rules.version > 1 else set()


# How the events change the position


def undone(history: Sequence[Position], event: events.Undone) -> Position:
    """The position after an undo. `history` has the beginning and the position after each event."""
    began = history[event.to + 1].last[0]
    return updated(
        history[event.to],
        number=len(history),
        question=None,
        answered=frozenset(),
        last=(history[-1].last[0], event),
        taken_back=began.action if isinstance(began, events.Acted) else None,
    )


def _acted(p: Position, event: events.Acted) -> Position:
    action = event.action
    acts = (*p.acts, (p.number, _whose(p, action))) if _begins_act(p, action) else p.acts
    keeps_question = isinstance(action, _ABOUT_THE_GAME) or getattr(action, "by", None) is By.TIME
    return updated(p if keeps_question else without_question(p), acts=acts, last=(), taken_back=None)


#: Actions that leave an open question open.
_ABOUT_THE_GAME = (actions.Undo, actions.UndoOfficially, actions.Ask, actions.Agree, actions.DropQuestion)


def _begins_act(p: Position, action: Action) -> bool:
    """Whether this action begins a new act.

    On trust a peg that another side or the timer releases belongs to its owner's act: undone, it is down where it was,
    and no timer releases it again. Words about the game are no acts, but for the OK that voids a deal.
    """
    match action:
        case (
            actions.Undo() | actions.UndoOfficially() | actions.Ask() | actions.DropQuestion() | actions.AcceptResult()
        ):
            return False
        case actions.Agree() if p.awaits_false_go_answer and p.question is None:
            return True
        case actions.Agree():
            if p.question is None or len(p.answered) + 1 < len(p.pegs):
                return False
            return p.question[0] in (Question.MISDEAL, Question.EXPOSED_CUT, Question.ROLL_BACK)
    claim = p.claim
    if claim is None or claim.state is not PegState.IN_HAND or p.acts[-1:] != ((claim.since, claim.side),):
        return True
    match action:
        case actions.TakePegInHand(side) | actions.TakeZero(side) | actions.ReleasePeg(side):
            return side != claim.side
        case actions.Accept():
            return p.way is not Way.TRUST
    return True


def _whose(p: Position, action: Action) -> int:
    """The side that acts. An action without a seat (starter, crib) belongs to the dealer's side."""
    match getattr(action, "side", None), getattr(action, "seat", None):
        case int(side), _:
            return side
        case _, int(seat):
            return p.rules.side_of(seat)
    return p.rules.side_of(p.dealer or 0)


#: `undone` handles `Undone` wherever there is a history to go back in.
HANDLERS: Handlers = {events.Acted: _acted, events.Undone: unchanged}
