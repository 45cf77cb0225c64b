"""What a builder is given is made from the board files, and says what they say (design law 8)."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.support.markdown import rows
from tests.support.places import ROOT
from tests.support.spots import HOLED, spots_of
from tools.hardware import papers, write
from tools.hardware.breadboard import HEADER
from tools.hardware.drawing import drawing
from tools.hardware.tables import bill_of_materials, pinout

from cribd.boards import NAMES, Board, load

HARDWARE = ROOT / "hardware"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=HOLED)
def board(request: pytest.FixtureRequest) -> Board:
    return load(request.param)


@pytest.mark.parametrize("name", sorted(papers()))
def test_the_files_in_hardware_are_what_the_board_files_make(name: str) -> None:
    assert (HARDWARE / name).read_text(encoding="utf-8") == papers()[name], "run: make papers"


def test_there_is_a_drawing_of_every_board() -> None:
    assert {f"{name}.svg" for name in NAMES} <= set(papers())


def test_the_papers_are_written_where_they_are_wanted(tmp_path: Path) -> None:
    write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(papers())


def test_every_used_pin_is_in_the_pinout_once_at_its_place_on_the_header(board: Board) -> None:
    pins = {int(gpio): int(pin) for pin, gpio, _ in rows(pinout(board), "The Pi's header") if gpio}
    assert pins == {gpio: HEADER[gpio] for gpio in pins}
    assert set(pins) == {2, 3, 7, 8, 9, 10, 11, board.buzzer_gpio, *(key.gpio for key in board.keys)}


def test_the_header_has_its_28_gpios_on_pins_of_their_own() -> None:
    power_and_ground = {1, 2, 4, 6, 9, 14, 17, 20, 25, 30, 34, 39}
    assert sorted(HEADER) == list(range(28))
    assert sorted(HEADER.values()) == sorted(set(range(1, 41)) - power_and_ground)


def test_a_reset_pin_of_the_oled_appears_in_the_pinout(board: Board) -> None:
    changed = dataclasses.replace(board, oled=dataclasses.replace(board.oled, reset_gpio=18))
    assert ["12", "18", "OLED, reset"] in rows(pinout(changed), "The Pi's header")


def test_the_chain_table_names_each_button_at_the_bit_that_it_sends(board: Board) -> None:
    """H leaves a 74HC165 first, and chip 1 is the one that the Pi hears first."""
    bits = [cell for row in rows(pinout(board), "The button chain") for cell in row[1:]]
    assert len(bits) == board.chain.inputs
    assert "".join(bits[: len(board.chain.near_pattern)]) == board.chain.near_pattern
    for track in board.tracks:
        for number, spot in enumerate(track.holes, start=1):
            assert spot.input is not None
            assert bits[spot.input] == f"{track.name} {number}"


def test_the_strip_table_names_each_light_and_every_dark_led(board: Board) -> None:
    lights: dict[int, str] = {}
    for leds, what in rows(pinout(board), "The strip"):
        first, last = ([int(part) for part in leds.split("–")] * 2)[:2]
        name, _, numbers = what.rpartition(" ")
        run = re.fullmatch(r"(\d+)(?:–(\d+))?", numbers)
        for step, led in enumerate(range(first, last + 1)):
            assert led not in lights
            if run is None:
                lights[led] = what
            else:
                start, end = int(run[1]), int(run[2] or run[1])
                lights[led] = f"{name} {start + step * (1 if end >= start else -1)}"
    assert sorted(lights) == list(range(board.strip.count))
    for track in board.tracks:
        for kind, spots in (("start", track.starts), ("hole", track.holes), ("match", track.matches)):
            for number, spot in enumerate(spots, start=1):
                assert lights.pop(spot.led) == f"{track.name} {kind} {number}"
        for lamp, what in ((track.dealer_lamp, "dealer's lamp"), (track.lap_lamp, "lap lamp")):
            if lamp is not None:
                assert lights.pop(lamp.led) == f"{track.name} {what}"
    assert set(lights.values()) <= {"dark"}


@pytest.mark.parametrize(
    ("name", "buttons", "chips"), [("continuous", 242, 31), ("classic", 122, 16), ("triple", 363, 46)]
)
def test_the_bill_counts_the_buttons_and_chips_of_the_reference_build(name: str, buttons: int, chips: int) -> None:
    bill = bill_of_materials(load(name))
    assert f"| {buttons} | push button, 6 mm |" in bill
    assert f"| {chips} | 74HCS165 |" in bill


def test_the_drawing_has_a_circle_at_every_light_and_no_other_in_the_streets(board: Board) -> None:
    root = ET.fromstring(drawing(board))
    drawn = {(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in root.iter(f"{SVG}circle")}
    lights = {(round(s.x_mm, 2), round(s.y_mm, 2)) for track in board.tracks for s in spots_of(track)}
    keys = {(key.x_mm, key.y_mm) for key in board.keys}
    shines = {(round(x - 1.2, 2), round(y - 1.6, 2)) for x, y in keys}
    assert drawn == lights | keys | shines


def test_the_drawing_is_numbered_as_the_board_is(board: Board) -> None:
    root = ET.fromstring(drawing(board))
    texts = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "number"]
    assert texts == [label.text for label in board.labels]
