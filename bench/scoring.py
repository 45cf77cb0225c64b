"""Measures how fast hands are counted.

Each function measures one thing and returns plain figures. Rates are one call a hand from an ordinary loop, the loop
included. The best of several rounds counts, because other load only slows a round down. Hands are dealt from a fixed
seed. `first` is the first pass in a fresh interpreter, while tables are still being made.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations

from cribboard.cards import PACK, Card
from cribboard.scoring import score_show, show_points

HANDS = 20_000
ROUNDS = 7

HandAndStarter = tuple[tuple[Card, ...], Card]
ScoreFunction = Callable[[Sequence[Card], Card], object]


def deals(seed: int = 1) -> list[HandAndStarter]:
    """Return hands of four cards with a starter, each from a full pack."""
    rng = random.Random(seed)
    return [(tuple(cards[:4]), cards[4]) for cards in (rng.sample(PACK, 5) for _ in range(HANDS))]


def empty(hand: Sequence[Card], starter: Card, *, crib: bool = False, rules: None = None) -> int:
    """Return 0: a function with the parameters of `show_points`, to measure the cost of a call alone."""
    return 0


def nanoseconds(count: ScoreFunction, hands: list[HandAndStarter]) -> float:
    """Return the nanoseconds of one call, in one round of a loop over the hands."""
    start = time.perf_counter_ns()
    for hand, starter in hands:
        count(hand, starter)
    return (time.perf_counter_ns() - start) / len(hands)


def counting() -> dict[str, float]:
    """Measure hands per second, with points alone and named, and the cost of a fast count in empty calls."""
    hands = deals()
    first = nanoseconds(show_points, hands)
    rounds = [[nanoseconds(count, hands) for count in (empty, show_points, score_show)] for _ in range(ROUNDS)]
    call, fast, named = (min(costs) for costs in zip(*rounds, strict=True))
    return {
        "show_points_hands_per_second": 1e9 / fast,
        "show_points_in_empty_calls": fast / call,
        "show_points_first_hands_per_second": 1e9 / first,
        "score_show_hands_per_second": 1e9 / named,
    }


def all_hands() -> dict[str, float]:
    """Measure the seconds to count all 12,994,800 hands, and return their mean too, to show that all were counted."""
    start = time.perf_counter()
    histogram = [0] * 30
    for hand in combinations(PACK, 4):
        rest = list(PACK)
        for card in reversed(hand):
            del rest[card.place]
        for starter in rest:
            histogram[show_points(hand, starter)] += 1
    seconds = time.perf_counter() - start
    mean = sum(points * times for points, times in enumerate(histogram)) / sum(histogram)
    return {"all_hands_seconds": seconds, "all_hands_mean": mean}


WEIGH = """
import tracemalloc
from itertools import combinations
from cribboard.cards import PACK
from cribboard.scoring import show_points
tracemalloc.start()
for hand in combinations(PACK, 4):
    show_points(hand, PACK[0])
print(tracemalloc.get_traced_memory()[0])
"""


def size() -> dict[str, float]:
    """Measure the memory of `show_points` after it has met every hand, and the time to import the two modules.

    Each in a fresh interpreter. The import is that of `cards` and `scoring` themselves, as `-X importtime` tells it.
    """
    weighed = subprocess.run([sys.executable, "-c", WEIGH], capture_output=True, text=True, check=True)
    imported = []
    for _ in range(ROUNDS):
        command = [sys.executable, "-X", "importtime", "-c", "import cribboard.scoring"]
        trace = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        costs = re.findall(r"(\d+) \| +\d+ \| +cribboard\.(?:cards|scoring)\n", trace)
        imported.append(sum(map(int, costs)) / 1e3)
    return {"rows_megabytes": int(weighed.stdout) / 1e6, "scoring_import_milliseconds": min(imported)}


PARTS = (counting, all_hands, size)
