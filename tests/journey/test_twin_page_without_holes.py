"""The twin page of a board without holes: its LEDs on pins and its step keys, as they are seen and pressed."""

from __future__ import annotations

import re

import pytest
from gpiozero import LED
from tests.support.catalogues import phrase
from tests.support.desk import Desk
from tests.support.spots import lamp_of

from cribd.boards import Shows
from cribd.inputs import Key

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.parametrize("open_desk", ["starter"], indirect=True),
]


async def test_each_key_is_pressed_on_the_board_on_the_console_and_by_its_letter(desk: Desk) -> None:
    letters = {(Key.STEP, 0): "w", (Key.STEP, 1): "i", (Key.OK, 0): "s", (Key.MENU, None): "m"}
    for pin in desk.board.keys:
        side = "" if pin.side is None else f"[data-side='{pin.side}']"
        places = [await desk.where(lamp_of(pin)), await desk.middle(f"#console [data-key='{pin.key}']{side}")]
        for place in places:
            await desk.page.mouse.move(*place)
            await desk.page.mouse.down()
            await desk.until(lambda pin=pin: desk.is_held(pin.key, pin.side))  # type: ignore[misc]
            await desk.page.mouse.up()
            await desk.until(lambda pin=pin: not desk.is_held(pin.key, pin.side))  # type: ignore[misc]
    for (key, at), letter in letters.items():
        await desk.page.keyboard.down(letter)
        await desk.until(lambda key=key, at=at: desk.is_held(key, at))  # type: ignore[misc]
        await desk.page.keyboard.up(letter)
        await desk.until(lambda key=key, at=at: not desk.is_held(key, at))  # type: ignore[misc]


async def test_an_led_on_a_pin_glows_in_its_colour_where_it_is_and_says_what_it_shows(desk: Desk) -> None:
    for led in desk.board.leds:
        spot, side = lamp_of(led), "Blue" if led.side == 0 else "Red"
        names = {Shows.TURN: "TURN", Shows.DEALER: "DEALER", Shows.PENDING: "CALL", Shows.GAMES: "GAMES"}
        strong, weak = (2, 0) if led.side == 0 else (0, 2)
        dark = await desk.colour(spot)
        with LED(led.gpio, pin_factory=desk.twin.wires.pin_factory) as wired:
            wired.on()
            await desk.shows("document.querySelectorAll('.peg').length", 1)
            await desk.sees(spot, lambda lit: lit[strong] > max(dark[strong] + 80, lit[weak] + 60), "it glows")  # noqa: B023
            named = await desk.page.get_by_role("img", name=f"{side} {names[led.shows]}: lit").count()
        await desk.shows("document.querySelectorAll('.peg').length", 0)
        assert named == 1


async def test_it_speaks_of_no_hole_and_offers_no_plug_that_it_lacks(desk: Desk) -> None:
    hint = await desk.page.locator(".hint").text_content()
    assert hint == phrase("page.twin.hint.step")
    assert not re.search(r"\bhole", await desk.page.locator("#explained").inner_text())
    parts = await desk.page.locator("[data-plug]").evaluate_all("(all) => all.map((plug) => plug.dataset.plug)")
    assert parts == ["screen", "reader"]
