"""What the organiser sets at the desk beside results: the event, its rounds, seats and seeds, a start, level medals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import Page, expect
from tests.support.catalogues import phrase
from tests.support.organisers_laptop import (
    event,
    organise,
    press,
    registered,
    says,
    slip,
    state,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]


_SEEDED = "fetch('/desk/state').then((answer) => answer.json()).then(({ seeds }) => seeds.length)"


@pytest.mark.long
async def test_a_heading_without_a_name_or_a_number_of_tables_is_reported(laptop: Page) -> None:
    await registered(laptop, "acc", 2)
    await laptop.locator("#parts [data-part='competition']").click()
    await laptop.locator("#settings [data-act='games']").click()
    await laptop.keyboard.type("deux")
    await laptop.keyboard.press("Enter")
    await says(
        laptop,
        "#sheet .told",
        phrase("page.desk.number.wrong", "fr_CA", label=phrase("page.desk.games", "fr_CA"), value="deux"),
    )
    await laptop.keyboard.press("Escape")
    await laptop.locator("#settings [data-act='new']").click()
    await laptop.keyboard.press("Enter")
    await says(laptop, "#begin-message", phrase("page.desk.begin.nameless", "fr_CA"))
    await laptop.keyboard.type("Jeudi")
    for tables in ("0", "1000", "abc"):
        await laptop.locator("#begin-tables").fill(tables)
        await laptop.keyboard.press("Enter")
        await says(
            laptop, "#begin-message", phrase("page.desk.begin.tables", "fr_CA", label="Tables", most=300, value=tables)
        )
    assert (await state(laptop))["name"] == "Mardi"
    await laptop.locator("#begin-tables").fill("8")
    await laptop.keyboard.press("Enter")
    await says(laptop, "#competition-name", "Jeudi")


async def test_the_organiser_seats_a_round_by_hand(laptop: Page) -> None:
    await registered(laptop, {"format": "round-robin", "games": 2}, 5)
    await laptop.locator("#parts [data-part='round']").click()
    await press(laptop, "#round [data-act='seat']")
    await expect(laptop.locator("#sheet-table-1 select").first).to_be_focused()
    for table, pair in ((1, (4, 4)), (2, (1, 5))):
        for select, number in zip(await laptop.locator(f"#sheet-table-{table} select").all(), pair, strict=True):
            await select.select_option(f"{number}")
    await says(laptop, "#sheet .note[role=status]", phrase("page.desk.seat.idle", "fr_CA", names="Joueur 2, Joueur 3"))
    await press(laptop, "#sheet .first")
    await says(laptop, "#sheet .told", phrase("competition.refused.seated_twice", "fr_CA", entrant="Joueur 4"))
    await expect(laptop.locator("#sheet-table-1 select").last).to_be_focused()
    await laptop.keyboard.press("Home")
    await press(laptop, "#sheet .first")
    await says(laptop, "#sheet .told", phrase("page.desk.seat.half", "fr_CA", table=1))
    await laptop.locator("#sheet-table-1 select").last.focus()
    await laptop.keyboard.type("Joueur 2")
    await expect(laptop.locator("#sheet .told")).to_be_empty()
    await press(laptop, "#sheet .first")
    await says(laptop, "#due", phrase("page.desk.next.drawn", "fr_CA", round=1, n=2))
    drawn = await state(laptop)
    assert [(each["table"], each["entrants"]) for each in drawn["tables"]] == [(1, [4, 2]), (2, [1, 5])]
    assert (drawn["byes"], drawn["waiting"]) == ([3], [])


async def test_an_entrant_without_a_table_stays_waiting_when_another_takes_the_seat(laptop: Page) -> None:
    await registered(laptop, "round-robin", 6, tables=2)
    await laptop.locator("#parts [data-part='round']").click()
    await laptop.locator("#round [data-act='seat']").click()
    first = laptop.locator("#sheet-table-1 select").first
    await expect(first).to_be_focused()
    [one, other] = (await laptop.locator("#sheet [role=status]").inner_text()).split(": ")[1].split(", ")
    left = await first.locator("option:checked").inner_text()
    await first.select_option(label=one)
    await laptop.locator("#sheet .first").click()
    await says(laptop, "#due", phrase("page.desk.next.drawn", "fr_CA", round=1, n=2))
    drawn = await state(laptop)
    names = [drawn["entrants"][number - 1]["name"] for number in drawn["waiting"]]
    assert (names, drawn["byes"]) == ([other, left], [])


async def test_seeds_go_up_and_down_by_keyboard(laptop: Page) -> None:
    await registered(laptop, "single-elimination", 3)
    await laptop.locator("#parts [data-part='entrants']").click()
    await press(laptop, "#seeds button")
    down, up = (phrase(f"page.desk.seeds.{where}", "fr_CA", name="Joueur 1") for where in ("down", "up"))
    await expect(laptop.get_by_role("button", name=down)).to_be_focused()
    await laptop.keyboard.press("Enter")
    await expect(laptop.get_by_role("button", name=down)).to_be_focused()
    await laptop.keyboard.press("Enter")
    await expect(laptop.get_by_role("button", name=up)).to_be_focused()
    assert await laptop.locator(".seeds .who").all_inner_texts() == ["Joueur 2", "Joueur 3", "Joueur 1"]
    await press(laptop, "#sheet .first")
    await expect(laptop.locator("#sheet")).to_be_hidden()
    await laptop.wait_for_function(_SEEDED)
    assert (await state(laptop))["seeds"] == [2, 3, 1]
    await laptop.locator("#seeds button").click()
    await expect(laptop.locator("#sheet")).to_be_visible()
    await expect(laptop.locator(".seeds .who")).to_have_text(["Joueur 2", "Joueur 3", "Joueur 1"])
    await laptop.keyboard.press("Escape")


async def test_the_seeds_are_taken_from_the_places_of_an_event_that_is_over(laptop: Page) -> None:
    await event(laptop, {"format": "round-robin", "games": 1}, 2)
    await slip(laptop, "1 80 121" if (await state(laptop))["tables"][0]["entrants"] == [1, 2] else "1 121 80")
    await organise(laptop, "end_play")
    for place in (2, 1):
        await organise(laptop, "open_place", place=place)
    await registered(laptop, "single-elimination", 3)
    await laptop.locator("#parts [data-part='entrants']").click()
    await laptop.locator("#seeds button").click()
    await laptop.get_by_label(phrase("page.desk.seeds.from", "fr_CA")).select_option(index=1)
    await says(laptop, "#sheet [role=status]", phrase("page.desk.seeds.taken", "fr_CA", n=2, all=3))
    await expect(laptop.locator(".seeds .who")).to_have_text(["Joueur 2", "Joueur 1", "Joueur 3"])
    await laptop.locator("#sheet .first").click()
    await expect(laptop.locator("#sheet")).to_be_hidden()
    await laptop.wait_for_function(_SEEDED)
    assert (await state(laptop))["seeds"] == [2, 1, 3]


async def test_the_value_of_missing_games_is_shown_and_changed(laptop: Page) -> None:
    await registered(laptop, "acc", 2)
    await laptop.locator("#parts [data-part='competition']").click()
    missing = ".settings li:has([data-act='missing'])"
    await says(laptop, f"{missing} b", phrase("page.desk.missing.zero", "fr_CA"))
    await laptop.locator(f"{missing} button").click()
    await laptop.get_by_role("radio", name=phrase("competition.missing.average", "fr_CA")).check()
    await laptop.keyboard.press("Enter")
    await says(laptop, f"{missing} b", phrase("page.desk.missing.average", "fr_CA"))
    await laptop.locator(f"{missing} button").click()
    await expect(laptop.get_by_role("radio", name=phrase("competition.missing.average", "fr_CA"))).to_be_checked()
    await laptop.keyboard.press("Escape")


async def test_a_start_is_announced_in_minutes_and_taken_back(laptop: Page) -> None:
    await event(laptop, "acc", 4)
    await laptop.locator("#parts [data-part='round']").click()
    await laptop.get_by_role("button", name=phrase("page.desk.announce", "fr_CA") + "…").click()
    await laptop.keyboard.type("soon")
    await laptop.keyboard.press("Enter")
    await says(laptop, "dialog .told", phrase("page.desk.announce.allowed", "fr_CA", most=600))
    await laptop.locator("#sheet-minutes").fill("10")
    await laptop.keyboard.press("Enter")
    starts = phrase("page.hall.starts", "fr_CA", at="").strip()
    await says(laptop, "#round", starts)
    left = datetime.fromisoformat((await state(laptop))["starts"]) - datetime.now(UTC)
    assert timedelta(minutes=8) < left <= timedelta(minutes=10)
    await laptop.get_by_role("button", name=phrase("page.desk.announce", "fr_CA") + "…").click()
    await laptop.get_by_role("button", name=phrase("page.desk.announce.take_back", "fr_CA")).click()
    await expect(laptop.locator("dialog[open]")).to_have_count(0)
    await expect(laptop.locator("#round")).not_to_contain_text(starts)
    assert (await state(laptop))["starts"] == ""


async def test_the_end_of_play_is_asked_while_rounds_are_left(laptop: Page) -> None:
    await event(laptop, 'format = "round-robin"\ncheck_pass = "on"', 4)
    await organise(laptop, "enter_result", at="1/1", scores=[121, 98], source="board")
    await slip(laptop, "2 121 90")
    await laptop.locator("#parts [data-part='competition']").click()
    await laptop.get_by_role("button", name=phrase("page.desk.end_play", "fr_CA") + "…").click()
    await says(laptop, "#sheet", phrase("page.desk.end_play.left", "fr_CA", n=2))
    await laptop.keyboard.press("Escape")
    assert (await state(laptop))["phase"] == "play"
    await laptop.get_by_role("button", name=phrase("page.desk.end_play", "fr_CA") + "…").click()
    await laptop.keyboard.press("Enter")
    await expect(laptop.locator("#settings [data-act='end']")).to_be_hidden()
    assert (await state(laptop))["phase"] == "played"
    await laptop.locator("#parts [data-part='results']").click()
    await says(
        laptop,
        "#pass li",
        phrase("page.desk.pass.no_slip", "fr_CA", source=phrase("competition.source.board", "fr_CA")),
    )
    await expect(laptop.locator("#pass li").nth(1)).not_to_contain_text(
        phrase("page.desk.pass.no_slip", "fr_CA", source="").strip()
    )


async def test_the_consequences_of_an_act_are_shown_and_it_is_done_after_yes(laptop: Page) -> None:
    await event(laptop, "acc", 4)
    await laptop.locator("#parts [data-part='round']").click()
    draw = laptop.locator("#round [data-act='draw']")
    await draw.click()
    await says(laptop, "#sure", phrase("competition.asked.results_outstanding", "fr_CA", results=2))
    await laptop.keyboard.type("Jean")
    await laptop.keyboard.press("Enter")  # typed on by somebody who has not looked: it answers nothing
    await expect(laptop.locator("#sure")).to_be_visible()
    await laptop.keyboard.press("Escape")
    await says(laptop, "#refused", phrase("page.desk.sure.no", "fr_CA"))
    await expect(draw).to_be_focused()
    assert (await state(laptop))["round"] == 1
    await laptop.keyboard.press("Enter")
    await press(laptop, "#sure .first")
    await says(laptop, "#due", phrase("page.desk.next.drawn", "fr_CA", round=2, n=2))
    await laptop.locator("#parts [data-part='entrants']").click()
    await laptop.get_by_role("button", name="Joueur 1").locator("visible=true").last.click()
    await laptop.locator("#sheet [data-act='absent']").click()
    await laptop.locator("#sheet .first").click()
    second = phrase("competition.round.number", "fr_CA", round=2)
    await says(laptop, "#sure", phrase("competition.asked.cancels_round", "fr_CA", round=second))
    await laptop.locator("#sure .first").click()
    await expect(laptop.locator("#due")).not_to_contain_text(second.lower())
    assert (await state(laptop))["round"] == 1


async def test_a_level_medal_is_played_off_or_shared_before_any_place_can_be_opened(laptop: Page) -> None:
    level = 'format = "round-robin"\ngames = 1\nranking = "points"\nlevel_medals = "play_off"'
    await event(laptop, level, 4)
    for table in (1, 2):
        await slip(laptop, f"{table} 121 80")
    await organise(laptop, "end_play")
    await laptop.locator("#parts [data-part='medals']").click()
    await expect(laptop.locator("#medals [data-act='play-off']")).to_have_count(2)
    await expect(laptop.locator("#medals [data-act='open'], #medals [data-opened]")).to_have_count(0)
    await laptop.locator("#medals [data-act='play-off']").first.click()
    await says(laptop, "#due", phrase("page.desk.next.drawn.play_off", "fr_CA", n=2))
    await laptop.locator("#parts [data-part='round']").click()
    await says(laptop, "#round h2", phrase("competition.round.play_off", "fr_CA"))
    await laptop.locator("#parts [data-part='medals']").click()
    for table in (1, 2):
        await says(laptop, "#medals", phrase("page.desk.level.plays", "fr_CA", tables=table))
    await expect(laptop.locator("#medals [data-act='play-off'], #medals [data-act='share']")).to_have_count(0)
    await laptop.locator("#undo").click()
    await expect(laptop.locator("#medals [data-act='play-off']")).to_have_count(2)
    for group in (await state(laptop))["level"]:
        await organise(laptop, "share_medal", entrants=group["entrants"])
    await expect(laptop.locator("#medals [data-act='open']")).to_have_count(1)
