"""The pages are for eyes and hands of every kind where no game leads, too: axe-core finds nothing on the hall's screen,
on an address without a page, on what explains a page, and on the twin. For all else: `test_all_of_every_page.py`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page
from tests.support.axe import found
from tests.support.desk import Desk
from tests.support.halls import MOMENTS as OPENINGS
from tests.support.halls import SCENES, hall, keep_what_comes, settled, turned
from tests.support.page_texts import TELEVISION
from tests.support.scoreboard import screen
from tests.support.visitors import PHONE, Board, switched_on, visit

from cribd.web.kiosk.pages import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

LOOKS = {"phone": PHONE | {"locale": "en-CA"}, "television": TELEVISION | {"locale": "fr-CA"}}


@pytest_asyncio.fixture(loop_scope="session")
async def board(tmp_path: Path, two_games: None, three_tracks: None) -> AsyncIterator[Board]:
    async with switched_on(tmp_path) as on:
        yield on


@pytest.mark.parametrize("look", LOOKS)
async def test_the_page_not_found_is_accessible(board: Board, chromium: Browser, look: str) -> None:
    async with visit(chromium, board, **LOOKS[look]) as opened:
        await opened.open("/nothing")
        assert await found(opened.page, "nothing") == []
        await opened.page.wait_for_selector("#language")  # the first stop of the Tab key, once the languages are loaded
        await opened.page.keyboard.press("Tab")
        await opened.page.keyboard.press("Tab")
        await opened.page.keyboard.press("Enter")
        await opened.page.wait_for_url(f"{board.origin}/")


@pytest.mark.parametrize("look", LOOKS)
async def test_the_hall_screen_is_accessible_in_every_scene(tmp_path: Path, chromium: Browser, look: str) -> None:
    path = f"/event?language={LOOKS[look]['locale']}"
    async with hall(tmp_path) as on, screen(chromium, on.origin, path, **LOOKS[look]) as page:
        await keep_what_comes(page)
        broken = await found(page, "none")
        for scene in ("few_guests", "drawn_many", "sealed_round", "open_round", "paused", "third", "first"):
            await SCENES[scene](on)
            await settled(page, on)
            for leaf in range(await turned(page)):
                broken += await found(page, f"{scene}, page {leaf + 1}")
                await page.keyboard.press("ArrowRight")
        play, opening = OPENINGS["moment_first"]
        await play(on)
        await settled(page, on)
        await on.do(opening)
        await page.wait_for_selector("#moment:not([hidden])")
        broken += await found(page, "moment")
    assert "\n".join(broken) == ""


#: What the element with the focus is called.
FOCUS = "document.activeElement.id"


async def open_help(page: Page) -> None:
    """By Tab to the `?`, and Enter."""
    while await page.evaluate(FOCUS) != "help":
        await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.wait_for_selector("#explained[open]")


async def test_the_help_of_each_page_opens_by_keyboard(board: Board, chromium: Browser) -> None:
    async with visit(chromium, board, **LOOKS["phone"]) as opened:
        page = opened.page
        for shown_page in PAGES:
            await opened.open(shown_page.paths[0])
            await open_help(page)
            assert await page.locator("#explained li:visible").count() == len(shown_page.help), shown_page.name
            assert await page.evaluate(
                "document.querySelector('#explained').getBoundingClientRect().height < innerHeight"
            )
            if shown_page.name in ("scoreboard", "desk"):
                assert await found(page, f"{shown_page.name}, explained") == []
            await page.keyboard.press("Escape")
            await page.wait_for_selector("#explained", state="hidden")
            assert await page.evaluate(FOCUS) == "help", shown_page.name


async def test_help_changes_nothing_on_the_page_and_closes_in_every_way(board: Board, chromium: Browser) -> None:
    async with visit(chromium, board, **LOOKS["phone"]) as opened:
        page = opened.page
        await opened.open("/verify")
        await open_help(page)
        await page.keyboard.type("5h10s")
        await page.locator("#explained li").first.click()
        assert await page.locator("#explained").is_visible()
        await page.keyboard.type("jd")
        await page.locator("#explained button").click()
        assert await page.locator("#explained").is_hidden()
        assert await page.locator("#slots .card").count() == 0, "no key reaches the page"
        await page.locator("#help").click()
        await page.mouse.click(2, 2)
        assert await page.locator("#explained").is_hidden()
        assert await page.evaluate(FOCUS) == "help"


async def test_the_twin_page_is_accessible(desk: Desk) -> None:
    assert await found(desk.page, "twin") == []


@pytest.mark.parametrize("open_desk", ["triple"], indirect=True)
async def test_the_twins_help_and_plugs_are_accessible(desk: Desk) -> None:
    await open_help(desk.page)
    assert await found(desk.page, "twin, explained") == []
    await desk.page.keyboard.down("a")
    assert await desk.page.locator(".down").count() == 0, "no letter presses a key of the board"
    await desk.page.keyboard.up("a")
    await desk.page.keyboard.press("Escape")
    assert await desk.page.evaluate(FOCUS) == "help"
    await desk.page.locator("#plugs").click()
    assert await found(desk.page, "plugs") == []
