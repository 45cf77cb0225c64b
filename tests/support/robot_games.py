"""Games that robots play on a simulated board, and their diary."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cribd.boards import load
from cribd.cli.demo import DemoTally, play

#: The entries as a file of `cribboard demo --diary` has them.
Diary = list[dict[str, Any]]


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
