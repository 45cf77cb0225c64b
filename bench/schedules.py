"""Measures how fast competitions are drawn: schedules, schedules after departures, and rounds of winners-stay.

It counts processor time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

from cribboard.competition.round_robin import draw_round_robin, games_owed, redraw_remaining_rounds
from cribboard.competition.winners_stay import FinishedRound, next_seating

ROUNDS = 16
ENOUGH = 256  # tables for all


def seconds(what: Callable[[], object]) -> float:
    """Return the processor seconds of one call."""
    start = time.thread_time()
    what()
    return time.thread_time() - start


def rounds() -> dict[str, float]:
    """Measure schedules of 16 rounds, and the rounds left after three when five of 64 entrants have gone home."""
    schedule = draw_round_robin(range(64), ROUNDS, tables=ENOUGH)
    owed = games_owed(schedule, 3, range(5, 64))
    full = draw_round_robin(range(512), ROUNDS, tables=ENOUGH)
    owed_of_full = games_owed(full, 3, range(5, 512))
    long = draw_round_robin(range(64), 60, tables=ENOUGH)
    owed_of_long = games_owed(long, 3, range(5, 64))
    return {
        "schedule_64_s": seconds(lambda: draw_round_robin(range(64), ROUNDS, tables=ENOUGH)),
        "schedule_512_s": seconds(lambda: draw_round_robin(range(512), ROUNDS, tables=ENOUGH)),
        "redrawn_64_s": seconds(lambda: redraw_remaining_rounds(schedule, 3, owed, tables=ENOUGH)),
        "redrawn_64_of_60_rounds_s": seconds(lambda: redraw_remaining_rounds(long, 3, owed_of_long, tables=ENOUGH)),
        "redrawn_512_s": seconds(lambda: redraw_remaining_rounds(full, 3, owed_of_full, tables=ENOUGH)),
    }


def winners_stay() -> dict[str, float]:
    """Measure the slowest of 16 rounds, with an odd number of entrants and a table for each pair, or too few."""
    return {
        "winners_stay_round_63_ms": max(slowest(63, ENOUGH), slowest(63, 20)),
        "winners_stay_round_511_ms": max(slowest(511, ENOUGH), slowest(511, 100)),
    }


def slowest(entrants: int, tables: int) -> float:
    """Return the milliseconds of the slowest of 16 rounds."""
    rng = Random(1)
    played: list[FinishedRound] = []
    longest = 0.0
    for _ in range(ROUNDS):
        start = time.thread_time()
        seating = next_seating(played, range(entrants), tables=tables)
        longest = max(longest, time.thread_time() - start)
        played.append(FinishedRound(seating, frozenset(rng.choice(each.entrants) for each in seating.pairings)))
    return longest * 1000


PARTS = (rounds, winners_stay)
