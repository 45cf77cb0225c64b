"""The table of somebody who plays alone fits in any window: nothing is cut, and nothing lies over anything else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Route
from tests.support.alone_in_browser import Alone, at_the_twin, seat
from tests.support.browser import TURN_TO, resize
from tests.support.catalogues import phrase
from tests.support.desk import PATIENCE_S

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

#: Windows in which a full table has to fit.
SIZES = ((1920, 1080), (1440, 900), (1280, 720), (1024, 768), (390, 844))
#: Four seats that have cut for the deal; their play with eight cards in one count; and the coach beside six cards.
CROWDS: dict[str, dict[str, Any]] = {
    "cuts": {
        "phase": "deal",
        "cuts": ["6H", "KC", "QH", "5S"],
        "seats": [seat(0, [], 0), seat(1, [], 4), seat(0, [], 4), seat(1, [], 4)],
        "hand": ["3C", "5C", "7S", "JC", "JS"],
        "ask": {"kind": "discard", "wanted": 1, "own": False},
    },
    "play": {
        "phase": "play",
        "starter": "9H",
        "laid": [[at, card] for card in ("AC", "2D") for at in range(4)],
        "count": 28,
        "seats": [seat(side, ["KC", "KD"], 2) for side in (0, 1, 0, 1)],
        "hand": ["3C", "TC"],
        "ask": {"kind": "lay"},
    },
    "coach": {
        "phase": "deal",
        "seats": [seat(0, [], 0), seat(1, [], 6)],
        "hand": ["3C", "5C", "7S", "JC", "JS", "KH"],
        "ask": {"kind": "discard", "wanted": 2, "own": True},
        "coach": {
            "discard": {"chosen": ["2C", "3D"], "best": ["TC", "JD"], "gave_up": 1.4, "is_best": False},
            "card": {"chosen": ["2C"], "best": ["QD"], "gave_up": 1.2, "is_best": False},
            "cards": 2,
        },
    },
}
#: The person is asked to count a first hand.
OWN_COUNT = {
    "phase": "show",
    "scores": [0, 0],
    "starter": "5D",
    "leaves_time": False,
    "seats": [seat(0, ["4C", "5H", "6S", "JD"], 0), seat(1, [], 4)],
    "counting": {"seat": 0, "crib": False},
    "ask": {"kind": "count_hand", "own": True},
}
#: The bubble that guides through a first deal is gone.
SECOND_DEAL = {"deal": 2}
RIGHTMOST = """() => Math.max(...[...document.querySelectorAll('header :is(a, button)')].map(
  (part) => part.getBoundingClientRect().right))"""
#: The parts of the table that lie over others, or outside of the window.
CROWDED = """() => {
  const names = ['player', 'coach', 'heap', 'laid', 'hand'].map((name) => `#solo .${name}`).join();
  const parts = [...document.querySelectorAll(names)].map((part) => {
    const inside = [...part.querySelectorAll('.paper, .stack, .held i, output')];
    const boxes = [part, ...inside].map((node) => node.getBoundingClientRect());
    const [left, right] = [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))];
    return { name: part.className, left, right, top: boxes[0].top, bottom: boxes[0].bottom };
  }).filter(({ top, bottom }) => bottom > top);
  const common = (one, other, from, to) => Math.min(one[to], other[to]) - Math.max(one[from], other[from]);
  const over = (one, other) => common(one, other, 'left', 'right') > 1 && common(one, other, 'top', 'bottom') > 1;
  const crowded = (part) => part.right > innerWidth + 1 || parts.some((other) => other !== part && over(part, other));
  return parts.filter(crowded).map(({ name }) => name);
}"""
#: Which of the holes 1 to 8 of the person's track lie under something else, or outside of the window.
COVERED = """() => [1, 2, 3, 4, 5, 6, 7, 8].filter((number) => {
  const hole = document.querySelector(`#board [data-track="0"][data-hole="${number}"]`);
  const { left, top, width, height } = hole.getBoundingClientRect();
  return !document.elementFromPoint(left + width / 2, top + height / 2)?.closest('#board');
})"""
#: The keys that lie under the bubble, and those of the person that lie under something else, or outside of the window.
HIDDEN_KEYS = """() => {
  const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  const isSeen = (key) => key.contains(document.elementFromPoint(...middle(key.getBoundingClientRect())));
  const bubble = document.querySelector('#guide').getBoundingClientRect();
  const isUnder = (key) => { const { left, right, top, bottom } = key.getBoundingClientRect();
    return left < bubble.right && right > bubble.left && top < bubble.bottom && bottom > bubble.top; };
  const keys = [...document.querySelectorAll('[data-button]')];
  const own = keys.filter((key) => key.matches('#console [data-button^="blue"]') && !isSeen(key));
  return [...own, ...keys.filter((key) => isSeen(key) && isUnder(key))].map((key) => key.dataset.button);
}"""


async def test_everything_fits_around_the_table(chromium: Browser, tmp_path: Path) -> None:
    async with at_the_twin(chromium, tmp_path) as alone:
        await before_a_game_the_whole_line_at_the_top_is_in_the_window(alone)
        await begin(alone)
        await at_a_full_table_nothing_lies_over_anything_else(alone)
        await on_a_phone_the_holes_that_a_count_needs_lie_between_screen_and_cards(alone)


async def test_on_a_phone_the_bubble_at_the_step_key_covers_no_key(chromium: Browser, tmp_path: Path) -> None:
    async with at_the_twin(chromium, tmp_path, "starter") as alone:
        page = alone.page
        await begin(alone)
        await page.emulate_media(reduced_motion="reduce")
        for width, height in ((390, 844), (360, 640)):
            await resize(page, width, height)
            await alone.open_at(OWN_COUNT)
            await page.locator("#guide", has_text=phrase("page.solo.bubble.hole.step")).wait_for()
            await until_none(alone, HIDDEN_KEYS)


async def begin(alone: Alone) -> None:
    await alone.page.get_by_role("button", name=phrase("page.solo.play")).click()
    await alone.page.get_by_role("button", name=phrase("page.solo.pack")).wait_for()


async def until_none(alone: Alone, what: str) -> None:
    """Wait until the page has none of what this script finds."""
    async with asyncio.timeout(PATIENCE_S):
        while await alone.page.evaluate(what):
            await asyncio.sleep(0.02)


async def before_a_game_the_whole_line_at_the_top_is_in_the_window(alone: Alone) -> None:
    page = alone.page
    await page.locator("#alone button").first.wait_for()
    await page.evaluate(TURN_TO, "fr")
    for width in (1920, 1440, 1280, 1110, 1024, 768, 390):
        await resize(page, width, 900)
        right = await page.evaluate(RIGHTMOST)
        assert right <= width, width
    await page.evaluate(TURN_TO, "en")


async def at_a_full_table_nothing_lies_over_anything_else(alone: Alone) -> None:
    for crowd, position in CROWDS.items():
        await alone.open_at(SECOND_DEAL | position)
        await alone.page.wait_for_selector("#solo .hand [data-card]")
        for width, height in SIZES:
            await resize(alone.page, width, height)
            assert await alone.page.evaluate(CROWDED) == [], (crowd, width, height)


async def on_a_phone_the_holes_that_a_count_needs_lie_between_screen_and_cards(alone: Alone) -> None:
    page = alone.page
    await page.emulate_media(reduced_motion="reduce")
    await page.route("**/solo/*.css", styles_that_come_late)
    for width, height in ((390, 844), (360, 780)):
        await resize(page, width, height)
        await alone.open_at(SECOND_DEAL | OWN_COUNT)
        await page.locator("#solo .counted .paper").first.wait_for()
        await until_none(alone, COVERED)


async def styles_that_come_late(route: Route) -> None:
    await asyncio.sleep(0.3)
    await route.continue_()
