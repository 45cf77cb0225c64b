"""Slips at the organiser's desk: in a row, wrong, corrected, taken back, from two laptops, past a killed board."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Page, expect
from tests.support.catalogues import phrase
from tests.support.organisers_laptop import (
    Hall,
    event,
    give_organisers_pin,
    laptop_at,
    no_answer_yet,
    organise,
    press,
    reach,
    registered,
    says,
    slip,
    state,
    unlock,
    values,
)

ROUND = phrase("competition.round.number", "fr_CA", round=1)

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.long
async def test_a_double_click_is_one_press(laptop: Page) -> None:
    await registered(laptop, "acc", 4)
    await laptop.locator("#steps .first").dblclick()
    await says(laptop, "#due", phrase("page.desk.next.drawn", "fr_CA", round=1, n=2))
    await laptop.locator("#steps .first").dblclick()
    await expect(laptop.locator("#outstanding .seat")).to_have_count(2)
    await expect(laptop.locator("#entry-table")).to_be_focused()
    for row in ("1 121 98", "2 121 97"):
        await slip(laptop, row)
    await expect(laptop.locator("#settled .seat")).to_have_count(2)
    await laptop.locator("#undo").dblclick()
    await says(laptop, "#undone", "Annulé :")
    assert [len(each["results"]) for each in (await state(laptop))["tables"]] == [1, 0], (
        "the second press takes back nothing"
    )
    await slip(laptop, "2 121 97")
    await laptop.locator("#parts [data-part='competition']").click()
    await expect(laptop.locator("#refused")).to_be_empty()


async def test_an_undone_act_is_named_until_the_next_act(laptop: Page) -> None:
    await event(laptop, "acc", 4)
    await slip(laptop, "1 121 98")
    await says(laptop, "#entered .how", phrase("page.desk.entry.kept", "fr_CA"))
    await laptop.locator("#undo").click()
    await says(laptop, "#undone", "Annulé :")
    await says(laptop, "#undone", phrase("page.desk.undo.next", "fr_CA", what="").strip())
    await expect(laptop.locator("#entered .how")).to_have_text("annulé")
    await laptop.locator("#entry-table").click()
    await slip(laptop, "1 121 90")
    await expect(laptop.locator("#undone")).to_be_empty()
    await registered(laptop, "acc", 2)
    await laptop.locator("#parts [data-part='entrants']").click()
    await laptop.locator("#register-here").uncheck()
    await laptop.locator("#register-name").fill("Alice")
    await laptop.keyboard.press("Enter")
    await says(laptop, "#register-message", phrase("page.desk.register.done", "fr_CA", name="Alice"))
    await laptop.locator("#undo").click()
    await expect(laptop.locator("#register-message")).to_be_empty()
    await laptop.locator("#register-here").check()


async def test_a_slip_of_a_table_without_a_due_game_is_reported_or_opens_the_result(laptop: Page) -> None:
    await event(laptop, "acc", 4)
    await laptop.keyboard.type("9 121 98")
    await laptop.keyboard.press("Enter")
    assert await values(laptop) == ["9", "121", "98"]
    await says(laptop, "#entry-message", phrase("page.desk.entry.no_table", "fr_CA", table=9, tables="1, 2"))
    await expect(laptop.locator("#entry-live")).to_be_empty()
    await laptop.keyboard.type("2")
    assert await values(laptop) == ["2", "121", "98"], "another table keeps the scores"
    await laptop.keyboard.press("Escape")
    await slip(laptop, "1 121 98")
    await expect(laptop.locator("#settled .seat")).to_have_count(1)
    await laptop.keyboard.type("1 121 89")
    await says(laptop, "#entry-live", phrase("page.desk.entry.there", "fr_CA"))
    await laptop.keyboard.press("Enter")
    await expect(laptop.locator("#sheet-second")).to_have_value("89")
    await laptop.get_by_role("button", name=phrase("page.desk.reason.misread", "fr_CA")).click()
    await laptop.keyboard.press("Enter")
    await expect(laptop.locator("#sheet")).to_be_hidden()
    await says(laptop, "#settled .seat", phrase("page.desk.corrected", "fr_CA"))
    await expect(laptop.locator("#entered .how")).to_have_text(phrase("page.desk.corrected", "fr_CA"))
    assert await values(laptop) == ["2", "", ""]


async def test_sixteen_slips_in_a_row_are_typed_without_waiting(laptop: Page) -> None:
    await event(laptop, "round-robin", 32, tables=16)
    for table in range(1, 17):
        await laptop.keyboard.type(f"{table} 121 {60 + table}\n" if table % 2 else f"{table}\n{60 + table}\n")
    await expect(laptop.locator("#outstanding")).to_be_hidden()
    tables = (await state(laptop))["tables"]
    expected = [[121, 60 + table] if table % 2 else [60 + table, 121] for table in range(1, 17)]
    assert [each["results"][0]["scores"] for each in tables] == expected
    await says(laptop, "#entered", "skunk")


async def test_a_wrong_slip_stays_in_the_row_and_says_what_is_allowed(laptop: Page) -> None:
    await event(laptop, "acc", 4)
    drawn = await state(laptop)
    name = drawn["entrants"][drawn["tables"][1]["entrants"][0] - 1]["name"]
    for row, words in {
        "2 121 121": phrase("competition.refused.both_at_target", "fr_CA", target=121),
        "2 130 98": phrase("competition.refused.score_out_of_range", "fr_CA", entrant=name, score=130, target=121),
        "2 *80 70": "",
        "1 12x": phrase("page.desk.entry.number", "fr_CA", value="12x", target=121),
        "7": phrase("page.desk.entry.no_table", "fr_CA", table=7, tables="1"),
    }.items():
        await laptop.keyboard.press("Escape")
        await slip(laptop, row)
        if words:
            await says(laptop, "#entry-message", words)
            assert [each for each in await values(laptop) if each] == row.split()
    assert [each["results"][0]["ending"] for each in (await state(laptop))["tables"] if each["results"]] == [
        "broken-off"
    ]
    await laptop.keyboard.press("Escape")


async def test_a_result_is_corrected_with_its_reason_and_taken_back_with_a_trace(laptop: Page) -> None:
    await event(laptop, "acc", 4)
    await slip(laptop, "1 121 98")
    await laptop.locator("#settled .seat").click()
    await reach(laptop, "#sheet-second")
    await laptop.keyboard.type("89")
    await laptop.keyboard.press("Enter")
    await says(laptop, "#sheet [role=alert]", phrase("page.desk.reason.missing", "fr_CA"))
    await laptop.get_by_role("button", name=phrase("page.desk.reason.misread", "fr_CA")).click()
    await laptop.keyboard.press("Enter")
    await expect(laptop.locator("#sheet")).to_be_hidden()
    await says(laptop, "#settled .seat", phrase("page.desk.corrected", "fr_CA"))
    [result] = (await state(laptop))["tables"][0]["results"]
    assert (result["scores"], result["corrections"][0]["scores"]) == ([121, 89], [121, 98])
    await laptop.keyboard.press("Control+Z")
    await expect(laptop.locator("#settled .seat")).not_to_contain_text(phrase("page.desk.corrected", "fr_CA"))
    await laptop.locator("#parts [data-part='log']").click()
    await says(laptop, ".lines .undone", "corrigé à 121 à 89")


async def test_only_the_result_that_is_seen_can_be_confirmed_or_disputed(laptop: Page) -> None:
    await event(laptop, "acc", 4)
    await slip(laptop, "1 121 98")
    await expect(laptop.locator("#settled .seat")).to_have_count(1)
    await slip(laptop, "1 87 121")
    await says(laptop, "#sheet", phrase("page.desk.result.entered", "fr_CA", first=121, second=98))
    confirm, dispute = (
        laptop.get_by_role("button", name=name, exact=True)
        for name in (phrase("page.desk.check", "fr_CA"), phrase("page.desk.dispute", "fr_CA"))
    )
    await expect(confirm).to_be_hidden()
    await expect(dispute).to_be_hidden()
    for side, score in (("first", "121"), ("second", "98")):
        await laptop.locator(f"#sheet-{side}").fill(score)
    await expect(dispute).to_be_visible()
    await confirm.click()
    await expect(laptop.locator("#settled .seat[data-state='checked']")).to_have_count(1)


async def test_a_dispute_is_shown_while_others_play_and_the_slip_of_its_table_opens_the_ruling(laptop: Page) -> None:
    await event(laptop, 'format = "round-robin"\nmeeting_games = 2', 4)
    await slip(laptop, "1 121 98\n")
    await expect(laptop.locator("#settled .seat")).to_have_count(1)
    at = {"round": 1, "table": 1, "game": 1}
    drawn = await state(laptop)
    one, other = drawn["tables"][0]["entrants"]
    await organise(laptop, "dispute_result", at=at, entrant=one, reason="mal lu")
    table = phrase("page.desk.at", "fr_CA", round=ROUND, table=1)
    names = {"first": drawn["entrants"][one - 1]["name"], "second": drawn["entrants"][other - 1]["name"]}
    await says(laptop, "#calls", phrase("page.desk.disputed", "fr_CA", at=table, **names))
    await laptop.locator("#calls [data-act='settle']").click()
    await says(laptop, "#sheet", phrase("page.desk.result.entered", "fr_CA", first=121, second=98))
    await laptop.keyboard.press("Escape")
    await laptop.locator("#entry-table").click()
    await laptop.keyboard.type("1 121 89 77")
    await says(laptop, "#entry-live", phrase("page.desk.entry.disputed", "fr_CA"))
    await laptop.keyboard.press("Enter")
    assert [await laptop.locator(f"#sheet-{side}").input_value() for side in ("first", "second")] == ["121", "89"]
    await laptop.locator("#sheet-reason").fill("feuillet relu")
    await laptop.keyboard.press("Enter")
    assert await values(laptop) == ["1", "77", "121"], "the second game of the slip stays in the row"
    await expect(laptop.locator("#calls")).to_be_hidden()
    await laptop.locator("#entry-table").click()
    await laptop.keyboard.press("Enter")
    await laptop.keyboard.press("Enter")
    await expect(laptop.locator("#settled .seat")).to_have_count(2)
    results = (await state(laptop))["tables"][0]["results"]
    assert [result["scores"] for result in results] == [[121, 89], [77, 121]]
    await organise(laptop, "dispute_by_board", at=at | {"game": 2}, scores=[79, 121], record="1f0c")
    await says(
        laptop,
        "#calls",
        phrase("page.desk.disputed.board", "fr_CA", at=table),
    )
    await laptop.locator("#calls [data-act='settle']").click()
    await says(laptop, "#sheet", phrase("page.desk.result.board", "fr_CA", first=79, second=121))
    await laptop.locator("#sheet-first").fill("79")
    await laptop.locator("#sheet-reason").fill("demandé aux joueurs")
    await laptop.keyboard.press("Enter")
    await expect(laptop.locator("#calls")).to_be_hidden()
    [_, ruled] = (await state(laptop))["tables"][0]["results"]
    assert (ruled["scores"], ruled["source"], ruled["record"]) == ([79, 121], "board", "1f0c")


async def test_typed_text_replaces_the_suggestion_of_the_row(laptop: Page) -> None:
    """A click or a refusal selects the table that is offered; Ctrl+Z is for the last act; a number pad has no space."""
    await event(laptop, "acc", 6)
    await slip(laptop, "1+121-98")
    await expect(laptop.locator("#settled .seat")).to_have_count(1)
    await laptop.locator("#entry-table").click()
    await laptop.keyboard.press("Control+Z")
    await expect(laptop.locator("#settled .seat")).to_have_count(0)
    await laptop.locator("#entry-table").click(click_count=2)
    await slip(laptop, "9 121 98")
    await says(laptop, "#entry-message", phrase("page.desk.entry.no_table", "fr_CA", table=9, tables="1, 2, 3"))
    await laptop.keyboard.type("2")
    assert (await values(laptop))[0] == "2"
    await laptop.keyboard.press("Tab")
    await laptop.keyboard.press("Shift+Tab")
    await laptop.locator("#entry-table").click()
    await laptop.keyboard.type("3")
    assert (await values(laptop))[0] == "3"
    await laptop.keyboard.press("Escape")
    await laptop.locator("#parts [data-part='competition']").click()
    await laptop.locator("#parts [data-part='results']").click()
    await laptop.locator("#entry-broken").focus()
    await slip_by_mouse(laptop, "2", "64")
    await laptop.locator("#entry-broken").focus()
    await laptop.keyboard.press("Control+Z")
    await expect(laptop.locator("#settled .seat")).to_have_count(0)


async def slip_by_mouse(page: Page, table: str, score: str) -> None:
    await page.locator("#entry-table").fill(table)
    await page.locator("#entry-0-0").fill(score)
    await page.locator("#entry button.first").dblclick()
    await expect(page.locator("#settled .seat")).to_have_count(1)
    await expect(page.locator("#entry-message")).to_be_empty()


async def test_slips_can_be_typed_while_a_ruling_is_being_sent(laptop: Page) -> None:
    await event(laptop, "acc", 8)
    await slip(laptop, "1 121 98")
    await expect(laptop.locator("#settled .seat")).to_have_count(1)
    async with no_answer_yet(laptop):
        await laptop.keyboard.type("1 121 121\n")
        await laptop.locator("#sheet-reason").fill("mal lu")
        await laptop.keyboard.type("\n2 121 77\n3 64\n4 1")
    await says(laptop, "#put-back", phrase("competition.refused.both_at_target", "fr_CA", target=121))
    await expect(laptop.locator("#settled .seat")).to_have_count(3)
    assert (await values(laptop))[:2] == ["4", "1"]
    await laptop.locator("#put-back [data-act='mend']").click()
    await expect(laptop.locator("#sheet-second")).to_have_value("121")
    await expect(laptop.locator("#sheet-reason")).to_have_value("mal lu")
    await laptop.keyboard.press("Escape")


@pytest.mark.long
async def test_two_games_are_one_visit_and_a_match_goes_on_until_it_is_decided(laptop: Page) -> None:
    await event(laptop, "jeux50", 10)
    await slip(laptop, "1 121 98 77")
    assert [each["scores"] for each in (await state(laptop))["tables"][0]["results"]] == [[121, 98], [77, 121]]
    await event(laptop, 'format = "round-robin"\nmeeting = "best_of"\nmeeting_games = 3', 2)
    await laptop.keyboard.type("1 121 98 70")
    await laptop.keyboard.press("Enter")
    assert await values(laptop) == ["1", "121", "98", "70", "121", "", ""], "one each: there is a third"
    await laptop.keyboard.type("121 110")
    await laptop.keyboard.press("Enter")
    await expect(laptop.locator("#outstanding")).to_be_hidden()
    [table] = (await state(laptop))["tables"]
    assert [each["scores"] for each in table["results"]] == [[121, 98], [70, 121], [121, 110]]
    assert table["winner"] == table["entrants"][0]


@pytest.mark.long
async def test_two_laptops_can_enter_results_of_one_table(laptop: Page, hall: Hall, chromium: Browser) -> None:
    await event(laptop, "acc", 4)
    async with laptop_at(hall, chromium) as other:
        await unlock(other)
        await other.locator("#entry-table").click()
        await laptop.keyboard.type("1 12")
        await slip(other, "1 121 98")
        await expect(laptop.locator("#settled .seat")).to_have_count(1)
        assert await values(laptop) == ["1", "12", ""], "a state that comes leaves what is typed"
        await laptop.keyboard.type("1 60")
        await laptop.keyboard.press("Enter")
        await says(
            laptop,
            "#entry-message",
            phrase(
                "competition.refused.result_exists",
                "fr_CA",
                scores=phrase("competition.scores", "fr_CA", first=121, second=98),
            ),
        )
        assert await values(laptop) == ["1", "121", "60"]
        await laptop.keyboard.press("Escape")
        await slip(laptop, "2 121 77")
        await expect(other.locator("#settled .seat")).to_have_count(2)
    assert [each["results"][0]["scores"] for each in (await state(laptop))["tables"]] == [[121, 98], [121, 77]]


@pytest.mark.long
async def test_slips_belong_to_the_event_for_which_they_were_typed(laptop: Page, hall: Hall) -> None:
    await event(laptop, "acc", 4)
    league = (await state(laptop))["competition"]
    await slip(laptop, "1 121 98")
    await laptop.keyboard.type("2 121")
    await event(laptop, "acc", 4)  # by another laptop
    assert (await state(laptop))["competition"] == league + 1
    await expect(laptop.locator("#entered li")).to_have_count(0)
    await slip(laptop, "1 121 77")
    await laptop.locator("#parts [data-part='competition']").click()
    await says(laptop, "#competitions [aria-current]", "affiché")
    await press(laptop, f"#competitions [data-key='{league}'] [data-act='switch']")
    await says(laptop, "#competitions [aria-current] .number", str(league))
    await laptop.locator("#parts [data-part='results']").click()
    await says(laptop, "#entered [data-state='kept']", "121 – 98")
    await says(laptop, "#entered [data-state='parked']", "121 – …")
    tables = (await state(laptop))["tables"]
    assert [[each["scores"] for each in table["results"]] for table in tables] == [[[121, 98]], []]
    await hall.kill()
    await laptop.locator("#away").wait_for()
    await hall.start()
    await give_organisers_pin(laptop)
    assert (await state(laptop))["competition"] == league
    await laptop.locator("#entered [data-act='mend']").click()
    assert (await values(laptop))[:2] == ["2", "121"]


async def test_typed_slips_survive_a_restart_of_the_board(laptop: Page, hall: Hall) -> None:
    await event(laptop, "acc", 6)
    await slip(laptop, "1 121 98")
    await hall.kill()
    await laptop.locator("#away").wait_for()
    await laptop.keyboard.type("2 121 87")
    await laptop.keyboard.press("Enter")
    await says(laptop, "#entered [data-state='sending']", phrase("page.away", "fr_CA"))
    await laptop.keyboard.type("3 64")
    await hall.start()
    await give_organisers_pin(laptop)
    await says(laptop, "#entered [data-state='kept']", "121 – 87")
    assert (await values(laptop))[:2] == ["3", "64"]
    await laptop.locator("#entry-0-0").press("Enter")
    await expect(laptop.locator("#outstanding")).to_be_hidden()
    scores = [each["results"][0]["scores"] for each in (await state(laptop))["tables"]]
    assert scores == [[121, 98], [121, 87], [64, 121]], "what was kept is there once, and nothing is lost"
