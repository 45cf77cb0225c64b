"""The organiser's laptop at the desk of a daemon that can be killed, and what an organiser does there."""

from __future__ import annotations

import re
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect
from tests.support.browser import new_page
from tests.support.catalogues import phrase
from tests.support.daemon_process import Daemon, daemon
from tests.support.visitors import ORGANISER_PIN, PATIENCE_S

#: A text is a CSV file.
_POST = """async ([path, told]) => {
  const isFile = typeof told === 'string';
  const headers = { 'Content-Type': isFile ? 'text/csv' : 'application/json' };
  const answer = await fetch(path, { method: 'POST', headers, body: isFile ? told : JSON.stringify(told) });
  return [answer.status, await answer.json()];
}"""

_HOLD = """(path) => {
  const { fetch } = window;
  const end = new Promise((resolve) => {
    window.goOn = () => {
      window.fetch = fetch;
      resolve();
    };
  });
  window.isHeld = false;
  window.fetch = async (address, options) => {
    if (new URL(address, location).pathname === path) {
      window.isHeld = true;
      await end;
    }
    return fetch(address, options);
  };
}"""


class Hall:
    """A daemon that can be killed and comes back at the same address, on the same journal."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder = folder
        self.config = folder / "cribboard.toml"
        self.config.write_text(f'[page]\norganiser_pin = "{ORGANISER_PIN}"\n', encoding="utf-8")
        self._running = AsyncExitStack()
        self._daemon: Daemon | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/desk"

    async def start(self) -> None:
        options = ("--config", str(self.config), "--port", str(self.port))
        self._daemon = await self._running.enter_async_context(daemon(self.folder, *options))

    async def kill(self) -> None:
        assert self._daemon is not None
        await self._daemon.kill()
        await self._running.aclose()


@asynccontextmanager
async def laptop_at(hall: Hall, chromium: Browser) -> AsyncIterator[Page]:
    """A laptop in French at the desk, which takes up what is there."""
    context = await chromium.new_context(
        viewport={"width": 1280, "height": 800}, locale="fr-CA", reduced_motion="reduce"
    )
    context.set_default_timeout(1000 * PATIENCE_S)
    page = await new_page(context)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    await page.goto(hall.address)
    await page.wait_for_selector("body:not(.waiting)")
    yield page
    await context.close()
    assert errors == []


async def state(page: Page) -> Any:
    """The competition as the desk is told it."""
    return await page.evaluate("fetch('/desk/state').then((answer) => answer.json())")


async def unlock(page: Page) -> None:
    """Give the organiser's PIN where it is asked for."""
    if await page.locator("#pin").is_visible():
        await give_organisers_pin(page)


async def post(page: Page, path: str, payload: object) -> Any:
    """Post it as the page that is open does. It must be done."""
    status, said = await page.evaluate(_POST, [path, payload])
    assert status == 200, said
    return said


async def organise(page: Page, action: str, **fields: object) -> None:
    """An act of the organiser, from another laptop."""
    await post(page, "/desk/do", {"do": action, **fields})


async def give_organisers_pin(page: Page) -> None:
    """Give the PIN at the desk, with the keyboard."""
    await page.locator("#pin").focus()
    await page.keyboard.type(ORGANISER_PIN)
    await page.keyboard.press("Enter")
    await page.locator("#next:not([hidden])").wait_for()


async def registered(page: Page, form: object, entrants: int, *, tables: int = 8) -> None:
    """An event of players who are all there."""
    await unlock(page)
    await post(page, "/desk/begin", {"format": form, "name": "Mardi", "tables": tables, "instead": True})
    numbers = range(1, entrants + 1)
    await post(page, "/desk/csv/confirm", "\n".join(["joueur", *(f"Joueur {number}" for number in numbers)]))
    for number in numbers:
        await organise(page, "check_in", entrant=number)
    await says(page, "#due", phrase("page.desk.next.registered", "fr_CA", n=entrants, here=entrants))


async def event(page: Page, form: object, entrants: int, *, tables: int = 8) -> None:
    """An event of players who are all there, its first round started."""
    await registered(page, form, entrants, tables=tables)
    await organise(page, "begin")
    await post(page, "/desk/draw", {})
    await organise(page, "start_round")
    await page.locator("#parts [data-part='results']").click()
    await page.locator("#entry-table").click()
    await expect(page.locator("#outstanding .seat")).to_have_count(entrants // 2)


@asynccontextmanager
async def no_answer_yet(page: Page, path: str = "/desk/do") -> AsyncIterator[None]:
    """A slow network: what the page sends to this path goes on to the board at the end, and not before.

    The page itself waits. A route of Playwright sometimes loses a request that comes right after it was set."""
    await page.evaluate(_HOLD, path)
    yield
    await page.wait_for_function("() => window.isHeld")
    await page.evaluate("() => window.goOn()")


async def reach(page: Page, selector: str) -> None:
    """Go to a control with the Tab key."""
    for _ in range(120):
        if await page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
        await page.keyboard.press("Tab")
    pytest.fail(f"{selector} is not reached by the keyboard")


async def press(page: Page, selector: str) -> None:
    """Go to a control with the keyboard, and press it."""
    await reach(page, selector)
    await page.keyboard.press("Enter")


async def says(page: Page, selector: str, words: str) -> None:
    """Wait until these words stand there; a space is any space."""
    await expect(page.locator(selector).first).to_contain_text(re.compile(re.escape(words).replace(r"\ ", r"\s")))


async def values(page: Page) -> list[str]:
    """What stands in the row for slips."""
    found: list[str] = await page.evaluate(
        "[...document.querySelectorAll('#entry-row input:not([type=checkbox])')].map(({ value }) => value)"
    )
    return found


async def slip(page: Page, row: str) -> None:
    """Enter a slip as people do, and wait for the board's answer."""
    await page.keyboard.type(row)
    await page.keyboard.press("Enter")
    await expect(page.locator("#entered [data-state='sending']")).to_have_count(0)
