"""The data types of a board.

The single source for pins, order and geometry (design law 8). These are plain values, which `load` makes from a board
file. Nothing here opens a bus, and the game must not import it.

Millimetres count from the top left corner of the board, x to the right and y towards the player of side 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cribd.inputs import Key


@dataclass(frozen=True, slots=True)
class Spot:
    """A hole or lamp on a board with an LED strip.

    `led` is the number on the strip, 0 nearest the Pi. `input` is the place in the button chain's transfer: 0 is the
    first bit that arrives, most significant bit first; None where there is no button.
    """

    led: int
    x_mm: float
    y_mm: float
    input: int | None = None


@dataclass(frozen=True, slots=True)
class Track:
    """The track of one side.

    `starts[0]` is the front start hole. `holes[0]` is hole 1 and the last of `holes` is the game hole. `matches` count
    the games won. `lap_lamp` is lit on the second lap of a board of two laps. `colour` is red, green, blue. On a board
    without a strip a track has no spots.
    """

    side: int
    name: str
    colour: tuple[int, int, int]
    starts: tuple[Spot, ...]
    holes: tuple[Spot, ...]
    matches: tuple[Spot, ...]
    dealer_lamp: Spot | None
    lap_lamp: Spot | None


@dataclass(frozen=True, slots=True)
class KeyPin:
    """A key between a GPIO pin and ground, with a pull-up.

    `side` is None for UNDO and MENU. `gpio` is a BCM number."""

    key: Key
    side: int | None
    gpio: int
    x_mm: float
    y_mm: float


class Shows(StrEnum):
    """The meaning of an LED with its own GPIO pin."""

    TURN = "turn"  # the board waits for this side
    DEALER = "dealer"
    GAMES = "games"  # so many games of the match are won: the LED's number, or more
    PENDING = "pending"  # a call of this side is open


#: The least voltage that an LED of each colour takes from the pin's 3.3 V.
LED_VOLTS = {"red": 1.6, "orange": 1.7, "yellow": 1.8, "green": 1.9, "blue": 2.6, "white": 2.6}
PIN_VOLTS = 3.3


@dataclass(frozen=True, slots=True)
class LedPin:
    """An LED between a GPIO pin and ground.

    The LED is lit while the pin is high. A resistor is in series. `number` counts the LEDs of won games."""

    shows: Shows
    side: int
    number: int
    gpio: int
    colour: str
    ohm: int
    x_mm: float
    y_mm: float

    @property
    def most_ma(self) -> float:
        """The highest current of the lit LED, in milliamperes."""
        return (PIN_VOLTS - LED_VOLTS[self.colour]) / self.ohm * 1000


@dataclass(frozen=True, slots=True)
class Strip:
    """The LED strip: one cable through all LEDs.

    `budget_ma` is its highest current, with about 1 mA for each dark LED. A board without a strip has one of 0 LEDs."""

    chip: str
    count: int
    hz: int
    spi_select: int
    spi_mode: int
    budget_ma: int


@dataclass(frozen=True, slots=True)
class Chain:
    """The button chain of 74HCS165 chips.

    A board without buttons has one of 0 chips. Inputs 0, 1, … read `near_pattern` always; the byte read beyond the
    chain is 0x00 if `far_level` is 0 and 0xFF if it is 1. Together they prove length and alignment. `pressed_level` is
    what a pressed button reads.
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
        """The number of inputs of the chain, including unused ones."""
        return self.chips * 8


#: The strip of a board without one, and the chain of a board without one.
NO_STRIP = Strip(chip="apa102", count=0, hz=8_000_000, spi_select=0, spi_mode=0, budget_ma=0)
NO_CHAIN = Chain(chips=0, hz=1_000_000, spi_select=1, spi_mode=2, near_pattern="", far_level=0, pressed_level=0)

#: The chips that luma.oled drives over I²C with 128 × 64 dots, the size of all pictures.
OLED_CHIPS = ("ssd1306", "ssd1305", "ssd1309", "ssd1315", "sh1106", "ch1115")
OLED_SIZE = (128, 64)


@dataclass(frozen=True, slots=True)
class Oled:
    """The OLED screen.

    `x_mm` and `y_mm` are the middle of the picture. `reset_gpio` is None if the module has no reset pin."""

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
class WoodLabel:
    """A label on the wooden board, centred at x and y."""

    text: str
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class Board:
    """A board: its parts and its geometry.

    If `laps` is 2, a side reaches 121 after two laps of 60 holes. `last_hole` is the highest hole number before the
    game hole, such as 120 or 60. Without a chain no hole has a button, and each side has a step key; without a strip
    no hole has an LED. `buzzer_gpio` is None if there is no buzzer."""

    name: str
    laps: int
    last_hole: int
    pitch_mm: float
    width_mm: float
    height_mm: float
    tracks: tuple[Track, ...]
    strip: Strip
    chain: Chain
    keys: tuple[KeyPin, ...]
    leds: tuple[LedPin, ...]
    buzzer_gpio: int | None
    oled: Oled
    labels: tuple[WoodLabel, ...]

    @property
    def on_spi(self) -> tuple[Strip | Chain, ...]:
        """The parts of this board on SPI0."""
        return (*([self.strip] if self.strip.count else ()), *([self.chain] if self.chain.chips else ()))

    @property
    def has_step_calls(self) -> bool:
        """Whether points are called with step keys."""
        return not self.chain.chips

    @property
    def game_hole(self) -> int:
        """The number of the game hole, the last of a track."""
        return self.last_hole + 1

    def turn_of(self, side: int | None) -> int:
        """Return how far text is rotated for this side, in degrees.

        The rotation is clockwise. A side sits at the edge nearest to its keys: 0 is the near edge, 90 the left end, 180
        the far edge, 270 the right end. None, for everybody, is 0."""
        keys = [key for key in self.keys if key.side == side]
        if side is None or not keys:
            return 0
        x, y = (sum(places) / len(keys) for places in zip(*((key.x_mm, key.y_mm) for key in keys), strict=True))
        away = {0: self.height_mm - y, 90: x, 180: y, 270: self.width_mm - x}
        return min(away, key=lambda turn: away[turn])

    def spot_of_score(self, track: Track, score: int, target: int, *, start: int = 0) -> Spot:
        """Return the spot of a peg with this score.

        For score 0, it is the start hole with the index `start`. Raises the errors of `hole_of`."""
        hole = self.hole_of(score, target)
        return track.holes[hole - 1] if hole else track.starts[start]

    def hole_of(self, score: int, target: int) -> int:
        """Return the hole number of this score; 0 is the start.

        The target of a full game is the game hole, whatever its number; a shorter game ends in the hole of its number.
        A score past the target is in the target's hole. Raises ValueError if the board is too short for `target`.
        """
        furthest = self.laps * self.last_hole + 1
        if not 2 <= target <= furthest:
            raise ValueError(f"target = {target}: the board {self.name} can end at 2 to {furthest}")
        if score < 0:
            raise ValueError(f"score = {score}: a score is 0 or more")
        if score == 0:
            return 0
        if score >= target and (target - 1) % self.last_hole == 0:
            return self.game_hole
        return (min(score, target) - 1) % self.last_hole + 1

    def lap_of(self, score: int, target: int) -> int:
        """Return the lap of a peg with this score, from 1.

        The game hole belongs to the lap that leads to it.
        """
        if self.hole_of(score, target) == self.game_hole:
            return (target - 1) // self.last_hole
        return (max(1, min(score, target)) - 1) // self.last_hole + 1
