"""A desk that can be killed at any moment: it plays a competition to the end, and says what was acknowledged.

    python -m tests.support.killable_desk JOURNAL

It takes up the competition in the journal, draws and starts rounds, and enters the result of each table. A line on
stdout says what was acknowledged: `drawn 2`, `started 2`, `2/4/1`; the last is `over`.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.support.organised import organiser, slip

from cribboard.competition.actions import StartRound
from cribboard.competition.terms import Stage
from cribd.clock import SystemClock
from cribd.competition.organiser import Organiser
from cribd.competition.refusals import RefusedRequest
from cribd.competition.snapshot import Held


def tell(line: str) -> None:
    print(line, flush=True)


async def step(owner: Organiser) -> bool:
    """Do what is due next; whether anything was."""
    now = owner.state
    assert isinstance(now, Held)
    view = now.organiser
    if view.stage is Stage.DRAWN:
        await owner.do(StartRound())
        tell(f"started {view.round}")
    elif now.since:
        at, _ = now.since[0]
        await owner.do(slip(at.table, 121, at.round + at.table, round_=at.round, game=at.game))
        tell(f"{at.round}/{at.table}/{at.game}")
    else:
        try:
            await owner.draw()
        except RefusedRequest:
            return False
        tell(f"drawn {view.round + 1}")
    return True


async def main(path: Path) -> None:
    async with organiser(path, SystemClock()) as owner:
        tell("ready")
        while await step(owner):
            pass
    tell("over")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
