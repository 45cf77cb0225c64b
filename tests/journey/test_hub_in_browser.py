"""The pages of a hub, an organiser without a board: no link leads to a page that is not there, and each page is for
eyes and hands of every kind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect
from tests.support.axe import found
from tests.support.browser import new_page
from tests.support.catalogues import phrase
from tests.support.hub_process import PIN, Hub, Visitor, hub, sit
from tests.support.page_texts import TELEVISION
from tests.support.sweeps import mostly_long
from tests.support.visitors import PATIENCE_S, PHONE

from cribd.web.kiosk.pages import HUB_PAGES

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

#: Every address of a page, and one without a page.
PATHS = ("/", *(page.paths[0] for page in HUB_PAGES), "/nothing")


@pytest_asyncio.fixture(loop_scope="session")
async def served(tmp_path: Path) -> AsyncIterator[Hub]:
    """A hub with an event whose first round is played."""
    async with hub(tmp_path) as on:
        async with on.visitor() as organiser:
            await begin(organiser)
        yield on


async def begin(organiser: Visitor) -> None:
    await organiser.post("/desk/pin", {"pin": PIN})
    await organiser.post("/desk/begin", {"format": "acc", "name": "Mardi", "tables": 4})
    for number, name in enumerate(("Odile", "Réjean", "Zoé", "Luc"), start=1):
        await organiser.do("register", name=name)
        await organiser.do("check_in", entrant=number)
    await organiser.do("begin")
    await organiser.post("/desk/draw", {})
    await organiser.do("start_round")


@pytest.mark.parametrize(
    "look", mostly_long([PHONE | {"locale": "en-CA"}, TELEVISION | {"locale": "fr-CA"}], every=2), ids=["phone", "tv"]
)
async def test_every_page_of_a_hub_is_accessible_and_leads_to_pages_that_are_there(
    served: Hub, chromium: Browser, look: dict[str, Any]
) -> None:
    context = await chromium.new_context(**look)
    context.set_default_timeout(1000 * PATIENCE_S)
    page, broken, links = await new_page(context), list[str](), set[str]()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("response", lambda answer: errors.extend([f"{answer.status} {answer.url}"] * (answer.status >= 400)))
    for path in PATHS:
        await page.goto(f"{served.origin}{path}")
        await page.wait_for_selector("body:not(.waiting)")
        if path == "/desk":
            await page.locator("#pin").fill(PIN)
            await page.keyboard.press("Enter")
            await page.locator("#next:not([hidden])").wait_for()
            await expect(page.get_by_text(phrase("page.desk.board", language(look)))).to_have_count(0)
        broken += await found(page, path)
        links |= set(await page.evaluate("[...document.querySelectorAll('a[href]')].map(({ pathname }) => pathname)"))
    asked = {link: (await page.request.get(f"{served.origin}{link}")).status for link in links}
    assert {page.paths[0] for page in HUB_PAGES if page.link} <= asked.keys()
    assert {link: status for link, status in asked.items() if status != 200} == {}
    assert "\n".join(broken) == ""
    assert errors == [f"404 {served.origin}/nothing"]
    await context.close()


def language(look: dict[str, Any]) -> str:
    return str(look["locale"]).replace("-", "_") if look["locale"] == "fr-CA" else "en"


async def test_the_first_page_of_a_hub_is_the_halls_screen_and_a_result_comes_there(
    served: Hub, chromium: Browser
) -> None:
    page = await new_page(await chromium.new_context(**TELEVISION, locale="en-CA"))
    await page.goto(f"{served.origin}/")
    await expect(page.locator("main")).to_contain_text("Odile")
    async with served.visitor() as organiser, served.visitor() as one, served.visitor() as other:
        await organiser.post("/desk/pin", {"pin": PIN})
        pair = next(table["entrants"] for table in (await organiser.state())["tables"] if table["table"] == 1)
        await sit(organiser, one, 1, pair[0])
        await sit(organiser, other, 1, pair[1])
        at = {"competition": 1, "at": {"round": 1, "table": 1, "game": 1}}
        await one.post("/event/table/do", at | {"do": "report_result", "scores": [121, 87], "saw": None})
        await other.post("/event/table/do", at | {"do": "confirm_result", "saw": [121, 87]})
    await expect(page.locator("main")).to_contain_text("87")
    await page.context.close()
