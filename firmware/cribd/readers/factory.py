"""Which conversation each kind of reader holds, on which wire.

For whoever runs readers: the daemon, and `cribboard enroll`. Opens nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from cribd.clock import Clock
from cribd.inputs import Input
from cribd.readers import Conversation, Listening
from cribd.readers.pn532 import Pn532
from cribd.readers.rdm6300 import Rdm6300
from cribd.readers.scanner import Lines
from cribd.readers.serial_port import SerialReader
from cribd.wires import ReaderKind, ReaderWire, Wires


def conversation(wire: ReaderWire, *, prefix: str = "", suffix: str = "") -> Conversation:
    """A new conversation with a reader of this kind. `prefix` and `suffix` are what a scanner puts around a code."""
    match wire.kind:
        case ReaderKind.SCANNER:
            return Listening(Lines(wire.name, prefix=prefix, suffix=suffix))
        case ReaderKind.RDM6300:
            return Listening(Rdm6300(wire.name))
        case ReaderKind.PN532:
            return Pn532(wire.name)


def attach(
    wire: ReaderWire,
    wires: Wires,
    *,
    prefix: str = "",
    suffix: str = "",
    clock: Clock,
    tell: Callable[[list[Input]], None],
) -> SerialReader:
    """The reader on its wire, ready to `run`."""
    return SerialReader(
        wire.name,
        wires,
        baud=wire.baud,
        conversation=lambda: conversation(wire, prefix=prefix, suffix=suffix),
        clock=clock,
        tell=tell,
    )
