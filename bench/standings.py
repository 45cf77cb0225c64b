"""Measures a competition of 512 entrants with sixteen games each: the standings, what the hall sees, and one result.

It counts processor time. The standings are the least of a few rounds, a result is the slowest of a hundred.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from functools import partial

from tests.support.competitions import Hall, circle, entered

from cribboard.competition import FORMATS, see, standings
from cribboard.competition.view import Eye

ENTRANTS = 512
ROUNDS = 8
RESULTS = 100
REPEATS = 5


def played() -> Hall:
    """A Jeux 50+ day in full."""
    hall = Hall(FORMATS["jeux50"], ENTRANTS, tables=ENTRANTS // 2)
    for pairs, _ in circle(ENTRANTS, ROUNDS):
        number = hall.draw(*pairs)
        for table in range(1, len(pairs) + 1):
            for game in (1, 2):
                lost = (number * 31 + table * 17 + game) % 121
                hall.do(entered(number, table, *((121, lost) if table % 3 else (lost, 121)), game=game))
    return hall


def milliseconds(what: Callable[[], object]) -> float:
    """What it takes once."""
    start = time.thread_time_ns()
    what()
    return (time.thread_time_ns() - start) / 1e6


def of_512_entrants() -> dict[str, float]:
    """The standings, the view of the hall, and the result of a game."""
    p = played().now
    late = Hall(FORMATS["jeux50"], ENTRANTS, tables=ENTRANTS // 2)
    late.draw(*circle(ENTRANTS, 1)[0][0])
    results = [entered(1, table, 121, table) for table in range(1, RESULTS + 1)]
    gc.collect()
    return {
        "standings_512_ms": min(milliseconds(lambda: standings(p)) for _ in range(REPEATS)),
        "competition_view_512_ms": min(milliseconds(lambda: see(p, Eye.HALL)) for _ in range(REPEATS)),
        "result_512_worst_ms": max(milliseconds(partial(late.do, each)) for each in results),
    }


PARTS = (of_512_entrants,)
