"""Measures a competition of 512 entrants with sixteen games each: standings, the hall's view, and one result.

And what results of 60 entrants take the organiser, one by one and in one batch, with the messages of desk and hall.

Of the 512 it counts processor time. The standings are the least of a few rounds, a result is the slowest of a hundred.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.competitions import Hall, circle, entered
from tests.support.organised import draw_and_start, open_hall, organiser

from cribboard.competition import FORMATS, see, standings
from cribboard.competition.view import CompetitionEye
from cribd.competition.change_request import ChangeRequest
from cribd.competition.snapshot import State
from cribd.web.http.sse import json_message
from cribd.web.kiosk.shared import competition_json

ENTRANTS = 512
ROUNDS = 8
RESULTS = 100
REPEATS = 5
AT_THE_DESK, ROUNDS_AT_THE_DESK = 60, 6


def played() -> Hall:
    """Return the hall after a full Jeux 50+ day."""
    hall = Hall(FORMATS["jeux50"], ENTRANTS, tables=ENTRANTS // 2)
    for pairs, _ in circle(ENTRANTS, ROUNDS):
        number = hall.draw(*pairs)
        for table in range(1, len(pairs) + 1):
            for game in (1, 2):
                lost = (number * 31 + table * 17 + game) % 121
                hall.do(entered(number, table, *((121, lost) if table % 3 else (lost, 121)), game=game))
    return hall


def milliseconds(what: Callable[[], object]) -> float:
    """Return the processor milliseconds of one call."""
    start = time.thread_time_ns()
    what()
    return (time.thread_time_ns() - start) / 1e6


def of_512_entrants() -> dict[str, float]:
    """Measure the standings, the view of the hall, and the result of a game."""
    p = played().now
    late = Hall(FORMATS["jeux50"], ENTRANTS, tables=ENTRANTS // 2)
    late.draw(*circle(ENTRANTS, 1)[0][0])
    results = [entered(1, table, 121, table) for table in range(1, RESULTS + 1)]
    gc.collect()
    return {
        "standings_512_ms": min(milliseconds(lambda: standings(p)) for _ in range(REPEATS)),
        "competition_view_512_ms": min(milliseconds(lambda: see(p, CompetitionEye.HALL)) for _ in range(REPEATS)),
        "result_512_worst_ms": max(milliseconds(partial(late.do, each)) for each in results),
    }


def of_60_entrants_at_the_desk() -> dict[str, float]:
    """Measure a result at the desk, alone and in a batch of half a round."""
    with TemporaryDirectory() as folder:
        return asyncio.run(_at_the_desk(Path(folder) / "journal.db"))


async def _at_the_desk(journal: Path) -> dict[str, float]:
    async with organiser(journal) as owner:
        await open_hall(owner, AT_THE_DESK)
        for number in range(1, ROUNDS_AT_THE_DESK + 1):
            drawn = await draw_and_start(owner)
            results = [ChangeRequest([entered(number, at.table, 121, at.table)]) for at, _ in drawn.since]
            if number < ROUNDS_AT_THE_DESK:
                await owner.do_many(results)

        def publish(state: State) -> None:
            for shown in (competition_json.hall(state), competition_json.desk(state)):
                json_message(shown)

        owner.watch(publish)
        alone, together = results[: len(results) // 2], results[len(results) // 2 :]
        start = time.perf_counter()
        for request in alone:
            await owner.do_many([request])
        between = time.perf_counter()
        await owner.do_many(together)
        end = time.perf_counter()
    return {
        "result_60_alone_ms": 1000 * (between - start) / len(alone),
        "result_60_in_batch_ms": 1000 * (end - between) / len(together),
    }


PARTS = (of_512_entrants, of_60_entrants_at_the_desk)
