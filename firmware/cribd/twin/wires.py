"""The twin's wires, which replace the Pi's (`cribd.wires.Wires`): gpiozero, luma and pyserial run on them.

Each thing is opened when it is first asked for; `machine` says what hangs on it. gpiozero's global factory is never
used.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from cribd.clock import Clock
from cribd.twin.i2c import I2cPort, open_bus
from cribd.twin.spi import SpiPort
from cribd.twin.uart import SerialLine
from cribd.wires import ReaderWire, Spi

if TYPE_CHECKING:
    from cribd.twin.gpio import TwinFactory, TwinPin


class TwinWires:
    """The wires of one twin. Serial wires are links in `folder`; `bauds` are the speeds of their readers."""

    def __init__(
        self,
        clock: Clock,
        *,
        spi: SpiPort,
        i2c: dict[int, I2cPort],
        folder: Path,
        bauds: Mapping[str, int],
        on_pin: Callable[[TwinPin], None],
    ) -> None:
        self._clock = clock
        self._spi = spi
        self._i2c = i2c
        self._folder = folder
        self._bauds = dict(bauds)
        self._on_pin = on_pin
        self._factory: TwinFactory | None = None
        self._lines: dict[str, SerialLine] = {}
        self._guard = Lock()

    @property
    def pin_factory(self) -> TwinFactory:
        """The twin's gpiozero factory: its pins are the board's, its SPI0 has the strip and the buttons."""
        with self._guard:
            if self._factory is None:
                from cribd.twin.gpio import TwinFactory

                self._factory = TwinFactory(self._clock, port=self._spi, on_change=self._on_pin)
            return self._factory

    def spi(self, select: int, *, hz: int, mode: int) -> Spi:
        """SPI0 with CE0 or CE1, through gpiozero's pin factory."""
        device: Any = self.pin_factory.spi(port=0, device=select)
        device.rate = hz
        device.clock_mode = mode
        opened: Spi = device
        return opened

    def i2c(self, port: int) -> Any:
        """The bus object of this port. OSError(ENOENT) if the board has none."""
        if port not in self._i2c:
            raise OSError(errno.ENOENT, "no such I2C port", f"/dev/i2c-{port}")
        return open_bus(self._i2c[port], port)

    def serial(self, name: str) -> str:
        """The path of the wire of the reader called `name`, even if its plug is out."""
        return str(self.line(name).path)

    def line(self, name: str) -> SerialLine:
        """The serial wire, plugged in at its first use."""
        with self._guard:
            if name not in self._lines:
                self._lines[name] = SerialLine(
                    self._folder / name, self._clock, baud=self._bauds.get(name, ReaderWire().baud)
                )
                self._lines[name].plug()
            return self._lines[name]

    def close(self) -> None:
        """Pull all plugs and close gpiozero's pins."""
        with self._guard:
            for line in self._lines.values():
                line.unplug()
            self._lines.clear()
            factory, self._factory = self._factory, None
        if factory is not None:
            factory.close()
