"""Decide what an action causes.

`decide` answers with events, or refuses with `IllegalAction` and leaves no trace. Points are the business of
`cribboard.claims`; this is the order of a game: the cut, the deal, the starter, the play, the show, the end. See the
rules reference, sections 1 and 7.
"""

from __future__ import annotations

from cribboard import claims
from cribboard.actions import (
    Accept,
    AcceptResult,
    Action,
    Agree,
    Ask,
    BreakOff,
    By,
    Challenge,
    CutForDeal,
    DropQuestion,
    EndDeal,
    IllegalAction,
    LayCard,
    NameDealer,
    OpenCount,
    PutPegBack,
    Question,
    ReadCrib,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TakeZero,
    TurnStarter,
    Undo,
)
from cribboard.cards import Card
from cribboard.claims import Ruling
from cribboard.events import (
    Acted,
    Asked,
    BrokenOff,
    CardCut,
    CardLaid,
    CountEnded,
    CountOpened,
    CribCardRead,
    CutTied,
    DealBegan,
    DealEnded,
    DealVoided,
    Event,
    Occasion,
    PlayEnded,
    QuestionDropped,
    Reneged,
    ResultAccepted,
    ResultFinal,
    SaidGo,
    StarterTurned,
    Undone,
)
from cribboard.position import Phase, Position
from cribboard.rules import Way

#: With this count or less every card of the pack can be laid, so nobody can truly say go.
ANY_CARD_FITS = 21
CRIB_SIZE = 4


def decide(position: Position, action: Action) -> tuple[Event, ...]:
    """What `action` causes: `Acted` first, then its consequences. Raises `IllegalAction` if it is not allowed."""
    if position.phase is Phase.OVER:
        raise IllegalAction("game_is_over")
    if position.phase is Phase.WON and not isinstance(action, AcceptResult | Undo | Agree | DropQuestion | BreakOff):
        raise IllegalAction("game_is_won")
    if (side := getattr(action, "side", 0)) not in range(len(position.pegs)):
        raise IllegalAction("no_such_seat", seat=side)
    ruling = Ruling(position)
    ruling.add(Acted(action))
    match action:
        case CutForDeal(seat, card):
            _cut(ruling, seat, card)
        case NameDealer(seat):
            _name_dealer(ruling, seat)
        case TurnStarter(card):
            _turn_starter(ruling, card)
        case LayCard(seat, card):
            _lay(ruling, seat, card)
        case SayGo(seat):
            _say_go(ruling, seat)
        case TakePegInHand(side, points):
            claims.take(ruling, side, points)
            _open_next_count(ruling)
        case TakeZero(side):
            claims.take_zero(ruling, side)
        case PutPegBack(side):
            claims.put_back(ruling, side)
        case ReleasePeg(side, by):
            claims.let_go(ruling, side, by)
        case Accept(side):
            claims.accept(ruling, side)
            _open_next_count(ruling)
        case Challenge(side):
            claims.challenge(ruling, side)
            _open_next_count(ruling)
        case OpenCount():
            _see_count(ruling)
        case ReadCrib(card):
            _read_crib(ruling, card)
        case EndDeal(side):
            _end_trusted_deal(ruling, side)
        case AcceptResult(side):
            _accept_result(ruling, side)
        case Undo():
            _undo(ruling)
        case Ask(side, question):
            _ask(ruling, side, question)
        case Agree(side):
            _agree(ruling, side)
        case BreakOff():
            ruling.add(BrokenOff())
        case DropQuestion():
            if position.question is None:
                raise IllegalAction("nothing_asked")
            ruling.add(QuestionDropped(position.question[0]))
    return tuple(ruling.events)


def _cut(ruling: Ruling, seat: int, card: Card) -> None:
    p = ruling.position
    _cards_are_read(p)
    if p.phase is not Phase.CUT:
        raise IllegalAction("no_dealer_now")
    if seat != len(p.cuts):
        raise IllegalAction("not_your_turn", seat=len(p.cuts))
    if any(card == cut for _, cut in p.cuts):
        raise IllegalAction("card_twice", card=card)
    ruling.add(CardCut(seat, card))
    cuts = ruling.position.cuts
    if len(cuts) < p.rules.deal_and_play.players:
        return
    lowest = min(cut.rank for _, cut in cuts)
    low = [seat for seat, cut in cuts if cut.rank is lowest]
    ruling.add(DealBegan(low[0]) if len(low) == 1 else CutTied())


def _name_dealer(ruling: Ruling, seat: int) -> None:
    if ruling.position.phase is not Phase.CUT:
        raise IllegalAction("no_dealer_now")
    if seat not in range(ruling.position.rules.deal_and_play.players):
        raise IllegalAction("no_such_seat", seat=seat)
    ruling.add(DealBegan(seat))


def _turn_starter(ruling: Ruling, card: Card) -> None:
    p = ruling.position
    _cards_are_read(p)
    if p.phase is not Phase.DEAL:
        raise IllegalAction("no_card_now")
    ruling.add(StarterTurned(card))
    _board_calls(ruling)


def _lay(ruling: Ruling, seat: int, card: Card) -> None:
    p = ruling.position
    _cards_are_read(p)
    if p.phase is not Phase.PLAY:
        raise IllegalAction("no_card_now")
    if seat != p.turn:
        raise IllegalAction("not_your_turn", seat=p.turn)
    if p.seen(card):
        raise IllegalAction("card_twice", card=card)
    count = card.value if p.count_over else p.count + card.value
    if not may_lay(p, seat, card):
        raise IllegalAction("past_thirty_one", card=card, count=count)

    claims.settle(ruling, By.NEXT_CARD)
    if ruling.won():
        return
    if count > 31:
        _end_count(ruling)
        if ruling.won():
            return
        count = card.value
    ruling.add(CardLaid(seat, card, count))
    false_gos = [at for who, at in p.gos if who == seat and at + card.value <= 31]
    if false_gos:
        ruling.add(Reneged(seat, card, false_gos[0]))
    _board_calls(ruling)
    if ruling.won():
        return
    laid = ruling.position
    if all(laid.cards_left(each) == 0 for each in range(len(laid.hands))):
        ruling.add(PlayEnded())
        if p.way is Way.VERIFY:
            ruling.add(CountOpened(*laid.show_order()[0]))
    elif count == 31 or laid.turn is None:
        _end_count(ruling)


def _say_go(ruling: Ruling, seat: int) -> None:
    p = ruling.position
    _cards_are_read(p)
    if p.phase is not Phase.PLAY:
        raise IllegalAction("no_go_now")
    if seat != p.turn:
        raise IllegalAction("not_your_turn", seat=p.turn)
    if not may_say_go(p):
        raise IllegalAction("no_go_now") if p.count_over else IllegalAction("can_play", count=p.count)
    ruling.add(SaidGo(seat))
    if ruling.position.turn is None:
        _end_count(ruling)


def _end_count(ruling: Ruling) -> None:
    p = ruling.position
    ruling.add(CountEnded(p.stack[-1][0], p.count))
    _board_calls(ruling)


def _board_calls(ruling: Ruling) -> None:
    """On auto, whatever is due is pegged at once. A card that makes nothing is laid in silence."""
    p = ruling.position
    if p.way is Way.AUTO:
        for side, openings in enumerate(p.open):
            if not ruling.won() and any(opening.due for opening in openings):
                claims.award(ruling, side)


def _open_next_count(ruling: Ruling) -> None:
    """At the show a count opens when the one before is accepted; after the crib the deal is over."""
    p = ruling.position
    if p.phase is not Phase.SHOW or p.counting or p.claim:
        return
    order = p.show_order()
    if p.counts_done == len(order):
        _next_deal(ruling)
        return
    seat, occasion = order[p.counts_done]
    if occasion is Occasion.CRIB and len(p.crib) < CRIB_SIZE:
        return
    ruling.add(CountOpened(seat, occasion))
    if p.way is Way.AUTO:
        claims.award(ruling, p.rules.side_of(seat))


def _see_count(ruling: Ruling) -> None:
    p = ruling.position
    if p.way is not Way.AUTO or p.phase is not Phase.SHOW or waits_for_crib(p):
        raise IllegalAction("nothing_to_accept")
    claims.settle(ruling, By.OTHER_SIDE)
    _open_next_count(ruling)


def _read_crib(ruling: Ruling, card: Card) -> None:
    p = ruling.position
    _cards_are_read(p)
    if not waits_for_crib(p):
        raise IllegalAction("no_card_now")
    if p.seen(card):
        raise IllegalAction("card_twice", card=card)
    ruling.add(CribCardRead(card))
    _open_next_count(ruling)


def _end_trusted_deal(ruling: Ruling, side: int) -> None:
    p = ruling.position
    if p.phase is not Phase.PEGGING or p.claim or p.dealer is None:
        raise IllegalAction("nothing_to_accept")
    if p.rules.side_of(p.dealer) != side:
        raise IllegalAction("not_the_dealer", seat=p.dealer)
    _next_deal(ruling)


def _next_deal(ruling: Ruling) -> None:
    assert ruling.position.dealer is not None
    ruling.add(DealEnded())
    ruling.add(DealBegan(ruling.position.rules.left_of(ruling.position.dealer)))


def _accept_result(ruling: Ruling, side: int) -> None:
    p = ruling.position
    if p.phase is not Phase.WON:
        raise IllegalAction("nothing_to_accept")
    if side in p.agreed:
        raise IllegalAction("waits_for_other_side", side=side)
    ruling.add(ResultAccepted(side))
    if len(ruling.position.agreed) == len(p.pegs):
        ruling.add(ResultFinal())


def _undo(ruling: Ruling) -> None:
    p = ruling.position
    if not p.acts:
        raise IllegalAction("nothing_to_undo")
    before, side = p.acts[-1]
    if p.way is Way.VERIFY:
        ruling.add(Asked(side, Question.UNDO))
    else:
        ruling.events.append(Undone(before))


def _ask(ruling: Ruling, side: int, question: Question) -> None:
    p = ruling.position
    if question is Question.MISDEAL and not may_misdeal(p):
        raise IllegalAction("no_misdeal_now")
    if question is Question.UNDO:
        raise IllegalAction("nothing_to_undo")
    ruling.add(Asked(side, question))


def _agree(ruling: Ruling, side: int) -> None:
    p = ruling.position
    if p.question is None:
        raise IllegalAction("nothing_asked")
    question, asked_by = p.question
    if side == asked_by:
        raise IllegalAction("waits_for_other_side", side=side)
    match question:
        case Question.UNDO:
            ruling.events.append(Undone(p.acts[-1][0]))
        case Question.MISDEAL:
            assert p.dealer is not None
            ruling.add(DealVoided(p.dealer))
        case Question.BREAK_OFF:
            ruling.add(BrokenOff())


def may_misdeal(p: Position) -> bool:
    """From the deal until the first card is laid (7.10). Without cards: until more than his heels is pegged."""
    match p.phase:
        case Phase.DEAL:
            return True
        case Phase.PLAY:
            return not any(p.hands)
        case Phase.PEGGING:
            assert p.dealer is not None
            dealer = p.rules.side_of(p.dealer)
            moved = {s: now.front - was.front for s, (now, was) in enumerate(zip(p.pegs, p.pegs_at_deal, strict=True))}
            return all(by == 0 or (s == dealer and by == p.rules.deal_and_play.his_heels) for s, by in moved.items())
        case _:
            return False


def may_say_go(p: Position) -> bool:
    """Only where some card could fail to fit, and never before a card is on the count."""
    return p.phase is Phase.PLAY and not p.count_over and p.count > ANY_CARD_FITS


def may_lay(p: Position, seat: int, card: Card) -> bool:
    """A card that passes thirty-one begins a new count where nobody else holds a card, and is refused otherwise."""
    return p.count_over or p.count + card.value <= 31 or not _others_hold_cards(p, seat)


def waits_for_crib(p: Position) -> bool:
    return p.phase is Phase.SHOW and not p.counting and not p.claim and p.counts_done == len(p.hands)


def _cards_are_read(p: Position) -> None:
    if p.way is Way.TRUST:
        raise IllegalAction("no_cards_here")


def _others_hold_cards(p: Position, seat: int) -> bool:
    return any(p.cards_left(other) for other in range(len(p.hands)) if other != seat)
