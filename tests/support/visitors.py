"""Visitors of a board's pages: a real table and its pages on this machine, and a browser that opens them.

The tests own the time: during a visit the clock advances by itself, faster than real time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest_asyncio
from aiohttp import web
from playwright.async_api import Browser, Locator, Page
from tests.support.browser import new_page, resize
from tests.support.english_words import english_words
from tests.support.evenings import policy
from tests.support.sweeps import IS_WHOLE

from cribboard.rules import RULES, Rules, Way
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.doctor.findings import Finding, in_words
from cribd.inputs import CardRead, Input, Key, KeyPressed
from cribd.storage.archive import Archive
from cribd.storage.journal import Journal
from cribd.table.rule_sets import PRESETS
from cribd.table.settings import Settings
from cribd.table.snapshot import Snapshot
from cribd.table.table import Table
from cribd.text import load as load_phrases
from cribd.web.kiosk.site import Site

PATIENCE_S = 15  # of real time; only a test that fails takes it
#: A page's clock can be stopped only at a time to come: late enough for a busy machine, too soon for a page to miss its
#: board.
LEAP_S = 30
PIN = "2580"
ORGANISER_PIN = "1379"
BOARD = load("continuous")
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
SMALL: dict[str, Any] = {
    "viewport": {"width": 360, "height": 640},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
SIZES = {"390x844": PHONE, "360x640": SMALL, "1280x800": DESK}
#: Blue begins a game; red cuts the lower card and deals, and the starter is turned.
RED_DEALS: list[Input] = [KeyPressed(Key.OK, 0), *(CardRead(card) for card in ("9H", "4C", "6C"))]


@dataclass
class Board:
    """A board that is switched on, and its pages."""

    table: Table
    site: Site
    clock: ManualClock
    shown: list[Snapshot]
    archive: Archive
    competitions: LazyOrganiser
    runner: web.AppRunner | None = None
    port: int = 0
    #: What the doctor finds.
    findings: tuple[Finding, ...] = ()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, *, pin: str = PIN) -> None:
        """Serve the pages, as a daemon does after a new start: it knows no session."""
        self.site = Site(
            self.table,
            board=BOARD,
            archive=self.archive,
            offered=PRESETS,
            clock=self.clock,
            pin=pin,
            competitions=self.competitions,
            organiser_pin=pin and ORGANISER_PIN,
            examine=self.examine,
        )
        self.site.show(self.shown[-1])
        app = web.Application()
        self.site.mount(app)
        self.runner = web.AppRunner(app)
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", self.port, reuse_address=True).start()
        self.port = self.runner.addresses[0][1]

    async def examine(self, language: str) -> list[dict[str, str]]:
        return [in_words(finding, load_phrases(language)) for finding in self.findings]

    async def go_away(self) -> None:
        if self.runner is not None:
            await self.runner.cleanup()
            self.runner = None

    async def post(self, *inputs: Input) -> None:
        for given_input in inputs:
            self.table.post([given_input])
            async with asyncio.timeout(PATIENCE_S):
                before = len(self.shown)
                while len(self.shown) == before:
                    await asyncio.sleep(0)

    def publish(self, snapshot: Snapshot) -> None:
        self.shown.append(snapshot)
        if self.runner is not None:
            self.site.show(snapshot)


@asynccontextmanager
async def switched_on(
    folder: Path, *, way: Way = Way.VERIFY, rules: Rules = RULES["six-card"], pin: str = PIN
) -> AsyncIterator[Board]:
    clock, shown = ManualClock(), list[Snapshot]()
    journal = Journal(folder / "journal.db", clock)
    archive = Archive(folder / "journal.db")
    board: Board | None = None

    def publish(snapshot: Snapshot) -> None:
        shown.append(snapshot) if board is None else board.publish(snapshot)

    table = Table(
        board=BOARD,
        journal=journal,
        clock=clock,
        settings=Settings(rules=rules, way=way),
        policy=policy(),
        publish=publish,
    )
    table.load()
    site = Site(table, board=BOARD, archive=archive, offered=PRESETS, clock=clock)
    board = Board(table, site, clock, shown, archive, LazyOrganiser(journal, clock))
    tasks = [asyncio.create_task(table.run()), asyncio.create_task(run_clock(clock))]
    await board.serve(pin=pin)
    yield board
    await board.go_away()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    journal.close()


async def run_clock(clock: ManualClock) -> None:
    """Let the clock run, faster than real time, until cancelled."""
    while True:
        await clock.advance(0.02)
        await asyncio.sleep(0.005)


async def stand_still(page: Page) -> None:
    """The clock that a test has installed in the page now moves by `run_for` alone."""
    await page.clock.pause_at(await page.evaluate("Date.now() / 1000") + LEAP_S)


@dataclass
class Visit:
    """A browser at one of the pages. It keeps errors of the page and the addresses that it requests."""

    board: Board
    page: Page
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    _calls: int = field(default=0, init=False)

    async def open(self, path: str) -> None:
        await self.page.goto(f"{self.board.origin}{path}")
        await self.page.wait_for_selector("body:not(.waiting)")

    def card(self, card: str) -> Locator:
        return self.page.locator(f"#pad [data-card='{card}']")

    async def tap(self, cards: str) -> None:
        for card in cards.split():
            await self.card(card).click()

    async def part(self, name: str) -> None:
        """Open a part of `/table`: game, counts or owner. In a wide window the game is always open."""
        button = self.page.locator(f"#parts [data-part='{name}']")
        if name != "game" or await button.is_visible():
            await button.click()

    async def give(self, pin: str = PIN) -> None:
        """Enter this PIN."""
        await self.part("owner")
        await self.page.locator("#pin").fill(pin)
        await self.page.locator("#gate button").click()

    async def unlock(self) -> None:
        """Enter the right PIN, and go back to the game."""
        await self.give()
        await self.page.locator("#lock").wait_for()
        await self.part("game")

    async def says(self, selector: str, text: str) -> None:
        """Wait until an element shows this text."""
        await self.page.locator(selector, has_text=text).first.wait_for(timeout=1000 * PATIENCE_S)

    async def words(self) -> str:
        """Every text of the page, also for screen readers."""
        said: str = await self.page.evaluate(WORDS)
        return said

    async def check_french(self) -> None:
        """Every text is French, and can be read and tapped."""
        words, small, faint, fits = await self.page.evaluate(LOOKED_THROUGH)
        assert english_words(words) == [], words
        assert "page." not in words, "a word that is not translated shows its code"
        assert "undefined" not in words
        assert small == []
        assert faint == []
        assert fits

    async def check_french_by_turns(self) -> None:
        """The same in one window, at each call in another, or in all where sweeps are whole. Of three calls each meets
        each window in turn."""
        if IS_WHOLE:
            await self.check_french_at_every_size()
            return
        at, self._calls = self._calls + self._calls // len(SIZES), self._calls + 1
        await resize(self.page, **[*SIZES.values()][at % len(SIZES)]["viewport"])
        await self.check_french()

    async def check_french_at_every_size(self) -> None:
        """The same in every window, without being led here for each anew. The visitor goes on with a phone."""
        for size in (DESK, SMALL, PHONE):
            await resize(self.page, **size["viewport"])
            await self.check_french()


@asynccontextmanager
async def visit(chromium: Browser, board: Board, **wanted: Any) -> AsyncIterator[Visit]:
    """A browser, in English and with a desktop window unless `wanted` says otherwise. It must end without errors."""
    context = await chromium.new_context(**({"locale": "en-CA", "reduced_motion": "reduce"} | DESK | wanted))
    context.set_default_timeout(1000 * PATIENCE_S)
    visit = Visit(board, await new_page(context))
    context.on("request", lambda asked: visit.asked.append(asked.url))
    visit.page.on("console", lambda said: visit.complaints.append(f"{said.type}: {said.text}"))
    visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    yield visit
    await context.close()
    assert [url for url in visit.asked if not url.startswith(f"{board.origin}/")] == [], "no request leaves the board"
    # A browser reports refused requests and missing answers by itself.
    assert [said for said in visit.complaints if "Failed to load resource" not in said] == []


def opened_at(path: str, **window: Any) -> Any:
    """A fixture: a browser with this window that has opened a page of the test module's `board`."""

    @pytest_asyncio.fixture(loop_scope="session")
    async def opened(board: Board, chromium: Browser) -> AsyncIterator[Visit]:
        async with visit(chromium, board, **window) as visitor:
            await visitor.open(path)
            yield visitor

    return opened


#: Every text of the page, also for screen readers.
WORDS = """() => [document.title, document.body.innerText,
  ...[...document.querySelectorAll('.unseen, [aria-label]')]
    .map((node) => node.getAttribute('aria-label') ?? node.textContent)].join('\\n')"""

#: Controls that are too small for a thumb, or beyond the edge of the page.
TOO_SMALL = """() => [...document.querySelectorAll('a, button, select, input')].filter((n) => n.offsetParent !== null)
  .map((n) => (n.matches('[type=checkbox], [type=radio]') && n.closest('label')) || n)
  .map((n) => [n.getBoundingClientRect(), n.getAttribute('aria-label') || n.textContent.trim() || n.id])
  .filter(([box]) => Math.min(box.width, box.height) < 43.5 || box.left < 0 || box.right > innerWidth + .5)
  .map(([box, name]) => `${name}: ${Math.round(box.width)} x ${Math.round(box.height)} at ${Math.round(box.left)}`)"""

#: Text whose contrast with what lies under it is below what WCAG 2.2, 1.4.3 (AA) asks for. Of a gradient, each colour
#: counts as a ground of its own.
TOO_FAINT = """() => {
  const linear = (c) => (c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
  const light = (rgb) => rgb.map((c) => linear(c / 255)).reduce((sum, c, at) => sum + c * [.2126, .7152, .0722][at], 0);
  const parse = (text) => [...text.match(/[\\d.]+/g).map(Number), 1].slice(0, 4);
  const over = ([r, g, b, a], under) => [r, g, b].map((c, at) => c * a + under[at] * (1 - a));
  const known = new Map([[null, [[0, 0, 0]]]]);
  const grounds = (node) => {
    if (!known.has(node)) {
      const style = getComputedStyle(node);
      const stops = style.backgroundImage.match(/rgba?\\([^)]*\\)/g) ?? [style.backgroundColor];
      known.set(node, stops.map(parse).flatMap((paint) =>
        (paint[3] === 1 ? [paint.slice(0, 3)] : grounds(node.parentElement).map((ground) => over(paint, ground)))));
    }
    return known.get(node);
  };
  const hidden = '.unseen, :disabled, option';
  const faint = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement;
    const text = walk.currentNode.textContent.trim();
    if (!text || node.getClientRects().length === 0 || node.closest(hidden)) continue;
    const style = getComputedStyle(node);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const worst = Math.min(...grounds(node).map((ground) => {
      const [a, b] = [light(over(parse(style.color), ground)), light(ground)].sort((x, y) => y - x);
      return (a + .05) / (b + .05);
    }));
    if (worst < (large ? 3 : 4.5)) faint.push(`${text}: ${worst.toFixed(2)}`);
  }
  return faint;
}"""

#: Its words, what is too small, what is too faint, and whether it fits into the window: as one question, for each that
#: a browser is asked costs as much as the answer.
LOOKED_THROUGH = (
    f"() => [({WORDS})(), ({TOO_SMALL})(), ({TOO_FAINT})(), document.documentElement.scrollWidth <= innerWidth]"
)
