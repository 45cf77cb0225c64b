"""Reads a board file, and reports all its problems.

`BoardError` has one sentence for each problem: the key, the value and what is allowed. The allowed wiring is that of
the reference build in `hardware/`: buttons on CE1 in SPI mode 2, the strip on CE0 in mode 0, keys and outputs on GPIO 9
to 27.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from cribd.boards.board import OLED_CHIPS, OLED_SIZE, Board, Chain, KeyPin, Label, Oled, Spot, Strip, Track
from cribd.boards.layout import (
    HEADINGS,
    MATCHES,
    STARTS,
    Bend,
    LedPosition,
    Part,
    Run,
    SpotName,
    Straight,
    beside,
    spot_names,
)
from cribd.boards.reading import Section
from cribd.inputs import Key
from cribd.toml import TomlError, read_toml

NAMES = ("continuous", "classic", "triple")
STRIP_CHIPS = ("apa102", "sk9822")
SIDED = (Key.GO, Key.OK, Key.CHALLENGE)
KEY_PINS = frozenset(range(9, 28)) - {9, 10, 11} - {14, 15}
"""GPIO 9 to 27 are pulled low at reset; 9 to 11 are SPI0 and 14, 15 the serial port."""
BUZZER_PINS = frozenset({12, 13, 18, 19})
"""The pins that the Pi's PWM can reach."""


class BoardError(ValueError):
    """A board file with problems. `problems` are sentences, `lines` are the report."""

    def __init__(self, name: str, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        self.lines = [f"The board file {name} cannot be used:", *(f"  {line}" for line in problems)]
        super().__init__("\n".join(self.lines))


def load(name_or_path: str | Path) -> Board:
    """The board of this name, or of the file at this path.

    Raises BoardError with every problem of the file, FileNotFoundError if there is none, and OSError or
    UnicodeDecodeError if it cannot be read.
    """
    if name_or_path in NAMES:
        return _ours(str(name_or_path))
    if Path(name_or_path).suffix == ".toml":
        return read(Path(name_or_path).read_text(encoding="utf-8"), called=str(name_or_path))
    raise FileNotFoundError(f'board = "{name_or_path}": a board is {", ".join(NAMES)} or the path of a .toml file')


@cache
def _ours(name: str) -> Board:
    return read(files("cribd.boards").joinpath(f"{name}.toml").read_text(encoding="utf-8"), called=name)


def read(text: str, *, called: str) -> Board:
    """The board in a TOML text. Raises BoardError."""
    try:
        values = read_toml(text)
    except TomlError as error:
        raise BoardError(called, [f"It is not TOML: {error}."]) from error
    problems: list[str] = []
    board = _Reader(values, problems).board()
    if problems or board is None:
        raise BoardError(called, problems)
    return board


class _Reader:
    """One reading of one file."""

    def __init__(self, values: dict[str, Any], problems: list[str]) -> None:
        self.problems = problems
        self.top = Section(values, "", problems)

    def board(self) -> Board | None:
        top = self.top
        name = top.text("name")
        laps = top.whole("laps", 1, 2)
        self.holes = top.whole("holes", 5, 999)
        self.pitch = top.number("pitch_mm", 3.0, 50.0)
        width, height = top.point("size_mm")
        tracks = top.sections("track")
        self.names = [track.text("name") for track in tracks]
        colours = [track.colour("colour") for track in tracks]
        if not 2 <= len(tracks) <= 3:
            self.problems.append(f"track = {len(tracks)} of them: a board has 2 or 3 tracks.")
        for twice in sorted({n for n in self.names if self.names.count(n) > 1}):
            self.problems.append(f'track.name = "{twice}": two tracks bear this name, and each needs its own.')
        strip = self._strip(top.section("strip"))
        chain, inputs = self._chain(top.section("chain"))
        oled = self._oled(top.section("oled"))
        buzzer = top.section("buzzer")
        buzzer_gpio = buzzer.whole("gpio", 0, 27)
        keys = self._keys(top.sections("key"))
        laid, labels = self._runs(top.sections("run"), strip)
        top.finish()
        self._check_pins(keys, buzzer_gpio, oled.reset_gpio)
        self._check_complete(laid, inputs, laps)
        self._check_room(laid, (width, height))
        if self.problems:
            return None
        made = tuple(
            self._track(side, track, colour, laid, inputs)
            for side, (track, colour) in enumerate(zip(self.names, colours, strict=True))
        )
        return Board(
            name=name,
            laps=laps,
            pitch_mm=self.pitch,
            width_mm=width,
            height_mm=height,
            tracks=made,
            strip=strip,
            chain=chain,
            keys=keys,
            buzzer_gpio=buzzer_gpio,
            oled=oled,
            labels=labels,
        )

    def _strip(self, section: Section) -> Strip:
        strip = Strip(
            chip=section.choice("chip", STRIP_CHIPS),
            count=section.whole("count", 1, 2000),
            hz=section.whole("hz", 500_000, 8_000_000, 8_000_000),
            spi_select=section.whole("spi_select", 0, 0, 0),
            spi_mode=section.whole("spi_mode", 0, 0, 0),
            budget_ma=section.whole("budget_ma", 100, 3000, 1500),
        )
        if strip.budget_ma <= strip.count:
            self.problems.append(
                f"strip.budget_ma = {strip.budget_ma}: {strip.count} LEDs take about 1 mA each when dark, "
                "so nothing could glow."
            )
        return strip

    def _chain(self, section: Section) -> tuple[Chain, dict[SpotName, int]]:
        pattern = section.text("near_pattern")
        if set(pattern) - {"0", "1"} or "0" not in pattern or "1" not in pattern:
            self.problems.append(
                f'chain.near_pattern = "{pattern}": it is the levels of the spare inputs, 0 and 1, and needs both.'
            )
        chain = Chain(
            chips=section.whole("chips", 1, 64),
            hz=section.whole("hz", 100_000, 8_000_000, 1_000_000),
            spi_select=section.whole("spi_select", 1, 1, 1),
            spi_mode=section.whole("spi_mode", 2, 2, 2),
            near_pattern=pattern,
            far_level=section.whole("far_level", 0, 1, 0),
            pressed_level=section.whole("pressed_level", 0, 1, 0),
        )
        inputs: dict[SpotName, int] = {}
        number = len(pattern)
        for words in section.texts("order"):
            for name in self._spot_names(words, "chain.order"):
                if name is not None and name.part is not Part.HOLE:
                    self.problems.append(f'chain.order = "{words}": only holes and game holes have a button.')
                elif name is not None and name in inputs:
                    self.problems.append(
                        f"chain.order: {name} has input {inputs[name]} and {number}, but may have only one."
                    )
                elif name is not None:
                    inputs[name] = number
                number += 1
        if number > chain.inputs:
            self.problems.append(
                f"chain.chips = {chain.chips}: the order needs {number} inputs, "
                f"so the chain needs at least {math.ceil(number / 8)} chips of 8."
            )
        return chain, inputs

    def _oled(self, section: Section) -> Oled:
        x, y = section.point("at")
        reset = section.whole("reset_gpio", 0, 27, -1)
        return Oled(
            chip=section.choice("chip", OLED_CHIPS),
            address=section.whole("address", 0x08, 0x77, 0x3C),
            width=section.whole("width", OLED_SIZE[0], OLED_SIZE[0], OLED_SIZE[0]),
            height=section.whole("height", OLED_SIZE[1], OLED_SIZE[1], OLED_SIZE[1]),
            i2c_port=section.whole("i2c_port", 0, 22, 1),
            i2c_hz=section.whole("i2c_hz", 10_000, 1_000_000, 400_000),
            reset_gpio=None if reset == -1 else reset,
            x_mm=x,
            y_mm=y,
        )

    def _keys(self, sections: Sequence[Section]) -> tuple[KeyPin, ...]:
        keys: list[KeyPin] = []
        for section in sections:
            kind = section.choice("key", tuple(Key))
            key = Key(kind) if kind in tuple(Key) else None
            side = None
            if key in SIDED:
                owner = section.choice("side", self.names)
                side = self.names.index(owner) if owner in self.names else None
            gpio = section.whole("gpio", 0, 27)
            x, y = section.point("at")
            if key is not None:
                keys.append(KeyPin(key, side, gpio, x, y))
        wanted = [(key, side) for key in SIDED for side in range(len(self.names))] + [
            (Key.UNDO, None),
            (Key.MENU, None),
        ]
        have = [(key.key, key.side) for key in keys]
        for key, side in wanted:
            if (times := have.count((key, side))) != 1:
                owner = "" if side is None else f" of {self.names[side]}"
                self.problems.append(f"key = {key}{owner} is there {times} times: every board has it once.")
        return tuple(keys)

    def _runs(self, sections: Sequence[Section], strip: Strip) -> tuple[dict[SpotName, LedPosition], tuple[Label, ...]]:
        laid: dict[SpotName, LedPosition] = {}
        used: dict[int, SpotName] = {}
        labels: list[Label] = []
        led = 0
        for section in sections:
            run = self._run(section)
            names = [
                name for words in section.texts("leds") for name in self._spot_names(words, f"{section.where}leds")
            ]
            first = section.whole("first", 0, 1999, led)
            numbers = section.choice("numbers", ("left", "right"), "")
            for place in run.lay(names, first_led=first, pitch_mm=self.pitch):
                if place.name in laid:
                    other = laid[place.name].led
                    self.problems.append(
                        f"{section.where}leds: {place.name} has LED {other} and {place.led}, but may have only one."
                    )
                if place.led in used:
                    self.problems.append(
                        f"{section.where}first = {first}: LED {place.led} is {used[place.led]} already, "
                        f"and cannot be {place.name} too."
                    )
                if place.led >= strip.count:
                    self.problems.append(
                        f"strip.count = {strip.count}: {place.name} is LED {place.led}, "
                        f"so the strip needs at least {place.led + 1}."
                    )
                laid[place.name] = place
                used[place.led] = place.name
                hole = place.name.number if place.name.part is Part.HOLE else 0
                if numbers and hole and hole % 5 == 0 and hole <= self.holes:
                    labels.append(Label(str(hole), *beside(place, numbers, self.pitch)))
            led = first + run.leds(names)
        return laid, tuple(labels)

    def _run(self, section: Section) -> Run:
        if section.has("centre"):
            return Bend(
                centre=section.point("centre"),
                radius=section.number("radius", 1.0, 1000.0),
                from_deg=section.number("from_deg", -720.0, 720.0),
                to_deg=section.number("to_deg", -720.0, 720.0),
            )
        heading = section.choice("heading", tuple(HEADINGS))
        return Straight(at=section.point("at"), heading=heading if heading in HEADINGS else "right")

    def _spot_names(self, words: str, where: str) -> list[SpotName | None]:
        return list(spot_names(words, tracks=self.names, holes=self.holes, where=where, problems=self.problems))

    def _check_pins(self, keys: Sequence[KeyPin], buzzer: int, reset: int | None) -> None:
        users: dict[int, list[str]] = {}
        for key in keys:
            owner = "" if key.side is None else f" of {self.names[key.side]}"
            users.setdefault(key.gpio, []).append(f"the key {key.key}{owner}")
            if key.gpio not in KEY_PINS:
                self.problems.append(f"key.gpio = {key.gpio}: {_pins(KEY_PINS)} are free for the key {key.key}{owner}.")
        users.setdefault(buzzer, []).append("the buzzer")
        if buzzer not in BUZZER_PINS:
            self.problems.append(f"buzzer.gpio = {buzzer}: PWM is on {_pins(BUZZER_PINS)}.")
        if reset is not None:
            users.setdefault(reset, []).append("the reset of the OLED")
            if reset not in KEY_PINS:
                self.problems.append(f"oled.reset_gpio = {reset}: {_pins(KEY_PINS)} are free.")
        for gpio, who in sorted(users.items()):
            if len(who) > 1:
                self.problems.append(f"gpio = {gpio}: {' and '.join(who)} cannot share a pin.")

    def _check_complete(self, laid: dict[SpotName, LedPosition], inputs: dict[SpotName, int], laps: int) -> None:
        for track in self.names:
            holes = [SpotName(track, Part.HOLE, n + 1) for n in range(self.holes + 1)]
            lamps = [SpotName(track, Part.START, n + 1) for n in range(STARTS)]
            lamps += [SpotName(track, Part.MATCH, n + 1) for n in range(MATCHES)]
            lamps += [SpotName(track, Part.DEALER, 1)] + [SpotName(track, Part.LAP, 1)] * (laps == 2)
            if dark := [str(name) for name in [*holes, *lamps] if name not in laid]:
                self.problems.append(f"run.leds: there is no LED for {_some(dark)}, and each needs one.")
            if dumb := [str(name) for name in holes if name not in inputs]:
                self.problems.append(f"chain.order: there is no input for {_some(dumb)}, and each needs one.")
            if laps == 1 and SpotName(track, Part.LAP, 1) in laid:
                self.problems.append(f'run.leds = "{track} lap": laps = 1, and only a board of 2 laps has lap lamps.')

    def _check_room(self, laid: dict[SpotName, LedPosition], size: tuple[float, float]) -> None:
        row = sorted(laid.values(), key=lambda place: place.x_mm)
        for place in row:
            if not (0 < place.x_mm < size[0] and 0 < place.y_mm < size[1]):
                self.problems.append(
                    f"size_mm = [{size[0]:g}, {size[1]:g}]: {place.name} at [{place.x_mm:.1f}, {place.y_mm:.1f}] "
                    "lies outside the board."
                )
        for index, place in enumerate(row):
            for other in row[index + 1 :]:
                if other.x_mm - place.x_mm >= self.pitch:
                    break
                apart = math.hypot(other.x_mm - place.x_mm, other.y_mm - place.y_mm)
                if apart < self.pitch - 0.001:
                    self.problems.append(
                        f"pitch_mm = {self.pitch:g}: {place.name} and {other.name} are {apart:.2f} mm apart, "
                        "and must be a pitch apart or more."
                    )

    def _track(
        self,
        side: int,
        track: str,
        colour: tuple[int, int, int],
        laid: dict[SpotName, LedPosition],
        inputs: dict[SpotName, int],
    ) -> Track:
        def spot(part: Part, number: int = 1) -> Spot:
            name = SpotName(track, part, number)
            place = laid[name]
            return Spot(place.led, round(place.x_mm, 3), round(place.y_mm, 3), inputs.get(name))

        return Track(
            side=side,
            name=track,
            colour=colour,
            starts=tuple(spot(Part.START, n + 1) for n in range(STARTS)),
            holes=tuple(spot(Part.HOLE, n + 1) for n in range(self.holes + 1)),
            matches=tuple(spot(Part.MATCH, n + 1) for n in range(MATCHES)),
            dealer_lamp=spot(Part.DEALER),
            lap_lamp=spot(Part.LAP) if SpotName(track, Part.LAP, 1) in laid else None,
        )


def _pins(pins: frozenset[int]) -> str:
    return f"GPIO {', '.join(str(pin) for pin in sorted(pins))}"


def _some(names: list[str]) -> str:
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
