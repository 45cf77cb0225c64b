"""The messages between the twin and its page in a browser.

The page sends what a person does, and the twin sends the state of the chips.

Every message of a browser is validated; one that is nothing that a person could do at the board is ignored.
"""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass

from cribd.boards import Board, Spot
from cribd.inputs import Key
from cribd.twin.faults import FaultName
from cribd.twin.machine import Pluggable, Twin
from cribd.twin.tags import CARDS

MESSAGE = 200  # characters; no action is longer
BYTES = 64  # of one scan
#: The light of an LED on a pin, by the name of its colour in the board file: red, green and blue, as sent to a strip.
LED_LIGHT = {
    "red": (255, 5, 3),
    "orange": (255, 60, 0),
    "yellow": (255, 150, 0),
    "green": (10, 255, 25),
    "blue": (4, 25, 255),
    "white": (255, 255, 255),
}


# From a browser


@dataclass(frozen=True, slots=True)
class PressButton:
    """The request to press a button: "blue 14", "red go", "menu"."""

    button: str


@dataclass(frozen=True, slots=True)
class ReleaseButton:
    """The request to release a button."""

    button: str


@dataclass(frozen=True, slots=True)
class Scan:
    """The request to send these bytes from the reader."""

    data: bytes


@dataclass(frozen=True, slots=True)
class PresentCard:
    """The request to present a card to a reader."""

    card: str
    reader: str


@dataclass(frozen=True, slots=True)
class Plug:
    """The request to unplug a part or plug it in."""

    part: Pluggable
    put_in: bool


@dataclass(frozen=True, slots=True)
class SwitchFault:
    """The request to begin or end a simulated fault."""

    name: FaultName
    make: bool


PersonAct = PressButton | ReleaseButton | Scan | PresentCard | Plug | SwitchFault


def read(text: str) -> PersonAct | None:
    """Parse a message from the page.

    Returns None for an invalid message. Messages are `{"down": "blue 14"}`, `up`, `scan`, `unplug`, `plug`, `fault`,
    `mend`, and `{"present": ["5H", "reader"]}`. The name of the button or reader is not checked here."""
    if len(text) > MESSAGE:
        return None
    try:
        message = json.loads(text)
    except ValueError:
        return None
    if not isinstance(message, dict) or len(message) != 1:
        return None
    match message.popitem():
        case "down", str(button):
            return PressButton(button)
        case "up", str(button):
            return ReleaseButton(button)
        case "scan", str(data) if data.isascii() and 0 < len(data) <= BYTES:
            return Scan(data.encode("ascii"))
        case "present", [str(card), str(reader)] if card in CARDS:
            return PresentCard(card, reader)
        case ("plug" | "unplug") as verb, str(part) if part in set(Pluggable):
            return Plug(Pluggable(part), put_in=verb == "plug")
        case ("fault" | "mend") as verb, str(name) if name in set(FaultName):
            return SwitchFault(FaultName(name), make=verb == "fault")
    return None


# To a browser


def geometry(board: Board) -> dict[str, object]:
    """Return the drawing of the board, in millimetres.

    `leds` are those on pins. They are numbered after the LEDs of the strip."""

    def spot(at: Spot) -> dict[str, object]:
        return {"led": at.led, "x": at.x_mm, "y": at.y_mm}

    def button(at: Spot, track: int, number: int) -> str | None:
        return None if at.input is None else hole_name(board, track, number)

    return {
        "name": board.name,
        "laps": board.laps,
        "target": board.laps * board.last_hole + 1,
        "width": board.width_mm,
        "height": board.height_mm,
        "pitch": board.pitch_mm,
        "has_buzzer": board.buzzer_gpio is not None,
        "oled": {"x": board.oled.x_mm, "y": board.oled.y_mm, "width": board.oled.width, "height": board.oled.height},
        "labels": [{"text": label.text, "x": label.x_mm, "y": label.y_mm} for label in board.labels],
        "keys": [
            {
                "key": key.key,
                "side": key.side,
                "button": key_name(board, key.key, key.side),
                "x": key.x_mm,
                "y": key.y_mm,
                "turn": board.turn_of(key.side),
            }
            for key in board.keys
        ],
        "tracks": [
            {
                "side": track.side,
                "name": track.name,
                "colour": track.colour,
                "starts": [spot(at) for at in track.starts],
                "holes": [
                    {**spot(at), "track": track.side, "number": number, "button": button(at, track.side, number)}
                    for number, at in enumerate(track.holes, start=1)
                ],
                "matches": [spot(at) for at in track.matches],
                "dealer": None if track.dealer_lamp is None else spot(track.dealer_lamp),
                "lap": None if track.lap_lamp is None else spot(track.lap_lamp),
            }
            for track in board.tracks
        ],
        "leds": [
            {
                "led": number,
                "x": led.x_mm,
                "y": led.y_mm,
                "shows": led.shows,
                "number": led.number,
                "side": led.side,
                "paint": LED_LIGHT[led.colour],
                "turn": board.turn_of(led.side),
            }
            for number, led in enumerate(board.leds, start=board.strip.count)
        ],
    }


def hole_name(board: Board, track: int, number: int) -> str:
    """Return the name of a hole's button: "blue 14"."""
    return f"{board.tracks[track].name} {number}"


def key_name(board: Board, key: Key, side: int | None) -> str:
    """Return the name of a key: "red go", "menu"."""
    return key.value if side is None else f"{board.tracks[side].name} {key.value}"


def twin_state(twin: Twin) -> dict[str, object]:
    """Return what a person can see and hear of the twin.

    LEDs as `geometry` numbers them, four bytes each: red, green, blue, level."""
    on_pins = zip(twin.board.leds, twin.pin_leds(), strict=True)
    lights = [bytes((*LED_LIGHT[led.colour], 31)) if is_lit else bytes(4) for led, is_lit in on_pins]
    leds, oled = b"".join([*map(bytes, twin.leds()), *lights]), twin.oled()
    return {
        "leds": b64encode(leds).decode("ascii"),
        "oled": {
            "on": oled.on,
            "contrast": oled.contrast,
            "inverse": oled.inverse,
            "pixels": b64encode(oled.pixels).decode("ascii"),
        },
        "buzzer": twin.buzzer_hz(),
    }
