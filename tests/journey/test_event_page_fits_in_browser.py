"""`/event` for everybody: each scene of a competition can be read at every size, and nothing of it is cut."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page
from tests.support.english_words import english_words
from tests.support.halls import MOMENTS, SCENES, hall, keep_what_comes, settled, turned
from tests.support.phases import SIZES
from tests.support.scoreboard import screen, window
from tests.support.sweeps import by_turns
from tests.support.visitors import TOO_FAINT

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

#: Text of which something is left out.
CUT_TEXT = """() => [...document.querySelectorAll(
    '#title, #said, #marks li, #countdown, .who, .side, .why, th, td, .big, .score, .amount, em')]
  .filter((node) => node.textContent.trim() && node.getClientRects().length && !node.closest('.unseen'))
  .filter((node) => node.scrollWidth > node.clientWidth + 2 || node.scrollHeight > node.clientHeight + 6)
  .map((node) => `${node.className || node.id}: ${node.textContent}`)"""
#: Standings that the text below covers.
COVERED = """() => [...document.querySelectorAll('.standings > .why')]
  .filter((why) => [...why.parentNode.querySelectorAll('table')]
    .some((table) => table.getBoundingClientRect().bottom > why.getBoundingClientRect().top + 2))
  .map((why) => `covers a row: ${why.textContent}`)"""
#: What stands beyond its page, or beyond the frame.
PAST_THE_FRAME = """() => {
  const within = (selector, frame, upright) => [...document.querySelectorAll(selector)]
    .filter((node) => node.getClientRects().length && !node.closest('.unseen, .light, .confetti'))
    .map((node) => [node.getBoundingClientRect(), node.className || node.tagName])
    .filter(([box]) => box.left < frame.left - 1 || box.right > frame.right + 1
      || (upright && (box.top < frame.top - 1 || box.bottom > frame.bottom + 1)))
    .map(([box, name]) => `${name}: ${Math.round(box.left)} to ${Math.round(box.right)}, to ${Math.round(box.bottom)}`);
  const upright = innerWidth > 700;
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  return [...within('#pages *', box('#pages'), upright), ...within('#strip *', box('#strip'), upright),
    ...within('#moment *', upright ? box('#all') : { left: 0, right: innerWidth }, upright)];
}"""
#: Type that nobody reads from ten metres away; on a phone, type that is too small in the hand.
TOO_SMALL = """() => {
  const unit = Math.min(innerWidth / 1920, innerHeight / 1080);
  const least = (node) => (innerWidth < 700 ? 13 : (node.closest('.who') ? 26 : 32) * unit);
  const found = [];
  const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !node.getClientRects().length || node.closest('.unseen, #turns')) continue;
    const size = parseFloat(getComputedStyle(node).fontSize);
    if (size < least(node) - .1) found.push(`${walk.currentNode.data}: ${size}`);
  }
  return found;
}"""
#: All that is wrong with what stands on the page, and its words.
LOOKED_THROUGH = f"""() => [
  [{CUT_TEXT}, {COVERED}, {PAST_THE_FRAME}, {TOO_SMALL}, {TOO_FAINT}].flatMap((judge) => judge()),
  document.querySelector('main').innerText]"""


@pytest.mark.sweep
async def test_every_scene_fits_and_can_be_read_at_every_size(tmp_path: Path, chromium: Browser) -> None:
    """Each scene at one of the three sizes, by turns, or at all where sweeps are whole."""
    scenes = {**SCENES, **{which: before for which, (before, _) in MOMENTS.items()}}
    looked_at = by_turns([*scenes], [*SIZES])
    found: list[str] = []
    async with hall(tmp_path) as on, AsyncExitStack() as looking:
        pages = {
            size: await looking.enter_async_context(
                screen(chromium, on.origin, "/event?language=fr", viewport=window(size))
            )
            for size in SIZES
        }
        for page in pages.values():
            await keep_what_comes(page)
        for scene, play in scenes.items():
            await play(on)
            if scene in MOMENTS:
                for page in pages.values():
                    await settled(page, on)
                await on.do(MOMENTS[scene][1])
            for size, page in pages.items():
                await settled(page, on)
                if (scene, size) in looked_at:
                    found += await problems(page, f"{scene} at {size}")
    assert "\n".join(found) == ""


async def problems(page: Page, where: str) -> list[str]:
    """What cannot be read on any of its pages, and what is not French."""
    found: list[str] = []
    for leaf in range(await turned(page)):
        wrong, words = await page.evaluate(LOOKED_THROUGH)
        found += [f"{where}, page {leaf + 1}: {each}" for each in wrong]
        found += [f"{where}: {word}" for word in english_words(words)]
        found += [f"{where}: {each}" for each in ("page.", "competition.", "undefined") if each in words]
        await page.keyboard.press("ArrowRight")
    return found
