"""Record acts and undo them (rules reference, 7.13).

An act is what one undo takes back. Every action opens with `Acted`. Mostly an act is one action, but a peg that is
lifted, moved and released by its owner is one act. An undo is an event too, so the log keeps both.
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard import actions, events
from cribboard.actions import Action, By, IllegalAction, Question
from cribboard.deal.decision import Decision
from cribboard.position import PegState, Position, updated, without_question
from cribboard.rules import UndoBy, Way


def undo(decision: Decision, *, officially: bool = False) -> None:
    """Undo the last act, or ask the sides for their OK.

    The rules decide; an order of an official needs no OK. On auto, ask the sides that would lose points."""
    p = decision.position
    if not p.acts:
        raise IllegalAction("nothing_to_undo")
    before, side = p.acts[-1]
    losing = {score.side for score in p.scores if score.number > before and score.points}
    match UndoBy.FREE if officially else p.rules.claims.undo, p.way:
        case (UndoBy.OFFICIAL, _) | (UndoBy.AGREED, Way.VERIFY):
            decision.add(events.Asked(side, Question.UNDO))
        case UndoBy.AGREED, Way.AUTO if losing and p.rules.version > 1:
            keeping = (other for other in p.rules.sides if other not in losing)
            decision.add(events.Asked(next(keeping, side), Question.UNDO))
        case _:
            decision.go_back(before)


def asker_must_agree(p: Position) -> bool:
    """Whether the side that asks must say OK too."""
    return p.rules.claims.undo is UndoBy.OFFICIAL


# How the events change the position


def undone(history: Sequence[Position], event: events.Undone) -> Position:
    """Return the position after an undo.

    `history` has the beginning and the position after each event."""
    began = history[event.to + 1].last[0]
    return updated(
        history[event.to],
        number=len(history),
        question=None,
        answered=frozenset(),
        last=(history[-1].last[0], event),
        taken_back=began.action if isinstance(began, events.Acted) else None,
    )


def evolve(p: Position, event: events.UndoEvent) -> Position:
    """Return the position after an `Acted` event: it records the action.

    `Undone` changes nothing here: `undone` applies it, because an undo needs the history."""
    if isinstance(event, events.Undone):
        return p
    action = event.action
    seat = getattr(action, "seat", p.dealer or 0)  # starter and crib belong to the dealer
    side = getattr(action, "side", p.rules.side_of(seat))
    acts = (*p.acts, (p.number, side)) if _begins_act(p, action) else p.acts
    keeps_question = isinstance(action, _ABOUT_THE_GAME) or getattr(action, "by", None) is By.TIME
    return updated(p if keeps_question else without_question(p), acts=acts, last=(), taken_back=None)


#: Actions that keep an open question.
_ABOUT_THE_GAME = (actions.Undo, actions.UndoOfficially, actions.Ask, actions.Agree, actions.DropQuestion)


def _begins_act(p: Position, action: Action) -> bool:
    """Whether a new act begins with this action.

    On trust a peg that another side or the timer releases belongs to its owner's act: after an undo it is down where it
    was, and no timer releases it again. Questions and answers are no acts, except for the OK that voids a deal.
    """
    match action:
        case (
            actions.Undo() | actions.UndoOfficially() | actions.Ask() | actions.DropQuestion() | actions.AcceptResult()
        ):
            return False
        case actions.Agree():
            if p.question is None:
                return p.awaits_false_go_answer
            voids = p.question[0] in (Question.MISDEAL, Question.EXPOSED_CUT, Question.ROLL_BACK)
            return voids and len(p.answered) + 1 >= len(p.pegs)
    claim = p.claim
    if claim is None or claim.state is not PegState.IN_HAND or p.acts[-1:] != ((claim.since, claim.side),):
        return True
    match action:
        case actions.TakePegInHand(side) | actions.TakeZero(side) | actions.ReleasePeg(side):
            return side != claim.side
        case actions.Accept():
            return p.way is not Way.TRUST
    return True
