"""`make bench`: prints every figure and the machine in one table, and writes `bench.json`.

A figure with a bound says whether it keeps it. Nothing here is a test: a slow machine is no failure. Progress goes to
standard error, so that the table can be piped alone.
"""

from __future__ import annotations

import argparse
import asyncio
import inspect
import json
import os
import platform
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.progress import Progress


@dataclass(frozen=True, slots=True)
class Bound:
    """The bound of a figure: `least` or `most`, whichever is not None."""

    most: float | None = None
    least: float | None = None

    def keeps(self, value: float) -> bool:
        return (self.most is None or value <= self.most) and (self.least is None or value >= self.least)

    def __str__(self) -> str:
        return f"at most {self.most:g}" if self.most is not None else f"at least {self.least:,g}"


#: The scan period, the debounce time and 3 ms, in milliseconds.
_PRESS_MS = 5 + 10 + 3

BOUNDS = {
    "press_to_light_p99_ms": Bound(most=_PRESS_MS),
    "press_to_light_100_viewers_more_percent": Bound(most=10),
    "press_to_steady_100_viewers_more_percent": Bound(most=10),
    "press_to_light_attacked_p50_ms": Bound(most=_PRESS_MS),
    "attacked_growth_mb": Bound(most=20),
    "event_to_paint_p99_ms": Bound(most=150),
    "event_kb": Bound(most=150),
    "result_to_paint_100_viewers_p99_ms": Bound(most=150),
    "desk_entry_answered_p99_ms": Bound(most=50),
    "scoreboard_kb": Bound(most=150),
    "scoreboard_rest_percent": Bound(most=3),
    "day_daemon_growth_mb": Bound(most=1),
    "day_scoreboard_growth_mb": Bound(most=1),
    "scan_to_screen_p99_ms": Bound(most=60),
    "press_to_verdict_p99_ms": Bound(most=60),
    "idle_cpu_percent": Bound(most=5),
    "resident_with_twin_mb": Bound(most=75),
    **{
        f"{board}{name}": Bound(most=most)
        for board in ("", "starter_")
        for name, most in (
            ("first_light_s", 1),
            ("ready_after_s", 4),
            ("resident_without_pages_mb", 45),
            ("rest_percent_of_a_core", 3),
        )
    },
    "press_to_light_pages_load_p99_ms": Bound(most=40),
    "ready_s": Bound(most=0.5),
    "show_points_hands_per_second": Bound(least=3_000_000),
    "score_show_hands_per_second": Bound(least=250_000),
    "all_hands_seconds": Bound(most=30),
    **{
        f"six_player_game_{way}_{which}_ms": Bound(most=25)
        for way in ("auto", "verify")
        for which in ("median", "worst")
    },
    "decide_p99_ms": Bound(most=0.3),
    **{f"{which}_64_s": Bound(most=1) for which in ("schedule", "redrawn")},
    **{f"{which}_512_s": Bound(most=10) for which in ("schedule", "redrawn")},
    "winners_stay_round_63_ms": Bound(most=100),
    "standings_512_ms": Bound(most=20),
    "best_discards_p99_ms": Bound(most=20),
    "best_discards_near_end_p99_ms": Bound(most=20),
    "card_to_lead_p99_ms": Bound(most=50),
    "card_to_answer_p99_ms": Bound(most=50),
    "strong_beats_medium_percent": Bound(least=64),
    "rotten_flips_answered_percent": Bound(least=100),
    "rotten_starts_answered_percent": Bound(least=100),
    "club_300_result_ranked_worst_s": Bound(most=2),
    "club_300_results_lost": Bound(most=0),
    "club_300_results_twice": Bound(most=0),
    "club_300_desk_key_p99_ms": Bound(most=100),
    "club_300_hub_mb": Bound(most=150),
    "club_peg_to_hall_p99_ms": Bound(most=200),
    "press_to_light_joined_more_percent": Bound(most=10),
    **{f"{kind}_decoder_mb_per_second": Bound(least=1) for kind in ("scanner", "rdm6300", "pn532")},
}


def machine() -> dict[str, str]:
    """Return the description of the machine on which the figures are measured."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith(("model name", "Model"))]
    return {
        "processor": names[0] if names else platform.processor(),
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
        "system": platform.platform(),
    }


#: Parts that are measured if they are named: they take longer than all others together, or need mosquitto.
LONG = {"strategy.rates", "club.of_300_boards", "club.peg_to_hall", "club.beside_a_hub"}

Measurement = Callable[[], dict[str, float] | Awaitable[dict[str, float]]]


def parts() -> dict[str, Measurement]:
    """Return all measurements, by module and name, in the order of a whole run."""
    from bench import (
        club,
        device,
        judging,
        pages,
        past_games,
        playing,
        readers,
        rotting,
        schedules,
        scoring,
        standings,
        start,
        strategy,
    )

    return {
        f"{module.__name__.rpartition('.')[2]}.{part.__name__}": part
        for module in (
            scoring,
            playing,
            device,
            judging,
            readers,
            pages,
            past_games,
            rotting,
            schedules,
            standings,
            start,
            strategy,
            club,
        )
        for part in module.PARTS
    }


def chosen(names: Sequence[str], known: Mapping[str, Measurement]) -> dict[str, Measurement]:
    """Return the measurements with these names. A module's name means all of its own; no name means all but `LONG`.

    Raises ValueError with what is allowed, if a name is none.
    """
    modules = dict.fromkeys(part.partition(".")[0] for part in known)
    for name in names:
        if name not in known and name not in modules:
            raise ValueError(f"{name} is measured nowhere; allowed are {', '.join([*modules, *known])}")
    wanted = {*names} or {*known} - LONG
    return {part: run for part, run in known.items() if {part, part.partition(".")[0]} & wanted}


def measure(wanted: Mapping[str, Measurement]) -> dict[str, float]:
    """Run the measurements one after the other, and print the progress."""
    found: dict[str, float] = {}
    progress = Progress()
    for number, (name, part) in enumerate(wanted.items(), 1):
        progress(f"part {number} of {len(wanted)}: {name}")
        result = part()
        found |= asyncio.run(_of(result)) if inspect.isawaitable(result) else result
    return found


async def _of(result: Awaitable[dict[str, float]]) -> dict[str, float]:
    return await result


def main(arguments: Sequence[str]) -> int:
    """Run the chosen measurements, print the table, and write the file. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="make bench",
        usage='make bench [ARGS="PART ..."]',
        description="Measures, prints one table, and writes what was measured to bench.json. A whole run takes "
        "about ten minutes, and wants a machine that does nothing else.",
        epilog=f"Parts: {', '.join(parts())}. A word before the point alone means all that begin with it. Measured"
        f" only if they are named, since they take long or need mosquitto: {', '.join(sorted(LONG))}.",
    )
    parser.add_argument("part", nargs="*", metavar="PART", help="what is measured; if none is named, most")
    try:
        wanted = chosen(parser.parse_args(arguments).part, parts())
    except ValueError as wrong:
        parser.error(str(wrong))
    found = measure(wanted)
    print(" · ".join(f"{name}: {value}" for name, value in machine().items()))
    for name, value in found.items():
        bound = BOUNDS.get(name)
        verdict = "" if bound is None else f"{bound!s:<22} {'within' if bound.keeps(value) else 'OUTSIDE THE BOUND'}"
        print(f"{name:<42}{value:>16,.3f}  {verdict}")
    Path("bench.json").write_text(json.dumps({"machine": machine(), "figures": found}, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
