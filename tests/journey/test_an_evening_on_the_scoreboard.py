"""An evening over the bar: a whole game on a real daemon, followed on `/`, `/table` and `/games` at the same time.

Two people scan, press and keep their own books; after every act the lights of the board and both pages must agree with
them. In mid-game the daemon is killed, and the pages, which nobody touches, must find their way back by themselves.
(Whoever edits a page's file meanwhile sees the pages loaded again: the board that is started again has other ones.)
"""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.async_api import Browser, Page
from tests.support.auto_players import NAMES, SIX_CARD, TARGET, Players
from tests.support.browser import new_page
from tests.support.catalogues import phrase
from tests.support.croupier import Croupier
from tests.support.daemon_process import BOARD, daemon
from tests.support.phases import automatic, exhibition
from tests.support.visitors import PATIENCE_S, PHONE

from cribboard.position import Position
from cribboard.view import see
from cribd.clock import ManualClock
from cribd.storage.journal import Journal
from cribd.table.snapshot import Snapshot

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

SEED = 327  # of a short game with a close finish
CONFIG = '[table]\nway = "auto"\nlanguage = "fr_CA"\nblue = "Maude"\nred = "Réjean"\n[sound]\nvolume = 0.0\n'
TV: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
#: What a page shows of a game: the scores, the holes of both pegs, the count, and its cards as they are read aloud.
_SEEN = """() => {
  const all = (what, within = document) => [...within.querySelectorAll(what)].filter((each) => each.checkVisibility());
  const pegs = (kind) => all(`#board .peg.${kind}`).map((peg) => Number(peg.dataset.hole));
  const seen = (scores, count, laid) => ({
    scores: scores.map((score) => Number(score.textContent)),
    front: pegs('front'),
    back: pegs('back'),
    count: count?.textContent.replace('Compte ', '') ?? '',
    laid: laid.map((card) => card.ariaLabel),
  });"""
ON_THE_SCOREBOARD = f"{_SEEN} return seen(all('.side .score b'), all('.count b')[0], all('ol.laid .face')); }}"
ON_THE_TABLE = f"""{_SEEN}
  const row = all('#shown p').find((each) => each.textContent.startsWith('Compte '));
  return seen(all('#scores b'), row?.querySelector('.label'), row ? all('.chip', row) : []); }}"""
AWAY = phrase("page.away", "fr_CA")


async def shows(expected: Any, look: Callable[[], Awaitable[Any]]) -> None:
    """Wait until this is seen."""
    seen: Any = None
    try:
        async with asyncio.timeout(PATIENCE_S):
            while (seen := await look()) != expected:
                await asyncio.sleep(0.03)
    except TimeoutError:
        assert seen == expected


@dataclass
class Screens:
    """The three pages of the evening."""

    scoreboard: Page
    table: Page
    games: Page

    @property
    def all(self) -> tuple[Page, Page, Page]:
        return self.scoreboard, self.table, self.games

    async def agree(self, players: Players) -> None:
        """The lights, the scoreboard and the phone say what the players have in their books."""
        expected = players.expected()

        async def lights() -> list[tuple[int, int]]:
            return [players.board.pegs(side) for side in (0, 1)]

        if not players.won:  # else the lights celebrate
            await shows([*zip(players.scores, players.backs, strict=True)], lights)
            await shows(expected, lambda: self.scoreboard.evaluate(ON_THE_SCOREBOARD))
        await shows(expected, lambda: self.table.evaluate(ON_THE_TABLE))


@asynccontextmanager
async def screens(chromium: Browser, origin: str) -> AsyncIterator[Screens]:
    """A television, a phone and a desk. They must end quietly, and no page was ever loaded again."""
    complaints: list[str] = []
    contexts = [
        await chromium.new_context(**({"locale": "fr-CA", "reduced_motion": "reduce"} | wanted))
        for wanted in (TV, PHONE, DESK)
    ]
    opened = Screens(*[await new_page(context) for context in contexts])
    for page, path in zip(opened.all, ("/", "/table", "/games"), strict=True):
        page.set_default_timeout(1000 * PATIENCE_S)
        page.on("console", lambda said: complaints.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        await page.goto(f"{origin}{path}")
        await page.wait_for_selector("body:not(.waiting)")
        await page.evaluate("window.stayed = true")
    yield opened
    assert [await page.evaluate("window.stayed") for page in opened.all] == [True] * 3, "never loaded again"
    for context in contexts:
        await context.close()
    # A browser notes by itself that a board does not answer.
    assert [said for said in complaints if "Failed to load resource" not in said] == []


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def note(stood: list[list[int]], scores: Sequence[int]) -> None:
    """The scores, where they are not what stood before."""
    if stood[-1:] != [[*scores]]:
        stood.append([*scores])


def stored_position(folder: Path) -> Position:
    """How the game stands in the journal of a daemon that is dead; what it left stays as it is."""
    left = folder / "left"
    left.mkdir()
    for file in folder.glob("journal.db*"):
        shutil.copy(file, left)
    journal = Journal(left / "journal.db", ManualClock())
    game = journal.latest_game()
    journal.close()
    assert game is not None
    return game.game.position


@pytest.mark.long
@pytest.mark.whole_game
async def test_an_evening_is_followed_through_a_power_cut_to_the_win_and_the_next_game(
    tmp_path: Path, chromium: Browser
) -> None:
    port, config = free_port(), tmp_path / "board.toml"
    config.write_text(CONFIG, encoding="utf-8")
    options = "--config", str(config), "--port", str(port)
    stood: list[list[int]] = []
    async with AsyncExitStack() as evening:
        async with daemon(tmp_path, *options) as board:
            pages = await evening.enter_async_context(screens(chromium, f"http://127.0.0.1:{port}"))
            players = Players(Croupier(Random(SEED), SIX_CARD), board, pages.scoreboard)
            game = players.game()
            async for _ in game:
                await pages.agree(players)
                note(stood, players.scores)
                if max(players.scores) > TARGET // 2 and len(players.stack) == 3:
                    break
            assert await pages.games.evaluate("fetch('/games/1/record').then((answer) => answer.status)") == 404
            await board.kill()
        for page in pages.all:
            await page.locator("#away", has_text=AWAY).wait_for()
        position = stored_position(tmp_path)
        assert [pegs.front for pegs in position.pegs] == players.scores
        assert [pegs.back for pegs in position.pegs] == players.backs
        assert [card for _, card in position.stack] == players.stack

        async with daemon(tmp_path, *options) as board:
            players.board = board
            for page in pages.all:
                await page.locator("#away").wait_for(state="hidden")
            await pages.scoreboard.locator("#ask", has_text=phrase("lobby.resume", "fr_CA")).wait_for()
            await players.press("red ok")
            await pages.agree(players)
            assert await pages.games.locator("a.game").count() == 0, "a game under way is not among those that ended"
            async for _ in game:
                await pages.agree(players)
                note(stood, players.scores)
            await it_is_won(pages, players)
            await board.do("blue ok", "red ok", "blue ok")
            await nothing_is_left(pages, players)
            await it_is_among_the_games(pages.games, players)
            await it_is_played_again(pages.games, stood)
            await its_record_is_sound(pages.games, tmp_path)


async def it_is_won(pages: Screens, players: Players) -> None:
    """The scoreboard says who won, and by how much; the peg stands in the game hole, which glows on the board."""
    winner, loser = sorted((0, 1), key=lambda side: -players.scores[side])
    win = pages.scoreboard.locator("#win")
    await win.locator("h2", has_text=phrase("page.score.wins", "fr_CA", side=NAMES[winner])).wait_for()
    assert await win.locator(".final b").all_inner_texts() == [str(TARGET), str(players.scores[loser])]
    await win.locator(".final", has_text=NAMES[loser]).wait_for()
    home = pages.scoreboard.locator(f"#board .peg.front.home[data-side='{winner}']")
    assert await home.get_attribute("data-hole") == str(TARGET)
    assert await pages.scoreboard.locator(".home").count() == 1
    game_hole = BOARD.tracks[winner].holes[-1].led
    await players.board.until(lambda: any(players.board.leds[4 * game_hole : 4 * game_hole + 3]))


async def nothing_is_left(pages: Screens, players: Players) -> None:
    """The next game stands at nothing, and nothing of the win is to be seen or heard any more."""
    players.scores, players.backs, players.to_lay = [0, 0], [0, 0], 0
    await pages.agree(players)
    for page in (pages.scoreboard, pages.table):
        assert "gagne" not in await page.inner_text("body")
    assert not await pages.scoreboard.locator("#win").is_visible()
    assert await pages.scoreboard.locator(".home, .counted").count() == 0


async def it_is_among_the_games(games: Page, players: Players) -> None:
    """The list, open all evening, has the game by itself, and the figures have both players."""
    await games.locator("a.game").wait_for()
    listed = await games.locator("a.game").inner_text()
    assert all(name in listed for name in NAMES)
    for name in NAMES:
        await games.locator("#statistics details", has_text=name).wait_for()


async def it_is_played_again(games: Page, stood: list[list[int]]) -> None:
    """Step by step to its end, with the scores that stood on the board when it was played."""
    await games.locator("a.game").click()
    await games.locator("#where", has_text=" 0 ").wait_for()
    again: list[list[int]] = []
    for _ in range(int(await games.locator("#place").get_attribute("max") or 0) + 1):
        scores = [int(score) for score in await games.locator("#scores b").all_inner_texts()]
        note(again, scores)
        await games.keyboard.press("ArrowRight")
    assert again == stood


async def its_record_is_sound(games: Page, folder: Path) -> None:
    """What the page hands out is what `cribboard record verify` accepts."""
    async with games.expect_download() as coming:
        await games.locator("#record").click()
    file = folder / "record.txt"
    await (await coming.value).save_as(file)
    verify = [sys.executable, "-m", "cribd", "record", "verify", str(file)]
    ran = await asyncio.to_thread(subprocess.run, verify, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


# For weeks

PICTURES = 120
#: One picture that is kept is some kilobytes, and some hundred nodes. A scene that waits to be collected is no growth.
HEAP_BYTES, NODES = 500 * PICTURES, 2 * PICTURES
NAMED = """(name) => document.querySelector('#sides:not([hidden]) .name, #win:not([hidden]) h2')
  ?.textContent.includes(name)"""


@pytest.mark.long
async def test_a_scoreboard_stays_the_same_page_and_keeps_nothing_of_what_is_over(
    tmp_path: Path, chromium: Browser
) -> None:
    played = [see(position) for position in automatic("six-card", seed=3)]
    shows = [Snapshot(view=played[number * len(played) // PICTURES]) for number in range(PICTURES)]
    async with exhibition(tmp_path) as pages:
        page = await new_page(await chromium.new_context(reduced_motion="reduce", **TV))
        line = await page.context.new_cdp_session(page)

        async def held() -> tuple[int, int]:
            """What the page holds on to: bytes, and pieces of page."""
            await line.send("HeapProfiler.collectGarbage")
            heap = await line.send("Runtime.getHeapUsage")
            return heap["usedSize"], (await line.send("Memory.getDOMCounters"))["nodes"]

        async def play(moments: Sequence[Snapshot], name: str) -> None:
            for number, snapshot in enumerate(moments):
                pages.show(replace(snapshot, names=(f"{name} {number}", f"{name} {number}")))
                await page.wait_for_function(NAMED, arg=f"{name} {number}")

        pages.show(shows[0])
        await page.goto(pages.origin)
        await page.wait_for_selector("body:not(.waiting)")
        await page.evaluate("window.stayed = true")
        await play(shows[::5], "Line")  # every scene once
        heap, nodes = await held()
        await play(shows, "Rose")
        grown_heap, grown_nodes = await held()
        assert await page.evaluate("window.stayed"), "never loaded again"
        await page.context.close()
    assert grown_heap - heap < HEAP_BYTES
    assert grown_nodes - nodes < NODES
