"""The twin page before a board that plays: the pack follows the table, and the board's language can be turned too."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page
from tests.support.browser import TURN_TO, new_page
from tests.support.catalogues import phrase
from tests.support.desk import PATIENCE_S

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config, PageConfig, ReaderConfig
from cribd.daemon import Device, open_device
from cribd.daemon.serve_pages import serve_pages
from cribd.table.snapshot import Lobby
from cribd.twin.machine import Twin

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]


@dataclass
class Evening:
    """A board that plays, and its page in a browser."""

    device: Device
    clock: ManualClock
    page: Page

    async def tap(self, card: str) -> None:
        await self.page.locator(f"[data-card='{card}']").click()

    async def press(self, button: str) -> None:
        await self.page.locator(f"#console [data-button='{button}']").click(delay=60)

    async def hold(self, button: str) -> None:
        await self.page.locator(f"#console [data-button='{button}']").click(delay=1300)

    async def lies(self, *cards: str) -> None:
        """Soon these cards lie low on the page, and no others."""
        grey = "[...document.querySelectorAll('.card.used')].map((card) => card.dataset.card).sort().join(' ')"
        await self.shows(grey, " ".join(sorted(cards)))

    async def shows(self, script: str, expected: object) -> None:
        given: object = None
        try:
            async with asyncio.timeout(PATIENCE_S):
                while (given := await self.page.evaluate(script)) != expected:
                    await asyncio.sleep(0.01)
        except TimeoutError:
            assert given == expected

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                await asyncio.sleep(0.01)

    async def until_it_is_another_scan(self) -> None:
        """The reader takes a card that comes back within a second for one that still lies there."""
        later = self.clock.now() + 1.1
        await self.until(lambda: self.clock.now() >= later)

    async def until_refused(self) -> None:
        await self.until(lambda: self.device.snapshot.refusal is not None)

    async def open_count_judge(self) -> None:
        board = self.device
        while (menu := board.snapshot.menu) is None or menu.current.line != "judge":
            await self.press("menu")
            await self.until(lambda shown=menu: board.snapshot.menu != shown)  # type: ignore[misc]
        await self.press("blue ok")
        await self.until(lambda: board.snapshot.judging is not None)


@asynccontextmanager
async def switched_on(chromium: Browser, folder: Path, *, way: str = "verify") -> AsyncIterator[Evening]:
    """The daemon's own parts, and its own pages, on a clock that runs twice as fast."""
    clock, board = ManualClock(), load("continuous")
    config = Config(
        readers=(ReaderConfig(port="twin"),),
        journal=str(folder / "journal.db"),
        page=PageConfig(host="127.0.0.1", port=0),
    )
    config = replace(config, table=replace(config.table, way=way))
    twin = Twin(board, clock, folder=folder / "wires")
    device, journal = open_device(config, board, twin.wires, clock=clock, threaded=False)
    addresses: asyncio.Queue[str] = asyncio.Queue()

    async def let_time_go_by() -> None:
        while True:
            await clock.advance(0.02)
            await asyncio.sleep(0.01)

    passing = asyncio.create_task(let_time_go_by())
    await device.start()
    pages = asyncio.create_task(serve_pages(config, board, device, twin, clock, addresses.put_nowait))
    context = await chromium.new_context(viewport={"width": 1440, "height": 900}, locale="en-CA")
    context.set_default_timeout(1000 * PATIENCE_S)
    page = await new_page(context)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text))
    await page.goto(await addresses.get())
    await page.wait_for_selector("body:not(.waiting)")
    yield Evening(device, clock, page)
    await context.close()
    pages.cancel()
    await asyncio.gather(pages, return_exceptions=True)
    await device.stop()
    passing.cancel()
    journal.close()
    twin.close()
    assert complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def evening(chromium: Browser, tmp_path: Path) -> AsyncIterator[Evening]:
    async with switched_on(chromium, tmp_path) as on:
        yield on


async def dealt(evening: Evening) -> None:
    """Red deals, and the starter is the six of clubs."""
    await evening.press("blue ok")
    await evening.shows("document.querySelectorAll('.used').length", 0)
    await evening.tap("9H")
    await evening.lies("9H")
    await evening.tap("4C")
    await evening.lies()
    await evening.tap("6C")
    await evening.lies("6C")


async def test_a_card_that_the_board_took_lies_low_and_one_that_it_refused_does_not(evening: Evening) -> None:
    await evening.tap("KS")  # no game: nobody asks for a card
    await evening.until_refused()
    await evening.lies()
    await dealt(evening)
    await evening.tap("KH")
    await evening.lies("6C", "KH")
    await evening.tap("KD")
    await evening.lies("6C", "KD", "KH")
    await evening.tap("QS")
    await evening.lies("6C", "KD", "KH", "QS")
    await evening.tap("JH")  # past 31
    await evening.until_refused()
    await evening.lies("6C", "KD", "KH", "QS")
    label = await evening.page.locator("[data-card='KH']").get_attribute("aria-label")
    assert label == phrase("page.card.taken", card="King of hearts")
    left = await evening.page.locator(".pile output").text_content()
    assert left == "48 left"
    await evening.page.reload()
    await evening.lies("6C", "KD", "KH", "QS")


async def test_a_card_that_was_taken_back_returns_to_the_pack(evening: Evening) -> None:
    await dealt(evening)
    await evening.tap("5H")
    await evening.lies("6C", "5H")
    await evening.press("undo")
    await evening.press("red ok")
    await evening.lies("6C")
    await evening.until_it_is_another_scan()
    await evening.tap("5H")
    await evening.lies("6C", "5H")


async def test_after_a_misdeal_the_pack_is_whole(evening: Evening) -> None:
    await dealt(evening)
    await evening.press("menu")
    await evening.shows("document.querySelectorAll('.used').length", 1)
    assert evening.device.snapshot.menu is not None
    await evening.press("blue ok")
    await evening.press("red ok")
    await evening.lies()


async def test_cards_before_the_count_judge_lie_low_until_it_is_left(evening: Evening) -> None:
    await evening.open_count_judge()
    for at, card in enumerate(("5H", "5C", "5S"), 1):
        await evening.tap(card)
        await evening.shows("document.querySelectorAll('.used').length", at)
    await evening.hold("menu")
    await evening.lies()


async def test_where_calls_are_trusted_no_card_is_taken(chromium: Browser, tmp_path: Path) -> None:
    async with switched_on(chromium, tmp_path, way="trust") as evening:
        await evening.press("blue ok")
        await evening.tap("5H")
        await evening.until_refused()
        await evening.lies()


async def test_changing_the_pages_language_offers_to_change_the_boards(evening: Evening) -> None:
    offer = evening.page.locator("#offer")
    assert not await offer.is_visible()
    await evening.page.evaluate(TURN_TO, "fr")
    assert await offer.locator("p").text_content() == phrase("page.twin.board_speaks", "fr_CA", language="anglais")
    assert evening.device.snapshot.language == "en"
    await offer.get_by_role("button", name=phrase("page.twin.board_too", "fr_CA")).click()
    await evening.shows("document.querySelector('#offer').hidden", True)
    assert evening.device.snapshot.language == "fr_CA"
    await evening.until(lambda: evening.device.snapshot.menu is None)
    await evening.page.evaluate(TURN_TO, "en")
    assert await offer.locator("p").text_content() == phrase("page.twin.board_speaks", language="French")
    await offer.get_by_role("button", name=phrase("page.twin.board_as_it_is")).click()
    await evening.shows("document.querySelector('#offer').hidden", True)
    assert evening.device.snapshot.language == "fr_CA"


async def test_the_offer_works_in_the_middle_of_a_deal_and_changes_nothing_else(evening: Evening) -> None:
    await dealt(evening)
    await evening.tap("5H")
    await evening.lies("6C", "5H")
    before = evening.device.snapshot.view
    await evening.page.evaluate(TURN_TO, "fr")
    await evening.page.get_by_role("button", name=phrase("page.twin.board_too", "fr_CA")).click()
    async with asyncio.timeout(PATIENCE_S):
        while evening.device.snapshot.language != "fr_CA" or evening.device.snapshot.menu is not None:
            await asyncio.sleep(0.01)
    assert evening.device.snapshot.view == before


async def test_no_menu_key_is_pressed_while_it_would_do_something_else(chromium: Browser, tmp_path: Path) -> None:
    async with switched_on(chromium, tmp_path) as evening:
        await dealt(evening)
    async with switched_on(chromium, tmp_path) as evening:
        assert evening.device.snapshot.lobby is Lobby.RESUME
        await evening.page.evaluate(TURN_TO, "fr")
        take = evening.page.get_by_role("button", name=phrase("page.twin.board_too", "fr_CA"))
        assert await take.is_disabled()
        await evening.press("blue ok")
        await evening.shows("document.querySelector('#offer .take').disabled", False)
