"""The twin page in a real browser, on a real twin: one sees what the chips hold, and what a person does arrives."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest
from playwright.async_api import Locator
from serial import Serial
from tests.support.browser import TURN_TO
from tests.support.catalogues import phrase
from tests.support.desk import Desk, serve
from tests.support.spots import spots_of
from tests.support.sweeps import mostly_long

from cribd.boards import Spot
from cribd.inputs import Key

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]

CARDS = [rank + suit for suit in "CDSH" for rank in "A23456789TJQK"]


# The picture


async def test_every_hole_of_the_board_file_is_drawn_in_its_place_and_can_be_pressed_there(desk: Desk) -> None:
    found: dict[str, list[Any]] = await desk.page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('[data-hole]')].map((hole) => {
            const box = hole.getBoundingClientRect();
            const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
            const hit = document.elementFromPoint(x, y)?.closest('[data-hole]') === hole;
            return [`${hole.dataset.track} ${hole.dataset.hole}`, [x, y, hit, hole.getAttribute('aria-label')]];
        }))"""
    )
    assert len(found) == len(desk.board.tracks) * desk.board.game_hole
    for track, side in zip(desk.board.tracks, ("Blue", "Red", "Green"), strict=False):
        for number, spot in enumerate(track.holes, 1):
            x, y, hit, label = found[f"{track.side} {number}"]
            assert (x, y) == pytest.approx(await desk.where(spot), abs=1.0) if number % 30 == 1 else True
            assert hit, f"something lies over hole {number} of {side}"
            if number == desk.board.game_hole:
                assert label == phrase("page.twin.game_hole", side=side)
            else:
                assert label == phrase("page.twin.hole", side=side, number=number)


async def test_every_number_of_the_board_file_is_engraved(desk: Desk) -> None:
    numbers = await desk.page.locator(".wood .number").all_text_contents()
    assert sorted(numbers) == sorted(label.text for label in desk.board.labels)


async def test_the_signs_of_every_card_lie_on_its_face_and_of_numbers_the_same_upside_down(desk: Desk) -> None:
    boxes = await desk.page.locator(".face path").evaluate_all(
        """(all) => all.map((path) => [path.closest('[data-card]').dataset.card, path.getBBox()])
          .map(([card, { x, y, width, height }]) => [card, x, y, x + width, y + height])"""
    )
    assert len(boxes) == 52
    for card, left, top, right, bottom in boxes:
        assert left + right == pytest.approx(63, abs=0.05), card
        assert 2 < left < top < bottom < 86, card
        if card[0] not in "JQK":
            assert top + bottom == pytest.approx(88, abs=0.05), card


async def test_an_led_set_on_the_wire_glows_in_its_colour(desk: Desk) -> None:
    blue, red = desk.board.tracks[:2]
    front, back, other, unlit = blue.holes[45], blue.holes[37], red.holes[30], blue.holes[10]
    await desk.sees(front, lambda seen: max(seen) < 70, "no light is on")
    desk.glow({front.led: "FF FF 1C 01", back.led: "E4 B0 10 00", other.led: "FF 00 02 FF"})
    await desk.shows("document.querySelectorAll('.peg').length", 3)
    for spot in (front, back, other):
        assert await desk.page.locator(f"[data-lit='{spot.led}']").count() == 1
    seen_unlit = await desk.sees(unlit, lambda seen: max(seen) < 70, "this one is off")
    await desk.sees(front, lambda seen: seen[2] > max(200, seen[0] + 60), "the front peg is bright and blue")
    seen_back = await desk.sees(back, lambda seen: seen[2] > max(seen_unlit) + 30, "the back peg can be seen")
    await desk.sees(front, lambda seen: sum(seen) > 1.6 * sum(seen_back), "the back peg is dim beside the front peg")
    await desk.sees(other, lambda seen: seen[0] > max(200, seen[2] + 60), "the other side's is bright and red")
    desk.glow({})
    await desk.shows("document.querySelectorAll('.peg').length", 0)
    await desk.sees(front, lambda seen: max(seen) < 70, "the front peg is off again")


async def test_every_light_of_the_board_glows_where_it_is(desk: Desk) -> None:
    desk.glow(dict.fromkeys(range(desk.board.strip.count), "FF 80 80 80"))
    lit = {spot.led for track in desk.board.tracks for spot in spots_of(track)}
    await desk.shows("document.querySelectorAll('.peg').length", len(lit))
    assert {
        int(led) for led in await desk.page.evaluate("[...document.querySelectorAll('.peg')].map(p => p.dataset.lit)")
    } == lit


async def test_the_dots_on_the_page_are_the_display_ram(desk: Desk) -> None:
    ram = bytes((29 * at + at // 7) % 256 for at in range(1024))
    desk.draw(ram, contrast=0xCF)
    want = [bool(ram[y // 8 * 128 + x] >> y % 8 & 1) for y in range(64) for x in range(128)]
    lit = """(canvas) => { const data = canvas.getContext('2d').getImageData(0, 0, 128, 64).data;
        return Array.from({length: 8192}, (_, at) => data[4 * at + 3] > 0).map(Number).join(''); }"""
    for screen in ("document.querySelector('#oled')", "document.querySelector('.board .glass')"):
        await desk.shows(f"({lit})({screen})", "".join(str(int(dot)) for dot in want))
    sizes = await desk.page.evaluate(
        "(({width, height}) => [width / 128, height / 64])(document.querySelector('#oled').getBoundingClientRect())"
    )
    assert sizes == [3, 3], "each dot is as many whole pixels wide as high"


async def test_contrast_dims_the_screen_and_off_is_black(desk: Desk) -> None:
    alpha = "document.querySelector('#oled').getContext('2d').getImageData(5, 5, 1, 1).data[3]"
    desk.draw(b"\xff" * 1024, contrast=0xFF)
    await desk.shows(alpha, 255)
    desk.draw(b"\xff" * 1024, contrast=0x20)
    await desk.shows(f"{alpha} > 60 && {alpha} < 200", True)
    desk.twin.wires.i2c(desk.board.oled.i2c_port).write_i2c_block_data(desk.board.oled.address, 0x00, [0xAE])
    await desk.shows(alpha, 0)


# Fingers


async def test_a_press_in_the_page_reaches_the_wire_and_lasts_as_long_as_the_finger(desk: Desk) -> None:
    for track, hole in ((0, 1), (1, 29), (0, desk.board.game_hole)):
        await desk.page.mouse.move(*await desk.middle(f"[data-track='{track}'][data-hole='{hole}']"))
        await desk.page.mouse.down()
        await desk.until(lambda track=track, hole=hole: desk.is_down(track, hole))  # type: ignore[misc]
        await desk.clock.advance(5)
        assert desk.is_down(track, hole)
        await desk.page.mouse.up()
        await desk.until(lambda track=track, hole=hole: not desk.is_down(track, hole))  # type: ignore[misc]


async def test_holes_are_found_by_their_names_and_a_short_click_is_felt(desk: Desk) -> None:
    await desk.page.get_by_role("button", name=phrase("page.twin.hole", side="Red", number=14), exact=True).click()
    await desk.until(lambda: desk.is_down(1, 14))
    await desk.until(lambda: not desk.is_down(1, 14))


async def test_a_finger_that_slides_away_still_lets_go(desk: Desk) -> None:
    await desk.page.mouse.move(*await desk.middle("[data-track='0'][data-hole='20']"))
    await desk.page.mouse.down()
    await desk.until(lambda: desk.is_down(0, 20))
    await desk.page.mouse.move(5, 5)
    await desk.page.mouse.up()
    await desk.until(lambda: not desk.is_down(0, 20))


async def test_a_click_beside_a_hole_presses_the_hole(desk: Desk) -> None:
    x, y = await desk.middle("[data-track='0'][data-hole='20']")
    box = await desk.page.locator(".board").bounding_box()
    assert box is not None
    await desk.page.mouse.move(x, y + 0.8 * desk.board.pitch_mm * box["width"] / desk.board.width_mm)
    await desk.page.mouse.down()
    await desk.until(lambda: desk.is_down(0, 20))
    await desk.page.mouse.up()
    await desk.until(lambda: not desk.is_down(0, 20))


@pytest.mark.parametrize("name", ["triple"])
@pytest.mark.parametrize("window", [{"has_touch": True}], ids=["touch"])
async def test_two_fingers_press_two_holes_at_once(own_desk: Desk, window: dict[str, Any]) -> None:
    touch = await own_desk.context.new_cdp_session(own_desk.page)
    fingers = [await own_desk.middle(f"[data-track='{track}'][data-hole='33']") for track in (0, 1)]
    points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(fingers)]
    await touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    await own_desk.until(lambda: own_desk.is_down(0, 33) and own_desk.is_down(1, 33))
    await own_desk.clock.advance(1)
    assert own_desk.is_down(0, 33)
    assert own_desk.is_down(1, 33)
    await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await own_desk.until(lambda: not own_desk.is_down(0, 33) and not own_desk.is_down(1, 33))


async def test_a_long_press_is_a_long_press(desk: Desk) -> None:
    for key, side, at in ((Key.MENU, None, "[data-key='menu']"), (Key.GO, 1, "[data-key='go'][data-side='1']")):
        await desk.page.mouse.move(*await desk.middle(at))
        await desk.page.mouse.down()
        await desk.until(lambda key=key, side=side: desk.is_held(key, side))  # type: ignore[misc]
        await desk.clock.advance(1.2)
        assert desk.is_held(key, side), "it is held for as long as the mouse is"
        await desk.page.mouse.up()
        await desk.until(lambda key=key, side=side: not desk.is_held(key, side))  # type: ignore[misc]


async def test_every_key_has_one_cap_and_a_place_on_the_board(desk: Desk) -> None:
    for pin in desk.board.keys:
        side = "" if pin.side is None else f"[data-side='{pin.side}']"
        assert await desk.page.locator(f"[data-key='{pin.key}']{side}").count() == 1
        x, y = await desk.where(Spot(led=0, x_mm=pin.x_mm, y_mm=pin.y_mm))
        await desk.page.mouse.move(x, y)
        await desk.page.mouse.down()
        await desk.until(lambda pin=pin: desk.is_held(pin.key, pin.side))  # type: ignore[misc]
        await desk.page.mouse.up()
        await desk.until(lambda pin=pin: not desk.is_held(pin.key, pin.side))  # type: ignore[misc]


async def test_the_keyboard_has_the_keys_and_every_hole(desk: Desk) -> None:
    green = [("f", Key.GO, 2), ("g", Key.OK, 2), ("h", Key.CHALLENGE, 2)] if len(desk.board.tracks) > 2 else []
    for letter, key, side in (("a", Key.GO, 0), ("k", Key.OK, 1), ("m", Key.MENU, None), *green):
        await desk.page.keyboard.down(letter)
        await desk.until(lambda key=key, side=side: desk.is_held(key, side))  # type: ignore[misc]
        await desk.page.keyboard.up(letter)
        await desk.until(lambda key=key, side=side: not desk.is_held(key, side))  # type: ignore[misc]
    await desk.page.focus("[data-track='0'][data-hole='1']")
    for _ in range(4):
        await desk.page.keyboard.press("ArrowRight")
    await desk.page.keyboard.down("Enter")
    await desk.until(lambda: desk.is_down(0, 5))
    await desk.page.keyboard.up("Enter")
    await desk.until(lambda: not desk.is_down(0, 5))


@pytest.mark.parametrize("name", ["triple"])
async def test_a_page_that_is_closed_takes_its_finger_off(own_desk: Desk) -> None:
    await own_desk.page.mouse.move(*await own_desk.middle("[data-track='0'][data-hole='8']"))
    await own_desk.page.mouse.down()
    await own_desk.until(lambda: own_desk.is_down(0, 8))
    await own_desk.page.close()
    await own_desk.until(lambda: not own_desk.is_down(0, 8))


# Cards, plugs, sound


async def test_each_card_of_the_pack_can_be_pressed_where_it_lies(desk: Desk) -> None:
    reached = await desk.page.evaluate(
        """() => [...document.querySelectorAll('[data-card]')].map((card) => {
            const box = card.getBoundingClientRect();
            const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            return at?.closest('[data-card]') === card ? card.dataset.card : null;
        })"""
    )
    assert sorted(reached) == sorted(CARDS)


@pytest.mark.parametrize("open_desk", ["continuous"], indirect=True)
async def test_each_card_of_the_pack_sends_its_own_bytes(desk: Desk) -> None:
    with Serial(desk.twin.wires.serial("reader"), 9600, timeout=0) as reader:
        for card in CARDS:
            await desk.page.mouse.click(*await desk.middle(f"[data-card='{card}']"))
            heard = bytearray()
            await desk.until(lambda heard=heard: bool(heard.extend(reader.read(50)) or heard.endswith(b"\r")))  # type: ignore[misc]
            assert heard == f"{card}\r".encode()
    assert await desk.page.locator(".card.used").count() == 0, "no board is here to take one"


async def test_a_card_can_be_scanned_again(desk: Desk) -> None:
    with Serial(desk.twin.wires.serial("reader"), 9600, timeout=0) as reader:
        for _ in range(2):
            await desk.page.get_by_role("button", name="Five of hearts").click()
            await desk.until(lambda: reader.in_waiting == 3)
            assert reader.read(50) == b"5H\r"


async def test_a_plug_can_be_pulled_and_put_back(desk: Desk) -> None:
    desk.glow({desk.board.tracks[0].holes[3].led: "FF FF FF FF"})
    await desk.shows("document.querySelectorAll('.peg').length", 1)
    await desk.page.get_by_role("button", name=phrase("page.twin.plugs")).click()
    plug = desk.page.locator("[data-plug=strip]")
    await plug.click()
    await desk.shows("document.querySelectorAll('.peg').length", 0)
    assert await plug.get_attribute("aria-checked") == "false"
    await plug.click()
    await desk.shows("document.querySelector('[data-plug=strip]').getAttribute('aria-checked')", "true")


async def test_the_buzzer_is_seen_and_can_be_heard(desk: Desk) -> None:
    sound = desk.page.get_by_role("button", name=phrase("page.twin.sound"))
    assert await sound.get_attribute("aria-pressed") == "false", "silent until somebody wants it"
    await sound.click()
    pin = desk.twin.wires.pin_factory.pin(desk.board.buzzer_gpio)
    pin.function, pin.frequency, pin.state = "output", 880, 0.5
    await desk.shows("document.querySelector('#sound').classList.contains('sounding')", True)
    pin.state = 0
    await desk.shows("document.querySelector('#sound').classList.contains('sounding')", False)


# The page itself


@pytest.mark.parametrize("name", mostly_long(["continuous", "triple"], every=2))
@pytest.mark.parametrize("window", [{"locale": "fr-CA"}], ids=["fr-CA"])
async def test_the_page_speaks_french_where_the_browser_does_and_english_when_asked(
    own_desk: Desk, window: dict[str, Any]
) -> None:
    def buttons(name: str) -> Locator:
        return own_desk.page.get_by_role("button", name=name, exact=True)

    def challenge(side: str, language: str) -> str:
        return phrase("page.twin.key", language, side=side, key=phrase("key.challenge", language))

    assert await buttons(phrase("page.twin.hole", "fr_CA", side="Bleu", number=14)).count() == 1
    assert await own_desk.page.get_by_role("button", name="Valet de carreau").count() == 1
    assert await buttons(challenge("Rouge", "fr_CA")).count() == 1
    assert await own_desk.page.get_by_role("button", name="Vert GO").count() == len(own_desk.board.tracks) - 2
    await own_desk.page.evaluate(TURN_TO, "en")
    assert await buttons(phrase("page.twin.hole", side="Blue", number=14)).count() == 1
    assert await buttons(challenge("Red", "en")).count() == 1
    assert await own_desk.page.evaluate("document.documentElement.lang") == "en"
    await own_desk.page.reload()
    await buttons(phrase("page.twin.hole", side="Blue", number=14)).wait_for()


@pytest.mark.parametrize("name", ["triple"])
async def test_a_lost_connection_is_shown_and_restored(own_desk: Desk) -> None:
    port = own_desk.runner.addresses[0][1]
    own_desk.glow({own_desk.board.tracks[0].holes[3].led: "FF FF FF FF"})
    await own_desk.shows("document.querySelectorAll('.peg').length", 1)
    await own_desk.runner.cleanup()
    await own_desk.page.get_by_text(phrase("page.twin.away")).wait_for()
    own_desk.glow({own_desk.board.tracks[0].holes[7].led: "FF FF FF FF"})
    own_desk.runner = await serve(own_desk.twin, own_desk.board, own_desk.clock, port=port)
    await own_desk.shows("document.querySelector('.peg').dataset.lit", str(own_desk.board.tracks[0].holes[7].led))
    assert not await own_desk.page.get_by_text(phrase("page.twin.away")).is_visible()
    own_desk.complaints[:] = [said for said in own_desk.complaints if "ERR_CONNECTION_REFUSED" not in said]


async def test_the_picture_on_the_page_is_the_one_that_is_sent(desk: Desk) -> None:
    """The state a page holds is the last of the wire, even where it missed some."""
    spots = desk.board.tracks[1].holes
    for number in range(60):
        desk.glow({spots[number].led: "FF 00 00 FF"})
    await desk.shows("document.querySelector('.peg')?.dataset.lit", str(spots[59].led))
    sent: str = await desk.page.evaluate(
        """() => new Promise((done) => { const wires = new WebSocket(`ws://${location.host}/twin/wires`);
            wires.onmessage = (message) => { done(JSON.parse(message.data).leds); wires.close(); }; })"""
    )
    assert b64decode(sent)[4 * spots[59].led] == 0xFF
