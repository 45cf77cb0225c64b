"""What a board is: its holes, lamps, keys and wires, where they lie and in which order they are wired.

The single truth for pins, order and geometry (design law 8). These are plain values made by `load` from a board file:
nothing here opens a bus, and nothing here may be known by the game.

Millimetres run from the top left corner of the board, x to the right and y towards the player of side 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from cribd.inputs import Key


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the board with a light, and perhaps a button.

    `led` is the number on the strip, 0 nearest the Pi. `input` is the place in the button chain's transfer: 0 is the
    first bit that arrives, most significant bit first; None where a finger can do nothing.
    """

    led: int
    x_mm: float
    y_mm: float
    input: int | None = None


@dataclass(frozen=True, slots=True)
class Track:
    """The way of one side round the board.

    `starts[0]` is the front start hole. `holes[0]` is hole 1 and the last of `holes` is the game hole. `matches` count
    the games won. `lap_lamp` burns on the second lap of a board that is walked twice. `colour` is red, green, blue.
    """

    side: int
    name: str
    colour: tuple[int, int, int]
    starts: tuple[Spot, ...]
    holes: tuple[Spot, ...]
    matches: tuple[Spot, ...]
    dealer_lamp: Spot
    lap_lamp: Spot | None

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Everything of this track that has a light."""
        lap = () if self.lap_lamp is None else (self.lap_lamp,)
        return (*self.starts, *self.holes, *self.matches, self.dealer_lamp, *lap)


@dataclass(frozen=True, slots=True)
class KeyPin:
    """A key to ground, with a pull-up. `side` is None for UNDO and MENU. `gpio` counts as the Pi's BCM numbers do."""

    key: Key
    side: int | None
    gpio: int
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class Strip:
    """The LED strip: one cable past every light. `budget_ma` covers all of it, dark LEDs too (about 1 mA each)."""

    chip: str
    count: int
    hz: int
    spi_select: int
    spi_mode: int
    budget_ma: int


@dataclass(frozen=True, slots=True)
class Chain:
    """The button chain of 74HCS165s.

    Inputs 0, 1, … read `near_pattern` always; the byte read beyond the chain is 0x00 if `far_level` is 0 and 0xFF if
    it is 1. Together they prove length and alignment. `pressed_level` is what a pressed button reads.
    """

    chips: int
    hz: int
    spi_select: int
    spi_mode: int
    near_pattern: str
    far_level: int
    pressed_level: int

    @property
    def inputs(self) -> int:
        """How many inputs the chain has, used or not."""
        return self.chips * 8


#: The chips that luma.oled drives over I²C with 128 × 64 dots, for which the pictures are made.
OLED_CHIPS = ("ssd1306", "ssd1305", "ssd1309", "ssd1315", "sh1106", "ch1115")
OLED_SIZE = (128, 64)


@dataclass(frozen=True, slots=True)
class Oled:
    """The screen. `reset_gpio` is None where the module has no reset pin; x and y are the middle of its picture."""

    chip: str
    address: int
    width: int
    height: int
    i2c_port: int
    i2c_hz: int
    reset_gpio: int | None
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class Label:
    """A number or word on the wood, with its middle at x and y."""

    text: str
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class Board:
    """One board, whole. A `laps` of 2 means that 121 is reached by walking the 60 holes twice."""

    name: str
    laps: int
    pitch_mm: float
    width_mm: float
    height_mm: float
    tracks: tuple[Track, ...]
    strip: Strip
    chain: Chain
    keys: tuple[KeyPin, ...]
    buzzer_gpio: int
    oled: Oled
    labels: tuple[Label, ...]

    @property
    def last_hole(self) -> int:
        """The highest number of a hole that is not the game hole: 120, or 60."""
        return len(self.tracks[0].holes) - 1

    @property
    def game_hole(self) -> int:
        """The number that a press on the game hole bears: 121, or 61 on a board that is walked twice."""
        return self.last_hole + 1

    def turn_of(self, side: int | None) -> int:
        """How far what a side reads is turned, in degrees clockwise: 0 near, 90 at the left end, 180 far, 270 right.

        A side sits at the edge that its keys are nearest to. What all share is not turned.
        """
        keys = [key for key in self.keys if key.side == side]
        if side is None or not keys:
            return 0
        x, y = (sum(places) / len(keys) for places in zip(*((key.x_mm, key.y_mm) for key in keys), strict=True))
        away = {0: self.height_mm - y, 90: x, 180: y, 270: self.width_mm - x}
        return min(away, key=lambda turn: away[turn])

    def hole_of(self, score: int, target: int) -> int:
        """The hole in which a peg with this score stands; 0 is the start.

        The target of a full game is the game hole, whatever its number. A shorter game ends in the hole of that
        number. A score past the target stands in the target's hole. ValueError if the board is too short for `target`.
        """
        self._check(score, target)
        if score == 0:
            return 0
        if score >= target and (target - 1) % self.last_hole == 0:
            return self.game_hole
        return (min(score, target) - 1) % self.last_hole + 1

    def lap_of(self, score: int, target: int | None = None) -> int:
        """The lap that a peg with this score is on: 1, and 2 from hole 61 of a board that is walked twice.

        The game hole belongs to the lap that leads to it.
        """
        target = self.laps * self.last_hole + 1 if target is None else target
        if self.hole_of(score, target) == self.game_hole:
            return (target - 1) // self.last_hole
        return (max(1, min(score, target)) - 1) // self.last_hole + 1

    def _check(self, score: int, target: int) -> None:
        furthest = self.laps * self.last_hole + 1
        if not 2 <= target <= furthest:
            raise ValueError(f"target = {target}: the board {self.name} can end at 2 to {furthest}")
        if score < 0:
            raise ValueError(f"score = {score}: a score is 0 or more")
