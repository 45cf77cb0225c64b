"""The scoreboard over the bar: it follows a game by itself for weeks, and nobody touches it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, Route, expect
from tests.support.kept_games import game_of, keep
from tests.support.phases import SIZES, exhibition, phases
from tests.support.visitors import PATIENCE_S, RED_DEALS, TOO_FAINT, Board, stand_still, switched_on

from cribboard import RULES
from cribboard.actions import AcceptResult, NameDealer, ReleasePeg, TakePegInHand
from cribboard.record import Heading, Record
from cribboard.rules import Way
from cribd.inputs import CardRead, HolePressed, Input, Key, KeyPressed
from cribd.table.snapshot import PLAYING, Lobby, Snapshot
from cribd.web.http.sse import ALIVE_S

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]

BLUE, RED = 0, 1
TV: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}, "locale": "en-CA"}
BYTES = 150_000
MINUTE_MS = 60_000
PHASES = phases()
#: Counts how often the page was told that the board is there; what was said before that it has heard, too.
HEARS = """
  window.beats = 0;
  window.EventSource = class extends EventSource {
    constructor(address) { super(address); this.addEventListener('alive', () => { window.beats += 1; }); }
  };
"""
#: Words that a French scoreboard never bears, and an English one never.
ENGLISH = re.compile(
    r"\b(your|turn|deals?|count|starter|games?|wins|first|hand|press|phone|best|last|blue|red)\b", re.IGNORECASE
)
FRENCH = re.compile(r"\b(à|vous|donne|compte|retourne|parties?|gagne|premier|main|jour|bleu|rouge)\b", re.IGNORECASE)


@asynccontextmanager
async def screen(
    chromium: Browser, origin: str, path: str = "/", *, still: bool = True, **wanted: Any
) -> AsyncIterator[Page]:
    """A television with the scoreboard on it. It must end quietly, and have asked nobody else for anything."""
    motion = "reduce" if still else "no-preference"
    context = await chromium.new_context(**(TV | {"reduced_motion": motion} | wanted))
    context.set_default_timeout(1000 * PATIENCE_S)
    complaints: list[str] = []
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = await context.new_page()
    page.on("console", lambda said: complaints.append(f"{said.type}: {said.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    await page.add_init_script(HEARS)
    await page.clock.install()
    await page.goto(f"{origin}{path}")
    await page.wait_for_selector("body:not(.waiting)")
    yield page
    await context.close()
    assert [url for url in asked if not url.startswith(f"{origin}/")] == []
    assert [said for said in complaints if "Failed to load resource" not in said] == []


def score(page: Page, side: int) -> Locator:
    return page.locator(f".side[data-side='{side}'] .score b")


def peg(page: Page, side: int, kind: str = "front") -> Locator:
    return page.locator(f"#board .peg.{kind}[data-side='{side}']")


async def says(place: Locator, text: str) -> None:
    await expect(place).to_contain_text(text, timeout=1000 * PATIENCE_S)


async def time_passes(board: Board, page: Page, minutes: int) -> None:
    """The board lives through the time as well, and the page hears of it: its clock never runs ahead of the stream."""
    for _ in range(2 * minutes):
        beats = await page.evaluate("window.beats") + 2  # the first may have been on its way
        await board.clock.advance(2 * ALIVE_S)
        await page.wait_for_function("(beats) => window.beats >= beats", arg=beats)
        await page.clock.run_for(MINUTE_MS // 2)


def holes(side: int, *numbers: int) -> list[Input]:
    """Pegs moved by hand at a table that trusts: to each hole, and released there."""
    return [fact for number in numbers for fact in (HolePressed(side, number), HolePressed(side, number))]


BLUE_DEALS: list[Input] = [KeyPressed(Key.OK, BLUE), KeyPressed(Key.OK, BLUE)]
BLUE_WINS = holes(BLUE, 29, 58, 87, 116, 121)
RED_WINS = holes(RED, 29, 58, 87, 116, 121)
#: As long as a name may be.
LONG = ("Marie-Ève Bellemare", "Jean-François Côté", "Geneviève Archambaul")
#: Names that people have.
USUAL = ("Bernadette", "Maximilien", "Geneviève")
BOTH_OK: list[Input] = [KeyPressed(Key.OK, BLUE), KeyPressed(Key.OK, RED)]


def skunk(*names: str) -> Record:
    """A game at a table that trusts: Red wins, and nobody else has pegged."""
    heading = Heading(rules=RULES["six-card"], way=Way.TRUST, names=names, date="2026-02-14")
    game = heading.begin()
    game.do(NameDealer(BLUE))
    for points in (29, 29, 29, 29, 5):
        game.do(TakePegInHand(RED, points))
        game.do(ReleasePeg(RED))
    for side in RULES["six-card"].sides:
        game.do(AcceptResult(side))
    return Record(heading, game.log)


# A game


async def test_it_follows_a_game_from_the_first_cut_to_the_cards_of_the_count(
    tmp_path: Path, chromium: Browser
) -> None:
    async with switched_on(tmp_path) as board, screen(chromium, board.origin) as page:
        await says(page.locator("#rest"), "New game?")
        await board.hear(RED_DEALS[0])
        await says(page.locator("#ask"), "Blue: cut")
        await board.hear(*RED_DEALS[1:])
        await says(page.locator("#ask"), "Blue: lead a card")
        await says(page.locator(".side[data-side='0'] .badges"), "Your turn")
        await says(page.locator(".side[data-side='1'] .badges"), "Deals · crib")
        await expect(page.locator(".starter .face")).to_have_attribute("aria-label", "Six of clubs")
        await board.hear(CardRead("5H"), CardRead("TC"))
        await expect(page.locator(".count b")).to_have_text("15")
        laid = page.locator("ol.laid .face")
        assert await laid.evaluate_all("(cards) => cards.map((card) => card.ariaLabel)") == [
            "Five of hearts",
            "Ten of clubs",
        ]
        await board.hear(HolePressed(RED, 2))
        await expect(peg(page, RED, "lifted")).to_have_attribute("data-hole", "2")
        await board.hear(KeyPressed(Key.OK, RED))
        await expect(score(page, RED)).to_have_text("2")
        await expect(peg(page, RED)).to_have_attribute("data-hole", "2")
        await expect(page.locator(".side[data-side='1'] .name small")).to_have_text("+2")
        await says(page.locator("#aloud"), "Red: 2 of 121")


async def test_a_peg_walks_over_every_hole_to_its_score_which_stands_there_at_once(
    tmp_path: Path, chromium: Browser
) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin, still=False) as page:
        await board.hear(*BLUE_DEALS, *holes(BLUE, 4))
        await expect(peg(page, BLUE)).to_have_attribute("data-hole", "4")
        await page.evaluate(
            """() => { const animate = Element.prototype.animate; window.walks = [];
              Element.prototype.animate = function (frames, timing) {
                if (frames[0].translate)
                  walks.push([this.className, this.dataset.side, frames.length, timing.duration]);
                return animate.call(this, frames, timing); }; }"""
        )
        await board.hear(HolePressed(BLUE, 12))
        await expect(peg(page, BLUE, "lifted")).to_have_attribute("data-hole", "12")
        await board.hear(HolePressed(BLUE, 12))
        await expect(score(page, BLUE)).to_have_text("12")
        walks = await page.evaluate("walks")
        assert [(kind, side, places) for kind, side, places, _ in walks] == [("peg lifted", "0", 9)], (
            "hole 4 and eight more"
        )
        assert 800 < walks[0][3] < 2000
        await expect(peg(page, BLUE, "back")).to_have_attribute("data-hole", "4")
        await expect(page.locator("#board")).to_have_attribute("aria-label", re.compile("Blue: 12, back peg at 4"))


async def test_a_peg_that_walks_is_over_the_holes_all_the_way(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin, still=False) as page:
        await board.hear(*BLUE_DEALS, *holes(BLUE, 4))
        await expect(peg(page, BLUE)).to_have_attribute("data-hole", "4")
        await board.hear(HolePressed(BLUE, 12))
        await expect(peg(page, BLUE, "lifted")).to_have_attribute("data-hole", "12")
        lifted = peg(page, BLUE, "lifted")
        middle = (
            """const { x, y, width, height } = peg.getBoundingClientRect(); return [x + width / 2, y + height / 2];"""
        )
        halfway = await lifted.evaluate(
            f"""(peg) => {{
              for (const moving of peg.getAnimations()) {{
                moving.pause();
                moving.currentTime = moving.effect.getTiming().duration / 2;
              }}
              {middle} }}"""
        )
        await board.hear(HolePressed(BLUE, 8))
        await expect(lifted).to_have_attribute("data-hole", "8")
        await lifted.evaluate("(peg) => peg.getAnimations().forEach((moving) => moving.finish())")
        assert await lifted.evaluate(f"(peg) => {{ {middle} }}") == pytest.approx(halfway, abs=1), "over hole 8"


async def test_a_hand_is_counted_before_our_eyes_combination_after_combination(
    tmp_path: Path, chromium: Browser
) -> None:
    async with exhibition(tmp_path) as pages:
        pages.show(PHASES["hand"])
        async with screen(chromium, pages.origin, still=False) as page:
            await stand_still(page)
            pages.show(PHASES["counted"])
            lit = page.locator(".counted .face.lit")
            await expect(page.locator(".counted-total b")).to_have_text("0")
            assert await lit.count() == 0
            seen: dict[str, tuple[int, str]] = {}
            while not await page.locator(".counted.done").count():
                total, cards, words = await page.evaluate(COUNTING)
                if words:
                    seen[total] = (cards, words)
                await page.clock.run_for(300)
            assert list(seen) == ["2", "4", "6", "8", "20"]
            assert [cards for cards, _ in seen.values()] == [3, 3, 3, 3, 4]
            assert [seen["2"][1], seen["20"][1]] == ["Fifteen two", "And a double pair royal is twenty"]
            assert await lit.count() == 0
            await expect(page.locator(".counted-total b")).to_have_text("20")
            pages.show(replace(PHASES["counted"], games=(3, 1)))
            await says(page.locator(".pins").first, "3 games won")
            assert await page.locator(".counted.done").count() == 1, "and not again"


async def test_a_ten_under_other_cards_is_still_a_ten(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages:
        pages.show(PHASES["play-many"])
        for size in SIZES:
            async with screen(chromium, pages.origin, viewport=window(size)) as page:
                covered = """(faces) => faces.slice(0, -1).map((face, at) =>
                  face.querySelector('text').getBoundingClientRect().right
                  <= faces[at + 1].getBoundingClientRect().left)"""
                ranks = await page.locator("ol.laid .face").evaluate_all("(all) => all.map((f) => f.dataset.card[0])")
                seen = await page.locator("ol.laid .face").evaluate_all(covered)
                assert len(ranks) == 7
                assert "T" in ranks[:-1]
                assert all(whole for rank, whole in zip(ranks, seen, strict=False) if rank == "T"), size


async def test_a_game_that_was_found_unfinished_is_there_with_its_scores(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages:
        pages.show(replace(PHASES["play"], mode=Lobby.RESUME))
        async with screen(chromium, pages.origin) as page:
            await says(page.locator("#ask"), "Resume? OK = yes")
            await says(page.locator("#said"), "MENU = new game")
            assert [await score(page, side).inner_text() for side in (BLUE, RED)] == ["73", "78"]
            assert not await page.locator("#rest").is_visible()
            assert await page.locator(".side.acts, .badge.acts, #ask .emblem").count() == 0, "it is nobody's turn yet"


async def test_nothing_is_told_of_a_hand_before_its_count_is_closed(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages:
        pages.show(PHASES["hand"])
        async with screen(chromium, pages.origin) as page:
            await expect(page.locator(".laid .face")).to_have_count(4)
            assert await page.locator(".counted, .counted-total, .counted-steps").count() == 0
            words = await page.locator("#stage, #now").all_inner_texts()
            assert not re.search(r"fifteen|pair|run|flush|nobs", " ".join(words), re.IGNORECASE)


# It stays there


async def test_it_says_that_the_board_is_away_and_comes_back_by_itself(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin) as page:
        await board.hear(*BLUE_DEALS, *holes(BLUE, 8))
        await expect(score(page, BLUE)).to_have_text("8")
        await page.evaluate("window.stayed = true")
        await board.go_away()
        await says(page.locator("#away"), "The board is switched off, or out of reach.")
        await board.hear(*holes(RED, 6))
        await board.serve()
        async with asyncio.timeout(PATIENCE_S):
            while await page.locator("#away").is_visible():
                await page.clock.run_for(500)
                await asyncio.sleep(0.05)
        await expect(score(page, RED)).to_have_text("6")
        assert await page.evaluate("window.stayed"), "without being loaded again"


async def test_no_picture_burns_in(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin) as page:
        await board.hear(*BLUE_DEALS, *holes(BLUE, 8))
        await expect(score(page, BLUE)).to_have_text("8")
        place = "document.querySelector('#all').style.transform"
        places = set()
        for _ in range(4):
            places.add(await page.evaluate(place))
            await time_passes(board, page, 2)
        assert len(places) == 4, "the whole page moves a little every two minutes"
        await time_passes(board, page, 3)
        assert not await page.locator("#all").is_visible()
        await says(page.locator("#night"), "8 – 0")
        where = "document.querySelector('#night div').style.transform"
        first = await page.evaluate(where)
        await time_passes(board, page, 1)
        assert await page.evaluate(where) != first, "it wanders"
        await board.hear(*holes(RED, 6))
        await expect(score(page, RED)).to_have_text("6")
        assert not await page.locator("#night").is_visible(), "any change brings the game back"


async def test_at_night_it_still_says_that_the_board_is_away(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin) as page:
        await board.hear(*BLUE_DEALS, *holes(BLUE, 8))
        await expect(score(page, BLUE)).to_have_text("8")
        await time_passes(board, page, 11)
        await says(page.locator("#night"), "8 – 0")
        assert not await page.locator("#night .trouble").is_visible()
        await board.go_away()
        await says(page.locator("#night .trouble"), "The board is switched off, or out of reach.")
        assert await page.locator("#night .trouble").is_visible()
        await board.serve()
        async with asyncio.timeout(PATIENCE_S):
            while await page.locator("#night .trouble").is_visible():
                await page.clock.run_for(500)
                await asyncio.sleep(0.05)
        assert await page.locator("#night").is_visible(), "it is night, and nothing has changed"


async def test_at_rest_nothing_moves_and_the_page_is_light(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages:
        for name in ("play", "counted", "won", "start"):
            pages.show(PHASES[name])
            context = await chromium.new_context(**TV)
            page = await context.new_page()
            weights: list[int] = []

            async def weigh(response: Any, weights: list[int] = weights) -> None:
                if not response.url.endswith("/events"):
                    weights.append(len(await response.body()))

            page.on("response", weigh)
            await page.goto(pages.origin)
            await page.wait_for_selector("body:not(.waiting)")
            async with asyncio.timeout(PATIENCE_S + 15):
                while await page.evaluate("document.getAnimations().length"):
                    await asyncio.sleep(0.2)  # a count is shown, confetti falls
            assert 20_000 < sum(weights) < BYTES
            await context.close()


# A win


async def test_a_win_is_celebrated_and_takes_nothing_from_the_next_game(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin) as page:
        await board.hear(*BLUE_DEALS, *BLUE_WINS)
        await says(page.locator("#win h2"), "Blue wins!")
        assert await page.locator("#win .final b").all_inner_texts() == ["121", "0"]
        await says(page.locator("#win .skunk"), "kunk")
        await expect(peg(page, BLUE)).to_have_class(re.compile("home"))
        assert await page.locator(".confetti i").count() > 50
        # This game is not in the match before the result is final.
        await expect(page.locator("#win .match")).to_have_text("")
        await page.locator(".confetti").evaluate("(confetti) => (confetti.title = 'lies there')")
        await board.hear(*BOTH_OK)
        await says(page.locator("#win .match"), "Match: 2 – 0")
        await expect(page.locator(".confetti")).to_have_attribute("title", "lies there")
        await board.hear(KeyPressed(Key.OK, BLUE))
        await expect(score(page, BLUE)).to_have_text("0")
        assert not await page.locator("#win").is_visible()
        await expect(peg(page, BLUE)).to_have_attribute("data-hole", "0")


async def test_the_match_stands_in_the_order_of_the_scores_above_it(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin) as page:
        await board.hear(*BLUE_DEALS, *RED_WINS, *BOTH_OK)
        await says(page.locator("#win h2"), "Red wins!")
        assert await page.locator("#win .final b").all_inner_texts() == ["121", "0"]
        await says(page.locator("#win .match"), "Match: 2 – 0")


async def test_only_a_win_that_was_seen_to_come_is_celebrated(tmp_path: Path, chromium: Browser) -> None:
    won = replace(PHASES["won"], mode=PLAYING)
    async with exhibition(tmp_path) as pages:
        pages.show(won)
        async with screen(chromium, pages.origin) as page:
            for mode in (PLAYING, Lobby.AGAIN):
                pages.show(replace(won, mode=mode))
                await says(page.locator("#win h2"), "Maude wins!")
                assert await page.locator("#win .confetti").count() == 0, "it is an old one"
            pages.show(PHASES["play"])
            await expect(score(page, BLUE)).to_have_text("73")
            for mode in (PLAYING, Lobby.AGAIN):
                pages.show(replace(won, mode=mode))
                await says(page.locator("#win h2"), "Maude wins!")
                assert await page.locator("#win .confetti i").count() > 50
            words, text = await page.evaluate(
                """() => [['#win h2 span', '.final b', '.final span']
                    .flatMap((words) => [...document.querySelectorAll(words)].map((n) => n.getBoundingClientRect())),
                  [...document.querySelectorAll('.confetti :is(.tone-0, .tone-1)')]
                    .map((n) => n.getBoundingClientRect())]"""
            )
            behind = [
                one
                for one in text
                for word in words
                if one["left"] < word["right"] and word["left"] < one["right"]
                if one["top"] < word["bottom"] and word["top"] < one["bottom"]
            ]
            assert behind == [], "no confetti of the text's own colour lies behind it"


async def test_after_a_win_that_nobody_follows_the_last_results_are_there(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin) as page:
        await board.hear(*BLUE_DEALS, *BLUE_WINS, *BOTH_OK)
        await says(page.locator("#win h2"), "Blue wins!")
        await time_passes(board, page, 4)
        await says(page.locator("#rest .ask"), "nother")
        await says(page.locator(".results li"), "121")
        assert not await page.locator("#win").is_visible()


# The marks of the sides


#: Which points of a grid lie within the head of a side's peg, as rows of a picture.
_HEADS = """async () => {
  const { peg } = await import('/page/drawn_board.js');
  const grid = Array.from({ length: 101 }, (_, at) => (at - 50) / 10);
  return [0, 1, 2].map((side) => {
    const holder = document.createElement('div');
    holder.innerHTML = peg(side);
    document.body.append(holder);
    const head = holder.querySelector('.head > *');
    return grid.map((y) => grid.map((x) => head.isPointInFill(new DOMPoint(x, y))));
  });
}"""


async def test_the_sides_are_told_apart_by_shape_and_red_has_none_that_a_sign_has(
    tmp_path: Path, chromium: Browser
) -> None:
    async with exhibition(tmp_path) as pages, screen(chromium, pages.origin) as page:
        heads: list[list[list[bool]]] = await page.evaluate(_HEADS)
    points = [{(x, y) for y, row in enumerate(head) for x, inside in enumerate(row) if inside} for head in heads]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert len(points[one] & points[other]) / len(points[one] | points[other]) < 0.9, "alike, but for the colour"
    # Signs of the road and of danger are discs, triangles, octagons and squares on a side or a corner: none has a dent.
    diamond = {(x, y) for x in range(101) for y in range(101) if abs(x - 50) + abs(y - 50) <= 44}
    assert (is_dented(points[RED]), is_dented(diamond)) == (True, False)


def is_dented(points: set[tuple[int, int]]) -> bool:
    """Whether somewhere between two points of a shape and its mirror is a point that is not of it."""
    mirrored = (((x, y), (100 - y, 100 - x)) for x, y in points if (x + y) % 2 == 0)
    return any(
        there in points and ((here[0] + there[0]) // 2, (here[1] + there[1]) // 2) not in points
        for here, there in mirrored
    )


# When nobody plays


def pegged(blue: int, red: int) -> Record:
    """A trusted game that ended so."""
    heading = Heading(rules=RULES["six-card"], way=Way.TRUST, names=("Maude", "Réjean"), date="2026-02-14")
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


@pytest.mark.parametrize("size", SIZES)
async def test_results_stand_in_columns_whatever_they_are(tmp_path: Path, chromium: Browser, size: str) -> None:
    """A skunk, a score of one figure, the star of the winner: none of them moves a number of another row."""
    ends = ((121, 0), (9, 121), (121, 120), (98, 121))
    async with exhibition(tmp_path) as pages:
        keep(tmp_path / "journal.db", [pegged(*each) for each in ends])
        pages.show(Snapshot(mode=Lobby.START, ended=len(ends)))
        width, height = SIZES[size]
        async with screen(chromium, pages.origin, viewport={"width": width, "height": height}) as page:
            await expect(page.locator(".results li")).to_have_count(len(ends))
            assert await page.locator(".results small:not(:empty)").count() == 2
            for side in (BLUE, RED):
                scores = page.locator(f".results li > span:nth-child({side + 1})")
                boxes = [await each.bounding_box() for each in await scores.all()]
                numbers = [await each.bounding_box() for each in await scores.locator("b").all()]
                assert len({round(box["x"]) for box in boxes if box}) == 1
                assert len({round(box["x"] + box["width"]) for box in numbers if box}) == 1


async def test_when_nobody_plays_it_shows_results_best_hands_and_the_way_to_start(
    tmp_path: Path, chromium: Browser
) -> None:
    async with exhibition(tmp_path, played=True, host="192.168.1.20") as pages:
        pages.show(Snapshot(mode=Lobby.START))
        async with screen(chromium, pages.origin) as page:
            await expect(page.locator(".results li")).to_have_count(4)
            await says(page.locator(".results"), "Jean-Guy")
            points = [int(each) for each in await page.locator(".best li > b").all_inner_texts()]
            assert points == sorted(points, reverse=True)
            await says(page.locator(".start"), "OK on the board starts a game.")
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


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("evening", ["skunks", "long", "three"])
async def test_at_rest_all_names_are_whole_and_nothing_passes_the_frame(
    tmp_path: Path, chromium: Browser, size: str, evening: str
) -> None:
    if evening == "three":
        rules = RULES["three-player"]
        games = [game_of("Aline", "Jean-François", "Geneviève", seed=seed, rules=rules) for seed in range(5)]
    elif evening == "long":
        games = [*(skunk(*LONG[:2]) for _ in range(4)), game_of(*LONG[:2], seed=3)]
    else:
        games = [skunk("Maude", "Réjean") for _ in range(5)]
    keep(tmp_path / "journal.db", games)
    async with exhibition(tmp_path, sides=3 if evening == "three" else 2, host="192.168.1.20") as pages:
        pages.show(Snapshot(mode=Lobby.START))
        async with screen(chromium, pages.origin, "/?language=fr", viewport=window(size)) as page:
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


async def test_a_board_that_nobody_has_played_on_still_looks_good(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages:
        pages.show(Snapshot(mode=Lobby.START))
        async with screen(chromium, pages.origin) as page:
            await expect(page.locator("#rest .fan .face")).to_have_count(5)
            assert await page.locator(".results, .best, .code").count() == 0
            await says(page.locator(".invite"), "Phones cannot reach this board yet.")


# Everybody


async def test_it_speaks_the_tables_language_unless_it_is_told_otherwise(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages:
        pages.show(replace(PHASES["play"], language="fr_CA", names=()))
        async with screen(chromium, pages.origin) as page:
            await says(page.locator("#ask"), "Bleu")
            assert await page.evaluate("document.documentElement.lang") == "fr-CA"
            pages.show(replace(PHASES["play"], names=()))
            await says(page.locator("#ask"), "Blue")
            assert await page.evaluate("document.documentElement.lang") == "en"
            await page.locator("#language").click()
            await says(page.locator("#ask"), "Bleu")
        async with screen(chromium, pages.origin, "/?language=fr") as page:
            await says(page.locator("#ask"), "Bleu")


@pytest.mark.parametrize("name", ["three", "six"])
async def test_three_sides_have_their_panels_and_their_tracks(tmp_path: Path, chromium: Browser, name: str) -> None:
    async with exhibition(tmp_path, sides=3) as pages:
        pages.show(PHASES[name])
        async with screen(chromium, pages.origin) as page:
            view = PHASES[name].view
            assert view is not None
            for side in range(3):
                await expect(score(page, side)).to_have_text(str(view.sides[side].score))
                await expect(peg(page, side)).to_have_attribute("data-hole", str(view.sides[side].score))
            shapes = await page.locator("#board .peg.front .head").evaluate_all(
                "(pegs) => pegs.map((peg) => peg.innerHTML)"
            )
            assert len(set(shapes)) == 3, "each side is told by its shape too"


async def test_a_name_is_a_name_whatever_is_in_it(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages:
        pages.show(replace(PHASES["counted"], names=("<b>Li & Co</b>", "Paul")))
        async with screen(chromium, pages.origin) as page:
            await says(page.locator(".side .name").first, "<b>Li & Co</b>")
            await says(page.locator(".counted-title"), "<b>Li & Co</b>")
            assert await page.locator(".name b").count() == 0


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "fr"])
async def test_every_phase_fits_and_can_be_read(tmp_path: Path, chromium: Browser, size: str, language: str) -> None:
    width, height = SIZES[size]
    window: dict[str, Any] = {"viewport": {"width": width, "height": height}}
    for sides in (2, 3):
        async with exhibition(tmp_path / str(sides), sides=sides) as pages:
            shows = {
                name: each for name, each in PHASES.items() if len(each.view.sides if each.view else (0, 1)) == sides
            }
            pages.show(next(iter(shows.values())))
            async with screen(chromium, pages.origin, f"/?language={language}", **window) as page:
                for name, snapshot in shows.items():
                    pages.show(replace(snapshot, names=()))
                    if snapshot.view is not None:
                        await expect(peg(page, 0)).to_have_attribute("data-hole", str(snapshot.view.sides[0].score))
                    wide = await page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
                    assert wide[0] <= wide[1], name
                    assert await page.evaluate(TOO_FAINT) == [], name
                    assert await page.evaluate(CUT_OFF) == [], name
                    words = await page.evaluate("document.body.innerText")
                    other = (ENGLISH if language == "fr" else FRENCH).findall(words.replace("Français", ""))
                    assert other == [], f"{name}: {words}"


@pytest.mark.parametrize("size", SIZES)
async def test_no_name_is_cut(tmp_path: Path, chromium: Browser, size: str) -> None:
    for sides, names in ((2, LONG), (2, USUAL), (3, LONG), (3, USUAL)):
        async with exhibition(tmp_path / f"{sides}{names[0]}", sides=sides) as pages:
            shows = [each for each in PHASES.values() if each.view and len(each.view.sides) == sides]
            pages.show(replace(shows[0], names=names[:sides]))
            async with screen(chromium, pages.origin, "/?language=fr", viewport=window(size)) as page:
                for snapshot in shows:
                    assert snapshot.view is not None
                    pages.show(replace(snapshot, names=names[:sides]))
                    await expect(peg(page, 0)).to_have_attribute("data-hole", str(snapshot.view.sides[0].score))
                    assert await page.evaluate(CUT_TEXT) == []
                    if snapshot.view.winner is None:
                        gained = replace(
                            snapshot.view, number=snapshot.view.number + 1, sides=ahead(snapshot.view.sides)
                        )
                        pages.show(replace(snapshot, view=gained, names=names[:sides]))
                        await says(page.locator(".name small").first, "+12")
                        assert await page.evaluate(CUT_TEXT) == []


async def test_a_usual_name_is_not_broken_on_a_phone(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path, sides=3) as pages:
        pages.show(replace(PHASES["three"], names=USUAL))
        async with screen(chromium, pages.origin, "/table?language=fr", viewport=window("390x844")) as page:
            name = page.locator("#scores .name span", has_text="Geneviève")
            lines = "(name) => name.getBoundingClientRect().height / parseFloat(getComputedStyle(name).lineHeight)"
            assert await name.evaluate(lines) < 1.5


async def test_what_is_to_be_known_can_be_read_from_five_metres_away(tmp_path: Path, chromium: Browser) -> None:
    for sides, names in ((2, ("play", "counted", "hand")), (3, ("three", "six"))):
        async with exhibition(tmp_path / str(sides), sides=sides) as pages:
            for name in names:
                pages.show(PHASES[name])
                async with screen(chromium, pages.origin) as page:
                    sizes = dict(await page.evaluate(TYPE_SIZES))
                    assert sizes[".badge"] >= 38
                    assert sizes.get("#stage .label", 34) >= 34
                    assert sizes.get(".counted-total span", 34) >= 34


async def test_on_a_phone_what_is_wrong_and_what_is_called_can_be_seen(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages:
        pages.show(PHASES["refused"])
        async with screen(chromium, pages.origin, viewport=window("390x844")) as page:
            await says(page.locator("#faults"), "eader")
            box = await page.locator("#faults").bounding_box()
            assert box is not None
            assert box["height"] > 10
            assert box["width"] > 60
            assert box["x"] + box["width"] <= 390
            pages.show(PHASES["trust-in-hand"])
            await says(page.locator("#stage .call"), "+11")
            assert await page.locator("#stage .call").evaluate("(n) => parseFloat(getComputedStyle(n).fontSize)") > 120
            pages.show(Snapshot(mode=Lobby.START))
            await page.locator("#rest .fan").wait_for()
            assert await page.evaluate(PAST_THE_FRAME) == []


def window(size: str) -> dict[str, int]:
    width, height = SIZES[size]
    return {"width": width, "height": height}


def ahead(sides: Any) -> Any:
    """The first of these sides has pegged twelve points more."""
    return (replace(sides[0], score=sides[0].score + 12), *sides[1:])


#: The smallest type of each kind.
TYPE_SIZES = """() => ['.badge', '#stage .label', '.counted-total span'].map((kind) => [kind,
    Math.min(...[...document.querySelectorAll(kind)].map((node) => parseFloat(getComputedStyle(node).fontSize)))])
  .filter(([, size]) => Number.isFinite(size))"""
#: Text of which something is left out.
CUT_TEXT = """() => [...document.querySelectorAll(
    '.name span, #said, #ask span, .who, .best p, #win h2 span, .final span')]
  .filter((node) => node.textContent.trim() && node.getClientRects().length)
  .filter((node) => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 6)
  .map((node) => `${node.className || node.id}: ${node.textContent}`)"""
#: What lies over the frame, or past it.
PAST_THE_FRAME = """() => {
  const frame = document.querySelector('#all').getBoundingClientRect();
  return [...document.querySelectorAll('#rest *')]
    .filter((node) => node.getClientRects().length)
    .map((node) => [node.getBoundingClientRect(), node.className || node.tagName])
    .filter(([box]) => box.left < frame.left || box.right > frame.right || box.bottom > frame.bottom
      || box.top < frame.top)
    .map(([box, name]) => `${name}: ${Math.round(box.left)} to ${Math.round(box.right)}, to ${Math.round(box.bottom)}`);
}"""
#: What is being counted now: the total so far, how many cards are lit, and the words.
COUNTING = """() => [document.querySelector('.counted-total b').textContent,
  document.querySelectorAll('.counted .face.lit').length,
  document.querySelector('.counted-steps .now span')?.textContent]"""
#: Text of the game that reaches beyond the page, or into what it must not cover.
CUT_OFF = """() => [...document.querySelectorAll(
    '.score b, .name, .badge, #ask span, .face, .count, #board, h2, .final b')]
  .filter((node) => node.getClientRects().length)
  .map((node) => [node.getBoundingClientRect(), node.className || node.id])
  .filter(([box]) => box.left < -1 || box.right > innerWidth + 1 || box.top < -1)
  .map(([box, name]) => `${name}: ${Math.round(box.left)} to ${Math.round(box.right)}`)"""
