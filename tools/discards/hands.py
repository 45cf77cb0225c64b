"""All hands of a deal by ranks, all choices of each hand, and the points of each choice, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from cribboard.cards import PACK, Rank, Suit
from cribboard.strategy.ranks import OF_A_RANK, Ranks, grouped, multisets, with_starters

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Hands that are compared with all hands at once: what a block takes stays in the processor's cache.
_BLOCK = 25


@dataclass(frozen=True, slots=True)
class Hands:
    """All hands by ranks, and all their choices in one array: those of hand `n` begin at `first[n]`."""

    counts: Ints  # cards of each rank, for each hand
    hands: Floats  # how many hands have these ranks
    first: Ints  # of each hand
    hand: Ints  # the hand, for each choice
    discard: Ints  # what is discarded, as an index of `multisets`
    keep: Ints  # what is kept, as an index of `multisets`
    mean: Floats  # the points of what is kept, over all starters
    of_discards: Ints  # how many discards there are
    of_kept: Ints

    def best(self, crib: Floats) -> Ints:
        """Return the best choice of each hand, when `crib` gives the value of each discard in points."""
        worth = self.mean + crib[self.discard]
        most = np.maximum.reduceat(worth, self.first)
        best = np.flatnonzero(worth >= most[self.hand])
        return best[np.unique(self.hand[best], return_index=True)[1]]

    def kept_shares(self, best: Ints) -> Floats:
        """Return, for each set of kept ranks, the share of the hands with these ranks that keep them."""
        holding = np.bincount(self.keep, self.hands[self.hand], len(self.of_kept))
        keeping = np.bincount(self.keep[best], self.hands, len(self.of_kept))
        return keeping / holding

    def discards_of_others(self, best: Sequence[Ints]) -> list[Floats]:
        """Return the probability of each discard of another seat, for each own hand, for each of these strategies."""
        found = [np.zeros((len(self.counts), len(self.of_discards))) for _ in best]
        orders = [np.argsort(self.discard[each], kind="stable") for each in best]
        begins = [
            np.unique(self.discard[each][order], return_index=True) for each, order in zip(best, orders, strict=True)
        ]
        drawn = _one_hot(self.counts)
        for start in range(0, len(self.counts), _BLOCK):
            block = slice(start, start + _BLOCK)
            possible = np.exp(_logs_of_ways(OF_A_RANK - self.counts[block]) @ drawn.T)
            for shares, order, (which, begin) in zip(found, orders, begins, strict=True):
                shares[block, which] = np.add.reduceat(possible[:, order], begin, axis=1)
                shares[block] /= shares[block].sum(axis=1, keepdims=True)
        return found

    def cards_of_pack(self) -> Floats:
        """Return the probability that a card of the pack has each rank, for each hand."""
        left = OF_A_RANK - self.counts
        return np.asarray(left / left.sum(axis=1, keepdims=True))


@cache
def all_hands(cards_dealt: int, discards: int) -> Hands:
    """Return all hands of a deal."""
    index_of_discard = {ranks: index for index, ranks in enumerate(multisets(discards))}
    index_of_kept = {ranks: index for index, ranks in enumerate(multisets(cards_dealt - discards))}
    dealt = multisets(cards_dealt)
    first: list[int] = []
    hand: list[int] = []
    discard: list[int] = []
    keep: list[int] = []
    points = np.array([with_starters(kept)[1:] for kept in index_of_kept], dtype=float)
    jacks = np.array([kept.count(Rank.JACK) for kept in index_of_kept])
    counts = counts_of(dealt)
    for number, ranks in enumerate(dealt):
        first.append(len(hand))
        for taken, kept in _splits(ranks, discards).items():
            hand.append(number)
            discard.append(index_of_discard[taken])
            keep.append(index_of_kept[kept])
    left = (OF_A_RANK - counts)[hand]
    mean = (left * points[keep]).sum(axis=1) / (len(PACK) - cards_dealt)
    mean += jacks[keep] * nobs(counts[hand, Rank.JACK - 1], cards_dealt)
    return Hands(
        counts,
        np.array([_ways(ranks) for ranks in dealt], dtype=float),
        np.array(first),
        np.array(hand),
        np.array(discard),
        np.array(keep),
        mean,
        np.arange(len(index_of_discard)),
        np.arange(len(index_of_kept)),
    )


def _ways(ranks: Ranks) -> int:
    """Return the number of ways to draw cards of these ranks from the pack."""
    return prod([comb(OF_A_RANK, times) for _, times in grouped(ranks)])


def _splits(ranks: Ranks, size: int) -> dict[Ranks, Ranks]:
    """Return the ways to discard `size` cards, as discarded and kept ranks. From 5 5 J, one card: 5 or J."""
    found: dict[Ranks, Ranks] = {}
    for places in combinations(range(len(ranks)), size):
        taken = tuple([ranks[place] for place in places])
        if taken not in found:
            found[taken] = tuple([rank for place, rank in enumerate(ranks) if place not in places])
    return found


def counts_of(ranks: Sequence[Ranks]) -> Ints:
    """Return the number of cards of each rank, a row for each of these sets of ranks."""
    return np.array([[each.count(rank) for rank in Rank] for each in ranks])


def _one_hot(counts: Ints) -> Floats:
    return np.asarray((counts[:, :, None] == np.arange(OF_A_RANK + 1)).reshape(len(counts), -1), dtype=float)


def _logs_of_ways(left: Ints) -> Floats:
    """Return the logarithm of the number of ways to draw 0 to 4 cards of each rank, with `left` cards of it left."""
    logs = [[np.log(comb(n, k)) if k <= n else -1000.0 for k in range(OF_A_RANK + 1)] for n in range(OF_A_RANK + 1)]
    return np.array(logs)[left].reshape(len(left), -1)


def nobs(jacks: Ints | int, known: int) -> Floats:
    """Return the chance that a jack has the starter's suit, when `known` cards, `jacks` of them jacks, are known."""
    of_suit = len(Rank) - 1 - (known - np.asarray(jacks)) / len(Suit)
    return np.asarray(of_suit / (len(PACK) - known))
