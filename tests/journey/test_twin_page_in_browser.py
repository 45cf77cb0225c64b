"""The twin page in a real browser, on a real twin: what a person sees is what the chips hold, and what he does arrives.

Time is the test's own: the clock moves while the test waits for something, and so a long press takes no long time.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from base64 import b64decode
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web
from PIL import Image
from playwright.async_api import Browser, BrowserContext, Page, async_playwright
from serial import Serial

from cribd.boards import NAMES, Board, Spot, load
from cribd.clock import ManualClock
from cribd.facts import Key
from cribd.twin.machine import Twin
from cribd.twin.web import TwinPage

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_S = 15  # real, and only ever taken by a test that fails
CARDS = [rank + suit for suit in "CDSH" for rank in "A23456789TJQK"]


@dataclass
class Desk:
    """A twin on a desk, and a browser before it."""

    board: Board
    twin: Twin
    clock: ManualClock
    origin: str
    runner: web.AppRunner
    context: BrowserContext
    page: Page
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    async def open(self) -> None:
        """Go to the page and wait for its first picture."""
        await self.page.goto(f"{self.origin}/twin")
        await self.page.wait_for_selector("body:not(.waiting)")

    async def until(self, true: Callable[[], bool]) -> None:
        """Let time go by until something is so."""
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                await self.clock.advance(0.01)
                await asyncio.sleep(0.002)

    async def shows(self, script: str, expected: object) -> None:
        """Let time go by until the page gives this answer."""
        given: object = None
        try:
            async with asyncio.timeout(PATIENCE_S):
                while (given := await self.page.evaluate(script)) != expected:
                    await self.clock.advance(0.01)
        except TimeoutError:
            assert given == expected

    # The wires

    def is_down(self, track: int, hole: int) -> bool:
        wired = self.board.chain
        place = self.board.tracks[track].holes[hole - 1].input
        device = self.twin.wires.spi(wired.spi_select, hz=wired.hz, mode=wired.spi_mode)
        bits = "".join(f"{byte:08b}" for byte in device.transfer([0] * (wired.chips + 1)))
        device.close()
        assert place is not None
        return bits[place] == str(wired.pressed_level)

    def is_held(self, key: Key, side: int | None) -> bool:
        gpio = next(pin.gpio for pin in self.board.keys if (pin.key, pin.side) == (key, side))
        return self.twin.wires.pin_factory.is_grounded(f"GPIO{gpio}")

    def glow(self, lights: dict[int, str]) -> None:
        """Send one LED frame: brightness byte, blue, green, red, in hexadecimal."""
        wired = self.board.strip
        leds = b"".join(bytes.fromhex(lights.get(led, "E0 00 00 00")) for led in range(wired.count))
        device = self.twin.wires.spi(wired.spi_select, hz=wired.hz, mode=wired.spi_mode)
        device.transfer([*bytes(4), *leds, *bytes(4 + -(-wired.count // 16))])
        device.close()

    def draw(self, ram: bytes, *, contrast: int = 0xCF) -> None:
        """Show these 1,024 bytes on the screen, mounted as the common modules are."""
        bus = self.twin.wires.i2c(self.board.oled.i2c_port)
        address = self.board.oled.address
        setup: tuple[list[int], ...] = ([0x8D, 0x14], [0x20, 0x00], [0xA1], [0xC8], [0x81, contrast], [0x21, 0, 127])
        for command in (*setup, [0x22, 0, 7], [0xAF]):
            bus.write_i2c_block_data(address, 0x00, command)
        for at in range(0, len(ram), 16):
            bus.write_i2c_block_data(address, 0x40, list(ram[at : at + 16]))

    # The eye

    async def middle(self, selector: str) -> tuple[float, float]:
        box = await self.page.locator(selector).bounding_box()
        assert box is not None, f"{selector} is not to be seen"
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    async def where(self, spot: Spot) -> tuple[float, float]:
        """Where on the page a place of the board file must be, from the edges of the wood."""
        box = await self.page.locator(".board").bounding_box()
        assert box is not None
        scale = box["width"] / self.board.width_mm
        return box["x"] + spot.x_mm * scale, box["y"] + spot.y_mm * scale

    async def colour(self, spot: Spot) -> tuple[int, int, int]:
        """What colour the page has at a place of the board."""
        image = Image.open(BytesIO(await self.page.screenshot())).convert("RGB")
        x, y = await self.where(spot)
        patch = image.crop((round(x) - 2, round(y) - 2, round(x) + 3, round(y) + 3)).resize(
            (1, 1), Image.Resampling.BOX
        )
        red, green, blue = patch.tobytes()
        return red, green, blue


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def chromium() -> AsyncIterator[Browser]:
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing, and in CI nothing may be: apt-get install chromium")
        pytest.skip("Chromium is missing: apt-get install chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        await browser.close()


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest_asyncio.fixture(loop_scope="module")
async def desk(request: pytest.FixtureRequest, name: str, chromium: Browser, tmp_path: Path) -> AsyncIterator[Desk]:
    """A desk whose page is open, in English at 1440 × 900 where no `window` says otherwise. It must end quietly."""
    wanted: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "locale": "en-CA"}
    wanted |= request.node.callspec.params.get("window", {})
    board, clock = load(name), ManualClock()
    twin = Twin(board, clock, folder=tmp_path / "wires")
    runner = await serve(twin, board, clock, port=0)
    origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
    context = await chromium.new_context(**wanted)
    context.set_default_timeout(1000 * PATIENCE_S)
    desk = Desk(board, twin, clock, origin, runner, context, await context.new_page())
    context.on("request", lambda asked: desk.asked.append(asked.url))
    desk.page.on("websocket", lambda opened: desk.asked.append(opened.url))
    desk.page.on("console", lambda said: desk.complaints.append(f"{said.type}: {said.text}"))
    desk.page.on("pageerror", lambda error: desk.complaints.append(str(error)))
    await desk.open()
    yield desk
    await context.close()
    await desk.runner.cleanup()
    twin.close()
    own = (f"{origin}/", f"{origin.replace('http', 'ws')}/")
    assert [url for url in desk.asked if not url.startswith(own)] == [], "no request leaves the origin"
    assert desk.complaints == [], "the browser has nothing to complain of"


async def serve(twin: Twin, board: Board, clock: ManualClock, *, port: int) -> web.AppRunner:
    app = web.Application()
    TwinPage(twin, board, clock=clock).mount(app)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, reuse_address=True).start()
    return runner


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
            assert label == (f"{side} game hole" if number == desk.board.game_hole else f"{side} hole {number}")


async def test_every_number_of_the_board_file_is_engraved(desk: Desk) -> None:
    numbers = await desk.page.locator(".wood .number").all_text_contents()
    assert sorted(numbers) == sorted(label.text for label in desk.board.labels)


async def test_an_led_set_on_the_wire_glows_in_its_colour(desk: Desk) -> None:
    blue, red = desk.board.tracks[:2]
    front, back, other, unlit = blue.holes[45], blue.holes[37], red.holes[30], blue.holes[10]
    dark = await desk.colour(front)
    desk.glow({front.led: "FF FF 1C 01", back.led: "E4 B0 10 00", other.led: "FF 00 02 FF"})
    await desk.shows("document.querySelectorAll('.peg').length", 3)
    for spot in (front, back, other):
        assert await desk.page.locator(f"[data-lit='{spot.led}']").count() == 1
    seen_front, seen_back, seen_other = [await desk.colour(spot) for spot in (front, back, other)]
    seen_unlit = await desk.colour(unlit)
    assert max(dark) < 70
    assert max(seen_unlit) < 70
    assert seen_front[2] > 200, "the front peg is bright"
    assert seen_front[2] > seen_front[0] + 60, "and blue"
    assert max(seen_unlit) + 30 < seen_back[2], "the back peg can be seen"
    assert 1.6 * sum(seen_back) < sum(seen_front), "and is dim beside the front peg"
    assert seen_other[0] > 200
    assert seen_other[0] > seen_other[2] + 60, "the other side's is red"
    desk.glow({})
    await desk.shows("document.querySelectorAll('.peg').length", 0)
    assert max(await desk.colour(front)) < 70


async def test_every_light_of_the_board_glows_where_it_is(desk: Desk) -> None:
    desk.glow(dict.fromkeys(range(desk.board.strip.count), "FF 80 80 80"))
    lit = {spot.led for track in desk.board.tracks for spot in track.spots}
    await desk.shows("document.querySelectorAll('.peg').length", len(lit))
    assert {
        int(led) for led in await desk.page.evaluate("[...document.querySelectorAll('.peg')].map(p => p.dataset.lit)")
    } == lit


async def test_the_dots_on_the_page_are_the_display_ram(desk: Desk) -> None:
    ram = bytes((29 * at + at // 7) % 256 for at in range(1024))
    desk.draw(ram)
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
    await desk.page.get_by_role("button", name="Red hole 14", exact=True).click()
    await desk.until(lambda: desk.is_down(1, 14))
    await desk.until(lambda: not desk.is_down(1, 14))


async def test_a_finger_that_slides_away_still_lets_go(desk: Desk) -> None:
    await desk.page.mouse.move(*await desk.middle("[data-track='0'][data-hole='20']"))
    await desk.page.mouse.down()
    await desk.until(lambda: desk.is_down(0, 20))
    await desk.page.mouse.move(5, 5)
    await desk.page.mouse.up()
    await desk.until(lambda: not desk.is_down(0, 20))


async def test_beside_a_hole_is_near_enough_for_a_mouse(desk: Desk) -> None:
    x, y = await desk.middle("[data-track='0'][data-hole='20']")
    box = await desk.page.locator(".board").bounding_box()
    assert box is not None
    await desk.page.mouse.move(x, y + 0.8 * desk.board.pitch_mm * box["width"] / desk.board.width_mm)
    await desk.page.mouse.down()
    await desk.until(lambda: desk.is_down(0, 20))
    await desk.page.mouse.up()
    await desk.until(lambda: not desk.is_down(0, 20))


@pytest.mark.parametrize("window", [{"has_touch": True}], ids=["touch"])
async def test_two_fingers_press_two_holes_at_once(desk: Desk, window: dict[str, Any]) -> None:
    touch = await desk.context.new_cdp_session(desk.page)
    fingers = [await desk.middle(f"[data-track='{track}'][data-hole='33']") for track in (0, 1)]
    points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(fingers)]
    await touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    await desk.until(lambda: desk.is_down(0, 33) and desk.is_down(1, 33))
    await desk.clock.advance(1)
    assert desk.is_down(0, 33)
    assert desk.is_down(1, 33)
    await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await desk.until(lambda: not desk.is_down(0, 33) and not desk.is_down(1, 33))


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
    for letter, key, side in (("a", Key.GO, 0), ("k", Key.OK, 1), ("m", Key.MENU, None)):
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


async def test_a_page_that_is_closed_takes_its_finger_off(desk: Desk) -> None:
    await desk.page.mouse.move(*await desk.middle("[data-track='0'][data-hole='8']"))
    await desk.page.mouse.down()
    await desk.until(lambda: desk.is_down(0, 8))
    await desk.page.close()
    await desk.until(lambda: not desk.is_down(0, 8))


# Cards, plugs, sound


async def test_each_card_of_the_pack_sends_its_own_bytes(desk: Desk) -> None:
    with Serial(desk.twin.wires.serial("reader"), 9600, timeout=0) as reader:
        for card in CARDS:
            await desk.page.locator(f"[data-card='{card}']").click()
            heard = bytearray()
            await desk.until(lambda heard=heard: bool(heard.extend(reader.read(50)) or heard.endswith(b"\r")))  # type: ignore[misc]
            assert heard == f"{card}\r".encode()
    assert await desk.page.locator(".card.used").count() == 52


async def test_a_scanned_card_lies_low_until_the_shuffle_and_can_be_scanned_again(desk: Desk) -> None:
    card = desk.page.get_by_role("button", name="Five of hearts")
    await card.click()
    await card.click()
    await desk.shows("[...document.querySelectorAll('.used')].map((card) => card.dataset.card).join()", "5H")
    assert await card.get_attribute("aria-label") == "Five of hearts, scanned"
    await desk.page.reload()
    await desk.shows("document.querySelectorAll('.used').length", 1)
    await desk.page.get_by_role("button", name="Shuffle").click()
    await desk.shows("document.querySelectorAll('.used').length", 0)


async def test_a_plug_can_be_pulled_and_put_back(desk: Desk) -> None:
    desk.glow({desk.board.tracks[0].holes[3].led: "FF FF FF FF"})
    await desk.shows("document.querySelectorAll('.peg').length", 1)
    await desk.page.get_by_role("button", name="Plugs").click()
    plug = desk.page.get_by_role("switch", name="Lights")
    await plug.click()
    await desk.shows("document.querySelectorAll('.peg').length", 0)
    assert await plug.get_attribute("aria-checked") == "false"
    await plug.click()
    await desk.shows("document.querySelector('[data-plug=strip]').getAttribute('aria-checked')", "true")


async def test_the_buzzer_is_seen_and_can_be_heard(desk: Desk) -> None:
    sound = desk.page.get_by_role("button", name="Sound")
    assert await sound.get_attribute("aria-pressed") == "false", "silent until somebody wants it"
    await sound.click()
    pin = desk.twin.wires.pin_factory.pin(desk.board.buzzer_gpio)
    pin.function, pin.frequency, pin.state = "output", 880, 0.5
    await desk.shows("document.querySelector('#sound').classList.contains('sounding')", True)
    pin.state = 0
    await desk.shows("document.querySelector('#sound').classList.contains('sounding')", False)


# The page itself


WINDOWS = [{"viewport": {"width": 1440, "height": 900}}, {"viewport": {"width": 1280, "height": 720}}]


@pytest.mark.parametrize("window", WINDOWS, ids=["1440x900", "1280x720"])
async def test_all_of_it_is_in_sight_on_a_desktop(desk: Desk, window: dict[str, Any]) -> None:
    view = window["viewport"]
    size = await desk.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size == [view["width"], view["height"]], "there is nothing to scroll"
    for selector in (".board", "#oled", "#console", ".fan >> nth=3", "[data-card='KH']", "[data-key='menu']"):
        box = await desk.page.locator(selector).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= view["width"] + 1
    boxes = [await desk.page.locator(part).bounding_box() for part in (".board", "#console", ".fan >> nth=0")]
    for above, below in pairwise(boxes):
        assert above is not None
        assert below is not None
        assert above["y"] + above["height"] <= below["y"] + 1, "nothing lies over anything else"


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 3}


@pytest.mark.parametrize("window", [PHONE], ids=["390x844"])
async def test_on_a_phone_the_board_stands_upright_and_the_screen_stays_in_sight(
    desk: Desk, window: dict[str, Any]
) -> None:
    assert await desk.page.evaluate("document.documentElement.scrollWidth") == 390
    board = await desk.page.locator(".board").bounding_box()
    assert board is not None
    assert board["height"] > board["width"] > 340
    last = desk.page.locator(f"[data-track='0'][data-hole='{desk.board.last_hole // 2}']")
    await last.scroll_into_view_if_needed()
    await last.tap()
    await desk.until(lambda: desk.is_down(0, desk.board.last_hole // 2))
    await desk.until(lambda: not desk.is_down(0, desk.board.last_hole // 2))
    glass = await desk.page.locator("#oled").bounding_box()
    assert glass is not None
    assert 0 <= glass["y"] < 100
    dot = glass["width"] / 128 * 3
    assert dot == pytest.approx(round(dot), abs=0.01), "a dot is a whole number of the phone's own pixels"


@pytest.mark.parametrize("window", [{"locale": "fr-CA"}], ids=["fr-CA"])
async def test_the_page_speaks_french_where_the_browser_does_and_english_when_asked(
    desk: Desk, window: dict[str, Any]
) -> None:
    assert await desk.page.get_by_role("button", name="Bleu, trou 14", exact=True).count() == 1
    assert await desk.page.get_by_role("button", name="Valet de carreau").count() == 1
    assert await desk.page.get_by_role("button", name="Rouge CONTESTER").count() == 1
    await desk.page.get_by_role("button", name="English").click()
    assert await desk.page.get_by_role("button", name="Blue hole 14", exact=True).count() == 1
    assert await desk.page.get_by_role("button", name="Red CHALLENGE").count() == 1
    assert await desk.page.evaluate("document.documentElement.lang") == "en"
    await desk.page.reload()
    await desk.page.get_by_role("button", name="Blue hole 14", exact=True).wait_for()


async def test_when_the_board_goes_away_the_page_says_so_and_comes_back_by_itself(desk: Desk) -> None:
    port = desk.runner.addresses[0][1]
    desk.glow({desk.board.tracks[0].holes[3].led: "FF FF FF FF"})
    await desk.shows("document.querySelectorAll('.peg').length", 1)
    await desk.runner.cleanup()
    await desk.page.get_by_text("The board is switched off.").wait_for()
    desk.glow({desk.board.tracks[0].holes[7].led: "FF FF FF FF"})
    desk.runner = await serve(desk.twin, desk.board, desk.clock, port=port)
    await desk.shows("document.querySelector('.peg').dataset.lit", str(desk.board.tracks[0].holes[7].led))
    assert not await desk.page.get_by_text("The board is switched off.").is_visible()
    desk.complaints[:] = [said for said in desk.complaints if "ERR_CONNECTION_REFUSED" not in said]


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
