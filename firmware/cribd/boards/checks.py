"""Checks whether the parts of a board file fit together.

Each check adds all that is wrong to `problems`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cribboard.validation import Message, all_of
from cribd.boards.board import Chain, KeyPin, LedPin, Shows, Strip
from cribd.boards.led_order import MATCHES, STARTS, LedPosition, SpotKind, SpotName
from cribd.boards.reading import Problems
from cribd.inputs import Key

FREE = frozenset(range(4, 28)) - {14, 15}
"""The pins that no bus needs on every board: 0 to 3 are I²C ports with pull-ups of their own, 14 and 15 the UART."""
SPI0_PINS = frozenset(range(7, 12))
I2C_PINS = {3: {4, 5}, 4: {8, 9}, 5: {12, 13}, 6: {22, 23}}
"""The pins of further I²C ports."""
LOW_AT_BOOT = frozenset(range(9, 28))
"""GPIO 9 to 27 are pulled low at reset, 0 to 8 high: an LED there would glow until the board runs.

A key may be on either: the board switches its pull-up on before it reads it."""
PWM_PINS = frozenset({12, 13, 18, 19})
"""The pins that the Pi's PWM can reach."""
MOST_PIN_MA, MOST_PINS_MA, BUZZER_MA = 16, 50, 8
"""The most that one pin gives, that all pins give together, and what the buzzer takes."""


def owned(what: str, side: int | None, names: Sequence[str]) -> str:
    """Add the side's name, if any, to a part's name."""
    return what if side is None else Message("board.key_of", "{key} of {track}", key=what, track=names[side])


@dataclass(frozen=True, slots=True)
class Pins:
    """The GPIO pins that a board uses, and those that it may use.

    The parts may use the pins in `free`. `buzzer` and `reset` are None if not used."""

    keys: Sequence[KeyPin]
    leds: Sequence[LedPin]
    buzzer: int | None
    reset: int | None
    free: frozenset[int]


def free_pins(*, spi: bool, i2c_port: int) -> frozenset[int]:
    """Return the GPIO pins that a board's parts may use."""
    return FREE - (SPI0_PINS if spi else frozenset()) - I2C_PINS.get(i2c_port, set())


def check_pins(pins: Pins, *, names: Sequence[str], problems: Problems) -> None:
    """Check the pins and the currents of all parts."""
    users: dict[int, list[str]] = {}
    low, pwm = pins.free & LOW_AT_BOOT, pins.free & PWM_PINS
    for key in pins.keys:
        named = _key(key, names)
        users.setdefault(key.gpio, []).append(named)
        if key.gpio not in pins.free:
            problems.add(
                "board.key_pin",
                "key.gpio = {gpio}: {pins} are free for {key}.",
                gpio=key.gpio,
                pins=_pins(pins.free),
                key=named,
            )
    for led in pins.leds:
        named = _led(led, names)
        users.setdefault(led.gpio, []).append(named)
        if led.gpio not in low:
            problems.add(
                "board.led_pin",
                "led.gpio = {gpio}: {pins} are free for {led}, and keep it dark while the Pi starts.",
                gpio=led.gpio,
                pins=_pins(low),
                led=named,
            )
    if pins.buzzer is not None:
        users.setdefault(pins.buzzer, []).append(Message("board.the_buzzer", "the buzzer"))
        if pins.buzzer not in pwm:
            problems.add("board.pwm", "buzzer.gpio = {gpio}: PWM is on {pins}.", gpio=pins.buzzer, pins=_pins(pwm))
    if pins.reset is not None:
        users.setdefault(pins.reset, []).append(Message("board.the_reset", "the reset of the OLED"))
        if pins.reset not in low:
            problems.add("board.reset", "oled.reset_gpio = {gpio}: {pins} are free.", gpio=pins.reset, pins=_pins(low))
    for gpio, who in sorted(users.items()):
        if len(who) > 1:
            problems.add("board.shared_pin", "gpio = {gpio}: {users} cannot share a pin.", gpio=gpio, users=all_of(who))
    _check_currents(pins, names, problems)


def _check_currents(pins: Pins, names: Sequence[str], problems: Problems) -> None:
    for led in pins.leds:
        if led.most_ma > MOST_PIN_MA:
            problems.add(
                "board.pin_ma",
                "led.ohm = {ohm}: {led} takes up to {ma} mA, and a pin gives {most}.",
                ohm=led.ohm,
                led=_led(led, names),
                ma=f"{led.most_ma:.1f}",
                most=MOST_PIN_MA,
            )
    together = sum(led.most_ma for led in pins.leds) + (0 if pins.buzzer is None else BUZZER_MA)
    if together > MOST_PINS_MA:
        problems.add(
            "board.pins_ma",
            "led.ohm: all LEDs and the buzzer take up to {ma} mA, and all pins together give {most}.",
            ma=f"{together:.1f}",
            most=MOST_PINS_MA,
        )


def check_parts(strip: Strip, chain: Chain, *, laps: int, runs: bool, problems: Problems) -> None:
    """Check that there is an LED strip if parts need one.

    A button chain, a second lap and a `run` section need one."""
    if strip.count:
        return
    if chain.chips:
        problems.add("board.no_strip", "chain: a run of the strip says where a hole is, so a [chain] needs a [strip].")
    if laps == 2:
        problems.add("board.laps", "laps = 2: a board without a [strip] has no lap lamps, and 1 lap.")
    if runs:
        problems.add("board.no_strip_to_lay", "run: there is no [strip] whose LEDs it could lay.")


def check_steps(sides: Sequence[int | None], *, names: Sequence[str], problems: Problems) -> None:
    """Check that each side has exactly one step key."""
    for side in range(len(names)):
        if (times := sides.count(side)) != 1:
            problems.add(
                "board.step_count",
                "key = {key} is there {times} times: each side has it once, or with a [chain] no side has it.",
                key=owned(Key.STEP, side, names),
                times=times,
            )


def check_leds(leds: Sequence[LedPin], *, names: Sequence[str], problems: Problems) -> None:
    """Check that no two LEDs mean the same.

    The LEDs of won games must be numbered from 1 without a gap."""
    shown = [(led.shows, led.side, led.number) for led in leds]
    for led in leds:
        if led.number > 1 and led.shows is not Shows.GAMES:
            problems.add(
                "board.led_number",
                "led.number = {number}: only {games} has several LEDs, and {led} is one.",
                number=led.number,
                games=Shows.GAMES,
                led=owned(led.shows, led.side, names),
            )
        elif led.number > 1 and (led.shows, led.side, led.number - 1) not in shown:
            problems.add(
                "board.led_gap",
                "led.number = {number}: {led} needs the LED before it, number {before}, too.",
                number=led.number,
                led=_led(led, names),
                before=led.number - 1,
            )
    for index, led in enumerate(leds):
        if shown[index] in shown[:index]:
            problems.add("board.led_again", "led: {led} is there twice.", led=_led(led, names))


def _key(key: KeyPin, names: Sequence[str]) -> str:
    return Message("board.the_key", "the key {key}", key=owned(key.key, key.side, names))


def _led(led: LedPin, names: Sequence[str]) -> str:
    shows = f"{led.shows} {led.number}" if led.shows is Shows.GAMES else led.shows
    return Message("board.the_led", "the LED {led}", led=owned(shows, led.side, names))


def check_complete(
    laid: Mapping[SpotName, LedPosition] | None,
    inputs: Mapping[SpotName, int] | None,
    *,
    names: Sequence[str],
    holes: int,
    laps: int,
    problems: Problems,
) -> None:
    """Check that all LEDs and inputs are there.

    Each hole and lamp needs an LED; each hole except start and match holes needs an input. A board of one lap has no
    lap lamps. `laid` is None on a board without a strip, `inputs` on one without a chain."""
    for track in names:
        pressed = [SpotName(track, SpotKind.HOLE, n + 1) for n in range(holes + 1)]
        lamps = [SpotName(track, SpotKind.START, n + 1) for n in range(STARTS)]
        lamps += [SpotName(track, SpotKind.MATCH, n + 1) for n in range(MATCHES)]
        lamps += [SpotName(track, SpotKind.DEALER, 1)] + [SpotName(track, SpotKind.LAP, 1)] * (laps == 2)
        if laid is not None and (dark := [str(name) for name in [*pressed, *lamps] if name not in laid]):
            problems.add(
                "board.no_led", "run.leds: there is no LED for {names}, and each needs one.", names=_some(dark)
            )
        if inputs is not None and (dumb := [str(name) for name in pressed if name not in inputs]):
            problems.add(
                "board.no_input", "chain.order: there is no input for {names}, and each needs one.", names=_some(dumb)
            )
        if laps == 1 and laid is not None and SpotName(track, SpotKind.LAP, 1) in laid:
            problems.add(
                "board.lap",
                'run.leds = "{track} lap": laps = 1, and only a board of 2 laps has lap lamps.',
                track=track,
            )


def check_room(
    laid: Mapping[SpotName, LedPosition],
    leds: Sequence[LedPin],
    size: tuple[float, float],
    *,
    pitch: float,
    names: Sequence[str],
    problems: Problems,
) -> None:
    """Check the positions of spots and LEDs, in millimetres."""
    row = sorted(laid.values(), key=lambda place: place.x_mm)
    points = [(str(place.name), place.x_mm, place.y_mm) for place in row]
    points += [(_led(led, names), led.x_mm, led.y_mm) for led in leds]
    for name, x, y in points:
        if not (0 < x < size[0] and 0 < y < size[1]):
            problems.add(
                "board.outside",
                "size_mm = [{size}]: {name} at [{at}] lies outside the board.",
                size=f"{size[0]:g}, {size[1]:g}",
                name=name,
                at=f"{x:.1f}, {y:.1f}",
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
