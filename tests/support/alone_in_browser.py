"""Somebody who plays alone at the twin, in a browser: the board, the page, and what the person sees there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Page
from tests.support import axe
from tests.support.browser import new_page
from tests.support.desk import PATIENCE_S

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config, PageConfig, ReaderConfig
from cribd.daemon import Device, open_device
from cribd.daemon import pages as serving
from cribd.daemon.serve_pages import serve_pages
from cribd.storage.journal import Journal
from cribd.twin.machine import Twin

#: The chance of the game: the person deals, and every kind of question of a deal comes.
SEED = "7"
#: What axe is asked in each phase, once: the line that the person reads, by its kind.
PHASES = ("cut", "discard", "lay", "count_hand", "accept")
#: The cards, and what is made of them, of a table at which nothing lies; for the page.
EMPTY_TABLE: dict[str, Any] = {
    "cuts": [],
    "laid": [],
    "count": None,
    "starter": None,
    "hand": [],
    "coach": None,
    "counts": [],
    "counting": None,
    "end": None,
    "crib": {"size": 3, "open": []},
    "dealer": 0,
}
FACES = "[...document.querySelectorAll('#solo .hand [data-card]')].map((card) => card.dataset.card)"


def seat(side: int, lies_open: list[str], held: int) -> dict[str, Any]:
    """A seat as the page is told of it."""
    return {"side": side, "robot": True, "open": lies_open, "held": held, "hand": [], "discards": False}


@dataclass
class Alone:
    """A board, and somebody who plays against it. `faults` is what axe found, and `looked` where it has looked."""

    device: Device
    journal: Journal
    context: BrowserContext
    page: Page
    address: str
    complaints: list[str]
    faults: list[str] = field(default_factory=list)
    looked: set[str] = field(default_factory=set)

    async def window(self) -> Page:
        """Another window of the same browser."""
        page = await new_page(self.context)
        await page.goto(self.address)
        await page.wait_for_selector("body.alone")
        return page

    async def state(self) -> dict[str, Any]:
        """The newest state of the first window."""
        payload: str = await self.page.evaluate("window.told.at(-1)")
        state: dict[str, Any] = json.loads(payload)
        return state

    async def open_at(self, position: dict[str, Any]) -> None:
        """Open the first window anew, where it is told this position of a table else empty, and nothing more."""
        payload = f"retry: 100000\ndata: {json.dumps({**await self.state(), **EMPTY_TABLE, **position})}\n\n"
        await self.page.route(
            "**/solo/events*", lambda route: route.fulfill(content_type="text/event-stream", body=payload)
        )
        await self.page.goto(self.address)

    async def stage(self) -> tuple[int, int]:
        """How far the game is: the number of its last event, and how many cards the person holds."""
        state = await self.state()
        return state["number"], len(state["hand"])

    async def asked(self) -> str | None:
        """What the page asks for now; axe looks at it the first time."""
        state = await self.state()
        kind = None if state.get("ask") is None else str(state["ask"]["kind"])
        if kind in PHASES and kind not in self.looked:
            self.looked.add(kind)
            self.faults += await axe.found(self.page, kind)
        return kind

    async def until_asked(self, *kinds: str) -> str:
        """Wait until the page asks for one of these."""
        kind = None
        try:
            async with asyncio.timeout(PATIENCE_S):
                while (kind := await self.asked()) not in kinds:
                    await asyncio.sleep(0.02)
        except TimeoutError:
            assert kind in kinds, await self.page.locator("#solo .say").text_content()
        assert kind is not None
        return kind

    async def hand(self) -> list[str]:
        cards: list[str] = await self.page.evaluate(FACES)
        return cards

    def cards_of_others(self) -> list[str]:
        """What the robot was dealt, and the starter, as the journal keeps them."""
        stored = json.loads(self.journal.setting("solo") or "null")
        *_, deal = stored["deals"][-1]
        return [*deal["hands"][1].split(), deal["starter"]]

    @property
    def front(self) -> int:
        """Where the front peg of the person stands."""
        latest = self.device.table.latest
        assert latest is not None
        return latest.game.position.pegs[0].front


@asynccontextmanager
async def at_the_twin(chromium: Browser, folder: Path, name: str = "continuous") -> AsyncIterator[Alone]:
    """The daemon's own parts and pages, on a clock that runs five times as fast."""
    clock, board = ManualClock(), load(name)
    config = Config(
        readers=(ReaderConfig(port="twin"),),
        journal=str(folder / "journal.db"),
        page=PageConfig(host="127.0.0.1", port=0),
    )
    twin = Twin(board, clock, folder=folder / "wires")
    device, journal = open_device(config, board, twin.wires, clock=clock, threaded=False)
    addresses: asyncio.Queue[str] = asyncio.Queue()
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(serving, "secrets", SimpleNamespace(token_hex=lambda _size: SEED))

    async def let_time_go_by() -> None:
        while True:
            await clock.advance(0.05)
            await asyncio.sleep(0.01)

    passing = asyncio.create_task(let_time_go_by())
    await device.start()
    pages = asyncio.create_task(serve_pages(config, board, device, twin, clock, addresses.put_nowait))
    context = await chromium.new_context(viewport={"width": 1440, "height": 900}, locale="en-CA")
    context.set_default_timeout(1000 * PATIENCE_S)
    await context.add_init_script("""window.told = []; const Source = EventSource;
        window.EventSource = class extends Source { constructor(path) { super(path);
        this.addEventListener('message', ({ data }) => window.told.push(data)); } };""")
    page = await new_page(context)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text))
    address = await addresses.get()
    await page.goto(address)
    await page.wait_for_selector("body:not(.waiting)")
    yield Alone(device, journal, context, page, address, complaints)
    await context.close()
    pages.cancel()
    await asyncio.gather(pages, return_exceptions=True)
    await device.stop()
    passing.cancel()
    monkeypatch.undo()
    journal.close()
    twin.close()
    assert complaints == []
