"""Views of a position, with only what may be shown.

Lights, screen, pages and voice get only a `View`. No view holds what is due before the claim is closed (design law 9).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cribboard.actions import Action
from cribboard.cards import Card
from cribboard.deal import rule_of_116
from cribboard.deal.claim_windows import covered
from cribboard.deal.order_of_points import sides_to_answer_first
from cribboard.deal.press_kind import acceptor, is_count, waits_for_answer
from cribboard.deal.show import waits_for_crib
from cribboard.deal.starter import waits_for_starter
from cribboard.event_terms import OF_SHOW, Doubt, Occasion, Timing
from cribboard.events import CutTied, Event
from cribboard.position import Claim, OpenChallenge, PegState, Phase, Position
from cribboard.rules import Telling, Way
from cribboard.score_entry import ScoreEntry
from cribboard.skunk import Skunk


class Eye(StrEnum):
    """The viewer for whom a view is made."""

    TABLE = "table"


class PromptKind(StrEnum):
    """The kind of a prompt: what must be done next.

    Each kind has one line of text in each language, filled from `Prompt.values`."""

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
    POINTS_FIRST = "points_first"
    NINETEEN = "nineteen"
    SAME_HOLE = "same_hole"
    LATE = "late"
    COUNT_HAND = "count_hand"
    COUNT_CRIB = "count_crib"
    ACCEPT = "accept"
    READ_HAND = "read_hand"
    READ_CRIB = "read_crib"
    NEXT_COUNT = "next_count"
    UNDO = "undo"
    MISDEAL = "misdeal"
    EXPOSED_CUT = "exposed_cut"
    BREAK_OFF = "break_off"
    ROLL_BACK = "roll_back"
    CHALLENGE = "challenge"
    MUGGINS = "muggins"
    GAME_CLAIMED = "game_claimed"
    RENEGE = "renege"
    READ_STARTER = "read_starter"
    RESULT = "result"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Prompt:
    """The prompt that the table shows."""

    kind: PromptKind  # what must be done
    side: int | None = None  # who is asked; None if several sides, or any side
    values: dict[str, Any] = field(default_factory=dict)  # fill the line of text


@dataclass(frozen=True, slots=True)
class SideView:
    """The pegs of one side in a view, in points."""

    score: int  # the front peg
    back: int  # the back peg
    in_hand: int | None = None  # where a peg in hand would stand
    barred: bool = False  # where the front peg stands, the side can take no single point: `cribboard.deal.rule_of_116`


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card of the running count, with its seat."""

    seat: int  # who laid it
    card: Card | None  # None if it could not be read


@dataclass(frozen=True, slots=True)
class View:
    """The part of a position that a viewer may see."""

    number: int  # events so far

    # What is played
    rules: str  # the label
    way: Way  # how the table scores: trust, verify or auto
    phase: Phase  # which part of the game it is
    target: int  # the game hole
    players: int  # seats
    no_single_from: int | None  # from this score on no side takes a single point

    # What the table shows now
    sides: tuple[SideView, ...]  # in their order at the table
    prompt: Prompt  # who must do what now
    deal: int  # from 1; 0 before the first
    dealer: int | None  # a seat
    dealer_side: int | None  # the dealer's side
    turn: int | None  # the seat that lays or counts next
    count: int | None  # the running count; None outside the play, or if a card of it could not be read
    laid: tuple[LaidCard, ...]  # the cards of the running count, oldest first
    starter: Card | None  # None until it is turned
    counted: tuple[Card, ...]  # the hand or crib that is being counted, without the starter
    said: tuple[Event, ...]  # the latest act and what it caused
    claim: Claim | None  # the one peg in hand, or released and not accepted yet

    may_roll_back: bool  # a false go came to light
    silent: bool  # calls are judged when another side has answered them
    telling: Telling  # what the rules let the board tell
    winner: int | None  # a side
    skunk: Skunk  # NONE unless the game is won with one
    undone: Action | None  # what the latest act took back, if it is an undo
    scores: tuple[ScoreEntry, ...]  # all settled scores, oldest first

    @property
    def skunked(self) -> bool:
        """Whether the game is won with a single or double skunk."""
        return self.skunk is not Skunk.NONE


def see(position: Position, eye: Eye = Eye.TABLE) -> View:
    """Make the view of `position` for `eye`.

    The whole table shares one screen, so `Eye.TABLE` is the strictest eye."""
    del eye  # there is one so far
    p = position
    return View(
        number=p.number,
        rules=p.rules.label,
        way=p.way,
        phase=p.phase,
        target=p.rules.game.target,
        players=p.rules.deal_and_play.players,
        no_single_from=p.rules.game.no_single_point_from,
        sides=tuple(
            SideView(pegs.front, pegs.back, _in_hand(p, side), barred=rule_of_116.applies_at(p.rules.game, pegs.front))
            for side, pegs in enumerate(p.pegs)
        ),
        prompt=prompt_of(p),
        deal=p.deal,
        dealer=p.dealer,
        dealer_side=_dealer_side(p),
        turn=p.turn,
        count=p.count if p.phase is Phase.PLAY and not p.blind else None,
        laid=tuple(LaidCard(seat, card) for seat, card in p.stack) if p.phase is Phase.PLAY else (),
        starter=p.starter,
        counted=_counted(p),
        said=p.last,
        claim=p.claim,
        may_roll_back=p.false_go is not None,
        silent=p.silent,
        telling=p.rules.claims.telling,
        winner=p.winner,
        skunk=p.skunk,
        undone=p.taken_back,
        scores=p.scores,
    )


def prompt_of(p: Position) -> Prompt:
    """Find the prompt for this position (rules reference, section 7)."""
    if p.question is not None:
        question, asked_by = p.question
        return Prompt(PromptKind[question.name], _last_of(p, p.answered), {"claimant": asked_by})
    if p.awaits_false_go_answer and p.false_go is not None:
        seat = p.false_go.seat
        return Prompt(
            PromptKind.RENEGE, _other_of_two(p, p.rules.side_of(seat)), {"seat": seat, "card": p.false_go.card}
        )
    if p.open_challenge is not None:
        return _prompt_of_challenge(p, p.open_challenge)
    if p.claim is not None and (asked := _prompt_of_claim(p, p.claim)):
        return asked
    match p.phase:
        case Phase.CUT if p.way is Way.TRUST:
            return Prompt(PromptKind.WHO_DEALS)
        case Phase.CUT:
            assert p.to_cut is not None
            seat = p.to_cut
            tied = any(isinstance(event, CutTied) for event in p.last)
            return Prompt(PromptKind.CUT_AGAIN if tied else PromptKind.CUT, p.rules.side_of(seat), {"seat": seat})
        case Phase.DEAL:
            return Prompt(PromptKind.STARTER, _dealer_side(p), _how_to_deal(p))
        case Phase.PLAY:
            assert p.turn is not None
            kind = PromptKind.LEAD if p.count_over else PromptKind.LAY_AFTER_GO if p.said_go else PromptKind.LAY
            values: dict[str, Any] = {"seat": p.turn}
            if kind is PromptKind.LAY_AFTER_GO:
                values["gone"] = next(
                    (seat for seat, _ in reversed(p.binding_gos) if seat in p.said_go), min(p.said_go)
                )
            return Prompt(kind, p.rules.side_of(p.turn), values)
        case Phase.SHOW if p.counting:
            seat, occasion = p.counting
            kind = PromptKind.COUNT_CRIB if occasion is Occasion.CRIB else PromptKind.COUNT_HAND
            side = p.rules.side_of(seat)
            return Prompt(kind, side, {"seat": seat, "of": _next_press_is_for(p, side)})
        case Phase.SHOW if waits_for_starter(p):
            return Prompt(PromptKind.READ_STARTER)
        case Phase.SHOW if p.to_show is not None:
            unread = len(p.unread[p.to_show]) if p.unread else 0
            shown = {"seat": p.to_show, "read": len(p.hands[p.to_show]), "unread": unread}
            return Prompt(PromptKind.READ_HAND, p.rules.side_of(p.to_show), shown)
        case Phase.SHOW if waits_for_crib(p):
            return Prompt(PromptKind.READ_CRIB, _dealer_side(p), {"seat": p.dealer, "read": len(p.crib)})
        case Phase.SHOW:
            return Prompt(PromptKind.NEXT_COUNT)
        case Phase.PEGGING:
            return Prompt(PromptKind.PEG, None, {"seat": p.dealer})
        case Phase.WON:
            return Prompt(PromptKind.RESULT, _last_of(p, p.agreed))
        case Phase.OVER:
            return Prompt(PromptKind.OVER)


def _prompt_of_challenge(p: Position, open_challenge: OpenChallenge) -> Prompt:
    """Make the prompt for the challenger.

    If no call `waits`, ask only about missed points."""
    waits = p.claim is not None and p.claim.side == open_challenge.against
    values: dict[str, Any] = {"claimant": open_challenge.against, "by": open_challenge.by, "waits": waits}
    if open_challenge.points is None:
        return Prompt(PromptKind.CHALLENGE, open_challenge.by, values)
    total = p.pegs[open_challenge.by].front + open_challenge.points
    return Prompt(PromptKind.MUGGINS, open_challenge.by, {**values, "points": open_challenge.points, "total": total})


def _other_of_two(p: Position, side: int) -> int | None:
    """Return the other of two sides; None with three sides."""
    return 1 - side if len(p.pegs) == 2 else None


def _last_of(p: Position, answered: frozenset[int]) -> int | None:
    """Return the only side that must still answer, or None."""
    waiting = [side for side in p.rules.sides if side not in answered]
    return waiting[0] if len(waiting) == 1 else None


def _how_to_deal(p: Position) -> dict[str, Any]:
    """Return the values of the prompt for the deal."""
    assert p.dealer is not None
    deal = p.rules.deal_and_play
    return {
        "seat": p.dealer,
        "cards": deal.cards_dealt,
        "discards": deal.discards,
        "cutter": p.rules.cutter(p.dealer),
        "from_pack": deal.crib_from_pack,
        "four": p.rules.short_hands(p.dealer),
        "buried": p.rules.burying_seats(p.dealer),
    }


def _prompt_of_claim(p: Position, claim: Claim) -> Prompt | None:
    """Return the prompt that this claim needs, or None."""
    other = acceptor(p)
    total = p.pegs[claim.side].front
    if not (p.silent and claim.state is PegState.RELEASED):  # in a silent game a released peg is in its hole
        total += claim.points
    values = {"points": claim.points, "total": total, "claimant": claim.side}
    if claim.state is PegState.IN_HAND:
        if claim.doubt is Doubt.NINETEEN:
            return Prompt(PromptKind.NINETEEN, claim.side, values)
        if claim.doubt is Doubt.FAR:
            return Prompt(PromptKind.SAME_HOLE, claim.side, values)
        if claim.timing is Timing.LATE:
            return Prompt(PromptKind.LATE, other, values)
        if waiting := sides_to_answer_first(p):
            return Prompt(PromptKind.POINTS_FIRST, waiting[0], values)
        kind = PromptKind.RELEASE if claim.points else PromptKind.ZERO
        return Prompt(kind, claim.side, {**values, "of": _next_press_is_for(p, claim.side)})
    if p.game_claimed == claim.side:
        return Prompt(PromptKind.GAME_CLAIMED, _other_of_two(p, claim.side) if other is None else other, values)
    if p.way is Way.VERIFY and is_count(p):
        return Prompt(PromptKind.ACCEPT, other, values)
    if waits_for_answer(p, claim.side):
        return Prompt(PromptKind.ACCEPT, _other_of_two(p, claim.side), values)
    if p.way is Way.AUTO and p.phase is Phase.SHOW and p.to_show is None:
        return Prompt(PromptKind.NEXT_COUNT)
    return None


def _next_press_is_for(p: Position, side: int) -> str:
    """Return what the next press claims, or "" if uncertain."""
    if p.phase is not Phase.SHOW:
        return "play" if p.phase is Phase.PLAY else ""
    called = p.claim.points if p.claim is not None and p.claim.side == side else 0
    next_press = covered(p, side, called)
    if not p.silent and len(p.open_windows[side]) > len(next_press) and all(window.verified for window in next_press):
        return ""
    return next((str(o.occasion) for o in next_press if o.occasion in OF_SHOW), "play")


def _in_hand(p: Position, side: int) -> int | None:
    claim = p.claim
    if p.open_challenge is not None and p.open_challenge.by == side and p.open_challenge.points is not None:
        return p.pegs[side].front + p.open_challenge.points
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
