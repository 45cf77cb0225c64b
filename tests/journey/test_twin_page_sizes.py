"""The twin page in windows of every size: nothing is cut, nothing lies over anything else, for two sides or three."""

from __future__ import annotations

from itertools import combinations, cycle, pairwise
from typing import Any

import pytest
from tests.support.axe import found
from tests.support.browser import TURN_TO, resize
from tests.support.desk import Desk
from tests.support.spots import HOLED
from tests.support.sweeps import by_turns

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.long, pytest.mark.asyncio(loop_scope="session")]

SIZES = [(1920, 1080), (1440, 900), (1280, 1024), (1120, 900), (1280, 800), (1280, 720), (1000, 800), (800, 900)]
#: Resolves when the page is drawn as it is now.
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


async def boxes(desk: Desk, *selectors: str) -> list[list[tuple[float, float, float, float]]]:
    """For each selector, left, top, right and bottom of everything that is so called."""
    found: list[list[tuple[float, float, float, float]]] = await desk.page.evaluate(
        "(all) => all.map((s) => [...document.querySelectorAll(s)].map((n) => n.getBoundingClientRect())"
        ".map((b) => [b.left, b.top, b.right, b.bottom]))",
        selectors,
    )
    return found


async def caps_fit(desk: Desk) -> None:
    """Every key of the console lies whole on it, in nobody's way, and its word lies whole on the key."""
    [(left, top, right, bottom)], caps, words, [glass] = await boxes(desk, "#console", ".cap .top", ".cap b", "#oled")
    assert len(caps) == len(desk.board.keys)
    for cap, word in zip(caps, words, strict=True):
        assert left <= cap[0] < cap[2] <= right
        assert top <= cap[1] < cap[3] <= bottom
        assert cap[0] - 1 <= word[0] < word[2] <= cap[2] + 1, "the word is wider than its key"
    for one, other in combinations([*caps, glass], 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.sweep
async def test_in_a_window_of_any_size_all_is_in_sight_and_every_key_in_reach(desk: Desk) -> None:
    """The languages take turns, and so do the boards in which is the first; all where sweeps are whole."""
    languages = ("fr", "en") if HOLED.index(desk.board.name) % 2 else ("en", "fr")
    for (width, height), language in by_turns(SIZES, languages):
        await resize(desk.page, width, height)
        await desk.page.evaluate(TURN_TO, language)
        await desk.page.evaluate(DRAWN)
        await all_fits(desk, width, height)


@pytest.mark.parametrize("open_desk", ["starter"], indirect=True)
async def test_a_board_without_holes_fits_every_window_too_and_axe_finds_nothing(desk: Desk) -> None:
    for (width, height), language in zip(SIZES, cycle(("fr", "en"))):
        await resize(desk.page, width, height)
        await desk.page.evaluate(TURN_TO, language)
        await desk.page.evaluate(DRAWN)
        await all_fits(desk, width, height)
        [captions] = await boxes(desk, ".lamp .caption")
        assert len(captions) == len(desk.board.leds)
        for one, other in pairwise(captions):
            assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
    assert await found(desk.page, "twin without holes") == []
    await resize(desk.page, 390, 844)
    await desk.page.evaluate(DRAWN)
    await caps_fit(desk)
    assert await desk.page.evaluate("document.documentElement.scrollWidth") == 390
    assert await found(desk.page, "twin without holes, on a phone") == []


async def all_fits(desk: Desk, width: int, height: int) -> None:
    await caps_fit(desk)
    await all_is_in_sight(desk, width, height)


async def all_is_in_sight(desk: Desk, width: int, height: int) -> None:
    """Nothing of the page lies outside of the window, or over anything else."""
    size = await desk.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size == [width, height], "there is nothing to scroll"
    [board], [console], fans, small = await boxes(
        desk, ".board", "#console", ".fan", "#oled, [data-card='KH'], #console [data-key='menu']"
    )
    assert len(small) == 3
    for left, top, right, _ in (board, console, fans[3], *small):
        assert 0 <= left < right <= width + 1
        assert top >= 0
    for left, _, right, _ in (board, console):
        assert left == pytest.approx(width - right, abs=1), f"{width}x{height}: it stands in the middle"
    for above, below in pairwise((board, console, fans[0])):
        assert above[3] <= below[1] + 1, "nothing lies over anything else"


async def test_a_low_window_scrolls_and_nothing_lies_over_anything_else(desk: Desk) -> None:
    await resize(desk.page, 844, 390)
    await desk.page.evaluate(DRAWN)
    await caps_fit(desk)
    [board], [console], fans = await boxes(desk, ".board", "#console", ".fan")
    for above, below in pairwise((board, console, fans[0])):
        assert above[3] <= below[1] + 1
    assert await desk.page.evaluate("document.documentElement.scrollWidth") == 844


async def test_a_hole_is_reached_and_pressed_with_five_keys_at_most(desk: Desk) -> None:
    for keys, side, hole in (("45", 0, 45), ("7", 1, 7), (str(desk.board.last_hole), 1, desk.board.last_hole)):
        await desk.page.evaluate("document.activeElement.blur()")
        for key in (*keys, *["Tab"] * side):
            await desk.page.keyboard.press(key)
        await desk.page.keyboard.down("Enter")
        await desk.until(lambda side=side, hole=hole: desk.is_down(side, hole))  # type: ignore[misc]
        await desk.page.keyboard.up("Enter")
        await desk.until(lambda side=side, hole=hole: not desk.is_down(side, hole))  # type: ignore[misc]
        assert len(keys) + side + 1 <= 5


async def test_with_forced_colours_screen_and_cards_keep_theirs(desk: Desk) -> None:
    await desk.page.emulate_media(forced_colors="active")
    colours = "(card) => getComputedStyle(card.querySelector('svg, .face')).color"
    red, black = [await desk.page.locator(f"[data-card='{card}']").evaluate(colours) for card in ("KH", "KS")]
    assert red != black
    adjusts = "(node) => getComputedStyle(node).forcedColorAdjust"
    for part in ("#oled", ".face", ".board", ".top"):
        assert await desk.page.locator(part).first.evaluate(adjusts) == "none", part
    await desk.page.emulate_media(forced_colors="none")


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 3}


@pytest.mark.parametrize("window", [PHONE], ids=["390x844"])
async def test_on_a_phone_every_key_fits_a_thumb_and_an_upright_board_has_more_than_half_of_the_page(
    own_desk: Desk, window: dict[str, Any]
) -> None:
    del window
    for language in ("fr", "en"):
        await own_desk.page.evaluate(TURN_TO, language)
        await caps_fit(own_desk)
    [console], caps, [(left, top, right, bottom)] = await boxes(own_desk, "#console", ".cap .top", ".board")
    for cap in caps:
        assert min(cap[2] - cap[0], cap[3] - cap[1]) >= 42
    assert console[3] < 400
    assert await own_desk.page.evaluate("document.documentElement.scrollWidth") == 390
    assert bottom - top > right - left > 340
    last = own_desk.page.locator(f"[data-track='0'][data-hole='{own_desk.board.last_hole // 2}']")
    await last.scroll_into_view_if_needed()
    await last.tap()
    await own_desk.until(lambda: own_desk.is_down(0, own_desk.board.last_hole // 2))
    await own_desk.until(lambda: not own_desk.is_down(0, own_desk.board.last_hole // 2))
    [[(left, top, right, _)]] = await boxes(own_desk, "#oled")
    assert 0 <= top < 100, "the screen stays in sight"
    for narrow in (360, 768):
        await resize(own_desk.page, narrow, 780)
        await own_desk.page.evaluate(DRAWN)
        await caps_fit(own_desk)
        assert await own_desk.page.evaluate("document.documentElement.scrollWidth") == narrow
    await resize(own_desk.page, 390, 844)
    await own_desk.page.evaluate(DRAWN)
    [[(left, top, right, _)]] = await boxes(own_desk, "#oled")
    dot = (right - left) / 128 * 3
    assert dot == pytest.approx(round(dot), abs=0.01), "a dot is a whole number of the phone's own pixels"
