"""Builds the decoder for each kind of reader, and a reader on its port.

The daemon and `cribboard enroll` call it. It opens nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cribd.clock import Clock
from cribd.inputs import Input
from cribd.readers import Decoder
from cribd.readers.barcode import BarcodeScanner
from cribd.readers.pn532 import Pn532
from cribd.readers.rdm6300 import Rdm6300
from cribd.readers.serial_reader import SerialReader
from cribd.wires import ReaderKind, ReaderWire, Wires

_OF_TAGS: Mapping[ReaderKind, Callable[[str], Decoder]] = {ReaderKind.RDM6300: Rdm6300, ReaderKind.PN532: Pn532}


def decoder_of(wire: ReaderWire) -> Decoder:
    """A new decoder for a reader of this kind."""
    if wire.kind is ReaderKind.SCANNER:
        return BarcodeScanner(wire.name, prefix=wire.prefix, suffix=wire.suffix)
    return _OF_TAGS[wire.kind](wire.name)


def attach(wire: ReaderWire, wires: Wires, *, clock: Clock, report: Callable[[list[Input]], None]) -> SerialReader:
    """Build the reader on its wire, ready to `run`."""
    return SerialReader(wire.name, wires, baud=wire.baud, decoder=lambda: decoder_of(wire), clock=clock, report=report)
