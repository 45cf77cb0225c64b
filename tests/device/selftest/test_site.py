"""The pages of a self-test: the progress in both languages, to look at and no more, and the twin's page beside it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from cribd.boards import load
from cribd.clock import SystemClock
from cribd.selftest.results import StepOutcome, StepResult
from cribd.selftest.site import SelfTestSite
from cribd.selftest.steps import BoardPart, steps_of
from cribd.selftest.walk import Scene
from cribd.twin.machine import Twin

BOARD = load("continuous")
HOLES = steps_of(BOARD, [], [BoardPart.HOLES])

Client = TestClient[web.Request, web.Application]


@pytest_asyncio.fixture
async def site() -> AsyncIterator[tuple[SelfTestSite, Client]]:
    site = SelfTestSite(BOARD, SystemClock())
    app = web.Application()
    site.mount(app)
    async with TestClient(TestServer(app, host="127.0.0.1")) as client:
        yield site, client


async def message(client: Client) -> dict[str, Any]:
    """The first message of the stream."""
    async with client.get("/selftest/events") as answer:
        assert answer.status == 200
        async for line in answer.content:
            if line.startswith(b"data: "):
                payload: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
                return payload
    raise AssertionError("the stream has ended")


async def test_the_stream_has_the_question_the_progress_and_what_is_not_right(
    site: tuple[SelfTestSite, Client],
) -> None:
    shown, client = site
    results = {HOLES[0]: StepResult(StepOutcome.OK), HOLES[1]: StepResult(StepOutcome.STUCK)}
    shown.show(Scene(HOLES[2], 2, len(HOLES), 1, note=StepResult(StepOutcome.OTHER, HOLES[8])), results)
    payload = await message(client)
    assert (payload["done"], payload["of"]) == (2, len(HOLES))
    assert payload["text"]["en"] == {
        "title": "Self-test",
        "asked": "Blue: press hole 3.",
        "note": "Blue 9 was pressed, not Blue 3: the wires may be exchanged",
        "count": f"2 of {len(HOLES)}",
        "bad": "Not right: 1",
        "problems": ["Blue 2: is down, and nobody presses it"],
    }
    assert payload["text"]["fr_CA"]["asked"] == "Bleu\u00a0: enfoncez le trou 3."


async def test_every_file_that_a_page_asks_for_is_there(site: tuple[SelfTestSite, Client]) -> None:
    _, client = site
    for path in (
        *("/", "/selftest/selftest.js", "/selftest/progress.js", "/selftest/progress.css", "/selftest/beside.js"),
        *("/page/look.css", "/page/words.js", "/page/stream.js", "/page/nodes.js", "/page/en.json", "/table/board"),
    ):
        assert (await client.get(path)).status == 200, path
    assert (await client.get("/selftest/lost.js")).status == 404
    assert (await client.get("/twin")).status == 404, "on a Pi there is no simulated board"


async def test_another_name_is_refused_and_nothing_can_be_sent(site: tuple[SelfTestSite, Client]) -> None:
    _, client = site
    assert (await client.get("/", headers={"Host": "elsewhere.example"})).status == 403
    own = {"Origin": str(client.make_url("/")).rstrip("/")}
    assert (await client.post("/selftest/events", headers=own)).status == 405


async def test_with_a_twin_its_page_loads_the_progress_beside_the_board(tmp_path: Path) -> None:
    twin = Twin(BOARD, SystemClock(), folder=tmp_path)
    app = web.Application()
    SelfTestSite(BOARD, SystemClock(), twin).mount(app)
    async with TestClient(TestServer(app, host="127.0.0.1")) as client:
        assert (await client.get("/twin")).status == 200
        board = await (await client.get("/twin/board.json")).json()
    twin.close()
    assert board["beside"] == "/selftest/beside.js"
