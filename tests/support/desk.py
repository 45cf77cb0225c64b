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
from playwright.async_api import BrowserContext, FloatRect, Page
from tests.support.shared_files import mount_shared_files
from tests.support.wired_twin import WiredTwin

from cribd.boards import Board, Spot
from cribd.clock import ManualClock
from cribd.inputs import Key
from cribd.twin.machine import Twin
from cribd.twin.web import TwinPage

Colour = tuple[int, int, int]
PATIENCE_S = 15  # of real time; only a test that fails takes it


@dataclass
class Desk(WiredTwin):
    """A twin, and a browser at its page."""

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
        """Let time pass until this is true."""
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                await self.clock.advance(0.01)
                await asyncio.sleep(0.002)

    async def shows(self, script: str, expected: object) -> None:
        """Let time pass until this script returns the expected value on the page."""
        given: object = None
        try:
            async with asyncio.timeout(PATIENCE_S):
                while (given := await self.page.evaluate(script)) != expected:
                    await self.clock.advance(0.01)
        except TimeoutError:
            assert given == expected

    def is_held(self, key: Key, side: int | None) -> bool:
        return self.is_grounded(next(pin.gpio for pin in self.board.keys if (pin.key, pin.side) == (key, side)))

    async def middle(self, selector: str) -> tuple[float, float]:
        box = await self.page.locator(selector).bounding_box()
        assert box is not None, f"{selector} is not to be seen"
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    async def where(self, spot: Spot) -> tuple[float, float]:
        """Where on the page a place of the board file must be, by the edges of the board."""
        box = await self.page.locator(".board").bounding_box()
        assert box is not None
        scale = box["width"] / self.board.width_mm
        return box["x"] + spot.x_mm * scale, box["y"] + spot.y_mm * scale

    async def sees(self, spot: Spot, fits: Callable[[Colour], bool], why: str) -> Colour:
        """Wait until the colour at a place of the board fits: a browser paints a light in several steps."""
        colour = await self.colour(spot)
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not fits(colour):
                    colour = await self.colour(spot)
        except TimeoutError:
            pass
        assert fits(colour), f"{why}: {colour}"
        return colour

    async def colour(self, spot: Spot) -> Colour:
        """The colour of the page at a place of the board."""
        x, y = await self.where(spot)
        around: FloatRect = {"x": round(x) - 2, "y": round(y) - 2, "width": 5, "height": 5}
        image = Image.open(BytesIO(await self.page.screenshot(clip=around))).convert("RGB")
        red, green, blue = image.resize((1, 1), Image.Resampling.BOX).tobytes()
        return red, green, blue


async def serve(twin: Twin, board: Board, clock: ManualClock, *, port: int) -> web.AppRunner:
    app = web.Application()
    TwinPage(twin, board, clock=clock).mount(app)
    mount_shared_files(app, board)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, reuse_address=True).start()
    return runner
