"""Computes the fixed point: tables that lead to certain discards, and that follow from the same discards."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from tools.discards.cribs import crib_means
from tools.discards.deals import DealShape, Giver
from tools.discards.hands import Floats, Hands, all_hands

from cribboard.rules import CRIB_SIZE
from cribboard.strategy.ranks import multisets

#: Points that no entry of the tables moves by at the fixed point.
SETTLED = 0.02
#: Times around; where some discards of one card stay nearly equal, the mean of the last ones is taken.
_MOST_TIMES = 30


class Tables(NamedTuple):
    """The knowledge of a player about one deal, as arrays.

    `own`, `theirs`: the mean points of the crib by the ranks that he gives to it, in the order of `multisets`: over the
    hands where this discard is best, or where it never is over all hands that could make it.
    `kept_own`, `kept_theirs`: of the hands that hold these ranks, the share that keeps them, 0 to 1.
    """

    own: Floats
    theirs: Floats
    kept_own: Floats
    kept_theirs: Floats


def fixed_point(deal: DealShape, progress: Callable[[int, float], None] = lambda *_: None) -> Tables:
    """Return the tables that another round of improvement no longer changes.

    `progress` is called after each time around with its number, and the greatest change in points."""
    hands = all_hands(deal.cards_dealt, deal.discards)
    tables = _at_random(deal, hands)
    for number in range(1, _MOST_TIMES + 1):
        better = improved(tables, deal)
        change = moved(tables, better)
        progress(number, change)
        if change <= SETTLED:
            return better
        share = _SHARES[min(number, len(_SHARES)) - 1]
        tables = Tables(*(old + share * (new - old) for old, new in zip(tables, better, strict=True)))
    return tables


#: How much of each time around is taken over.
_SHARES = (1.0, 1.0, 0.7, 0.6, 0.5, 0.5, 0.5, 0.5, 0.3, 0.3, 0.3, 0.2, 0.2, 0.2, 0.1, 0.1, 0.1, 0.07, 0.05)


def moved(before: Tables, after: Tables) -> float:
    """Return the greatest change of a crib's mean, in points."""
    return max(float(np.abs(after.own - before.own).max()), float(np.abs(after.theirs - before.theirs).max()))


def improved(tables: Tables, deal: DealShape) -> Tables:
    """Return the tables that are right when all players discard by `tables`."""
    hands = all_hands(deal.cards_dealt, deal.discards)
    best_own, best_theirs = hands.best(tables.own), hands.best(-tables.theirs)
    of_owner, of_other = hands.discards_of_others((best_own, best_theirs))
    given = {Giver.OWNER: of_owner, Giver.OTHER: of_other, Giver.PACK: hands.cards_of_pack()}
    return Tables(
        own=crib_means(deal, hands, hands.discard[best_own], [given[giver] for giver in deal.to_own]),
        theirs=crib_means(deal, hands, hands.discard[best_theirs], [given[giver] for giver in deal.to_theirs]),
        kept_own=hands.kept_shares(best_own),
        kept_theirs=hands.kept_shares(best_theirs),
    )


def _at_random(deal: DealShape, hands: Hands) -> Tables:
    """Return the tables to begin with: all other cards of the crib come from the pack."""
    nobody = np.full(len(hands.counts), -1)
    others = [hands.cards_of_pack()] * (CRIB_SIZE - deal.discards)
    means = crib_means(deal, hands, nobody, others)
    kept = np.ones(len(multisets(deal.kept)))
    return Tables(means, means, kept, kept)
