"""Ranks of cards without suits: multisets of ranks, the ranks left in the pack, and the points of ranks.

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
    """List all multisets of `size` ranks that a pack can give, in lexicographic order.

    There are 91 of two, 1,820 of four."""
    some = combinations_with_replacement(range(1, len(Rank) + 1), size)
    return tuple(ranks for ranks in some if all(times <= OF_A_RANK for _, times in grouped(ranks)))


def grouped(ranks: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """List each rank once, with the number of its cards.

    >>> grouped((5, 5, 11))
    ((5, 2), (11, 1))
    """
    return tuple((rank, ranks.count(rank)) for rank in dict.fromkeys(ranks))


def left_in_pack(ranks: Iterable[int]) -> list[int]:
    """Count, for each rank, the cards that remain in the pack without these cards.

    Index 0 is unused."""
    left = [0] + [OF_A_RANK] * len(Rank)
    for rank in ranks:
        left[rank] -= 1
    return left


@cache
def with_starters(ranks: Ranks) -> Ranks:
    """Return the points that these ranks make with each starter, in a tuple by the starter's rank.

    Flush and nobs are left out. Index 0 is unused."""
    return (0, *(rank_points(tuple(sorted((*ranks, starter)))) for starter in Rank))
