"""Reads a board file and reports all its problems.

`BoardError` has one sentence for each problem: the key, the value and what is allowed. The allowed wiring is that of
the reference build in `hardware/`: buttons on CE1 in SPI mode 2, the strip on CE0 in mode 0, outputs on GPIO 9 to 27.
A board may lack the strip, the chain, the buzzer and LEDs on pins; a chain needs a strip, which says where its holes
are, and without a chain each side has a step key.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cribboard.validation import Message
from cribd.boards import checks
from cribd.boards.board import (
    LED_VOLTS,
    NO_CHAIN,
    NO_STRIP,
    OLED_CHIPS,
    OLED_SIZE,
    Board,
    Chain,
    KeyPin,
    LedPin,
    Oled,
    Shows,
    Spot,
    Strip,
    Track,
    WoodLabel,
)
from cribd.boards.led_order import (
    HEADINGS,
    MATCHES,
    STARTS,
    Bend,
    LedPosition,
    SpotKind,
    SpotName,
    Straight,
    StripRun,
    beside,
    spot_names,
)
from cribd.boards.reading import Problems, Section
from cribd.inputs import Key
from cribd.toml import TomlError, read_toml

NAMES = ("continuous", "classic", "triple", "starter")
STRIP_CHIPS = ("apa102", "sk9822")
SIDED = (Key.GO, Key.OK, Key.CHALLENGE, Key.STEP)


class BoardError(ValueError):
    """The error of an unusable board file, with its problems."""

    def __init__(self, name: str, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        self.lines = [
            Message("board.unusable", "The board file {name} cannot be used:", name=name),
            *(Message("board.listed", "  {problem}", problem=problem) for problem in problems),
        ]
        super().__init__("\n".join(self.lines))


def load(name_or_path: str | Path) -> Board:
    """Load a built-in board or a board file.

    Raises BoardError with every problem of the file, FileNotFoundError if there is none, and OSError or
    UnicodeDecodeError if it cannot be read.
    """
    if name_or_path in NAMES:
        return _ours(str(name_or_path))
    if Path(name_or_path).suffix == ".toml":
        return read(Path(name_or_path).read_text(encoding="utf-8"), called=str(name_or_path))
    raise FileNotFoundError(f'board = "{name_or_path}": a board is {", ".join(NAMES)} or the path of a .toml file')


def file_of(name_or_path: str | Path) -> Path:
    """Return the path of the file that `load` reads."""
    return Path(__file__).with_name(f"{name_or_path}.toml") if name_or_path in NAMES else Path(name_or_path)


@cache
def _ours(name: str) -> Board:
    return read(file_of(name).read_text(encoding="utf-8"), called=name)


def read(text: str, *, called: str) -> Board:
    """Read a board from the TOML text of a board file. Raises BoardError."""
    try:
        values = read_toml(text)
    except TomlError as error:
        raise BoardError(called, [Message("board.toml", "It is not TOML: {why}.", why=error.reason)]) from error
    file = _BoardFile(values)
    board = file.board()
    if board is None:
        raise BoardError(called, file.problems)
    return board


class _BoardFile:
    """Reads one board file into a `Board`."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.problems = Problems()
        self.top = Section(values, "", self.problems)

    def board(self) -> Board | None:
        top = self.top
        name = top.text("name")
        laps = top.whole("laps", 1, 2)
        self.holes = top.whole("holes", 5, 999)
        self.pitch = top.number("pitch_mm", 2.5, 50.0)
        size = top.point("size_mm")
        tracks = top.sections("track")
        self.names = [track.text("name") for track in tracks]
        colours = [track.colour("colour") for track in tracks]
        if not 2 <= len(tracks) <= 3:
            self.problems.add("board.tracks", "track = {count} of them: a board has 2 or 3 tracks.", count=len(tracks))
        for twice in sorted({n for n in self.names if self.names.count(n) > 1}):
            self.problems.add(
                "board.track_twice",
                'track.name = "{name}": two tracks bear this name, and each needs its own.',
                name=twice,
            )
        strip = self._strip(top.part("strip"))
        chain, inputs = self._chain(top.part("chain"))
        oled = self._oled(top.section("oled"))
        buzzer = top.part("buzzer")
        buzzer_gpio = None if buzzer is None else buzzer.whole("gpio", 0, 27)
        keys = self._keys(top.sections("key"), steps=not chain.chips)
        leds = self._leds(top.sections("led", needed=False))
        laid, labels = self._runs(top.sections("run", needed=strip.count > 0), strip)
        top.finish()
        checks.check_parts(strip, chain, laps=laps, runs=top.has("run"), problems=self.problems)
        pins = checks.Pins(
            keys=keys,
            leds=leds,
            buzzer=buzzer_gpio,
            reset=oled.reset_gpio,
            free=checks.free_pins(spi=bool(strip.count or chain.chips), i2c_port=oled.i2c_port),
        )
        checks.check_pins(pins, names=self.names, problems=self.problems)
        checks.check_leds(leds, names=self.names, problems=self.problems)
        checks.check_complete(
            laid if strip.count else None,
            inputs if chain.chips else None,
            names=self.names,
            holes=self.holes,
            laps=laps,
            problems=self.problems,
        )
        checks.check_room(laid, leds, size, pitch=self.pitch, names=self.names, problems=self.problems)
        if self.problems:
            return None
        return Board(
            name=name,
            laps=laps,
            last_hole=self.holes,
            pitch_mm=self.pitch,
            width_mm=size[0],
            height_mm=size[1],
            tracks=tuple(
                self._track(side, track, colour, laid, inputs)
                for side, (track, colour) in enumerate(zip(self.names, colours, strict=True))
            ),
            strip=strip,
            chain=chain,
            keys=keys,
            leds=leds,
            buzzer_gpio=buzzer_gpio,
            oled=oled,
            labels=labels,
        )

    def _strip(self, section: Section | None) -> Strip:
        if section is None:
            return NO_STRIP
        strip = Strip(
            chip=section.choice("chip", STRIP_CHIPS),
            count=section.whole("count", 1, 2000),
            hz=section.whole("hz", 500_000, 8_000_000, 8_000_000),
            spi_select=section.whole("spi_select", 0, 0, 0),
            spi_mode=section.whole("spi_mode", 0, 0, 0),
            budget_ma=section.whole("budget_ma", 100, 3000, 1500),
        )
        if strip.budget_ma <= strip.count:
            self.problems.add(
                "board.budget",
                "strip.budget_ma = {budget}: {count} LEDs take about 1 mA each when dark, so nothing could glow.",
                budget=strip.budget_ma,
                count=strip.count,
            )
        return strip

    def _chain(self, section: Section | None) -> tuple[Chain, dict[SpotName, int]]:
        if section is None:
            return NO_CHAIN, {}
        pattern = section.text("near_pattern")
        if set(pattern) != {"0", "1"}:
            self.problems.add(
                "board.near_pattern",
                'chain.near_pattern = "{pattern}": it is the levels of the spare inputs, 0 and 1, and needs both.',
                pattern=pattern,
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
                if name is not None and name.kind is not SpotKind.HOLE:
                    self.problems.add(
                        "board.no_button",
                        'chain.order = "{words}": only holes and game holes have a button.',
                        words=words,
                    )
                elif name is not None and name in inputs:
                    self.problems.add(
                        "board.input_twice",
                        "chain.order: {name} has input {one} and {other}, but may have only one.",
                        name=name,
                        one=inputs[name],
                        other=number,
                    )
                elif name is not None:
                    inputs[name] = number
                number += 1
        if number > chain.inputs:
            self.problems.add(
                "board.chips",
                "chain.chips = {chips}: the order needs {inputs} inputs, so the chain needs at least {least} chips "
                "of 8.",
                chips=chain.chips,
                inputs=number,
                least=math.ceil(number / 8),
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

    def _keys(self, sections: Sequence[Section], *, steps: bool) -> tuple[KeyPin, ...]:
        """Read the push-button keys from the `key` sections.

        If `steps`, each side needs a step key, which calls points on a board whose holes have no buttons."""
        keys: list[KeyPin] = []
        for section in sections:
            kind = section.choice("key", tuple(Key))
            key = Key(kind) if kind in tuple(Key) else None
            side = self._side(section) if key in SIDED else None
            gpio = section.whole("gpio", 0, 27)
            x, y = section.point("at")
            if key is not None:
                keys.append(KeyPin(key, side, gpio, x, y))
        found = [(key.key, key.side) for key in keys]
        sided = [(key, side) for key in SIDED if key is not Key.STEP for side in range(len(self.names))]
        for key, side in [*sided, (Key.UNDO, None), (Key.MENU, None)]:
            if (times := found.count((key, side))) != 1:
                self.problems.add(
                    "board.key_count",
                    "key = {key} is there {times} times: every board has it once.",
                    key=checks.owned(key, side, self.names),
                    times=times,
                )
        if steps or any(key is Key.STEP for key, _ in found):
            checks.check_steps(
                [side for key, side in found if key is Key.STEP], names=self.names, problems=self.problems
            )
        return tuple(keys)

    def _side(self, section: Section) -> int | None:
        owner = section.choice("side", self.names)
        return self.names.index(owner) if owner in self.names else None

    def _leds(self, sections: Sequence[Section]) -> tuple[LedPin, ...]:
        leds: list[LedPin] = []
        for section in sections:
            shows, side = section.choice("shows", tuple(Shows)), self._side(section)
            number = section.whole("number", 1, MATCHES, 1)
            gpio, ohm = section.whole("gpio", 0, 27), section.whole("ohm", 1, 10_000, 330)
            colour = section.choice("colour", tuple(LED_VOLTS))
            x, y = section.point("at")
            if shows in tuple(Shows) and side is not None:
                known = colour if colour in LED_VOLTS else "red"
                leds.append(LedPin(Shows(shows), side, number, gpio, known, ohm, x, y))
        return tuple(leds)

    def _runs(
        self, sections: Sequence[Section], strip: Strip
    ) -> tuple[dict[SpotName, LedPosition], tuple[WoodLabel, ...]]:
        laid: dict[SpotName, LedPosition] = {}
        used: dict[int, SpotName] = {}
        labels: list[WoodLabel] = []
        led = 0
        for section in sections:
            run = self._run(section)
            where = f"{section.where}leds"
            names = [name for words in section.texts("leds") for name in self._spot_names(words, where)]
            first = section.whole("first", 0, 1999, led)
            numbers = section.choice("numbers", ("left", "right"), "")
            for place in run.lay(names, first_led=first, pitch_mm=self.pitch):
                if place.name in laid:
                    self.problems.add(
                        "board.led_twice",
                        "{run}leds: {name} has LED {one} and {other}, but may have only one.",
                        run=section.where,
                        name=place.name,
                        one=laid[place.name].led,
                        other=place.led,
                    )
                if place.led in used:
                    self.problems.add(
                        "board.led_taken",
                        "{run}first = {first}: LED {led} is {other} already, and cannot be {name} too.",
                        run=section.where,
                        first=first,
                        led=place.led,
                        other=used[place.led],
                        name=place.name,
                    )
                if place.led >= strip.count > 0:
                    self.problems.add(
                        "board.strip",
                        "strip.count = {count}: {name} is LED {led}, so the strip needs at least {least}.",
                        count=strip.count,
                        name=place.name,
                        led=place.led,
                        least=place.led + 1,
                    )
                laid[place.name] = place
                used[place.led] = place.name
                hole = place.name.number if place.name.kind is SpotKind.HOLE else 0
                if numbers and hole and hole % 5 == 0 and hole <= self.holes:
                    labels.append(WoodLabel(str(hole), *beside(place, numbers, self.pitch)))
            led = first + run.leds(names)
        return laid, tuple(labels)

    def _run(self, section: Section) -> StripRun:
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

    def _track(
        self,
        side: int,
        track: str,
        colour: tuple[int, int, int],
        laid: dict[SpotName, LedPosition],
        inputs: dict[SpotName, int],
    ) -> Track:
        def spots(part: SpotKind, count: int) -> tuple[Spot, ...]:
            names = [SpotName(track, part, number + 1) for number in range(count)]
            return tuple(
                Spot(laid[name].led, round(laid[name].x_mm, 3), round(laid[name].y_mm, 3), inputs.get(name))
                for name in names
                if name in laid
            )

        return Track(
            side=side,
            name=track,
            colour=colour,
            starts=spots(SpotKind.START, STARTS),
            holes=spots(SpotKind.HOLE, self.holes + 1),
            matches=spots(SpotKind.MATCH, MATCHES),
            dealer_lamp=next(iter(spots(SpotKind.DEALER, 1)), None),
            lap_lamp=next(iter(spots(SpotKind.LAP, 1)), None),
        )
