"""A desk that can be killed at any moment: it plays the competitions to the end, and says what was acknowledged.

    python -m tests.support.killable_desk JOURNAL

It takes up the competitions in the journal, and switches to the next after each step: it draws and starts rounds, and
enters the result of each table. A line on stdout says what was acknowledged, and of which: `1 drawn 2`, `1 started 2`,
`1 2/4/1`; the last is `over`.
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
from cribd.competition.snapshot import CompetitionSnapshot


def tell(line: str) -> None:
    print(line, flush=True)


async def step(owner: Organiser) -> bool:
    """Do what is due next; whether anything was."""
    now = owner.state
    assert isinstance(now, CompetitionSnapshot)
    view = now.organiser
    if view.stage is Stage.DRAWN:
        await owner.do(StartRound())
        tell(f"{now.number} started {view.round}")
    elif now.since:
        at, _ = now.since[0]
        await owner.do(slip(at.table, 121, at.round + at.table, round_=at.round, game=at.game))
        tell(f"{now.number} {at.round}/{at.table}/{at.game}")
    else:
        try:
            await owner.draw()
        except RefusedRequest:
            return False
        tell(f"{now.number} drawn {view.round + 1}")
    return True


async def main(path: Path) -> None:
    async with organiser(path, SystemClock()) as owner:
        tell("ready")
        left = [each.number for each in await owner.listed()]
        while left:
            for number in [*left]:
                await owner.switch(number)
                if not await step(owner):
                    left.remove(number)
    tell("over")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
