"""The section "Boards" of the organiser's desk in a browser."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, Page
from tests.support.club_boards import key
from tests.support.halls import PIN
from tests.support.scoreboard import screen

LOOKS: dict[str, dict[str, Any]] = {
    "laptop": {"viewport": {"width": 1280, "height": 800}, "locale": "fr-CA"},
    "phone": {"viewport": {"width": 390, "height": 844}, "locale": "en-CA"},
}


@asynccontextmanager
async def at_the_desk(chromium: Browser, origin: str, **wanted: Any) -> AsyncIterator[Page]:
    async with screen(chromium, origin, "/desk#boards", **(LOOKS["phone"] | wanted)) as page:
        await page.fill("#pin", PIN)
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#boards-list")
        yield page


async def act(page: Page, board: int, name: str) -> None:
    """Press a button in the row of a board."""
    await page.click(f"[data-key='{key(board)}'] [data-act='{name}']")


async def about(page: Page, board: int, name: str) -> None:
    """Choose what is done with a board."""
    await act(page, board, "more")
    await page.click(f"#sheet [data-act='{name}']")


async def save(page: Page) -> None:
    await page.click("#sheet .first")
    await page.wait_for_selector("#sheet", state="hidden")
