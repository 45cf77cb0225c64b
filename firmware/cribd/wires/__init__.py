"""The wires of a board, on a Pi or on the twin.

Drivers get a `Wires` and must never know which (design law 3). Each thing is opened when it is asked for, and belongs
to the thread that works its bus. Configuration and commands take the kinds of card readers from here;
`cribd.readers.serial_reader` has the decoder of each kind, and `cribd.twin.readers` the simulated chip.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self


class CardMarking(StrEnum):
    """The marking by which a reader recognises a card."""

    LABEL = "label"  # a printed code
    TAG_125_KHZ = "tag_125_khz"
    TAG_13_56_MHZ = "tag_13_56_mhz"


class ReaderKind(StrEnum):
    """A kind of card reader.

    `default_baud` is the factory speed in bits a second, with 8 data bits, no parity and 1 stop bit."""

    default_baud: int
    reads: CardMarking

    def __new__(cls, name: str, default_baud: int = 9600, reads: CardMarking = CardMarking.LABEL) -> Self:
        kind = str.__new__(cls, name)
        kind._value_ = name
        kind.default_baud, kind.reads = default_baud, reads
        return kind

    SCANNER = "scanner", 9600, CardMarking.LABEL
    RDM6300 = "rdm6300", 9600, CardMarking.TAG_125_KHZ
    PN532 = "pn532", 115200, CardMarking.TAG_13_56_MHZ

    @property
    def reads_tags(self) -> bool:
        """Whether cards need tags, not labels, for this kind of reader.

        Then the board needs a deck that maps each tag to its card."""
        return self.reads is not CardMarking.LABEL


class ReaderWire(NamedTuple):
    """A reader on its serial wire.

    `name` is that in the configuration. `prefix` and `suffix` are what a reader of labels puts around each code.
    """

    name: str = "reader"
    kind: ReaderKind = ReaderKind.SCANNER
    baud: int = ReaderKind.SCANNER.default_baud
    prefix: str = ""
    suffix: str = ""


class Spi(Protocol):
    """One device on SPI0, with gpiozero's interface.

    A transfer sends and receives the same number of bytes."""

    def transfer(self, data: Sequence[int]) -> list[int]:
        """Send `data`. Returns the same number of bytes, received meanwhile."""

    def close(self) -> None:
        """Release the device. No transfer may follow."""


class Wires(Protocol):
    """The wires of one board."""

    @property
    def root(self) -> Path:
        """The root folder of the machine's files: `/` on a Pi."""

    @property
    def pin_factory(self) -> Any:
        """The gpiozero factory for keys and buzzer.

        It is always passed to gpiozero, which otherwise chooses a factory itself."""

    def spi(self, select: int, *, hz: int, mode: int) -> Spi:
        """Open SPI0 with chip select CE0 or CE1. Raises OSError if SPI0 is not there."""

    def i2c(self, port: int) -> Any:
        """Return an I²C bus for luma.core's `i2c(bus=…)`. Raises OSError if there is no such bus."""

    def serial(self, name: str) -> str:
        """Return the path that pyserial opens for this reader."""

    def close(self) -> None:
        """Close all but the SPI devices. Calling it twice is allowed."""
