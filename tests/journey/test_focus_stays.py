"""The focus never falls to the body of a page, whatever is done there by keyboard alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page
from tests.support.desk import Desk
from tests.support.organisers_laptop import event, organise, registered
from tests.support.visitors import ORGANISER_PIN, PHONE, PIN, RED_DEALS, Board, Visit, switched_on, visit

from cribboard.rules import Way
from cribd.inputs import HolePressed, Input, Key, KeyPressed

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

#: What has the focus once the page has drawn its answer; nothing where it is the body, or cannot be seen.
HELD = """() => new Promise((answer) => {
  const say = () => {
    const held = document.activeElement;
    const isLost = !held || held.matches('body, html') || !held.checkVisibility({ visibilityProperty: true });
    answer(isLost ? '' : held.id || held.dataset.act || held.tagName);
  };
  const frame = (left) => (left ? requestAnimationFrame(() => frame(left - 1)) : say());
  frame(4);
})"""

#: How many Tabs lead to a control, fewer than none where Shift is held; null where it cannot have the focus.
TABS_TO = """(wanted) => {
  const held = document.activeElement;
  const place = document.querySelector(':modal') ?? document;
  const all = [...place.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')];
  const stops = all.filter((each) => each === held || (each.tabIndex >= 0 && !each.disabled
    && !each.matches('[type=radio]:not(:checked)') && each.checkVisibility({ visibilityProperty: true })));
  const at = stops.findIndex((each) => each.matches(wanted));
  return at < 0 ? null : at - stops.indexOf(held);
}"""
KEYS = {"⏎": "Enter", "⎋": "Escape", "↓": "ArrowDown", "→": "ArrowRight", "␣": "Space"}
OK = [KeyPressed(Key.OK, 0), KeyPressed(Key.OK, 1)]
TWO_TO_NOTHING: list[Input] = [OK[0], OK[0], *[HolePressed(0, 121)] * 3, *OK]
ROWS = "#entrant-list li"
FRENCH, ENGLISH = "html[lang^=fr]", "html[lang^=en]"


@pytest_asyncio.fixture(loop_scope="session")
async def board(tmp_path: Path, two_games: None) -> AsyncIterator[Board]:
    async with switched_on(tmp_path) as on:
        yield on


@pytest_asyncio.fixture(loop_scope="session")
async def opened(board: Board, chromium: Browser) -> AsyncIterator[Visit]:
    async with visit(chromium, board, locale="fr-CA") as visitor:
        yield visitor


async def walk(page: Page, *acts: tuple[str, str]) -> None:
    """Do each act, wait for its result, and look where the focus is.

    An act is keys, as they are typed; or a control that Tab leads to and, after " › ", the keys typed there, Enter
    where there are none. A result is a selector of what is seen afterwards and not before, or after "!" of what is
    seen before and not afterwards.
    """
    for act, result in acts:
        seen = page.locator(result.removeprefix("!")).locator("visible=true")
        is_gone = result.startswith("!")
        # What another laptop did may still be on its way to this page: the result must stop being so before the act.
        await seen.first.wait_for(state="visible" if is_gone else "hidden")
        control, _, keys = act.partition(" › ") if act[0] in "#[" else ("", "", act)
        if control:
            await reach(page, control)
        for key in keys or "⏎":
            await (page.keyboard.press(KEYS[key]) if key in KEYS else page.keyboard.type(key))
        await seen.first.wait_for(state="hidden" if is_gone else "visible")
        assert await page.evaluate(HELD), f"the focus is on nothing after {act}"


async def reach(page: Page, control: str) -> None:
    """Go to a control with the Tab key, the shorter way; again where the page was drawn anew on the way."""
    for _ in range(5):
        tabs = await page.evaluate(TABS_TO, control)
        assert tabs is not None, f"{control} is not reached by the keyboard"
        if not tabs:
            return
        for _ in range(abs(tabs)):
            await page.keyboard.press("Tab" if tabs > 0 else "Shift+Tab")
    pytest.fail(f"{control} is not reached by the keyboard")


async def test_focus_is_never_lost_at_the_table(board: Board, opened: Visit) -> None:
    await board.post(*RED_DEALS)
    await opened.open("/table")
    await walk(
        opened.page,
        ("#help", "#explained[open]"),
        ("⎋", "!#explained[open]"),
        ("#language", ENGLISH),
        ("#language", FRENCH),
        ("#parts [data-part=owner]", "#pin"),
        ("#pin › 1111⏎", "#told:not(:empty)"),
        (f"{PIN}⏎", "#undo:focus"),
        ("#pad [tabindex='0'] › →→⏎", "#pad .taken[data-card='3S']"),
        ("→⏎", "#pad .taken[data-card='4S']"),
        ("#undo", "#sure[open]"),
        ("#sure-no", "!#sure[open]"),
        ("#undo", "#sure[open]"),
        ("#sure-yes", "!#pad .taken[data-card='4S']"),
        ("#name-0 › Anne⏎", "#names-message:not(:empty)"),
        ("#rules input:checked › ↓", "#rules input[value='six-card/2']:not(:checked)"),
        ("⏎", "#sure[open]"),
        ("#sure-yes", "#rules-message:not(:empty)"),
        ("#new-game", "#sure[open]"),
        ("⎋", "!#sure[open]"),
        ("#new-game", "#sure[open]"),
        ("#sure-yes", "#new-message:not(:empty)"),
        ("#language", ENGLISH),
        ("#lock", "#pin:focus"),
        ("#parts [data-part=counts]", "#counts"),
    )


async def test_focus_is_never_lost_when_a_match_ends(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, visit(chromium, board, locale="fr-CA") as opened:
        await opened.open("/table")
        await walk(
            opened.page,
            ("#parts [data-part=owner]", "#pin"),
            (f"#pin › {PIN}⏎", "#undo:focus"),
            ("#name-0 › Maude⏎", "#names-message:not(:empty)"),
        )
        await board.post(*TWO_TO_NOTHING)
        await opened.says("#match-what", "2–0")
        await walk(
            opened.page,
            ("#name-0 › Zoé⏎", "#sure-same"),
            ("⎋", "!#sure-same"),
            ("⏎", "#sure-same"),
            ("#sure-same", "#names-message:not(:empty)"),
            ("#rules input:checked › ↓⏎", "#sure[open]"),
            ("#sure-no", "!#sure[open]"),
            ("#rules button", "#sure[open]"),
            ("#sure-yes", "#rules-message:not(:empty)"),
            ("#new-match", "#sure[open]"),
            ("#sure-yes", "#match-message:not(:empty)"),
        )


@pytest.mark.parametrize("window", [{}, PHONE], ids=["wide", "phone"])
async def test_focus_is_never_lost_at_the_count_judge(
    board: Board, chromium: Browser, window: dict[str, object]
) -> None:
    async with visit(chromium, board, **{"locale": "fr-CA", **window}) as opened:
        await opened.open("/verify")
        await walk(
            opened.page,
            ("#language", ENGLISH),
            ("#language", FRENCH),
            ("4c5h6s10djd", "#count:enabled"),
            ("10⏎", "#answer .stepper"),
            ("#answer .stepper [data-by='1']", "#answer .stepper :text('11')"),
            ("#replay", "#answer .cadence .now"),
            ("#renew", "#undo:disabled"),
            ("4c5h", "#slots [data-slot='5H']"),
            ("#undo", "!#slots [data-slot='5H']"),
            ("#undo", "#undo:disabled"),
            ("#is-crib", "#is-crib[aria-pressed=true]"),
            ("#is-hand", "#is-hand[aria-pressed=true]"),
            ("4c", "#slots [data-slot='4C']"),
        )
        if not window:
            await walk(opened.page, ("#slots [data-slot]", "!#slots [data-slot]"))


@pytest.mark.parametrize("open_desk", ["starter"], indirect=True)
async def test_focus_is_never_lost_at_the_twin_of_a_board_without_holes(desk: Desk) -> None:
    await walk(
        desk.page,
        ("#help", "#explained[open]"),
        ("⎋", "!#explained[open]"),
        ("#plugs", "#drawer [data-plug=reader]"),
        ("#plugs", "!#drawer [data-plug=reader]"),
        ("#language", FRENCH),
        ("#language", ENGLISH),
    )


async def test_focus_is_never_lost_on_pages_for_reading(opened: Visit) -> None:
    page = opened.page
    for path in ("/help", "/games", "/statistics"):
        await opened.open(path)
        await walk(
            page,
            ("#help", "#explained[open]"),
            ("⎋", "!#explained[open]"),
            ("#language", ENGLISH),
            ("#language", FRENCH),
        )
    await opened.open("/help")
    await walk(page, ("#guide nav a", "html:has(:target)"))
    await opened.open("/games")
    await walk(
        page,
        ("#down", "#statistics summary:focus"),
        ("#days a", "#replay"),
        ("#play", "#play[aria-label=Pause]"),
        ("⏎", "#play[aria-label=Lecture]"),
        ("[data-go=deal-on]", "#where:has-text('Donne 2 ')"),
        ("[data-go=back]", "#where:has-text('Donne 1 ')"),
        ("#pace", "#pace:text('2×')"),
        ("#all", "#past"),
        ("#days a", "#replay"),
    )
    await page.go_back()
    await page.locator("#past").wait_for()
    await walk(page, ("#days a", "#replay"))


async def test_focus_is_never_lost_while_entrants_register_at_the_desk(laptop: Page) -> None:
    page = laptop
    await walk(
        page,
        (f"{ORGANISER_PIN}⏎", "#begin-name:focus"),
        ("#language", ENGLISH),
        ("#language", FRENCH),
        ("#formats input:checked › ↓", "#formats [value=fadoq]:not(:checked)"),
        ("#begin-name › ⏎", "#begin-message:not(:empty)"),
        ("Mardi⏎", "#register-name:focus"),
    )
    await walk(
        page,
        ("#register-name › Paul Alpha⏎", f"{ROWS}[data-status=present]:has-text('Paul')"),
        ("#register-here › ␣", "#register-here:not(:checked)"),
        ("#register-name › Jean Bravo⏎", f"{ROWS}[data-status=registered]:has-text('Jean')"),
        ("#csv summary", "#csv-text"),
        ("#csv-text › joueur⏎Luc Charlie⏎Max Delta", "#csv-take"),
        ("#csv-take", "#find-name:focus"),
        ("luc⏎", f"{ROWS}[data-status=present]:has-text('Luc')"),
        ("#entrant-list [data-act=here]", f"{ROWS}[data-status=present]:has-text('Jean')"),
        ("⏎", "#steps [data-act=begin]:focus"),  # the next who is expected, and then none is
        ("#members summary", "#member-name"),
        ("#members-acts [data-act=players]", "#member-name:focus"),
        ("Ann Echo⏎", "#members li:has-text('Ann Echo')"),
        ("#members [data-member='Ann Echo']", "#sheet[open]"),
        ("Anne Echo⏎", "#members li:has-text('Anne Echo')"),
        ("#members-acts [data-act=all-here]", "#sheet[open]"),
        ("⎋", "!#sheet[open]"),
        ("⏎", "#sheet[open]"),
        ("#sheet .first", f"{ROWS}[data-status=present]:has-text('Anne')"),
        ("#entrant-list li:last-child [data-act=more]", "#sheet[open]"),
        ("#sheet [data-act=absent]", "#sheet-reason"),
        ("⏎", f"{ROWS}[data-status=absent]"),
        ("#entrant-list [data-act=more]", "#sheet[open]"),
        ("⏎", "#sheet-name:focus"),
        ("Pauline Alpha⏎", f"{ROWS}:has-text('Pauline')"),
        ("⏎", "#sheet[open]"),
        ("#sheet [data-act=penalise]", "#sheet-points"),
        ("x⏎", "#sheet .told:not(:empty)"),
        ("⎋", "!#sheet[open]"),
        ("#members [data-act=member]", "#sheet[open]"),
        ("#sheet [value=also-0]", "#members-title:has-text('4')"),
        ("#undo", "#undone:not(:empty)"),
    )


async def test_focus_is_never_lost_while_a_round_is_drawn_and_played(laptop: Page) -> None:
    page = laptop
    await registered(page, "acc", 4)
    await walk(
        page,
        ("#steps .first", "#steps [data-act=start]:focus"),
        ("#round [data-act=cancel]", "#sheet[open]"),
        ("Erreur⏎", "#steps [data-act=draw]:focus"),
        ("#round [data-act=seat]", "#sheet[open]"),
        ("#sheet .first", "#steps [data-act=start]:focus"),
        ("#round [data-act=announce]", "#sheet[open]"),
        ("5⏎", "#round .keys .note"),
        ("⏎", "#sheet[open]"),
        ("#sheet [value=also-0]", "!#round .keys .note"),
        ("#steps .first", "#entry-table:focus"),
        ("1⏎90⏎", "#settled [data-act=open]"),
        ("#entry-table › 2⏎90⏎", "#steps [data-act=draw]"),
        ("#settled [data-act=open]", "#sheet[open]"),
        ("#sheet [value=also-1]", "#sheet [name=sheet-entrant]"),
        ("#sheet-reason › Mal lu⏎", "#calls [data-act=settle]"),
        ("#calls [data-act=settle]", "#sheet[open]"),
        ("⎋", "!#sheet[open]"),
        ("⏎", "#sheet[open]"),
        ("#sheet-reason › Vu⏎", "#steps [data-act=draw]:focus"),
    )
    await organise(page, "call_official", entrant=1)
    await organise(page, "call_official", entrant=2)
    await walk(
        page,
        ("#calls [data-act=answer]", "!#calls [data-entrant='1']"),
        ("⏎", "#steps [data-act=draw]:focus"),
        ("#parts [data-part=competition]", "#settings [data-act=pause]"),
        ("#settings [data-act=pause]", "#sheet[open]"),
        ("Souper⏎", "#steps [data-act=resume]:focus"),
        ("⏎", "#steps [data-act=draw]:focus"),
        ("#settings [data-act=tables]", "#sheet[open]"),
        ("57⏎", "#settings b:text-is('57')"),
        ("#settings [data-act=missing]", "#sheet[open]"),
        ("⎋", "!#sheet[open]"),
        ("#parts [data-part=round]", "#round"),
        ("#round [data-act=draw]", "#steps [data-act=start]:focus"),
        ("⏎", "#entry-table:focus"),
        ("1⏎90⏎", "#entered [data-state=kept] >> nth=2"),
        ("#parts [data-part=round]", "#round"),
        ("#round [data-act=draw]", "#sure[open]"),
        ("⎋", "!#sure[open]"),
        ("⏎", "#sure[open]"),
        ("#sure .first", "#steps [data-act=start]:focus"),
    )


async def test_focus_is_never_lost_between_two_events_at_the_desk(laptop: Page) -> None:
    page = laptop
    await event(page, 'format = "round-robin"\ngames = 1\ncheck_pass = "on"', 4)
    await walk(
        page,
        ("1⏎90⏎", "#settled [data-act=open]"),
        ("#parts [data-part=competition]", "#settings [data-act=end]"),
        ("#settings [data-act=end]", "#steps [data-act=to-entry]:focus"),
        ("⏎", "#entry-table:focus"),
        ("2⏎80⏎", "#steps [data-act=to-pass]"),
        ("#steps .first", "#pass [data-act=check]:focus"),
        ("⏎", "#pass li:last-child:first-child"),
        ("#pass [data-act=open]", "#sheet[open]"),
        ("⎋", "!#sheet[open]"),
        ("#pass [data-act=check]", "#steps [data-act=to-medals]:focus"),
        ("⏎", "#medals [data-act=open]:focus"),
        ("⏎", "#sheet[open]"),
        ("⏎", "#medals [data-place='3'] .who"),
        ("⏎", "#sheet[open]"),
        ("⏎", "#medals [data-place='2'] .who"),
        ("⏎", "#sheet[open]"),
        ("⏎", "#steps [data-act=to-standings]:focus"),
        ("⏎", "#standings"),
        ("#parts [data-part=log]", "#log"),
        ("#steps [data-act=to-competition]", "#begin-name:focus"),
        ("Jeudi⏎", "#register-name:focus"),
        ("#parts [data-part=competition]", "#competitions [data-act=switch]"),
        ("#settings [data-act=new]", "#begin-name:focus"),
        ("#competitions [data-act=switch]", "#steps [data-act=to-standings]:focus"),
        ("#settings [data-act=lock]", "#pin:focus"),
        ("0000⏎", "#told:not(:empty)"),
        (f"{ORGANISER_PIN}⏎", "#steps [data-act=to-standings]:focus"),
    )


async def test_focus_is_never_lost_while_seeds_are_set(laptop: Page) -> None:
    page = laptop
    await registered(page, "single-elimination", 3)
    await walk(
        page,
        ("#parts [data-part=entrants]", "#seeds"),
        ("#seeds [data-act=seeds]", "#sheet[open]"),
        ("#sheet [data-act=down]", "#sheet li:nth-child(2):has-text('Joueur 1')"),
        ("⏎", "#sheet li:nth-child(3):has-text('Joueur 1')"),
        ("#sheet .first", "!#sheet[open]"),
        ("#undo", "#undone:not(:empty)"),
        ("#undo", f"{ROWS} [data-act=here]"),
        ("#steps .first", "#steps [data-act=start]:focus"),
        ("#parts [data-part=log]", "#log .undone"),
        ("#log [data-act=undo]", "#log .undone >> nth=2"),
    )
