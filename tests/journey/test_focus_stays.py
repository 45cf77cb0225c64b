"""The focus never falls to the body of a page, whatever is done there by keyboard alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page
from tests.support.organisers_laptop import organise, press, reach, registered
from tests.support.visitors import PATIENCE_S, PHONE, PIN, RED_DEALS, Board, Visit, switched_on, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

#: What has the focus; nothing where it is the body, or cannot be seen.
HELD = """() => {
  const held = document.activeElement;
  if (!held || held.matches('body, html') || !held.checkVisibility({ visibilityProperty: true })) return '';
  return held.id || held.dataset.act || held.tagName;
}"""
QUIET_S = 0.3


@pytest_asyncio.fixture(loop_scope="session")
async def board(tmp_path: Path, two_games: None) -> AsyncIterator[Board]:
    async with switched_on(tmp_path) as on:
        yield on


@pytest_asyncio.fixture(loop_scope="session")
async def opened(board: Board, chromium: Browser) -> AsyncIterator[Visit]:
    async with visit(chromium, board, locale="fr-CA") as visitor:
        yield visitor


async def stays(page: Page, act: str) -> None:
    """Wait until the page has answered, and look where the focus is."""
    await asyncio.sleep(QUIET_S)
    async with asyncio.timeout(PATIENCE_S):
        await page.wait_for_load_state()
    assert await page.evaluate(HELD), f"the focus is on nothing after {act}"


async def do(page: Page, *selectors: str) -> None:
    """Press each of these controls."""
    for selector in selectors:
        await press(page, selector)
        await stays(page, selector)


async def key(page: Page, *keys: str) -> None:
    for each in keys:
        await page.keyboard.press(each)
        await stays(page, each)


async def test_at_the_table(board: Board, opened: Visit) -> None:
    page = opened.page
    await board.post(*RED_DEALS)
    await opened.open("/table")
    await do(page, "#help")
    await key(page, "Escape")
    await do(page, "#language", "#language", "#parts [data-part=owner]")
    await reach(page, "#pin")
    await page.keyboard.type("1111")
    await key(page, "Enter")
    await page.keyboard.type(PIN)
    await key(page, "Enter")
    for again in ("#sure-no", "#sure-yes"):
        await do(page, "#undo", again)
    await reach(page, "#name-0")
    await page.keyboard.type("Anne")
    await key(page, "Enter")
    await do(page, "#rules button", "#new-game")
    await key(page, "Escape")
    await do(page, "#new-game", "#sure-yes", "#language", "#lock")


@pytest.mark.parametrize("window", [{}, PHONE], ids=["wide", "phone"])
async def test_at_the_count_judge(board: Board, chromium: Browser, window: dict[str, object]) -> None:
    async with visit(chromium, board, **{"locale": "fr-CA", **window}) as opened:
        page = opened.page
        await opened.open("/verify")
        await do(page, "#language", "#language")
        await page.keyboard.type("4c5h6s10djd")
        await stays(page, "typed cards")
        await page.keyboard.type("10")
        await key(page, "Enter")
        await do(page, ".stepper [data-by='1']", "#replay", "#renew")
        await page.keyboard.type("4c5h")
        await do(page, "#undo", "#undo", "#is-crib", "#is-hand")
        await page.keyboard.type("4c")
        if not window:
            await do(page, "[data-slot]")


async def test_where_one_reads(opened: Visit) -> None:
    page = opened.page
    for path in ("/help", "/games", "/statistics"):
        await opened.open(path)
        await do(page, "#help")
        await key(page, "Escape")
        await do(page, "#language", "#language")
    await opened.open("/help")
    await do(page, "#guide nav a")
    await opened.open("/games")
    await do(page, "#down", "#days a", "#play", "[data-go=on]", "[data-go=deal-on]", "#pace", "#all")
    await do(page, "#days a")
    await page.go_back()
    await stays(page, "going back")


async def test_at_the_desk(laptop: Page) -> None:
    page = laptop
    await registered(page, "acc", 4)
    await reach(page, "#parts [data-part=event]")
    await do(page, "#parts [data-part=event]", "#settings [data-act=games]")
    await key(page, "Escape")
    await do(page, "#settings [data-act=games]")
    await page.keyboard.type("2")
    await key(page, "Enter")
    await do(page, "#undo", "#language", "#language", "#parts [data-part=entrants]")
    await reach(page, "#register-name")
    await page.keyboard.type("Paul Alpha")
    await key(page, "Enter")
    await do(page, "#members summary", "#entrant-list [data-act=more]", "#sheet [data-act=rename]")
    await page.keyboard.type("Jean Bravo")
    await key(page, "Enter")
    await do(page, "#undo", "#undo", "#parts [data-part=round]", "#steps .first", "#steps .first", "#steps .first")
    for part in ("standings", "medals", "log", "results"):
        await do(page, f"#parts [data-part={part}]")
    await reach(page, "#entry-table")
    await key(page, "Enter", "Enter")
    await page.keyboard.type("90")
    await key(page, "Enter")
    await do(page, "#undo")
    await organise(page, "end_play")
    await stays(page, "another laptop that ends play")
    await do(page, "#parts [data-part=medals]", "#help")
    await key(page, "Escape")
    await do(page, "#parts [data-part=event]", "#settings [data-act=new]")
    await key(page, "Escape")
