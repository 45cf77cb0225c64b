"""Every hand there is: the truth from outside, as perft is for chess programs.

All 12,994,800 hands of four with a starter are counted one by one by `show_points`, and three things are proved. The
totals fall as the published histogram says. Each is the sum of the combinations that `score_show` names for its class:
the ranks of the hand, the rank of the starter, how many cards make a flush, nobs or not, which is all that the rules
can tell apart. And each 37th deal is counted by `score_show` outright as well, so that every class of more
than a handful is met in many suits. In `make test` one hand stands for all that are the same but for which suit is
which: 16,432 of the 270,725, each with every starter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import TypeVar

import pytest
from tests.support.sweeps import IS_WHOLE

from cribboard.cards import PACK, Card, Rank, Suit
from cribboard.rules import RULES
from cribboard.scoring import score_show, show_points

T = TypeVar("T")

# Published by Steven S. Lumetta, "Amusing Cribbage Facts", University of Illinois.
HANDS = [
    1_009_008, 99_792, 2_813_796, 505_008, 2_855_676, 697_508, 1_800_268, 751_324, 1_137_236, 361_224,
    388_740, 51_680, 317_340, 19_656, 90_100, 9_168, 58_248, 11_196, 2_708, 0,
    8_068, 2_496, 444, 356, 3_680, 0, 0, 0, 76, 4,
]  # fmt: skip

OUTRIGHT = 37
"""One deal in so many is counted by name outright. With 1 it is all of them, hands and cribs, in two minutes."""


def without(hand: tuple[Card, ...], row: Sequence[T]) -> list[T]:
    """What a row, with a place for each card of the pack, has for all cards but those of the hand."""
    rest = list(row)
    for card in reversed(hand):
        del rest[card.place]
    return rest


def hands_and_their_number() -> Iterator[tuple[tuple[Card, ...], int]]:
    """Each hand of four and 1, where sweeps are whole. Else each hand that differs in more than which suit is which,
    and how many of such are alike."""
    others = [dict(zip(Suit, suits, strict=True)) for suits in permutations(Suit)]
    known: set[frozenset[Card]] = set()
    for hand in combinations(PACK, 4):
        if IS_WHOLE:
            yield hand, 1
        elif frozenset(hand) not in known:
            alike = {frozenset(Card(card.rank, suits[card.suit]) for card in hand) for suits in others}
            known |= alike
            yield hand, len(alike)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("crib", [False, True], ids=["hands", "cribs"])
def test_the_histogram_of_all_hands_is_the_published_one_and_both_counts_agree(crib: bool) -> None:
    histogram: Counter[int] = Counter()
    by_class: dict[tuple[object, ...], int] = {}
    by_starter: dict[tuple[object, ...], list[int]] = {}  # by what a hand has of its class; -1 where none was met yet
    wrong: list[tuple[Card, ...]] = []
    deals = 0
    for hand, number in hands_and_their_number():
        ranks = tuple([card.rank for card in hand])
        suits = {card.suit for card in hand}
        jacks = frozenset([card.suit for card in hand if card.rank is Rank.JACK])
        rest = without(hand, PACK)
        points = [show_points(hand, starter, crib=crib) for starter in rest]
        for point in points:
            histogram[point] += number

        named = by_starter.setdefault((ranks, len(suits) == 1 and hand[0].suit, jacks), [-1] * len(PACK))
        if -1 in without(hand, named):
            for starter in [each for each in rest if named[each.place] < 0]:
                flush = 0 if len(suits) > 1 else 5 if starter.suit in suits else 4
                situation = (ranks, starter.rank, flush, starter.suit in jacks)
                if situation not in by_class:
                    by_class[situation] = score_show(hand, starter, crib=crib).total
                named[starter.place] = by_class[situation]
        if points != without(hand, named):
            wrong.append(hand)
        outright = range(-deals % OUTRIGHT, len(rest), OUTRIGHT)
        if any(points[at] != score_show(hand, rest[at], crib=crib).total for at in outright):
            wrong.append(hand)
        deals += number * len(rest)

    assert wrong == []
    assert deals == histogram.total() == 12_994_800
    mean = sum(points * times for points, times in histogram.items()) / deals
    if crib:
        assert round(mean, 6) == 4.734819
        assert histogram[0] == 1_022_208  # published beside the histogram of hands
    else:
        assert [histogram[points] for points in range(30)] == HANDS
        assert round(mean, 6) == 4.769152
    assert [points for points in range(30) if not histogram[points]] == [19, 25, 26, 27]


def test_the_published_histogram_adds_up() -> None:
    assert sum(HANDS) == 12_994_800
    assert round(sum(points * times for points, times in enumerate(HANDS)) / sum(HANDS), 6) == 4.769152


@pytest.mark.slow
def test_a_hand_of_three_is_never_worth_sixteen_to_nineteen_nor_more_than_twenty() -> None:
    """Five-card cribbage (rules reference, 3.23), where three cards of a suit are a flush."""
    rules = RULES["five-card"]
    seen: set[int] = set()
    for hand in combinations(PACK, 3):
        seen.update([show_points(hand, starter, rules=rules) for starter in without(hand, PACK)])
    assert seen == {*range(16), 20}
