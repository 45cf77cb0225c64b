"""The legal actions of a position.

`expected` lists every action that `decide` allows and does not merely rule on, as chess libraries list legal moves. A
claim that would be ruled out of turn, too late or impossible is not listed, though the game answers it. Says nothing of
what is wise or due.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from cribboard import actions
from cribboard.actions import Action, By, IllegalAction, Question
from cribboard.cards import PACK
from cribboard.deal import muggins, rule_of_116
from cribboard.deal.decision import Decision
from cribboard.deal.go import may_all_pass, may_go_on, may_say_go
from cribboard.deal.impossible_points import doubts_about, highest_count
from cribboard.deal.laying_cards import highest_value_that_fits
from cribboard.deal.misdeal import may_have_seen_the_cut, may_misdeal
from cribboard.deal.order_of_points import comes_before_claim, sides_to_answer_first
from cribboard.deal.press_kind import TAKEN, acceptor, is_counting, may_claim_unread, presses_at, waits_for_answer
from cribboard.deal.show import may_show, waits_for_crib
from cribboard.deal.starter import waits_for_starter
from cribboard.deal.unread_cards import may_go_on_unread
from cribboard.event_terms import Doubt, Timing
from cribboard.evolution import evolve
from cribboard.position import PegState, Phase, Position, updated
from cribboard.referee import rule
from cribboard.rules import ExposedCut, Way

_SCORED = (Phase.PLAY, Phase.SHOW, Phase.PEGGING)


def expected(position: Position) -> tuple[Action, ...]:
    """List the legal actions; empty only when the game is over."""
    if position.phase is Phase.OVER:
        return ()
    if position.awaits_false_go_answer:
        return (*_false_go_answers(position), *_table_actions(position))
    if position.game_claimed is not None:
        return (*_challenge_actions(position), *_game_claim_answers(position), *_table_actions(position))
    play = (
        _phase_actions(position),
        _next_phase_actions(position),
        _peg_actions(position),
        _challenge_actions(position),
        _table_actions(position),
    )
    may = dict.fromkeys(chain.from_iterable(play))
    if not sides_to_answer_first(position):
        return tuple(may)
    return tuple(action for action in may if _is_allowed(position, action))


def _is_allowed(p: Position, action: Action) -> bool:
    """Whether `cribboard.referee` allows the action.

    Only used while a peg at the game hole waits for earlier points."""
    try:
        rule(p, action)
    except IllegalAction:
        return False
    return True


def _false_go_answers(p: Position) -> Iterator[Action]:
    """Yield the other sides' possible answers to a false go."""
    assert p.false_go is not None
    for side in p.rules.sides:
        if side != p.rules.side_of(p.false_go.seat):
            yield actions.LetLieDead(side)
            if p.question is None:
                yield actions.Agree(side)


def _game_claim_answers(p: Position) -> Iterator[Action]:
    """Yield the answers to a call that reaches the game hole."""
    acceptor_side = acceptor(p)
    for side in p.rules.sides:
        if side != p.game_claimed:
            if acceptor_side in (None, side) and p.open_challenge is None:
                yield actions.Accept(side)
            if not muggins.is_played(p):
                yield actions.Challenge(side)


def _challenge_actions(p: Position) -> Iterator[Action]:
    """Yield the actions that raise or answer a muggins challenge."""
    if not muggins.is_played(p):
        return
    if p.open_challenge is None:
        yield from (actions.Challenge(side) for side in p.rules.sides if muggins.may_challenge(p, side))
        return
    by, claim = p.open_challenge.by, p.claim
    yield actions.Challenge(by)
    yield actions.PutPegBack(by)
    yield from (actions.TakePegInHand(by, points) for points in range(1, p.left_to_go(by) + 1))
    if p.open_challenge.points is not None:
        yield from (actions.Accept(side) for side in p.rules.sides)
        are_heard = [side for side in p.rules.sides if side == by or p.game_claimed is None]
        yield from (actions.TakeZero(side) for side in are_heard if is_counting(p, side))
        yield from (actions.ReleasePeg(side) for side in are_heard)
    elif claim is not None and claim.side != by and claim.state is PegState.RELEASED:
        yield actions.Accept(by)
        yield actions.ReleasePeg(by)


def _phase_actions(p: Position) -> Iterator[Action]:
    match p.phase:
        case Phase.CUT:
            if p.way is not Way.TRUST and p.to_cut is not None:
                taken = {card for _, card in p.cuts}
                yield from (actions.CutForDeal(p.to_cut, card) for card in PACK if card not in taken)
            yield from (actions.NameDealer(seat) for seat in p.rules.seats)
        case Phase.DEAL:
            yield from (actions.TurnStarter(card) for card in PACK)
            yield from (actions.GoOnUnread(side) for side in p.rules.sides)
        case Phase.PLAY:
            assert p.turn is not None
            yield from (actions.GoOnUnread(side) for side in p.rules.sides)
            highest = highest_value_that_fits(p, p.turn)
            yield from (actions.LayCard(p.turn, card) for card in p.unseen if card.value <= highest)
            if may_say_go(p):
                yield actions.SayGo(p.turn)
            if may_all_pass(p):
                yield actions.AllPass(p.stack[-1][0])
            for seat in p.declared_for if p.count_over else ():
                yield actions.TakeBackPass(seat)
                others = () if seat == p.turn else p.unseen
                yield from (actions.LayCard(seat, card) for card in others if may_go_on(p, seat, card))
        case Phase.SHOW if waits_for_starter(p):
            yield from (actions.TurnStarter(card) for card in p.unseen)
            yield from (actions.GoOnUnread(side) for side in p.rules.sides)
        case Phase.SHOW if p.to_show is not None:
            yield from (actions.GoOnUnread(side) for side in p.rules.sides if may_go_on_unread(p))
            fits = (card for card in p.unseen if may_show(p, p.to_show, card))
            yield from (actions.ShowCard(p.to_show, card) for card in fits)
        case Phase.SHOW if waits_for_crib(p):
            yield from (actions.GoOnUnread(side) for side in p.rules.sides)
            yield from (actions.ReadCrib(card) for card in p.unseen)
        case Phase.SHOW if p.way is Way.AUTO:
            yield from (actions.OpenCount(side) for side in p.rules.sides)
        case Phase.PEGGING if p.claim is None and p.dealer is not None:
            yield actions.EndDeal(p.rules.side_of(p.dealer))
        case Phase.WON:
            yield from (actions.AcceptResult(side) for side in p.rules.sides if side not in p.agreed)


def _next_phase_actions(p: Position) -> Iterator[Action]:
    """Yield the legal actions after the open muggins claim is settled.

    Each of these actions settles it first."""
    if p.phase is not Phase.SHOW or p.open_challenge is None or p.open_challenge.points is None:
        return
    decision = Decision(p, evolve)
    muggins.settle_challenge(decision)
    if decision.position.phase is Phase.SHOW:
        yield from _phase_actions(decision.position)


def _peg_actions(p: Position) -> Iterator[Action]:
    if p.phase not in _SCORED:
        return
    if p.open_challenge is not None:
        if muggins.challenge_is_too_early(p, p.open_challenge.against):
            yield from peg_presses(p, p.open_challenge.against)
        return
    if p.way is Way.AUTO and not any(may_claim_unread(p, side) for side in p.rules.sides):
        return
    claim, acceptor_side = p.claim, acceptor(p)
    for side in p.rules.sides:
        mine = claim is not None and claim.side == side
        yield from peg_presses(p, side)
        if claim and mine and claim.state is PegState.IN_HAND:
            yield actions.PutPegBack(side)
            if claim.doubt is Doubt.NINETEEN or (claim.doubt is Doubt.NONE and claim.timing is Timing.IN_TIME):
                yield actions.ReleasePeg(side)
                if p.way is Way.TRUST and claim.doubt is Doubt.NONE:
                    yield actions.ReleasePeg(side, By.TIME)
        if claim and not mine and p.way is not Way.AUTO:
            if claim.doubt is Doubt.NONE:
                if acceptor_side in (None, side) or side in sides_to_answer_first(p):
                    yield actions.Accept(side)
                may_be_judged = claim.state is PegState.RELEASED and not muggins.is_played(p)
                if may_be_judged or not p.silent or claim.timing is Timing.LATE:
                    yield actions.Challenge(side)
            elif p.way is Way.TRUST or claim.timing is Timing.LATE:
                yield actions.Challenge(side)
        own_count = is_counting(p, side) and p.unclaimed(side)
        if p.way is Way.VERIFY and own_count and not waits_for_answer(p, side):
            yield actions.TakeZero(side)


def peg_presses(p: Position, side: int) -> Iterator[actions.TakePegInHand]:
    """Yield this side's legal presses of a hole, nearest first.

    Presses that only get a ruling are left out."""
    if p.phase not in _SCORED or (p.way is Way.AUTO and not may_claim_unread(p, side)):
        return
    farthest = p.left_to_go(side)
    if p.way is not Way.TRUST:
        farthest = min(farthest, highest_count(p, side))
    holes = range(1, farthest + 1)
    doubts = doubts_about(p, side, holes)
    here = back = presses_at(p, side, holes)
    if p.claim is not None and p.claim.side != side:  # the other peg may go back
        back = presses_at(updated(p, claim=None), side, holes)
    for points, doubt, as_it_is, without_claim in zip(holes, doubts, here, back, strict=True):
        meant = as_it_is
        if as_it_is is not without_claim and comes_before_claim(p, side, points):
            meant = without_claim
        if meant not in TAKEN or rule_of_116.bars_single_point(p, side, points):
            continue
        if p.way is Way.TRUST or doubt is not Doubt.FAR:
            yield actions.TakePegInHand(side, points)


def _table_actions(p: Position) -> Iterator[Action]:
    sides = p.rules.sides
    yield actions.BreakOff()
    if p.acts:
        yield actions.Undo()
        yield actions.UndoOfficially()
    if p.question is not None:
        yield actions.DropQuestion()
        yield from (actions.Agree(side) for side in sides if side not in p.answered)
    if p.phase is not Phase.WON:
        asked = p.question[0] if p.question else None
        for question in _questions(p):
            yield from (
                actions.Ask(side, question) for side in sides if question is not asked or side not in p.answered
            )


def _questions(p: Position) -> Iterator[Question]:
    """Yield the questions that a side may ask now."""
    yield Question.BREAK_OFF
    if p.false_go is not None:
        yield Question.ROLL_BACK
    if may_misdeal(p):
        yield Question.MISDEAL
    if may_have_seen_the_cut(p) and p.rules.deal_and_play.exposed_cut is not ExposedCut.IGNORE:
        yield Question.EXPOSED_CUT
