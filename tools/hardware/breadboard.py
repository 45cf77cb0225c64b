"""Lays out a board without chain and strip on two 830-point breadboards: each part, resistor and wire, by its hole.

A breadboard belongs to a side and lies turned to it: row 1 is at its left hand, column a and the − rail beside it are
nearest to it. Every part stands over the gap in the middle: a wire comes from the Pi into column j of the part's row,
and a resistor goes on from column a to the − rail. `at` of the board file gives the row.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle

from cribd.boards import Board, KeyPin, LedPin
from cribd.inputs import Key

_PINS = (27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13)
HEADER = dict(enumerate(_PINS))
"""Which pin of the Pi's 40-pin header each GPIO is on."""
POWER = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"} | dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "ground")

PITCH_MM = 2.54
ROWS = 63
RAIL = "−"
RAIL_NOTE = "−12 is the hole nearest to row 12 in the rail beside column a that is marked −: on yours, go by that mark."
RAIL_ROWS = tuple(row for row in range(3, 62) if (row - 2) % 6)
"""The rows beside which a rail has a hole: ten groups of five."""
RAIL_HALVES = (range(3, 32), range(33, 62))
"""On some breadboards a rail is cut in the middle, so each half has a ground wire of its own."""
GROUNDS = ((9, 25), (34, 20))
"""The pins of those wires: of the near breadboard, of the far one."""

KEY_OHM, BUZZER_OHM = 1000, 220
"""In series with a key, which protects a pin that is set up wrongly, and with the buzzer."""
BANDS = ("black", "brown", "red", "orange", "yellow", "green", "blue", "violet", "grey", "white", "gold")
COLOURS = ("brown", "orange", "yellow", "green", "blue", "violet", "grey", "white")
"""The jumper wires of a pack of ten colours, without black and red: black is ground, and red 3.3 V."""


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole of a side's breadboard. `column` is a to j, or − for the rail beside a."""

    side: int
    column: str
    row: int

    def __str__(self) -> str:
        return f"{self.column}{self.row}"


@dataclass(frozen=True, slots=True)
class Part:
    """A key, an LED or the buzzer, placed over the gap beside `row`. `colour` is the LED's; "" for other parts."""

    name: str
    caption: str
    side: int
    row: int
    gpio: int
    ohm: int
    colour: str
    is_key: bool

    @property
    def legs(self) -> tuple[Hole, ...]:
        """The holes of its legs: a key has four; wire and resistor use two of them that lie crosswise."""
        rows = (self.row - 1, self.row + 1) if self.is_key else (self.row,)
        return tuple(Hole(self.side, column, row) for column in "fe" for row in rows)

    @property
    def signal(self) -> Hole:
        """The hole where its wire ends."""
        return Hole(self.side, "j", self.legs[0].row)

    @property
    def resistor(self) -> tuple[Hole, Hole]:
        row = self.legs[-1].row
        beside = min(RAIL_ROWS, key=lambda hole: abs(hole - row))
        return Hole(self.side, "a", row), Hole(self.side, RAIL, beside)


@dataclass(frozen=True, slots=True)
class Wire:
    """A jumper wire from a pin of the Pi's header to a hole, or to a pin of the OLED, given by its name."""

    number: int
    colour: str
    pin: int
    end: Hole | str
    name: str

    @property
    def source(self) -> str:
        """The name of the pin on the Pi."""
        gpio = next((f"GPIO {gpio}" for gpio, pin in HEADER.items() if pin == self.pin), "")
        return gpio or POWER[self.pin]


def key_name(board: Board, key: KeyPin) -> str:
    owner = "" if key.side is None else f"{board.tracks[key.side].name} "
    return f"key {owner}{key_caption(key)}"


def key_caption(key: KeyPin) -> str:
    """Return the caption printed on a key; the screen calls the step key +1."""
    return "+1" if key.key is Key.STEP else key.key.upper()


def bands(ohm: int) -> tuple[str, str, str]:
    """Return the colours of the first three of a resistor's four bands: two digits, and the number of zeros."""
    digits = f"{ohm:.1e}"
    return BANDS[int(digits[0])], BANDS[int(digits[2])], BANDS[int(digits[4:]) - 1]


def ohms(ohm: int) -> str:
    return f"{ohm / 1000:g} kΩ" if ohm >= 1000 else f"{ohm} Ω"


def parts(board: Board) -> tuple[Part, ...]:
    """Return every part on a breadboard, in the order of building: keys, LEDs, buzzer."""
    found = [
        Part(key_name(board, key), key_caption(key), *_place(board, key), key.gpio, KEY_OHM, "", is_key=True)
        for key in board.keys
    ]
    for led in board.leds:
        shows = str(led.shows) if led.number == 1 else f"{led.shows} {led.number}"
        name = f"LED {board.tracks[led.side].name} {shows}"
        found.append(Part(name, shows, *_place(board, led), led.gpio, led.ohm, led.colour, is_key=False))
    if board.buzzer_gpio is not None:
        taken = [part.row for part in found if part.side == 0]
        row = next(row for row in RAIL_ROWS if row > 3 and all(abs(row - other) > 3 for other in taken))
        found.append(Part("buzzer", "buzzer", 0, row, board.buzzer_gpio, BUZZER_OHM, "", is_key=False))
    return tuple(found)


def _place(board: Board, part: KeyPin | LedPin) -> tuple[int, int]:
    """Return the breadboard and the row for the place of a part on the board."""
    far = part.y_mm < board.height_mm / 2
    right = (part.x_mm - board.width_mm / 2) * (-1 if far else 1)
    return int(far), (ROWS + 1) // 2 + round(right / PITCH_MM)


def wires(board: Board) -> tuple[Wire, ...]:
    """Return every wire in the order of building: to the OLED, to the − rails, then one to each part."""
    standing = parts(board)
    ends: list[tuple[str, int, Hole | str, str]] = [
        ("red", 1, "VCC", "OLED"),
        ("green", HEADER[2], "SDA", "OLED"),
        ("yellow", HEADER[3], "SCL", "OLED"),
        ("black", 6, "GND", "OLED"),
    ]
    if board.oled.reset_gpio is not None:
        ends.insert(3, ("white", HEADER[board.oled.reset_gpio], "RES", "OLED"))
    for side, pins in enumerate(GROUNDS):
        taken = [part.row for part in standing if part.side == side]
        for half, pin in zip(RAIL_HALVES, pins, strict=True):
            row = next(row for row in half if row in RAIL_ROWS and all(abs(row - other) > 3 for other in taken))
            ends.append(("black", pin, Hole(side, RAIL, row), "ground"))
    by_side = sorted(standing, key=lambda part: (part.side, part.name != "buzzer"))
    colours = dict(zip(by_side, cycle(COLOURS), strict=False))
    ends += [(colours[part], HEADER[part.gpio], part.signal, part.name) for part in standing]
    return tuple(Wire(number, *end) for number, end in enumerate(ends, start=1))
