"""Measures how well and how fast the levels of robots play.

`rates`: how often each level beats the one below in six-card to 121, over duplicate games: each sequence of deals is
played twice, seats swapped, so that luck with the cards weighs less. The error is the standard error of the mean over
such pairs. Two processes play.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from random import Random
from statistics import fmean, quantiles, stdev

from tests.support.self_play import Levels, winner

from cribboard.cards import PACK
from cribboard.rules import RULES
from cribboard.strategy.cards_to_lay import Act, PlayerView, ranked_cards
from cribboard.strategy.discards import best_discards
from cribboard.strategy.robot_levels import RobotLevel

#: Pairs of games.
PAIRS = 5_000
PROCESSES = 2
DISCARDS = 200


def rates(pairs: int = PAIRS) -> dict[str, float]:
    """Measure the share of games that each level wins against the next lower one, and its error, in per cent."""
    found: dict[str, float] = {}
    for weaker, stronger in pairwise(RobotLevel):
        with ProcessPoolExecutor(PROCESSES) as pool:
            won = list(pool.map(partial(pair, (stronger, weaker)), range(pairs), chunksize=25))
        found[f"{stronger}_beats_{weaker}_percent"] = 100 * fmean(won)
        found[f"{stronger}_beats_{weaker}_error_percent"] = 100 * stdev(won) / pairs**0.5
    return found


def pair(levels: Levels, seed: int) -> float:
    """Return the first level's share of wins in two games with the same cards: 0, 0.5 or 1."""
    first, second = levels
    wins = (_winner((first, second), seed) == 0) + (_winner((second, first), seed) == 1)
    return wins / 2


def _winner(levels: Levels, seed: int) -> int:
    cards, rng = Random(seed), Random(-1 - seed)
    return winner(
        levels,
        RULES["six-card"],
        dealer=seed % 2,
        shuffled=lambda: cards.sample(PACK, len(PACK)),
        rng=rng,
    )


def choosing() -> dict[str, float]:
    """Measure milliseconds for the best of 15 discards, and for the first card of the play, the slowest one."""
    cards, rules = Random(1), RULES["six-card"]
    discards: list[float] = []
    near: list[float] = []
    leads: list[float] = []
    answers: list[float] = []
    best_discards(PACK[:6], rules, is_own_crib=True, scores=(100, 100))  # reads the tables
    for _ in range(DISCARDS):
        pack = cards.sample(PACK, 8)
        dealt, starter, led = pack[:6], pack[6], pack[7]
        start = time.thread_time()
        best = best_discards(dealt, rules, is_own_crib=False)[0]
        discards.append(time.thread_time() - start)
        start = time.thread_time()
        best_discards(dealt, rules, is_own_crib=True, scores=(100, 100))
        near.append(time.thread_time() - start)
        to_lead: tuple[Act, ...] = ()
        for dealer, acts, took in ((1, to_lead, leads), (0, (Act(1, led),), answers)):
            seen = PlayerView(rules, 0, dealer, (100, 100), best.kept, best.discarded, starter, acts)
            start = time.thread_time()
            ranked_cards(seen, cards)
            took.append(time.thread_time() - start)
    return {
        "best_discards_p99_ms": 1000 * quantiles(discards, n=100)[-1],
        "best_discards_near_end_p99_ms": 1000 * quantiles(near, n=100)[-1],
        "card_to_lead_p99_ms": 1000 * quantiles(leads, n=100)[-1],
        "card_to_answer_p99_ms": 1000 * quantiles(answers, n=100)[-1],
    }


PARTS = (choosing, rates)
