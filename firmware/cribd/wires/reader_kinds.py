"""The kinds of card readers that can be on a serial wire, in one table.

Configuration and commands take their choices from here. `cribd.readers.factory` has the decoder of each kind, and
`cribd.twin.readers` the simulated chip.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Marking(StrEnum):
    """What a reader reads on a card."""

    LABEL = "label"  # a printed code
    TAG_125_KHZ = "tag_125_khz"
    TAG_13_56_MHZ = "tag_13_56_mhz"


class ReaderKind(StrEnum):
    """A kind of reader: its name, its factory speed (8 data bits, no parity, 1 stop bit), and what it reads."""

    usual_baud: int
    reads: Marking

    def __new__(cls, name: str, usual_baud: int = 9600, reads: Marking = Marking.LABEL) -> Self:
        kind = str.__new__(cls, name)
        kind._value_ = name
        kind.usual_baud, kind.reads = usual_baud, reads
        return kind

    SCANNER = "scanner", 9600, Marking.LABEL
    RDM6300 = "rdm6300", 9600, Marking.TAG_125_KHZ
    PN532 = "pn532", 115200, Marking.TAG_13_56_MHZ

    @property
    def reads_tags(self) -> bool:
        """Whether the cards need tags, and the board needs a deck that maps each tag to its card."""
        return self.reads is not Marking.LABEL


@dataclass(frozen=True, slots=True)
class ReaderWire:
    """A reader on its serial wire, with its name in the configuration.

    `prefix` and `suffix` are what a reader of labels puts around each code.
    """

    name: str = "reader"
    kind: ReaderKind = ReaderKind.SCANNER
    baud: int = ReaderKind.SCANNER.usual_baud
    prefix: str = ""
    suffix: str = ""
