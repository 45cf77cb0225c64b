"""A phone reads the cards: the owner's PIN, the pad, and what the board says to each tap."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from tests.support.catalogues import phrase
from tests.support.visitors import PHONE, PIN, RED_DEALS, Board, Visit, opened_at, switched_on, visit

from cribboard.rules import Way
from cribd.inputs import Key, KeyPressed
from cribd.web.kiosk.shared.pin import FREE_TRIES

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session")
async def board(tmp_path: Path) -> AsyncIterator[Board]:
    async with switched_on(tmp_path) as on:
        yield on


phone = opened_at("/table", **PHONE)


async def test_a_phone_with_the_pin_is_the_reader_as_soon_as_a_game_waits(phone: Visit) -> None:
    assert not await phone.page.locator("#cards").is_visible()
    await phone.unlock()
    await phone.says("#said", phrase("page.table.ok"))
    assert await phone.page.locator("#pad [data-card]:visible").count() == 0
    await phone.board.post(KeyPressed(Key.OK, 0))
    await phone.says("#ask", phrase("ask.cut", seat="Blue"))
    assert await phone.page.locator("#pad [data-card]:visible").count() == 52
    await phone.tap("9H")
    await phone.says("#ask", phrase("ask.cut", seat="Red"))
    await phone.tap("4C")
    await phone.says("#ask", "Red")
    await phone.tap("6C")
    await phone.says("#ask", phrase("ask.lead", seat="Blue"))
    await phone.says("#shown", phrase("page.table.starter"))
    await phone.tap("5H")
    await phone.says("#shown", phrase("page.table.count", count=5))
    await phone.says("#ask", phrase("ask.lay", seat="Red"))
    assert await phone.page.locator("#now").get_attribute("data-side") == "1"
    taken = await phone.page.locator("#pad .taken").evaluate_all("(n) => n.map((card) => card.dataset.card)")
    assert sorted(taken) == ["5H", "6C"]


@pytest.mark.long
async def test_several_wrong_pins_lead_to_a_wait(phone: Visit) -> None:
    for left in range(FREE_TRIES - 1, 0, -1):
        await phone.give("0000")
        await phone.says("#told", phrase("page.pin.wrong", n=left))
    await phone.give("0000")
    await phone.says("#told", "Too many wrong tries. Wait")
    assert await phone.page.locator("#gate button").is_disabled()


async def test_without_a_pin_the_pad_says_how_to_set_one_and_does_nothing(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, pin="") as board, visit(chromium, board, **PHONE) as phone:
        await phone.open("/table")
        await phone.part("owner")
        await phone.says("#gate", phrase("page.pin.unset.how"))
        await phone.says("#gate pre", "[page]")
        assert await phone.page.locator("#pin, #pad [data-card]:visible").count() == 0


async def test_a_table_on_trust_has_no_card_pad(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, visit(chromium, board, **PHONE) as phone:
        await board.post(KeyPressed(Key.OK, 0), KeyPressed(Key.OK, 0))
        await phone.open("/table")
        await phone.unlock()
        await phone.says("#scores", "0/121")
        assert await phone.page.locator("#pad:visible, #reads:visible").count() == 0


async def test_a_phone_is_led_to_the_pin_and_back_taps_cards_and_is_locked(phone: Visit) -> None:
    await phone.board.post(*RED_DEALS)
    await phone.page.get_by_role("button", name=phrase("page.table.reads")).click()
    await phone.page.wait_for_selector("#pin:focus")
    await phone.page.keyboard.type(PIN)
    await phone.page.keyboard.press("Enter")
    await phone.page.wait_for_selector("#pad [data-card='AS']:focus")

    await phone.tap("6C")
    await phone.says("#refusal", phrase("refusal.card_twice", card="6♣"))
    await phone.tap("5H")
    await phone.says("#ask", phrase("ask.lay", seat="Red"))
    assert await phone.page.locator("#refusal").text_content() == ""
    await phone.card("TH").dblclick()
    await phone.says("#ask", phrase("ask.lay", seat="Blue"))
    assert await phone.page.locator("#refusal").text_content() == "", "a finger that trembles taps once"

    await phone.part("owner")
    await phone.page.get_by_role("button", name=phrase("page.pin.lock")).click()
    await phone.says("#gate", phrase("page.pin.title"))
    await phone.part("game")
    assert not await phone.page.locator("#cards").is_visible()


async def test_the_card_pad_and_other_pages_link_to_each_other(phone: Visit) -> None:
    await phone.page.get_by_role("link", name="Count").click()
    await phone.says("#first", phrase("page.verify.first"))
    await phone.page.get_by_role("link", name="Table").click()
    await phone.page.get_by_role("link", name=phrase("page.to.board")).wait_for()
    await phone.page.get_by_role("link", name=phrase("page.to.games")).wait_for()


@pytest.mark.long
async def test_after_a_lost_connection_the_page_reconnects_and_asks_for_the_pin(phone: Visit) -> None:
    await phone.board.post(*RED_DEALS)
    await phone.unlock()
    await phone.says("#ask", phrase("ask.lead", seat="Blue"))
    await phone.board.go_away()
    await phone.says("#away", phrase("page.away"))
    await phone.board.post(KeyPressed(Key.GO, 1))
    await phone.board.serve()
    await phone.page.locator("#away").wait_for(state="hidden")
    await phone.page.locator("#reads").wait_for()
    await phone.unlock()
    await phone.tap("5H")
    await phone.says("#ask", phrase("ask.lay", seat="Red"))


@pytest.mark.long
async def test_in_french_no_english_is_left_and_all_is_in_reach(board: Board, chromium: Browser) -> None:
    async with visit(chromium, board, locale="fr-CA", **PHONE) as french:
        await french.open("/table")
        await french.check_french_at_every_size()
        await french.give("0000")
        await french.says("#told", phrase("page.pin.wrong", "fr_CA", n=4))
        await french.check_french_at_every_size()
        await board.post(*RED_DEALS)
        await french.unlock()
        await french.says("#ask", "Bleu")
        await french.check_french_at_every_size()
        await french.tap("5H")
        await french.says("#shown", phrase("page.table.count", "fr_CA", count=5))
        await french.tap("6C")
        await french.says("#refusal", "6♣")
        await french.check_french_at_every_size()


async def test_the_card_pad_works_by_keyboard_alone(board: Board, chromium: Browser) -> None:
    async with visit(chromium, board) as desk:
        await board.post(*RED_DEALS)
        await desk.open("/table")
        await desk.page.locator("#reads").focus()
        await desk.page.keyboard.press("Enter")
        await desk.page.wait_for_selector("#pin:focus")
        await desk.page.keyboard.type(PIN)
        await desk.page.keyboard.press("Enter")
        await desk.says("#ask", phrase("ask.lead", seat="Blue"))
        await desk.page.wait_for_selector("#pad [data-card='AS']:focus")
        for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
            await desk.page.keyboard.press(key)
        await desk.says("#shown", phrase("page.table.count", count=3))
