"""The ranks of cards, without their suits.

A multiset is a sorted tuple of ranks, ace 1 to king 13. Most of what cards are worth depends on their ranks only, and
there are 18,395 multisets of six cards, but 20,358,520 hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement

from cribboard.cards import Card, Rank, Suit
from cribboard.scoring import rank_points

#: Sorted ranks, 1 to 13.
Ranks = tuple[int, ...]

#: Cards of each rank in the pack.
OF_A_RANK = len(Suit)


def ranks_of(cards: Iterable[Card]) -> Ranks:
    """Return the sorted ranks of these cards."""
    return tuple(sorted([int(card.rank) for card in cards]))


@cache
def multisets(size: int) -> tuple[Ranks, ...]:
    """List all multisets of ranks that a pack can give.

    The order is lexicographic. There are 91 of two, 1,820 of four."""
    some = combinations_with_replacement(range(1, len(Rank) + 1), size)
    return tuple(ranks for ranks in some if all(times <= OF_A_RANK for _, times in grouped(ranks)))


def grouped(ranks: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """List each rank once, with the number of its cards.

    >>> grouped((5, 5, 11))
    ((5, 2), (11, 1))
    """
    return tuple((rank, ranks.count(rank)) for rank in dict.fromkeys(ranks))


def left_in_pack(ranks: Iterable[int]) -> list[int]:
    """Count the remaining cards of the pack by rank.

    `ranks` are those of the cards taken out. Index 0 is unused."""
    left = [0] + [OF_A_RANK] * len(Rank)
    for rank in ranks:
        left[rank] -= 1
    return left


@cache
def with_starters(ranks: Ranks) -> Ranks:
    """Return the points with each starter, one number for each rank.

    The index is the starter's rank; index 0 is unused. Flush and nobs are left out."""
    return (0, *(rank_points(tuple(sorted((*ranks, starter)))) for starter in Rank))
