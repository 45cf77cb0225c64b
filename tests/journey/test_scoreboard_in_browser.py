"""The scoreboard over the bar: it follows a game by itself for weeks, and nobody touches it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect
from tests.support.browser import new_page, resize
from tests.support.catalogues import phrase
from tests.support.phases import SIZES, exhibition
from tests.support.scoreboard import (
    BLUE,
    BLUE_DEALS,
    BLUE_WINS,
    BOTH_OK,
    PHASES,
    RED,
    RED_WINS,
    TV,
    holes,
    peg,
    says,
    score,
    screen,
    time_passes,
)
from tests.support.visitors import PATIENCE_S, RED_DEALS, stand_still, switched_on

from cribboard.rules import RULES, Way
from cribd.inputs import CardRead, HolePressed, Key, KeyPressed
from cribd.table.rule_sets import RuleSet
from cribd.table.snapshot import PLAYING, Lobby

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

BYTES = 150_000

# A game


async def test_the_scoreboard_follows_a_game_from_the_cut_to_the_count(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path) as board, screen(chromium, board.origin) as page:
        await says(page.locator("#rest"), phrase("lobby.start"))
        await board.post(RED_DEALS[0])
        await says(page.locator("#ask"), phrase("ask.cut", seat="Blue"))
        await board.post(*RED_DEALS[1:])
        await says(page.locator("#ask"), phrase("ask.lead", seat="Blue"))
        await says(page.locator(".side[data-side='0'] .badges"), phrase("page.score.acts"))
        await says(page.locator(".side[data-side='1'] .badges"), phrase("page.score.deals"))
        await expect(page.locator(".starter .face")).to_have_attribute("aria-label", "Six of clubs")
        await board.post(CardRead("5H"), CardRead("TC"))
        await expect(page.locator(".count b")).to_have_text("15")
        laid = page.locator("ol.laid .face")
        assert await laid.evaluate_all("(cards) => cards.map((card) => card.ariaLabel)") == [
            "Five of hearts",
            "Ten of clubs",
        ]
        await board.post(HolePressed(RED, 2))
        await expect(peg(page, RED, "lifted")).to_have_attribute("data-hole", "2")
        await board.post(KeyPressed(Key.OK, RED))
        await expect(score(page, RED)).to_have_text("2")
        await expect(peg(page, RED)).to_have_attribute("data-hole", "2")
        await expect(page.locator(".side[data-side='1'] .name small")).to_have_text("+2")
        await says(page.locator("#aloud"), phrase("page.table.side", side="Red", score=2, target=121))


async def test_a_peg_walks_over_every_hole_to_its_score_which_stands_there_at_once(
    tmp_path: Path, chromium: Browser
) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin, still=False) as page:
        await board.post(*BLUE_DEALS, *holes(BLUE, 4))
        await expect(peg(page, BLUE)).to_have_attribute("data-hole", "4")
        await page.evaluate(
            """() => { const animate = Element.prototype.animate; window.walks = [];
              Element.prototype.animate = function (frames, timing) {
                if (frames[0].translate)
                  walks.push([this.className, this.dataset.side, frames.length, timing.duration]);
                return animate.call(this, frames, timing); }; }"""
        )
        await board.post(HolePressed(BLUE, 12))
        await expect(peg(page, BLUE, "lifted")).to_have_attribute("data-hole", "12")
        await board.post(HolePressed(BLUE, 12))
        await expect(score(page, BLUE)).to_have_text("12")
        walks = await page.evaluate("walks")
        assert [(kind, side, places) for kind, side, places, _ in walks] == [("peg lifted", "0", 9)], (
            "hole 4 and eight more"
        )
        assert 800 < walks[0][3] < 2000
        await expect(peg(page, BLUE, "back")).to_have_attribute("data-hole", "4")
        await expect(page.locator("#board")).to_have_attribute(
            "aria-label", re.compile(re.escape(phrase("page.board.side", side="Blue", score=12, back=4)))
        )


async def test_a_peg_that_walks_is_over_the_holes_all_the_way(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin, still=False) as page:
        await board.post(*BLUE_DEALS, *holes(BLUE, 4))
        await expect(peg(page, BLUE)).to_have_attribute("data-hole", "4")
        await board.post(HolePressed(BLUE, 12))
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
        await board.post(HolePressed(BLUE, 8))
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
            assert [seen["2"][1], seen["20"][1]] == [
                phrase("cadence.fifteen", total="two").capitalize(),
                phrase("cadence.and", step=phrase("cadence.double_pair_royal", total="twenty")).capitalize(),
            ]
            assert await lit.count() == 0
            await expect(page.locator(".counted-total b")).to_have_text("20")
            pages.show(replace(PHASES["counted"], games=(3, 1)))
            await says(page.locator(".pins").first, phrase("page.score.games", n=3))
            assert await page.locator(".counted.done").count() == 1, "and not again"


async def test_a_ten_under_other_cards_is_still_a_ten(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages:
        pages.show(PHASES["play-many"])
        async with screen(chromium, pages.origin) as page:
            for size, (width, height) in SIZES.items():
                await resize(page, width, height)
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
            await says(page.locator("#ask"), phrase("lobby.resume"))
            await says(page.locator("#said"), phrase("hint.resume"))
            assert [await score(page, side).inner_text() for side in (BLUE, RED)] == ["73", "78"]
            assert not await page.locator("#rest").is_visible()
            assert await page.locator(".side.acts, .badge.acts, #ask .emblem").count() == 0, "it is nobody's turn yet"


async def test_a_hand_is_hidden_until_its_count_is_closed(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages:
        pages.show(PHASES["hand"])
        async with screen(chromium, pages.origin) as page:
            await expect(page.locator(".laid .face")).to_have_count(4)
            assert await page.locator(".counted, .counted-total, .counted-steps").count() == 0
            words = await page.locator("#stage, #now").all_inner_texts()
            assert not re.search(r"fifteen|pair|run|flush|nobs", " ".join(words), re.IGNORECASE)


# It stays there


async def test_a_lost_connection_is_shown_and_restored(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin) as page:
        await board.post(*BLUE_DEALS, *holes(BLUE, 8))
        await expect(score(page, BLUE)).to_have_text("8")
        await page.evaluate("window.stayed = true")
        await board.go_away()
        await says(page.locator("#away"), phrase("page.away"))
        await board.post(*holes(RED, 6))
        await board.serve()
        async with asyncio.timeout(PATIENCE_S):
            while await page.locator("#away").is_visible():
                await page.clock.run_for(500)
                await asyncio.sleep(0.05)
        await expect(score(page, RED)).to_have_text("6")
        assert await page.evaluate("window.stayed"), "without being loaded again"


@pytest.mark.long
async def test_the_scoreboard_moves_its_picture_against_burn_in(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin) as page:
        await board.post(*BLUE_DEALS, *holes(BLUE, 8))
        await expect(score(page, BLUE)).to_have_text("8")
        place = "getComputedStyle(document.querySelector('#all')).translate"
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
        await board.post(*holes(RED, 6))
        await expect(score(page, RED)).to_have_text("6")
        assert not await page.locator("#night").is_visible(), "any change brings the game back"


@pytest.mark.long
async def test_at_night_it_still_says_that_the_board_is_away(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin) as page:
        await board.post(*BLUE_DEALS, *holes(BLUE, 8))
        await expect(score(page, BLUE)).to_have_text("8")
        await time_passes(board, page, 11)
        await says(page.locator("#night"), "8 – 0")
        assert not await page.locator("#night .trouble").is_visible()
        await board.go_away()
        await says(page.locator("#night .trouble"), phrase("page.away"))
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
            page = await new_page(context)
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
        await board.post(*BLUE_DEALS)
        await expect(score(page, BLUE)).to_have_text("0")  # only a page that saw the game celebrates its win
        await board.post(*BLUE_WINS)
        await says(page.locator("#win h2"), phrase("page.score.wins", side="Blue"))
        assert await page.locator("#win .final b").all_inner_texts() == ["121", "0"]
        await says(page.locator("#win .skunk"), "kunk")
        await expect(peg(page, BLUE)).to_have_class(re.compile("home"))
        assert await page.locator(".confetti i").count() > 50
        # This game is not in the match before the result is final.
        await expect(page.locator("#win .match")).to_have_text("")
        await page.locator(".confetti").evaluate("(confetti) => (confetti.title = 'lies there')")
        await board.post(*BOTH_OK)
        await says(page.locator("#win .match"), phrase("page.score.match_stands", games="2 – 0"))
        await expect(page.locator(".confetti")).to_have_attribute("title", "lies there")
        await board.post(KeyPressed(Key.OK, BLUE))
        await page.locator("#win").wait_for(state="hidden")
        await expect(score(page, BLUE)).to_have_text("0")
        await expect(peg(page, BLUE)).to_have_attribute("data-hole", "0")


async def test_the_match_stands_in_the_order_of_the_scores_above_it(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin) as page:
        await board.post(*BLUE_DEALS, *RED_WINS, *BOTH_OK)
        await says(page.locator("#win h2"), phrase("page.score.wins", side="Red"))
        assert await page.locator("#win .final b").all_inner_texts() == ["121", "0"]
        await says(page.locator("#win .match"), phrase("page.score.match_stands", games="2 – 0"))


async def test_a_win_keeps_its_rules_when_the_next_game_begins_a_new_match(tmp_path: Path, chromium: Browser) -> None:
    won = PHASES["won"]
    five_card = RuleSet("five-card", RULES["five-card"])
    next_match = replace(won, mode=Lobby.AGAIN, games=(0, 0), points=(0, 0), rules=five_card)
    async with exhibition(tmp_path) as pages:
        pages.show(won)
        async with screen(chromium, pages.origin) as page:
            await says(page.locator("#win h2"), phrase("page.score.wins", side="Maude"))
            pages.show(replace(won, mode=Lobby.AGAIN))
            await says(page.locator("#win .match"), phrase("page.score.match_stands", games="3 – 1"))
            rules = await page.locator("#about").inner_text()
            pages.show(next_match)
            await expect(page.locator("#win .match")).to_have_text("")
            await expect(page.locator("#about")).to_have_text(rules)


async def test_only_a_win_that_was_seen_to_come_is_celebrated(tmp_path: Path, chromium: Browser) -> None:
    won = replace(PHASES["won"], mode=PLAYING)
    async with exhibition(tmp_path) as pages:
        pages.show(won)
        async with screen(chromium, pages.origin) as page:
            for mode in (PLAYING, Lobby.AGAIN):
                pages.show(replace(won, mode=mode))
                await says(page.locator("#win h2"), phrase("page.score.wins", side="Maude"))
                assert await page.locator("#win .confetti").count() == 0, "it is an old one"
            pages.show(PHASES["play"])
            await expect(score(page, BLUE)).to_have_text("73")
            for mode in (PLAYING, Lobby.AGAIN):
                pages.show(replace(won, mode=mode))
                await says(page.locator("#win h2"), phrase("page.score.wins", side="Maude"))
                await expect(page.locator("#win .confetti i").nth(50)).to_be_attached()
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


async def test_after_a_win_without_a_next_game_the_last_results_are_shown(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path, way=Way.TRUST) as board, screen(chromium, board.origin) as page:
        await board.post(*BLUE_DEALS, *BLUE_WINS, *BOTH_OK)
        await says(page.locator("#win h2"), phrase("page.score.wins", side="Blue"))
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


@pytest.mark.long
async def test_the_sides_differ_by_shape_and_no_shape_looks_like_a_warning(tmp_path: Path, chromium: Browser) -> None:
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


#: What is being counted now: the total so far, how many cards are lit, and the words.
COUNTING = """() => [document.querySelector('.counted-total b').textContent,
  document.querySelectorAll('.counted .face.lit').length,
  document.querySelector('.counted-steps .now span')?.textContent]"""
