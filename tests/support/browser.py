"""The browser of the tests, and how it is started: Debian's Chromium, from the archive and never downloaded."""

from __future__ import annotations

import os
import shutil

import pytest
from playwright import async_api, sync_api

#: The shell has no window of its own, and opens a page in a third of the time.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

#: Turns a page with its button for the language until it speaks that one, `fr`, through however many the board knows.
TURN_TO = """async (wanted) => {
  const late = performance.now() + 20_000;
  const until = async (seen) => {
    while (!seen()) {
      if (performance.now() > late) throw new Error(`the page does not speak ${wanted}`);
      await new Promise((go) => setTimeout(go, 10));
    }
  };
  const button = document.querySelector('#language');
  await until(() => button.textContent.trim());  // then it has its words, and answers
  const spoken = () => document.documentElement.lang;
  while (!spoken().startsWith(wanted)) {
    const before = spoken();
    button.click();
    await until(() => spoken() !== before);
  }
}"""


def installed_chromium() -> str:
    """The path of the browser. Without one the test is skipped, and in CI it fails."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing, and in CI nothing may be: apt-get install chromium-headless-shell")
        pytest.skip("Chromium is missing: apt-get install chromium-headless-shell")
    return CHROMIUM


#: Painting by the processor costs a page more than all else it does. Of the pages of the tests a corner is painted:
#: their layout is that of the whole window, a click reaches every place, and a screenshot paints all of it first.
_PAINTED = ("Emulation.setVisibleSize", {"width": 16, "height": 16})
_SEEN_AGAIN = """() => new Promise((answered) => {
  document.documentElement.style.opacity = '';
  requestAnimationFrame(() => requestAnimationFrame(answered));
})"""


async def new_page(context: async_api.BrowserContext) -> async_api.Page:
    """A new page, of which a corner is painted."""
    page = await context.new_page()
    await (await context.new_cdp_session(page)).send(*_PAINTED)
    return page


async def resize(page: async_api.Page, width: int, height: int) -> None:
    """Give the page a window of this size, of which a corner is painted again. In between there is nothing to paint.
    Afterwards the page has answered: two frames have passed."""
    await page.evaluate("document.documentElement.style.opacity = 0")
    await page.set_viewport_size({"width": width, "height": height})
    await (await page.context.new_cdp_session(page)).send(*_PAINTED)
    await page.evaluate(_SEEN_AGAIN)


def new_page_now(context: sync_api.BrowserContext) -> sync_api.Page:
    """A new page, of which a corner is painted, for tests that wait where they stand."""
    page = context.new_page()
    context.new_cdp_session(page).send(*_PAINTED)
    return page
