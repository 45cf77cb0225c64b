"""Measures a club on one machine: a real hub with its mosquitto, and simulated boards that sign what they send.

The hub is `cribboard hub --broker` in a process of its own, and the boards are in another (`bench.club_boards`). The
desk is asked over HTTP, as its page asks.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import device
from bench.club_boards import SCORES, key_of
from bench.pages import browsing, resident_mb
from tests.support.club import free_port
from tools.club.hall import PIN, Hall, furnish, process
from tools.club.organiser import OrganiserClient, at_desk

from cribd.clock import SystemClock
from cribd.club import keys
from cribd.club.certificates import board_certificate, hub_certificate
from cribd.club.joined_boards import JoinedBoard, JoinedBoards
from cribd.club.membership import Membership, keep_membership
from cribd.storage.open_journal import open_or_repair_journal

#: A large club, and its rounds. All boards of it finish a round within so many seconds.
BOARDS, ROUNDS, FINISH_S = 300, 3, 1.0
#: How often somebody presses a key at the desk meanwhile.
KEY_S = 0.1
#: A club night, and how many pegs its hall's screen is watched for.
TABLES, PEGS, BETWEEN_S = 12, 60, 0.4
#: Blocks of presses at a board of no club and at one of a club, in turn.
BLOCKS, PRESSES = 6, 50
#: Resolves at the beginning of the frame after the one that shows this score of the first side.
_SHOWN = """(score) => new Promise((shown) => {
  const frame = () => requestAnimationFrame(() => requestAnimationFrame(() => {
    shown(performance.timeOrigin + performance.now());
  }));
  new MutationObserver((_, watching) => {
    if (document.querySelector('#sides [data-side="0"] .score b')?.textContent !== score) return;
    watching.disconnect();
    frame();
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
})"""
#: Nothing is sealed, so nothing waits for a beat.
_FORMAT = {"format": "round-robin", "games": 9}


@dataclass
class MeasuredClub:
    """A running hub, its desk, and the process of its boards."""

    folder: Path
    hall: Hall
    hub: asyncio.subprocess.Process
    origin: str
    """The address of the hub's pages."""
    desk: OrganiserClient
    boards: asyncio.subprocess.Process

    async def ask(self, *words: object) -> Any:
        """Send a command to the process of the boards, and return its answer."""
        assert self.boards.stdin is not None
        assert self.boards.stdout is not None
        self.boards.stdin.write((" ".join(map(str, words)) + "\n").encode())
        line = await self.boards.stdout.readline()
        assert line, "the process of the boards has ended"
        return json.loads(line)

    async def results(self) -> int:
        """Return the number of results in the event; a result that counts twice is counted twice."""
        events = await self.desk.get("/desk/log")
        return sum(event["line"].split()[0] == "result" for event in events)

    def let_join(self, folder: Path) -> None:
        """Make the board of this folder the first one of the club."""
        key, hub = key_of(self.folder, 1), keys.load_or_make(self.hall.hub.journal)
        (folder / keys.FILE_NAME).write_bytes(key.file.read_bytes())
        of_club = Membership(
            name="Club",
            hub=hub_certificate(hub),
            certificate=board_certificate(hub, key.id),
            addresses=("127.0.0.1",),
            port=self.hall.broker_port,
        )
        with closing(open_or_repair_journal(folder / "journal.db", SystemClock())[0]) as journal:
            keep_membership(journal, of_club)

    async def start_round(self, number: int) -> None:
        """Draw and start a round. Returns when each board has its game."""
        await self.desk.ask("/desk/draw", {})
        await self.desk.do("start_round")
        await self.ask("due", number)


@asynccontextmanager
async def club(boards: int, *, simulated: int) -> AsyncIterator[MeasuredClub]:
    """Yield a club of this many boards, each at a table of an event whose entrants are all present.

    The last ones of them are simulated."""
    async with AsyncExitStack() as running:
        folder = Path(running.enter_context(TemporaryDirectory(prefix="cribboard-bench-")))
        hall = await furnish(folder, 0, port=free_port())
        with closing(open_or_repair_journal(hall.hub.journal, SystemClock())[0]) as journal:
            joined = JoinedBoards(journal, SystemClock())
            for table in range(1, boards + 1):
                await joined.add(JoinedBoard(key_of(folder, table).id, f"Board {table}", table))
        as_hub = ("hub", "--broker", str(hall.broker_port), "--config", str(hall.hub.folder / "hub.toml"))
        hub, origin = await running.enter_async_context(process(hall.hub, *as_hub))
        desk = await running.enter_async_context(at_desk(origin, PIN, lambda _: None))
        await desk.ask("/desk/begin", {"format": _FORMAT, "name": "Mardi", "tables": boards})
        names = [f"Player {number}" for number in range(1, 2 * boards + 1)]
        await desk.ask("/desk/members", {"do": "add", "names": names})
        await desk.ask("/desk/members/here", {})
        await desk.do("begin")
        numbers = str(boards - simulated + 1), str(boards)
        command = (sys.executable, "-m", "bench.club_boards", str(folder), str(hall.broker_port), *numbers)
        pipe = asyncio.subprocess.PIPE
        process_of_boards = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=2**20)
        yield MeasuredClub(folder, hall, hub, origin, desk, process_of_boards)
        assert process_of_boards.stdin is not None
        process_of_boards.stdin.close()
        await process_of_boards.wait()


# A large club


async def of_300_boards() -> dict[str, float]:
    """Measure rounds that 300 boards finish within a second.

    Return the seconds from a board's message until its result is ranked and answered, how many results were lost and
    how many counted twice, the milliseconds that keys at the desk waited, and the megabytes of the hub."""
    waits: list[float] = []
    pressed: list[float] = []
    later: list[float] = []
    lost = twice = 0
    checked = []
    async with club(BOARDS, simulated=BOARDS) as on:
        for number in range(1, ROUNDS + 1):
            await on.start_round(number)
            await asyncio.sleep(FINISH_S)
            begun = time.monotonic()
            async with _keys_pressed(on.desk, pressed):
                waits += await on.ask("finish", FINISH_S)
            async with _keys_pressed(on.desk, later):
                await on.ask("records")
            checked.append(time.monotonic() - begun)
            state = await on.desk.state()
            results = [[result["scores"] for result in table["results"]] for table in state["tables"]]
            lost += sum(each != [list(SCORES)] for each in results)
            twice += await on.results() - (number * BOARDS - lost)
        megabytes = resident_mb(on.hub.pid)
    return {
        "club_300_result_ranked_p50_s": statistics.median(waits),
        "club_300_result_ranked_worst_s": max(waits),
        "club_300_results_lost": lost,
        "club_300_results_twice": twice,
        "club_300_desk_key_p50_ms": statistics.median(pressed),
        "club_300_desk_key_p99_ms": device.p99(pressed),
        "club_300_desk_key_while_checking_p99_ms": device.p99(later),
        "club_300_records_checked_s": max(checked),
        "club_300_hub_mb": megabytes,
    }


@asynccontextmanager
async def _keys_pressed(desk: OrganiserClient, waits: list[float]) -> AsyncIterator[None]:
    """Inside the block, press keys at the desk again and again. `waits` gets the milliseconds to each answer."""
    ended = asyncio.Event()

    async def press() -> None:
        while not ended.is_set():
            for act in ("call_official", "answer_call"):
                at = time.monotonic()
                await desk.do(act, entrant=1)
                waits.append(1000 * (time.monotonic() - at))
                await asyncio.sleep(KEY_S)

    async with asyncio.TaskGroup() as together:
        together.create_task(press())
        yield
        ended.set()


# The hall's screen


async def peg_to_hall() -> dict[str, float]:
    """Measure the milliseconds from a position at a board, before its message is made, to its paint in the hall."""
    waits: list[float] = []
    async with club(TABLES, simulated=TABLES) as on, browsing() as (page, _, _):
        await on.start_round(1)
        await page.goto(f"{on.origin}/event/live/1")
        await on.ask("peg", 1)
        await page.wait_for_selector("#sides [data-side]")
        for hole in range(2, PEGS + 2):
            showing = asyncio.create_task(page.evaluate(_SHOWN, str(hole)))
            await asyncio.sleep(BETWEEN_S)
            payload = await on.ask("peg", hole)
            waits.append(await showing - 1000 * payload)
    return {"club_peg_to_hall_p50_ms": statistics.median(waits), "club_peg_to_hall_p99_ms": device.p99(waits)}


# A button


async def beside_a_hub() -> dict[str, float]:
    """Measure by how many per cent the answer to a press is slower at a board that plays for a club.

    Blocks of presses at it and at a board of no club take turns, so that neither has the quieter machine."""
    alone: list[float] = []
    joined: list[float] = []
    async with (
        club(TABLES, simulated=TABLES - 1) as on,
        device.running("trust", release_after_ms=0) as (twin, _),
        device.running("trust", release_after_ms=0, prepare=on.let_join) as (twin_of_club, board),
    ):
        await on.start_round(1)
        while board.snapshot.event is None:
            await asyncio.sleep(0.1)
        for each in (twin, twin_of_club):
            await device.begin(each)
        for block in range(BLOCKS):
            numbers = range(block // 2 * PRESSES, (block // 2 + 1) * PRESSES)
            where, waits = ((twin, alone), (twin_of_club, joined))[block % 2]
            waits += [first for first, _ in await device.presses(where, numbers, moments=device.PATIENT)]
    more = 100 * (statistics.median(joined) / statistics.median(alone) - 1)
    return {
        "press_to_light_alone_p99_ms": device.p99(alone),
        "press_to_light_joined_p99_ms": device.p99(joined),
        "press_to_light_joined_more_percent": more,
    }


PARTS = (of_300_boards, peg_to_hall, beside_a_hub)
