"""Writes the pinout and the bill of materials of a board, as Markdown.

Both are made from the board file alone (design law 8). Chips and component values are those of the reference build in
`hardware/README.md`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from tools.hardware.breadboard import BUZZER_OHM, HEADER, KEY_OHM, RAIL_NOTE, Hole, bands, key_name, ohms, parts, wires

from cribd.boards import Board

INPUTS = "HGFEDCBA"
"""The parallel inputs of a 74HC165 in the order in which they leave it: H first."""
_ZERO_2_W_A = 2.0
"""The supply that Raspberry Pi recommends for a Zero 2 W, in amperes."""
_NEWER_PIS = "0.5 A more for a Pi 3, 1 A for a Pi 4, 3 A for a Pi 5"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def pinout(board: Board) -> str:
    """Return the pinout of this board: the Pi's header, the button chain chip by chip, the strip LED by LED."""
    if not board.on_spi:
        return _breadboard_pinout(board)
    chain, strip = board.chain, board.strip
    pressed, far = ("3.3 V" if level else "ground" for level in (chain.pressed_level, chain.far_level))
    about_chain = (
        f"{chain.chips} 74HCS165 on SPI0 CE{chain.spi_select}, mode {chain.spi_mode}, {_hz(chain.hz)}. "
        "Chip 1 is the one whose output goes to the Pi. "
        f"A button connects its input to {pressed}; 0 is tied to ground and 1 to 3.3 V, for good. "
        f"The serial input of chip {chain.chips} is tied to {far}."
    )
    about_strip = (
        f"{strip.count} {strip.chip.upper()} on SPI0 CE{strip.spi_select}, mode {strip.spi_mode}, {_hz(strip.hz)}. "
        "LED 0 is the one nearest the Pi."
    )
    return "\n\n".join(
        [
            f"## {board.name.capitalize()}",
            "### The Pi's header",
            table(("Pin", "GPIO", "Goes to"), _header(board)),
            "### The button chain",
            about_chain,
            table(("Chip", *INPUTS), _chips(board)),
            "### The strip",
            about_strip,
            table(("LED", "Lights"), _leds(board)),
        ]
    )


def _breadboard_pinout(board: Board) -> str:
    """Return each wire from the Pi's header, and each part with its resistor, hole by hole."""
    names = [track.name for track in board.tracks]
    about = (
        f"Numbers and holes are those of the [picture]({board.name}.svg). `{names[0]} j7` is j7 on the breadboard of "
        f"{names[0]}. {RAIL_NOTE} The long leg, +, of an LED or the buzzer is in column f."
    )
    laid = [
        (wire.number, wire.colour, wire.pin, wire.source, _end(board, wire.end), wire.name) for wire in wires(board)
    ]
    standing = [
        (
            part.name,
            names[part.side],
            ", ".join(map(str, part.legs)),
            f"{ohms(part.ohm)}: {', '.join(bands(part.ohm))}",
            " to ".join(map(str, part.resistor)),
        )
        for part in parts(board)
    ]
    return "\n\n".join(
        [
            f"## {board.name.capitalize()}",
            about,
            "### The wires",
            table(("Wire", "Colour", "Pin", "On the Pi", "Goes to", "For"), laid),
            "### The parts",
            table(("Part", "Breadboard", "Its legs", "Its resistor, and the bands", "The resistor's holes"), standing),
        ]
    )


def _end(board: Board, end: Hole | str) -> str:
    return f"{board.tracks[end.side].name} {end}" if isinstance(end, Hole) else f"OLED, {end}"


def _hz(hz: int) -> str:
    return f"{hz / 1_000_000:g} MHz" if hz >= 1_000_000 else f"{hz / 1000:g} kHz"


def _header(board: Board) -> list[tuple[object, ...]]:
    gpio = {
        2: "OLED, SDA",
        3: "OLED, SCL",
        8: "strip: output enables of the 74AHCT125 (CE0)",
        7: "button chain: SH/LD̅ through the inverter (CE1)",
        9: "button chain: QH of chip 1 (MISO)",
        10: "strip: data, through the 74AHCT125 (MOSI)",
        11: "strip: clock, through the 74AHCT125; button chain: clock, through its buffers (SCLK)",
    }
    if board.buzzer_gpio is not None:
        gpio[board.buzzer_gpio] = "buzzer"
    if board.oled.reset_gpio is not None:
        gpio[board.oled.reset_gpio] = "OLED, reset"
    for key in board.keys:
        gpio[key.gpio] = f"{key_name(board, key)}, to ground"
    power = [(1, "", "3.3 V, for the button chain and the OLED"), (2, "", "5 V, from the supply"), (6, "", "ground")]
    return sorted([*power, *((HEADER[number], number, goes) for number, goes in gpio.items())])


def _chips(board: Board) -> list[list[object]]:
    wired = {spot.input: f"{track.name} {n}" for track in board.tracks for n, spot in enumerate(track.holes, start=1)}
    wired |= dict(enumerate(board.chain.near_pattern))
    inputs = [wired.get(number, "–") for number in range(board.chain.inputs)]
    return [[chip + 1, *inputs[chip * 8 : chip * 8 + 8]] for chip in range(board.chain.chips)]


def _leds(board: Board) -> list[tuple[str, str]]:
    """Return the rows of the strip's LEDs in order; LEDs in sequence share one row."""
    lights: dict[int, tuple[str, int]] = {}
    for track in board.tracks:
        lights |= {spot.led: (f"{track.name} start", n) for n, spot in enumerate(track.starts, start=1)}
        lights |= {spot.led: (f"{track.name} hole", n) for n, spot in enumerate(track.holes, start=1)}
        lights |= {spot.led: (f"{track.name} match", n) for n, spot in enumerate(track.matches, start=1)}
        if track.dealer_lamp is not None:
            lights[track.dealer_lamp.led] = (f"{track.name} dealer's lamp", 0)
        if track.lap_lamp is not None:
            lights[track.lap_lamp.led] = (f"{track.name} lap lamp", 0)
    rows: list[tuple[int, int, str, int, int]] = []
    for led in range(board.strip.count):
        name, number = lights.get(led, ("dark", 0))
        if rows:
            first, _, same, start, end = rows[-1]
            follows = abs(number - start) == led - first and abs(number - end) == 1
            if name == same and (follows or not number):
                rows[-1] = (first, led, name, start, number)
                continue
        rows.append((led, led, name, number, number))
    return [
        (_range(first, last), name if not start else f"{name} {_range(start, end)}")
        for first, last, name, start, end in rows
    ]


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def bill_of_materials(board: Board) -> str:
    """Return the list of parts to buy for this board."""
    rows = _chips_and_strip(board) if board.on_spi else _breadboard_parts(board)
    return "\n\n".join([f"## {board.name.capitalize()}", table(("Pieces", "What", "For"), rows)])


def _breadboard_parts(board: Board) -> list[tuple[object, str, str]]:
    standing, laid = parts(board), wires(board)
    colours = Counter(part.colour for part in standing if part.colour)
    resistors = Counter(part.ohm for part in standing)
    to_oled = sum(not isinstance(wire.end, Hole) for wire in laid)
    return [
        (1, "Raspberry Pi with a soldered 40-pin header", "Zero 2 WH or newer"),
        (1, "the Pi's own supply", "nothing else needs power"),
        (2, "breadboard, 830 points", "a side each"),
        (1, _oled(board), f"0x{board.oled.address:02X}, with soldered pins, for 3.3 V"),
        (sum(part.is_key for part in standing), "push button, 6 mm, four legs", "keys"),
        *(
            (count, f"LED, 5 mm, {colour}", ", ".join(part.caption for part in standing if part.colour == colour))
            for colour, count in colours.items()
        ),
        *((1, "piezo buzzer, passive", f"GPIO {part.gpio}") for part in standing if part.name == "buzzer"),
        *(
            (count, f"resistor, {ohms(ohm)}, ¼ W", f"{', '.join(bands(ohm))}, then gold")
            for ohm, count in sorted(resistors.items())
        ),
        (len(laid) - to_oled, "jumper wire, female to male, 20 to 30 cm", "of the ten colours of a pack of 40"),
        (to_oled, "jumper wire, female to female, 20 to 30 cm", "to the OLED"),
    ]


def _oled(board: Board) -> str:
    return f"{board.oled.chip.upper()} OLED, {board.oled.width} × {board.oled.height}, I²C"


def _chips_and_strip(board: Board) -> list[tuple[object, str, str]]:
    buttons = sum(len(track.holes) for track in board.tracks)
    branches = math.ceil(board.chain.chips / 8)
    metres = math.ceil(board.strip.count * board.pitch_mm / 1000)
    per_metre = round(1000 / board.pitch_mm)
    supply_a = math.ceil((board.strip.budget_ma / 1000 + _ZERO_2_W_A) * 2) / 2
    return [
        (1, "Raspberry Pi with a 40-pin header", "Zero 2 W or newer"),
        (
            1,
            f"5 V supply, {supply_a:g} A or more",
            f"{board.strip.budget_ma} mA for the strip, the rest for a Zero 2 W; {_NEWER_PIS}",
        ),
        (1, "fuse, 3 A", "in the strip's 5 V"),
        (1, "capacitor, 1000 µF, 6.3 V", "across the strip's 5 V, at its beginning"),
        (
            metres,
            f"metre of {board.strip.chip.upper()} strip, {per_metre} LED/m",
            f"{board.strip.count} LEDs, the dark ones in the gaps among them",
        ),
        (1, "74AHCT125", "3.3 V to 5 V for the strip's data and clock"),
        (2, "resistor, 10 kΩ", "pull-downs behind the 74AHCT125"),
        (buttons, "push button, 6 mm", "a hole each, the game holes too"),
        (board.chain.chips, "74HCS165", "74HC165 works too"),
        (board.chain.chips, "resistor network, 8 × 10 kΩ, bussed", "pull-ups of the buttons"),
        (1, "74LVC1G04", "inverts CE1"),
        (math.ceil(branches / 4), "74LVC125A", f"clock buffer, {branches} branches of at most 8 chips"),
        (board.chain.chips + 2 + math.ceil(branches / 4), "capacitor, 100 nF", "one at each logic chip"),
        (
            1,
            _oled(board),
            f"0x{board.oled.address:02X}",
        ),
        (len(board.keys), "push button, 10 mm", "keys"),
        (len(board.keys), f"resistor, {ohms(KEY_OHM)}", "in series with each key"),
        (1, "piezo buzzer, passive", f"GPIO {board.buzzer_gpio}"),
        (1, f"resistor, {ohms(BUZZER_OHM)}", "in series with the buzzer"),
        (1, f"panel, {board.width_mm:g} × {board.height_mm:g} mm", "wood"),
    ]
