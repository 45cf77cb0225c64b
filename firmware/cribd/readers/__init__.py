"""Card readers: turn bytes of a serial port into cards.

One module decodes each kind of reader, named for it (`cribd.wires.ReaderKind`). A decoder is sans-I/O: it never
touches a port or a clock, never judges a card, and never raises on what it is fed, so that garbage is a value. Any
split of the same bytes gives the same inputs. `serial_reader` builds a decoder and feeds it. `scan_resolver` turns tags
and labels into cards and drops repeats, for the table; `decks`, `labels` and `enrolment` are about marked cards.
"""

from __future__ import annotations

from enum import Enum
from math import inf

from cribd.inputs import Input


class LinkState(Enum):
    """The state of a plugged-in reader."""

    UNKNOWN = "unknown"
    ANSWERING = "answering"
    SILENT = "silent"


class Decoder:
    """The protocol of one reader on one connection.

    Times are in seconds, on the clock of the board. If a reader sends unasked, its decoder overrides only `feed`.
    """

    #: Whether the reader answers.
    link = LinkState.ANSWERING
    #: When to call `tick` at the latest; infinite for never.
    due = inf

    def feed(self, data: bytes, now: float = 0.0) -> list[Input]:
        """Take received bytes, and return the completed inputs."""
        raise NotImplementedError

    def tick(self, now: float) -> list[Input]:
        """Do what is due, and return the new inputs."""
        return []

    def to_send(self) -> bytes:
        """Return the bytes to send now, each only once."""
        return b""
