"""The pages are for eyes and hands of every kind: axe-core finds nothing on any of them, in any phase.

Its rules are those of WCAG 2.2, A and AA, and its own best practice. What no program can see is looked at by people:
that nothing is told by colour alone, and that what a screen reader says makes sense.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Browser, Page

from .desk import Desk
from .sights import MOMENTS, TELEVISION, settled, show, watch
from .visitors import PHONE, Board, switched_on, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
#: Phases that differ in what stands on a page.
PHASES = (
    "start", "resume", "menu", "cut-tied", "misdeal-asked", "lead", "four-cards", "go", "stuck-and-refused",
    "late-refused", "hand-judged", "crib-half", "crib", "next-deal", "challenged", "trust-pegged", "auto-hand", "won",
    "match-won", "skunk", "three-player-go", "three-player-won", "partners-lay", "six-player-cut",
)  # fmt: skip
LOOKS = {"phone": PHONE | {"locale": "en-CA"}, "television": TELEVISION | {"locale": "fr-CA"}}


#: The button that mends a call by one.
MORE = {"phone": "One more", "television": "Un de plus"}


async def found(page: Page, where: str) -> list[str]:
    """What axe has to say against a page."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE_SCRIPT)
    told: dict[str, Any] = await page.evaluate(
        "(tags) => axe.run({ runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] })", list(RULES)
    )
    return [
        f"{where}: {broken['id']} ({broken['help']}): {node['html'][:160]}"
        for broken in told["violations"]
        for node in broken["nodes"]
    ]


@pytest_asyncio.fixture(loop_scope="module")
async def board(tmp_path: Path, three_tracks: None) -> AsyncIterator[Board]:
    async with switched_on(tmp_path) as on:
        yield on


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("path", ["/", "/table"])
async def test_the_scoreboard_and_the_table_are_for_everybody_in_every_phase(
    board: Board, chromium: Browser, path: str, look: str
) -> None:
    broken = []
    language = LOOKS[look]["locale"].replace("-", "_").replace("en_CA", "en")
    async with visit(chromium, board, **LOOKS[look]) as opened:
        await watch(opened, f"{path}?language={language}")
        for phase in PHASES:
            await show(opened, MOMENTS[phase])
            broken += await found(opened.page, phase)
        await board.go_away()
        await opened.page.wait_for_selector(".gone")
        broken += await found(opened.page, "away")
    assert "\n".join(broken) == ""


@pytest.mark.parametrize("look", LOOKS)
async def test_what_the_owner_may_do_is_for_everybody(board: Board, chromium: Browser, look: str) -> None:
    async with visit(chromium, board, **LOOKS[look]) as opened:
        await watch(opened, "/table")
        await show(opened, MOMENTS["laid"])
        await opened.unlock()
        await settled(opened.page)
        assert await found(opened.page, "laid") == []


@pytest.mark.parametrize("look", LOOKS)
async def test_the_count_judge_is_for_everybody(board: Board, chromium: Browser, look: str) -> None:
    async with visit(chromium, board, **LOOKS[look]) as opened:
        await opened.open("/verify")
        broken = await found(opened.page, "nothing")
        await opened.tap("4C 5H 6S JD")
        broken += await found(opened.page, "a card is missing")
        await opened.tap("KD")
        await opened.page.locator("[data-number='10']").click()
        await opened.page.locator(".verdict").wait_for()
        broken += await found(opened.page, "right")
        await opened.page.get_by_role("button", name=MORE[look]).click()
        broken += await found(opened.page, "wrong")
    assert "\n".join(broken) == ""


async def test_the_twin_is_for_everybody(desk: Desk) -> None:
    assert await found(desk.page, "twin") == []
    await desk.page.locator("#plugs").click()
    assert await found(desk.page, "plugs") == []
