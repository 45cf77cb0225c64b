"""The twin with its page open in a browser, for the tests of the page.

The tests own the time: the clock moves while a test waits for something, so a long press takes no long time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO

from aiohttp import web
from PIL import Image
from playwright.async_api import BrowserContext, Page

from cribd.boards import Board, Spot
from cribd.clock import ManualClock
from cribd.inputs import Key
from cribd.twin.machine import Twin
from cribd.twin.web import TwinPage

PATIENCE_S = 15  # real, and only ever taken by a test that fails


@dataclass
class Desk:
    """A twin on a desk, and a browser before it."""

    board: Board
    twin: Twin
    clock: ManualClock
    origin: str
    runner: web.AppRunner
    context: BrowserContext
    page: Page
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    async def open(self) -> None:
        """Go to the page and wait for its first picture."""
        await self.page.goto(f"{self.origin}/twin")
        await self.page.wait_for_selector("body:not(.waiting)")

    async def until(self, true: Callable[[], bool]) -> None:
        """Let time go by until something is so."""
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                await self.clock.advance(0.01)
                await asyncio.sleep(0.002)

    async def shows(self, script: str, expected: object) -> None:
        """Let time go by until the page gives this answer."""
        given: object = None
        try:
            async with asyncio.timeout(PATIENCE_S):
                while (given := await self.page.evaluate(script)) != expected:
                    await self.clock.advance(0.01)
        except TimeoutError:
            assert given == expected

    # The wires

    def is_down(self, track: int, hole: int) -> bool:
        wired = self.board.chain
        place = self.board.tracks[track].holes[hole - 1].input
        device = self.twin.wires.spi(wired.spi_select, hz=wired.hz, mode=wired.spi_mode)
        bits = "".join(f"{byte:08b}" for byte in device.transfer([0] * (wired.chips + 1)))
        device.close()
        assert place is not None
        return bits[place] == str(wired.pressed_level)

    def is_held(self, key: Key, side: int | None) -> bool:
        gpio = next(pin.gpio for pin in self.board.keys if (pin.key, pin.side) == (key, side))
        return self.twin.wires.pin_factory.is_grounded(f"GPIO{gpio}")

    def glow(self, lights: dict[int, str]) -> None:
        """Send one LED frame: brightness byte, blue, green, red, in hexadecimal."""
        wired = self.board.strip
        leds = b"".join(bytes.fromhex(lights.get(led, "E0 00 00 00")) for led in range(wired.count))
        device = self.twin.wires.spi(wired.spi_select, hz=wired.hz, mode=wired.spi_mode)
        device.transfer([*bytes(4), *leds, *bytes(4 + -(-wired.count // 16))])
        device.close()

    def draw(self, ram: bytes, *, contrast: int = 0xCF) -> None:
        """Show these 1,024 bytes on the screen, mounted as the common modules are."""
        bus = self.twin.wires.i2c(self.board.oled.i2c_port)
        address = self.board.oled.address
        setup: tuple[list[int], ...] = ([0x8D, 0x14], [0x20, 0x00], [0xA1], [0xC8], [0x81, contrast], [0x21, 0, 127])
        for command in (*setup, [0x22, 0, 7], [0xAF]):
            bus.write_i2c_block_data(address, 0x00, command)
        for at in range(0, len(ram), 16):
            bus.write_i2c_block_data(address, 0x40, list(ram[at : at + 16]))

    # The eye

    async def middle(self, selector: str) -> tuple[float, float]:
        box = await self.page.locator(selector).bounding_box()
        assert box is not None, f"{selector} is not to be seen"
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    async def where(self, spot: Spot) -> tuple[float, float]:
        """Where on the page a place of the board file must be, from the edges of the wood."""
        box = await self.page.locator(".board").bounding_box()
        assert box is not None
        scale = box["width"] / self.board.width_mm
        return box["x"] + spot.x_mm * scale, box["y"] + spot.y_mm * scale

    async def colour(self, spot: Spot) -> tuple[int, int, int]:
        """What colour the page has at a place of the board."""
        image = Image.open(BytesIO(await self.page.screenshot())).convert("RGB")
        x, y = await self.where(spot)
        patch = image.crop((round(x) - 2, round(y) - 2, round(x) + 3, round(y) + 3)).resize(
            (1, 1), Image.Resampling.BOX
        )
        red, green, blue = patch.tobytes()
        return red, green, blue


async def serve(twin: Twin, board: Board, clock: ManualClock, *, port: int) -> web.AppRunner:
    app = web.Application()
    TwinPage(twin, board, clock=clock).mount(app)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, reuse_address=True).start()
    return runner
