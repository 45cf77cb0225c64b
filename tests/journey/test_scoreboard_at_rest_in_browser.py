"""The scoreboard when nobody plays: results, best hands, and the way to start."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from playwright.async_api import Browser, Route, expect
from tests.support.browser import resize
from tests.support.catalogues import phrase
from tests.support.kept_games import game_of, keep
from tests.support.phases import SIZES, exhibition
from tests.support.scoreboard import BLUE, CUT_TEXT, LONG, MINUTE_MS, PAST_THE_FRAME, RED, says, screen
from tests.support.sweeps import by_turns
from tests.support.visitors import stand_still

from cribboard import RULES
from cribboard.actions import AcceptResult, NameDealer, ReleasePeg, TakePegInHand
from cribboard.record import Heading, Record
from cribboard.rules import Way
from cribd.table.snapshot import Lobby, Snapshot

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]


def ended(blue: int, red: int, *, names: tuple[str, ...] = ("Maude", "Réjean")) -> Record:
    """A trusted game that ended so."""
    heading = Heading(rules=RULES["six-card"], way=Way.TRUST, names=names, date="2026-02-14")
    game = heading.begin()
    game.do(NameDealer(BLUE))
    for side, points in sorted(((BLUE, blue), (RED, red)), key=lambda each: each[1]):
        for _ in range(points // 20):
            game.do(TakePegInHand(side, 20))
            game.do(ReleasePeg(side))
        if points % 20:
            game.do(TakePegInHand(side, points % 20))
            game.do(ReleasePeg(side))
    for side in (BLUE, RED):
        game.do(AcceptResult(side))
    return Record(heading, game.log)


async def test_results_stand_in_columns_whatever_they_are(tmp_path: Path, chromium: Browser) -> None:
    """A skunk, a score of one figure, the star of the winner: none of them moves a number of another row."""
    ends = ((121, 0), (9, 121), (121, 120), (98, 121))
    async with exhibition(tmp_path) as pages:
        keep(tmp_path / "journal.db", [ended(*end) for end in ends])
        pages.show(Snapshot(mode=Lobby.START, ended=len(ends)))
        async with screen(chromium, pages.origin) as page:
            for size, side in product(SIZES.values(), (BLUE, RED)):
                await resize(page, *size)
                await page.reload()
                await expect(page.locator(".results li")).to_have_count(len(ends))
                assert await page.locator(".results small:not(:empty)").count() == 2
                scores = page.locator(f".results li > span:nth-child({side + 1})")
                boxes = [await each.bounding_box() for each in await scores.all()]
                numbers = [await each.bounding_box() for each in await scores.locator("b").all()]
                assert len({round(box["x"]) for box in boxes if box}) == 1
                assert len({round(box["x"] + box["width"]) for box in numbers if box}) == 1


async def test_between_games_the_scoreboard_shows_results_best_hands_and_how_to_start(
    tmp_path: Path, chromium: Browser
) -> None:
    async with exhibition(tmp_path, played=True, host="192.168.1.20") as pages:
        pages.show(Snapshot(mode=Lobby.START))
        async with screen(chromium, pages.origin) as page:
            await expect(page.locator(".results li")).to_have_count(4)
            await says(page.locator(".results"), "Jean-Guy")
            points = [int(each) for each in await page.locator(".best li > b").all_inner_texts()]
            assert points == sorted(points, reverse=True)
            await says(page.locator(".start"), phrase("page.score.start"))
            assert await page.locator(".code svg").is_visible()
            await says(page.locator(".invite"), "192.168.1.20")


async def test_an_answer_that_was_none_is_asked_for_again_soon(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path, played=True) as pages:
        pages.show(Snapshot(mode=Lobby.START))
        async with screen(chromium, pages.origin) as page:
            await expect(page.locator(".results li")).to_have_count(4)

            async def refuse(route: Route) -> None:
                await route.fulfill(status=503, content_type="application/json", body='{"busy": true}')

            await page.route("**/games/today", refuse, times=1)
            await stand_still(page)
            async with page.expect_response("**/games/today") as refusal:
                pages.show(Snapshot(mode=Lobby.START, ended=7))
            assert (await refusal.value).status == 503
            await expect(page.locator(".results li")).to_have_count(4)
            async with page.expect_response("**/games/today") as answer:
                for _ in range(10):  # what was answered is asked for again after half an hour
                    if not answer.is_done():
                        await page.clock.run_for(MINUTE_MS // 2)
            assert (await answer.value).status == 200
            await expect(page.locator(".results li")).to_have_count(4)


@pytest.mark.sweep
@pytest.mark.parametrize("evening", ["skunks", "long", "three"])
async def test_at_rest_all_names_are_whole_and_nothing_passes_the_frame(
    tmp_path: Path, chromium: Browser, evening: str
) -> None:
    """In two sizes each, by turns: the page is loaded anew for each."""
    sizes = [size for each, size in by_turns(["skunks", "long", "three"], [*SIZES], each=2) if each == evening]
    if evening == "three":
        rules = RULES["three-player"]
        games = [game_of("Aline", "Jean-François", "Geneviève", seed=seed, rules=rules) for seed in range(5)]
    elif evening == "long":
        games = [*(ended(0, 121, names=LONG[:2]) for _ in range(4)), game_of(*LONG[:2], seed=3)]
    else:
        games = [ended(0, 121) for _ in range(5)]
    keep(tmp_path / "journal.db", games)
    async with exhibition(tmp_path, sides=3 if evening == "three" else 2, host="192.168.1.20") as pages:
        pages.show(Snapshot(mode=Lobby.START))
        async with screen(chromium, pages.origin, "/?language=fr") as page:
            for size in sizes:
                await resize(page, *SIZES[size])
                await page.reload()
                await page.locator(".results li").first.wait_for()
                await page.locator(".code svg").wait_for()
                rows = await page.locator(".results li").count()
                assert rows == 5 if evening == "skunks" else rows >= 4
                assert await page.evaluate(CUT_TEXT) == []
                assert await page.evaluate(PAST_THE_FRAME) == []
                assert await page.locator(".best").count() == (0 if evening == "skunks" else 1)
                if evening == "skunks" and size != "390x844":
                    gap = """() => document.querySelector('.invite').getBoundingClientRect().left
                      - document.querySelector('.results').getBoundingClientRect().right"""
                    assert await page.evaluate(gap) < 100, "no column is left empty"


async def test_the_scoreboard_of_an_unused_board_is_complete(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages:
        pages.show(Snapshot(mode=Lobby.START))
        async with screen(chromium, pages.origin) as page:
            await expect(page.locator("#rest .fan .face")).to_have_count(5)
            assert await page.locator(".results, .best, .code").count() == 0
            await says(page.locator(".invite"), phrase("page.score.no_phone"))


async def test_open_help_closes_after_some_minutes(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages, screen(chromium, pages.origin) as page:
        await stand_still(page)
        await page.locator("#help").click()
        await page.clock.run_for(MINUTE_MS)
        await page.keyboard.press("ArrowDown")
        await page.clock.run_for(MINUTE_MS)
        assert await page.locator("#explained").is_visible(), "somebody reads on"
        await page.clock.run_for(MINUTE_MS)
        assert await page.locator("#explained").is_hidden()
