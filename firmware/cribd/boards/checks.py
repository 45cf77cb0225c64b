"""Checks the parts of a board file against each other: free pins, complete spots, and enough room.

Each check adds all that is wrong to `problems`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from cribboard.validation import Message, all_of
from cribd.boards.board import KeyPin
from cribd.boards.led_order import MATCHES, STARTS, LedPosition, Part, SpotName
from cribd.boards.reading import Problems
from cribd.inputs import Key

KEY_PINS = frozenset(range(9, 28)) - {9, 10, 11} - {14, 15}
"""GPIO 9 to 27 are pulled low at reset; 9 to 11 are SPI0 and 14, 15 the serial port."""
BUZZER_PINS = frozenset({12, 13, 18, 19})
"""The pins that the Pi's PWM can reach."""


def owned(key: Key, side: int | None, names: Sequence[str]) -> str:
    """Add the name of the side to a key. Without a side, return the key unchanged."""
    return key if side is None else Message("board.key_of", "{key} of {track}", key=key, track=names[side])


def check_pins(
    keys: Sequence[KeyPin], buzzer: int, reset: int | None, *, names: Sequence[str], problems: Problems
) -> None:
    """Check that every part uses a suitable pin, and that no two parts share a pin."""
    users: dict[int, list[str]] = {}
    for key in keys:
        named = Message("board.the_key", "the key {key}", key=owned(key.key, key.side, names))
        users.setdefault(key.gpio, []).append(named)
        if key.gpio not in KEY_PINS:
            problems.add(
                "board.key_pin",
                "key.gpio = {gpio}: {pins} are free for {key}.",
                gpio=key.gpio,
                pins=_pins(KEY_PINS),
                key=named,
            )
    users.setdefault(buzzer, []).append(Message("board.the_buzzer", "the buzzer"))
    if buzzer not in BUZZER_PINS:
        problems.add("board.pwm", "buzzer.gpio = {gpio}: PWM is on {pins}.", gpio=buzzer, pins=_pins(BUZZER_PINS))
    if reset is not None:
        users.setdefault(reset, []).append(Message("board.the_reset", "the reset of the OLED"))
        if reset not in KEY_PINS:
            problems.add("board.reset", "oled.reset_gpio = {gpio}: {pins} are free.", gpio=reset, pins=_pins(KEY_PINS))
    for gpio, who in sorted(users.items()):
        if len(who) > 1:
            problems.add("board.shared_pin", "gpio = {gpio}: {users} cannot share a pin.", gpio=gpio, users=all_of(who))


def check_complete(
    laid: Mapping[SpotName, LedPosition],
    inputs: Mapping[SpotName, int],
    *,
    names: Sequence[str],
    holes: int,
    laps: int,
    problems: Problems,
) -> None:
    """Check that every spot of every track has an LED, and every hole an input."""
    for track in names:
        pressed = [SpotName(track, Part.HOLE, n + 1) for n in range(holes + 1)]
        lamps = [SpotName(track, Part.START, n + 1) for n in range(STARTS)]
        lamps += [SpotName(track, Part.MATCH, n + 1) for n in range(MATCHES)]
        lamps += [SpotName(track, Part.DEALER, 1)] + [SpotName(track, Part.LAP, 1)] * (laps == 2)
        if dark := [str(name) for name in [*pressed, *lamps] if name not in laid]:
            problems.add(
                "board.no_led", "run.leds: there is no LED for {names}, and each needs one.", names=_some(dark)
            )
        if dumb := [str(name) for name in pressed if name not in inputs]:
            problems.add(
                "board.no_input", "chain.order: there is no input for {names}, and each needs one.", names=_some(dumb)
            )
        if laps == 1 and SpotName(track, Part.LAP, 1) in laid:
            problems.add(
                "board.lap",
                'run.leds = "{track} lap": laps = 1, and only a board of 2 laps has lap lamps.',
                track=track,
            )


def check_room(
    laid: Mapping[SpotName, LedPosition], size: tuple[float, float], pitch: float, problems: Problems
) -> None:
    """Check that every spot lies on the board, at least a pitch from every other."""
    row = sorted(laid.values(), key=lambda place: place.x_mm)
    for place in row:
        if not (0 < place.x_mm < size[0] and 0 < place.y_mm < size[1]):
            problems.add(
                "board.outside",
                "size_mm = [{size}]: {name} at [{at}] lies outside the board.",
                size=f"{size[0]:g}, {size[1]:g}",
                name=place.name,
                at=f"{place.x_mm:.1f}, {place.y_mm:.1f}",
            )
    for index, place in enumerate(row):
        for other in row[index + 1 :]:
            if other.x_mm - place.x_mm >= pitch:
                break
            distance = math.hypot(other.x_mm - place.x_mm, other.y_mm - place.y_mm)
            if distance < pitch - 0.001:
                problems.add(
                    "board.pitch",
                    "pitch_mm = {pitch}: {name} and {other} are {apart} mm apart, and must be a pitch apart or more.",
                    pitch=f"{pitch:g}",
                    name=place.name,
                    other=other.name,
                    apart=f"{distance:.2f}",
                )


def _pins(pins: frozenset[int]) -> str:
    return f"GPIO {', '.join(str(pin) for pin in sorted(pins))}"


def _some(names: list[str]) -> str:
    first = ", ".join(names[:6])
    if len(names) <= 6:
        return first
    return Message("board.and_more", "{names} and {more} more", names=first, more=len(names) - 6)
