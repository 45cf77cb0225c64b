"""Chooses cards by simple rules, for robots without a level."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from cribboard.cards import PACK, Card
from cribboard.play import LIMIT, score_play
from cribboard.position import Position
from cribboard.rules import Option, Rules
from cribboard.scoring import show_points
from cribd.robots.deal import without

#: How often a seat that need not play on after a go stops.
_STOPS = 0.3


def choose_discard(dealt: Sequence[Card], *, own_crib: bool, rules: Rules) -> tuple[Card, ...]:
    """Choose the discard that leaves the most points in hand.

    One starter is assumed. Among equals the robot gives its own crib more, another's less."""

    def value(kept: tuple[Card, ...]) -> tuple[int, int]:
        pairs = list(combinations(without(dealt, kept), 2))
        crib = 2 * sum(a.rank is b.rank or a.value + b.value == 15 for a, b in pairs)
        starter = next(card for card in PACK if card not in dealt)
        return show_points(kept, starter, rules=rules), crib if own_crib else -crib

    kept = max(combinations(dealt, rules.deal_and_play.hand_size), key=value)
    return without(dealt, kept)


def choose_card(p: Position, fitting: Sequence[Card], rng: Random) -> Card | None:
    """Choose the highest of the cards that score most.

    None if the seat need not play on after a go, and stops."""

    def made(card: Card) -> int:
        before = () if p.count_over or p.count + card.value > LIMIT else p.cards
        return sum(found.points for found in score_play(before, card, rules=p.rules))

    card = max(fitting, key=lambda card: (made(card), card.value))
    may_stop = p.said_go and not p.count_over and p.rules.deal_and_play.must_play_after_go is Option.OFF
    return None if may_stop and not made(card) and rng.random() < _STOPS else card
