"""Every fault that the doctor must find: how a test makes it, and which check finds it."""

from __future__ import annotations

from dataclasses import replace
from errno import EBUSY, ENOENT, ETIMEDOUT
from itertools import count
from typing import Any

from tests.support.patients import BOARD, Case, Patient, SpoiltWires, with_chips

from cribboard.validation import Message
from cribd.inputs import Key
from cribd.wires import Spi, pi

NO_SPI = pi._why_no_node("/dev/spidev0.0", FileNotFoundError(ENOENT, "-"), "dtparam=spi=on", "spi")
NO_I2C = pi._why_no_node("/dev/i2c-1", FileNotFoundError(ENOENT, "-"), "dtparam=i2c_arm=on", "i2c")
FORBIDDEN = pi._why_no_node("/dev/spidev0.0", PermissionError(13, "-"), "dtparam=spi=on", "spi")


def _spi(error: str | Any) -> Any:
    return lambda patient: patient.wires(lambda wires: setattr(wires, "spi_error", OSError(error)))


def _i2c(error: str | Any) -> Any:
    return lambda patient: patient.wires(lambda wires: setattr(wires, "i2c_error", OSError(error)))


def _pins(error: str | Any) -> Any:
    return lambda patient: patient.wires(lambda wires: setattr(wires, "pins_error", OSError(error)))


def _scan(scan: Any) -> Any:
    return lambda patient: patient.wires(lambda wires: setattr(wires, "scan", scan))


def _asked(asked: Any) -> Any:
    return lambda patient: patient.wires(lambda wires: setattr(wires, "asked", asked))


def _unplugged(part: str) -> Any:
    return lambda patient: patient.wires(lambda wires: wires.twin.unplug(part))


def _longest(count: int) -> Any:
    return lambda patient: patient.wires(lambda wires: setattr(wires, "longest", count))


def _busy(number: int) -> Any:
    """Another program holds this pin."""

    def hold(wires: SpoiltWires) -> None:
        factory = wires.twin.wires.pin_factory
        pin = factory.pin

        def refused(name: Any) -> Any:
            if factory.board_info.to_gpio(name) == f"GPIO{number}":
                raise OSError(pi._why_no_pin(f"GPIO {number}", RuntimeError("'GPIO busy'")))
            return pin(name)

        factory.pin = refused

    return lambda patient: patient.wires(hold)


def _each_word(bus: Spi, data: bytes) -> list[int]:
    """A chip select that rises after each byte: each one loads the chain anew."""
    return [byte for one in data for byte in bus.transfer([one])]


def _late(bus: Spi, data: bytes) -> list[int]:
    bits = "0110" + "".join(f"{byte:08b}" for byte in bus.transfer(data))
    return list(int(bits[: 8 * len(data)], 2).to_bytes(len(data)))


def _garbled(bus: Spi, data: bytes) -> list[int]:
    return [0b00011000, *bus.transfer(data)[1:]]


def _disturbed(patient: Patient) -> None:
    """Every tenth scan has a wrong first byte."""
    scans = count(1)
    _scan(lambda bus, data: _garbled(bus, data) if next(scans) % 10 == 0 else bus.transfer(data))(patient)


def _endless(bus: Spi, data: bytes) -> list[int]:
    """The last serial input is open, and floats high."""
    chips = BOARD.chain.chips
    return (bus.transfer(data)[:chips] + [0xFF] * len(data))[: len(data)]


def _refused(number: int, text: str) -> Any:
    def read(_address: int) -> int:
        raise OSError(number, text)

    return read


def _at_3d(patient: Patient) -> None:
    patient.wired = replace(BOARD, oled=replace(BOARD.oled, address=0x3D))


def _open_in_412(node: str) -> Any:
    def spoil(patient: Patient) -> None:
        patient.links["proc/412/fd/5"] = node
        patient.files["proc/412/comm"] = "led-demo\n"

    return spoil


PARTS = (
    Case("buses.spi", "SPI is off", _spi(NO_SPI)),
    Case("buses.spi", "the user is not in the group spi", _spi(FORBIDDEN)),
    Case("buses.spi", "spidev is not installed", _spi(pi._missing_package("spidev"))),
    Case("buses.i2c", "I²C is off", _i2c(NO_I2C)),
    Case("buses.speed", "I²C runs at its default speed", lambda patient: patient.files.update(
        {"sys/bus/i2c/devices/i2c-1/of_node/clock-frequency": (100_000).to_bytes(4).decode("latin-1")})),
    Case("buses.speed", "the kernel does not tell the speed", lambda patient: patient.files.pop(
        "sys/bus/i2c/devices/i2c-1/of_node/clock-frequency")),
    Case("buses.programs", "another program has the strip open", _open_in_412("/dev/spidev0.0")),
    Case("oled.address", "I²C is off", _i2c(NO_I2C)),
    Case("oled.address", "the plug of the OLED is out", _unplugged("screen")),
    Case("oled.address", "the OLED has the other address", _at_3d),
    Case("oled.address", "a driver of the kernel has the OLED", _asked(_refused(EBUSY, "Device or resource busy"))),
    Case("oled.address", "SDA is short to ground", _asked(_refused(ETIMEDOUT, "Connection timed out"))),
    Case("strip.frame", "SPI is off", _spi(NO_SPI)),
    Case("strip.frame", "the kernel fails above 64 bytes", _longest(64)),
    Case("strip.frame", "every transfer times out", _longest(0)),
    Case("buttons.chain", "SPI is off", _spi(NO_SPI)),
    Case("buttons.chain", "every transfer times out", _longest(0)),
    Case("buttons.chain", "the plug of the chain is out", _unplugged("buttons")),
    Case("buttons.chain", "MISO is short to 3.3 V", _scan(lambda bus, data: [0xFF] * len(data))),
    Case("buttons.chain", "the kernel raises the chip select after each byte", _scan(_each_word)),
    Case("buttons.chain", "four bits come before the first chip", _scan(_late)),
    Case("buttons.chain", "the first chip sends something else", _scan(_garbled)),
    Case("buttons.chain", "every tenth scan is disturbed", _disturbed),
    Case("buttons.chain", "the chain has a chip less than described",
         lambda patient: setattr(patient, "wired", with_chips(BOARD, 30))),
    Case("buttons.chain", "the chain has a chip more than described",
         lambda patient: setattr(patient, "wired", with_chips(BOARD, 32))),
    Case("buttons.chain", "the serial input of the last chip is open", _scan(_endless)),
    Case("buttons.chain", "a button sticks", lambda patient: patient.wires(lambda wires: wires.twin.press(0, 14))),
    Case("keys.pins", "lgpio is not installed", _pins(pi._missing_package("lgpio"))),
    Case("keys.pins", "this is no Raspberry Pi", _pins(Message(
        "wires.no_pi", "this is no Raspberry Pi ({why}): `cribboard run --twin` needs none", why="unknown revision"))),
    Case("keys.pins", "another program holds the pin of a key", _busy(17)),
    Case("keys.pins", "a key sticks",
         lambda patient: patient.wires(lambda wires: wires.twin.key_down(Key.UNDO))),
    Case("sound.buzzer", "another program holds the pin of the buzzer", _busy(12)),
)  # fmt: skip

CASES = (*PARTS,)
