"""Lay cards in the play, and do what follows."""

from __future__ import annotations

from collections.abc import Iterable

from cribboard import events
from cribboard.actions import By, IllegalAction
from cribboard.cards import Card
from cribboard.deal import auto_calls, claim_windows, claims, exact_out, false_go, go
from cribboard.deal.decision import Decision, must_read_cards
from cribboard.event_terms import Occasion
from cribboard.play import LIMIT, count, score_play
from cribboard.position import ClaimWindow, Phase, Position, put, updated
from cribboard.rules import Option, Renege
from cribboard.scoring import Combination, Kind

#: What a ten and a face card add to the count: no card adds more.
_MOST = 10


def may_lay(p: Position, seat: int, card: Card) -> bool:
    """Whether the card's value lets this seat lay it."""
    return card.value <= highest_value_that_fits(p, seat)


def highest_value_that_fits(p: Position, seat: int) -> int:
    """Return the highest card value that fits: 0 to 10.

    A card fits if the count stays within thirty-one, or if it begins a new count because no other seat holds a card. If
    the play has only one count, no card begins another."""
    room = LIMIT if p.count_over or p.blind else LIMIT - p.count
    if room >= _MOST:
        return _MOST
    one_count = p.rules.deal_and_play.single_series is Option.ON
    if one_count or any(p.cards_left(other) for other in p.rules.seats if other != seat):
        return room
    return _MOST


def lay(decision: Decision, seat: int, card: Card) -> None:
    """Lay a card for the seat whose turn it is.

    A seat for which go was declared may lay a card that fits the count that just ended."""
    p = decision.position
    must_read_cards(p)
    if p.phase is not Phase.PLAY:
        raise IllegalAction("no_card_now")
    goes_on = go.may_go_on(p, seat, card)
    if seat != p.turn and not goes_on:
        raise IllegalAction("not_your_turn", seat=p.turn)
    if p.seen(card):
        raise IllegalAction("card_twice", card=card)
    if goes_on:
        go.go_on(decision, seat)
        p = decision.position
    count = card.value if p.count_over or p.blind else p.count + card.value
    if not may_lay(p, seat, card):
        raise IllegalAction("past_thirty_one", card=card, count=count)

    claims.conclude(decision, By.NEXT_CARD)
    if decision.stops():
        return
    if false_go.record_and_ask(decision, p, seat, card) or false_go.award_remembered(decision, seat, card):
        return
    if count > LIMIT:
        go.end_running_count(decision)
        if decision.won():
            return
        count = card.value
    decision.add(events.CardLaid(seat, card, 0 if p.blind and not p.count_over else count))
    if p.rules.claims.renege is Renege.ANNOUNCE:
        false_go.record_false_go(decision, p, seat, card)
    after_card(decision, count)


def after_card(decision: Decision, count: int) -> None:
    """Do everything that follows a laid card."""
    p = decision.position
    last_of_all = not any(p.cards_left(seat) for seat in p.rules.seats)
    ends_count = not last_of_all and (count == LIMIT or p.turn is None)
    if not (ends_count and p.rules.game.no_single_point_from):  # a go that falls due with the card is one move with it
        auto_calls.call_what_is_due(decision)
    if decision.won():
        return
    if last_of_all:
        go.end_play(decision)
    elif ends_count:
        go.end_running_count(decision)


# How the events change the position


def evolve(p: Position, event: events.LayingEvent) -> Position:
    """Apply the event of a laid card, read or unread."""
    match event:
        case events.CardLaid():
            return _apply_laid(p, event.seat, event.card)
        case events.CardUnread(seat):
            unread = p.unread or ((),) * len(p.hands)
            at = 0 if p.count_over else p.count
            return _apply_laid(updated(p, unread=put(unread, seat, (*unread[seat], at))), seat, None)


def _apply_laid(p: Position, seat: int, card: Card | None) -> Position:
    laid = updated(
        claim_windows.miss_open_windows(p, seat),
        hands=p.hands if card is None else put(p.hands, seat, (*p.hands[seat], card)),
        stack=(() if p.count_over else p.stack) + ((seat, card),),
        count_over=False,
        binding_gos_before=len(p.binding_gos) if p.count_over else p.binding_gos_before,
        declared_for=() if p.count_over else p.declared_for,
        said_go_at_end=frozenset(),
        pegged_for_go=None,
    )
    laid = claim_windows.open_windows(laid, *card_claim_windows(p, seat, card))
    return updated(laid, turn=laid.may_lay(seat))


def card_claim_windows(p: Position, seat: int, card: Card | None) -> Iterable[ClaimWindow]:
    """Yield the claim windows that a laid card opens.

    A card without points has one too. The point for the last card belongs to the same claim; with an exact way out, the
    end of a count is a claim of its own (rules reference, 3.18)."""
    dealing = p.rules.deal_and_play
    if card is None or (p.blind and not p.count_over):
        yield ClaimWindow(Occasion.CARD, seat, (), verified=False)
        return
    before = () if p.count_over else p.cards
    awards = score_play(before, card, rules=p.rules)
    last_of_all = sum(map(p.cards_left, p.rules.seats)) == 1
    if last_of_all and count((*before, card)) != LIMIT and dealing.last_card:
        awards = (*awards, Combination(Kind.LAST_CARD, (card,), dealing.last_card))
    separate = (Kind.THIRTY_ONE, Kind.LAST_CARD) if exact_out.is_required(p.rules.game) else ()
    ends = tuple(award for award in awards if award.kind in separate)
    yield ClaimWindow(Occasion.CARD, seat, tuple(award for award in awards if award not in ends))
    if ends:
        yield ClaimWindow(Occasion.GO, seat, ends)
