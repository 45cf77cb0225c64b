"""The breadboard picture of `starter` and its lists can be copied wire by wire, and give the circuit of the board file.

What is tested is what a builder reads: the tables of `hardware/pinout.md`, and the picture's own letters and numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import pytest
from tests.support.markdown import rows
from tests.support.places import ROOT
from tools.hardware.breadboard import HEADER, bands

from cribd.boards import load
from cribd.inputs import Key

HARDWARE = ROOT / "hardware"
BOARD = load("starter")
LIST = (HARDWARE / "pinout.md").read_text(encoding="utf-8").partition("## Starter\n")[2]
WIRES, PARTS = rows(LIST, "The wires"), rows(LIST, "The parts")
PICTURE = ET.fromstring((HARDWARE / "starter.svg").read_text(encoding="utf-8"))
SVG = "{http://www.w3.org/2000/svg}"
GROUND_PINS = {6, 9, 14, 20, 25, 30, 34, 39}
Point = tuple[float, float]
Segment = tuple[Point, Point]


def strip(hole: str) -> str:
    """What connects a hole, as `blue j7`, inside the breadboard: half a row, or half a rail, which may be cut."""
    side, name = hole.split()
    column, row = name[0], int(name[1:])
    if column == "−":
        return f"{side} rail {'left' if row < 32 else 'right'}"
    return f"{side} {'a-e' if column < 'f' else 'f-j'} {row}"


def part(name: str) -> list[str]:
    (found,) = (row for row in PARTS if row[0] == name)
    return found


def legs(row: list[str]) -> list[str]:
    return [f"{row[1]} {leg}" for leg in row[2].split(", ")]


def resistor(row: list[str]) -> list[str]:
    return [f"{row[1]} {hole}" for hole in row[4].split(" to ")]


def pins_on(connected: str) -> list[int]:
    """The pins of the Pi with a wire to these connected holes."""
    return [int(row[2]) for row in WIRES if not row[4].startswith("OLED") and strip(row[4]) == connected]


def parts_of_the_board() -> list[tuple[str, int]]:
    """The name and the GPIO of everything in the board file that stands on a breadboard."""
    names = [track.name for track in BOARD.tracks]
    captions = {key: "+1" if key.key is Key.STEP else key.key.upper() for key in BOARD.keys}
    keys = [(["key", *([] if key.side is None else [names[key.side]]), captions[key]], key.gpio) for key in BOARD.keys]
    leds = [(["LED", names[led.side], str(led.shows)], led.gpio) for led in BOARD.leds]
    assert BOARD.buzzer_gpio is not None
    return [(" ".join(words), gpio) for words, gpio in [*keys, *leds, (["buzzer"], BOARD.buzzer_gpio)]]


def test_every_pin_of_the_board_file_has_one_wire_and_no_other_gpio_has_one() -> None:
    used = Counter(row[3] for row in WIRES if row[3].startswith("GPIO"))
    assert used == Counter(["GPIO 2", "GPIO 3", *(f"GPIO {gpio}" for _, gpio in parts_of_the_board())])
    assert max(Counter(row[2] for row in WIRES).values()) == 1
    assert [int(row[0]) for row in WIRES] == list(range(1, len(WIRES) + 1))
    for _, _, pin, source, *_ in WIRES:
        assert (int(pin) in GROUND_PINS) == (source == "ground")
        assert not source.startswith("GPIO") or HEADER[int(source[5:])] == int(pin)


def test_no_two_wire_ends_share_a_hole_and_no_two_parts_a_row() -> None:
    ends = [row[4] for row in WIRES] + [hole for row in PARTS for hole in (*legs(row), *resistor(row))]
    assert [hole for hole, times in Counter(ends).items() if times > 1] == []
    taken = Counter(connected for row in PARTS for connected in {strip(leg) for leg in legs(row)})
    assert max(taken.values()) == 1
    for hole in ends:
        side, name = hole.replace(",", "").split()
        assert side == "OLED" or re.fullmatch(r"([a-j]([1-9]|[1-5]\d|6[0-3]))|(−\d+)", name), hole
        if name[0] == "−":
            assert 3 <= int(name[1:]) <= 61
            assert (int(name[1:]) - 2) % 6, "a rail has its holes in groups of five"


@pytest.mark.parametrize(("name", "gpio"), parts_of_the_board())
def test_current_of_a_pin_can_go_through_its_part_and_resistor_to_a_ground_pin(name: str, gpio: int) -> None:
    row = part(name)
    start, end = map(strip, resistor(row))
    first, last = legs(row)[0], legs(row)[-1]
    assert pins_on(strip(first)) == [HEADER[gpio]], "the wire, at + of an LED"
    assert start == strip(last)
    assert set(pins_on(end)) <= GROUND_PINS
    assert pins_on(end)
    assert strip(first) != strip(last)
    if name.startswith("key"):  # such a key connects two of its legs for good, but never two that lie crosswise
        assert first.split()[1][0] != last.split()[1][0]
        assert first.split()[1][1:] != last.split()[1][1:]


def test_each_part_has_its_resistor_with_the_bands_of_its_value() -> None:
    ohm = {f"LED {BOARD.tracks[led.side].name} {led.shows}": led.ohm for led in BOARD.leds}
    for row in PARTS:
        value = ohm.get(row[0], 1000 if row[0].startswith("key") else 220)
        assert row[3] == f"{'1 kΩ' if value == 1000 else f'{value} Ω'}: {', '.join(bands(value))}"


@pytest.mark.parametrize(
    ("ohm", "colours"),
    [
        (330, "orange orange brown"),
        (1000, "brown black red"),
        (220, "red red brown"),
        (47, "yellow violet black"),
        (5, "green black gold"),
        (10_000, "brown black orange"),
    ],
)
def test_the_bands_of_a_resistor_are_two_digits_and_the_zeros(ohm: int, colours: str) -> None:
    assert " ".join(bands(ohm)) == colours


def test_the_oled_has_its_power_ground_and_two_signals() -> None:
    ends = {row[4]: row[3] for row in WIRES if row[4].startswith("OLED")}
    assert ends == {"OLED, VCC": "3.3 V", "OLED, GND": "ground", "OLED, SDA": "GPIO 2", "OLED, SCL": "GPIO 3"}


def drawn_wires() -> dict[int, list[Point]]:
    """The corners of each wire in the picture by its number."""
    found = {}
    for group in PICTURE.iter(f"{SVG}g"):
        if group.get("class") == "wire":
            (path, *_), number = group.findall(f"{SVG}path"), group.findtext(f"{SVG}text[@class='badge']")
            corners = [tuple(map(float, pair.split())) for pair in path.attrib["d"][1:].split("L")]
            found[int(number or 0)] = [(x, y) for x, y in corners]
    return found


def texts(kind: str) -> list[tuple[str, float, float]]:
    return [
        (text.text or "", float(text.attrib["x"]), float(text.attrib["y"]))
        for text in PICTURE.iter(f"{SVG}text")
        if text.get("class") == kind
    ]


def where(hole: str) -> Point:
    """Where a hole lies by the letters and the row numbers that are drawn on its breadboard, the far one above."""
    side, name = hole.split()
    above = side == BOARD.tracks[1].name
    middle = sum(y for _, _, y in texts("letter")) / len(texts("letter"))
    mine = [[at for at in texts(kind) if (at[2] < middle) == above] for kind in ("letter", "row", "rail")]
    numbers = {int(text): x for text, x, _ in mine[1]}
    low, high = min(numbers), max(numbers)
    x = numbers[low] + (numbers[high] - numbers[low]) * (int(name[1:]) - low) / (high - low)
    level_of_a = next(y for text, _, y in mine[0] if text == "a")
    levels = [y for text, _, y in (*mine[0], *mine[2]) if text == name[0]]
    return x, min(levels, key=lambda y: abs(y - level_of_a))


def test_each_wire_of_the_picture_goes_from_the_pin_to_the_hole_of_the_list() -> None:
    wires = drawn_wires()
    assert sorted(wires) == [int(row[0]) for row in WIRES]
    pins = {int(text): (x, y) for text, x, y in texts("pin")}
    screen = {text: (x, y) for text, x, y in texts("screen")}
    assert sorted(pins) == list(range(1, 41))
    for number, _, pin, _, end, _ in WIRES:
        first, last = wires[int(number)][0], wires[int(number)][-1]
        assert first == pytest.approx(pins[int(pin)], abs=0.8)
        if end.startswith("OLED"):
            assert last[1] == pytest.approx(screen[end[6:]][1], abs=0.8)
        else:
            assert last == pytest.approx(where(end), abs=0.8)


def segments(corners: list[Point]) -> list[Segment]:
    return [(min(a, b), max(a, b)) for a, b in pairwise(corners) if a != b]


def test_two_wires_of_the_picture_only_cross_and_never_two_of_one_colour() -> None:
    """The middles of two that run beside each other are more than 2 mm apart; a wire is 1.1 mm broad."""
    colours = {int(row[0]): row[1] for row in WIRES}
    for (one, corners), (other, others) in combinations(drawn_wires().items(), 2):
        for a, b in segments(corners):
            for c, d in segments(others):
                apart_x, apart_y = max(a[0], c[0]) - min(b[0], d[0]), max(a[1], c[1]) - min(b[1], d[1])
                upright, other_upright = a[0] == b[0], c[0] == d[0]
                if upright == other_upright:
                    assert max(apart_x, apart_y) > 2, f"{one} and {other} lie on each other or touch"
                elif colours[one] == colours[other]:
                    assert max(apart_x, apart_y) > 0, f"{one} and {other} cross"


def test_no_wire_covers_the_name_of_a_pin() -> None:
    """The names stand upright, with their capitals to the left of `x`, and down to the wire numbers at the most."""
    names = [text for text in PICTURE.iter(f"{SVG}text") if (text.get("class") or "").startswith("name")]
    assert len(names) == 40
    for text in names:
        x, y = float(text.attrib["x"]), float(text.attrib["y"])
        below = "below" in text.attrib["class"]
        top, bottom = (y, y + 9) if below else (y - 9, y)
        for number, corners in drawn_wires().items():
            for a, b in segments(corners):
                beside = b[0] + 0.55 < x - 1.35 or a[0] - 0.55 > x
                assert beside or b[1] < top or a[1] > bottom, f"{number} covers {text.text}"


def test_every_word_of_the_picture_is_within_its_edges() -> None:
    _, top, _, height = map(float, PICTURE.attrib["viewBox"].split())
    below = [
        text.text for text in PICTURE.iter(f"{SVG}text") if not top < float(text.attrib.get("y", 0)) < top + height
    ]
    assert below == []


def test_every_number_of_a_wire_stands_at_both_its_ends() -> None:
    for group in PICTURE.iter(f"{SVG}g"):
        if group.get("class") == "wire":
            badges = [badge.text for badge in group.findall(f"{SVG}text[@class='badge']")]
            assert len(badges) == 2
            assert badges[0] == badges[1]


def test_the_instructions_name_the_wires_as_the_list_does() -> None:
    text = " ".join((HARDWARE / "README.md").read_text(encoding="utf-8").split())
    kinds = ("OLED", "ground", "key", "LED", "buzzer")
    of = {kind: [int(row[0]) for row in WIRES if row[5].startswith(kind)] for kind in kinds}
    assert [number for numbers in of.values() for number in numbers] == list(range(1, len(WIRES) + 1))
    assert f"**3. The OLED**, wires {of['OLED'][0]} to {of['OLED'][-1]}." in text
    assert f"Ground first, wires {of['ground'][0]} to {of['ground'][-1]}." in text
    assert f"{len(WIRES)} numbered wires" in text
    example = WIRES[of["key"][0] - 1]
    assert f"Wire {example[0]}, {example[1]}, goes from pin {example[2]} of the Pi to `{example[4]}`" in text
    for row in PARTS:
        value, colours = row[3].split(": ")
        assert f"{value} ({colours})" in text
