"""How robots of three levels discard and lay cards.

A robot sees only the view of its own seat; the caller passes in the `rng`. The medium one is the measure of the others:
he keeps the best mean hand over all starters, ignores the crib, and lays the card that makes most. The easy one plays
like him and errs. The strong one knows everything in this package.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import combinations

from cribboard.cards import Card
from cribboard.rules import Rules
from cribboard.strategy.cards_to_lay import PlayerView, Rng, ranked_cards
from cribboard.strategy.discards import best_discards, points_with_starters


class RobotLevel(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    STRONG = "strong"


def choose_discard(
    level: RobotLevel,
    dealt: Sequence[Card],
    rules: Rules,
    *,
    is_own_crib: bool,
    scores: tuple[int, int] | None,
    rng: Rng,
) -> tuple[Card, ...]:
    """Choose the cards that a robot gives to the crib.

    The lowest card comes first. The arguments are those of `best_discards`."""
    if level is RobotLevel.STRONG:
        return best_discards(dealt, rules, is_own_crib=is_own_crib, scores=scores)[0].discarded
    errs = _ERRS_BY if level is RobotLevel.EASY else 0.0
    cards = sorted(dealt)

    def worth(kept: Sequence[Card]) -> float:
        points = points_with_starters(kept, cards, rules)
        return sum(points) / len(points) + (errs * rng.random() if errs else 0.0)

    best = max(combinations(cards, rules.deal_and_play.hand_size), key=worth)
    return tuple([card for card in cards if card not in best])


#: Points by which an easy player may think a hand better than it is.
_ERRS_BY = 4.0
#: How often an easy player lays any card that fits.
_LAYS_ANY = 0.3


def choose_card(level: RobotLevel, view: PlayerView, rng: Rng) -> Card | None:
    """Choose the card that a robot lays; None to say go."""
    fitting = view.fitting
    if len(fitting) < 2:
        return fitting[0] if fitting else None
    match level:
        case RobotLevel.STRONG:
            return ranked_cards(view, rng)[0].card
        case RobotLevel.EASY if rng.random() < _LAYS_ANY:
            return fitting[int(rng.random() * len(fitting))]
    play = view.play()
    return max(fitting, key=lambda card: (play.points(card.rank), card.value))
