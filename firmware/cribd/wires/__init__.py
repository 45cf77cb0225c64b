"""How a pin, a bus or a port is reached: the Pi's own, or the twin's.

Drivers ask `Wires` and never learn which they were given (design law 3). Everything here is opened when it is asked
for, and belongs to the thread that works its bus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol


class ReaderKind(StrEnum):
    """What may hang on a serial wire."""

    SCANNER = "scanner"
    RDM6300 = "rdm6300"
    PN532 = "pn532"


#: How fast each kind talks as it comes from the factory, with 8 data bits, no parity and 1 stop bit.
USUAL_BAUD = {ReaderKind.SCANNER: 9600, ReaderKind.RDM6300: 9600, ReaderKind.PN532: 115200}


@dataclass(frozen=True, slots=True)
class ReaderWire:
    """A reader on its serial wire, by the name that the configuration gives it."""

    name: str = "reader"
    kind: ReaderKind = ReaderKind.SCANNER
    baud: int = USUAL_BAUD[ReaderKind.SCANNER]


class Spi(Protocol):
    """One device on SPI0, as gpiozero gives it: a transfer sends and receives the same number of bytes."""

    def transfer(self, data: Sequence[int]) -> list[int]: ...

    def close(self) -> None: ...


class Wires(Protocol):
    """The wires of one board."""

    @property
    def pin_factory(self) -> Any:
        """The gpiozero factory for keys and buzzer; always passed on, never left to gpiozero's own choice."""
        ...

    def spi(self, select: int, *, hz: int, mode: int) -> Spi:
        """Open SPI0 with chip select CE0 or CE1, at this clock and SPI mode. Raises OSError if it is not there."""
        ...

    def i2c(self, port: int) -> Any:
        """The bus object that luma.core's `i2c(bus=…)` takes. Raises OSError if it is not there."""
        ...

    def serial(self, name: str) -> str:
        """The path that pyserial opens for the reader that the configuration calls `name`."""
        ...

    def close(self) -> None:
        """Let go of everything. Calling it twice is allowed."""
        ...
