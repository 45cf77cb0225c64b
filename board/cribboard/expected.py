"""What may be done now, and by whom.

`expected` lists every action that `decide` would answer and not refuse, as chess libraries list legal moves. It says
nothing of what is wise, nor of what is due. A claim that would be ruled (out of turn, too late, impossible) is not
expected, though the game has an answer to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    AllPass,
    Ask,
    BreakOff,
    By,
    Challenge,
    CutForDeal,
    DropQuestion,
    EndDeal,
    LayCard,
    NameDealer,
    OpenCount,
    PutPegBack,
    Question,
    ReadCrib,
    ReleasePeg,
    SayGo,
    ShowCard,
    TakeBackPass,
    TakePegInHand,
    TakeZero,
    TurnStarter,
    Undo,
)
from cribboard.cards import PACK
from cribboard.claims import acceptor, counts_next, doubt_about, is_count, takes_no_single
from cribboard.course import may_all_pass, may_go_on, may_lay, may_say_go, waits_for_crib
from cribboard.events import Doubt, Timing
from cribboard.position import Claim, PegState, Phase, Position
from cribboard.referee import may_misdeal
from cribboard.rules import ExposedCut, LateClaim, Way


def expected(position: Position) -> tuple[Action, ...]:
    """The actions that are legal now. Never empty before the game is over."""
    if position.phase is Phase.OVER:
        return ()
    return (*_of_the_phase(position), *_of_the_pegs(position), *_of_the_table(position))


def _of_the_phase(p: Position) -> Iterator[Action]:
    match p.phase:
        case Phase.CUT:
            if p.way is not Way.TRUST and p.to_cut is not None:
                taken = {card for _, card in p.cuts}
                yield from (CutForDeal(p.to_cut, card) for card in PACK if card not in taken)
            yield from (NameDealer(seat) for seat in p.rules.seats)
        case Phase.DEAL:
            yield from (TurnStarter(card) for card in PACK)
        case Phase.PLAY:
            assert p.turn is not None
            yield from (LayCard(p.turn, card) for card in PACK if not p.seen(card) and may_lay(p, p.turn, card))
            if may_say_go(p):
                yield SayGo(p.turn)
            if may_all_pass(p):
                yield AllPass(p.stack[-1][0])
            for seat in p.passed if p.count_over else ():
                yield TakeBackPass(seat)
                others = () if seat == p.turn else PACK
                yield from (LayCard(seat, card) for card in others if not p.seen(card) and may_go_on(p, seat, card))
        case Phase.SHOW if p.to_show is not None:
            yield from (ShowCard(p.to_show, card) for card in PACK if not p.seen(card))
        case Phase.SHOW if waits_for_crib(p):
            yield from (ReadCrib(card) for card in PACK if not p.seen(card))
        case Phase.SHOW if p.way is Way.AUTO:
            yield from (OpenCount(side) for side in p.rules.sides)
        case Phase.PEGGING if p.claim is None and p.dealer is not None:
            yield EndDeal(p.rules.side_of(p.dealer))
        case Phase.WON:
            yield from (AcceptResult(side) for side in p.rules.sides if side not in p.agreed)


def _of_the_pegs(p: Position) -> Iterator[Action]:
    if p.way is Way.AUTO or p.phase not in (Phase.PLAY, Phase.SHOW, Phase.PEGGING):
        return
    claim, whose = p.claim, acceptor(p)
    for side in p.rules.sides:
        mine = claim is not None and claim.side == side
        yield from _takes(p, side)
        if claim and mine and claim.state is PegState.IN_HAND:
            yield PutPegBack(side)
            if claim.doubt is Doubt.NINETEEN or (claim.doubt is Doubt.NONE and claim.timing is Timing.IN_TIME):
                yield ReleasePeg(side)
                if p.way is Way.TRUST and claim.doubt is Doubt.NONE:
                    yield ReleasePeg(side, By.TIME)
        if claim and not mine:
            if claim.doubt is Doubt.NONE:
                if whose in (None, side):
                    yield Accept(side)
                yield Challenge(side)
            elif p.way is Way.TRUST or claim.timing is Timing.LATE:
                yield Challenge(side)
        if p.way is Way.VERIFY and p.counting and p.rules.side_of(p.counting[0]) == side and p.unclaimed(side):
            yield TakeZero(side)


def _takes(p: Position, side: int) -> Iterator[Action]:
    """Holes where a peg would be in hand, and not only ruled upon."""
    if p.way is Way.VERIFY and not _may_claim(p, side, p.claim):
        return
    for points in range(1, p.left_to_go(side) + 1):
        if takes_no_single(p, side, points):
            continue
        if p.way is Way.TRUST or doubt_about(p, side, points) is not Doubt.FAR:
            yield TakePegInHand(side, points)


def _may_claim(p: Position, side: int, claim: Claim | None) -> bool:
    if claim is not None and claim.side == side:
        return claim.state is PegState.IN_HAND or bool(p.open[side])
    if claim is not None and is_count(p):
        return counts_next(p, side)
    late = p.rules.claims.late_claim is LateClaim.AGREED and bool(p.missed[side])
    return bool(p.open[side]) or late or counts_next(p, side)


def _of_the_table(p: Position) -> Iterator[Action]:
    sides = p.rules.sides
    yield BreakOff()
    if p.acts:
        yield Undo()
    if p.question is not None:
        yield DropQuestion()
        yield from (Agree(side) for side in sides if side not in p.answered)
    if p.phase is not Phase.WON:
        asked = p.question[0] if p.question else None
        for question in _questions(p):
            yield from (Ask(side, question) for side in sides if question is not asked or side not in p.answered)


def _questions(p: Position) -> Iterator[Question]:
    """What a side may ask for from the menu."""
    yield Question.BREAK_OFF
    if may_misdeal(p):
        yield Question.MISDEAL
        if p.rules.deal_and_play.exposed_cut is not ExposedCut.IGNORE:
            yield Question.EXPOSED_CUT
