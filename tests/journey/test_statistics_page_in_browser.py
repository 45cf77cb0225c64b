"""What the records say of each player, on the page of past games. What the figures must be was added up by hand from
the game in the docs; `tests/game/test_statistics.py` has the sums."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect
from tests.support.browser import TURN_TO
from tests.support.catalogues import phrase
from tests.support.english_words import english_words
from tests.support.kept_games import game_of, game_of_the_docs, keep
from tests.support.visitors import (
    DESK,
    PATIENCE_S,
    PHONE,
    SIZES,
    TOO_FAINT,
    TOO_SMALL,
    Board,
    Visit,
    switched_on,
    visit,
)

from cribboard import RULES
from cribboard.record import Record
from cribboard.rules import Way
from cribd.inputs import HolePressed, Input, Key, KeyPressed

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

#: What is wider than its place.
CUT_OFF = """() => [...document.querySelectorAll('#statistics :is(td, th)')]
  .filter((n) => n.scrollWidth > n.clientWidth && getComputedStyle(n).visibility !== 'hidden')
  .map((n) => `${n.textContent}: ${n.scrollWidth} of ${n.clientWidth}`)"""


@pytest.fixture(scope="module")
def games() -> list[Record]:
    """Two games of Maude's, one of five cards; one that trusts; and one at which nobody had a name."""
    return [
        game_of_the_docs(),
        game_of("Aline", "Maude", rules=RULES["five-card"]),
        game_of("Lise", "Paul", way=Way.TRUST),
        game_of(seed=2),
    ]


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def board(tmp_path_factory: pytest.TempPathFactory, games: list[Record]) -> AsyncIterator[Board]:
    folder = tmp_path_factory.mktemp("statistics")
    keep(folder / "journal.db", games)
    async with switched_on(folder, way=Way.TRUST) as on:
        yield on


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def desk(board: Board, chromium: Browser) -> AsyncIterator[Visit]:
    """The page that the tests have in common. Those that change it come last."""
    async with visit(chromium, board, **DESK) as opened:
        await opened.open("/games")
        await unfold(opened)
        yield opened


async def unfold(visit: Visit) -> None:
    """Open every card."""
    await visit.page.locator("details.player").last.wait_for()
    shut = visit.page.locator("details.player:not([open]) summary")
    while await shut.count():
        await shut.first.press("Enter")


def card(visit: Visit, name: str) -> Locator:
    return visit.page.locator("details.player", has=visit.page.locator("h3", has_text=name))


async def rows(of: Locator) -> list[list[str]]:
    """A table as a reader of screens reads it."""
    return [[cell.strip() for cell in await row.locator("th, td").all_inner_texts()] for row in await of.all()]


async def test_each_player_has_averages_against_par(desk: Visit) -> None:
    tables = card(desk, "Réjean").locator("table.against")
    assert await tables.locator("caption").all_inner_texts() == [
        phrase("page.statistics.role.dealer"),
        phrase("page.statistics.role.pone"),
    ]
    play, hand, crib, deal = (phrase(f"page.statistics.part.{part}") for part in ("play", "hand", "crib", "deal"))
    assert await rows(tables.nth(0).locator("tbody tr")) == [
        [play, "5.0", "3.5", "+1.5", "4"],
        [hand, "9.0", "8.0", "+1.0", "4"],
        [crib, "5.0", "4.7", "+0.3", "4"],
        [deal, "19.0", "16.2", "+2.8", "4"],
    ]
    assert await rows(tables.nth(1).locator("tbody tr")) == [
        [play, "0.5", "2.0", "−1.5", "4"],
        [hand, "10.0", "8.1", "+1.9", "4"],
        [deal, "10.7", "10.1", "+0.6", "3"],
    ]
    assert "John Chambers" in await desk.page.locator("#statistics .source").inner_text()


async def test_the_middle_of_a_bar_is_par_and_over_it_looks_otherwise_than_under_it(desk: Visit) -> None:
    bars = card(desk, "Réjean").locator(".bar i")
    payload = await bars.evaluate_all(
        "nodes => nodes.map((n) => [n.getBoundingClientRect().width / n.parentNode.getBoundingClientRect().width,"
        " n.className, getComputedStyle(n).backgroundImage !== 'none'])"
    )
    assert [kind for _, kind, _ in payload] == ["over"] * 4 + ["under", "over", "over"]
    assert all((wide > 0.5) == (kind == "over") for wide, kind, _ in payload)
    assert all(striped == (kind == "under") for _, kind, striped in payload)
    assert await bars.locator("xpath=..").first.get_attribute("aria-hidden") == "true", "the figures say it already"


async def test_games_of_another_kind_stand_apart_and_without_a_par(desk: Visit) -> None:
    maude = card(desk, "Maude")
    assert await maude.locator("h4").all_inner_texts() == [
        *(phrase("page.statistics.kind", players=2, cards=cards) for cards in (6, 5)), phrase("page.statistics.best")
    ]  # fmt: skip
    assert await maude.locator("table.plain").count() == 2
    assert "Par" not in await maude.locator("table.plain").first.inner_text()


async def test_best_hands_are_drawn_and_named_card_by_card(desk: Visit) -> None:
    best = card(desk, "Maude").locator(".best li").first
    assert await best.locator("b").first.inner_text() == "20"
    names = [await each.get_attribute("aria-label") for each in await best.get_by_role("img").all()]
    assert names == ["Five of clubs", "Five of diamonds", "Five of spades", "Seven of hearts", "Five of hearts"]


async def test_further_figures_stand_below_the_table(desk: Visit) -> None:
    figures = dict(
        zip(
            await card(desk, "Réjean").locator("dt").all_inner_texts(),
            await card(desk, "Réjean").locator("dd").all_inner_texts(),
            strict=True,
        )
    )
    assert figures == {
        phrase("page.statistics.tally.left"): phrase("page.statistics.a_deal", average="0.3", points=2),
        phrase("page.statistics.tally.big"): phrase("page.statistics.of", n=0, all=12),
    }


async def test_figures_unknown_for_trusted_games_are_left_out(desk: Visit) -> None:
    lise = card(desk, "Lise")
    text = await lise.inner_text()
    assert phrase("page.statistics.trusted") in text
    assert [row[0] for row in await rows(lise.locator("tbody tr"))] == [phrase("page.statistics.part.deal")] * 2
    assert not [
        what
        for what in (
            phrase("page.statistics.tally.left"),
            phrase("page.statistics.tally.big"),
            phrase("page.statistics.best"),
        )
        if what in text
    ]


async def test_sides_that_had_no_name_come_last(desk: Visit) -> None:
    names = await desk.page.locator("details.player h3").all_inner_texts()
    assert sorted(names[-2:]) == [
        phrase("page.statistics.nameless", side="Blue"),
        phrase("page.statistics.nameless", side="Red"),
    ]


async def test_on_a_phone_one_card_is_open_and_below_the_list_a_button_leads_to_the_figures(
    board: Board, chromium: Browser
) -> None:
    async with visit(chromium, board, **PHONE) as phone:
        await phone.open("/games")
        await phone.page.locator("details.player").last.wait_for()
        assert await phone.page.locator("details.player[open]").count() == 1
        await phone.page.get_by_role("button", name=phrase("page.statistics.title")).press("Enter")
        await phone.page.wait_for_function("document.querySelector('#statistics h2').getBoundingClientRect().top < 60")
        assert await phone.page.evaluate("document.activeElement.tagName") == "SUMMARY"


async def test_a_game_that_ends_comes_into_the_figures_by_itself(board: Board, desk: Visit) -> None:
    ok = KeyPressed(Key.OK, 0), KeyPressed(Key.OK, 1)
    won: list[Input] = [ok[0], ok[0], *[HolePressed(0, 121)] * 3, *ok]
    blue = card(desk, phrase("page.statistics.nameless", side="Blue"))
    before = await blue.locator(".wins").inner_text()
    await board.post(*won)
    games = int(before.split()[-1])
    await expect(blue.locator(".wins")).to_contain_text(f"of {games + 1}", timeout=1000 * PATIENCE_S)


async def test_a_card_is_shut_from_the_keyboard_and_stays_shut(desk: Visit) -> None:
    maude = card(desk, "Maude")
    await maude.locator("summary").press("Enter")
    assert await maude.get_attribute("open") is None
    await desk.page.evaluate(TURN_TO, "fr")
    await desk.says("#statistics h2", phrase("page.statistics.title", "fr_CA"))
    assert await maude.get_attribute("open") is None
    assert await card(desk, "Réjean").get_attribute("open") is not None


@pytest.mark.parametrize("size", SIZES)
async def test_in_french_all_text_is_large_and_has_contrast(board: Board, chromium: Browser, size: str) -> None:
    async with visit(chromium, board, **{**SIZES[size], "locale": "fr-CA"}) as french:
        await french.open("/games")
        await french.says("#statistics h2", phrase("page.statistics.title", "fr_CA"))
        await unfold(french)
        section = french.page.locator("#statistics")
        assert english_words(await section.inner_text()) == []
        labels = await section.locator("[aria-label]").evaluate_all("n => n.map((e) => e.getAttribute('aria-label'))")
        assert english_words(" ".join(labels)) == []
        assert await french.page.evaluate(TOO_SMALL) == []
        assert await french.page.evaluate(TOO_FAINT) == []
        assert await french.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert await french.page.evaluate(CUT_OFF) == []


async def test_where_no_game_has_ended_there_is_a_word_and_no_figure(tmp_path: Path, chromium: Browser) -> None:
    async with switched_on(tmp_path) as on, visit(chromium, on, **DESK) as opened:
        await opened.open("/games")
        await opened.says("#statistics", phrase("page.statistics.nobody"))
        assert await opened.page.locator("details.player").count() == 0


async def test_many_games_are_added_bit_by_bit_until_all_are(tmp_path: Path, chromium: Browser) -> None:
    keep(tmp_path / "journal.db", [game_of_the_docs()] * 20)
    async with switched_on(tmp_path) as on, visit(chromium, on, **DESK) as opened:
        await opened.open("/games")
        await opened.says(".player .wins", "20 of 20")
        assert await opened.page.locator("#statistics [role=status]").inner_text() == ""
