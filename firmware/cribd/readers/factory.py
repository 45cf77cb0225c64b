"""The decoder of each kind of reader, and a reader on its port.

The daemon and `cribboard enroll` call it. It opens nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from cribd.clock import Clock
from cribd.inputs import Input
from cribd.readers import Decoder
from cribd.readers.serial_reader import SerialReader
from cribd.wires import ReaderWire, Wires


def decoder_of(wire: ReaderWire) -> Decoder:
    """A new decoder for a reader of this kind: `cribd.readers.pn532.Pn532` for a pn532."""
    make: Callable[..., Decoder] = getattr(import_module(f"cribd.readers.{wire.kind}"), wire.kind.class_name)
    return make(wire.name) if wire.kind.reads_tags else make(wire.name, prefix=wire.prefix, suffix=wire.suffix)


def attach(wire: ReaderWire, wires: Wires, *, clock: Clock, report: Callable[[list[Input]], None]) -> SerialReader:
    """The reader on its wire, ready to `run`."""
    return SerialReader(wire.name, wires, baud=wire.baud, decoder=lambda: decoder_of(wire), clock=clock, report=report)
