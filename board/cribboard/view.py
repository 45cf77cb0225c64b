"""What an eye may see: the only door out of the game.

Lights, screen, page and voice are all given a `View` and nothing else. It never holds what is due before a claim is
closed (design law 9); of a table that trusts it holds no hand, no crib and no count, for there is none to know.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cribboard.actions import Action, Question
from cribboard.cards import Card
from cribboard.events import CutTied, Doubt, Event, Occasion, Timing
from cribboard.position import Claim, PegState, Phase, Position
from cribboard.referee import may_misdeal, waits_for_crib
from cribboard.rules import Way


class Eye(StrEnum):
    """Who looks."""

    TABLE = "table"


class Asks(StrEnum):
    """What the table asks now. Each has one line in each language, and names its side or seat in `Ask.values`."""

    CUT = "cut"
    CUT_AGAIN = "cut_again"
    WHO_DEALS = "who_deals"
    STARTER = "starter"
    LEAD = "lead"
    LAY = "lay"
    LAY_AFTER_GO = "lay_after_go"
    PEG = "peg"
    RELEASE = "release"
    ZERO = "zero"
    NINETEEN = "nineteen"
    SAME_HOLE = "same_hole"
    LATE = "late"
    COUNT_HAND = "count_hand"
    COUNT_CRIB = "count_crib"
    ACCEPT = "accept"
    READ_CRIB = "read_crib"
    NEXT_COUNT = "next_count"
    UNDO = "undo"
    MISDEAL = "misdeal"
    BREAK_OFF = "break_off"
    RESULT = "result"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Ask:
    """Who must do what now. `side` is who is asked, None where anybody may; `values` fill the line."""

    what: Asks
    side: int | None = None
    values: dict[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.what, self.side))


@dataclass(frozen=True, slots=True)
class SideView:
    """A side's two pegs and, where one is lifted, the points at which it would stand."""

    score: int
    back: int
    in_hand: int | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """A card of the running count, and who laid it."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class View:
    """One picture of the table.

    `said` is the latest act and what it caused, in order: what was just done, scored and ruled. `count` is None
    unless cards are being laid. `counted` is the hand or crib that is being counted, with `starter`. `way`, `target`
    and `rules` are what is being played; `deal` counts from 1; `dealer` is a seat, `dealer_side` its side. `undone` is
    what the latest act took back, if that is what it did.
    """

    number: int
    rules: str
    way: Way
    phase: Phase
    target: int
    sides: tuple[SideView, ...]
    ask: Ask
    deal: int
    dealer: int | None
    dealer_side: int | None
    turn: int | None
    count: int | None
    laid: tuple[Laid, ...]
    starter: Card | None
    counted: tuple[Card, ...]
    crib_read: int
    said: tuple[Event, ...]
    claim: Claim | None
    may_undo: bool
    may_misdeal: bool
    winner: int | None
    skunked: bool
    undone: Action | None


def see(position: Position, eye: Eye = Eye.TABLE) -> View:
    """The view of `position` that `eye` may have. One screen serves the whole table, so its eye is the strictest."""
    del eye  # one eye so far
    p = position
    return View(
        number=p.number,
        rules=p.rules.label,
        way=p.way,
        phase=p.phase,
        target=p.rules.game.target,
        sides=tuple(SideView(pegs.front, pegs.back, _in_hand(p, side)) for side, pegs in enumerate(p.pegs)),
        ask=ask_of(p),
        deal=p.deal,
        dealer=p.dealer,
        dealer_side=None if p.dealer is None else p.rules.side_of(p.dealer),
        turn=p.turn,
        count=p.count if p.phase is Phase.PLAY else None,
        laid=tuple(Laid(seat, card) for seat, card in p.stack) if p.phase is Phase.PLAY else (),
        starter=p.starter,
        counted=_counted(p),
        crib_read=len(p.crib),
        said=p.last,
        claim=p.claim,
        may_undo=bool(p.acts) and p.phase is not Phase.OVER,
        may_misdeal=may_misdeal(p),
        winner=p.winner,
        skunked=is_skunk(p),
        undone=p.taken_back,
    )


def is_skunk(p: Position) -> bool:
    """Whether the game is won with a loser below the skunk line."""
    line = p.rules.game.skunk_line
    losers = [pegs.front for side, pegs in enumerate(p.pegs) if side != p.winner]
    return p.winner is not None and line is not None and all(score < line for score in losers)


def ask_of(p: Position) -> Ask:
    """Who must do what now (rules reference, section 7)."""
    if p.question is not None:
        question, asked_by = p.question
        return Ask(_QUESTIONS[question], _other(p, asked_by))
    if p.claim is not None and (asked := _ask_of_claim(p, p.claim)):
        return asked
    match p.phase:
        case Phase.CUT if p.way is Way.TRUST:
            return Ask(Asks.WHO_DEALS)
        case Phase.CUT:
            seat = len(p.cuts)
            tied = any(isinstance(event, CutTied) for event in p.last)
            return Ask(Asks.CUT_AGAIN if tied else Asks.CUT, p.rules.side_of(seat), {"seat": seat})
        case Phase.DEAL:
            cards, discards = p.rules.deal_and_play.cards_dealt, p.rules.deal_and_play.discards
            return Ask(Asks.STARTER, _dealer_side(p), {"seat": p.dealer, "cards": cards, "discards": discards})
        case Phase.PLAY:
            assert p.turn is not None
            what = Asks.LEAD if p.count_over else Asks.LAY_AFTER_GO if p.gone else Asks.LAY
            values: dict[str, Any] = {"seat": p.turn}
            if p.gone:
                values["gone"] = min(p.gone)
            return Ask(what, p.rules.side_of(p.turn), values)
        case Phase.SHOW if p.counting:
            seat, occasion = p.counting
            what = Asks.COUNT_CRIB if occasion is Occasion.CRIB else Asks.COUNT_HAND
            return Ask(what, p.rules.side_of(seat), {"seat": seat})
        case Phase.SHOW if waits_for_crib(p):
            return Ask(Asks.READ_CRIB, _dealer_side(p), {"seat": p.dealer, "read": len(p.crib)})
        case Phase.SHOW:
            return Ask(Asks.NEXT_COUNT)
        case Phase.PEGGING:
            return Ask(Asks.PEG, None, {"seat": p.dealer})
        case Phase.WON:
            waiting = [side for side in range(len(p.pegs)) if side not in p.agreed]
            return Ask(Asks.RESULT, waiting[0] if len(waiting) == 1 else None)
        case Phase.OVER:
            return Ask(Asks.OVER)


_QUESTIONS = {Question.UNDO: Asks.UNDO, Question.MISDEAL: Asks.MISDEAL, Question.BREAK_OFF: Asks.BREAK_OFF}


def _ask_of_claim(p: Position, claim: Claim) -> Ask | None:
    """What a peg in hand or let go asks of the table; None where play simply goes on."""
    other = _other(p, claim.side)
    values = {"points": claim.points, "total": p.pegs[claim.side].front + claim.points, "claimant": claim.side}
    if claim.state is PegState.IN_HAND:
        if claim.doubt is Doubt.NINETEEN:
            return Ask(Asks.NINETEEN, claim.side, values)
        if claim.doubt is Doubt.FAR:
            return Ask(Asks.SAME_HOLE, claim.side, values)
        if claim.timing is Timing.LATE:
            return Ask(Asks.LATE, other, values)
        return Ask(Asks.RELEASE if claim.points else Asks.ZERO, claim.side, values)
    counts = p.counting is not None and p.rules.side_of(p.counting[0]) == claim.side
    if p.way is Way.VERIFY and p.phase is Phase.SHOW and counts and not p.open[claim.side]:
        return Ask(Asks.ACCEPT, other, values)
    if p.way is Way.AUTO and p.phase is Phase.SHOW:
        return Ask(Asks.NEXT_COUNT)
    return None


def _in_hand(p: Position, side: int) -> int | None:
    claim = p.claim
    if claim is None or claim.side != side or claim.state is not PegState.IN_HAND:
        return None
    return p.pegs[side].front + claim.points


def _counted(p: Position) -> tuple[Card, ...]:
    if p.phase is not Phase.SHOW or p.counting is None:
        return ()
    seat, occasion = p.counting
    return p.crib if occasion is Occasion.CRIB else p.hands[seat]


def _dealer_side(p: Position) -> int | None:
    return None if p.dealer is None else p.rules.side_of(p.dealer)


def _other(p: Position, side: int) -> int:
    """The side that answers `side`: the next to its left."""
    return (side + 1) % len(p.pegs)
