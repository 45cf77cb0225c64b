"""The daemon as it runs on a desk, for tests: a real process, and one browser that looks at its page.

People press and scan through the page; what glows is what the page shows, and that is what the chips hold.
"""

from __future__ import annotations

import asyncio
import base64
import json
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
from tests.support.catalogues import phrase
from tests.support.daemon_starts import Process, forked

from cribd.boards import load

BOARD = load("continuous")
PATIENCE_S = 20.0  # of real time; only a test that fails takes it
WHOLE_PICTURE_S = 0.12  # four times as long as the wire takes for one
STILL_S = 1.0  # four times as long as what blinks is on or off


@dataclass
class Daemon:
    """A running daemon, and one browser at its page."""

    process: Process
    wires: aiohttp.ClientWebSocketResponse
    origin: str = ""
    shown: dict[str, Any] = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    wires_closed: asyncio.Event = field(default_factory=asyncio.Event)

    async def look(self) -> None:
        """Take in all messages of the page that have come."""
        async for message in self.wires:
            self.shown |= json.loads(message.data)
            self.changed.set()
        self.wires_closed.set()

    async def until(self, seen: Callable[[], bool]) -> None:
        """Wait until the page shows this."""
        async with asyncio.timeout(PATIENCE_S):
            while not seen():
                self.changed.clear()
                await self.changed.wait()

    async def rests(self) -> None:
        """Wait until nothing has changed for long enough: nothing blinks, and nothing is on its way."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                self.changed.clear()
                try:
                    await asyncio.wait_for(self.changed.wait(), STILL_S)
                except TimeoutError:
                    return

    async def press(self, button: str) -> None:
        await self.wires.send_json({"down": button})
        await self.wires.send_json({"up": button})

    async def scan(self, card: str) -> None:
        await self.wires.send_json({"scan": f"{card}\r"})

    async def do(self, *acts: str) -> None:
        """Press buttons or scan cards, one after the other, and wait for the screen after each."""
        for act in acts:
            before = self.screen
            await (self.scan(act) if len(act) == 2 else self.press(act))
            await self.until(lambda before=before: self.screen != before)  # type: ignore[misc]
            await self._whole_picture()

    async def _whole_picture(self) -> None:
        """Wait until the screen stays the same: it is drawn block by block."""
        async with asyncio.timeout(PATIENCE_S):
            seen = None
            while seen != self.screen:
                seen = self.screen
                await asyncio.sleep(WHOLE_PICTURE_S)

    @property
    def leds(self) -> bytes:
        return base64.b64decode(self.shown.get("leds", ""))

    @property
    def screen(self) -> object:
        return self.shown.get("oled")

    @property
    def has_picture(self) -> bool:
        """Whether the panel is on and shows something."""
        oled = self.shown.get("oled", {})
        return bool(oled.get("on")) and any(base64.b64decode(oled["pixels"]))

    def pegs(self, side: int) -> tuple[int, int]:
        """Front and back peg of a side: its two brightest holes. 0 is the start, or a peg in hand."""
        track = BOARD.tracks[side]
        glow = {
            number: max(self.leds[4 * spot.led : 4 * spot.led + 3]) for number, spot in enumerate(track.holes[:-1], 1)
        }
        lit = sorted((number for number, light in glow.items() if light), key=lambda number: -glow[number])
        front, back, *_ = [*lit, 0, 0]
        return front, back

    async def says(self) -> str:
        """The next line that it prints."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            return await asyncio.to_thread(self.process.stdout.readline)

    async def ends(self, how: int | None = None) -> int:
        """Wait for its end, or bring it about by a signal. Returns the exit code."""
        if how is not None:
            self.process.send_signal(how)
        return await asyncio.to_thread(self.process.wait, PATIENCE_S)

    async def kill(self) -> None:
        assert await self.ends(signal.SIGKILL) == -signal.SIGKILL


@asynccontextmanager
async def daemon(
    folder: Path,
    *options: str,
    start: Callable[..., AbstractContextManager[Process]] = forked,
    module: str = "cribd",
    **environment: str,
) -> AsyncIterator[Daemon]:
    """A daemon on the journal in `folder`, with its page open. `options` are those of `cribboard run`."""
    given = ("--journal", str(folder / "journal.db"), "--port", "0", "--no-browser", *options)
    with start("run", "--twin", *given, module=module, **environment) as process:
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            said = await asyncio.to_thread(process.stdout.readline)
        address = said.removeprefix(phrase("command.run.at", address="")).strip()
        async with aiohttp.ClientSession() as browser, browser.ws_connect(f"{address}/wires") as wires:
            running = Daemon(process, wires, address.removesuffix("/twin"))
            looking = asyncio.create_task(running.look())
            await running.until(lambda: any(running.leds) and running.has_picture)
            await running._whole_picture()  # keys that answer an unseen question are dropped
            yield running
            looking.cancel()


async def begin_a_game(board: Daemon) -> None:
    """Blue cuts the lower card and deals; red lays a ten, blue a five and claims the fifteen."""
    await board.do("blue ok", "4H", "9S", "7D", "TH", "5C", "blue 2")
