"""The game close up on a phone: what everybody sees, every count of it, and what the owner does with the PIN."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Route, expect
from tests.support.browser import TURN_TO
from tests.support.catalogues import phrase
from tests.support.organisers_laptop import no_answer_yet
from tests.support.visitors import (
    DESK,
    PHONE,
    PIN,
    RED_DEALS,
    Board,
    Visit,
    opened_at,
    stand_still,
    switched_on,
    visit,
)

from cribboard.rules import RULES, Way
from cribd.doctor.findings import fault, ok
from cribd.inputs import CardRead, HolePressed, Input, Key, KeyPressed
from cribd.web.kiosk.shared.pin import FREE_TRIES

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

OK = KeyPressed(Key.OK, 0), KeyPressed(Key.OK, 1)
PLAY: list[Input] = [CardRead(card) for card in ("TH", "TD", "5H", "6H", "9S", "9D", "3D", "KS")]
CRIB: list[Input] = [CardRead(card) for card in ("QC", "QD", "2C", "2D")]
#: A whole deal at a table where the board makes the calls: seven scores, red's crib the last.
DEAL: list[Input] = [*RED_DEALS, *PLAY, OK[0], OK[1], OK[0], *CRIB]
SCORES = 7


@pytest_asyncio.fixture(loop_scope="session")
async def board(tmp_path: Path) -> AsyncIterator[Board]:
    async with switched_on(tmp_path, way=Way.AUTO) as on:
        yield on


phone = opened_at("/table", **PHONE)


async def counts(visit: Visit) -> list[str]:
    """The counts as they are read, newest first."""
    found: list[str] = await visit.page.locator("#counts .deal > ol > li").all_inner_texts()
    return [re.sub(r"\s+", " ", each) for each in found]


# What everybody sees


async def test_anybody_sees_the_cards_the_pegs_and_every_count_until_it_is_undone(phone: Visit) -> None:
    await phone.board.post(*DEAL[:7])
    await phone.says("#ask", phrase("ask.lay_or_go", seat="Red"))
    await phone.says("#scores [data-side='1']", phrase("page.table.deals"))
    await phone.says("#scores [data-side='1']", phrase("page.table.crib"))
    await phone.says("#scores [data-side='1']", phrase("page.table.turn"))
    await phone.says("#scores [data-side='1']", "2/121")
    await phone.says("#shown", phrase("page.table.count", count=25))
    assert await phone.page.locator("#shown .chip").count() == 4
    said = await phone.page.locator("#board").get_attribute("aria-label")
    assert said == " ".join(
        phrase("page.board.side", side=side, score=score, back=0) for side, score in (("Blue", 0), ("Red", 2))
    )

    await phone.board.post(*DEAL[7:-6])
    await phone.says("#counted", "Blue")
    assert await phone.page.locator("#counted .face").count() == 5, "the hand that was counted last lies open"
    await phone.says("#counted", phrase("cadence.fifteen", total="four").capitalize())

    await phone.part("counts")
    await phone.page.locator("#counts li").first.wait_for()
    assert (await counts(phone))[0].startswith("Blue hand")
    await phone.board.post(OK[1])
    await phone.says("#counts .deal > ol > li:first-child", "Red hand")
    await phone.give()
    await phone.page.locator("#undo").click()
    await phone.page.locator("#sure-yes").click()
    await phone.part("counts")
    await phone.says("#counts .deal > ol > li:first-child", "Blue hand")


async def test_a_page_asks_a_busy_board_again_and_comes_back_with_every_count_to_one_that_was_away(
    phone: Visit,
) -> None:
    await phone.board.post(*RED_DEALS, *PLAY)
    asked = []

    async def busy(route: Route) -> None:
        asked.append(route)
        await (route.fulfill(status=503) if len(asked) == 1 else route.continue_())

    await phone.page.route("**/table/scores", busy)
    await phone.part("counts")
    await phone.says("#counts h2", phrase("page.counts.deal", number=1))
    assert len(asked) == 2
    await phone.page.unroute("**/table/scores")

    await phone.board.go_away()
    await phone.says("#away", phrase("page.away"))
    parts = await phone.page.locator("#parts").bounding_box()
    assert parts is not None
    assert parts["y"] + parts["height"] == PHONE["viewport"]["height"], "they stay under the thumb"
    await phone.board.post(OK[0])
    await phone.board.serve()
    await phone.page.locator("#away").wait_for(state="hidden")
    await phone.says("#counts .deal > ol > li:first-child", "Blue hand")


# What the owner does


async def test_the_owner_names_the_sides_and_a_second_browser_sees_it(phone: Visit, chromium: Browser) -> None:
    await phone.board.post(*RED_DEALS)
    async with visit(chromium, phone.board, locale="fr-CA", **DESK) as other:
        await other.open("/table")
        await phone.give()
        await phone.page.get_by_role("textbox", name="Blue").fill(" Aline ")
        await phone.page.get_by_role("textbox", name="Red").fill("aline")
        await phone.page.get_by_role("button", name=phrase("page.owner.names.do")).click()
        await phone.says("#names-message", phrase("page.owner.names.alike"))
        await phone.page.get_by_role("textbox", name="Red").fill("<b>Paul</b> & Cie")
        async with no_answer_yet(phone.page, "/table/owner"):
            await phone.page.keyboard.type("\n")
            await phone.page.get_by_role("textbox", name="Blue").press_sequentially("-Anne")
        await other.says("#scores [data-side='0']", "Aline")
        await other.says("#scores [data-side='1']", "<b>Paul</b> & Cie")
        await phone.says("#scores [data-side='0']", "Aline")
        await phone.says("#names-message", phrase("page.owner.names.done"))
        await expect(phone.page.get_by_role("textbox", name="Blue")).to_have_value("-Anne Aline ")


async def test_without_the_pin_nothing_is_done_and_with_it_the_owner_chooses_rules_and_begins_a_game(
    phone: Visit,
) -> None:
    await phone.board.post(*RED_DEALS)
    await phone.part("owner")
    assert await phone.page.locator("#tools *").count() == 0
    shown = len(phone.board.shown)
    acts = [{"do": "new_game"}, {"do": "names", "names": ["Eve", ""]}, {"do": "undo", "number": 5}]
    answers = await phone.page.evaluate(
        """(acts) => Promise.all(acts.map(async (act) => (await fetch('/table/owner', {
          method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(act)})).status))""",
        acts,
    )
    assert answers == [403, 403, 403], "not even by hand"
    assert len(phone.board.shown) == shown

    await phone.give()
    await phone.says("#rules-now", phrase("page.owner.rules.played", rules=phrase("rules.six-card")))
    names = await phone.page.locator("#rules label").all_inner_texts()
    assert not [name for name in names if name.startswith("three-player")], "this board has two tracks"
    await phone.page.get_by_label(phrase("rules.partners")).check()
    await phone.page.get_by_role("button", name=phrase("page.owner.rules.do")).click()
    await phone.page.get_by_role("button", name=phrase("page.owner.new_game.do")).click()
    await phone.says("#sure", phrase("page.owner.new_game.breaks"))
    await phone.page.get_by_role("button", name=phrase("page.owner.leave")).click()
    before = phone.board.shown[-1].view
    assert before is not None
    assert before.rules == RULES["six-card"].label
    await phone.page.get_by_role("button", name=phrase("page.owner.new_game.do")).click()
    await phone.page.get_by_role("button", name=phrase("page.owner.new_game"), exact=True).click()
    await phone.says("#ask", phrase("ask.cut", seat="Blue 1"))
    await phone.says("#rules-now", phrase("page.owner.rules.played", rules=phrase("rules.partners")))
    await expect(phone.page.get_by_text(phrase("page.owner.new_game.done"))).to_be_in_viewport()


async def test_the_doctor_opens_the_groups_where_something_is_wrong_and_says_what_to_do(phone: Visit) -> None:
    await phone.part("owner")
    await phone.give()
    examine = phone.page.get_by_role("button", name=phrase("page.owner.doctor.do"))
    phone.board.findings = (replace(ok("Raspberry Pi 5"), check="machine.model"),)
    await examine.click()
    await phone.says("#doctor-message", phrase("page.owner.doctor.right"))
    assert await phone.page.locator("#findings details[open]").count() == 0
    full = fault("1 MB is free", "Type `sudo apt clean`, not <b>more</b>.")
    phone.board.findings = (*phone.board.findings, replace(full, check="journal.space"))
    await examine.click()
    await phone.says("#doctor-message", phrase("page.owner.doctor.count", faults=1, warnings=0))
    opened = phone.page.locator("#findings details[open]")
    await expect(opened).to_have_count(1)
    await expect(opened.locator("summary")).to_contain_text(phrase("command.doctor.group.journal"))
    await expect(opened).to_contain_text("not <b>more</b>.")
    await expect(opened.locator("code")).to_have_text("sudo apt clean")


#: Blue wins the first game of a match by a skunk.
TWO_TO_NOTHING: list[Input] = [OK[0], OK[0], *[HolePressed(0, 121)] * 3, *OK]


@pytest.mark.long
async def test_the_owner_is_asked_before_other_rules_other_players_or_a_wish_end_a_match(
    tmp_path: Path, chromium: Browser
) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, visit(chromium, board, **PHONE) as phone:
        await phone.open("/table")
        await phone.give()
        await phone.says("#match-what", phrase("page.owner.match.none"))
        await phone.page.get_by_role("textbox", name="Blue").fill("Maude")
        await phone.page.get_by_role("button", name=phrase("page.owner.names.do")).click()
        await phone.says("#names-message", phrase("page.owner.names.done"))
        await board.post(*TWO_TO_NOTHING)
        await phone.says("#match-what", phrase("page.owner.match.stands", totals="2–0"))

        await phone.page.get_by_label(phrase("rules.partners")).check()
        await phone.page.get_by_role("button", name=phrase("page.owner.rules.do")).click()
        await phone.says("#sure-then", phrase("page.owner.match.ends", totals="2–0"))
        await phone.page.get_by_role("button", name=phrase("page.owner.leave")).click()
        assert board.shown[-1].rules.title == "six-card"

        await phone.page.get_by_role("textbox", name="Blue").fill("Zoé")
        await phone.page.get_by_role("button", name=phrase("page.owner.names.do")).click()
        await phone.says("#sure-what", phrase("page.owner.names.who"))
        await phone.page.keyboard.press("Escape")
        assert board.shown[-1].names == ("Maude", "")
        await phone.page.get_by_role("button", name=phrase("page.owner.names.do")).click()
        await phone.page.get_by_role("button", name=phrase("page.owner.names.same")).click()
        await phone.says("#scores", "Zoé")
        assert (board.shown[-1].games, board.shown[-1].ends) == ((2, 0), ())

        await phone.page.get_by_role("textbox", name="Red").fill("Paul")
        await phone.page.get_by_role("button", name=phrase("page.owner.names.do")).click()
        await phone.says("#scores", "Paul")
        assert board.shown[-1].ends == (), "nobody sat there before"

        await phone.page.get_by_role("textbox", name="Blue").fill("Maude")
        await phone.page.get_by_role("button", name=phrase("page.owner.names.do")).click()
        await phone.page.get_by_role("button", name=phrase("page.owner.names.others")).click()
        await phone.says("#ask", phrase("lobby.new_match"))
        await phone.says("#new-what", phrase("page.owner.match.ends", totals="2–0"))

        await phone.page.locator("#new-match").click()
        await phone.says("#sure-what", phrase("page.owner.new_match.sure"))
        await phone.page.locator("#sure-yes").click()
        await phone.says("#match-what", phrase("page.owner.match.none"))
        assert (board.shown[-1].lobby, board.shown[-1].games) == (None, (0, 0))


async def test_an_undo_names_its_act_and_asks_again_after_the_game_moved_on(
    phone: Visit,
) -> None:
    await phone.give()
    await phone.says("#undo-what", phrase("page.owner.undo.nothing"))
    await phone.board.post(*RED_DEALS, *PLAY[:2])
    await phone.says("#undo-what", phrase("page.owner.undo.what", what="Red 10♦"))
    await phone.page.locator("#undo").click()
    await phone.says("#sure-what", phrase("page.owner.undo.sure", what="Red 10♦"))
    await phone.page.keyboard.press("Escape")
    assert not await phone.page.locator("#sure").is_visible()
    await phone.page.locator("#undo").click()
    await phone.page.locator("#sure-yes").click()
    await phone.says("#ask", phrase("ask.lay", seat="Red"))
    await phone.says("#undo-what", phrase("page.owner.undo.what", what="Blue 10♥"))

    await phone.page.get_by_role("textbox", name="Blue").fill("Ali")
    await phone.page.locator("#undo").click()
    await phone.says("#sure-what", "Blue 10♥")
    await phone.board.post(PLAY[1])
    await phone.page.locator("#sure").wait_for(state="hidden")
    view = phone.board.shown[-1].view
    assert view is not None
    assert len(view.laid) == 2
    await phone.says("#ask", phrase("ask.lay", seat="Blue"))
    name = await phone.page.get_by_role("textbox", name="Blue").input_value()
    assert name == "Ali", "the game takes away no name that is being typed"


# Eyes and hands of every kind


@pytest.mark.long
async def test_a_wait_is_announced_once_and_counted_down_visually(board: Board, chromium: Browser) -> None:
    async with visit(chromium, board, **PHONE) as phone:
        await phone.page.clock.install()
        await phone.open("/table")
        for left in range(FREE_TRIES - 1, 0, -1):
            await phone.give("0000")
            await phone.says("#told", phrase("page.pin.wrong", n=left))
        await stand_still(phone.page)
        await phone.give("0000")
        await phone.says("#told", phrase("page.pin.wait", n=30))
        await phone.page.evaluate(
            """() => { window.said = 0;
              const wanted = {childList: true, characterData: true, subtree: true};
              new MutationObserver(() => { window.said += 1; })
                .observe(document.querySelector("[role=alert]#told"), wanted); }"""
        )
        await phone.page.clock.run_for(3000)
        await phone.says("#left[aria-hidden=true]", phrase("page.pin.wait", n=27))
        assert await phone.page.locator("#gate button").is_disabled()
        assert await phone.page.evaluate("window.said") == 0
        await phone.page.clock.run_for(27_000)
        await phone.page.locator("#gate button:enabled").wait_for()
        assert await phone.page.locator("#told, #left").all_inner_texts() == ["", ""]


async def test_the_table_page_works_by_keyboard_alone(board: Board, chromium: Browser) -> None:
    await board.post(*RED_DEALS, *PLAY[:1])
    async with visit(chromium, board, **PHONE) as phone:
        await phone.open("/table")
        focused = "document.activeElement?.textContent.trim()"
        press = phone.page.keyboard.press
        other = await phone.page.locator("#language").text_content()
        for name in ("?", other, "Game", "Counts", "Owner"):
            await press("Tab")
            assert await phone.page.evaluate(focused) == name
        await press("Enter")
        await press("Tab")
        await phone.page.keyboard.type(PIN)
        await press("Enter")
        await phone.page.wait_for_selector("#undo:focus")
        await press("Enter")
        await phone.page.wait_for_selector("#sure-no:focus")
        await press("Tab")
        await press("Enter")
        await phone.says("#ask", "Blue: lead")
        await phone.page.wait_for_selector("#undo:focus")
        await press("Tab")
        await phone.page.keyboard.type("Aline")
        await press("Enter")
        await phone.says("#scores", "Aline")
        for _ in range(3):
            await press("Tab")
        await phone.page.wait_for_selector("#rules input:focus")
        await press("ArrowDown")
        await press("Enter")
        await phone.says("#rules-message", phrase("page.owner.rules.done"))
        assert phone.board.shown[-1].rules.title == "partners"


@pytest.mark.long
async def test_in_french_every_count_is_explained_and_at_every_size_all_is_in_reach(
    board: Board, chromium: Browser
) -> None:
    async with visit(chromium, board, locale="fr-CA", **PHONE) as french:
        await french.open("/table")
        await french.check_french_at_every_size()
        await board.post(*DEAL)
        await french.says("#counted", "Rouge")
        await french.check_french_at_every_size()

        await french.part("counts")
        await french.says("#counts h2", phrase("page.counts.deal", "fr_CA", number=1))
        lines = await counts(french)
        assert len(lines) == SCORES
        for words, of in zip(
            ("Rouge crib", "Rouge main", "Bleu main", "Rouge", "Rouge", "Rouge", "Rouge"), lines, strict=True
        ):
            assert of.startswith(words)
        assert phrase("cadence.fifteen", "fr_CA", total="deux") in lines[2]
        assert phrase("cadence.fifteen", "fr_CA", total="quatre") in lines[2]
        assert phrase("cadence.and", "fr_CA", step=phrase("cadence.pair", "fr_CA", total="six")) in lines[1]
        await french.check_french_at_every_size()

        await french.give()
        await french.says("#rules", phrase("rules.six-card", "fr_CA"))
        await french.check_french_at_every_size()
        await french.page.locator("#undo").click()
        await french.check_french_at_every_size()
        await french.page.locator("#sure-no").click()

        await french.page.evaluate(TURN_TO, "en")
        await french.part("counts")
        await french.says("#counts h2", phrase("page.counts.deal", number=1))
        assert (await counts(french))[1].startswith("Red hand")
        assert phrase("cadence.and", step=phrase("cadence.pair", total="six")) in (await counts(french))[1]
