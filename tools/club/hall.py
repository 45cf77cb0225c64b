"""The hub and the boards of a club night: their folders, keys, pairings and processes.

The boards are paired beforehand, as the hub and each board store it after two people have confirmed it.
"""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from cribd.clock import SystemClock
from cribd.club import keys
from cribd.club.certificates import board_certificate, hub_certificate
from cribd.club.joined_boards import JoinedBoard, JoinedBoards
from cribd.club.membership import Membership, keep_membership
from cribd.storage.open_journal import open_or_repair_journal

PIN = "2468"
#: How long a process has to end in order, in seconds.
_ENDS_S = 20.0


@dataclass(frozen=True, slots=True)
class HallMachine:
    """The hub or a board: its folder, and the port that its pages should have."""

    name: str
    folder: Path
    port: int

    @property
    def journal(self) -> Path:
        """The path of its journal."""
        return self.folder / "journal.db"


@dataclass(frozen=True, slots=True)
class Hall:
    """All machines of a club night."""

    hub: HallMachine
    boards: tuple[HallMachine, ...]
    broker_port: int


async def furnish(folder: Path, boards: int, *, port: int) -> Hall:
    """Make the folders of a hub and of `boards` boards, and pair them. The board at table N is paired as `Board N`.

    The pages have the ports from `port` on, the hub's first, or others where these are in use; the broker has any."""
    machines = [
        HallMachine(f"Board {n}" if n else "hub", folder / f"{n or 'hub'}", port + n) for n in range(boards + 1)
    ]
    hall = Hall(machines[0], tuple(machines[1:]), _free_port())
    clock = SystemClock()
    for machine in machines:
        machine.folder.mkdir(parents=True, exist_ok=True)
    (hall.hub.folder / "hub.toml").write_text(f'[page]\norganiser_pin = "{PIN}"\n', encoding="utf-8")
    hub_key = keys.load_or_make(hall.hub.journal)
    with closing(open_or_repair_journal(hall.hub.journal, clock)[0]) as journal:
        joined = JoinedBoards(journal, clock)
        for table, board in enumerate(hall.boards, start=1):
            await joined.add(JoinedBoard(keys.load_or_make(board.journal).id, board.name, table))
    for board in hall.boards:
        membership = Membership(
            name="Club night",
            hub=hub_certificate(hub_key),
            certificate=board_certificate(hub_key, keys.load_or_make(board.journal).id),
            addresses=("127.0.0.1",),
            port=hall.broker_port,
        )
        with closing(open_or_repair_journal(board.journal, clock)[0]) as journal:
            keep_membership(journal, membership)
    return hall


@asynccontextmanager
async def process(machine: HallMachine, *command: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """Run `cribboard` as a process inside the `async with` block. Yields the process and the address of its pages.

    What it prints after that is beside its journal. Raises `RuntimeError` if it does not start."""
    with (machine.folder / "output.txt").open("ab") as output:
        started = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cribd", *command, "--no-browser", "--journal", str(machine.journal)),
            *("--port", str(machine.port)),
            stdout=asyncio.subprocess.PIPE,
            stderr=output,
            start_new_session=True,  # Ctrl-C is for this program alone: it ends them in order
        )
        try:
            assert started.stdout is not None
            found = re.search("http://[^/\\s]+", (await started.stdout.readline()).decode())
            if found is None:
                raise RuntimeError(f"{machine.name} has not started: see {output.name}")
            yield started, found[0]
        finally:
            await _end(started)


async def _end(started: asyncio.subprocess.Process) -> None:
    if started.returncode is None:
        started.terminate()
        try:
            await asyncio.wait_for(started.wait(), _ENDS_S)
        except TimeoutError:
            started.kill()
            await started.wait()


@asynccontextmanager
async def switched_on(hall: Hall, languages: Sequence[str] = ("fr", "en")) -> AsyncIterator[tuple[str, list[str]]]:
    """Run the hub with its broker, and a board at each table with robots at all seats.

    Gives the address of the hub's pages, and those of the boards."""
    async with AsyncExitStack() as running:
        as_hub = ("hub", "--broker", str(hall.broker_port), "--config", str(hall.hub.folder / "hub.toml"))
        _, hub = await running.enter_async_context(process(hall.hub, *as_hub))
        boards = []
        for number, board in enumerate(hall.boards):
            spoken = ("--lang", languages[number % len(languages)])
            _, origin = await running.enter_async_context(process(board, "run", "--twin", "--demo", *spoken))
            boards.append(origin)
        yield hub, boards


def _free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])
