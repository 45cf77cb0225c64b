"""The twin's page as the daemon serves it: files, the board, states and actions."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from base64 import b64decode
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from gpiozero import LED
from serial import Serial, SerialException
from tests.support.catalogues import phrases_of
from tests.support.served import Desk, led, news, serve
from tests.support.spots import HOLED, spots_of
from tests.support.waiting import PATIENCE_S

from cribd.boards import load
from cribd.inputs import Key
from cribd.languages import languages
from cribd.twin.messages import geometry, read
from cribd.twin.tags import tag_of
from cribd.twin.web import LONGEST_TOUCH_S, PAGE, PICTURE_S, SCANS, TOUCH_S
from cribd.wires import ReaderKind, ReaderWire

# Files


async def test_the_page_and_all_that_it_names_come_from_the_board_itself(desk: Desk) -> None:
    index = await desk.client.get("/twin")
    assert index.status == 200
    assert index.content_type == "text/html"
    named = set(re.findall(r'(?:src|href)="([^"]+)"', await index.text()))
    kinds = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json"}
    seen: set[str] = set()
    while named - seen:
        address = (named - seen).pop()
        seen.add(address)
        assert address.startswith(("/twin/", "/page/", "/table/board")), f"{address} is of no page of the board"
        got = await desk.client.get(address)
        assert got.status == 200, address
        assert got.content_type == kinds[Path(address).suffix or ".json"]
        text = await got.text()
        found = re.findall(r"(?:from|import) '([^']+)'|(?:fetch|json)\('([^']+)'|url\(([^)#\"]+)\)", text)
        named |= {urljoin(address, name) for names in found for name in names if name}
    own = {f"/twin/{path.name}" for path in PAGE.iterdir() if path.name != "index.html"}
    assert {address for address in seen if address.startswith("/twin/")} == own | {"/twin/board.json"}
    assert {"/page/words.js", "/page/cards.js", "/page/paths.js", "/page/felt.svg", "/table/board"} <= seen


async def test_the_page_may_run_no_script_and_fetch_nothing_but_its_own(desk: Desk) -> None:
    for address in ("/twin", "/twin/main.js", "/twin/board.json", "/twin/nothing"):
        headers = (await desk.client.get(address)).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_no_file_of_the_page_names_another_machine() -> None:
    for path in PAGE.iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|//[a-z]+\.", text), path.name
        assert "style=" not in text, f"{path.name}: the policy allows no style in an attribute"
        assert not re.search(r"\son[a-z]+=", text), f"{path.name}: nor a script"


def test_the_page_explains_itself_in_each_of_its_languages() -> None:
    index = (PAGE / "index.html").read_text(encoding="utf-8")
    sheet = index[index.index('<dialog id="explained"') : index.index("</dialog>")]
    explained = re.findall(r'data-(?:word|name)="([\w.]+)"', sheet)
    parts = ("what", "board", "console", "deck", "plugs", "alone", "letters")
    assert {f"page.twin.help.{part}" for part in parts} <= set(explained)
    for language in languages():
        assert {code for code in explained if not phrases_of(language).get(code)} == set()


async def test_a_file_that_has_not_changed_is_not_sent_twice(desk: Desk) -> None:
    first = await desk.client.get("/twin/page.css")
    again = await desk.client.get("/twin/page.css", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status == 304
    assert await again.read() == b""


@pytest.mark.parametrize("path", ["nothing.js", "..%2fweb.py", "%2e%2e%2fweb.py", "page/index.html", "index.html.bak"])
async def test_no_other_file_is_served(desk: Desk, path: str) -> None:
    assert (await desk.client.get(f"/twin/{path}")).status == 404


# The board


@pytest.mark.parametrize("name", HOLED)
def test_the_drawing_is_that_of_the_board_file(name: str) -> None:
    board = load(name)
    drawn: Any = json.loads(json.dumps(geometry(board)))
    assert (drawn["width"], drawn["height"], drawn["target"]) == (board.width_mm, board.height_mm, 121)
    for track, payload in zip(board.tracks, drawn["tracks"], strict=True):
        assert [(h["x"], h["y"], h["led"]) for h in payload["holes"]] == [(s.x_mm, s.y_mm, s.led) for s in track.holes]
        assert [h["number"] for h in payload["holes"]] == list(range(1, board.game_hole + 1))
        assert {h["track"] for h in payload["holes"]} == {track.side}
        spots = [
            *payload["starts"],
            *payload["holes"],
            *payload["matches"],
            payload["dealer"],
            *filter(None, [payload["lap"]]),
        ]
        assert {spot["led"] for spot in spots} == {spot.led for spot in spots_of(track)}
    buttons = [hole["button"] for track in drawn["tracks"] for hole in track["holes"]]
    buttons += [key["button"] for key in drawn["keys"]]
    assert len(set(buttons)) == len(buttons) == len(board.tracks) * (board.game_hole + 3) + 2


# What is shown


async def test_a_page_receives_the_whole_state_and_then_changes(desk: Desk) -> None:
    browser, first = await desk.look()
    assert set(first) == {"edition", "plugs", "faults", "table", "leds", "oled", "buzzer"}
    assert len(b64decode(first["leds"])) == 4 * desk.board.strip.count
    desk.glow({7: "FF 10 20 30"})
    await desk.clock.advance(PICTURE_S)
    assert set(await news(browser)) == {"leds"}


async def test_an_led_is_shown_as_its_chip_holds_it(desk: Desk) -> None:
    browser, first = await desk.look()
    assert led(first, 7) == (0, 0, 0, 0)
    desk.glow({7: "F5 10 20 30"})
    await desk.clock.advance(PICTURE_S)
    payload = await news(browser)
    assert led(payload, 7) == (0x30, 0x20, 0x10, 0x15)
    assert led(payload, 8) == (0, 0, 0, 0)


async def test_the_screen_is_shown_dot_for_dot_with_its_contrast(desk: Desk) -> None:
    desk.draw(b"\x81")
    browser, first = await desk.look()
    oled = first["oled"]
    assert (oled["on"], oled["contrast"], oled["inverse"]) == (True, 0x7F, False)
    rows = b64decode(oled["pixels"])
    assert [rows[16 * y] for y in range(9)] == [0x80, 0, 0, 0, 0, 0, 0, 0x80, 0]
    assert rows == desk.twin.oled().pixels
    desk.twin.wires.i2c(desk.board.oled.i2c_port).write_i2c_block_data(desk.board.oled.address, 0x00, [0x81, 0x10])
    await desk.clock.advance(PICTURE_S)
    assert (await news(browser))["oled"]["contrast"] == 0x10


async def test_the_buzzer_is_sent_as_its_tone(desk: Desk) -> None:
    browser, first = await desk.look()
    assert first["buzzer"] == 0
    pin = desk.twin.wires.pin_factory.pin(desk.board.buzzer_gpio)
    pin.function = "output"
    pin.frequency = 880
    pin.state = 0.5
    await desk.clock.advance(PICTURE_S)
    assert (await news(browser))["buzzer"] == 880


async def test_pictures_come_thirty_a_second_at_most_and_the_newest_wins(desk: Desk) -> None:
    browser, _ = await desk.look()
    await desk.clock.advance(1)
    desk.glow({0: "FF 00 00 FF"})
    assert led(await news(browser), 0)[0] == 0xFF, "the first is shown at once"
    for level in range(1, 100):
        desk.glow({0: f"FF 00 00 {level:02X}"})
        await desk.clock.run_ready_tasks()
    with pytest.raises(asyncio.TimeoutError):
        await browser.receive(timeout=0.05)
    await desk.clock.advance(PICTURE_S)
    assert led(await news(browser), 0)[0] == 99, "one picture for all of them, and it is the last"


async def test_a_page_without_viewers_costs_nothing(desk: Desk) -> None:
    listeners = desk.twin._listeners
    assert listeners == []
    browser, _ = await desk.look()
    assert len(desk.twin._listeners) == 1
    await browser.close()
    await desk.until(lambda: desk.twin._listeners == [])


async def test_an_idle_page_is_sent_nothing(desk: Desk) -> None:
    browser, _ = await desk.look()
    await desk.clock.advance(60)
    with pytest.raises(asyncio.TimeoutError):
        await browser.receive(timeout=0.05)


async def test_cards_on_the_readers_are_sent_to_every_page_when_they_change(desk: Desk) -> None:
    (one, _), (two, _) = await desk.look(), await desk.look()
    tables: list[dict[str, object]] = [{"seen": ["5H"]}, {"seen": ["5H", "JD"]}, {"seen": []}]
    for table in tables:
        desk.page.show(table)
        desk.page.show(dict(table))
        await desk.clock.advance(PICTURE_S)
        assert [await news(browser) for browser in (one, two)] == [{"table": table}] * 2
    _, first = await desk.look()
    assert first["table"] == {"seen": []}


@pytest.mark.slow
@pytest.mark.parametrize("desk", ["triple"], indirect=True)
async def test_a_browser_that_reads_nothing_blocks_no_other(desk: Desk) -> None:
    """It opens the socket and goes deaf: its pictures pile up in the network, and then one waits for ever. What the
    network takes is the same for each board; that with the most lights fills it soonest."""
    deaf = socket.create_connection((desk.client.host, desk.client.port))
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.sendall(
        f"GET /twin/wires HTTP/1.1\r\nHost: localhost:{desk.client.port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    await desk.until(lambda: len(desk.page._browsers) == 1)
    (stuck,) = desk.page._browsers
    for turn in range(20_000):
        desk.glow({turn % 50: f"FF {turn % 256:02X} 77 {turn // 256:02X}"})
        await desk.clock.advance(PICTURE_S)
        if turn % 50 == 49 and stuck.sending:
            break
    assert stuck.sending, "it should have been stuck by now"
    browser, _ = await desk.look()
    desk.glow({1: "FF 01 02 03"})
    await desk.clock.advance(PICTURE_S)
    assert led(await news(browser), 1) == (3, 2, 1, 31)
    deaf.close()
    await desk.until(lambda: stuck not in desk.page._browsers)


# What a person does


async def test_a_hole_pressed_on_the_page_is_a_button_down_on_the_wire(desk: Desk) -> None:
    browser, _ = await desk.look()
    for track in desk.board.tracks:
        for hole in (1, 29, desk.board.game_hole):
            await desk.say(browser, {"down": f"{track.name} {hole}"})
            assert desk.is_down(track.side, hole)
            assert desk.chain().count(str(desk.board.chain.pressed_level)) > 0
            await desk.clock.advance(TOUCH_S)
            await desk.say(browser, {"up": f"{track.name} {hole}"})
            assert not desk.is_down(track.side, hole)
            await desk.clock.advance(TOUCH_S)


async def test_several_buttons_can_be_down_at_once(desk: Desk) -> None:
    browser, _ = await desk.look()
    await desk.say(browser, {"down": "blue 3"}, {"down": "red 60"}, {"down": "blue go"})
    assert desk.is_down(0, 3)
    assert desk.is_down(1, 60)
    await desk.clock.advance(TOUCH_S)
    await desk.say(browser, {"up": "blue 3"})
    assert not desk.is_down(0, 3)
    assert desk.is_down(1, 60)


async def test_a_key_is_down_for_as_long_as_it_is_held(desk: Desk) -> None:
    browser, _ = await desk.look()
    for key in desk.board.keys:
        name = key.key.value if key.side is None else f"{desk.board.tracks[key.side].name} {key.key.value}"
        await desk.say(browser, {"down": name})
        assert desk.is_grounded(key.gpio)
        await desk.clock.advance(1.5)
        assert desk.is_grounded(key.gpio)
        await desk.say(browser, {"up": name})
        assert not desk.is_grounded(key.gpio)
        await desk.clock.advance(TOUCH_S)


async def test_a_short_touch_lasts_as_long_as_the_shortest_press(desk: Desk) -> None:
    browser, _ = await desk.look()
    await desk.say(browser, {"down": "red 5"}, {"up": "red 5"}, {"down": "red 5"}, {"up": "red 5"})
    for down in (True, False, True, False):
        assert desk.is_down(1, 5) is down
        await desk.clock.advance(TOUCH_S)


async def test_a_press_lasts_until_the_buttons_were_scanned(desk: Desk) -> None:
    browser, _ = await desk.look()
    desk.reads_buttons = False
    await desk.say(browser, {"down": "red 5"}, {"up": "red 5"})
    await desk.clock.advance(10 * TOUCH_S)
    assert desk.is_down(1, 5)
    desk.reads_buttons = True
    await desk.clock.advance(2 * TOUCH_S)
    assert not desk.is_down(1, 5)


async def test_a_press_ends_after_the_longest_touch_though_no_scan_saw_it(desk: Desk) -> None:
    browser, _ = await desk.look()
    desk.reads_buttons = False
    await desk.say(browser, {"down": "red 5"}, {"up": "red 5"})
    await desk.clock.advance(LONGEST_TOUCH_S + TOUCH_S)
    assert not desk.is_down(1, 5)


async def test_more_presses_than_can_wait_leave_the_button_up(desk: Desk) -> None:
    browser, _ = await desk.look()
    await desk.say(browser, *[{"down": "red 5"}, {"up": "red 5"}] * 100)
    await desk.clock.advance(100 * TOUCH_S)
    assert not desk.is_down(1, 5)
    await desk.say(browser, *[{"down": "red 5"}, {"up": "red 5"}] * 100, {"down": "red 5"})
    await desk.clock.advance(100 * TOUCH_S)
    assert desk.is_down(1, 5)


async def test_a_button_goes_up_with_the_last_finger_of_all_pages(desk: Desk) -> None:
    one, _ = await desk.look()
    two, _ = await desk.look()
    await desk.say(one, {"down": "blue 9"})
    await desk.say(two, {"down": "blue 9"})
    await desk.clock.advance(TOUCH_S)
    await desk.say(one, {"up": "blue 9"}, {"up": "blue 9"})
    assert desk.is_down(0, 9)
    await desk.say(two, {"up": "blue 9"})
    assert not desk.is_down(0, 9)


async def test_a_page_that_closes_releases_its_buttons(desk: Desk) -> None:
    browser, _ = await desk.look()
    await desk.say(browser, {"down": "blue 9"}, {"down": "menu"})
    await desk.clock.advance(TOUCH_S)
    await browser.close()
    await desk.until(lambda: not desk.page._browsers)
    assert not desk.is_down(0, 9)
    menu = next(key for key in desk.board.keys if key.key.value == "menu")
    assert not desk.is_grounded(menu.gpio)


async def test_a_scanned_card_sends_the_bytes_of_a_barcode_scanner(desk: Desk) -> None:
    browser, _ = await desk.look()
    with Serial(desk.twin.wires.serial("reader"), 9600, timeout=PATIENCE_S) as reader:
        await desk.say(browser, {"scan": "5H\r"}, {"scan": "TD\r"})
        await desk.clock.advance(1)
        assert reader.read(6) == b"5H\rTD\r"


async def test_a_card_at_a_reader_is_read_by_every_kind_of_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers = [ReaderWire("labels"), ReaderWire("tags", ReaderKind.RDM6300)]
    async with serve("continuous", tmp_path, monkeypatch, readers=readers) as desk:
        working = asyncio.create_task(desk.twin.run())
        browser, _ = await desk.look()
        with Serial(desk.twin.wires.serial("tags"), 9600, timeout=PATIENCE_S) as tags:
            with Serial(desk.twin.wires.serial("labels"), 9600, timeout=PATIENCE_S) as labels:
                await desk.say(
                    browser, {"present": ["5H", "labels"]}, {"present": ["TD", "tags"]}, {"present": ["JD", "nobody"]}
                )
                await desk.clock.advance(1)
                assert labels.read(3) == b"5H\r"
            number = tag_of("TD", ReaderKind.RDM6300).encode()
            assert tags.read(11) == b"\x02" + number
            await desk.say(browser, {"unplug": "reader"})
            with pytest.raises(SerialException):
                tags.read(100)
        drawn = await (await desk.client.get("/twin/board.json")).json()
        assert drawn["readers"] == [{"name": "labels", "kind": "scanner"}, {"name": "tags", "kind": "rdm6300"}]
        working.cancel()


@pytest.mark.parametrize(
    "act", [{"present": "5H"}, {"present": ["XX", "reader"]}, {"present": ["5H"]}, {"present": ["5H", 3]}]
)
def test_a_malformed_card_from_a_page_is_ignored(act: dict[str, Any]) -> None:
    assert read(json.dumps(act)) is None


async def test_a_limited_number_of_cards_wait_for_the_reader(desk: Desk) -> None:
    browser, _ = await desk.look()
    with Serial(desk.twin.wires.serial("reader"), 9600, timeout=PATIENCE_S) as reader:
        await desk.say(browser, *[{"scan": "5H\r"}] * 50)
        await desk.clock.advance(10)
        assert reader.read(3 * SCANS) == SCANS * b"5H\r"
        reader.timeout = 0.1
        assert reader.read(1000) in (b"", b"5H\r"), "the one that was before the reader already, and no more"


async def test_a_plug_pulled_is_seen_on_every_page(desk: Desk) -> None:
    desk.glow({3: "FF FF FF FF"})
    one, first = await desk.look()
    two, _ = await desk.look()
    assert first["plugs"] == {"screen": True, "reader": True, "buttons": True, "strip": True}
    await desk.say(one, {"unplug": "strip"})
    await desk.clock.advance(PICTURE_S)
    for browser in (one, two):
        payload = await news(browser)
        assert payload["plugs"]["strip"] is False
        assert led(payload, 3) == (0, 0, 0, 0)
    await desk.say(two, {"plug": "strip"})
    await desk.clock.advance(PICTURE_S)
    assert (await news(one))["plugs"]["strip"] is True


async def test_a_fault_is_made_and_mended_from_any_page(desk: Desk) -> None:
    one, first = await desk.look()
    two, _ = await desk.look()
    assert set(first["faults"].values()) == {False}
    await desk.say(one, {"fault": "strip-cut"}, {"fault": "kettle"})
    await desk.clock.advance(PICTURE_S)
    for browser in (one, two):
        payload = (await news(browser))["faults"]
        assert [name for name, is_made in payload.items() if is_made] == ["strip-cut"]
    await desk.say(two, {"mend": "strip-cut"})
    await desk.clock.advance(PICTURE_S)
    assert set((await news(one))["faults"].values()) == {False}


# A board without holes


async def test_a_board_without_holes_sends_its_leds_on_pins_and_the_plugs_that_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serve("starter", tmp_path, monkeypatch) as desk:
        payload = json.loads(await (await desk.client.get("/twin/board.json")).text())
        browser, first = await desk.look()
        assert set(first["plugs"]) == {"screen", "reader"}
        assert not any(track["holes"] for track in payload["tracks"])
        assert [(at["led"], at["shows"], at["x"]) for at in payload["leds"]] == [
            (number, lamp.shows, lamp.x_mm) for number, lamp in enumerate(desk.board.leds)
        ]
        assert b64decode(first["leds"]) == bytes(4 * len(desk.board.leds))
        with LED(desk.board.leds[5].gpio, pin_factory=desk.twin.wires.pin_factory) as lamp:
            lamp.on()
            await desk.clock.advance(PICTURE_S)
            shown = await news(browser)
        assert led(shown, 5) == (*payload["leds"][5]["paint"], 31)
        assert led(shown, 4) == (0, 0, 0, 0)
        await desk.say(browser, {"unplug": "strip"}, {"plug": "buttons"}, {"down": "blue 5"})


async def test_without_a_chain_a_tap_on_a_key_is_no_long_press(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serve("starter", tmp_path, monkeypatch) as desk:
        browser, _ = await desk.look()
        [step] = [pin for pin in desk.board.keys if (pin.key, pin.side) == (Key.STEP, 1)]
        await desk.say(browser, {"down": "red step"}, {"up": "red step"}, {"down": "red step"}, {"up": "red step"})
        for down in (True, False, True, False):
            assert desk.is_grounded(step.gpio) is down
            await desk.clock.advance(TOUCH_S)
