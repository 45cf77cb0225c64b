"""Card readers: one decoder each, bytes in, cards out; and the ports that the bytes come through.

Decoders never touch a port or a clock (sans-I/O), never judge a card, and never raise on what they are fed: garbage is
a value, and so is time. Any split of the same bytes gives the same facts. What a deck makes of a tag, and that a card
which lies there is one card, is for `evidence`.
"""

from __future__ import annotations

from enum import Enum
from math import inf
from typing import Protocol

from cribd.inputs import Input


class Hearing(Enum):
    """Whether there is somebody at the other end of a wire that is plugged in."""

    UNKNOWN = "unknown"
    ANSWERS = "answers"
    SILENT = "silent"


class Decoder(Protocol):
    """A reader that speaks unasked: what comes is read, and nothing is ever said to it."""

    def feed(self, data: bytes) -> list[Input]:
        """Take some bytes and say what was read."""
        ...


class Conversation(Protocol):
    """A reader that must be asked: a protocol machine that knows time only as it is told it, in seconds."""

    @property
    def hearing(self) -> Hearing:
        """Whether the reader answers. A wire on which nobody answers is as good as none."""
        ...

    @property
    def due(self) -> float:
        """When `tick` is wanted at the latest; never, if infinite."""
        ...

    def feed(self, data: bytes, now: float) -> list[Input]:
        """Take some bytes and say what was read."""
        ...

    def tick(self, now: float) -> list[Input]:
        """Let time pass: whoever has not answered by now will not."""
        ...

    def to_send(self) -> bytes:
        """What is to be said to the reader now. It is handed out once."""
        ...


class Listening:
    """The conversation with a reader that speaks unasked: one listens."""

    hearing = Hearing.ANSWERS
    due = inf

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder

    def feed(self, data: bytes, now: float) -> list[Input]:
        """Take some bytes and say what was read."""
        return self._decoder.feed(data)

    def tick(self, now: float) -> list[Input]:
        """Nothing is waited for."""
        return []

    def to_send(self) -> bytes:
        """Nothing is said."""
        return b""
