"""The twin's page, served on this machine for tests: a twin, and what its browsers send and are sent."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientWebSocketResponse, web
from aiohttp.test_utils import TestClient, TestServer
from tests.support.shared_files import mount_shared_files
from tests.support.waiting import PATIENCE_S, until
from tests.support.wired_twin import WiredTwin

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.twin.machine import Twin
from cribd.twin.messages import read
from cribd.twin.web import TwinPage
from cribd.wires import ReaderWire

LAST = '{"heard": true}'  # asks nothing; once it has been read, so has all before it


@dataclass
class Desk(WiredTwin):
    """A twin, and its page served on this machine."""

    page: TwinPage
    client: TestClient[web.Request, web.Application]
    until = staticmethod(until)

    async def open(self, **extra: Any) -> ClientWebSocketResponse:
        browser: ClientWebSocketResponse = await self.client.ws_connect("/twin/wires", **extra)
        return browser

    async def look(self) -> tuple[ClientWebSocketResponse, dict[str, Any]]:
        """A browser that has just opened the page, and its first message."""
        browser = await self.open()
        return browser, await news(browser)

    async def say(self, browser: ClientWebSocketResponse, *acts: object) -> None:
        """Send messages, and wait until the page has heard them all."""
        for act in acts:
            await browser.send_str(act if isinstance(act, str) else json.dumps(act))
        heard = self.said.count(LAST)
        await browser.send_str(LAST)
        await self.until(lambda: self.said.count(LAST) > heard)

    @property
    def said(self) -> list[str]:
        said: list[str] = self.page.said  # type: ignore[attr-defined]
        return said


async def news(browser: ClientWebSocketResponse) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads(await browser.receive_str(timeout=PATIENCE_S))
    return payload


def led(payload: dict[str, Any], number: int) -> tuple[int, ...]:
    return tuple(b64decode(payload["leds"])[4 * number : 4 * number + 4])


class HeardPage(TwinPage):
    """The page, which keeps every message that it was sent."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.said: list[str] = []


@asynccontextmanager
async def serve(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *, readers: Sequence[ReaderWire] = (ReaderWire(),)
) -> AsyncIterator[Desk]:
    """The board of this name on a twin, and its page."""
    board, clock = load(name), ManualClock()
    twin = Twin(board, clock, folder=folder, readers=readers)
    page = HeardPage(twin, board, clock=clock)
    monkeypatch.setattr("cribd.twin.web.read", lambda text: page.said.append(text) or read(text))  # type: ignore[func-returns-value]
    app = web.Application()
    page.mount(app)
    mount_shared_files(app, board)
    async with TestClient(TestServer(app, host="127.0.0.1")) as client:
        desk = Desk(board, twin, clock, page, client)
        desk.read_buttons()
        yield desk
    twin.close()
