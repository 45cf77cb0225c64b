"""Every text of every page in every phase: what is shown, and what a screen reader is given.

The phases are snapshots of real games, each reached by playing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from playwright.async_api import Page
from tests.support.moments import moments
from tests.support.moments_of_rules import moments_of_rules
from tests.support.visitors import PATIENCE_S, Visit

from cribd.table.snapshot import Snapshot

#: Of the options of rules the pages show only the title.
MOMENTS: dict[str, Snapshot] = moments() | {
    name: snapshot for name, snapshot in moments_of_rules().items() if "-menu" not in name and "-start-" not in name
}

#: A television over the bar, seen from five metres away.
TELEVISION: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}

#: Counts the pictures that a page was sent, and says when the page shows one more: two frames have passed since.
_COUNTED = """
  window.pictures = 0;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  window.shown = async (before) => {
    while (window.pictures <= before) await frame();
    await frame();
    await frame();
  };
  const Source = window.EventSource;
  window.EventSource = class extends Source {
    constructor(...given) { super(...given); this.addEventListener('message', () => { window.pictures += 1; }); }
  };
"""

#: Every text of a page that is to be read or heard, and where: text, names for screen readers, what CSS puts in. What
#: is in a language of its own says so, and is left out.
_TEXTS = """() => {
  const found = [];
  const here = document.documentElement.lang;
  const add = (node, how, text) => {
    const own = node.closest('[lang]');
    if (text.trim() && (!own || own.lang === here)) {
      const name = [node.tagName.toLowerCase(), node.id, node.getAttribute('class')].filter(Boolean).join('.');
      found.push([`${name} ${how}`, text.trim()]);
    }
  };
  found.push(['title', document.title]);
  const names = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'alt', 'placeholder'];
  for (const node of document.body.querySelectorAll('*')) {
    if (!node.checkVisibility({ visibilityProperty: true }) || node.closest('pre')) continue;
    for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) add(node, 'text', child.data);
    for (const name of names) if (node.hasAttribute(name)) add(node, name, node.getAttribute(name));
    for (const side of ['::before', '::after']) {
      const { content } = getComputedStyle(node, side);
      if (content.startsWith('"')) add(node, side, content.slice(1, -1));
    }
  }
  return found;
}"""


async def watch(visit: Visit, path: str) -> None:
    """Open a page that counts its snapshots."""
    await visit.page.add_init_script(_COUNTED)
    await visit.open(path)


async def show(visit: Visit, snapshot: Snapshot) -> None:
    """Publish this snapshot, and wait until the page shows it."""
    before = await visit.page.evaluate("window.pictures")
    visit.board.site.show(snapshot)
    async with asyncio.timeout(PATIENCE_S):
        await visit.page.evaluate("(before) => window.shown(before)", before)


async def settled(page: Page) -> None:
    """Wait until everything is drawn: a frame has passed, and every fetch has ended."""
    with suppress(TimeoutError):
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


async def texts(page: Page) -> list[tuple[str, str]]:
    """Every text of the page, and where it is."""
    return [(where, text) for where, text in await page.evaluate(_TEXTS)]


# Page by page: each name says what is to be seen. Nothing is looked for by its words, which may be anybody's.


async def every_phase(visit: Visit, phases: dict[str, Snapshot]) -> AsyncIterator[str]:
    """A page that follows the table: at each of these moments, and without the board."""
    for name, snapshot in phases.items():
        await show(visit, snapshot)
        yield name
    await visit.board.go_away()
    await visit.page.wait_for_selector(".gone")
    yield "away"


async def all_of_the_table(visit: Visit) -> AsyncIterator[str]:
    """What `/table` has besides the game: past counts, and the owner's actions."""
    await watch(visit, "/table")
    await show(visit, MOMENTS["next-deal"])
    await visit.part("counts")
    yield "counts"
    await visit.give("0000")
    await visit.page.locator("#told:not(:empty)").wait_for()
    yield "a wrong PIN"
    await visit.give()
    await visit.page.locator("#lock").wait_for()
    yield "owner"
    await visit.part("game")
    yield "game"


async def all_of_the_judge(visit: Visit) -> AsyncIterator[str]:
    """`/verify` without a card, with a card missing, and with right and wrong calls."""
    await visit.open("/verify")
    yield "nothing"
    await visit.tap("4C 5H 6S JD")
    yield "a card is missing"
    await visit.tap("KD")
    await visit.page.locator("[data-number='10']").click()
    await visit.page.locator(".verdict.right").wait_for()
    yield "right"
    await visit.page.locator(".stepper [data-by='1']").click()
    await visit.page.locator(".verdict.wrong").wait_for()
    yield "wrong"


async def all_of_the_games(visit: Visit) -> AsyncIterator[str]:
    """`/games`: the list, one game from beginning to end, and a game that does not exist."""
    await visit.open("/games")
    await visit.page.locator("#days a").first.wait_for()
    yield "games"
    await visit.open("/games/1")
    place = visit.page.locator("#place")
    for part in (0.0, 0.2, 0.55, 1.0):
        last = await place.get_attribute("max")
        await place.fill(str(int(part * int(last or 0))))
        await settled(visit.page)
        yield f"at {part}"
    await visit.page.locator("#chart summary").click()
    yield "table"
    await visit.open("/games/99")
    await visit.page.locator("#broken:not(:empty)").wait_for()
    yield "none"
