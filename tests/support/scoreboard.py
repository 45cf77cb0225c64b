"""A television with the scoreboard on it: what the tests of the scoreboard look at, and what its players press."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, Locator, Page, expect
from tests.support.browser import new_page
from tests.support.phases import SIZES, phases
from tests.support.visitors import PATIENCE_S, Board

from cribd.inputs import HolePressed, Input, Key, KeyPressed
from cribd.web.http.sse import ALIVE_S

BLUE, RED = 0, 1
TV: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}, "locale": "en-CA"}
MINUTE_MS = 60_000
#: The longest names allowed.
LONG = ("Marie-Ève Bellemare", "Jean-François Côté", "Geneviève Archambaul")
#: Usual names.
USUAL = ("Bernadette", "Maximilien", "Geneviève")
#: Every phase of an evening, each reached by playing.
PHASES = phases()
#: Counts the heartbeats that the page has got. With a heartbeat it has got all that was sent before.
HEARS = """
  window.beats = 0;
  window.EventSource = class extends EventSource {
    constructor(address) { super(address); this.addEventListener('alive', () => { window.beats += 1; }); }
  };
"""


@asynccontextmanager
async def screen(
    chromium: Browser, origin: str, path: str = "/", *, still: bool = True, **wanted: Any
) -> AsyncIterator[Page]:
    """A television with the scoreboard. It must end without an error, and without a request to another address."""
    motion = "reduce" if still else "no-preference"
    context = await chromium.new_context(**(TV | {"reduced_motion": motion} | wanted))
    context.set_default_timeout(1000 * PATIENCE_S)
    complaints: list[str] = []
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = await new_page(context)
    page.on("console", lambda said: complaints.append(f"{said.type}: {said.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    await page.add_init_script(HEARS)
    await page.clock.install()
    await page.goto(f"{origin}{path}")
    await page.wait_for_selector("body:not(.waiting)")
    yield page
    await context.close()
    assert [url for url in asked if not url.startswith(f"{origin}/")] == []
    assert [said for said in complaints if "Failed to load resource" not in said] == []


def score(page: Page, side: int) -> Locator:
    return page.locator(f".side[data-side='{side}'] .score b")


def peg(page: Page, side: int, kind: str = "front") -> Locator:
    return page.locator(f"#board .peg.{kind}[data-side='{side}']")


async def says(place: Locator, text: str) -> None:
    await expect(place).to_contain_text(text, timeout=1000 * PATIENCE_S)


async def time_passes(board: Board, page: Page, minutes: int) -> None:
    """The clocks of board and page move on together; the page hears from the board meanwhile."""
    for _ in range(2 * minutes):
        beats = await page.evaluate("window.beats") + 2  # the first may have been on its way
        await board.clock.advance(2 * ALIVE_S)
        await page.wait_for_function("(beats) => window.beats >= beats", arg=beats)
        await page.clock.run_for(MINUTE_MS // 2)


def holes(side: int, *numbers: int) -> list[Input]:
    """Pegs moved by hand in trust: to each of these holes, and released there."""
    return [given_input for number in numbers for given_input in (HolePressed(side, number), HolePressed(side, number))]


BLUE_DEALS: list[Input] = [KeyPressed(Key.OK, BLUE), KeyPressed(Key.OK, BLUE)]
BLUE_WINS = holes(BLUE, 29, 58, 87, 116, 121)
RED_WINS = holes(RED, 29, 58, 87, 116, 121)
BOTH_OK: list[Input] = [KeyPressed(Key.OK, BLUE), KeyPressed(Key.OK, RED)]


def window(size: str) -> dict[str, int]:
    width, height = SIZES[size]
    return {"width": width, "height": height}


#: Text of which something is left out.
CUT_TEXT = """() => [...document.querySelectorAll(
    '.name span, #said, #ask span, .who, .best p, #win h2 span, .final span')]
  .filter((node) => node.textContent.trim() && node.getClientRects().length)
  .filter((node) => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 6)
  .map((node) => `${node.className || node.id}: ${node.textContent}`)"""
#: What lies over the frame, or past it.
PAST_THE_FRAME = """() => {
  const frame = document.querySelector('#all').getBoundingClientRect();
  return [...document.querySelectorAll('#rest *')]
    .filter((node) => node.getClientRects().length)
    .map((node) => [node.getBoundingClientRect(), node.className || node.tagName])
    .filter(([box]) => box.left < frame.left || box.right > frame.right || box.bottom > frame.bottom
      || box.top < frame.top)
    .map(([box, name]) => `${name}: ${Math.round(box.left)} to ${Math.round(box.right)}, to ${Math.round(box.bottom)}`);
}"""
