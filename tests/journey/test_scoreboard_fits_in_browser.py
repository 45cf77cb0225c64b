"""The scoreboard for everybody: in both languages, at every size, with every name and for any number of sides."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect
from tests.support.browser import TURN_TO, resize
from tests.support.english_words import english_words
from tests.support.phases import SIZES, Exhibition, exhibition
from tests.support.scoreboard import CUT_TEXT, LONG, PAST_THE_FRAME, PHASES, USUAL, peg, says, score, screen, window
from tests.support.sweeps import IS_WHOLE, by_turns, one_in
from tests.support.visitors import TOO_FAINT

from cribboard import RULES, Card, score_show
from cribboard.event_terms import Verdict
from cribboard.events import ClaimJudged
from cribboard.view import View
from cribd.table.snapshot import Lobby, Snapshot

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

#: Words that no English scoreboard has.
FRENCH = re.compile(r"\b(à|vous|donne|compte|retourne|parties?|gagne|premier|main|jour|bleu|rouge)\b", re.IGNORECASE)
#: Phases of a game, of which everybody at the bar wants to know all.
FROM_AFAR = ("play", "counted", "most", "hand", "three", "six")


async def test_the_hall_has_the_boards_language_unless_one_chooses_another(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages:
        pages.show(replace(PHASES["play"], language="fr_CA", names=()))
        async with screen(chromium, pages.origin) as page:
            await says(page.locator("#ask"), "Bleu")
            assert await page.evaluate("document.documentElement.lang") == "fr-CA"
            pages.show(replace(PHASES["play"], names=()))
            await says(page.locator("#ask"), "Blue")
            assert await page.evaluate("document.documentElement.lang") == "en"
            await page.evaluate(TURN_TO, "fr")
            await says(page.locator("#ask"), "Bleu")
        async with screen(chromium, pages.origin, "/?language=fr") as page:
            await says(page.locator("#ask"), "Bleu")


async def test_three_sides_have_their_panels_and_their_tracks(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path, sides=3) as pages:
        pages.show(PHASES["three"])
        async with screen(chromium, pages.origin) as page:
            for name in ("three", "six"):
                pages.show(PHASES[name])
                view = PHASES[name].view
                assert view is not None
                for side in range(3):
                    await expect(score(page, side)).to_have_text(str(view.sides[side].score))
                    await expect(peg(page, side)).to_have_attribute("data-hole", str(view.sides[side].score))
                shapes = await page.locator("#board .peg.front .head").evaluate_all(
                    "(pegs) => pegs.map((peg) => peg.innerHTML)"
                )
                assert len(set(shapes)) == 3, "each side is told by its shape too"


async def test_any_characters_of_a_name_are_shown_as_text(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path) as pages:
        pages.show(replace(PHASES["counted"], names=("<b>Li & Co</b>", "Paul")))
        async with screen(chromium, pages.origin) as page:
            await says(page.locator(".side .name").first, "<b>Li & Co</b>")
            await says(page.locator(".counted-title"), "<b>Li & Co</b>")
            assert await page.locator(".name b").count() == 0


@pytest.mark.sweep
@pytest.mark.parametrize("sides", [2, 3])
async def test_every_phase_fits_and_can_be_read_at_every_size(tmp_path: Path, chromium: Browser, sides: int) -> None:
    """In French, which is longer, each at two of the three sizes, by turns; in English on a television."""
    every = PHASES | {"most": replace(PHASES["counted"], view=of_most_combinations())}
    shows = {name: each for name, each in every.items() if len(each.view.sides if each.view else (0, 1)) == sides}
    assert every.keys() >= set(FROM_AFAR)
    async with exhibition(tmp_path, sides=sides) as pages:
        pages.show(next(iter(shows.values())))
        async with screen(chromium, pages.origin, "/?language=en") as page:
            await every_phase_fits(pages, page, shows, FRENCH.findall, [*SIZES] if IS_WHOLE else [*SIZES][:1])
            pages.show(next(iter(shows.values())))
            await page.goto(f"{pages.origin}/?language=fr")
            await page.wait_for_selector("body:not(.waiting)")
            await every_phase_fits(pages, page, shows, english_words, [*SIZES])


async def every_phase_fits(
    pages: Exhibition, page: Page, shows: dict[str, Snapshot], foreign: Callable[[str], list[str]], sizes: list[str]
) -> None:
    """In each phase at two of these sizes, by turns, nothing is too wide, too faint, cut off or `foreign`."""
    looked_at = by_turns([*shows], sizes, each=2)
    for size in sizes:
        await resize(page, *SIZES[size])
        for name, snapshot in shows.items():
            if (name, size) not in looked_at:
                continue
            pages.show(replace(snapshot, names=()))
            if snapshot.view is not None:
                await expect(peg(page, 0)).to_have_attribute("data-hole", str(snapshot.view.sides[0].score))
            fits, faint, cut_off, words = await page.evaluate(LOOKED_THROUGH)
            assert fits, f"{name} at {size}"
            assert faint == [], f"{name} at {size}"
            assert cut_off == [], f"{name} at {size}"
            assert foreign(words) == [], f"{name} at {size}: {words}"
            if size == "1920x1080" and name in FROM_AFAR:
                can_be_read_from_five_metres_away(dict(await page.evaluate(TYPE_SIZES)))


def can_be_read_from_five_metres_away(sizes: dict[str, float]) -> None:
    """Letters of 48 pixels on a screen of 1080; the labels of a side are larger than the smallest of a newspaper."""
    assert sizes.pop(".badge") >= 38
    assert min(sizes.values()) >= 48, sizes


@pytest.mark.sweep
@pytest.mark.parametrize("sides", [2, 3])
async def test_no_name_is_cut_at_any_size(tmp_path: Path, chromium: Browser, sides: int) -> None:
    """Long names in each phase at two of the sizes, by turns, and usual ones in every third."""
    shows = [phase for phase in PHASES.values() if phase.view and len(phase.view.sides) == sides]
    async with exhibition(tmp_path, sides=sides) as pages:
        pages.show(replace(shows[0], names=LONG[:sides]))
        async with screen(chromium, pages.origin, "/?language=fr") as page:
            looked_at = by_turns(shows, [*SIZES], each=2)
            for size in SIZES:
                await resize(page, *SIZES[size])
                long = [show for show in shows if (show, size) in looked_at]
                for names, snapshot in [*product([LONG], long), *product([USUAL], shows[:: one_in(3)])]:
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


async def test_a_common_name_is_not_broken_on_a_phone(tmp_path: Path, chromium: Browser) -> None:
    async with exhibition(tmp_path, sides=3) as pages:
        pages.show(replace(PHASES["three"], names=USUAL))
        async with screen(chromium, pages.origin, "/table?language=fr", viewport=window("390x844")) as page:
            name = page.locator("#scores .name span", has_text="Geneviève")
            lines = "(name) => name.getBoundingClientRect().height / parseFloat(getComputedStyle(name).lineHeight)"
            assert await name.evaluate(lines) < 1.5


async def test_on_a_phone_faults_and_calls_are_visible(tmp_path: Path, chromium: Browser) -> None:
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


def of_most_combinations() -> View:
    """The count that has the most to say: 29, called too low."""
    view = PHASES["counted"].view
    assert view is not None
    hand, starter = Card.parse_many("5S 5C 5D JH"), Card.parse("5H")
    *before, last = view.scores
    assert isinstance(last.what, ClaimJudged)
    worth = score_show(hand, starter, crib=False, rules=RULES["six-card"])
    what = replace(
        last.what, verdict=Verdict.TOO_FEW, called=24, due=worth.total, combinations=tuple(worth.combinations)
    )
    return replace(view, scores=(*before, replace(last, what=what, cards=tuple(hand), starter=starter)))


def ahead(sides: Any) -> Any:
    """The first of these sides has pegged twelve points more."""
    return (replace(sides[0], score=sides[0].score + 12), *sides[1:])


#: The smallest type of each kind.
TYPE_SIZES = """() => ['.badge', 'header h1', 'header #about', '#stage .label', '.count b', '.counted-title',
    '.counted-total span', '.counted-steps li'].map((kind) => [kind,
    Math.min(...[...document.querySelectorAll(kind)].map((node) => parseFloat(getComputedStyle(node).fontSize)))])
  .filter(([, size]) => Number.isFinite(size))"""
#: Text of the game that reaches beyond the page, or into what it must not cover.
CUT_OFF = """() => [...document.querySelectorAll(
    '.score b, .name, .badge, #ask span, .face, .count, #board, h2, .final b')]
  .filter((node) => node.getClientRects().length)
  .map((node) => [node.getBoundingClientRect(), node.className || node.id])
  .filter(([box]) => box.left < -1 || box.right > innerWidth + 1 || box.top < -1)
  .map(([box, name]) => `${name}: ${Math.round(box.left)} to ${Math.round(box.right)}`)
  .concat([...document.querySelectorAll('#stage .counted > *, #stage .label, .counted-words > *')].filter((node) =>
    node.getClientRects().length && node.getBoundingClientRect().bottom
      > document.querySelector('#board').getBoundingClientRect().top + 2)
    .map((node) => `${node.className} lies over the board`))"""
#: Whether all fits into the window, what is too faint, what is cut off, and the words.
LOOKED_THROUGH = f"""() => [document.scrollingElement.scrollWidth <= innerWidth, ({TOO_FAINT})(), ({CUT_OFF})(),
  document.body.innerText]"""
