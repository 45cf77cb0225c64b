"""`/event` in a real browser: the hall's screen from the first guest to the podium, for 2 to 64 entrants."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect
from tests.support.browser import TURN_TO
from tests.support.catalogues import phrase
from tests.support.competitions import seated
from tests.support.halls import (
    LOOSE,
    MOMENTS,
    SCENES,
    SEALED,
    Hall,
    hall,
    keep_what_comes,
    name,
    turned,
)
from tests.support.scoreboard import MINUTE_MS, says, screen

from cribboard.competition.actions import (
    AnswerCall,
    CallOfficial,
    CheckIn,
    DrawRound,
    EnterResult,
    OpenPlace,
    Pause,
    Register,
    Resume,
    StartRound,
    UndoCompetitionAct,
)
from cribboard.competition.terms import GameAt
from cribd.table.snapshot import Snapshot

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def on(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hall]:
    async with hall(tmp_path_factory.mktemp("hall")) as served:
        yield served


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def tv(on: Hall, chromium: Browser) -> AsyncIterator[Page]:
    """The hall's screen. It ends without an error."""
    async with screen(chromium, on.origin, "/event?language=en") as page:
        yield page


async def shown(page: Page, scene: str) -> None:
    await page.wait_for_selector(f"body[data-scene='{scene}']")


async def names_on_all_pages(page: Page) -> list[str]:
    found: list[str] = []
    for _ in range(await turned(page)):
        found += await page.locator("#pages .who").all_inner_texts()
        await page.keyboard.press("ArrowRight")
    return found


async def seat(on: Hall, *pairs: tuple[int, int]) -> None:
    """The next round has these pairs, and starts."""
    await on.do(DrawRound(seated(*pairs)), StartRound())


async def enter(on: Hall, table: int, first: int, second: int) -> None:
    await on.do(EnterResult(at=GameAt(on.now.hall.round, table), scores=(first, second)))


# A day


async def test_before_the_start_it_says_who_has_come(on: Hall, tv: Page) -> None:
    await on.begin(LOOSE, 5, there=2, called="Tournoi de mars")
    await says(tv.locator("h1"), "Tournoi de mars")
    await says(tv.locator("#said"), phrase("page.hall.present", present=2, n=5))
    await says(tv.locator(".hero"), "Sunday, March 1, 2026")
    await says(
        tv.locator(".hero"),
        " · ".join(
            (phrase("competition.format.acc"), phrase("page.hall.games", n=9), phrase("page.hall.target", target=121))
        ),
    )
    await on.do(Register(name="<b>Zoé</b>"), CheckIn(3))
    await says(tv.locator("#said"), phrase("page.hall.present", present=3, n=6))
    await tv.keyboard.press("ArrowRight")
    await expect(tv.locator(".guests li")).to_have_count(6)
    await expect(tv.locator(".guests .there")).to_have_count(3)
    assert await tv.locator(".guests b", has_text="Zoé").count() == 0, "a name is a name whatever is in it"


async def test_a_start_is_counted_down_by_the_clock_of_the_board(on: Hall, tv: Page) -> None:
    await on.begin(LOOSE, 4, there=3)
    await expect(tv.locator("#countdown")).to_be_hidden()
    await on.announce(10)
    left = tv.locator("#countdown b")
    await expect(left).to_be_visible()
    minutes, seconds = (await left.inner_text()).split(":")
    assert 590 <= 60 * int(minutes) + int(seconds) <= 600
    await on.announce(-1)
    await says(tv.locator("#countdown"), phrase("page.hall.any_moment"))


async def test_a_drawn_round_says_who_sits_where(on: Hall, tv: Page) -> None:
    await on.begin(LOOSE, 5)
    await on.draw(start=False)
    await shown(tv, "drawn")
    await says(tv.locator("#title"), phrase("page.hall.title.of_round", round=1))
    tables = on.now.hall.tables
    for table in tables:
        card = tv.locator(".table", has=tv.locator(f".number:has-text('{table.table}')"))
        assert await card.locator(".who").all_inner_texts() == [name(number) for number in table.entrants]
    await says(tv.locator(".table.alone"), name(on.now.hall.byes[0]))
    await says(tv.locator(".table.alone"), phrase("page.hall.bye"))


#: The names of the page that stands, and the number of the table of each.
ON_THIS_PAGE = """() => Object.fromEntries([...document.querySelectorAll('.names li')].map((row) =>
  [row.querySelector('.who').innerText, row.querySelector('b').innerText.split(/\\s/).at(-1)]))"""


async def test_many_find_their_table_by_their_name(on: Hall, tv: Page) -> None:
    await on.begin(LOOSE, 64)
    await on.draw(start=False)
    await tv.wait_for_selector("body[data-scene='drawn'] .names li")
    seats: dict[str, str] = {}
    for _ in range(await turned(tv)):
        seats |= await tv.evaluate(ON_THIS_PAGE)  # at once: pages also turn by themselves
        await tv.keyboard.press("ArrowRight")
    assert seats == {name(n): str(table.table) for table in on.now.hall.tables for n in table.entrants}
    sorting = "(names) => [...names].sort(new Intl.Collator('en').compare)"
    assert [*seats] == await tv.evaluate(sorting, [*seats])


async def test_a_result_is_there_at_once(on: Hall, tv: Page) -> None:
    await on.begin(LOOSE, 8)
    await seat(on, (1, 2), (3, 4), (5, 6), (7, 8))
    await says(tv.locator("#said"), phrase("page.hall.done", done=0, n=4))
    await enter(on, 2, 121, 98)
    await says(tv.locator("#said"), phrase("page.hall.still", n=3, tables="1, 3, and 4"))
    done = tv.locator(".table.done")
    await expect(done).to_have_count(1)
    assert [each.split()[-1] for each in await done.locator(".score").all_inner_texts()] == ["121", "98"]
    for table in (1, 3, 4):
        await enter(on, table, 121, 90 + table)
    await says(tv.locator("#said"), phrase("page.hall.all_done"))


async def test_standings_show_what_separates_level_entrants(on: Hall, tv: Page) -> None:
    await on.begin(LOOSE, 4)
    await seat(on, (1, 2), (3, 4))
    await enter(on, 1, 121, 100)
    await enter(on, 2, 121, 95)
    await says(tv.locator("#said"), phrase("page.hall.all_done"))
    await tv.keyboard.press("ArrowRight")
    rows = tv.locator(".standings tbody tr")
    await expect(rows).to_have_count(4)
    assert await rows.locator(".who").all_inner_texts() == [name(3), name(1), name(2), name(4)]
    assert await rows.first.locator(".amount").all_inner_texts() == ["2", "1", "26", "26"]
    assert await tv.locator(".standings .frames").all_inner_texts() == ["26", "21", "−21", "−26"]
    await says(tv.locator(".standings .why"), "Framed")


async def test_a_pause_shows_its_reason(on: Hall, tv: Page) -> None:
    await on.begin(LOOSE, 4)
    await on.draw()
    await on.do(Pause("On mange dans la salle du fond"))
    await says(tv.locator(".hero"), "On mange dans la salle du fond")
    await on.do(Resume())
    await shown(tv, "round")


async def test_a_call_for_an_official_names_the_table(on: Hall, tv: Page) -> None:
    await on.begin(LOOSE, 4)
    await seat(on, (1, 2), (3, 4))
    await on.do(CallOfficial(4))
    await says(tv.locator("#marks"), phrase("page.hall.call_at", table=2))
    await on.do(AnswerCall(4))
    await expect(tv.locator("#marks li")).to_have_count(0)


# Pages


async def test_pages_turn_by_themselves_and_by_hand(on: Hall, tv: Page) -> None:
    await on.begin(LOOSE, 64)
    await on.draw(start=False)
    await shown(tv, "drawn")
    leaf = tv.locator("#leaf")
    await says(leaf, phrase("page.hall.leaf", at=1, of=4))
    await tv.clock.run_for(7500)
    await says(leaf, phrase("page.hall.leaf", at=1, of=4))
    await tv.clock.run_for(2600)
    await says(leaf, phrase("page.hall.leaf", at=2, of=4))
    await tv.keyboard.press("PageUp")
    await says(leaf, phrase("page.hall.leaf", at=1, of=4))
    await tv.locator("#pages").click(position={"x": 900, "y": 300})
    await says(leaf, phrase("page.hall.leaf", at=2, of=4))
    await tv.clock.run_for(20_000)
    await says(leaf, phrase("page.hall.leaf", at=2, of=4))
    await tv.keyboard.press("Space")
    await expect(tv.locator("#hold")).to_have_attribute("aria-pressed", "true")
    await tv.clock.run_for(20_000)
    await says(leaf, phrase("page.hall.leaf", at=2, of=4))
    await tv.locator("#hold").click()
    await tv.clock.run_for(10_100)
    await says(leaf, phrase("page.hall.leaf", at=3, of=4))


async def test_a_result_turns_no_page(on: Hall, tv: Page) -> None:
    await on.begin(LOOSE, 40)
    await on.draw()
    await shown(tv, "round")
    await says(tv.locator("#leaf"), phrase("page.hall.leaf", at=1, of=3))
    await expect(tv.locator(".tile")).to_have_count(20)
    await tv.keyboard.press("ArrowRight")
    await enter(on, 1, 121, 60)
    await says(tv.locator("#said"), phrase("page.hall.done", done=1, n=20))
    await says(tv.locator("#leaf"), "2 of")
    await expect(tv.locator(".table.done")).to_have_count(1)


@pytest.mark.long
async def test_the_hall_screen_moves_its_picture_against_burn_in(tv: Page) -> None:
    places = set()
    for _ in range(8):
        places.add(await tv.evaluate("getComputedStyle(document.querySelector('#all')).translate"))
        await tv.clock.run_for(2 * MINUTE_MS)
    assert len(places) == 8, "the whole page moves a little every two minutes"


@pytest.mark.parametrize("entrants", [2, 3, 9, 24, 64])
async def test_every_entrant_is_listed_however_many_play(on: Hall, tv: Page, entrants: int) -> None:
    await on.begin(LOOSE, entrants, called=f"Night of {entrants}")
    await on.draw()
    await says(tv.locator("h1"), f"Night of {entrants}")  # the evening before had a round too
    await shown(tv, "round")
    await says(tv.locator("#said"), f"0 of {entrants // 2}")
    assert sorted(await names_on_all_pages(tv)) == sorted(name(number) for number in range(1, entrants + 1))


# Medals


async def test_medals_are_opened_one_by_one_each_a_moment(on: Hall, tv: Page) -> None:
    await SCENES["played"](on)
    await shown(tv, "played")
    for place in (3, 2, 1):
        words = phrase(f"page.hall.place.{place}")
        await on.do(OpenPlace(place))
        moment = tv.locator("#moment")
        await says(moment.locator("h2"), words)
        entrant = next(standing.entrant for standing in on.now.hall.standings if standing.place == place)
        team = on.now.hall.entrants[entrant - 1]
        await expect(moment.locator(".who")).to_have_text(team.name)
        await says(moment, " · ".join(team.players))
        await says(tv.locator("#aloud"), f"{words}: {team.name}")
        assert await moment.locator(".confetti").count() == (place == 1)
        await tv.clock.run_for(9_100)
        await expect(moment).to_be_hidden()
        await expect(tv.locator(f".step[data-place='{place}'] .who")).to_have_text(team.name)
        await expect(tv.locator(".podium .step:not(.closed)")).to_have_count(4 - place)
    await shown(tv, "after")
    await tv.keyboard.press("ArrowRight")
    await expect(tv.locator(".standings tbody tr")).to_have_count(8)


async def test_a_later_visitor_sees_the_podium_without_the_ceremony(on: Hall, chromium: Browser) -> None:
    await SCENES["third"](on)
    async with screen(chromium, on.origin, "/event") as page:
        await expect(page.locator(".podium .step:not(.closed)")).to_have_count(1)
        await expect(page.locator("#moment")).to_be_hidden()


async def test_a_shared_place_has_all_its_names_and_an_undo_takes_it_back(on: Hall, tv: Page) -> None:
    play, opening = MOMENTS["moment_level"]
    await play(on)
    await shown(tv, "played")
    await says(tv.locator("h1"), "Ligue amicale")
    await on.do(opening)
    await expect(tv.locator("#moment .who")).to_have_count(3)
    await tv.locator("#moment").click()
    await expect(tv.locator("#moment")).to_be_hidden()
    await shown(tv, "after")
    await expect(tv.locator(".podium .who")).to_have_count(3)
    await on.do(UndoCompetitionAct())
    await expect(tv.locator(".podium")).to_have_count(0)


# The seal


async def test_the_page_receives_no_score_of_a_sealed_event(on: Hall, chromium: Browser) -> None:
    """Two evenings with the same winners and other scores: what comes and what is shown is the same."""
    payload: list[list[Any]] = []
    for low in (71, 83):
        async with screen(chromium, on.origin, "/event") as page:
            await on.begin(SEALED, 4, called="Mars")
            await keep_what_comes(page)
            seen: list[Any] = []
            await seat(on, (1, 2), (3, 4))
            for table in (1, 2):
                await enter(on, table, 121, low + table)
                await says(page.locator("#said"), "Table 2" if table == 1 else "Every")
                seen.append(await page.evaluate("[document.title, document.body.innerText]"))
            await on.end()
            await shown(page, "played")
            seen.append(await page.evaluate("document.documentElement.outerHTML"))
            came = [json.loads(each) for each in await page.evaluate("window.came")]
            payload.append([seen, came[-1] | {"competition": 0, "round_since": None}])
            for number in (121, low + 1, low + 2):
                assert f"{number}" not in json.dumps(
                    [each | {"rules": 0, "edition": "", "round_since": ""} for each in came]
                )
    assert payload[0] == payload[1]


# The board goes, and languages


@pytest.mark.long
async def test_after_a_lost_connection_the_page_shows_the_present_state(tmp_path: Path, chromium: Browser) -> None:
    async with AsyncExitStack() as living:
        first = await living.enter_async_context(hall(tmp_path))
        await SCENES["played"](first)
        page = await living.enter_async_context(screen(chromium, first.origin, "/event"))
        await shown(page, "played")
        await first.go_away()
        await expect(page.locator("#away")).to_be_visible()
        second = await living.enter_async_context(hall(tmp_path, port=first.port))
        await second.do(OpenPlace(3))
        await shown(page, "medals")
        await expect(page.locator("#away")).to_be_hidden()
        await expect(page.locator("#moment")).to_be_hidden()
        await expect(page.locator(".podium .step:not(.closed)")).to_have_count(1)
        await second.do(OpenPlace(2))
        await says(page.locator("#moment h2"), phrase("page.hall.place.2"))


async def test_the_hall_has_the_boards_language_unless_one_chooses_another(on: Hall, chromium: Browser) -> None:
    on.site.show(Snapshot(language="fr_CA"))
    await on.begin(LOOSE, 4)
    await on.draw()
    async with screen(chromium, on.origin, "/event") as page:
        await says(page.locator("#title"), phrase("page.hall.title.of_round", "fr_CA", round=1))
        assert await page.evaluate("document.documentElement.lang") == "fr-CA"
        await page.evaluate(TURN_TO, "en")
        await says(page.locator("#title"), phrase("page.hall.title.of_round", round=1))
        await enter(on, 1, 121, 90)
        await says(page.locator("#said"), phrase("page.hall.still", n=1, tables="2"))
    on.site.show(Snapshot())
