"""Questions that need another side's OK (rules reference, 7.10 to 7.13).

They are a misdeal, a card seen at the cut, going back to a false go, breaking off, and an undo that is not free."""

from __future__ import annotations

from dataclasses import replace

from cribboard import events
from cribboard.actions import IllegalAction, Question
from cribboard.deal import false_go, misdeal, undo
from cribboard.deal.decision import Decision
from cribboard.position import Position, updated, without_question
from cribboard.rules import ExposedCut


def ask(decision: Decision, side: int, question: Question) -> None:
    """Ask the other sides a question, or agree if they ask the same."""
    p = decision.position
    match question:
        case Question.UNDO:
            raise IllegalAction("nothing_to_undo")
        case Question.EXPOSED_CUT if p.rules.deal_and_play.exposed_cut is ExposedCut.IGNORE:
            raise IllegalAction("no_exposed_cut")
        case Question.ROLL_BACK if p.false_go is None:
            raise IllegalAction("nothing_to_roll_back")
        case Question.MISDEAL if not misdeal.may_misdeal(p):
            raise IllegalAction("no_deal_now")
        case Question.EXPOSED_CUT if not misdeal.may_have_seen_the_cut(p):
            raise IllegalAction("no_misdeal_now")
        case Question.EXPOSED_CUT if p.rules.deal_and_play.exposed_cut is ExposedCut.TOP_CARD_STANDS:
            decision.add(events.CutStands())
        case _ if p.question and p.question[0] is question:
            agree(decision, side)
        case _:
            decision.add(events.Asked(side, question))


def agree(decision: Decision, side: int) -> None:
    """Let this side say OK to the open question.

    The last OK does what was asked; asking counts as an OK. Without an open question, an OK takes play back to the
    false go that waits for an answer."""
    p = decision.position
    if p.awaits_false_go_answer and p.question is None:
        false_go.go_back(decision, side)
        return
    if p.question is None:
        raise IllegalAction("nothing_asked")
    question, _ = p.question
    if side in p.answered:
        raise IllegalAction("waits_for_other_side", side=side)
    if len(p.answered) + 1 < len(p.pegs):
        decision.add(events.Agreed(side))
        return
    match question:
        case Question.UNDO:
            decision.go_back(p.acts[-1][0])
        case Question.MISDEAL | Question.EXPOSED_CUT:
            misdeal.void_deal(decision)
        case Question.ROLL_BACK:
            assert p.false_go is not None
            decision.add(events.RolledBack(p.false_go.seat))
        case Question.BREAK_OFF:
            decision.add(events.BrokenOff())


def drop(decision: Decision) -> None:
    """Withdraw the open question."""
    question = decision.position.question
    if question is None:
        raise IllegalAction("nothing_asked")
    decision.add(events.QuestionDropped(question[0]))


# How the events change the position


def evolve(p: Position, event: events.QuestionEvent) -> Position:
    """Apply a question event to the position.

    Without an open question, `Agreed` is an OK to a peg at the game hole."""
    match event:
        case events.Asked(side, question):
            by_all = question is Question.UNDO and undo.asker_must_agree(p)
            return updated(p, question=(question, side), answered=frozenset(() if by_all else {side}))
        case events.Agreed(side) if p.question is None and p.claim:  # to a peg at the game hole
            return updated(p, claim=replace(p.claim, approved_by=(*p.claim.approved_by, side)))
        case events.Agreed(side):
            return updated(p, answered=p.answered | {side})
        case events.QuestionDropped():
            return without_question(p)
