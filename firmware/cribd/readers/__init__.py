"""Card readers: turn bytes of a serial port into cards.

One module decodes each kind of reader, named for it (`cribd.wires.ReaderKind`). A decoder is sans-I/O: it never
touches a port or a clock, never judges a card, and never raises on what it is fed, so that garbage is a value. Any
split of the same bytes gives the same inputs. `serial_reader` builds a decoder and feeds it.
`scan_to_card` turns tags and labels into cards and drops repeats, for the table; `decks`, `labels` and `enrolment` are
about marked cards.
"""

from __future__ import annotations

from enum import Enum
from math import inf
from typing import Protocol

from cribd.inputs import Input


class LinkState(Enum):
    """Whether a plugged-in reader answers."""

    UNKNOWN = "unknown"
    ANSWERING = "answering"
    SILENT = "silent"


class Decoder(Protocol):
    """The protocol of one reader on one connection. Times are in seconds of the device's clock."""

    @property
    def link(self) -> LinkState:
        """Whether the reader answers."""

    @property
    def due(self) -> float:
        """When to call `tick` at the latest; infinite for never."""

    def feed(self, data: bytes, now: float) -> list[Input]:
        """Take received bytes; return what was read."""

    def tick(self, now: float) -> list[Input]:
        """Let time pass: a request that is still unanswered has failed. Returns what was read."""

    def to_send(self) -> bytes:
        """The bytes to send to the reader now. Each is returned only once."""


class ListenOnly:
    """The part of `Decoder` that is the same for all readers that send without being asked."""

    link = LinkState.ANSWERING
    due = inf

    def tick(self, now: float) -> list[Input]:
        """Returns nothing, because no answer is awaited."""
        return []

    def to_send(self) -> bytes:
        """Returns nothing, because the reader is never asked."""
        return b""
