"""Choose cards to discard, and judge a discard.

The value is the mean of the hand over all starters, counted exactly, and the mean of the crib by
`cribboard.strategy.tables`, which is subtracted if the crib is another side's. Near the end of a game it is the chance
to win (`cribboard.strategy.near_end`): a pone who needs six keeps cards that are sure of six, whatever the crib.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from cribboard.cards import PACK, Card
from cribboard.rules import Rules
from cribboard.scoring import show_points
from cribboard.strategy import near_end
from cribboard.strategy.ranks import ranks_of
from cribboard.strategy.tables import tables_of


@dataclass(frozen=True, slots=True)
class Discard:
    """One way to discard, with its value."""

    discarded: tuple[Card, ...]
    kept: tuple[Card, ...]
    hand: float  # the mean points of the kept cards over all starters
    crib: float  # the mean points of the crib
    total: float  # the hand plus the crib, or minus another side's crib
    chance: float | None = None  # near the end of a game the chance to win it, 0 to 1


@dataclass(frozen=True, slots=True)
class JudgedDiscard:
    """A discard compared with the best discard."""

    chosen: Discard
    best: Discard

    @property
    def gives_up(self) -> float:
        """The mean points lost against the best discard.

        Below 0 if near the end of a game the best choice counts less."""
        return self.best.total - self.chosen.total


def best_discards(
    dealt: Sequence[Card], rules: Rules, *, is_own_crib: bool, scores: tuple[int, int] | None = None
) -> tuple[Discard, ...]:
    """Rank all ways to discard from these cards, best first.

    `dealt`: the cards of a seat before it discards, all different. `is_own_crib`: whether the seat's side counts the
    crib. `scores`: of two sides, that of this seat first; None if only points count. Raises `ValueError` for another
    number of cards than the rules deal, or if a card is there twice.

    >>> from cribboard import RULES
    >>> best = best_discards(Card.parse_many("2H 3H 4S 5C 5D JD"), RULES["six-card"], is_own_crib=True)[0]
    >>> best.discarded
    (<5C>, <5D>)
    """
    deal = rules.deal_and_play
    if len(dealt) != deal.cards_dealt:
        raise ValueError(f"{len(dealt)} cards: {deal.cards_dealt} are dealt")
    if len(set(dealt)) != len(dealt):
        raise ValueError(f"a card is there twice: {' '.join(map(str, dealt))}")
    cards = sorted(dealt)
    crib = tables_of(rules, is_own_crib=is_own_crib).crib
    sign = 1 if is_own_crib else -1
    choices: list[tuple[Discard, list[int]]] = []
    for kept in combinations(cards, deal.hand_size):
        discarded = tuple([card for card in cards if card not in kept])
        points = points_with_starters(kept, cards, rules)
        hand, mean = sum(points) / len(points), crib[ranks_of(discarded)]
        choices.append((Discard(discarded, kept, hand, mean, hand + sign * mean), points))
    choices.sort(key=lambda choice: -choice[0].total)
    if scores is not None and near_end.is_near(rules, scores):
        return _by_chance(choices, rules.game.target, scores, is_own_crib)
    return tuple([choice for choice, _ in choices])


def judge_discard(
    dealt: Sequence[Card],
    discarded: Iterable[Card],
    rules: Rules,
    *,
    is_own_crib: bool,
    scores: tuple[int, int] | None = None,
) -> JudgedDiscard:
    """Compare this discard with the best. Raises `ValueError` if the dealt or discarded cards are impossible.

    >>> from cribboard import RULES
    >>> dealt = Card.parse_many("2H 3H 4S 5C 5D JD")
    >>> judged = judge_discard(dealt, Card.parse_many("2H JD"), RULES["six-card"], is_own_crib=False)
    >>> round(judged.gives_up, 2)
    0.0
    """
    ranked = best_discards(dealt, rules, is_own_crib=is_own_crib, scores=scores)
    wanted = tuple(sorted(discarded))
    for choice in ranked:
        if choice.discarded == wanted:
            return JudgedDiscard(choice, ranked[0])
    raise ValueError(f"{' '.join(map(str, wanted))}: no discard from {' '.join(map(str, sorted(dealt)))}")


def points_with_starters(kept: Sequence[Card], dealt: Sequence[Card], rules: Rules) -> list[int]:
    """Count the kept cards' points with each possible starter."""
    return [show_points(kept, starter, rules=rules) for starter in PACK if starter not in dealt]


#: Points below the best within which a choice may win more games than the best.
_WITHIN = 4.0


def _by_chance(
    choices: Sequence[tuple[Discard, list[int]]], target: int, scores: tuple[int, int], is_dealer: bool
) -> tuple[Discard, ...]:
    """Rank the choices by the chance to win the game.

    Choices with far fewer points come last, ranked by points. Their chance to win is not computed."""
    most = choices[0][0].total
    needs, others = target - scores[0], target - scores[1]
    judged, rest = [], []
    for choice, points in choices:
        if choice.total < most - _WITHIN:
            rest.append(choice)
            continue
        hand = near_end.shares(Counter(points))
        chance = near_end.chance_of_discard(hand, choice.crib, needs=needs, others=others, is_dealer=is_dealer)
        judged.append(replace(choice, chance=chance))
    judged.sort(key=lambda choice: -(choice.chance or 0.0))
    return (*judged, *rest)
