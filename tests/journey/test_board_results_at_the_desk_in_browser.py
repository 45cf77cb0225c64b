"""Results that boards hand in, at the organiser's desk: unchecked, false, late, of others, of two boards."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from tests.support.axe import found
from tests.support.boards_at_the_desk import LOOKS, at_the_desk, save
from tests.support.catalogues import phrase
from tests.support.club_boards import ClubBoards, evening, key
from tests.support.halls import LOOSE, hall
from tests.support.organised import slip

from cribboard.competition.actions import DisputeByBoard, EndPlay, EnterResult, OpenPlace
from cribboard.competition.terms import GameAt, ResultSource
from cribd.club.board_status import LateResult, RecordShown
from cribd.club.record_check import RecordVerdict
from cribd.storage.outbox import PlayedFor

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]


async def test_the_desk_says_at_a_result_that_its_record_is_not_checked_or_why_it_is_wrong(
    tmp_path: Path, chromium: Browser
) -> None:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on, at_the_desk(chromium, on.origin) as page:
        await on.begin(LOOSE, 6)
        await on.draw()
        for table in (1, 2):
            await on.do(slip(table, 121, 90))
        first, second = (PlayedFor(on.now.uuid, 1, table, 1) for table in (1, 2))
        boards.show(records=(RecordShown(first), RecordShown(second)))
        await page.click("[data-part='results']")
        lines = page.locator("#settled .tables li")
        waits = phrase("page.desk.record.waits", "en")
        await expect(lines.filter(has_text=waits)).to_have_count(2)
        found = phrase("page.desk.record.other_scores", "en")
        boards.show(records=(RecordShown(second, "other_scores"),))
        await expect(lines.filter(has_text=waits)).to_have_count(0)
        await expect(lines.filter(has_text=found)).to_have_count(0)
        not_taken = RecordShown(PlayedFor(on.now.uuid, 1, 3, 1), "not_taken")
        boards.show(records=(RecordShown(second, "other_scores"), not_taken))
        said = phrase("page.desk.record.not_taken", "en")
        await expect(page.locator("#outstanding li", has_text=said)).to_have_count(1)
        await on.do(DisputeByBoard(GameAt(1, 2, 1), (121, 88), "link"))
        await expect(page.locator("#outstanding li", has_text=found)).to_have_count(1)
        top = page.locator("#calls li:not([data-key^=joins]) span")
        at = phrase("page.desk.at", "en", round=phrase("competition.round.number", "en", round=1), table=2)
        await expect(top).to_have_text(phrase("page.desk.disputed.board", "en", at=at))
        await page.click("#outstanding li [data-state='disputed']")
        await expect(page.locator("#sheet .note", has_text=found)).to_be_visible()


async def test_a_result_that_comes_once_all_is_open_is_said_on_top_with_what_counts_and_can_be_taken(
    tmp_path: Path, chromium: Browser
) -> None:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on, at_the_desk(chromium, on.origin) as page:
        await on.begin(LOOSE, 4)
        await on.draw()
        await on.do(slip(1, 121, 90), slip(2, 121, 95))
        await on.do(EndPlay())
        await on.do(*(OpenPlace(place) for place in range(on.now.organiser.next_place or 0, 0, -1)))
        place = PlayedFor(on.now.uuid, 1, 1, 1)
        boards.show(late=(LateResult(key(1), "link", place, (77, 121), (121, 90)),))
        at = phrase("page.desk.at", "en", round=phrase("competition.round.number", "en", round=1), table=1)
        said = [
            phrase("page.desk.late", "en", at=at, game=1, name="Érable", first=77, second=121),
            phrase("page.desk.late.stands", "en", first=121, second=90),
        ]
        await expect(page.locator("#calls li:not([data-key^=joins]) span").first).to_have_text(" ".join(said))
        await page.click("#calls [data-act='settle']")
        await page.fill("#sheet-first", "77")
        await page.fill("#sheet-second", "121")
        await page.fill("#sheet-reason", "late")
        await save(page)
        assert on.now.organiser.rounds[0].tables[0].results[0].scores == (77, 121)
        boards.show(late=())
        await expect(page.locator("#calls")).to_be_hidden()


async def test_a_record_that_does_not_bear_its_result_out_is_said_on_top_in_words(
    tmp_path: Path, chromium: Browser
) -> None:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on, at_the_desk(chromium, on.origin) as page:
        await on.begin(LOOSE, 4)
        await on.draw()
        at = GameAt(1, 2, 1)
        await on.do(EnterResult(at=at, scores=(121, 90), source=ResultSource.BOARD, record="one"))
        await on.do(DisputeByBoard(at, (121, 90), "one"))
        place = phrase("page.desk.at", "en", round=phrase("competition.round.number", "en", round=1), table=2)
        for verdict in set(RecordVerdict) - {RecordVerdict.SOUND, RecordVerdict.NO_EVENT}:
            boards.show(records=(RecordShown(PlayedFor(on.now.uuid, 1, 2, 1), verdict),))
            why = phrase(f"page.desk.record.{verdict}", "en")
            said = phrase("page.desk.disputed.record", "en", at=place, game=1, why=why)
            await expect(page.locator("#calls li:not([data-key^=joins]) span").first).to_have_text(said)


async def test_a_result_of_two_who_are_not_seated_there_is_said_on_top_with_their_names(
    tmp_path: Path, chromium: Browser
) -> None:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on, at_the_desk(chromium, on.origin) as page:
        await on.begin(LOOSE, 4)
        await on.draw()
        boards.show(late=(LateResult(key(1), "link", PlayedFor(on.now.uuid, 3, 4, 1), (121, 96), None, (2, 9)),))
        at = phrase("page.desk.at", "en", round=phrase("competition.round.number", "en", round=3), table=4)
        two = {"one": on.now.organiser.entrants[1].name, "other": 9}  # the backup was made before the ninth came
        said = phrase("page.desk.unseated", "en", at=at, game=1, name="Érable", first=121, second=96, **two)
        await expect(page.locator("#calls li:not([data-key^=joins]) span").first).to_have_text(said)
        await expect(page.locator("#calls button")).to_have_count(1)


@pytest.mark.parametrize(("look", "language"), [("laptop", "fr_CA"), ("phone", "en")])
async def test_the_line_of_a_late_result_is_dismissed_once_the_desk_has_asked_and_the_other_lines_stay(
    tmp_path: Path, chromium: Browser, look: str, language: str
) -> None:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on, at_the_desk(chromium, on.origin, **LOOKS[look]) as page:
        await on.begin(LOOSE, 4)
        await on.draw()
        first, second = (
            LateResult(key(1), link, PlayedFor(on.now.uuid, 1, 1, 1), (77, 121), (121, 90)) for link in ("one", "two")
        )
        boards.show(late=(first, second))
        lines = page.locator("#calls li")
        await expect(lines).to_have_count(2)
        before = on.now
        dismiss = phrase("page.desk.late.dismiss", language)
        button = page.locator(f"#calls [data-key='late {first.id}'] [data-act='dismiss']")
        await expect(button).to_have_text(f"{dismiss}…")
        await button.click()
        await expect(page.locator("#sheet .note")).to_have_text(phrase("page.desk.late.dismiss.how", language))
        assert "\n".join(await found(page, "dismiss")) == ""
        await page.keyboard.press("Escape")
        assert boards.asked == []
        await button.click()
        await save(page)
        await expect(lines).to_have_count(1)
        assert boards.asked == [("dismiss", first.id)]
        assert boards.snapshot.late == (second,)
        assert on.now == before


async def test_different_results_of_two_boards_for_one_game_are_both_said_until_one_is_chosen(
    tmp_path: Path, chromium: Browser
) -> None:
    async with hall(tmp_path, boards=ClubBoards(evening())) as on, at_the_desk(chromium, on.origin) as page:
        await on.begin(LOOSE, 4)
        await on.draw()
        at = GameAt(1, 2, 1)
        await on.do(EnterResult(at=at, scores=(121, 90), source=ResultSource.BOARD, record="one"))
        await on.do(DisputeByBoard(at, (77, 121), "other"))
        place = phrase("page.desk.at", "en", round=phrase("competition.round.number", "en", round=1), table=2)
        said = phrase("page.desk.disputed.boards", "en", at=place, game=1, first="121–90", second="77–121")
        await expect(page.locator("#calls li:not([data-key^=joins]) span").first).to_have_text(said)
        await page.click("#calls [data-act='settle']")
        notes = page.locator("#sheet .note")
        for code, first, second in (("entered", 121, 90), ("boards", 77, 121)):
            says = phrase(f"page.desk.result.{code}", "en", first=first, second=second)
            await expect(notes.filter(has_text=says)).to_have_count(1)
