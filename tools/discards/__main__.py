"""Computes the tables of the strategy, and writes their modules."""

from __future__ import annotations

import sys

from tools.discards.deals import DEALS
from tools.discards.fixed_point import Tables, fixed_point
from tools.discards.modules import FOLDER, modules
from tools.discards.near_end import chances, usual
from tools.progress import Progress


def main() -> int:
    """Compute the tables, report progress, and write the modules."""
    progress = Progress()
    made: dict[str, Tables] = {}
    for name, deal in DEALS.items():

        def around(number: int, change: float, name: str = name) -> None:
            progress(f"{name}: {number} times around, the last moved an entry by {change:.3f}")

        progress(f"{name}: every hand")
        made[name] = fixed_point(deal, around)
    points = usual(made["six_card"], progress=lambda dealt, of: progress(f"the chance to win: {dealt} of {of} deals"))
    progress("the chance to win: from the points of the deals")
    for name, text in modules(made, points, chances(points)).items():
        (FOLDER / f"{name}.py").write_text(text, encoding="utf-8")
    print(f"Written: {FOLDER}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
