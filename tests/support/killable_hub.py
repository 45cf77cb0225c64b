"""A hub that is killed while it enters what boards have signed.

    python -m tests.support.killable_hub FOLDER

The hub is killed by SIGKILL before the first SQL statement, in a copy before the second, and so on until it survives.
The folders FOLDER/1, FOLDER/2, … have what each death has left. It prints how many there are.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from itertools import count
from pathlib import Path
from shutil import copytree

from tests.support.organised import draw_and_start, held, open_hall, organiser

from cribd.competition.organiser import Organiser
from cribd.storage.outbox import Entered, HandedIn, Outcome, PlayedFor


def batch(owner: Organiser) -> list[HandedIn]:
    """A result from each table, one from nowhere, and the first once more."""
    state = held(owner)
    pairs = state.organiser.rounds[0].tables
    signed = [
        HandedIn(
            Outcome(
                place=PlayedFor(state.uuid, 1, pair.table, 1),
                scores=(121, pair.table),
                broken_off=False,
                record=f"link {pair.table}",
                entrants=pair.entrants,
            ),
            f"board {pair.table}",
            1,
            b"signature",
        )
        for pair in pairs
    ]
    nowhere = Outcome(place=PlayedFor(state.uuid, 9, 1, 1), scores=(121, 0), broken_off=False, record="link 9")
    return [*signed, HandedIn(nowhere, "board 1", 2, b"signature"), signed[0]]


async def accept(folder: Path, kill_before: int = 0) -> tuple[Entered, ...]:
    """Hand the batch in. Die before this statement."""
    statements = count(1)

    def die(_: str) -> None:
        if next(statements) == kill_before:
            os.kill(os.getpid(), signal.SIGKILL)

    async with organiser(folder / "journal.db") as owner:
        handed_in = batch(owner)
        owner.journal._file.db.set_trace_callback(die)
        return await owner.accept(held(owner).uuid, handed_in)


async def prepare(folder: Path) -> None:
    folder.mkdir()
    async with organiser(folder / "journal.db") as owner:
        await open_hall(owner, 6)
        await draw_and_start(owner)


def main(folder: Path) -> None:
    asyncio.run(prepare(folder / "whole"))
    for number in count(1):
        copytree(folder / "whole", folder / str(number))
        if (child := os.fork()) == 0:
            asyncio.run(accept(folder / str(number), number))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            assert status == 0
            print(number, flush=True)
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
