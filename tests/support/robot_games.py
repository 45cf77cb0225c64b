"""Games that robots play on a simulated board, and their diary."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from cribd.boards import load
from cribd.cli.demo import DemoTally, play

#: The entries as a file of `cribboard demo --diary` has them.
Diary = list[dict[str, Any]]

#: How robots play: without a mistake, or with presses in vain and wrong calls.
MANNERS: dict[str, dict[str, Any]] = {"right": {}, "with slips and wrong calls": {"slips": 0.2, "wrong": 0.3}}


def every_pair_of(these: Sequence[str], those: Sequence[str]) -> list[tuple[str, str, str]]:
    """Each of `these` with each of `those`, and one manner for both. Each of `these` and of `those` meets both manners,
    if there are two or more of either."""
    return [
        (one, other, [*MANNERS][(at + place) % len(MANNERS)])
        for (at, one), (place, other) in product(enumerate(these), enumerate(those))
    ]


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
