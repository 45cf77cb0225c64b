"""The twin's bus SPI0, with one chip select per device.

A transfer takes the time of its clock, by `Clock.wait`, and has its effect at the end. A device that is not selected
gets nothing.

The clock rests low in modes 0 and 1 and high in modes 2 and 3. Where two devices differ it changes its level between
them: before the select falls, as on most Pis, or after that, as the Pi 5's controller may do it (Linux, spi-dw: first
the core moves the select, then the transfer writes the mode). Then the device that is selected sees an edge too many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from threading import Lock
from typing import Protocol

from cribd.clock import Clock


class SpiDevice(Protocol):
    """The interface of a device on the bus."""

    def transfer(
        self, data: bytes, *, hz: int, mode: int, begin: float, late: int | None
    ) -> tuple[list[int] | None, Callable[[], None] | None]:
        """Accept the bytes of one transfer.

        The first bit is clocked at the time `begin`. Returns the bytes on MISO meanwhile, None if the device has no
        output, and a function to call at the end. `late` is the level of MOSI if the clock took its resting level after
        the select had fallen, else None.
        """


@dataclass(eq=False)
class SpiPort:
    """The port SPI0, with the devices at CE0 and CE1.

    `rest(count)` returns the bytes on MISO that no device drives. `late_mode`: the clock changes its resting level only
    after the select has fallen.
    """

    clock: Clock
    _: KW_ONLY
    devices: Mapping[int, SpiDevice]
    rest: Callable[[int], list[int]]
    late_mode: bool = False
    _rests_high: bool = field(default=False, init=False)
    _mosi: int = field(default=0, init=False)
    _lines: Lock = field(default_factory=Lock, init=False)

    def transfer(self, select: int, data: Sequence[int], *, hz: int, mode: int) -> list[int]:
        """Carry out one transfer. Returns the received bytes.

        The select is low from its begin to its end. Blocks until the end; the next transfer waits."""
        sent = bytes(data)
        with self._lines:
            begin = self.clock.now()
            over = received = None
            late = self._mosi if self.late_mode and (mode >= 2) is not self._rests_high else None
            if (device := self.devices.get(select)) is not None:
                received, over = device.transfer(sent, hz=hz, mode=mode, begin=begin, late=late)
            self._rests_high, self._mosi = mode >= 2, sent[-1] & 1 if sent else self._mosi
            if received is None:
                received = self.rest(len(sent))
            self.clock.wait(begin + len(sent) * 8 / hz - self.clock.now())
            if over is not None:
                over()
        return received
