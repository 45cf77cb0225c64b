"""The show: read the remaining cards, then count."""

from __future__ import annotations

from collections.abc import Iterable

from cribboard import events
from cribboard.actions import By, IllegalAction
from cribboard.cards import Card
from cribboard.deal import auto_calls, claim_windows, claims, cut_and_deal, false_go, muggins
from cribboard.deal.decision import Decision, must_read_cards
from cribboard.deal.starter import waits_for_starter
from cribboard.event_terms import Occasion
from cribboard.play import LIMIT
from cribboard.position import ClaimWindow, Phase, Position, put, updated
from cribboard.rules import CRIB_SIZE, Way
from cribboard.scoring import score_show


def waits_for_crib(p: Position) -> bool:
    """Whether a card of the crib must be read now.

    False if the crib is counted without its unread cards."""
    if p.phase is not Phase.SHOW or p.counting or p.claim or p.counts_done != len(p.hands):
        return False
    return len(p.crib) < CRIB_SIZE and p.show_order()[-1] not in p.waived


def may_show(p: Position, seat: int, card: Card) -> bool:
    """Whether this card can belong to the seat's hand.

    Either the seat has never laid one of its cards (only in five-card), or this card fits where the seat laid an unread
    card."""
    counts = p.unread[seat] if p.unread else ()
    never_laid = p.rules.deal_and_play.hand_size - len(p.hands[seat]) > len(counts)
    return never_laid or any(at + card.value <= LIMIT for at in counts)


def show_card(decision: Decision, seat: int, card: Card) -> None:
    """Show a card that was not read in the play.

    The card may reveal a false go."""
    p = decision.position
    must_read_cards(p)
    if p.to_show is None or waits_for_starter(p):
        raise IllegalAction("no_card_now")
    if seat != p.to_show:
        raise IllegalAction("not_your_turn", seat=p.to_show)
    if p.seen(card):
        raise IllegalAction("card_twice", card=card)
    if not may_show(p, seat, card):
        raise IllegalAction("could_not_be_laid", card=card, count=min(p.unread[seat]))
    if p.way is Way.AUTO:
        claims.conclude(decision, By.BOARD)
        if decision.won():
            return
    decision.add(events.HandCardShown(seat, card))
    laid_unread = bool(p.unread) and bool(p.unread[seat])  # then it is unknown whether the seat still held it at its go
    if not laid_unread and false_go.award_at_show(decision, p, seat, card):
        return
    if decision.position.to_show is None:
        claims.open_next_hand(decision)
        auto_calls.call_count(decision)


def read_crib(decision: Decision, card: Card) -> None:
    """Read a card of the crib.

    The last card opens the count of the crib."""
    p = decision.position
    must_read_cards(p)
    if not waits_for_crib(p):
        raise IllegalAction("no_card_now")
    if p.seen(card):
        raise IllegalAction("card_twice", card=card)
    decision.add(events.CribCardRead(card))
    open_next_count(decision)


def see_count(decision: Decision) -> None:
    """On auto, open the next count."""
    p = decision.position
    reads = p.to_show is not None or waits_for_crib(p) or waits_for_starter(p)
    if p.way is not Way.AUTO or p.phase is not Phase.SHOW or reads:
        raise IllegalAction("nothing_to_accept")
    auto_calls.call_nothing(decision)
    claims.conclude(decision, By.OTHER_SIDE)
    open_next_count(decision)


def open_next_count(decision: Decision) -> None:
    """Open the next count, or begin the next deal.

    Does nothing while a count or claim is open, or while a card must still be read."""
    p = decision.position
    if p.phase is not Phase.SHOW or p.counting or p.claim or p.to_show is not None or waits_for_starter(p):
        return
    order = p.show_order()
    if p.counts_done == len(order):
        cut_and_deal.next_deal(decision)
        return
    seat, occasion = order[p.counts_done]
    if occasion is Occasion.CRIB and waits_for_crib(p):
        return
    decision.add(events.CountOpened(seat, occasion))
    auto_calls.call_count(decision)


# How the events change the position


def evolve(p: Position, event: events.ShowEvent) -> Position:
    """Apply an event of the show."""
    match event:
        case events.CountOpened(seat, occasion):
            nothing = ((),) * len(p.pegs)
            missed = p.missed_windows if muggins.is_played(p) else nothing
            left = nothing if p.way is Way.AUTO else p.open_windows  # unread and uncalled claim windows are past
            counting = updated(p, counting=(seat, occasion), turn=seat, missed_windows=missed, open_windows=left)
            return claim_windows.open_windows(counting, *points_of_count(p, seat, occasion))
        case events.HandCardShown(seat, card):
            return updated(p, hands=put(p.hands, seat, (*p.hands[seat], card)))
        case events.CribCardRead():
            return updated(p, crib=(*p.crib, event.card))
        case events.CountUnverified():
            return updated(p, waived=p.waived | {(event.seat, event.occasion)})


def points_of_count(p: Position, seat: int, occasion: Occasion) -> Iterable[ClaimWindow]:
    """Yield the claim window of a hand or the crib."""
    cards, crib = (p.crib, True) if occasion is Occasion.CRIB else (p.hands[seat], False)
    if p.starter is None or (seat, occasion) in p.waived:
        yield ClaimWindow(occasion, seat, (), verified=False)
        return
    yield ClaimWindow(occasion, seat, score_show(cards, p.starter, crib=crib, rules=p.rules).combinations)
