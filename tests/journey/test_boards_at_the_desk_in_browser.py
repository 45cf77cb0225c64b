"""The boards of the club at the organiser's desk, on a laptop and on a telephone: seen, seated, paused, replaced."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.async_api import Browser, expect
from tests.support.axe import found
from tests.support.boards_at_the_desk import LOOKS, about, act, at_the_desk, save
from tests.support.catalogues import phrase
from tests.support.club_boards import ClubBoards, evening, game, key, moment
from tests.support.halls import LOOSE, PIN, SEALED, hall
from tests.support.moments import moments
from tests.support.scoreboard import screen
from tests.support.sweeps import mostly_long

from cribboard.competition.actions import CallOfficial
from cribboard.competition.formats import Format
from cribd.storage.outbox import PlayedFor

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("look", mostly_long(LOOKS, every=2))
async def test_the_section_and_each_dialog_is_accessible(tmp_path: Path, chromium: Browser, look: str) -> None:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on, at_the_desk(chromium, on.origin, **LOOKS[look]) as page:
        broken = await found(page, "before an event")
        await on.begin(LOOSE, 8)
        await on.draw()
        boards.change(key(1), game=game(on.now.uuid, 1, ("Rita", "Paul"), (87, 102)))
        await boards.rehearse(running=True)
        boards.change(key(1), has_answered=True)
        await expect(page.locator(f"[data-key='{key(1)}'] .who")).to_contain_text("87–102")
        broken += await found(page, "in a round")
        for name in ("say", "swap", "slips", "remove"):
            await about(page, 1, name)
            broken += await found(page, name)
            await page.keyboard.press("Escape")
        await act(page, 4, "seat")
        broken += await found(page, "seat")
        assert "\n".join(broken) == ""


async def test_each_board_says_how_it_is(tmp_path: Path, chromium: Browser) -> None:
    async with hall(tmp_path, boards=ClubBoards(evening())) as on, at_the_desk(chromium, on.origin) as page:

        def row(board: int) -> Any:
            return expect(page.locator(f"[data-key='{key(board)}']"))

        await row(2).to_have_attribute("data-state", "away")
        await row(2).to_contain_text(phrase("page.desk.boards.backlog", "en", n=2))
        await row(3).to_contain_text(phrase("page.desk.boards.shows", "en", table=5))
        await row(4).to_contain_text(phrase("page.desk.boards.older", "en", release="0.0.9"))
        await row(5).to_contain_text("Reader is silent")
        await row(6).to_contain_text(phrase("page.desk.boards.newer", "en", release="0.3.0"))
        await row(6).to_contain_text(phrase("page.desk.boards.copied", "en"))
        await row(7).to_contain_text(phrase("page.desk.boards.too_old", "en", release="0.0.2"))
        await row(8).to_contain_text(phrase("page.desk.boards.is_unheard", "en"))
        warnings = [
            *(
                phrase(f"page.desk.boards.taken.{fate}", "en", name="Bouleau", round=2, table=table, game=1)
                for table, fate in ((2, "by_hand"), (3, "away"), (4, "slip"))
            ),
            phrase("page.desk.boards.disputed", "en", table=5, names="Cèdre, Orme"),
        ]
        await expect(page.locator("#boards .warning")).to_have_text(warnings)
        ends = phrase("page.desk.boards.taken.ends", "en", name="Bouleau", round=2, table=1, game=1)
        await expect(page.locator("#boards .note", has_text=ends)).to_be_visible()


@pytest.mark.parametrize(
    ("old", "game", "code"),
    [
        (1, "ends", "ends.how"),
        (1, "slip", "slip.how"),
        (2, "ends", "away"),
        (2, "anew", "anew.how"),
        (7, "ends", "by_hand"),
    ],
)
async def test_what_becomes_of_the_game_is_said_before_another_board_takes_the_place(
    tmp_path: Path, chromium: Browser, old: int, game: str, code: str
) -> None:
    boards = ClubBoards(evening())
    boards.change(key(7), table=7)
    async with hall(tmp_path, boards=boards) as on, at_the_desk(chromium, on.origin) as page:
        await about(page, old, "swap")
        await page.check(f"[value='{game}']")
        said = page.locator("#sheet [role='status']")
        await expect(said).to_have_text(phrase(f"page.desk.boards.swap.{code}", "en"))


async def test_a_board_that_plays_where_it_does_not_stand_any_more_is_said_and_can_be_swapped(
    tmp_path: Path, chromium: Browser
) -> None:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on, at_the_desk(chromium, on.origin) as page:
        boards.change(key(6), plays=PlayedFor(uuid4(), 1, 4, 1))
        await act(page, 4, "seat")
        await page.fill("#sheet-table", "4")
        said = page.locator("#sheet [role='status']")
        await expect(said).to_have_text(phrase("page.desk.boards.seat.plays", "en", name="Frêne"))
        await page.keyboard.press("Escape")
        await about(page, 6, "swap")
        await expect(page.locator("[value='anew']")).to_have_count(0)
        await page.check(f"[value='{key(4)}']")
        await save(page)
        assert boards.asked == [("swap", key(6), key(4), "slip")]


async def test_a_board_that_wants_to_join_is_said_in_every_part_of_the_desk(tmp_path: Path, chromium: Browser) -> None:
    async with hall(tmp_path, boards=ClubBoards(evening())) as on, at_the_desk(chromium, on.origin) as page:
        await expect(page.locator("#boards .joins h2")).to_be_visible()
        await expect(page.locator("#calls [data-act='to-boards']")).to_have_count(0)
        await page.click("#parts [data-part='competition']")
        await expect(page.locator("#boards .joins h2")).not_to_be_visible()
        await page.click("#calls [data-act='to-boards']")
        await expect(page.locator("#boards .joins h2")).to_be_visible()
        await expect(page.locator("#calls [data-act='to-boards']")).to_have_count(0)


async def test_the_board_that_is_the_hub_is_swapped_and_the_desk_says_why_it_is_not_removed(
    tmp_path: Path, chromium: Browser
) -> None:
    boards = ClubBoards(evening())
    boards.change(key(1), is_hub=True)
    async with hall(tmp_path, boards=boards) as on, at_the_desk(chromium, on.origin) as page:
        await act(page, 1, "more")
        await expect(page.locator("#sheet [data-act='remove']")).to_have_count(0)
        await expect(page.locator("#sheet .note")).to_have_text(phrase("page.desk.boards.remove.hub", "en"))
        await page.click("#sheet [data-act='swap']")
        await page.check(f"[value='{key(4)}']")
        await save(page)
        assert boards.asked == [("swap", key(1), key(4), "slip")]


async def test_the_board_that_is_proposed_for_a_place_is_a_spare_one(tmp_path: Path, chromium: Browser) -> None:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on, at_the_desk(chromium, on.origin) as page:
        await about(page, 1, "swap")
        offered = page.locator("#sheet [name='sheet-new']")
        await expect(offered.first).to_have_value(key(4))
        await expect(offered.first).to_be_checked()
        await expect(offered).to_have_count(len(boards.snapshot.boards) - 1)
        await save(page)
        assert boards.asked == [("swap", key(1), key(4), "slip")]


@pytest.mark.long
async def test_what_an_organiser_does_with_boards_is_asked_of_the_hub(tmp_path: Path, chromium: Browser) -> None:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on, at_the_desk(chromium, on.origin) as page:
        await page.click("#boards [data-act='accept']")
        await expect(page.locator("#boards .joins")).to_have_count(0)
        await act(page, 9, "seat")
        await page.fill("#sheet-table", "7")
        await save(page)
        await expect(page.locator(f"[data-key='{key(9)}'] .number")).to_contain_text("7")
        await about(page, 1, "pause")
        await expect(page.locator(f"[data-key='{key(1)}']")).to_contain_text(phrase("page.desk.boards.paused", "en"))
        await about(page, 1, "say")
        await page.fill("#sheet-text", "Lunch at noon")
        await save(page)
        await expect(page.locator(f"[data-key='{key(1)}']")).to_contain_text("Lunch at noon")
        await about(page, 1, "swap")
        await page.check(f"[value='{key(4)}']")
        await page.check("[value='ends']")
        await save(page)
        await expect(page.locator(f"[data-key='{key(4)}'] .number")).to_contain_text("1")
        await about(page, 2, "slips")
        await save(page)
        await about(page, 8, "remove")
        await save(page)
        await expect(page.locator(f"[data-key='{key(8)}']")).to_have_count(0)
        assert boards.asked == [
            ("accept", key(9)),
            ("seat", key(9), 7),
            ("pause", 1, True),
            ("say", key(1), "Lunch at noon"),
            ("swap", key(1), key(4), "ends"),
            ("slips", 2),
            ("remove", key(8)),
        ]


async def test_a_rehearsal_lists_who_has_not_pressed_ok(tmp_path: Path, chromium: Browser) -> None:
    boards = ClubBoards(evening())
    boards.show(boards=boards.snapshot.boards[:3])
    async with hall(tmp_path, boards=boards) as on, at_the_desk(chromium, on.origin) as page:
        await page.click("#boards [data-act='rehearse']")
        status = page.locator("#boards [role='status']")
        left = "page.desk.boards.rehearsal.left"
        await expect(status).to_contain_text(phrase(left, "en", names="Érable, Bouleau, Cèdre"))
        for board in (1, 3):
            boards.change(key(board), has_answered=True)
        await expect(status).to_contain_text(phrase(left, "en", names="Bouleau"))
        await page.press("#boards [data-act='quiet']", "Enter")
        await expect(page.locator("#boards [data-act='rehearse']")).to_be_visible()
        assert boards.asked == [("rehearse", True), ("rehearse", False)]


async def test_a_call_comes_with_the_position_and_its_ruling_goes_to_the_board(
    tmp_path: Path, chromium: Browser
) -> None:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on:
        await on.begin(LOOSE, 8)
        await on.draw()
        boards.change(key(1), game=moment("four-cards", on.now.uuid, ("Rita", "Paul")))
        first, second = (seated.entrants[0] for seated in on.now.hall.tables[:2])
        async with at_the_desk(chromium, on.origin) as page:
            await on.do(CallOfficial(first), CallOfficial(second))
            calls = page.locator("#calls")
            shown = calls.locator(f"[data-key='{first}'] .position")
            await expect(shown).to_contain_text(phrase("page.desk.boards.position", "en", deal=1, scores="0–4"))
            await expect(shown).to_contain_text("Rita: card or GO")
            await expect(shown).to_contain_text("Paul plays 4")
            await expect(shown).to_contain_text("= 24")
            assert await shown.locator(".chip").count() == 5
            await expect(calls.locator(f"[data-key='{second}'] small")).to_have_count(0)
            await page.click(f"#calls [data-key='{first}'] [data-act='rule']")
            await page.fill("#sheet-text", "The count stands")
            await save(page)
            await expect(calls.locator("li")).to_have_count(1)
            assert boards.asked == [("say", key(1), "The count stands")]
            assert on.now.organiser.calls == (second,)


async def test_a_call_at_a_board_that_the_desk_has_moved_since_has_the_position_and_the_ruling_of_that_board(
    tmp_path: Path, chromium: Browser
) -> None:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on:
        await on.begin(LOOSE, 8)
        await on.draw()
        shown = moment("four-cards", on.now.uuid, ("Rita", "Paul"))
        boards.change(key(1), table=None, calls=(0,), plays=PlayedFor(on.now.uuid, 1, 1, 1), game=shown)
        boards.change(key(4), table=1)
        caller = on.now.hall.tables[0].entrants[0]
        async with at_the_desk(chromium, on.origin) as page:
            await on.do(CallOfficial(caller))
            await expect(page.locator("#calls .position")).to_contain_text("Rita: card or GO")
            await page.click("#calls [data-act='rule']")
            await page.fill("#sheet-text", "The count stands")
            await save(page)
            await expect(page.locator("#calls li")).to_have_count(0)
            assert boards.asked == [("say", key(1), "The count stands")]


async def test_the_position_at_the_table_beside_the_desk_is_shown_for_no_other_call(
    tmp_path: Path, chromium: Browser
) -> None:
    async with hall(tmp_path, boards=ClubBoards(evening())) as on:
        await on.begin(LOOSE, 8)
        await on.draw()
        on.site.show(replace(moments()["four-cards"], names=("Rita", "Paul")))
        await on.owner.stand_at({"table": 4})
        far, near = (on.now.hall.tables[table - 1].entrants[0] for table in (2, 4))
        async with at_the_desk(chromium, on.origin) as page:
            await on.do(CallOfficial(far), CallOfficial(near))
            calls = page.locator("#calls")
            await expect(calls.locator(f"[data-key='{near}'] .position")).to_contain_text("Rita: card or GO")
            await expect(calls.locator(f"[data-key='{far}']")).to_be_visible()
            await expect(calls.locator(".position")).to_have_count(1)


@pytest.mark.parametrize(("event", "is_shown"), [(LOOSE, True), (SEALED, False)], ids=["open", "sealed"])
async def test_a_call_at_the_table_beside_the_desk_is_as_one_across_the_hall(
    tmp_path: Path, chromium: Browser, event: Format, is_shown: bool
) -> None:
    async with hall(tmp_path) as on:
        await on.begin(event, 8)
        await on.draw()
        on.site.show(replace(moments()["four-cards"], names=("Rita", "Paul")))
        await on.owner.stand_at({"table": 1})
        caller = on.now.hall.tables[0].entrants[0]
        async with screen(chromium, on.origin, "/desk", **LOOKS["phone"]) as page:
            await page.fill("#pin", PIN)
            await page.keyboard.press("Enter")
            await page.wait_for_selector("#parts:not([hidden])")
            await on.do(CallOfficial(caller))
            await page.wait_for_selector(f"#calls [data-key='{caller}'] [data-act='rule']")
            shown = page.locator("#calls .position")
            if is_shown:
                await expect(shown).to_contain_text("Rita: card or GO")
                assert await shown.locator(".chip").count() == 5
            await expect(shown).to_have_count(int(is_shown))
            await page.click("#calls [data-act='rule']")
            await page.fill("#sheet-text", "The count stands")
            await save(page)
            await expect(page.locator("#calls li")).to_have_count(0)
            assert on.owner.board_word == ("The count stands", 1)


async def test_where_no_club_runs_the_desk_has_no_such_section(tmp_path: Path, chromium: Browser) -> None:
    async with hall(tmp_path) as on, screen(chromium, on.origin, "/desk#boards", **LOOKS["phone"]) as page:
        await page.fill("#pin", PIN)
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#competition:not([hidden])")
        await on.begin(LOOSE, 8)
        await page.wait_for_selector("#parts:not([hidden])")
        await expect(page.locator("#parts [data-part='boards']")).to_be_hidden()
