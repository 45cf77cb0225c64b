"""The I2C bus of the twin, as luma.core needs it.

Every byte takes nine clocks (UM10204, 3.1.6), by `Clock.wait`. A missing device does not acknowledge its address:
OSError with EREMOTEIO, as on Linux.
"""

from __future__ import annotations

import errno
import importlib
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cache
from threading import Lock
from types import ModuleType
from typing import Any, Protocol

from cribd.clock import Clock

BITS_PER_BYTE = 9
START_AND_STOP = 2
BLOCK = 32


class I2cDevice(Protocol):
    """The interface of a device at one address of the bus."""

    def acknowledges(self) -> bool:
        """Whether the device answers at its address."""

    def written(self, payload: bytes, *, end: float) -> None:
        """Accept the bytes that the master has written: commands or data.

        The I²C address is already removed; `end` is when the last bit was on the wire."""

    def read(self) -> int:
        """Return the byte that the master reads."""


@dataclass(eq=False)
class I2cPort:
    """One I2C port, with its devices by their addresses."""

    clock: Clock
    _: KW_ONLY
    hz: int
    devices: Mapping[int, I2cDevice]
    _lines: Lock = field(default_factory=Lock, init=False)

    def write(self, address: int, payload: bytes) -> None:
        """Write `payload` to the device at `address`. Raises OSError(EREMOTEIO) if no device answers."""
        with self._lines:
            begin = self.clock.now()
            device = self._device(address)
            end = begin + self._seconds(1 + len(payload))
            self.clock.wait(end - self.clock.now())
            device.written(payload, end=end)

    def read(self, address: int, count: int) -> list[int]:
        """Read `count` bytes from the device at `address`. Raises OSError(EREMOTEIO) if no device answers."""
        with self._lines:
            device = self._device(address)
            self.clock.wait(self._seconds(1 + count))
            return [device.read() for _ in range(count)]

    def _seconds(self, count: int) -> float:
        return (count * BITS_PER_BYTE + START_AND_STOP) / self.hz

    def _device(self, address: int) -> I2cDevice:
        device = self.devices.get(address)
        if device is None or not device.acknowledges():
            self.clock.wait(self._seconds(1))
            raise OSError(errno.EREMOTEIO, f"no device acknowledges 0x{address:02X}")
        return device


@cache
def fake_smbus() -> ModuleType:
    """Import fake-rpi's smbus alone, with its printing turned off.

    `import fake_rpi` takes numpy and more with it (20 MB, 0.1 s) and prints. So its smbus is imported under a package
    that has fake-rpi's place but has not been run, which is taken away again; its two ways to print are turned off in
    the copy that is left here. ModuleNotFoundError if fake-rpi is not installed (it comes with the extra `twin`).
    """
    package = importlib.util.find_spec("fake_rpi")
    if package is None or package.submodule_search_locations is None:
        raise ModuleNotFoundError("the twin needs fake-rpi: pip install 'cribboard[twin]'", name="fake_rpi")
    others = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "fake_rpi"}
    hollow = ModuleType("fake_rpi")
    hollow.__path__ = list(package.submodule_search_locations)
    sys.modules["fake_rpi"] = hollow
    try:
        smbus = importlib.import_module("fake_rpi.smbus.smbus")
        importlib.import_module("fake_rpi.wrappers").toggle_print(False)
        vars(importlib.import_module("fake_rpi.Base"))["print"] = lambda *_: None
    finally:
        for name in [name for name in list(sys.modules) if name.split(".")[0] == "fake_rpi"]:
            del sys.modules[name]
        sys.modules.update(others)
    return smbus


def open_bus(port: I2cPort, number: int) -> Any:
    """Return the bus object of port `number`.

    Its calls go to the chips; fake-rpi's `SMBus` would only print them. `write_i2c_block_data` takes 32 bytes at most,
    as SMBus does.
    """
    smbus: Any = fake_smbus()

    class TwinBus(smbus.SMBus):  # type: ignore[misc]
        def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
            if len(data) > BLOCK:
                raise ValueError(f"an SMBus block has {BLOCK} bytes at most, not {len(data)}")
            port.write(i2c_addr, bytes((register, *data)))

        def write_byte(self, i2c_addr: int, value: int) -> None:
            port.write(i2c_addr, bytes((value,)))

        def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
            port.write(i2c_addr, bytes((register, value)))

        def write_word_data(self, i2c_addr: int, register: int, value: int) -> None:
            port.write(i2c_addr, bytes((register, value & 0xFF, value >> 8)))

        def read_byte(self, i2c_addr: int) -> int:
            return port.read(i2c_addr, 1)[0]

        def read_byte_data(self, i2c_addr: int, register: int) -> int:
            return self.read_i2c_block_data(i2c_addr, register, 1)[0]

        def read_word_data(self, i2c_addr: int, register: int) -> int:
            low, high = self.read_i2c_block_data(i2c_addr, register, 2)
            return low | high << 8

        def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
            port.write(i2c_addr, bytes((register,)))
            return port.read(i2c_addr, length)

    return TwinBus(number)
