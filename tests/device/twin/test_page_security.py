"""Who may connect to the twin's page; invalid messages are ignored."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSMsgType, WSServerHandshakeError, web
from aiohttp.test_utils import TestClient, TestServer
from hypothesis import given
from hypothesis import strategies as st
from tests.support.served import Desk, news
from tests.support.waiting import PATIENCE_S

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.twin.machine import Twin
from cribd.twin.messages import Plug, PressButton, ReleaseButton, Scan, read
from cribd.twin.web import BROWSERS, TwinPage
from cribd.web.http.security import RequestGuard

# Garbage

GARBAGE = [
    "",
    "{",
    "null",
    "5",
    "[]",
    "{}",
    '"down"',
    '{"down": "blue 0"}',
    '{"down": "blue 999"}',
    '{"down": "black 5"}',
    '{"down": "blue 05"}',
    '{"down": 14}',
    '{"down": ["blue 14"]}',
    '{"down": null}',
    '{"down": "blue 14", "up": "blue 14"}',
    '{"up": "blue 14"}',
    '{"up": "undo"}',
    '{"scan": ""}',
    '{"scan": "♥"}',
    '{"scan": 5}',
    '{"scan": "' + 65 * "5" + '"}',
    '{"unplug": "table"}',
    '{"unplug": ["screen"]}',
    '{"plug": "screen"}',
    '{"leds": ""}',
    "[" * 190,
    "9" * 190,
    "x" * 4000,
    '{"down": "\\ud800"}',
]


async def test_garbage_changes_nothing_and_closes_nothing(desk: Desk) -> None:
    desk.draw(b"\x66")
    browser, _ = await desk.look()
    before = desk.chain(), desk.twin.version
    await desk.say(browser, *GARBAGE)
    await browser.send_bytes(b'{"down": "blue 14"}')
    await browser.send_bytes(bytes(range(256)))
    await desk.say(browser)
    await desk.clock.advance(1)
    assert (desk.chain(), desk.twin.version) == before
    assert not any(desk.is_grounded(key.gpio) for key in desk.board.keys)
    await desk.say(browser, {"down": "blue 14"})
    assert desk.is_down(0, 14), "and the page still works"


@pytest.mark.slow
@given(
    st.text(max_size=300) | st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists).map(json.dumps)
)
def test_any_message_gives_an_action_or_none(text: str) -> None:
    assert read(text) is None or isinstance(read(text), PressButton | ReleaseButton | Scan | Plug)


verbs = st.sampled_from(["down", "up", "scan", "plug", "unplug", "press", ""])
things = st.sampled_from(["blue 14", "menu", "5H\r", "screen", ""]) | st.text() | st.integers() | st.none()


@given(st.dictionaries(verbs, things, max_size=3))
def test_a_message_needs_one_verb_and_a_valid_value(message: dict[str, Any]) -> None:
    match read(json.dumps(message)):
        case PressButton(button):
            assert message == {"down": button}
        case ReleaseButton(button):
            assert message == {"up": button}
        case Scan(data):
            assert message == {"scan": data.decode("ascii")}
            assert data
        case Plug(part, put_in):
            assert message == {"plug" if put_in else "unplug": part.value}
        case None:
            assert message not in ({"down": "blue 14"}, {"up": "menu"}, {"scan": "5H\r"}, {"plug": "screen"})


async def test_a_flood_of_messages_lets_the_others_run(desk: Desk) -> None:
    browser, _ = await desk.look()
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    await desk.say(browser, *["{}"] * 2000)
    task.cancel()
    assert turns > 1000


# Who may come in


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[", "a b"])
async def test_a_request_by_another_name_is_refused(desk: Desk, host: str) -> None:
    for address in ("/twin", "/twin/board.json"):
        assert (await desk.client.get(address, headers={"Host": host})).status in (400, 403)
    with pytest.raises(WSServerHandshakeError):
        await desk.open(headers={"Host": host})


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "192.168.1.7", socket.gethostname()])
async def test_a_request_by_the_machines_own_name_is_accepted(desk: Desk, host: str) -> None:
    host = f"{host}:{desk.client.port}"
    assert (await desk.client.get("/twin", headers={"Host": host})).status == 200
    browser = await desk.open(headers={"Host": host, "Origin": f"http://{host}"})
    assert "leds" in await news(browser)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:1", "file://", "http://127.0.0.1", "http://[", ""]
)
async def test_a_websocket_from_another_origin_is_refused(desk: Desk, origin: str) -> None:
    with pytest.raises(WSServerHandshakeError) as refused:
        await desk.open(headers={"Origin": origin})
    assert refused.value.status == 403
    assert not desk.page._browsers


async def test_a_request_by_a_given_name_is_accepted(tmp_path: Path) -> None:
    board, clock = load("classic"), ManualClock()
    twin = Twin(board, clock, folder=tmp_path)
    app = web.Application()
    page = TwinPage(twin, board, clock=clock)
    page._guard = RequestGuard(["Table-7.Club"])
    page.mount(app)
    async with TestClient(TestServer(app, host="127.0.0.1")) as client:
        assert (await client.get("/twin", headers={"Host": "table-7.club:8121"})).status == 200
    twin.close()


async def test_the_number_of_browsers_is_limited(desk: Desk) -> None:
    browsers = [await desk.open() for _ in range(BROWSERS)]
    with pytest.raises(WSServerHandshakeError) as refused:
        await desk.open()
    assert refused.value.status == 503
    await browsers[0].close()
    await desk.until(lambda: len(desk.page._browsers) < BROWSERS)
    assert "leds" in await news(await desk.open())


async def test_stopping_closes_every_page_and_releases_every_button(tmp_path: Path) -> None:
    board, clock = load("classic"), ManualClock()
    twin = Twin(board, clock, folder=tmp_path)
    page = TwinPage(twin, board, clock=clock)
    app = web.Application()
    page.mount(app)
    client = TestClient(TestServer(app, host="127.0.0.1"))
    async with client:
        browser = await client.ws_connect("/twin/wires")
        await browser.send_str('{"down": "undo"}')
        await news(browser)
        undo = next(key for key in board.keys if key.key.value == "undo")
        factory = twin.wires.pin_factory
        async with asyncio.timeout(PATIENCE_S):
            while f"GPIO{undo.gpio}" not in factory.grounded:
                await asyncio.sleep(0)
        goodbye = asyncio.create_task(browser.receive())
        await client.server.close()
        assert (await goodbye).type in (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED)
        assert browser.close_code == 1001
        assert f"GPIO{undo.gpio}" not in factory.grounded
    twin.close()
