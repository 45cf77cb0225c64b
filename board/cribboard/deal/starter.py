"""The starter, which is turned up before the play.

If no reader could read it, it may be read later, until the first count."""

from __future__ import annotations

from collections.abc import Iterable

from cribboard import events
from cribboard.actions import IllegalAction
from cribboard.cards import Card, Rank
from cribboard.deal import auto_calls, claim_windows, claims
from cribboard.deal.decision import Decision, must_read_cards
from cribboard.event_terms import Occasion
from cribboard.position import ClaimWindow, Phase, Position, updated
from cribboard.scoring import Combination, Kind


def waits_for_starter(p: Position) -> bool:
    """Whether the board asks again for the unread starter."""
    return p.phase is Phase.SHOW and p.unread_starter and not p.waived


def turn_starter(decision: Decision, card: Card) -> None:
    """Turn up the starter, or read the unread starter.

    A jack opens the claim window of his heels."""
    p = decision.position
    must_read_cards(p)
    if p.phase is not Phase.DEAL and not waits_for_starter(p):
        raise IllegalAction("no_card_now")
    if p.seen(card):
        raise IllegalAction("card_twice", card=card)
    decision.add(events.StarterTurned(card))
    if p.phase is Phase.SHOW:
        claims.open_next_hand(decision)
        auto_calls.call_count(decision)
    else:
        auto_calls.call_what_is_due(decision)


# How the events change the position


def evolve(p: Position, event: events.StarterEvent) -> Position:
    """Apply an event of the starter."""
    match event:
        case events.StarterTurned(card) if p.phase is Phase.SHOW:
            return updated(p, starter=card, unread_starter=False)
        case events.StarterTurned(card):
            return _turned(p, card)
        case events.StarterUnread():
            return _turned(updated(p, unread_starter=True), None)


def _turned(p: Position, card: Card | None) -> Position:
    assert p.dealer is not None
    turned = updated(p, phase=Phase.PLAY, starter=card, turn=p.rules.left_of(p.dealer))
    return claim_windows.open_windows(turned, *points_of_starter(p, card))


def points_of_starter(p: Position, card: Card | None) -> Iterable[ClaimWindow]:
    """Yield the claim window of his heels, if any.

    `card` is None for an unread starter, which may be a jack."""
    heels = p.rules.deal_and_play.his_heels
    if heels and p.dealer is not None and (card is None or card.rank is Rank.JACK):
        awards = () if card is None else (Combination(Kind.HEELS, (card,), heels),)
        yield ClaimWindow(Occasion.HEELS, p.dealer, awards, verified=card is not None)
