"""The twin's wires, used instead of the Pi's (`cribd.wires.Wires`).

Each thing is opened when it is first asked for; `machine` says what hangs on it. gpiozero's global factory is never
used.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
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


@dataclass(eq=False)
class TwinWires:
    """The wires of one twin, with its serial links in `folder`.

    `bauds` are the speeds of the readers."""

    clock: Clock
    _: KW_ONLY
    spi_port: SpiPort
    i2c_ports: Mapping[int, I2cPort]
    folder: Path
    bauds: Mapping[str, int]
    on_pin: Callable[[TwinPin], None]
    _factory: TwinFactory | None = field(default=None, init=False)
    _lines: dict[str, SerialLine] = field(default_factory=dict, init=False)
    _guard: Lock = field(default_factory=Lock, init=False)

    @property
    def root(self) -> Path:
        """The folder with the simulated machine's files of /sys and /dev.

        No reader has the name of this folder."""
        return self.folder / ".machine"

    @property
    def pin_factory(self) -> TwinFactory:
        """The twin's pin factory for gpiozero, with SPI0."""
        with self._guard:
            if self._factory is None:
                from cribd.twin.gpio import TwinFactory

                self._factory = TwinFactory(self.clock, port=self.spi_port, on_change=self.on_pin)
            return self._factory

    def spi(self, select: int, *, hz: int, mode: int) -> Spi:
        """Open SPI0 with CE0 or CE1, through gpiozero's pin factory."""
        device: Any = self.pin_factory.spi(port=0, device=select)
        device.rate = hz
        device.clock_mode = mode
        opened: Spi = device
        return opened

    def i2c(self, port: int) -> Any:
        """Return the bus object of this port. Raises OSError(ENOENT) if the board has no such port."""
        if port not in self.i2c_ports:
            raise OSError(errno.ENOENT, "no such I2C port", f"/dev/i2c-{port}")
        return open_bus(self.i2c_ports[port], port)

    def serial(self, name: str) -> str:
        """Return the usual path of a reader's serial wire."""
        self.line(name)
        return str(self.folder / name)

    def moved_path(self, name: str) -> Path:
        """Return the path of a reader's wire after the fault `reader-moves`."""
        return self.folder / f".{name}-2"

    def line(self, name: str) -> SerialLine:
        """Return the serial wire of the reader `name`."""
        with self._guard:
            if name not in self._lines:
                baud = self.bauds.get(name, ReaderWire().baud)
                self._lines[name] = SerialLine(
                    self.folder / name, self.clock, baud=baud, by_id=self.root / "dev/serial/by-id" / f"usb-{name}"
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
