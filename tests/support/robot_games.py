"""Games that robots play on a simulated board, and their diary."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cribd.boards import load
from cribd.cli.demo import DemoTally, play

#: The entries as a file of `cribboard demo --diary` has them.
Diary = list[dict[str, Any]]

#: How robots play: without a mistake, or with presses in vain and wrong calls.
MANNERS: dict[str, dict[str, Any]] = {"right": {}, "with slips and wrong calls": {"slips": 0.2, "wrong": 0.3}}


def in_manners(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str, str]]:
    """Each of these pairs, and one manner for both. Each half of a pair meets both manners, where it is in two."""
    met: Counter[str] = Counter()
    found = []
    for one, other in pairs:
        manner = [*MANNERS][(met[one] + met[other]) % len(MANNERS)]
        met.update((one, other))
        found.append((one, other, manner))
    return found


async def play_games(board: str, folder: Path, **how: Any) -> tuple[Diary, DemoTally]:
    """What the robots did and what glowed, and who won. `how` goes to `cribd.cli.demo.play`."""
    diary: Diary = []
    tally = await play(
        load(board),
        folder,
        diary=lambda entry: diary.append(json.loads(json.dumps(entry))),
        progress=lambda tally: None,
        screen=False,
        **how,
    )
    return diary, tally
