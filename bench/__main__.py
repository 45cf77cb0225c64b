"""`make bench`: every figure in one table, with the machine it came from, and in `bench.json`.

A figure with a bound says whether it keeps it. Nothing here is a test: a slow machine is no fault.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Bound:
    """What a figure is held to: `least` or `most`, whichever is not None."""

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
    "scoreboard_kb": Bound(most=150),
    "scoreboard_rest_percent": Bound(most=3),
    "day_daemon_growth_mb": Bound(most=1),
    "day_scoreboard_growth_mb": Bound(most=1),
    "scan_to_screen_p99_ms": Bound(most=60),
    "press_to_verdict_p99_ms": Bound(most=60),
    "idle_cpu_percent": Bound(most=5),
    "resident_with_twin_mb": Bound(most=75),
    "resident_without_twin_mb": Bound(most=60),
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
    "rotten_flips_answered_percent": Bound(least=100),
    "rotten_starts_answered_percent": Bound(least=100),
    **{f"{kind}_decoder_mb_per_second": Bound(least=1) for kind in ("scanner", "rdm6300", "pn532")},
}


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith(("model name", "Model"))]
    return {
        "processor": names[0] if names else platform.processor(),
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
        "system": platform.platform(),
    }


def main() -> int:
    """Measure, print, write."""
    from bench import device, judging, pages, past_games, playing, readers, rotting, scoring

    found: dict[str, float] = {}
    for part in (scoring, playing, device, judging, readers, pages, past_games, rotting):
        found |= part.figures()
    print(" · ".join(f"{name}: {value}" for name, value in machine().items()))
    for name, value in found.items():
        bound = BOUNDS.get(name)
        verdict = "" if bound is None else f"{bound!s:<22} {'kept' if bound.keeps(value) else 'NOT KEPT'}"
        print(f"{name:<42}{value:>16,.3f}  {verdict}")
    Path("bench.json").write_text(json.dumps({"machine": machine(), "figures": found}, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
