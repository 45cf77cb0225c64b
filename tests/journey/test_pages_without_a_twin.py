"""The daemon as on a Pi, with no twin: it serves its pages, and a phone is its reader."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from cribd.boards import load
from cribd.clock import SystemClock
from cribd.config.config import Config, changed
from cribd.daemon import serve
from cribd.twin.machine import Twin
from cribd.web.http.server import serve_app

pytestmark = pytest.mark.slow

PATIENCE_S = 15


@asynccontextmanager
async def daemon(folder: Path, **page: object) -> AsyncIterator[tuple[asyncio.Task[None], asyncio.Queue[str]]]:
    """A daemon that runs on wires, and knows of no twin; and what it announces."""
    board, stop = load("continuous"), asyncio.Event()
    said: asyncio.Queue[str] = asyncio.Queue()
    wires = Twin(board, SystemClock(), folder=folder / "wires")
    config = changed(Config(), {"journal": str(folder / "journal.db"), "page": {"port": 0, **page}})
    running = asyncio.create_task(
        serve(config, board, wires.wires, twin=None, stop=stop, announce=said.put_nowait), name="daemon"
    )
    yield running, said
    stop.set()
    async with asyncio.timeout(PATIENCE_S):
        await running
    wires.close()


async def test_the_pages_are_served_and_with_a_pin_the_board_reads_cards(tmp_path: Path) -> None:
    async with daemon(tmp_path, pin="2580") as (_, said), aiohttp.ClientSession() as phone:
        async with asyncio.timeout(PATIENCE_S):
            address = (await said.get()).removesuffix("/")
        ours = {"Origin": address}
        async with phone.get(f"{address}/table") as page:
            assert page.status == 200
        async with phone.get(f"{address}/twin") as none:
            assert none.status == 404
        async with phone.post(f"{address}/table/pin", json={"pin": "2580"}, headers=ours) as answer:
            assert answer.status == 200
        key = {name: cookie.value for name, cookie in answer.cookies.items()}
        asked = {"cards": ["5H", "5C", "5S", "JD", "5D"], "crib": False, "rules": "six-card/2", "called": 29}
        async with phone.post(f"{address}/verify/judge", json=asked, headers=ours) as judged:
            assert (await judged.json())["verdict"] == "exact"
        async with phone.get(f"{address}/table/events") as events:
            while b'"way":"verify"' not in (line := await events.content.readline()):
                assert b'"way":"trust"' not in line, "cards can be read: the pad is a reader"
            async with phone.post(f"{address}/table/scan", json={"card": "5H"}, headers=ours, cookies=key) as tapped:
                assert tapped.status == 204
            while b'"refused":"no_game"' not in await events.content.readline():
                pass


async def test_a_page_that_is_off_is_not_served_and_its_pin_reads_nothing(tmp_path: Path) -> None:
    async with daemon(tmp_path, port="off", pin="2580") as (running, said):
        async with asyncio.timeout(PATIENCE_S):
            while not (pages := [task for task in asyncio.all_tasks() if task.get_name() == "pages"]):
                await asyncio.sleep(0)
            await pages[0]
        assert said.empty()
        assert not running.done(), "the board itself goes on"


async def test_a_watching_page_does_not_keep_the_board_from_stopping() -> None:
    """A page that is still being answered would be waited for a minute; the test waits for a quarter of that."""
    app, asked, said = web.Application(), asyncio.Event(), asyncio.Queue[str]()

    async def never_ends(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        asked.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return answer

    app.router.add_get("/", never_ends)
    serving = asyncio.create_task(serve_app(app, "127.0.0.1", 0, clock=SystemClock(), announce=said.put_nowait))
    async with aiohttp.ClientSession() as viewer, asyncio.timeout(PATIENCE_S):
        watching = asyncio.create_task(viewer.get(await said.get()))
        await asked.wait()
        serving.cancel()
        await asyncio.wait([serving])
        watching.cancel()
