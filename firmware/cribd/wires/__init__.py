"""The wires of a board: how a driver or reader reaches its pin, bus or port, on a Pi or on the twin.

Drivers get a `Wires` and must never know which (design law 3). Each thing is opened when it is asked for, and belongs
to the thread that works its bus. `reader_kinds` is the table of the card readers that a serial wire may have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from cribd.wires.reader_kinds import Marking, ReaderKind, ReaderWire

__all__ = ["Marking", "ReaderKind", "ReaderWire", "Spi", "Wires"]


class Spi(Protocol):
    """One device on SPI0, with gpiozero's interface: a transfer sends and receives the same number of bytes."""

    def transfer(self, data: Sequence[int]) -> list[int]:
        """Send `data`, and return the bytes received meanwhile, as many as were sent."""
        ...

    def close(self) -> None:
        """Release the device. No transfer may follow."""
        ...


class Wires(Protocol):
    """The wires of one board."""

    @property
    def pin_factory(self) -> Any:
        """The gpiozero factory for keys and buzzer. It is always passed on, so that gpiozero never chooses its own."""
        ...

    def spi(self, select: int, *, hz: int, mode: int) -> Spi:
        """Open SPI0 with chip select CE0 or CE1, at this clock and SPI mode. Raises OSError if it is not there."""
        ...

    def i2c(self, port: int) -> Any:
        """The bus object for luma.core's `i2c(bus=…)`. Raises OSError if it is not there."""
        ...

    def serial(self, name: str) -> str:
        """The path that pyserial opens for the reader with this name in the configuration."""
        ...

    def close(self) -> None:
        """Close everything. Calling it twice is allowed."""
        ...
