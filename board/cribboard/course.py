"""The course of a deal: the cut, the starter, the cards laid, the gos, the counts of the show, the next deal.

Who may do it, and what follows from it; points are the business of `cribboard.claims`. See the rules reference,
sections 1 and 7.
"""

from __future__ import annotations

from cribboard import claims
from cribboard.actions import By, IllegalAction
from cribboard.cards import Card
from cribboard.events import (
    AllPassed,
    CardCut,
    CardLaid,
    CountEnded,
    CountOpened,
    CribCardRead,
    CutTied,
    DealEnded,
    HandCardShown,
    Occasion,
    PassTakenBack,
    PegPutBack,
    PlayEnded,
    Reneged,
    SaidGo,
    StarterTurned,
)
from cribboard.evolution import beginning_of_deal
from cribboard.play import LIMIT
from cribboard.position import PegState, Phase, Position
from cribboard.rules import CRIB_SIZE, Option, Way
from cribboard.ruling import Ruling

#: With this count or less every card of the pack can be laid, so nobody can truly say go.
ANY_CARD_FITS = 21

#: From so many seats on, who laid last may say for the table that all pass (7.7).
MAY_PASS_TOGETHER = 3


def cut(ruling: Ruling, seat: int, card: Card) -> None:
    """A seat cuts for the deal; who cuts the lowest card deals, or the highest where the rules say so."""
    p = ruling.position
    _cards_are_read(p)
    if p.to_cut is None:
        raise IllegalAction("no_dealer_now")
    if seat != p.to_cut:
        raise IllegalAction("not_your_turn", seat=p.to_cut)
    if any(card == other for _, other in p.cuts):
        raise IllegalAction("card_twice", card=card)
    ruling.add(CardCut(seat, card))
    p = ruling.position
    if len(p.cuts) < len(p.cutters or p.rules.seats):
        return
    if len(p.best_cuts) == 1:
        begin_deal(ruling, p.best_cuts[0])
    else:
        ruling.add(CutTied())


def name_dealer(ruling: Ruling, seat: int) -> None:
    p = ruling.position
    if p.phase is not Phase.CUT:
        raise IllegalAction("no_dealer_now")
    begin_deal(ruling, seat)


def begin_deal(ruling: Ruling, dealer: int) -> None:
    for event in beginning_of_deal(ruling.position, dealer):
        ruling.add(event)


def turn_starter(ruling: Ruling, card: Card) -> None:
    p = ruling.position
    _cards_are_read(p)
    if p.phase is not Phase.DEAL:
        raise IllegalAction("no_card_now")
    ruling.add(StarterTurned(card))
    _board_calls(ruling)


def lay(ruling: Ruling, seat: int, card: Card) -> None:
    """The seat to play lays a card. One that passed with the others may yet lay one that fits the count before."""
    p = ruling.position
    _cards_are_read(p)
    if p.phase is not Phase.PLAY:
        raise IllegalAction("no_card_now")
    goes_on = may_go_on(p, seat, card)
    if seat != p.turn and not goes_on:
        raise IllegalAction("not_your_turn", seat=p.turn)
    if p.seen(card):
        raise IllegalAction("card_twice", card=card)
    if goes_on:
        _go_on(ruling, seat)
        p = ruling.position
    count = card.value if p.count_over else p.count + card.value
    if not may_lay(p, seat, card):
        raise IllegalAction("past_thirty_one", card=card, count=count)

    claims.settle(ruling, By.NEXT_CARD)
    if ruling.won():
        return
    if count > LIMIT:
        _end_count(ruling)
        if ruling.won():
            return
        count = card.value
    ruling.add(CardLaid(seat, card, count))
    _notice_false_go(ruling, p, seat, card)
    laid = ruling.position
    last_of_all = not any(laid.cards_left(each) for each in laid.rules.seats)
    ends_count = not last_of_all and (count == LIMIT or laid.turn is None)
    if not (ends_count and p.rules.game.no_single_point_from):  # a go that falls due with the card is one move with it
        _board_calls(ruling)
    if ruling.won():
        return
    if last_of_all:
        _end_play(ruling)
    elif ends_count:
        _end_count(ruling)


def say_go(ruling: Ruling, seat: int) -> None:
    p = ruling.position
    _must_be_on_a_count(p)
    if seat != p.turn:
        raise IllegalAction("not_your_turn", seat=p.turn)
    _must_be_able_to_go(p)
    ruling.add(SaidGo(seat))
    if ruling.position.turn is None:
        _end_count(ruling)


def all_pass(ruling: Ruling, seat: int) -> None:
    """Who laid last says that nobody of three or more can go on."""
    p = ruling.position
    _must_be_on_a_count(p)
    if p.rules.deal_and_play.players < MAY_PASS_TOGETHER:
        raise IllegalAction("nobody_to_pass")
    _must_be_able_to_go(p)
    assert p.turn is not None
    if seat != p.stack[-1][0]:
        raise IllegalAction("not_your_turn", seat=p.turn)
    seats = tuple(each for each in p.rules.round_from(p.turn) if p.cards_left(each) and each not in p.gone)
    ruling.add(AllPassed(seats))
    _end_count(ruling)


def take_back_pass(ruling: Ruling, seat: int) -> None:
    p = ruling.position
    if seat not in p.passed or not p.count_over:
        raise IllegalAction("no_pass_to_take_back", seat=seat)
    _go_on(ruling, seat)


def _go_on(ruling: Ruling, seat: int) -> None:
    """The count goes on with this seat. A peg in hand was lifted for the go: it is let go first, so that what it pegged
    comes back with the pass; but the game is not won by a go that was none."""
    p = ruling.position
    if p.claim and p.claim.state is PegState.IN_HAND and p.claim.points == p.left_to_go(p.claim.side):
        ruling.add(PegPutBack(p.claim.side))
    claims.put_down(ruling, By.NEXT_CARD)
    ruling.add(PassTakenBack(seat))


def show_card(ruling: Ruling, seat: int, card: Card) -> None:
    """A card that was not laid, shown before its hand is counted. Only now can a go be seen to have been false."""
    p = ruling.position
    _cards_are_read(p)
    if p.to_show is None:
        raise IllegalAction("no_card_now")
    if seat != p.to_show:
        raise IllegalAction("not_your_turn", seat=p.to_show)
    if p.seen(card):
        raise IllegalAction("card_twice", card=card)
    if p.way is Way.AUTO:
        claims.settle(ruling, By.BOARD)
    ruling.add(HandCardShown(seat, card))
    _notice_false_go(ruling, p, seat, card)
    if ruling.position.to_show is None:
        claims.open_next_hand(ruling)
        _board_counts(ruling)


def read_crib(ruling: Ruling, card: Card) -> None:
    p = ruling.position
    _cards_are_read(p)
    if not waits_for_crib(p):
        raise IllegalAction("no_card_now")
    if p.seen(card):
        raise IllegalAction("card_twice", card=card)
    ruling.add(CribCardRead(card))
    open_next_count(ruling)


def see_count(ruling: Ruling) -> None:
    """On auto any OK says that the last count was seen."""
    p = ruling.position
    if p.way is not Way.AUTO or p.phase is not Phase.SHOW or p.to_show is not None or waits_for_crib(p):
        raise IllegalAction("nothing_to_accept")
    claims.settle(ruling, By.OTHER_SIDE)
    open_next_count(ruling)


def open_next_count(ruling: Ruling) -> None:
    """At the show a count opens when the one before is accepted; after the crib the deal is over."""
    p = ruling.position
    if p.phase is not Phase.SHOW or p.counting or p.claim or p.to_show is not None:
        return
    order = p.show_order()
    if p.counts_done == len(order):
        next_deal(ruling)
        return
    seat, occasion = order[p.counts_done]
    if occasion is Occasion.CRIB and len(p.crib) < CRIB_SIZE:
        return
    ruling.add(CountOpened(seat, occasion))
    _board_counts(ruling)


def end_trusted_deal(ruling: Ruling, side: int) -> None:
    """Without cards only the dealer knows that the deal is over."""
    p = ruling.position
    if p.phase is not Phase.PEGGING or p.claim or p.dealer is None:
        raise IllegalAction("nothing_to_accept")
    if p.rules.side_of(p.dealer) != side:
        raise IllegalAction("not_the_dealer", seat=p.dealer)
    next_deal(ruling)


def next_deal(ruling: Ruling) -> None:
    assert ruling.position.dealer is not None
    ruling.add(DealEnded())
    begin_deal(ruling, ruling.position.rules.left_of(ruling.position.dealer))


def _end_count(ruling: Ruling) -> None:
    p = ruling.position
    ruling.add(CountEnded(p.stack[-1][0], p.count))
    _board_calls(ruling)
    if p.rules.deal_and_play.single_series is Option.ON and not ruling.won():
        _end_play(ruling)


def _end_play(ruling: Ruling) -> None:
    ruling.add(PlayEnded())
    if ruling.position.way is Way.VERIFY:
        claims.open_next_hand(ruling)


def _notice_false_go(ruling: Ruling, before: Position, seat: int, card: Card) -> None:
    false_gos = [at for who, at in before.gos if who == seat and at + card.value <= LIMIT]
    if false_gos:
        ruling.add(Reneged(seat, card, false_gos[0]))


def _board_calls(ruling: Ruling) -> None:
    """On auto, whatever is due is pegged at once. A card that makes nothing is laid in silence."""
    p = ruling.position
    if p.way is Way.AUTO:
        for side, openings in enumerate(p.open):
            if not ruling.won() and any(opening.due for opening in openings):
                claims.award(ruling, side)


def _board_counts(ruling: Ruling) -> None:
    p = ruling.position
    if p.way is Way.AUTO and p.counting is not None:
        claims.award(ruling, p.rules.side_of(p.counting[0]))


def may_say_go(p: Position) -> bool:
    """Only where some card could fail to fit, and never before a card is on the count."""
    return p.phase is Phase.PLAY and not p.count_over and p.count > ANY_CARD_FITS


def may_all_pass(p: Position) -> bool:
    """Whether who laid last may say that all pass."""
    return may_say_go(p) and p.rules.deal_and_play.players >= MAY_PASS_TOGETHER


def may_lay(p: Position, seat: int, card: Card) -> bool:
    """A card that passes thirty-one begins a new count where nobody else holds a card, and is refused otherwise. Where
    the play has one count alone it is always refused."""
    if p.count_over or p.count + card.value <= LIMIT:
        return True
    one_count = p.rules.deal_and_play.single_series is Option.ON
    return not one_count and not any(p.cards_left(other) for other in p.rules.seats if other != seat)


def may_go_on(p: Position, seat: int, card: Card) -> bool:
    """Whether a seat that passed with the others lays this card on the count that ended. Who is to lead next does so
    too: he must lay what fits, so a card that does was no lead (7.7)."""
    leads = seat == p.turn and p.rules.deal_and_play.must_play_after_go is Option.OFF
    return p.count_over and seat in p.passed and not leads and p.count + card.value <= LIMIT


def waits_for_crib(p: Position) -> bool:
    return p.phase is Phase.SHOW and not p.counting and not p.claim and p.counts_done == len(p.hands)


def _cards_are_read(p: Position) -> None:
    if p.way is Way.TRUST:
        raise IllegalAction("no_cards_here")


def _must_be_on_a_count(p: Position) -> None:
    _cards_are_read(p)
    if p.phase is not Phase.PLAY:
        raise IllegalAction("no_go_now")


def _must_be_able_to_go(p: Position) -> None:
    if p.count_over:
        raise IllegalAction("no_go_now")
    if not may_say_go(p):
        raise IllegalAction("can_play", count=p.count)
