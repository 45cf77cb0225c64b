"""Measures the pages in a real Chromium, with a real daemon on the twin's wires: their size, load and latency.

Chromium runs headless and draws with the processor, where a television would use its graphics. All times come from one
machine and one clock: the daemon's when an event is committed, the browser's when the frame after the one that shows
it begins, which is when that frame has been painted.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from aiohttp import ClientSession, CookieJar
from bench import device
from playwright.async_api import CDPSession, Page, ViewportSize, async_playwright
from tests.support.halls import PIN, hall

from cribboard.competition import FORMATS
from cribd.clock import SystemClock
from cribd.daemon import Device
from cribd.daemon.serve_pages import serve_pages
from cribd.table.snapshot import Snapshot
from cribd.twin.machine import Twin

VIEWERS = 100
BLOCKS, PRESSES = 4, 50
#: What `tests/support/hostile.py` can do, and how often a hole is pressed meanwhile.
HOSTILE = (
    *("half_open", "hanging", "flood", "bodies", "garbage", "knocks"),
    *("heads", "pings", "fragments", "upgrades"),
)
TRICK_PRESSES = 15
#: How often it is looked how much memory the daemon has.
LOOK_S = 0.1
CHANGES, BETWEEN_S = 100, 0.4
#: Of the competition whose screen is measured, and the rounds that are played before.
ENTRANTS, RESULT_ROUNDS = 64, 2
REST_S = 15.0
#: A day of eight hours has 32 games of a quarter of an hour; three hundred times as fast each takes three seconds.
DAY_GAMES, GAME_S = 32, 3.0
_FRAME = ViewportSize(width=1920, height=1080)

#: Notes when a change of this part of a page has been painted: at the beginning of the frame after it.
_PAINTED = """(part) => {
  window.painted = [];
  new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(() => {
    window.painted.push(performance.timeOrigin + performance.now());
  }))).observe(document.querySelector(part), { subtree: true, childList: true, characterData: true });
}"""


@asynccontextmanager
async def served(way: str = "trust") -> AsyncIterator[tuple[Twin, Device, str]]:
    """Yield the twin, the device and the address of a board that serves its pages."""
    async with device.running(way, release_after_ms=0) as (twin, board):
        said: asyncio.Queue[str] = asyncio.Queue()
        config = board._config
        config = replace(config, page=replace(config.page, port=0))
        pages = asyncio.create_task(serve_pages(config, board.board, board, twin, SystemClock(), said.put_nowait))
        yield twin, board, (await said.get()).removesuffix("/twin")
        pages.cancel()
        await asyncio.wait([pages])


@asynccontextmanager
async def browsing() -> AsyncIterator[tuple[Page, CDPSession, str]]:
    """Yield a browser page like a television's, its DevTools session, and the mark that finds its processes."""
    mark = f"--cribboard-bench={uuid4()}"
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chromium-headless-shell")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu", mark])
        page = await (await browser.new_context(viewport=_FRAME)).new_page()
        yield page, await page.context.new_cdp_session(page), mark
        await browser.close()


async def look(page: Page, address: str) -> None:
    """Open the address in the page, as on a television."""
    await page.goto(address)
    await page.wait_for_selector("body:not(.waiting)")


# A button, while so many look


async def beside_viewers() -> dict[str, float]:
    """Measure by how many per cent presses are answered later while 100 viewers watch: the median, the 99th percentile.

    Blocks of presses with viewers and without take turns, so that neither has the quieter machine. The viewers' own
    work is a club's telephones' and not the board's: it is done in a process of the lowest priority.
    """
    alone: list[tuple[float, float]] = []
    beside: list[tuple[float, float]] = []
    async with served() as (twin, _, address):
        await device.begin(twin)
        for block in range(BLOCKS):
            numbers = range(block * PRESSES, (block + 1) * PRESSES)
            if block % 2 == 0:
                alone += await device.presses(twin, numbers, moments=device.PATIENT)
            else:
                async with _beside("bench.viewers", f"{address}/table/events", str(VIEWERS)):
                    beside += await device.presses(twin, numbers, moments=device.PATIENT)
    found: dict[str, float] = {}
    for name, at in (("light", 0), ("steady", 1)):
        without, those = [each[at] for each in alone], [each[at] for each in beside]
        more = 100 * (statistics.median(those) / statistics.median(without) - 1)
        found |= {
            f"press_to_{name}_100_viewers_p99_ms": device.p99(those),
            f"press_to_{name}_100_viewers_more_percent": more,
        }
    return found


async def attacked() -> dict[str, float]:
    """Measure how long a press waits for its answer while a hostile client tries its tricks one by one.

    Return the slowest of the tricks' median answers, and by how many megabytes the process of the board grows."""
    medians: list[float] = []
    first: list[float] = []
    async with served() as (twin, _, address):
        await device.begin(twin)
        await device.presses(twin, range(2), moments=device.PATIENT)
        before = resident_mb()
        watching = asyncio.create_task(_most_resident_mb())
        for number, kind in enumerate(HOSTILE):
            async with _beside("tests.support.hostile", kind, address.rpartition(":")[2]):
                numbers = range(2 + number * TRICK_PRESSES, 2 + (number + 1) * TRICK_PRESSES)
                answers = [each[0] for each in await device.presses(twin, numbers, moments=device.PATIENT)]
            medians.append(statistics.median(answers))
            first += answers
        watching.cancel()
        most = await watching
    return {
        "press_to_light_attacked_p50_ms": max(medians),
        "press_to_light_attacked_p99_ms": device.p99(first),
        "attacked_growth_mb": most - before,
    }


async def _most_resident_mb() -> float:
    """Return the most megabytes that the process held, when cancelled."""
    most = 0.0
    with suppress(asyncio.CancelledError):
        while True:
            most = max(most, resident_mb())
            await asyncio.sleep(LOOK_S)
    return most


def resident_mb(process: int | str = "self") -> float:
    """Return the megabytes of memory that a process holds now."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@asynccontextmanager
async def _beside(*module: str) -> AsyncIterator[None]:
    """Run a module in a process inside the block: wait for its first output, and close its input at the end."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", *module, stdin=pipe, stdout=pipe)
    assert process.stdout is not None
    assert process.stdin is not None
    assert await process.stdout.readline()
    yield
    process.stdin.close()
    await process.wait()


# The scoreboard


async def event_to_paint() -> dict[str, float]:
    """Measure milliseconds from the commit of an event to its paint on the scoreboard."""
    waits: list[float] = []
    async with served() as (twin, board, address), browsing() as (page, _, _):
        committed: list[float] = []

        def note(snapshot: Snapshot) -> None:
            if snapshot.pending is None:
                committed.append(1000 * time.time())

        board.watch(note)
        await device.begin(twin)
        await look(page, address)
        await page.wait_for_selector("body[data-scene='game']")
        await page.evaluate(_PAINTED, "#sides")
        for number in range(CHANGES):
            await asyncio.sleep(BETWEEN_S)
            await page.evaluate("window.painted.length = 0")
            committed.clear()
            hole, track = number // 2 + 1, number % 2
            twin.press(track, hole)
            while not committed:
                await asyncio.sleep(0.005)
            twin.release(track, hole)
            await page.wait_for_function("() => window.painted.length > 0")
            waits.append((await page.evaluate("window.painted"))[0] - committed[0])
    return {"event_to_paint_p50_ms": statistics.median(waits), "event_to_paint_p99_ms": device.p99(waits)}


# The hall's screen


async def of_the_hall() -> dict[str, float]:
    """Measure the hall's screen in a round of 64 entrants, while 100 phones are connected.

    Return its weight, and the milliseconds from a result that the desk sends to its answer, and to its paint."""
    answered: list[float] = []
    painted: list[float] = []
    with TemporaryDirectory() as folder:
        async with (
            hall(Path(folder), clock=SystemClock()) as on,
            browsing() as (page, line, _),
            ClientSession(cookie_jar=CookieJar(unsafe=True), headers={"Origin": on.origin}) as desk,
        ):
            await desk.post(f"{on.origin}/desk/pin", json={"pin": PIN})
            await on.begin(FORMATS["acc"], ENTRANTS)
            for _ in range(RESULT_ROUNDS):
                await on.draw()
                await on.results()
            await on.draw()
            await asyncio.sleep(BETWEEN_S)  # until the newest message is made
            fetched = Fetched()
            await fetched.weigh(line)
            await look(page, f"{on.origin}/event")
            await asyncio.sleep(1)
            weight = fetched.total / 1000
            await page.evaluate(_PAINTED, "#strip")
            async with _beside("bench.viewers", f"{on.origin}/event/events", str(VIEWERS)):
                for table in on.now.hall.tables:
                    await asyncio.sleep(BETWEEN_S)
                    await page.evaluate("window.painted.length = 0")
                    at = {"round": on.now.hall.round, "table": table.table}
                    sent = 1000 * time.time()
                    async with desk.post(
                        f"{on.origin}/desk/do", json={"do": "enter_result", "at": at, "scores": [121, 90]}
                    ) as answer:
                        assert answer.status == 200
                    answered.append(1000 * time.time() - sent)
                    await page.wait_for_function("() => window.painted.length > 0")
                    painted.append((await page.evaluate("window.painted"))[0] - sent)
    return {
        "event_kb": weight,
        "result_to_paint_100_viewers_p99_ms": device.p99(painted),
        "desk_entry_answered_p99_ms": device.p99(answered),
    }


class Fetched:
    """The number of bytes that a page fetches, with heads and pictures."""

    def __init__(self) -> None:
        self.total = 0.0
        self._streams: set[str] = set()

    async def weigh(self, line: CDPSession) -> None:
        """Begin to count the bytes fetched from now on."""
        line.on("Network.responseReceived", self._begun)
        line.on("Network.dataReceived", self._come)
        line.on("Network.loadingFinished", self._ended)
        await line.send("Network.enable")

    def _begun(self, event: dict[str, Any]) -> None:
        if event["response"]["mimeType"] == "text/event-stream":
            self._streams.add(event["requestId"])
            self.total += event["response"]["encodedDataLength"]

    def _come(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self._streams:
            self.total += event["encodedDataLength"]

    def _ended(self, event: dict[str, Any]) -> None:
        if event["requestId"] not in self._streams:
            self.total += event["encodedDataLength"]


async def weight_and_rest() -> dict[str, float]:
    """Measure the bytes of the scoreboard with all that it fetches, and its share of a core at rest.

    The share is the larger of two: before a game, and in the middle of one. All of the browser's processes count."""
    async with served() as (twin, _, address), browsing() as (page, line, mark):
        fetched = Fetched()
        await fetched.weigh(line)
        await look(page, address)
        await asyncio.sleep(2)
        weight = fetched.total / 1000
        before = await _busy(mark)
        await device.begin(twin)
        for number in range(20):
            hole, track = number // 2 + 1, number % 2
            twin.press(track, hole)
            await asyncio.sleep(0.1)
            twin.release(track, hole)
            await asyncio.sleep(0.1)
        await asyncio.sleep(5)
        between = await _busy(mark)
    return {"scoreboard_kb": weight, "scoreboard_rest_percent": max(before, between)}


async def _busy(mark: str) -> float:
    """Return the share of a core that a browser takes, in per cent."""
    begun, at = _cpu_s(mark), time.monotonic()
    await asyncio.sleep(REST_S)
    return 100 * (_cpu_s(mark) - begun) / (time.monotonic() - at)


def _cpu_s(mark: str) -> float:
    """Return the processor seconds of a browser and all its child processes."""
    parents: dict[int, int] = {}
    spent: dict[int, float] = {}
    family: set[int] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if mark in (folder / "cmdline").read_text():
                family.add(int(folder.name))
        except OSError:
            continue
        parents[int(folder.name)] = int(fields[1])
        spent[int(folder.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    grown = True
    while grown:
        children = {child for child, parent in parents.items() if parent in family} - family
        family |= children
        grown = bool(children)
    return sum(spent.get(each, 0.0) for each in family)


# A day


async def a_day() -> dict[str, float]:
    """Measure by how many megabytes daemon and scoreboard grow over a day of robots at 300 times the speed.

    What is kept for speed, of hands that were counted and of the journal's pages, has its bounds, and reaches them in
    the first half of the day; the growth in the second is told. The page's is what it holds after its rubbish was
    collected; the daemon's is its resident memory, the robots' and the twin's with it.
    """
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.a_day", str(DAY_GAMES), str(GAME_S), stdin=pipe, stdout=pipe
    )
    assert process.stdout is not None
    assert process.stdin is not None
    address = (await process.stdout.readline()).decode().strip()
    resident: list[float] = []
    heap: list[float] = []
    async with browsing() as (page, line, _):
        await look(page, address)
        process.stdin.write(b"\n")
        while await process.stdout.readline():
            resident.append(resident_mb(process.pid))
            heap.append(await _heap_mb(line))
            process.stdin.write(b"\n")
    await process.wait()
    return {"day_daemon_growth_mb": _growth(resident), "day_scoreboard_growth_mb": _growth(heap)}


async def _heap_mb(line: CDPSession) -> float:
    await line.send("HeapProfiler.collectGarbage")
    usage: dict[str, Any] = await line.send("Runtime.getHeapUsage")
    return float(usage["usedSize"]) / 1_000_000


def _growth(values: Sequence[float]) -> float:
    """Return the growth from the middle of the day to its end, each as the median of three games."""
    middle = len(values) // 2
    return statistics.median(values[-3:]) - statistics.median(values[middle - 1 : middle + 2])


PARTS = (beside_viewers, attacked, event_to_paint, of_the_hall, weight_and_rest, a_day)
