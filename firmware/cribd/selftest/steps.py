"""The steps of a self-test."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cribd.boards import Board, Shows
from cribd.boards.led_order import SpotKind
from cribd.drivers.buzzer import Sound
from cribd.inputs import FaultKind, Key


class BoardPart(StrEnum):
    """A part of the board, in test order.

    The keys come first, because a person answers all other steps with them."""

    KEYS = "keys"
    SCREEN = "screen"
    LIGHTS = "lights"
    HOLES = "holes"
    SOUND = "sound"
    READERS = "readers"


@dataclass(frozen=True, slots=True)
class SelfTestSpot:
    """The hole or lamp that an LED lights.

    For an LED on a pin, `kind` is what the LED shows. `number` counts from 1."""

    side: int
    kind: SpotKind | Shows
    number: int = 1


class Area(StrEnum):
    """An area of the OLED to light; `ALL` is every dot."""

    TOP_LEFT = "top_left"
    TOP_RIGHT = "top_right"
    BOTTOM_LEFT = "bottom_left"
    BOTTOM_RIGHT = "bottom_right"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class KeyStep:
    """The step to press this key."""

    key: Key
    side: int | None
    track: str = ""

    @property
    def name(self) -> str:
        return f"key {self.key} {self.track}".rstrip()


@dataclass(frozen=True, slots=True)
class ScreenStep:
    """The step to confirm that this OLED area is lit."""

    area: Area

    @property
    def name(self) -> str:
        return f"screen {self.area}"


@dataclass(frozen=True, slots=True)
class LightStep:
    """The step to watch this LED light up.

    `place` is None for an unused LED. LEDs on pins are numbered after those of the strip, and have their `gpio`."""

    led: int
    place: SelfTestSpot | None
    gpio: int | None = None

    @property
    def name(self) -> str:
        return f"light {self.led}" if self.gpio is None else f"light gpio {self.gpio}"


@dataclass(frozen=True, slots=True)
class AllLightsStep:
    """The step to confirm that all other LEDs were lit.

    It follows when the person has named the dark LEDs."""

    name = "lights confirmed"


@dataclass(frozen=True, slots=True)
class HoleStep:
    """The step to press this hole."""

    side: int
    hole: int
    track: str
    led: int

    @property
    def name(self) -> str:
        return f"hole {self.track} {self.hole}"


@dataclass(frozen=True, slots=True)
class SoundStep:
    """The step to confirm that this sound is heard."""

    sound: Sound

    @property
    def name(self) -> str:
        return f"sound {self.sound}"


@dataclass(frozen=True, slots=True)
class ReaderStep:
    """The step to hold a card before this card reader."""

    reader: str

    @property
    def name(self) -> str:
        return f"reader {self.reader}"


SelfTestStep = KeyStep | ScreenStep | LightStep | AllLightsStep | HoleStep | SoundStep | ReaderStep


def part_of(step: SelfTestStep) -> BoardPart:
    """Return the part of the board that a step tests."""
    match step:
        case KeyStep():
            return BoardPart.KEYS
        case ScreenStep():
            return BoardPart.SCREEN
        case LightStep() | AllLightsStep():
            return BoardPart.LIGHTS
        case HoleStep():
            return BoardPart.HOLES
        case SoundStep():
            return BoardPart.SOUND
        case ReaderStep():
            return BoardPart.READERS


#: For each part, the fault that prevents all of its tests.
FAULT_OF = {
    BoardPart.KEYS: FaultKind.KEYS_AWAY,
    BoardPart.SCREEN: FaultKind.SCREEN_AWAY,
    BoardPart.LIGHTS: FaultKind.LIGHTS_AWAY,
    BoardPart.HOLES: FaultKind.CHAIN_BROKEN,
    BoardPart.SOUND: FaultKind.BUZZER_AWAY,
    BoardPart.READERS: FaultKind.READER_SILENT,
}


def steps_of(
    board: Board, readers: Sequence[str], parts: Collection[BoardPart] = tuple(BoardPart)
) -> tuple[SelfTestStep, ...]:
    """Return the steps for these parts, each with its own name."""
    return tuple(step for part in BoardPart if part in parts for step in _steps_of_part(part, board, readers))


def _steps_of_part(part: BoardPart, board: Board, readers: Sequence[str]) -> Iterator[SelfTestStep]:
    match part:
        case BoardPart.KEYS:
            tracks: dict[int | None, str] = {track.side: track.name for track in board.tracks}
            yield from (KeyStep(pin.key, pin.side, tracks.get(pin.side, "")) for pin in board.keys)
        case BoardPart.SCREEN:
            yield from map(ScreenStep, Area)
        case BoardPart.LIGHTS:
            places = places_of(board)
            yield from (LightStep(led, places.get(led)) for led in range(board.strip.count))
            for number, pin in enumerate(board.leds, start=board.strip.count):
                yield LightStep(number, SelfTestSpot(pin.side, pin.shows, pin.number), pin.gpio)
            if board.strip.count or board.leds:
                yield AllLightsStep()
        case BoardPart.HOLES:
            for track in board.tracks:
                for hole, spot in enumerate(track.holes, 1):
                    if spot.input is not None:
                        yield HoleStep(track.side, hole, track.name, spot.led)
        case BoardPart.SOUND:
            if board.buzzer_gpio is not None:
                yield from map(SoundStep, Sound)
        case BoardPart.READERS:
            yield from map(ReaderStep, readers)


def places_of(board: Board) -> dict[int, SelfTestSpot]:
    """Return the hole or lamp of each LED on the strip."""
    places: dict[int, SelfTestSpot] = {}
    for track in board.tracks:
        numbered = {SpotKind.HOLE: track.holes, SpotKind.START: track.starts, SpotKind.MATCH: track.matches}
        for kind, spots in numbered.items():
            places |= {spot.led: SelfTestSpot(track.side, kind, number) for number, spot in enumerate(spots, 1)}
        if track.dealer_lamp is not None:
            places[track.dealer_lamp.led] = SelfTestSpot(track.side, SpotKind.DEALER)
        if track.lap_lamp is not None:
            places[track.lap_lamp.led] = SelfTestSpot(track.side, SpotKind.LAP)
    return places
