"""A board at a table of an event that is killed while its result is written and handed in.

    python -m tests.support.killable_result FOLDER

The game is played until its last OK. From then on the board is killed by SIGKILL before the first SQL statement, in a
copy before the second, and so on until it survives. The folders FOLDER/1, FOLDER/2, … have what each death has left. It
prints how many there are.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from itertools import count
from pathlib import Path
from shutil import copytree

from tests.support.evenings import BLUE, BLUE_DEALS, BLUE_WINS, OK, RED
from tests.support.event_evenings import at_event


async def play(folder: Path) -> None:
    """Play the game until nothing is missing but the two OKs to its end."""
    async with at_event(folder) as (table, _):
        await table.post(*BLUE_DEALS, *BLUE_WINS)


async def end(folder: Path, kill_before: int) -> None:
    """Take up the game, and end it. Die before this statement of the last OK."""
    statements = count(1)

    def die(_: str) -> None:
        if next(statements) == kill_before:
            os.kill(os.getpid(), signal.SIGKILL)

    async with at_event(folder) as (table, _):
        await table.post(OK[BLUE], OK[BLUE])
        table.journal._file.db.set_trace_callback(die)
        await table.post(OK[RED])


def main(folder: Path) -> None:
    asyncio.run(play(folder / "whole"))
    for number in count(1):
        copytree(folder / "whole", folder / str(number))
        if (child := os.fork()) == 0:
            asyncio.run(end(folder / str(number), number))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            assert status == 0
            print(number, flush=True)
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
