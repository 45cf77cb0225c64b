"""Somebody who plays alone in the browser: what a person sees and taps, with a mouse and with the keyboard alone.

One board and one page serve one long test, each step of which goes on where the one before it stopped: a person at a
table does the same.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Route
from tests.support import axe
from tests.support.alone_in_browser import FACES, Alone, at_the_twin, seat
from tests.support.catalogues import phrase
from tests.support.desk import PATIENCE_S

from cribboard import RULES
from cribboard.cards import Card
from cribboard.scoring import show_points

pytestmark = [
    *(pytest.mark.browser, pytest.mark.slow, pytest.mark.long, pytest.mark.whole_game),
    pytest.mark.asyncio(loop_scope="session"),
]


def named_in(text: str, cards: Iterable[str]) -> set[str]:
    """The cards of these that the text names."""
    return {card for card in cards if f'"{card}"' in text}


async def a_letter_in_the_choices_presses_no_key(alone: Alone) -> None:
    page = alone.page
    await page.get_by_role("button", name=phrase("page.solo.choose")).click()
    await page.locator("#choices select").focus()
    await page.keyboard.down("s")
    assert await page.locator(".down").count() == 0
    await page.keyboard.up("s")
    await page.keyboard.press("Escape")


async def the_options_of_a_rule_set_are_explained_chosen_and_remembered(alone: Alone) -> None:
    page, asked = alone.page, list[Any]()

    async def take(route: Route) -> None:
        asked.append(route.request.post_data_json)
        await route.fulfill(status=204)

    async def ticked() -> list[str]:
        boxes = page.locator("#choices [name=option]:checked")
        names: list[str] = await boxes.evaluate_all("boxes => boxes.map(({ value }) => value)")
        return names

    await page.route("**/solo/act", take)
    await page.get_by_role("button", name=phrase("page.solo.choose")).click()
    assert await page.locator("#choices [name=option]").count() == 0, "six-card has none"
    await page.get_by_label(phrase("page.solo.rules")).select_option(label=phrase("rules.fadoq"))
    await page.get_by_text(phrase("page.rules.fadoq")).wait_for()
    await page.get_by_label(phrase("option.fadoq.component")).check()
    await page.get_by_label(phrase("option.fadoq.out-only")).check()
    assert await ticked() == ["out-only"], "it cannot be played with the other"
    await page.get_by_label(phrase("page.solo.rules")).select_option(label=phrase("rules.britannica"))
    await page.get_by_label(phrase("option.britannica.muggins")).check()
    await page.get_by_label(phrase("option.britannica.short")).check()
    assert await axe.found(page, "the options") == []
    await page.reload()
    await page.get_by_role("button", name=phrase("page.solo.choose")).click()
    assert await ticked() == ["short", "muggins"]
    await page.get_by_label(phrase("page.solo.rules")).select_option(label=phrase("rules.fadoq"))
    assert await ticked() == ["out-only"]
    await page.get_by_role("button", name=phrase("page.solo.start")).click()
    await page.wait_for_function("document.querySelector('#choices').hidden")
    [start] = [each for each in asked if each["do"] == "start"]
    assert (start["rules"], start["options"]) == (RULES["fadoq"].label, ["out-only"])
    await page.unroute("**/solo/act")
    await page.evaluate("localStorage.removeItem('cribboard.solo')")


async def one_click_deals_and_the_cards_lie_face_up(alone: Alone) -> None:
    await alone.page.get_by_role("button", name=phrase("page.solo.play")).click()
    await alone.until_asked("cut")
    await alone.page.get_by_role("button", name=phrase("page.solo.pack")).click()
    await alone.until_asked("discard")
    hand = await alone.hand()
    assert len(hand) == 6
    assert await alone.page.locator("#solo .hand svg").count() == 6, "each has a face"


async def nothing_on_the_page_names_a_card_that_was_not_shown(alone: Alone) -> None:
    hidden = alone.cards_of_others()
    assert len(hidden) == 7, "the robot's, and the starter"
    assert named_in(json.dumps(await alone.state()), hidden) == set()
    assert named_in(await alone.page.locator("#solo").inner_html(), hidden) == set()


async def two_cards_are_tapped_and_a_third_lets_go_of_the_first(alone: Alone) -> None:
    hand = await alone.hand()
    discard = alone.page.get_by_role("button", name=phrase("page.solo.discard"), exact=True)
    assert await discard.is_disabled()
    for card in hand[:3]:
        await alone.page.locator(f"#solo .hand [data-card='{card}']").click()
    chosen = "[...document.querySelectorAll('#solo .hand [aria-pressed=true]')].map((card) => card.dataset.card)"
    assert await alone.page.evaluate(chosen) == hand[1:3]
    assert await discard.is_enabled()


async def leaving_a_game_asks_for_confirmation(alone: Alone) -> None:
    hand = await alone.hand()
    await alone.page.get_by_role("button", name=phrase("page.solo.leave")).click()
    await alone.page.get_by_text(phrase("page.solo.leave_sure")).wait_for()
    alone.faults += await axe.found(alone.page, "leaving")
    await alone.page.get_by_role("button", name=phrase("page.solo.stay")).click()
    await alone.page.get_by_role("button", name="Pause").wait_for()
    assert await alone.hand() == hand


async def the_page_reloaded_holds_the_same_hand(alone: Alone) -> None:
    hand = await alone.hand()
    await alone.page.reload()
    await alone.page.wait_for_selector("body.alone #solo .hand [data-card]")
    assert await alone.hand() == hand


async def a_second_window_watches_without_cards_and_may_take_over(alone: Alone) -> None:
    hand = await alone.hand()
    second = await alone.window()
    await second.get_by_text(phrase("page.solo.elsewhere")).wait_for()
    assert await second.evaluate(FACES) == []
    assert named_in(" ".join(await second.evaluate("window.told")), hand) == set()
    await second.get_by_role("button", name=phrase("page.solo.take_over")).click()
    await second.wait_for_selector("#solo .hand [data-card]")
    assert await second.evaluate(FACES) == hand
    await alone.page.get_by_role("button", name=phrase("page.solo.take_over")).wait_for()
    assert await alone.hand() == []
    await second.close()
    await alone.page.wait_for_selector("#solo .hand [data-card]")
    assert await alone.hand() == hand, "the window that is left has hands again"


async def tapped_cards_go_to_the_crib_and_a_tapped_card_is_laid(alone: Alone) -> None:
    hand = await alone.hand()
    for card in hand[:2]:
        await alone.page.locator(f"#solo .hand [data-card='{card}']").click()
    await alone.page.get_by_role("button", name=phrase("page.solo.discard"), exact=True).click()
    if await alone.until_asked("starter", "lay") == "starter":
        await alone.page.get_by_role("button", name=phrase("page.solo.pack")).click()
    await alone.until_asked("lay")
    assert await alone.hand() == hand[2:]
    await alone.page.locator(f"#solo .hand [data-card='{hand[2]}']").click()
    await alone.page.wait_for_selector(f"#solo .laid [data-face='{hand[2]}']")
    assert await alone.hand() == hand[3:]
    await alone.page.get_by_role("button", name=phrase("page.solo.none")).click()
    await alone.page.get_by_role("button", name=phrase("page.solo.none")).wait_for(state="detached")


async def the_keyboard_alone_plays_the_deal_to_its_end(alone: Alone) -> None:
    keyboard = Keyboard(alone)
    for _ in range(60):
        kind = await alone.until_asked(*keyboard.KNOWN)
        if kind == "discard":
            break
        await keyboard.do(kind)
    assert await alone.asked() == "discard", "the next deal"
    assert len(await alone.hand()) == 6
    focused = await alone.page.evaluate("document.activeElement.dataset.act ?? ''")
    assert focused == "", "an Enter too many neither pauses nor leaves the game"


async def a_game_that_was_left_is_taken_up_again(alone: Alone) -> None:
    hand, page = await alone.hand(), alone.page
    await page.get_by_role("button", name=phrase("page.solo.leave")).click()
    await page.get_by_role("button", name=phrase("page.solo.leave")).click()
    await page.get_by_role("button", name=phrase("page.solo.play")).click()
    take_up = page.get_by_role("button", name=phrase("page.solo.take_up"))
    await take_up.wait_for()
    alone.faults += await axe.found(page, "a game was left")
    await take_up.click()
    await page.wait_for_selector("#solo .hand [data-card]")
    assert await alone.hand() == hand


async def a_number_that_no_hand_makes_is_refused_in_the_line(alone: Alone) -> None:
    await alone.page.keyboard.type("19")
    await alone.page.keyboard.press("Enter")
    await alone.page.locator("#solo .refused", has_text=phrase("page.solo.errors.no_points_now")).wait_for()
    alone.complaints[:] = [said for said in alone.complaints if "409" not in said]


async def a_second_window_begins_a_game_where_none_is_played_and_says_where_it_may_not(alone: Alone) -> None:
    page, second = alone.page, await alone.window()
    await page.get_by_role("button", name=phrase("page.solo.leave")).click()
    await page.get_by_role("button", name=phrase("page.solo.leave")).click()
    play = second.get_by_role("button", name=phrase("page.solo.play"))
    await play.click()

    async def refuse(route: Route) -> None:
        await route.fulfill(status=403, json={"code": "no_hands", "values": {}})

    await second.route("**/solo/act", refuse, times=1)
    await second.get_by_role("button", name=phrase("page.solo.anew")).click()
    take_over = second.locator("#alone").get_by_role("button", name=phrase("page.solo.take_here"))
    await take_over.wait_for()
    alone.faults += await axe.found(second, "refused")
    await take_over.click()
    await second.get_by_role("button", name=phrase("page.solo.pack")).wait_for()
    await page.get_by_text(phrase("page.solo.elsewhere")).wait_for()
    await second.close()


async def axe_finds_no_problem_during_a_game(alone: Alone) -> None:
    assert {"cut", "discard", "lay", "count_hand", "accept"} <= alone.looked
    assert alone.faults == []


async def a_game_ends_with_a_summary_and_leads_to_its_replay(alone: Alone) -> None:
    end = {"game": 7, "skunk": "skunk", "deals": 9, "hand": 7.4, "crib": None, "play": 21, "gave_up": 0.0}
    won = {"phase": "over", "winner": 0, "scores": [121, 80], "seats": [seat(0, [], 0), seat(1, [], 0)]}
    page = alone.page
    await alone.open_at({**won, "hands": True, "ask": None, "end": end})
    await page.get_by_role("heading", name=phrase("page.solo.won", points=121, others=80)).wait_for()
    figures = await page.locator("#solo .end dl").inner_text()
    assert [line for line in figures.splitlines() if line] == [
        *(phrase("page.solo.figures.hand"), "7.4"),
        *(phrase("page.solo.figures.play"), "21"),
        *(phrase("page.solo.figures.gave_up"), "0"),
    ]
    assert await page.get_by_text(phrase("page.solo.skunk.skunk")).is_visible()
    replay = page.get_by_role("link", name=phrase("page.solo.see_again"))
    assert await replay.get_attribute("href") == "/games/7?language=en"


class Keyboard:
    """What somebody does who has no mouse."""

    KNOWN = (
        *("starter", "lay", "go", "show", "crib", "count_hand", "count_crib"),
        *("release", "accept", "points_first", "next_count", "discard"),
    )

    def __init__(self, alone: Alone) -> None:
        self._alone = alone
        self._page = alone.page
        self._types = False

    async def do(self, kind: str) -> None:
        """Do what is asked, and wait until the board has taken it."""
        before = await self._alone.stage()
        match kind:
            case "lay" | "show":
                await self._lay(await self._alone.state())
            case "starter":
                await self._enter("#solo .stack[data-act=cut]")
            case "crib":
                await self._enter("#solo .stack[data-act=crib]")
            case "count_hand" | "count_crib":
                await self._count(kind, await self._alone.state())
            case "go":
                await self._enter("#solo [data-act=go]")
            case _:
                await self._page.keyboard.press("s", delay=60)
        lays = kind in ("lay", "show")  # a robot's act may come between
        async with asyncio.timeout(PATIENCE_S):
            while (stage := await self._alone.stage()) == before or (lays and stage[1] == before[1]):
                await asyncio.sleep(0.02)
        lost = await self._page.evaluate("document.activeElement === document.body")
        assert not lost, f"the focus is on nothing after {kind}"

    async def _enter(self, selector: str) -> None:
        await self._tab_to(selector)
        await self._page.keyboard.press("Enter")

    async def _tab_to(self, selector: str) -> None:
        reached = f"Boolean(document.activeElement?.matches({json.dumps(selector)}))"
        for _ in range(60):
            if await self._page.evaluate(reached):
                return
            await self._page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {selector}")

    async def _type(self, points: int) -> None:
        """Type a number that is not right, clear it, and type the right one."""
        typed = self._page.locator("#solo .typed")
        await self._page.keyboard.press("9")
        await self._page.keyboard.press("Numpad9")
        assert "99" in (await typed.text_content() or "")
        await self._page.keyboard.press("Escape")
        assert await typed.text_content() == ""
        await self._page.keyboard.type(str(points))
        await self._page.keyboard.press("Enter")
        await self._page.locator("#solo .counted output", has_text=re.compile(f"^{points}$")).wait_for()

    async def _lay(self, state: dict[str, Any]) -> None:
        cards = [Card.parse(card) for card in state["hand"]]
        fits = [each for each in cards if state["over"] or (state["count"] or 0) + each.value <= 31]
        await self._tab_to("#solo .hand [data-card]")
        await self._page.keyboard.press("Home")
        for _ in range(cards.index(fits[0] if fits else cards[0])):
            await self._page.keyboard.press("ArrowRight")
        await self._page.keyboard.press("Enter")

    async def _count(self, kind: str, state: dict[str, Any]) -> None:
        cards = state["crib"]["open"] if kind == "count_crib" else state["seats"][0]["open"]
        crib = kind == "count_crib"
        points = show_points([Card.parse(card) for card in cards], Card.parse(state["starter"]), crib=crib)
        if self._types or not points:
            await self._type(points)
            return
        self._types = True
        await self._tab_to("[data-track='0'][data-hole]")
        await self._page.keyboard.press("Home")
        for _ in range(self._alone.front + points + 2):  # three too many
            await self._page.keyboard.press("ArrowRight")
        await self._page.keyboard.press("Enter", delay=60)
        await self._alone.until_asked("release")
        await self._page.keyboard.press("s", delay=60)
        await self._page.locator("#solo .wrong", has_text=f"You called {points + 3}; it is ").wait_for()


STEPS = (
    a_letter_in_the_choices_presses_no_key,
    the_options_of_a_rule_set_are_explained_chosen_and_remembered,
    one_click_deals_and_the_cards_lie_face_up,
    nothing_on_the_page_names_a_card_that_was_not_shown,
    two_cards_are_tapped_and_a_third_lets_go_of_the_first,
    leaving_a_game_asks_for_confirmation,
    the_page_reloaded_holds_the_same_hand,
    a_second_window_watches_without_cards_and_may_take_over,
    tapped_cards_go_to_the_crib_and_a_tapped_card_is_laid,
    the_keyboard_alone_plays_the_deal_to_its_end,
    a_game_that_was_left_is_taken_up_again,
    a_number_that_no_hand_makes_is_refused_in_the_line,
    a_second_window_begins_a_game_where_none_is_played_and_says_where_it_may_not,
    axe_finds_no_problem_during_a_game,
    a_game_ends_with_a_summary_and_leads_to_its_replay,
)


async def test_a_person_plays_alone_with_a_mouse_and_with_the_keyboard(chromium: Browser, tmp_path: Path) -> None:
    async with at_the_twin(chromium, tmp_path) as alone:
        for step in STEPS:
            await step(alone)
