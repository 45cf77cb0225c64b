"""Checks of the board's keys and outputs."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterator
from errno import EBUSY, ENXIO, EREMOTEIO
from typing import Any

from cribd.boards import KeyPin, LedPin
from cribd.boards.checks import BUZZER_MA, MOST_PINS_MA
from cribd.causes import Message, cause
from cribd.doctor.buses import remedy_of
from cribd.doctor.findings import Finding, Installation, fault, not_looked_at, ok, power_off, warning
from cribd.drivers import pin_errors
from cribd.drivers.oled import DISPLAY_OFF, DISPLAY_ON, STATUS_OFF
from cribd.drivers.spi_bus import SHORT_TRANSFER, TRANSFER
from cribd.drivers.strip_encoder import StripEncoder

#: The addresses that a device may have; the others are reserved.
_ADDRESSES = range(0x03, 0x78)
#: The errors of an address where no device is.
_ABSENT = (ENXIO, EREMOTEIO)
#: How long an OLED needs after its reset: the sheet asks for microseconds.
_RESET_S = 0.001
#: How long the OLED is watched, and how often. A running board logs faults that happen less often.
_WATCHED_S, _EVERY_S = 3.0, 0.05


def closed_bus_finding(bus: str) -> Finding:
    """Return the finding for a part whose bus does not open.

    The checks of the buses tell the reason."""
    return not_looked_at(Message("doctor.bus_closed", "{bus} does not open (see buses)", bus=bus))


def oled(at: Installation) -> Iterator[Finding]:
    """Check that the OLED answers and keeps its power."""
    oled = at.board.oled
    here = f"0x{oled.address:02X}"
    try:
        bus = at.wires.i2c(oled.i2c_port)
    except OSError:
        yield closed_bus_finding(f"I²C {oled.i2c_port}")
        return
    with _out_of_reset(at):
        error = _probe_address(bus, oled.address)
        loses = error is None and _loses_power(at, bus)
    if loses:
        yield fault(
            Message("doctor.oled.power", "the OLED answers at {address}, but loses its power for moments",
                    address=here),
            Message("doctor.oled.power.remedy",
                    "{off} Then push the plug of the OLED in, and look at its wires of 3.3 V and ground: one of them "
                    "is loose, or broken inside.", off=power_off()),
        )  # fmt: skip
    elif error is None:
        yield ok(Message("doctor.oled.answers", "the OLED answers at {address}", address=here))
    elif error.errno == EBUSY:
        yield fault(
            Message("doctor.oled.busy", "a driver of the kernel holds {address}", address=here),
            Message("doctor.oled.busy.remedy",
                    "Remove the line dtoverlay=ssd1306 from /boot/firmware/config.txt, and start the Pi again."),
        )  # fmt: skip
    elif error.errno not in _ABSENT:
        yield fault(
            Message("doctor.oled.stuck", "I²C {port} does not work: {why}", port=oled.i2c_port, why=cause(error)),
            Message("doctor.oled.stuck.remedy",
                    "{off} Then unplug the OLED, start the Pi, and run the doctor again. If nothing answers then, the "
                    "cable is free, and the OLED is damaged. If it says the same, SDA or SCL touches another wire.",
                    off=power_off()),
        )  # fmt: skip
    elif others := [other for other in _ADDRESSES if _answers(bus, other)]:
        yield fault(
            Message("doctor.oled.elsewhere", "nothing answers at {address}, but something does at {others}",
                    address=here, others=", ".join(f"0x{other:02X}" for other in others)),
            Message("doctor.oled.elsewhere.remedy",
                    "If that is the OLED, write its address into the board file ([oled], address). Or: {off} Then "
                    "solder the address jumper of the OLED for {address}.", address=here, off=power_off()),
        )  # fmt: skip
    else:
        yield fault(
            Message("doctor.oled.nothing", "nothing answers at {address}, nor at any other address", address=here),
            Message("doctor.oled.nothing.remedy",
                    "{off} Then check the plug of the OLED and its four wires: 3.3 V, ground, SDA to pin 3, SCL to pin "
                    "5.",
                    off=power_off()),
        )  # fmt: skip


def _loses_power(at: Installation, bus: Any) -> bool:
    """Whether the OLED loses its power during the check (SSD1306, 8.5).

    Switches the OLED on. False also for one that does not tell, such as a module that cannot be read."""
    oled = at.board.oled
    until = at.clock.now() + _WATCHED_S
    try:
        bus.write_byte_data(oled.address, 0, DISPLAY_ON)
        if bus.read_byte(oled.address) & STATUS_OFF:
            return False
        while at.clock.now() < until:
            at.clock.wait(_EVERY_S)
            if _probe_address(bus, oled.address) is not None or bus.read_byte(oled.address) & STATUS_OFF:
                return True
        bus.write_byte_data(oled.address, 0, DISPLAY_OFF)
    except OSError:
        return True
    return False


@contextlib.contextmanager
def _out_of_reset(at: Installation) -> Iterator[None]:
    """Keep the OLED out of reset inside the `with` block.

    An OLED in reset does not answer."""
    from gpiozero import DigitalOutputDevice

    with contextlib.ExitStack() as pins:
        if (gpio := at.board.oled.reset_gpio) is not None:
            with contextlib.suppress(*pin_errors()):
                pin = DigitalOutputDevice(gpio, initial_value=True, pin_factory=at.wires.pin_factory)
                pins.callback(pin.close)
                at.clock.wait(_RESET_S)
        yield


def _probe_address(bus: Any, address: int) -> OSError | None:
    """Return the error of a read at this address, or None."""
    try:
        bus.read_byte(address)
    except OSError as error:
        return error
    return None


def _answers(bus: Any, address: int) -> bool:
    error = _probe_address(bus, address)
    return error is None or error.errno == EBUSY


def led_strip(at: Installation) -> Iterator[Finding]:
    """Check that a dark frame can be sent to the LED strip.

    If only `SHORT_TRANSFER` bytes can be sent, warn. A strip cannot answer."""
    wired = at.board.strip
    if not wired.count:
        return
    try:
        bus = at.wires.spi(wired.spi_select, hz=wired.hz, mode=wired.spi_mode)
    except OSError:
        yield closed_bus_finding(f"SPI0 CE{wired.spi_select}")
        return
    dark = StripEncoder(wired).dark_frame
    try:
        for begin in range(0, len(dark), TRANSFER):
            bus.transfer(dark[begin : begin + TRANSFER])
        yield ok(Message("doctor.strip.sent", "a dark frame of {size} bytes was sent; a strip cannot answer: look "
                         "whether it lights while the board runs", size=len(dark)))  # fmt: skip
    except OSError as error:
        try:
            bus.transfer(bytes(SHORT_TRANSFER))
        except OSError:
            yield fault(Message("doctor.strip.fails", "no frame can be sent: {why}", why=cause(error)),
                        remedy_of(error))  # fmt: skip
        else:
            yield warning(
                Message("doctor.strip.long",
                        "a frame of {size} bytes fails ({why}): the board sends pieces of {short} bytes",
                        size=len(dark), why=cause(error), short=SHORT_TRANSFER),
                Message("doctor.kernel.remedy",
                        "The kernel has a fault: update it (`sudo apt update`, `sudo apt full-upgrade`), and start the "
                        "Pi again."),
            )  # fmt: skip
    finally:
        bus.close()


def pin_leds(at: Installation) -> Iterator[Finding]:
    """Check the GPIO pins of the LEDs.

    If all can be opened, report the current of these LEDs and the buzzer. An LED cannot answer."""
    from gpiozero import DigitalOutputDevice

    found = False
    try:
        factory = at.wires.pin_factory
    except OSError:  # the check of the keys says so
        return
    for pin in at.board.leds:
        try:
            DigitalOutputDevice(pin.gpio, pin_factory=factory).close()
        except pin_errors() as error:
            found = True
            yield fault(Message("doctor.leds.closed", "LED {led}: its pin GPIO {gpio} does not open: {why}",
                                led=_pin_name(pin, at), gpio=pin.gpio, why=cause(error)),
                        _remedy_of_pin(error))  # fmt: skip
    if at.board.leds and not found:
        together = sum(pin.most_ma for pin in at.board.leds) + (0 if at.board.buzzer_gpio is None else BUZZER_MA)
        yield ok(Message("doctor.leds.open", "the pins of all {count} LEDs open; with the buzzer they take {ma} mA, "
                         "and the pins give {most}; an LED cannot answer: `cribboard selftest` lights each",
                         count=len(at.board.leds), ma=f"{together:.0f}", most=MOST_PINS_MA))  # fmt: skip


def keys(at: Installation) -> Iterator[Finding]:
    """Check that each key's pin can be used, and no key is pressed."""
    from gpiozero import DigitalInputDevice

    found = False
    try:
        factory = at.wires.pin_factory
    except OSError as error:
        yield fault(Message("doctor.pins.closed", "the pins do not open: {why}", why=cause(error)), remedy_of(error))
        return
    for pin in at.board.keys:
        try:
            with contextlib.closing(DigitalInputDevice(pin.gpio, pull_up=True, pin_factory=factory)) as device:
                down = bool(device.is_active)
        except pin_errors() as error:
            found = True
            yield fault(Message("doctor.keys.closed", "key {key}: its pin does not open: {why}",
                                key=_pin_name(pin, at), why=cause(error)),
                        _remedy_of_pin(error))  # fmt: skip
            continue
        if down:
            found = True
            yield warning(
                Message("doctor.keys.down", "key {key} on GPIO {gpio} is down", key=_pin_name(pin, at), gpio=pin.gpio),
                Message("doctor.keys.down.remedy",
                        "Press it a few times, so that it springs back. If it stays down, its wire touches ground. "
                        "{off} Then free the wire. Until it has been up, the board ignores it, and can be played.",
                        off=power_off()),
            )  # fmt: skip
    if not found:
        yield ok(Message("doctor.keys.up", "the pins of all {count} keys open, and no key is down",
                         count=len(at.board.keys)))  # fmt: skip


def _pin_name(pin: KeyPin | LedPin, at: Installation) -> str:
    name = pin.key.upper() if isinstance(pin, KeyPin) else pin.shows.upper()
    return name if pin.side is None else f"{name} {at.board.tracks[pin.side].name}"


def _remedy_of_pin(error: Exception) -> Message:
    return remedy_of(error if isinstance(error, OSError) else OSError(str(error)))


def buzzer(at: Installation) -> Iterator[Finding]:
    """Check the GPIO pin of the buzzer."""
    from gpiozero import DigitalOutputDevice

    gpio = at.board.buzzer_gpio
    if gpio is None:
        return
    try:
        DigitalOutputDevice(gpio, pin_factory=at.wires.pin_factory).close()
    except pin_errors() as error:
        yield fault(Message("doctor.buzzer.closed", "the buzzer's pin GPIO {gpio} does not open: {why}",
                            gpio=gpio, why=cause(error)),
                    _remedy_of_pin(error))  # fmt: skip
    else:
        yield ok(Message("doctor.buzzer.open", "the buzzer's pin GPIO {gpio} opens", gpio=gpio))


def voice(at: Installation) -> Iterator[Finding]:
    """Check the speech program and the sound card."""
    if not at.config.voice.speaks:
        yield ok(Message("doctor.voice.off", "the voice is off"))
        return
    program = shlex.split(at.config.voice.command)[0]
    try:
        at.run(program, "--version")
    except OSError as error:
        yield fault(
            Message("doctor.voice.missing", "the voice is on, but {program} does not start: {why}",
                    program=program, why=cause(error)),
            Message("doctor.voice.missing.remedy", "Type `sudo apt install espeak-ng`, or correct voice.command."),
        )  # fmt: skip
        return
    cards = re.findall(r"\[(.+?) *\]:", at.read("proc/asound/cards") or "")
    if cards:
        yield ok(Message("doctor.voice.right", "{program} is there, and sound cards: {cards}",
                         program=program, cards=", ".join(cards)))  # fmt: skip
        return
    yield fault(
        Message("doctor.voice.no_card", "the voice is on, but there is no sound card"),
        Message("doctor.voice.no_card.remedy",
                "Plug a USB sound card in, or put dtparam=audio=on below [all] in /boot/firmware/config.txt and start "
                "the Pi again. A Pi Zero and a Pi 5 have no socket for sound."),
    )  # fmt: skip
