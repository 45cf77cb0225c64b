"""The twin's page, served on this machine for tests: a twin, its browsers, and the wires below."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientWebSocketResponse, web
from aiohttp.test_utils import TestClient, TestServer

from cribd.boards import Board, load
from cribd.clock import ManualClock
from cribd.twin.machine import Twin
from cribd.twin.messages import read
from cribd.twin.web import TwinPage
from cribd.wires import ReaderWire

PATIENCE_S = 10  # real, and only ever taken by a test that fails
LAST = '{"heard": true}'  # asks nothing; once it has been read, so has all before it


@dataclass
class Desk:
    """A twin on a desk, its page served on this machine."""

    twin: Twin
    board: Board
    clock: ManualClock
    page: TwinPage
    client: TestClient[web.Request, web.Application]

    async def open(self, **extra: Any) -> ClientWebSocketResponse:
        browser: ClientWebSocketResponse = await self.client.ws_connect("/twin/wires", **extra)
        return browser

    async def look(self) -> tuple[ClientWebSocketResponse, dict[str, Any]]:
        """A browser that has just opened the page, and the first thing it was sent."""
        browser = await self.open()
        return browser, await news(browser)

    async def until(self, true: Callable[[], bool]) -> None:
        """Let the network and the loop work until something is so; time stands still."""
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                await asyncio.sleep(0)

    async def say(self, browser: ClientWebSocketResponse, *acts: object) -> None:
        """Send messages, and let them all be heard."""
        for act in acts:
            await browser.send_str(act if isinstance(act, str) else json.dumps(act))
        heard = self.said.count(LAST)
        await browser.send_str(LAST)
        await self.until(lambda: self.said.count(LAST) > heard)

    @property
    def said(self) -> list[str]:
        said: list[str] = self.page.said  # type: ignore[attr-defined]
        return said

    # The wires, as a driver would read them

    def chain(self) -> str:
        wired = self.board.chain
        device = self.twin.wires.spi(wired.spi_select, hz=wired.hz, mode=wired.spi_mode)
        try:
            return "".join(f"{byte:08b}" for byte in device.transfer([0] * (wired.chips + 1)))
        finally:
            device.close()

    def is_down(self, track: int, hole: int) -> bool:
        place = self.board.tracks[track].holes[hole - 1].input
        assert place is not None
        return self.chain()[place] == str(self.board.chain.pressed_level)

    def is_grounded(self, gpio: int) -> bool:
        return self.twin.wires.pin_factory.is_grounded(f"GPIO{gpio}")

    def glow(self, lights: dict[int, str]) -> None:
        """Send one LED frame: brightness byte, blue, green, red, in hexadecimal."""
        wired = self.board.strip
        leds = b"".join(bytes.fromhex(lights.get(led, "E0 00 00 00")) for led in range(wired.count))
        device = self.twin.wires.spi(wired.spi_select, hz=wired.hz, mode=wired.spi_mode)
        device.transfer([*bytes(4), *leds, *bytes(4 + -(-wired.count // 16))])
        device.close()

    def draw(self, first_column: int) -> None:
        """Switch the screen on as the common modules want it, and fill the left column's top eight dots."""
        bus = self.twin.wires.i2c(self.board.oled.i2c_port)
        address = self.board.oled.address
        for command in ([0x8D, 0x14], [0x20, 0x00], [0xA1], [0xC8], [0x21, 0, 127], [0x22, 0, 7], [0xAF]):
            bus.write_i2c_block_data(address, 0x00, command)
        for block in range(64):
            bus.write_i2c_block_data(address, 0x40, [first_column if block == 0 else 0] + [0] * 15)


async def news(browser: ClientWebSocketResponse) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(await browser.receive_str(timeout=PATIENCE_S))
    return told


def led(told: dict[str, Any], number: int) -> tuple[int, ...]:
    return tuple(b64decode(told["leds"])[4 * number : 4 * number + 4])


class HeardPage(TwinPage):
    """The page, that also keeps what it was told."""

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
    async with TestClient(TestServer(app, host="127.0.0.1")) as client:
        yield Desk(twin, board, clock, page, client)
    twin.close()
