"""The games under way at the boards of a club, on the hall's screen and on a telephone; of a sealed event none.

And what a scoreboard says between rounds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from tests.support.axe import found
from tests.support.catalogues import phrase
from tests.support.club_boards import ClubBoards, evening, game, key, moment
from tests.support.halls import LOOSE, SEALED, Hall, hall
from tests.support.moments import moments
from tests.support.page_texts import TELEVISION
from tests.support.scoreboard import screen
from tests.support.sweeps import mostly_long
from tests.support.visitors import PHONE

from cribd.table.organiser_desk import WaitsForRound
from cribd.table.snapshot import Lobby, Snapshot

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

LOOKS = {"phone": PHONE | {"locale": "en-CA"}, "television": TELEVISION | {"locale": "fr-CA"}}


def play(on: Hall, boards: ClubBoards, table: int, *scores: int, away: bool = False) -> None:
    """Show the game at a table of this round."""
    seated = on.now.hall.tables[table - 1]
    names = tuple(on.now.hall.entrants[number - 1].name for number in seated.entrants)
    shown = game(on.now.uuid, table, names, scores, laid=("5H", "TD"), count=15, starter="JC")
    boards.change(key(table), game=shown, is_online=not away)


@pytest.mark.parametrize("look", mostly_long(LOOKS, every=2))
async def test_scores_and_pegs_move_at_the_tables_and_at_one_alone(
    tmp_path: Path, chromium: Browser, look: str
) -> None:
    boards = ClubBoards(evening())
    path = f"/event?language={LOOKS[look]['locale']}"
    async with hall(tmp_path, boards=boards) as on, screen(chromium, on.origin, path, **LOOKS[look]) as page:
        await on.begin(LOOSE, 8)
        await on.draw()
        play(on, boards, 1, 87, 102)
        now = page.locator(".table.live .score.now")
        await expect(now).to_have_text(["87", "102"])
        play(on, boards, 1, 87, 110)
        await expect(now).to_have_text(["87", "110"])
        left = page.locator(".table.live .track .front").last
        await expect(left).to_have_attribute("style", "left: 90.91%;")
        assert "\n".join(await found(page, "all")) == ""
        await page.click(".table.live a.number")
        await expect(page.locator("#sides .score b")).to_have_text(["87", "110"])
        assert await page.evaluate("location.pathname") == "/event/live/1"


@pytest.mark.parametrize("look", mostly_long(LOOKS, every=2))
async def test_a_table_full_screen_is_the_scoreboard_of_its_board(tmp_path: Path, chromium: Browser, look: str) -> None:
    boards, names = ClubBoards(evening()), ("Rita", "Marcel")
    path = f"/event/live/1?language={LOOKS[look]['locale']}"
    language = "en" if look == "phone" else "fr_CA"
    async with hall(tmp_path, boards=boards) as on, screen(chromium, on.origin, path, **LOOKS[look]) as page:
        await expect(page.locator("#rest .ask")).to_have_text(phrase("page.score.none", language, table=1))
        broken = await found(page, "none")
        await on.begin(LOOSE, 8)
        await on.draw()
        boards.change(key(1), game=moment("four-cards", on.now.uuid, names))
        await expect(page.locator(".side .name")).to_have_text(names)
        await expect(page.locator("#about")).to_contain_text(
            phrase("page.score.at", language, table=1, round=1, game=1)
        )
        await expect(page.locator(".side.acts .badge.acts")).to_have_text(phrase("page.score.acts", language))
        await expect(page.locator("#ask")).to_contain_text("Rita")
        await expect(page.locator("#said")).to_contain_text("Marcel")
        await expect(page.locator("#stage .count b")).to_have_text("24")
        assert await page.locator("#stage .laid .face").evaluate_all(
            "all => all.map(({ dataset }) => dataset.card)"
        ) == [*("5H", "TD", "5C", "4S")]
        await expect(page.locator("#board .peg.front[data-side='1']")).to_have_attribute("data-hole", "4")
        broken += await found(page, "play")
        boards.change(key(1), game=moment("hand-in-hand", on.now.uuid, names))
        await expect(page.locator("#board .peg.lifted:not([hidden])")).to_have_count(1)
        boards.change(key(1), game=moment("won-agreed", on.now.uuid, names))
        await expect(page.locator("#win h2")).to_have_text(phrase("page.score.wins", language, side="Rita"))
        broken += await found(page, "win")
        boards.change(key(1), game=None)  # both have said OK: the win stays, as at the board itself
        boards.change(key(2), game=moment("lead", on.now.uuid, names, table=2))
        await expect(page.locator("#win h2")).to_be_visible()
        boards.change(key(1), game=moment("cut", on.now.uuid, names))
        await expect(page.locator("#sides .score b")).to_have_text(["0", "0"])
        assert "\n".join(broken) == ""


async def test_a_table_full_screen_has_the_pins_the_count_and_the_wood_that_its_own_scoreboard_has(
    tmp_path: Path, chromium: Browser
) -> None:
    boards, names = ClubBoards(evening()), ("Rita", "Marcel")
    async with (
        hall(tmp_path, boards=boards) as on,
        screen(chromium, on.origin, "/event/live/1", **TELEVISION) as far,
        screen(chromium, on.origin, "/", **TELEVISION) as own,
    ):
        await on.begin(LOOSE, 8)
        await on.draw()
        for name in ("crib-too-few", "nearly-home"):
            on.site.show(replace(moments()[name], names=names))
            boards.change(key(1), game=moment(name, on.now.uuid, names))
            if name == "crib-too-few":
                await expect(far.locator("#stage .counted-steps li")).not_to_have_count(0)
            else:
                await expect(far.locator(".side .pins .won")).to_have_count(4)
            await expect(own.locator("#sides .score b").first).to_have_text(
                await far.locator("#sides .score b").first.inner_text()
            )
            for part in ("#sides", "#stage", "#board"):
                assert await far.locator(part).inner_html() == await own.locator(part).inner_html()
        boards.change(key(1), game=moment("nearly-home", on.now.uuid, names, board="classic"))
        track = "#board .spots[data-side='0'] circle"
        holes = await own.locator(track).count()
        await expect(far.locator(track)).to_have_count(
            holes - 2 * 60 + 2
        )  # two laps of 60 holes, and a lamp for the second
        await expect(far.locator("#board .peg.front[data-side='0']")).to_have_attribute("data-hole", "116")


async def test_the_hall_does_not_say_that_a_board_is_away(tmp_path: Path, chromium: Browser) -> None:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on, screen(chromium, on.origin, "/event") as page:
        await on.begin(LOOSE, 8)
        await on.draw()
        play(on, boards, 1, 87, 102)
        await expect(page.locator(".table.live .score.now")).to_have_text(["87", "102"])
        before = await page.inner_text("body")
        play(on, boards, 1, 87, 102, away=True)
        play(on, boards, 2, 4, 0)
        await expect(page.locator(".table.live")).to_have_count(2)
        assert before.splitlines()[0] in await page.inner_text("body")
        assert phrase("page.desk.boards.is_away", "en", since="").strip() not in await page.inner_text("body")


async def test_of_a_sealed_event_neither_the_hall_nor_a_table_shows_a_game(tmp_path: Path, chromium: Browser) -> None:
    boards = ClubBoards(evening())
    async with hall(tmp_path, boards=boards) as on, screen(chromium, on.origin, "/event/live/1") as page:
        await on.begin(SEALED, 8)
        await on.draw()
        play(on, boards, 1, 87, 102)
        await expect(page.locator("#rest .ask")).to_have_text(phrase("page.score.none", "en", table=1))
        await expect(page.locator("#rest .start")).to_have_text(phrase("page.score.none.sealed", "en"))
        await page.goto(f"{on.origin}/event")
        await page.wait_for_selector(".table")
        assert await page.locator(".table.live").count() == 0


async def test_between_rounds_the_scoreboard_says_who_sits_where_next_and_of_no_game_that_ok_starts(
    tmp_path: Path, chromium: Browser
) -> None:
    moves = (("Rita et Marcel", 2), ("Les As", 11))
    async with hall(tmp_path) as on, screen(chromium, on.origin, "/?language=fr", **TELEVISION) as page:
        on.site.show(Snapshot(mode=Lobby.AGAIN, waits=WaitsForRound(4, 2, moves)))
        await expect(page.locator("#rest .ask")).to_have_text(phrase("lobby.waits", "fr_CA", round=2))
        said = " · ".join(phrase("lobby.waits.move", "fr_CA", name=name, table=table) for name, table in moves)
        await expect(page.locator("#rest .start")).to_have_text(said)
