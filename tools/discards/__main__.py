"""Makes the numbers and writes the modules."""

from __future__ import annotations

import sys
import time

from tools.discards.deals import DEALS
from tools.discards.fixed_point import Tables, fixed_point
from tools.discards.modules import FOLDER, modules
from tools.discards.near_end import chances, usual


def main() -> int:
    """Make the tables, say how far it is, and write the modules."""
    begun = time.monotonic()
    made: dict[str, Tables] = {}
    for name, deal in DEALS.items():

        def progress(number: int, change: float, name: str = name) -> None:
            minutes, seconds = divmod(int(time.monotonic() - begun), 60)
            said = f"{minutes:2}:{seconds:02}  {name}: {number} times around, the last moved an entry by {change:.3f}"
            print(said, file=sys.stderr, flush=True)

        made[name] = fixed_point(deal, progress)
    print("Playing deals for the chance to win.", file=sys.stderr, flush=True)
    points = usual(made["six_card"])
    for name, text in modules(made, points, chances(points)).items():
        (FOLDER / f"{name}.py").write_text(text, encoding="utf-8")
    print(f"Written: {FOLDER}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
