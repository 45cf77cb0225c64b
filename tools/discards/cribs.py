"""Computes the mean points of a crib for a discard, given what the other seats discard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce

import numpy as np
from tools.discards.deals import DealShape
from tools.discards.hands import Floats, Hands, Ints, counts_of, nobs

from cribboard.cards import PACK, Rank, Suit
from cribboard.rules import CRIB_SIZE
from cribboard.strategy.ranks import OF_A_RANK, Ranks, multisets, with_starters


def crib_means(deal: DealShape, hands: Hands, discarded: Ints, given: Sequence[Floats]) -> Floats:
    """Return the mean points of the crib for each discard, over the hands that choose it (if none does, that could)."""
    means = []
    for index, ranks in enumerate(multisets(deal.discards)):
        making = np.flatnonzero(discarded == index)
        if not len(making):
            making = np.unique(hands.hand[hands.discard == index])
        means.append(np.average(_crib_mean(hands, making, ranks, given), weights=hands.hands[making]))
    return np.array(means)


def _crib_mean(hands: Hands, making: Ints, discarded: Ranks, given: Sequence[Floats]) -> Floats:
    """Return the mean points of the crib for this discard of each of these hands."""
    known = hands.counts[making]
    rest = _rest(CRIB_SIZE - len(discarded), len(given))
    shares = reduce(_joined, [each[making] for each in given])
    shares = shares * np.all(known[:, None, :] + rest.counts <= OF_A_RANK, axis=2) if len(given) > 1 else shares
    shares = shares / shares.sum(axis=1, keepdims=True)
    points = rest.points(discarded)
    left = np.maximum(OF_A_RANK - rest.counts, 0)
    total = shares @ (left * points).sum(axis=1) - ((shares @ points) * known).sum(axis=1)
    seen = int(known[0].sum()) + rest.size
    jacks = shares @ rest.counts[:, Rank.JACK - 1] + discarded.count(Rank.JACK)
    return np.asarray(total / (len(PACK) - seen) + jacks * nobs(1, seen))


def _joined(before: Floats, more: Floats) -> Floats:
    return np.asarray((before[:, :, None] * more[:, None, :]).reshape(len(before), -1))


#: What a flush adds to a crib of five different ranks, whose suits are independent of each other: 5 points.
_FLUSH = (CRIB_SIZE + 1) * len(Suit) ** -CRIB_SIZE


@dataclass(frozen=True, slots=True)
class _Rest:
    """The possible cards of the crib from other seats and the pack, in the order of `_joined`."""

    size: int
    ranks: tuple[Ranks, ...]
    counts: Ints

    def points(self, discarded: Ranks) -> Floats:
        """Return the points of the crib with these discards, for each possible rest and rank of the starter."""
        crib = [tuple(sorted(discarded + rest)) for rest in self.ranks]
        points = np.array([with_starters(ranks)[1:] for ranks in crib], dtype=float)
        different = [[len({*ranks, starter}) == CRIB_SIZE + 1 for starter in Rank] for ranks in crib]
        return np.asarray(points + _FLUSH * np.array(different))


@cache
def _rest(size: int, givers: int) -> _Rest:
    ranks: list[Ranks] = [()]
    for _ in range(givers):
        ranks = [before + more for before in ranks for more in multisets(size // givers)]
    return _Rest(size, tuple(ranks), counts_of(ranks))
