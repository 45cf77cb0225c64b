"""The count judge on a phone: tapped, typed, called, and right."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from tests.support.browser import TURN_TO
from tests.support.catalogues import has_phrase, phrase
from tests.support.visitors import (
    DESK,
    PHONE,
    RED_DEALS,
    TOO_FAINT,
    TOO_SMALL,
    Board,
    Visit,
    switched_on,
    visit,
)

from cribboard import RULES
from cribboard.rules import changed
from cribd.inputs import CardRead
from cribd.languages import CATALOGUES

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def board(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Board]:
    """The board of all that ask the judge: nobody plays on it."""
    async with switched_on(tmp_path_factory.mktemp("judge")) as on:
        yield on


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def one_phone(board: Board, chromium: Browser) -> AsyncIterator[Visit]:
    async with visit(chromium, board, **PHONE) as visitor:
        yield visitor


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def one_desk(board: Board, chromium: Browser) -> AsyncIterator[Visit]:
    async with visit(chromium, board, **DESK) as visitor:
        yield visitor


@pytest_asyncio.fixture(loop_scope="session")
async def phone(one_phone: Visit) -> Visit:
    """A phone that opens the page anew."""
    await one_phone.open("/verify")
    return one_phone


@pytest_asyncio.fixture(loop_scope="session")
async def desk(one_desk: Visit) -> Visit:
    """A wide window that opens the page anew."""
    await one_desk.open("/verify")
    return one_desk


async def call(visit: Visit, number: int) -> None:
    await visit.page.locator(f"[data-number='{number}']").click()


async def test_six_taps_say_who_is_right_a_step_lights_its_cards_and_the_language_is_kept(phone: Visit) -> None:
    await phone.tap("4C 5H 6S JD KD")
    await call(phone, 10)
    await phone.says(".verdict.right strong", phrase("page.verify.right", due=10))
    said = await phone.page.locator(".cadence button > span:not(.with)").all_text_contents()
    fifteens = [phrase("cadence.fifteen", total=total) for total in ("two", "four", "six")]
    assert said[:3] == [fifteen.capitalize() for fifteen in fifteens]
    totals = await phone.page.locator(".cadence button > b").all_text_contents()
    assert totals == ["2", "4", "6", "9", "10"]
    await phone.says("#aloud", f"{phrase('page.verify.right', due=10)}. {', '.join(fifteens).capitalize()}")

    await phone.page.locator(".stepper [data-by='-1']").click()
    await phone.says(".verdict.wrong strong", phrase("page.verify.wrong", due=10))
    await phone.page.locator(".cadence button").nth(2).click()
    lit = await phone.page.locator("#slots .lit").evaluate_all("(cards) => cards.map((card) => card.dataset.slot)")
    assert lit == ["4C", "5H", "6S"]

    await phone.page.locator(".stepper [data-by='1']").click()
    await phone.page.evaluate(TURN_TO, "fr")
    await phone.says(".verdict", phrase("page.verify.right", "fr_CA", due=10))
    await phone.says(".cadence", phrase("cadence.fifteen", "fr_CA", total="deux").capitalize())
    await phone.open("/verify")
    assert await phone.page.evaluate("document.documentElement.lang") == "fr-CA", "what was chosen here is kept"
    await phone.page.evaluate(TURN_TO, "en")


async def test_a_wrong_call_says_by_how_much_the_stepper_mends_it_and_impossible_numbers_are_named(
    phone: Visit,
) -> None:
    await phone.tap("5H 5C 5S JD 5D")
    await call(phone, 28)
    await phone.says(".verdict.wrong", phrase("page.verify.wrong", due=29))
    await phone.says(".verdict.wrong", phrase("page.verify.too_few", n=1))
    await phone.page.get_by_role("button", name=phrase("page.verify.more")).click()
    await phone.says(".verdict.right", phrase("page.verify.right", due=29))
    await phone.page.get_by_role("button", name=phrase("page.verify.renew")).click()
    assert await phone.page.locator("#slots [data-slot]").count() == 0
    assert await phone.card("5H").is_visible()

    assert await phone.page.locator("#impossible").text_content() == phrase(
        "page.verify.impossible.hand", numbers="19, 25, 26, or 27"
    )
    await phone.tap("2H 4C 6D 7S TC")
    await call(phone, 27)
    await phone.says(".verdict.wrong", phrase("page.verify.no_hand", number=27))
    await phone.page.get_by_role("button", name=phrase("page.verify.renew")).click()
    await phone.tap("2H 4C 6D 8S TC")
    await call(phone, 19)
    await phone.says(".verdict.right", phrase("page.verify.jest"))


#: Keeps each state that the eye could see: which step is said, and how many of the hand's cards are lit.
WATCHING = """() => {
  window.seen = [];
  const look = () => {
    const now = [...document.querySelectorAll('.cadence .now')].map((step) => step.dataset.at);
    const state = JSON.stringify([now, document.querySelectorAll('#slots .lit').length]);
    if (window.seen.at(-1) !== state) window.seen.push(state);
  };
  look();
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""


@pytest.mark.long
async def test_the_cards_of_each_step_light_up_in_turn(board: Board, chromium: Browser) -> None:
    async with visit(chromium, board, **PHONE, reduced_motion="no-preference") as moving:
        await moving.open("/verify")
        await moving.tap("2H 4C 6D 7S 9C")
        await moving.page.evaluate(WATCHING)
        await call(moving, 6)
        steps = moving.page.locator(".cadence button")
        await moving.page.wait_for_selector(".cadence .now[data-at='2']")
        await moving.page.wait_for_selector(".cadence .now", state="detached")
        cards = [await steps.nth(number).locator("[role=img]").count() for number in range(3)]
        assert await steps.count() == 3
        seen = [json.loads(state) for state in await moving.page.evaluate("window.seen")]
        assert seen == [[[], 0], *([[str(at)], lit] for at, lit in enumerate(cards)), [[], 0]]
        assert all(cards)


async def test_other_rules_and_a_crib_count_otherwise(phone: Visit) -> None:
    await phone.tap("2H 6H 9H TH KS")
    await call(phone, 6)
    await phone.says(".verdict", phrase("page.verify.right", due=6))
    await phone.page.get_by_role("button", name=phrase("page.verify.is_crib")).click()
    await phone.says(".verdict", phrase("page.verify.wrong", due=2))
    await phone.page.get_by_label(phrase("page.verify.rules")).select_option(label=phrase("rules.five-card"))
    await phone.says(".verdict", phrase("page.verify.wrong", due=2))
    await phone.page.get_by_role("button", name=phrase("page.verify.is_hand"), exact=True).click()
    assert await phone.page.locator("#slots [data-slot]").count() == 0, "five cards are too many for a hand of three"
    assert await phone.page.locator("#impossible").text_content() == phrase(
        "page.verify.impossible.hand", numbers="16, 17, 18, or 19"
    )


async def test_a_taken_card_goes_back_and_with_fewer_cards_it_lists_what_would_fit(phone: Visit) -> None:
    await phone.tap("4C 5H")
    assert await phone.card("4C").get_attribute("aria-label") == phrase("page.card.taken", card="Four of clubs")
    await phone.tap("4C")
    await phone.page.get_by_role("button", name=phrase("page.verify.take_away", card="Five of hearts")).click()
    assert await phone.page.locator("#slots [data-slot]").count() == 0

    await phone.tap("TD JC QC QD")
    await phone.page.get_by_role("button", name=phrase("page.verify.called")).click()
    await call(phone, 17)
    await phone.says(".verdict", phrase("page.verify.fits", called=17))
    names = await phone.page.locator("#answer .chips > [role=img]").evaluate_all(
        "(n) => n.map((c) => c.getAttribute('aria-label'))"
    )
    assert names == ["Five of clubs", "Ten of clubs"]
    await phone.page.get_by_role("button", name=phrase("page.undo")).click()
    await phone.page.get_by_role("button", name=phrase("page.verify.called")).click()
    await call(phone, 17)
    await phone.page.locator(".fits tbody tr").first.wait_for()
    assert has_phrase(await phone.page.locator(".verdict").inner_text(), "page.verify.ways")


async def test_the_count_judge_page_works_by_keyboard_alone(desk: Visit) -> None:
    page = desk.page
    lang = await page.locator("html").get_attribute("lang")
    await page.locator("#language").focus()
    await page.keyboard.type("4c 5h 6s 10d ")
    assert await page.locator("html").get_attribute("lang") == lang, "a space between cards presses no button"
    assert await page.locator("#slots [data-slot]").count() == 4
    await page.keyboard.press("Backspace")
    await page.keyboard.type("jdkd")
    await page.keyboard.type("10")
    await page.keyboard.press("Enter")
    await desk.says(".verdict.right", phrase("page.verify.right", due=10))
    await page.get_by_role("button", name=phrase("page.verify.renew")).focus()
    await page.keyboard.press("Enter")
    await desk.card("AS").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter", "End", "Enter"):
        await page.keyboard.press(key)
    slots = await page.locator("#slots [data-slot]").evaluate_all("(cards) => cards.map((card) => card.dataset.slot)")
    assert slots == ["2H", "KH"]
    stops = await page.locator("#pad [tabindex='0']").count()
    assert stops == 1, "Tab passes the pad in one step"


async def test_cards_are_pasted_as_they_are_printed_and_a_suit_is_typed_by_its_symbol_too(desk: Visit) -> None:
    """An emoji's variation selector stands behind some symbols; what is no card, and what is too many, is left out."""
    for text, slots in (
        ("5♥ 10♣\ufe0f 4♠\ufe0e jd XX 9♦ KS", ["5H", "TC", "4S", "JD", "9D"]),
        ("5h 5h", ["5H"]),
    ):
        await desk.page.evaluate(
            """(text) => {
              const clipboardData = new DataTransfer();
              clipboardData.setData('text', text);
              document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
            }""",
            text,
        )
        lying = await desk.page.locator("#slots [data-slot]").evaluate_all("(all) => all.map((c) => c.dataset.slot)")
        assert lying == slots
        for _ in slots:
            await desk.page.keyboard.press("Backspace")
    for key in ("1", "0", "♥\ufe0f", "a", "♠"):
        await desk.page.evaluate(
            "(key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))", key
        )
    assert await desk.page.locator("#slots [data-slot]").evaluate_all("(n) => n.map((c) => c.dataset.slot)") == [
        "TH",
        "AS",
    ]


@pytest.mark.long
async def test_in_french_no_english_is_left_and_all_is_in_reach(board: Board, chromium: Browser) -> None:
    async with visit(chromium, board, locale="fr-CA", **PHONE) as french:
        await french.open("/verify")
        page = french.page
        for cards, called in (("4C 5H 6S", 12), ("", 0), ("JD", 9), ("KD", 24), ("", 19)):
            await french.tap(cards)
            await french.check_french()
            if await page.locator("#steps").is_visible():
                await page.locator("#steps [data-step=call]").click()
            elif not await page.locator("#call").is_visible():
                await page.locator("#undo").click()
                await french.tap("KD")
            await french.check_french()
            await call(french, called)
            await page.wait_for_selector(".verdict")
            await french.check_french()
            if cards != "KD" and await page.locator("#steps").is_visible():
                await page.locator("#steps [data-step=cards]").click()
        assert await page.evaluate("document.documentElement.lang") == "fr-CA"


async def test_the_check_finds_small_or_faint_text(phone: Visit) -> None:
    await phone.page.evaluate(
        """() => {
          document.querySelector('#undo').style.height = '30px';
          document.querySelector('#undo').style.minHeight = '0';
          document.querySelector('h1').style.color = '#2f6a55';
        }"""
    )
    small, faint = await phone.page.evaluate(TOO_SMALL), await phone.page.evaluate(TOO_FAINT)
    assert [each.split(":")[0] for each in small] == ["Undo"]
    assert [each.split(":")[0] for each in faint] == ["Cribboard"]


@pytest.fixture
def two_kinds_of_french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The French of France beside that of Québec, which comes before it."""
    folder = tmp_path / "phrases"
    folder.mkdir()
    for file in CATALOGUES.glob("*.po"):
        (folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "fr_FR.po").write_text((folder / "fr_CA.po").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr("cribd.languages.CATALOGUES", folder)


@pytest.mark.long
async def test_a_language_is_known_by_its_whole_name_before_its_first_half(
    tmp_path: Path, chromium: Browser, two_kinds_of_french: None
) -> None:
    lang = "document.documentElement.lang"
    async with switched_on(tmp_path) as board:
        for locale, answers in (
            ("fr-FR", {"/verify": "fr-FR", "/?language=en_GB": "en"}),
            ("fr-CA", {"/verify": "fr-CA"}),
            ("en-CA", {"/?language=fr_FR": "fr-FR", "/?language=fr": "fr-CA", "/?language=fr-fr": "fr-FR"}),
        ):
            async with visit(chromium, board, **(DESK | {"locale": locale})) as guest:
                for path, spoken in answers.items():
                    await guest.open(path)
                    await guest.page.wait_for_function(f"(wanted) => {lang} === wanted", arg=spoken)
        async with visit(chromium, board, locale="fr-BE", **PHONE) as guest:
            await guest.open("/verify")
            await guest.page.wait_for_function(f"{lang} === 'fr-CA'")
            while await guest.page.evaluate(lang) != "fr-FR":
                coming = await guest.page.locator("#language").get_attribute("lang")
                await guest.page.locator("#language").click()
                await guest.page.wait_for_function(f"(wanted) => {lang} === wanted", arg=coming)
            await guest.open("/verify")
            assert await guest.page.evaluate(lang) == "fr-FR", "what was chosen here is kept"


async def test_while_claims_are_open_the_cards_of_the_deal_are_closed(tmp_path: Path, chromium: Browser) -> None:
    silent = changed(RULES["six-card"], {"telling": "tournament"})
    async with switched_on(tmp_path, rules=silent) as board, visit(chromium, board, **PHONE) as phone:
        await board.post(*RED_DEALS, CardRead("5H"))
        await phone.open("/verify")
        await phone.tap("5H 5C 5S JD 5D")
        await call(phone, 29)
        await phone.says(".verdict", phrase("page.verify.closed"))
        assert await phone.page.locator(".cadence").count() == 0
        await phone.page.get_by_role("button", name=phrase("page.verify.renew")).click()
        await phone.tap("2H 4C 7D 8S TC")
        await call(phone, 2)
        await phone.says(".verdict", "2")


async def test_a_lost_connection_is_shown_and_restored(phone: Visit) -> None:
    await phone.tap("4C 5H 6S JD KD")
    await phone.board.go_away()
    await call(phone, 10)
    await phone.says("#away", phrase("page.away"))
    await phone.board.serve()
    await phone.says(".verdict", phrase("page.verify.right", due=10))
    assert await phone.page.locator("#away").is_hidden()
