"""How each event changes what is true.

`evolve` never refuses and never asks: it is told what happened. The same start and the same events give an equal
position, always (design law 2).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    Ask,
    By,
    DropQuestion,
    Question,
    ReleasePeg,
    TakePegInHand,
    TakeZero,
    Undo,
)
from cribboard.cards import Card, Rank
from cribboard.events import (
    Acted,
    Asked,
    BrokenOff,
    CardCut,
    CardLaid,
    ClaimAccepted,
    ClaimChallenged,
    ClaimJudged,
    ClaimRuled,
    CountEnded,
    CountOpened,
    CribCardRead,
    CutTied,
    DealBegan,
    DealEnded,
    DealVoided,
    Doubt,
    Event,
    GameWon,
    Occasion,
    Pegged,
    PegPutBack,
    PegReleased,
    PegTaken,
    PlayEnded,
    QuestionDropped,
    Reneged,
    ResultAccepted,
    ResultFinal,
    SaidGo,
    StarterTurned,
    Timing,
    Undone,
)
from cribboard.play import count as count_of
from cribboard.play import score_play
from cribboard.position import Claim, Opening, Pegs, PegState, Phase, Position
from cribboard.rules import Rules, Way
from cribboard.scoring import Combination, Kind, score_show

T = TypeVar("T")


def start(rules: Rules, way: Way, *, dealer: int | None = None) -> Position:
    """A new game. `dealer` is None where the cut decides; a later game of a match knows its dealer."""
    teams = rules.deal_and_play.teams
    empty = Position(rules=rules, way=way, pegs=(Pegs(),) * teams)
    return empty if dealer is None else _deal(empty, dealer)


def fold(position: Position, events: Iterable[Event]) -> Position:
    """The position after all of `events`. What was undone is left out first; the numbers stay those of the log."""
    history = [position]
    for event in events:
        history.append(step(history, event))
    return history[-1]


def step(history: list[Position], event: Event) -> Position:
    """The next position after `history`, whose index is the event number; the one place where undo reaches back."""
    if not isinstance(event, Undone):
        return evolve(history[-1], event)
    began = history[event.to + 1].last[0]
    return replace(
        history[event.to],
        number=len(history),
        question=None,
        last=(history[-1].last[0], event),
        taken_back=began.action if isinstance(began, Acted) else None,
    )


def evolve(position: Position, event: Event) -> Position:
    """The position after `event`. Never refuses; what may happen is the referee's business."""
    changed = _evolve(position, event)
    return replace(changed, number=position.number + 1, last=(*changed.last, event))


def _evolve(p: Position, event: Event) -> Position:
    match event:
        case Acted(action):
            acts = (*p.acts, (p.number, _whose(p, action))) if _begins(p, action) else p.acts
            leaves = isinstance(action, Undo | Ask | Agree | DropQuestion) or getattr(action, "by", None) is By.TIME
            return replace(p, acts=acts, last=(), taken_back=None, question=p.question if leaves else None)
        case CardCut(seat, card):
            return replace(p, cuts=(*p.cuts, (seat, card)))
        case CutTied():
            return replace(p, cuts=())
        case DealBegan(dealer):
            return _deal(p, dealer)
        case StarterTurned(card):
            return _turn_starter(p, card)
        case CardLaid(seat, card):
            return _lay(p, seat, card)
        case SaidGo(seat):
            gone = p.gone | {seat}
            return replace(p, gone=gone, gos=(*p.gos, (seat, p.count)), turn=replace(p, gone=gone).may_lay(seat))
        case CountEnded(last, count):
            ended = replace(p, count_over=True, gone=frozenset(), turn=p.holds_cards(last))
            go = p.rules.deal_and_play.go
            if count == 31 or not go:
                return ended
            return _opened(ended, Opening(Occasion.GO, last, (Combination(Kind.GO, (p.cards[-1],), go),)))
        case PlayEnded():
            return replace(p, phase=Phase.SHOW, count_over=True, gone=frozenset(), turn=None)
        case CountOpened(seat, occasion):
            return _open_count(p, seat, occasion)
        case CribCardRead(card):
            return replace(p, crib=(*p.crib, card))
        case PegTaken(side, points, doubt, timing):
            held = p.claim is not None and p.claim.side == side and p.claim.state is PegState.IN_HAND
            since = p.claim.since if p.claim and held else p.acts[-1][0]
            return replace(p, claim=Claim(side, points, PegState.IN_HAND, doubt, timing, since))
        case PegPutBack():
            return replace(p, claim=None)
        case PegReleased(side, points):
            if p.claim is None or p.way is Way.TRUST:
                return replace(p, claim=None)
            return replace(p, claim=replace(p.claim, points=points, state=PegState.RELEASED, doubt=Doubt.NONE))
        case ClaimJudged(side, occasions):
            return _closed(p, side, len(occasions))
        case Pegged(side, _, score):
            moved = Pegs(front=score, back=p.pegs[side].front)
            return replace(p, pegs=_put(p.pegs, side, moved))
        case ClaimAccepted():
            accepted = replace(p, claim=None)
            if p.counting and not _still_open(p, *p.counting):
                nothing = ((),) * len(p.pegs)
                return replace(accepted, counting=None, turn=None, counts_done=p.counts_done + 1, missed=nothing)
            return accepted
        case ClaimRuled():
            only_this = p.acts and p.acts[-1][0] == p.number - 1
            return replace(p, acts=p.acts[:-1]) if only_this else p
        case DealVoided(dealer):
            return _deal(replace(p, pegs=p.pegs_at_deal, deal=p.deal - 1, question=None), dealer)
        case GameWon(side):
            return replace(p, phase=Phase.WON, winner=side, claim=None, counting=None, turn=None, question=None)
        case ResultAccepted(side):
            return replace(p, agreed=p.agreed | {side})
        case ResultFinal():
            return replace(p, phase=Phase.OVER, question=None)
        case BrokenOff():
            return replace(p, phase=Phase.OVER, question=None, claim=None, winner=None)
        case Asked(side, question):
            return replace(p, question=(question, side))
        case QuestionDropped():
            return replace(p, question=None)
        case CutTied() | Reneged() | DealEnded() | ClaimChallenged() | Undone():
            return p


def _begins(p: Position, action: Action) -> bool:
    """Whether this action begins an act, which UNDO takes back as a whole. A peg lifted, moved and let go by its owner
    is one act, and so is one that another or the timer lets go where the table trusts: taken back, it is down where it
    was, and no timer can let it go again. Words about the game are no acts, but for the OK that voids a deal."""
    match action:
        case Undo() | Ask() | DropQuestion() | AcceptResult():
            return False
        case Agree():
            return p.question is not None and p.question[0] is Question.MISDEAL
    claim = p.claim
    if claim is None or claim.state is not PegState.IN_HAND or p.acts[-1:] != ((claim.since, claim.side),):
        return True
    match action:
        case TakePegInHand(side) | TakeZero(side) | ReleasePeg(side):
            return side != claim.side
        case Accept():
            return p.way is not Way.TRUST
    return True


def _whose(p: Position, action: Action) -> int:
    """The side that acts. What belongs to no seat (the starter, the crib) is the dealer's doing."""
    match getattr(action, "side", None), getattr(action, "seat", None):
        case int(side), _:
            return side
        case _, int(seat):
            return p.rules.side_of(seat)
    return p.rules.side_of(p.dealer or 0)


def _deal(p: Position, dealer: int) -> Position:
    nobody: tuple[tuple[Opening, ...], ...] = ((),) * len(p.pegs)
    return replace(
        p,
        phase=Phase.PEGGING if p.way is Way.TRUST else Phase.DEAL,
        deal=p.deal + 1,
        dealer=dealer,
        cuts=(),
        starter=None,
        turn=None,
        hands=((),) * p.rules.deal_and_play.players,
        stack=(),
        count_over=True,
        gone=frozenset(),
        gos=(),
        crib=(),
        counting=None,
        counts_done=0,
        open=nobody,
        missed=nobody,
        claim=None,
        pegs_at_deal=p.pegs,
    )


def _turn_starter(p: Position, card: Card) -> Position:
    assert p.dealer is not None
    turned = replace(p, phase=Phase.PLAY, starter=card, turn=p.rules.left_of(p.dealer))
    heels = p.rules.deal_and_play.his_heels
    if card.rank is not Rank.JACK or not heels:
        return turned
    return _opened(turned, Opening(Occasion.HEELS, p.dealer, (Combination(Kind.HEELS, (card,), heels),)))


def _lay(p: Position, seat: int, card: Card) -> Position:
    dealing = p.rules.deal_and_play
    before = () if p.count_over else p.cards
    hands = _put(p.hands, seat, (*p.hands[seat], card))
    awards = score_play(before, card, rules=p.rules)
    last_of_all = sum(map(len, hands)) == dealing.hand_size * dealing.players
    if last_of_all and count_of((*before, card)) != 31 and dealing.last_card:
        awards = (*awards, Combination(Kind.LAST_CARD, (card,), dealing.last_card))
    laid = replace(
        _passed(p, seat),
        hands=hands,
        stack=(() if p.count_over else p.stack) + ((seat, card),),
        count_over=False,
    )
    laid = _opened(laid, Opening(Occasion.CARD, seat, awards))
    return replace(laid, turn=laid.may_lay(seat))


def _passed(p: Position, seat: int) -> Position:
    """What was open when `seat` lays a card is missed now: but heels wait for the dealer's own card, and a go that
    this very card made known (nobody else held any) is still to be claimed with it."""
    just_ended = any(isinstance(event, CountEnded) for event in p.last)
    still: list[tuple[Opening, ...]] = []
    missed: list[tuple[Opening, ...]] = []
    for mine, before in zip(p.open, p.missed, strict=True):
        kept = tuple(
            opening
            for opening in mine
            if (opening.occasion is Occasion.HEELS and seat != opening.seat)
            or (opening.occasion is Occasion.GO and just_ended)
        )
        still.append(kept)
        missed.append((() if p.count_over else before) + tuple(o for o in mine if o not in kept))
    return replace(p, open=tuple(still), missed=tuple(missed))


def _open_count(p: Position, seat: int, occasion: Occasion) -> Position:
    assert p.starter is not None
    cards, crib = (p.crib, True) if occasion is Occasion.CRIB else (p.hands[seat], False)
    score = score_show(cards, p.starter, crib=crib, rules=p.rules)
    opened = replace(p, counting=(seat, occasion), turn=seat, missed=((),) * len(p.pegs))
    return _opened(opened, Opening(occasion, seat, score.combinations))


def _opened(p: Position, opening: Opening) -> Position:
    side = p.rules.side_of(opening.seat)
    return replace(p, open=_put(p.open, side, (*p.open[side], opening)))


def _closed(p: Position, side: int, how_many: int) -> Position:
    if p.claim is not None and p.claim.timing is Timing.LATE:
        return replace(p, missed=_put(p.missed, side, p.missed[side][how_many:]))
    return replace(p, open=_put(p.open, side, p.open[side][how_many:]))


def _still_open(p: Position, seat: int, occasion: Occasion) -> bool:
    return any(o.occasion is occasion and o.seat == seat for o in p.open[p.rules.side_of(seat)])


def _put(row: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*row[:index], value, *row[index + 1 :])
