"""Whatever a network does to the pages, the board answers a finger, and others see it.

The daemon's own server on a whole board on the twin's wires, and somebody hostile in a process of his own. How long an
answer takes is measured by `make bench`; here it is that it comes, every time, and soon enough for a person.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from tests.support.hostile import KINDS
from tests.support.places import ROOT
from tests.support.sweeps import mostly_long, one_in

from cribd.boards import load
from cribd.clock import SystemClock
from cribd.config.config import Config, PageConfig, SoundConfig, TableConfig
from cribd.daemon import open_device
from cribd.daemon.serve_pages import serve_pages
from cribd.inputs import Key
from cribd.twin.machine import Twin

pytestmark = pytest.mark.slow

PATIENCE_S = 30
#: A person thinks that the board has not felt the finger, and presses again. A machine that tests is busy with others.
SOON_S = 1.0
PRESSES = 12


@asynccontextmanager
async def board(folder: Path) -> AsyncIterator[tuple[Twin, int]]:
    """A board that trusts, and the port of its pages."""
    config = Config(
        table=TableConfig(way="trust", release_after_ms=0),
        sound=SoundConfig(volume=0.0),
        page=PageConfig(port=0),
        journal=str(folder / "journal.db"),
    )
    clock, drawn, said = SystemClock(), load("continuous"), asyncio.Queue[str]()
    twin = Twin(drawn, clock, folder=folder)
    device, journal = open_device(config, drawn, twin.wires, clock=clock, threaded=True)
    await device.start()
    pages = asyncio.create_task(serve_pages(config, drawn, device, twin, clock, said.put_nowait))
    async with asyncio.timeout(PATIENCE_S):
        address = await said.get()
        while device._screen.first_shown_at > clock.now():  # an OK before the question is dropped
            await asyncio.sleep(0.01)
    for side in (0, 1):  # the finger stays until the screen answers
        before = twin.screen.changed_at
        twin.key_down(Key.OK, side)
        async with asyncio.timeout(PATIENCE_S):
            while twin.screen.changed_at == before:
                await asyncio.sleep(0.01)
        twin.key_up(Key.OK, side)
    yield twin, int(address.rpartition(":")[2].partition("/")[0])
    pages.cancel()
    await asyncio.wait([pages])
    await device.stop()
    journal.close()
    twin.close()


@asynccontextmanager
async def hostile(kind: str, port: int) -> AsyncIterator[None]:
    pipe = asyncio.subprocess.PIPE
    root = ROOT
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.hostile", kind, str(port), stdin=pipe, stdout=pipe, cwd=root
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE_S):
            assert await process.stdout.readline() == b"begun\n"
        yield
    finally:
        process.stdin.close()
        await process.wait()


async def press(twin: Twin, track: int, hole: int) -> float:
    """Seconds until a light answers a finger on a hole."""
    loop, lit = asyncio.get_running_loop(), asyncio.Event()
    before = twin.lights.changed_at

    def changed(_: int) -> None:
        if twin.lights.changed_at != before:
            loop.call_soon_threadsafe(lit.set)

    deaf = twin.listen(changed)
    twin.press(track, hole)
    async with asyncio.timeout(PATIENCE_S):
        await lit.wait()
    deaf()
    edge, at = twin.pressed_at, twin.lights.changed_at
    assert edge is not None
    assert at is not None
    await asyncio.sleep(0.05)
    twin.release(track, hole)
    await asyncio.sleep(0.1)
    return at - edge


@pytest.mark.sweep
@pytest.mark.parametrize("kind", mostly_long([*KINDS][:: one_in(3)], every=2))
async def test_under_load_a_press_is_answered_and_shown_to_all_pages(tmp_path: Path, kind: str) -> None:
    async with board(tmp_path) as (twin, port), hostile(kind, port), aiohttp.ClientSession() as other:
        answers = [await press(twin, number % 2, number // 2 + 1) for number in range(PRESSES)]
        assert max(answers) < SOON_S, answers
        async with asyncio.timeout(PATIENCE_S):
            async with other.get(f"http://127.0.0.1:{port}/table/events") as events:
                assert events.status == 200
                while f'"score":{PRESSES // 2}'.encode() not in await events.content.readline():
                    pass
            async with other.get(f"http://127.0.0.1:{port}/table") as page:
                assert page.status == 200
