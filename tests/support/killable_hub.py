"""A hub that is killed while it takes what its boards have played.

    python -c "from tests.support.killable_hub import kill; kill('FOLDER', 'hub')"
    python -c "from tests.support.killable_hub import go_on; go_on('FOLDER', DEATHS)"

In FOLDER/whole two boards have played while their hub was off. In a copy the hub, switched on again, is killed by
SIGKILL before its first step, in another before its second, and so on until it survives. A step is a statement that
writes, or a message to a board; with 'board' it is a statement or message of a board. FOLDER/1, FOLDER/2, … have what
each death has left. It prints how many there are. The second command switches all of these on again. Python begins the
process that checks records sooner for a command that is no module.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from shutil import copytree

from tests.support.club_evenings import (
    HUB,
    AtTables,
    ClubTable,
    Hub,
    Topics,
    board_copy,
    club_hub,
    club_table,
    hub_copy,
    until,
)
from tests.support.event_evenings import OPEN
from tests.support.organised import draw_and_start, open_hall, slip

from cribd.club import hub_client
from cribd.club.keys import load_or_make
from cribd.storage.outbox import OutcomeStatus

TABLES = 1, 2
#: So long a busy machine may take to begin the process that checks records, in seconds.
PATIENCE_S = 60.0
#: So many hubs are switched on again at once.
AT_ONCE = 4


@asynccontextmanager
async def hub_of(folder: Path, topics: Topics) -> AsyncIterator[Hub]:
    """The hub is on."""
    seats = AtTables({load_or_make(folder / str(table) / "journal.db").id: table for table in TABLES})
    async with club_hub(folder / "hub", hub_copy(topics), seats) as hub:
        yield hub


@asynccontextmanager
async def boards_of(
    folder: Path, topics: Topics, trace: Callable[[str], None] | None = None
) -> AsyncIterator[Sequence[ClubTable]]:
    """The boards are on. `trace` gets their statements."""
    hub_client.SPREAD_S = 0.0
    async with AsyncExitStack() as on:
        tables = [club_table(folder / str(table), HUB, board_copy(topics)) for table in TABLES]
        switched_on = [await on.enter_async_context(table) for table in tables]
        for table in switched_on:
            table.journal._file.db.set_trace_callback(trace)
        yield switched_on


async def prepare(folder: Path) -> None:
    """Let the boards play the first games of an event while the hub is off. At table 2 the desk has another result."""
    for number in TABLES:
        (folder / str(number)).mkdir(parents=True)
    topics = Topics()
    async with boards_of(folder, topics) as tables:
        async with hub_of(folder, topics) as hub:
            await open_hall(hub.organiser, 2 * len(TABLES), OPEN)
            await draw_and_start(hub.organiser)
            await until(lambda: all(table.now.event is not None for table in tables), "games that are due")
        for table in tables:
            await table.play()
            assert table.now.entered is OutcomeStatus.KEPT
    async with hub_of(folder, Topics()) as hub:
        await hub.organiser.do(slip(2, 121, 90))


async def take(folder: Path, step: Callable[[], None] = lambda: None, whose: str = "hub") -> None:
    """Switch all on, until the hub has answered all outcomes and has all records. Call `step` before each step."""
    topics = Topics()
    publish = topics.publish

    def publish_after_step(about: str, payload: bytes) -> None:
        if about.endswith("/down" if whose == "hub" else "/up"):
            step()
        publish(about, payload)

    def trace(statement: str) -> None:
        if not statement.lstrip().startswith(("SELECT", "PRAGMA")):
            step()

    topics.publish = publish_after_step  # type: ignore[method-assign]
    async with hub_of(folder, topics) as hub:
        if whose == "hub":
            hub.organiser.journal._file.db.set_trace_callback(trace)
        async with boards_of(folder, topics, trace if whose == "board" else None) as tables:
            for table in tables:
                outbox = table.journal.outbox
                await until(lambda: outbox.waiting(HUB) == (), "the answer to a board", PATIENCE_S)  # noqa: B023
            records = hub.organiser.journal.competitions.received.records
            await until(lambda: len(records()) == len(TABLES), "the records", PATIENCE_S)
        assert hub.said == []


def kill(at: str, whose: str) -> None:
    folder = Path(at)
    asyncio.run(prepare(folder / "whole"))
    for number in count(1):
        copytree(folder / "whole", folder / str(number))
        if (child := os.fork()) == 0:
            steps = count(1)

            def step() -> None:
                if next(steps) == number:  # noqa: B023
                    os.kill(os.getpid(), signal.SIGKILL)

            asyncio.run(take(folder / str(number), step, whose))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            assert status == 0
            print(number - 1, flush=True)
            return


def go_on(at: str, deaths: int) -> None:
    for number in range(1, deaths + AT_ONCE + 1):
        if number > AT_ONCE:
            _, status = os.wait()
            assert status == 0
        if number <= deaths and os.fork() == 0:
            asyncio.run(take(Path(at) / str(number)))
            os._exit(0)
