"""The course of a deal: the cut, the starter, the cards laid, the gos, the counts of the show, the next deal.

Who may do it, and what follows from it; points are the business of `cribboard.claims`. See the rules reference,
sections 1 and 7.
"""

from __future__ import annotations

from cribboard import claims, verdicts
from cribboard.actions import By, IllegalAction
from cribboard.cards import Card
from cribboard.decision import Ruling
from cribboard.events import (
    AllPassed,
    CardCut,
    CardDead,
    CardLaid,
    CardUnread,
    CountEnded,
    CountOpened,
    CountUnverified,
    CribCardRead,
    CutTied,
    DealEnded,
    Ground,
    HandCardShown,
    Occasion,
    PassTakenBack,
    PegPutBack,
    PlayEnded,
    Reneged,
    RolledBack,
    SaidGo,
    StarterTurned,
    StarterUnread,
)
from cribboard.evolution import beginning_of_deal
from cribboard.openings import is_go_of_count
from cribboard.play import LIMIT
from cribboard.position import PegState, Phase, Position
from cribboard.rules import CRIB_SIZE, Option, Renege, Way

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
    """The starter; one that no reader could read may be read as late as the first count."""
    p = ruling.position
    _cards_are_read(p)
    if p.phase is not Phase.DEAL and not waits_for_starter(p):
        raise IllegalAction("no_card_now")
    if p.seen(card):
        raise IllegalAction("card_twice", card=card)
    ruling.add(StarterTurned(card))
    if p.phase is Phase.SHOW:
        claims.open_next_hand(ruling)
        _board_counts(ruling)
        return
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
    count = card.value if p.count_over or p.blind else p.count + card.value
    if not may_lay(p, seat, card):
        raise IllegalAction("past_thirty_one", card=card, count=count)

    claims.settle(ruling, By.NEXT_CARD)
    if ruling.stops() or _waits_after_renege(ruling, p, seat, card) or _remembers_false_go(ruling, seat, card):
        return
    if count > LIMIT:
        _end_count(ruling)
        if ruling.won():
            return
        count = card.value
    ruling.add(CardLaid(seat, card, 0 if p.blind and not p.count_over else count))
    if p.rules.claims.renege is Renege.REFUSE:
        _notice_false_go(ruling, p, seat, card)
    _after_card(ruling, count)


def _after_card(ruling: Ruling, count: int) -> None:
    """What a card brings about by itself: points that the board calls, the end of the count, the end of the play."""
    p = ruling.position
    last_of_all = not any(p.cards_left(each) for each in p.rules.seats)
    ends_count = not last_of_all and (count == LIMIT or p.turn is None)
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
    claims.settle(ruling, By.NEXT_CARD)
    p = ruling.position
    of_the_go = {each.side for each in p.standing if any(is_go_of_count(p, o) for o in each.openings)}
    verdicts.close(ruling, of_the_go)
    ruling.add(PassTakenBack(seat))


def show_card(ruling: Ruling, seat: int, card: Card) -> None:
    """A card that was not laid, shown before its hand is counted. Only now can a go be seen to have been false."""
    p = ruling.position
    _cards_are_read(p)
    if p.to_show is None or waits_for_starter(p):
        raise IllegalAction("no_card_now")
    if seat != p.to_show:
        raise IllegalAction("not_your_turn", seat=p.to_show)
    if p.seen(card):
        raise IllegalAction("card_twice", card=card)
    if not may_show(p, seat, card):
        raise IllegalAction("could_not_be_laid", card=card, count=min(p.unread[seat]))
    if p.way is Way.AUTO:
        claims.settle(ruling, By.BOARD)
        if ruling.won():
            return
    ruling.add(HandCardShown(seat, card))
    laid_unread = bool(p.unread) and bool(p.unread[seat])  # then nobody knows whether the seat still held it at its go
    if not laid_unread and _notice_false_go(ruling, p, seat, card) and p.rules.claims.renege is Renege.TWO_PER_CARD:
        verdicts.award(ruling, (p.rules.side_of(seat) + 1) % len(p.pegs), PER_CARD, Ground.RENEGE)
        if ruling.won():
            return
    elif not laid_unread and _remembers_false_go(ruling, seat, card):
        return
    if ruling.position.to_show is None:
        claims.open_next_hand(ruling)
        _board_counts(ruling)


def may_show(p: Position, seat: int, card: Card) -> bool:
    """Whether a card that is shown late can have been laid at one of the counts at which this seat's cards could not be
    read; in five-card it may also never have been laid."""
    counts = p.unread[seat] if p.unread else ()
    never_laid = p.rules.deal_and_play.hand_size - len(p.hands[seat]) > len(counts)
    return never_laid or any(at + card.value <= LIMIT for at in counts)


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
    reads = p.to_show is not None or waits_for_crib(p) or waits_for_starter(p)
    if p.way is not Way.AUTO or p.phase is not Phase.SHOW or reads:
        raise IllegalAction("nothing_to_accept")
    claims.call_nothing(ruling)
    claims.settle(ruling, By.OTHER_SIDE)
    open_next_count(ruling)


def open_next_count(ruling: Ruling) -> None:
    """At the show a count opens when the one before is accepted; after the crib the deal is over."""
    p = ruling.position
    if p.phase is not Phase.SHOW or p.counting or p.claim or p.to_show is not None or waits_for_starter(p):
        return
    order = p.show_order()
    if p.counts_done == len(order):
        next_deal(ruling)
        return
    seat, occasion = order[p.counts_done]
    if occasion is Occasion.CRIB and waits_for_crib(p):
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


def _notice_false_go(ruling: Ruling, before: Position, seat: int, card: Card) -> bool:
    gos = (*before.gos, *before.unsaid) if before.rules.version > 1 else before.gos
    false_gos = [at for who, at in gos if who == seat and at + card.value <= LIMIT]
    if false_gos:
        ruling.add(Reneged(seat, card, false_gos[0]))
    return bool(false_gos)


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
    return p.phase is Phase.PLAY and not p.count_over and (p.blind or p.count > ANY_CARD_FITS)


def may_all_pass(p: Position) -> bool:
    """Whether who laid last may say that all pass."""
    return may_say_go(p) and p.rules.deal_and_play.players >= MAY_PASS_TOGETHER


def may_lay(p: Position, seat: int, card: Card) -> bool:
    """A card that passes thirty-one begins a new count where nobody else holds a card, and is refused otherwise. Where
    the play has one count alone it is always refused."""
    if p.count_over or p.blind or p.count + card.value <= LIMIT:
        return True
    one_count = p.rules.deal_and_play.single_series is Option.ON
    return not one_count and not any(p.cards_left(other) for other in p.rules.seats if other != seat)


def may_go_on(p: Position, seat: int, card: Card) -> bool:
    """Whether a seat that passed with the others lays this card on the count that ended. Who is to lead next does so
    too: he must lay what fits, so a card that does was no lead (7.7)."""
    leads = seat == p.turn and p.rules.deal_and_play.must_play_after_go is Option.OFF
    return p.count_over and not p.blind and seat in p.passed and not leads and p.count + card.value <= LIMIT


def waits_for_crib(p: Position) -> bool:
    """Whether cards of the crib are to be read: not those of a crib that nobody can read, nor once all four are."""
    if p.phase is not Phase.SHOW or p.counting or p.claim or p.counts_done != len(p.hands):
        return False
    return len(p.crib) < CRIB_SIZE and p.show_order()[-1] not in p.waived


def waits_for_starter(p: Position) -> bool:
    """Whether a starter that could not be read is asked for once more, before the first count."""
    return p.phase is Phase.SHOW and p.unread_starter and not p.waived


def may_go_on_unread(p: Position) -> bool:
    """Whether a card is asked for that the table may go on without."""
    if p.way is Way.TRUST or p.renege:
        return False
    return p.phase in (Phase.DEAL, Phase.PLAY) or waits_for_starter(p) or p.to_show is not None or waits_for_crib(p)


def go_on_unread(ruling: Ruling) -> None:
    """What is asked for can be read by no reader: the table goes on without it."""
    p = ruling.position
    _cards_are_read(p)
    match p.phase:
        case Phase.DEAL:
            ruling.add(StarterUnread())
        case Phase.PLAY:
            assert p.turn is not None
            claims.settle(ruling, By.NEXT_CARD)
            if ruling.stops():
                return
            ruling.add(CardUnread(p.turn))
            _after_card(ruling, 0)
        case Phase.SHOW if waits_for_starter(p):
            for count in p.show_order():
                ruling.add(CountUnverified(*count))
            claims.open_next_hand(ruling)
        case Phase.SHOW if p.to_show is not None or waits_for_crib(p):
            ruling.add(CountUnverified(*p.show_order()[p.counts_done]))
            open_next_count(ruling)
        case _:
            raise IllegalAction("nothing_unread")


def _waits_after_renege(ruling: Ruling, before: Position, seat: int, card: Card) -> bool:
    """Two points for a card that would have fitted: the other side says first what becomes of it (ACC 7.3)."""
    if before.rules.claims.renege is Renege.REFUSE:
        return False
    _notice_false_go(ruling, before, seat, card)
    return ruling.position.renege


def _remembers_false_go(ruling: Ruling, seat: int, card: Card) -> bool:
    """A card that could have been laid at a false go which play was taken back to counts when it appears (3.26).
    Returns whether its points win the game."""
    p = ruling.position
    if p.rules.version > 1 and (go := next((each for each in p.remembered if each.counts(seat, card)), None)):
        ruling.add(Reneged(seat, card, go.count))
        verdicts.award(ruling, go.by, PER_CARD, Ground.RENEGE)
    return ruling.won()


#: Points for each card that could have been laid at a false go.
PER_CARD = 2


def play_false_go(ruling: Ruling, side: int) -> None:
    """The other side takes play back to the false go, and has its points."""
    _others_renege(ruling.position, side)
    false_go = ruling.position.false_go
    assert false_go is not None
    ruling.add(RolledBack(false_go.seat))
    verdicts.award(ruling, side, PER_CARD, Ground.RENEGE)


def let_lie_dead(ruling: Ruling, side: int) -> None:
    """The other side has its points, and lets the card lie dead: it is not laid any more."""
    _others_renege(ruling.position, side)
    false_go = ruling.position.false_go
    assert false_go is not None
    ruling.add(CardDead(false_go.seat, false_go.card))
    verdicts.award(ruling, side, PER_CARD, Ground.RENEGE)
    p = ruling.position
    if ruling.won() or p.turn is not None:
        return
    if not p.count_over:
        _end_count(ruling)
    if not ruling.won() and not any(map(p.cards_left, p.rules.seats)):
        _end_play(ruling)


def _others_renege(p: Position, side: int) -> None:
    if not p.renege or p.false_go is None:
        raise IllegalAction("no_renege")
    if p.rules.side_of(p.false_go.seat) == side:
        raise IllegalAction("own_renege", side=(side + 1) % len(p.pegs))


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
