"""Simulates deals to find the usual points of a deal, and computes the chance to win near the end of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import numpy as np
from tools.discards.deals import DEALS
from tools.discards.fixed_point import Tables
from tools.discards.hands import Floats, all_hands

from cribboard.cards import PACK, Card, Rank
from cribboard.rules import RULES
from cribboard.scoring import show_points
from cribboard.strategy.cards_to_lay import go_on
from cribboard.strategy.near_end import NEAR, both, shares
from cribboard.strategy.pegging import Play
from cribboard.strategy.ranks import multisets, ranks_of


class Usual(NamedTuple):
    """The frequency of each number of points counted or pegged in the simulated deals."""

    pegging: Counter[tuple[int, int]]  # by the dealer, heels included, and by the pone
    pone_hand: Counter[int]
    dealer_hand: Counter[int]
    crib: Counter[int]


#: Deals of which the usual points are taken, and after how many of them `progress` is told.
_DEALS, _TOLD = 20_000, 4_000


def usual(tables: Tables, deals: int = _DEALS, *, progress: Callable[[int, int], None] = lambda *_: None) -> Usual:
    """Return the frequency of points in six-card deals, where both discard by the tables and lay sensible cards.

    `progress` is called with how many of how many deals are done."""
    chance, rules, deal = Random(1), RULES["six-card"], DEALS["six_card"]
    hands = all_hands(deal.cards_dealt, deal.discards)
    index = {ranks: number for number, ranks in enumerate(multisets(deal.cards_dealt))}
    best = hands.best(tables.own), hands.best(-tables.theirs)
    found = Usual(Counter(), Counter(), Counter(), Counter())
    for number in range(deals):
        if not number % _TOLD:
            progress(number, deals)
        pack = chance.sample(PACK, 2 * deal.cards_dealt + 1)
        starter = pack.pop()
        kept: list[list[Card]] = []
        crib: list[Card] = []
        for choices in best:
            dealt = [pack.pop() for _ in range(deal.cards_dealt)]
            discarded = list(multisets(deal.discards)[hands.discard[choices[index[ranks_of(dealt)]]]])
            for card in dealt:
                if int(card.rank) in discarded:
                    discarded.remove(int(card.rank))
                    crib.append(card)
            kept.append([card for card in dealt if card not in crib])
        play = Play(rules, 0, (0, 0))
        go_on(play, [ranks_of(cards) for cards in kept])
        heels = rules.deal_and_play.his_heels if starter.rank is Rank.JACK else 0
        found.pegging[play.scores[0] + heels, play.scores[1]] += 1
        found.dealer_hand[show_points(kept[0], starter)] += 1
        found.pone_hand[show_points(kept[1], starter)] += 1
        found.crib[show_points(crib, starter, crib=True)] += 1
    return found


def chances(usual: Usual) -> Floats:
    """Return the dealer's chance to win before a deal, by the holes that he and the pone need, 1 to `NEAR` each."""
    pegging, pone_hand = shares(usual.pegging), shares(usual.pone_hand)
    counted = both(shares(usual.dealer_hand), shares(usual.crib))
    before = np.full((NEAR + 1, NEAR + 1), 0.5)
    before_hand = np.full((NEAR + 1, NEAR + 1), 0.5)
    for needs in range(2, 2 * NEAR + 1):
        for dealer in range(max(1, needs - NEAR), min(NEAR, needs - 1) + 1):
            pone = needs - dealer
            # Where the dealer counts nothing at all the chance of both is not known yet: it is taken for even.
            before_hand[dealer, pone] = sum(
                share * (1.0 - before[pone, dealer - points] if points < dealer else 1.0)
                for points, share in counted.items()
            )
            total = 0.0
            for (own, other), share in pegging.items():
                if own >= dealer:
                    total += share * (0.5 if other >= pone else 1.0)
                elif other < pone:
                    left = dealer - own, pone - other
                    total += share * sum(
                        how_often * before_hand[left[0], left[1] - points]
                        for points, how_often in pone_hand.items()
                        if points < left[1]
                    )
            before[dealer, pone] = total
    return before[1:, 1:]
