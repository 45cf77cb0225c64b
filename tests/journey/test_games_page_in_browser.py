"""Past games in a browser: found in the list, played again step by step, taken away as a record."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from tests.support.browser import TURN_TO
from tests.support.catalogues import phrase
from tests.support.journals import tamper
from tests.support.kept_games import game_of_the_docs, keep
from tests.support.visitors import (
    DESK,
    PHONE,
    PIN,
    Board,
    Visit,
    opened_at,
    stand_still,
    switched_on,
    visit,
)

from cribboard import record
from cribboard.rules import Way
from cribd.inputs import HolePressed, Input, Key, KeyPressed

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

BLUE, RED = 0, 1
OK = KeyPressed(Key.OK, BLUE), KeyPressed(Key.OK, RED)
AT_THE_CUT = phrase("page.games.cut", step=0, last="").strip()
#: Presses a key so many times, and looks before each: at the step that the page shows, the scores above the board, the
#: holes of the front pegs, the cards that are shown, and what moves.
LOOKED_AND_PRESSED = """([key, times]) => {
  const all = (what, read) => [...document.querySelectorAll(what)].map(read);
  return Array.from({ length: times }, () => {
    const seen = [[+document.querySelector('#place').value, all('#scores b', (score) => +score.innerText),
      all('#board .peg.front', (peg) => +peg.dataset.hole)],
      all('#shown [role=img]', (card) => card.ariaLabel), document.getAnimations().length];
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    return seen;
  });
}"""
#: A game that blue wins with one press of the game hole, after red has taken back what it pegged.
BLUE_WINS: list[Input] = [*[HolePressed(RED, 12)] * 3, KeyPressed(Key.UNDO), *[HolePressed(BLUE, 121)] * 3, *OK]
ONE_GAME: list[Input] = [OK[BLUE], OK[BLUE], *BLUE_WINS]


@pytest_asyncio.fixture(loop_scope="session")
async def board(tmp_path: Path, two_games: None) -> AsyncIterator[Board]:
    async with switched_on(tmp_path, way=Way.TRUST) as on:
        yield on


desk = opened_at("/games", **DESK)


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def quiet_board(tmp_path_factory: pytest.TempPathFactory, robots: Path) -> AsyncIterator[Board]:
    """A board with the same two games, on which no test plays."""
    folder = tmp_path_factory.mktemp("quiet")
    copytree(robots, folder, dirs_exist_ok=True, ignore=lambda *_: ["twin"])
    async with switched_on(folder, way=Way.TRUST) as on:
        yield on


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def reader(quiet_board: Board, chromium: Browser) -> AsyncIterator[Visit]:
    """Somebody who reads on the quiet board: each test opens what it reads."""
    async with visit(chromium, quiet_board, **DESK) as visitor:
        yield visitor


async def text(visit: Visit, selector: str) -> str:
    return (await visit.page.locator(selector).inner_text()).strip()


async def scores(visit: Visit) -> list[int]:
    """The scores as they stand above the board."""
    return [int(score) for score in await visit.page.locator("#scores b").all_inner_texts()]


async def place(visit: Visit) -> int:
    return int(await visit.page.locator("#place").input_value())


async def last(visit: Visit) -> int:
    return int(await visit.page.locator("#place").get_attribute("max") or 0)


async def focused(visit: Visit) -> Any:
    return await visit.page.evaluate("document.activeElement.dataset.game ?? document.activeElement.id")


# The list


async def test_the_list_says_who_won_and_leads_to_the_game_and_back(reader: Visit) -> None:
    await reader.open("/games")
    rows = reader.page.locator("a.game")
    assert [await row.get_attribute("href") for row in await rows.all()] == ["/games/2", "/games/1"]
    winner = await rows.first.locator(".won").inner_text()
    assert re.search(r"Robot [12]\s+121\s", winner)
    await rows.first.press("Enter")
    await reader.says("#who", "Robot 1 – Robot 2")
    assert reader.page.url.endswith("/games/2")
    assert await focused(reader) == "who", "a reader begins at the title"
    assert "Robot 1 – Robot 2" in await reader.page.title()
    await reader.page.get_by_role("link", name=phrase("page.games.all")).click()
    assert reader.page.url.endswith("/games")
    assert await focused(reader) == "2", "and finds the game again from which it came"
    await reader.page.go_back()
    await reader.page.locator("#replay").wait_for()
    await reader.page.go_back()
    await reader.page.locator("#past").wait_for()


async def test_a_game_has_an_address_of_its_own(reader: Visit) -> None:
    await reader.open("/games/1")
    await reader.says("#when", phrase("page.games.number", number=1))
    assert not await reader.page.locator("#past").is_visible()


async def test_without_finished_games_the_page_shows_that_there_are_none(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path) as board, visit(chromium, board) as opened:
        await opened.open("/games")
        await opened.says("#empty", phrase("page.games.none"))


async def test_a_game_that_ends_comes_into_the_list_by_itself(board: Board, desk: Visit) -> None:
    await board.post(*ONE_GAME)
    await desk.page.locator("[data-game='3']").wait_for()
    assert await desk.page.locator("a.game").count() == 3
    assert "Skunk" in await desk.page.locator("[data-game='3']").inner_text()


async def test_a_game_under_way_is_nowhere_to_be_found(board: Board, desk: Visit) -> None:
    await board.post(*ONE_GAME[:-1])
    await desk.open("/games/3")
    await desk.says("#broken", phrase("page.games.unknown", number=3))
    await desk.open("/games")
    assert await desk.page.locator("a.game").count() == 2


@pytest.mark.long
async def test_older_games_are_loaded_on_request(board: Board, chromium: Browser) -> None:
    for _ in range(20):
        await board.post(*ONE_GAME) if board.shown[-1].match_over or board.shown[-1].lobby == "start" else (
            await board.post(OK[BLUE], *BLUE_WINS)
        )
    async with visit(chromium, board) as opened:
        await opened.open("/games")
        assert await opened.page.locator("a.game").count() == 20
        await opened.page.get_by_role("button", name=phrase("page.games.older")).press("Enter")
        await opened.page.locator("[data-game='1']").wait_for()
        assert await opened.page.locator("a.game").count() == 22
        assert await focused(opened) == "2", "the first that came"
        assert not await opened.page.locator("#older").is_visible()


async def test_the_pin_shows_the_games_of_a_sealed_event(tmp_path: Path, chromium: Browser) -> None:
    keep(tmp_path / "journal.db", [game_of_the_docs()], sealed=(1,))
    async with (
        switched_on(tmp_path, way=Way.TRUST) as board,
        visit(chromium, board, **PHONE) as opened,
    ):
        await opened.open("/games")
        await opened.says("#sealed", phrase("page.games.sealed", n=1))
        assert "121" not in await opened.words(), "nothing of it is told"
        assert not await opened.page.locator("#empty").is_visible()
        note = await opened.page.locator("#sealed").bounding_box()
        button = await opened.page.locator("#down").bounding_box()
        assert note is not None
        assert button is not None
        assert button["y"] >= note["y"] + note["height"], "it covers no word of the note"
        await opened.page.locator("#sealed summary").click()
        await opened.page.get_by_label("PIN").fill(PIN)
        await opened.page.keyboard.press("Enter")
        await opened.says("[data-game='1']", "121")
        assert not await opened.page.locator("#sealed").is_visible()
        assert await focused(opened) == "1"


# A game, played again


@pytest.mark.long
async def test_a_whole_game_is_stepped_through_and_ends_with_its_result(quiet_board: Board, reader: Visit) -> None:
    archived = quiet_board.archive.record(1)
    game = archived.heading.begin()
    game.append(archived.events)
    ended = quiet_board.archive.ended(1)
    assert ended.result is not None
    await reader.open("/games/1")
    payload = json.loads(await reader.page.evaluate("fetch('/games/1/steps').then((answer) => answer.text())"))["steps"]
    assert await last(reader) == len(payload) - 1
    seen = await reader.page.evaluate(LOOKED_AND_PRESSED, ["ArrowRight", len(payload)])
    for number, (step, (stands, _, _)) in enumerate(zip(payload, seen, strict=True)):
        stand = [pegs.front for pegs in game.position_after(step["number"]).pegs]
        assert stands == [number, stand, stand]
    assert await place(reader) == len(payload) - 1, "further than the end there is nothing"
    assert tuple(await scores(reader)) == ended.result.scores
    assert len({card for _, cards, _ in seen[::10] for card in cards if " of " in card}) > 10
    await reader.says("#what", phrase("said.final"))
    assert "wins" in await reader.page.locator("#scores li").nth(ended.result.winner).inner_text()


async def test_keys_lead_by_steps_by_deals_and_to_both_ends(reader: Visit) -> None:
    await reader.open("/games/1")
    for key, where in (("End", phrase("page.games.deal")), ("Home", AT_THE_CUT)):
        await reader.page.keyboard.press(key)
        await reader.says("#where", where)
    await reader.page.keyboard.press("PageDown")
    await reader.page.keyboard.press("PageDown")
    assert (await text(reader, "#where")).startswith("Deal 2 ")
    at = await place(reader)
    await reader.page.keyboard.press("ArrowRight")
    await reader.page.keyboard.press("ArrowRight")
    await reader.page.keyboard.press("ArrowLeft")
    assert await place(reader) == at + 1
    await reader.page.keyboard.press("PageUp")
    assert await place(reader) == at


async def test_the_buttons_and_the_slider_do_the_same(quiet_board: Board, chromium: Browser) -> None:
    async with visit(chromium, quiet_board, **PHONE) as phone:
        await phone.open("/games/1")
        await phone.page.get_by_role("button", name=phrase("page.games.deal_on")).click()
        await phone.page.get_by_role("button", name=phrase("page.games.deal_on")).click()
        await phone.says("#where", "Deal 2 ")
        at = await place(phone)
        await phone.page.get_by_role("button", name=phrase("page.games.on")).click()
        await phone.page.get_by_role("button", name=phrase("page.games.on")).click()
        await phone.page.get_by_role("button", name=phrase("page.games.back")).click()
        assert await place(phone) == at + 1
        await phone.page.get_by_role("button", name=phrase("page.games.deal_back")).click()
        assert await place(phone) == at
        slider = phone.page.get_by_role("slider", name=phrase("page.games.place"))
        await slider.fill("7")
        assert await place(phone) == 7
        spoken = await slider.get_attribute("aria-valuetext") or ""
        where = phrase("page.games.where", deal=1, step=7, last=await last(phone))
        assert re.fullmatch(f"{re.escape(where)}: .+", spoken), spoken


@pytest.mark.long
async def test_play_goes_on_by_itself_until_it_is_stopped_or_the_game_is_over(
    quiet_board: Board, chromium: Browser
) -> None:
    async with visit(chromium, quiet_board) as opened:
        await opened.page.clock.install()
        await opened.open("/games/1")
        await stand_still(opened.page)
        await opened.page.keyboard.press(" ")
        await opened.page.clock.run_for(10_000)
        at = await place(opened)
        assert 3 < at < 12
        await opened.page.get_by_role("button", name=phrase("page.games.pause")).click()
        await opened.page.clock.run_for(10_000)
        assert await place(opened) == at
        await opened.page.locator("#pace").click()
        await opened.page.locator("#pace").click()
        await opened.page.locator("#play").click()
        await opened.page.clock.run_for(10_000)
        assert await place(opened) - at > 12, "four times as fast"
        await opened.page.clock.run_for(1_000_000)
        assert await place(opened) == await last(opened)
        assert await opened.page.get_by_role("button", name=phrase("page.games.play"), exact=True).is_visible()


async def test_a_count_is_shown_combination_by_combination(reader: Visit) -> None:
    await reader.open("/games/1")
    payload = json.loads(await reader.page.evaluate("fetch('/games/1/steps').then((answer) => answer.text())"))["steps"]
    number, shown = next(
        (n, step["shown"]) for n, step in enumerate(payload) if step.get("shown") and step["shown"]["steps"]
    )
    assert not await reader.page.locator("#counted").is_visible()
    await reader.page.locator("#place").fill(str(number))
    cards = await reader.page.locator("#count .face").evaluate_all("(faces) => faces.map((face) => face.dataset.card)")
    assert cards == [*shown["cards"], shown["starter"]]
    rows = await reader.page.locator("#count .counted-steps li").all_inner_texts()
    assert [row.split()[0] for row in rows] == [str(step["total"]) for step in shown["steps"]]
    assert [row.split(maxsplit=1)[1].lower() for row in rows] == [said.lower() for said in shown["text"]["en"]["steps"]]


@pytest.mark.long
async def test_an_undone_act_is_shown_as_undone(board: Board, desk: Visit) -> None:
    await board.post(*ONE_GAME)
    await desk.open("/games/3")
    taken = []
    for number in range(await last(desk) + 1):
        await desk.page.locator("#place").fill(str(number))
        if await desk.page.locator("#taken").is_visible():
            taken.append(await scores(desk))
    assert [0, 12] in taken
    assert await scores(desk) == [121, 0]


async def test_the_chart_has_its_scores_as_a_table(quiet_board: Board, reader: Visit) -> None:
    await reader.open("/games/1")
    await reader.page.get_by_text(phrase("page.games.table")).click()
    rows = await reader.page.locator("#table tbody tr").all()
    cells = [[int(cell.split()[0]) for cell in await row.locator("td").all_inner_texts()] for row in rows]
    ended = quiet_board.archive.ended(1)
    assert ended.result is not None
    assert tuple(cells[-1]) == ended.result.scores
    for deal in range(1, len(cells)):
        await reader.page.keyboard.press("PageDown")
        await reader.page.keyboard.press("PageDown") if deal == 1 else None
        assert await scores(reader) == cells[deal - 1]
    assert await reader.page.locator("#drawing .line").count() == 2


# Its record


async def test_the_record_that_is_taken_away_is_the_one_that_was_played_and_is_sound(
    quiet_board: Board, reader: Visit, tmp_path: Path
) -> None:
    await reader.open("/games/1")
    async with reader.page.expect_download() as coming:
        await reader.page.get_by_role("link", name=phrase("page.games.record")).click()
    download = await coming.value
    assert download.suggested_filename == "cribboard-1.txt"
    file = tmp_path / download.suggested_filename
    await download.save_as(file)
    assert file.read_text(encoding="utf-8") == record.write(quiet_board.archive.record(1))
    verify = [sys.executable, "-m", "cribd", "record", "verify", str(file)]
    ran = await asyncio.to_thread(subprocess.run, verify, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.long
async def test_a_damaged_game_is_named_and_the_others_can_be_played_again(
    board: Board, desk: Visit, tmp_path: Path
) -> None:
    tamper(
        tmp_path / "journal.db",
        "DROP TRIGGER line_update; UPDATE line SET line = 'nonsense' WHERE game = 1 AND number = 40;",
    )
    await desk.open("/games/1")
    await desk.says("#broken", phrase("page.games.damaged.here", number=1))
    assert not await desk.page.locator("#controls").is_visible()
    await desk.page.get_by_role("link", name=phrase("page.games.all")).click()
    await desk.page.locator("[data-game='2']").click()
    await desk.says("#where", phrase("page.games.where", deal=1, step=0, last="").strip())
    assert not await desk.page.locator("#broken").is_visible()


# The board goes and comes


@pytest.mark.long
async def test_a_lost_connection_is_shown_and_restored(board: Board, desk: Visit) -> None:
    await board.go_away()
    await desk.says("#away", phrase("page.away"))
    await board.serve()
    await desk.page.locator("#away").wait_for(state="hidden")
    await desk.page.locator("a.game").first.click()
    await desk.says("#where", phrase("page.games.where", deal=1, step=0, last="").strip())


# For every eye and hand


@pytest.mark.long
@pytest.mark.sweep
async def test_in_french_all_text_is_large_and_has_contrast(board: Board, chromium: Browser) -> None:
    await board.post(*ONE_GAME)
    async with visit(chromium, board, locale="fr-CA", **PHONE) as french:
        await french.open("/games")
        await french.check_french_at_every_size()
        await french.open("/games/1")
        for part in (0.0, 0.2, 0.55, 1.0):
            await french.page.locator("#place").fill(str(int(part * await last(french))))
            await french.check_french_by_turns()
        await french.page.get_by_text(phrase("page.games.table", "fr_CA")).click()
        await french.check_french_at_every_size()
        await french.open("/games/99")
        await french.says("#broken", phrase("page.games.unknown", "fr_CA", number=99))
        await french.check_french_at_every_size()


async def test_the_language_changes_in_the_middle_of_a_game_and_the_place_is_kept(reader: Visit) -> None:
    await reader.open("/games/1")
    await reader.page.locator("#place").fill("9")
    steps = await last(reader)
    await reader.page.evaluate(TURN_TO, "fr")
    await reader.says("#where", phrase("page.games.where", "fr_CA", deal=1, step=9, last=steps))
    assert await reader.page.evaluate("document.documentElement.lang") == "fr-CA"
    await reader.page.evaluate(TURN_TO, "en")
    await reader.says("#where", phrase("page.games.where", deal=1, step=9, last=steps))


async def test_with_reduced_motion_pegs_do_not_move(reader: Visit) -> None:
    await reader.open("/games/1")
    await reader.page.locator("#place").fill(str(await last(reader) - 20))
    seen = await reader.page.evaluate(LOOKED_AND_PRESSED, ["ArrowRight", 21])
    assert [moving for *_, moving in seen] == [0] * 21
    assert await place(reader) == await last(reader)
