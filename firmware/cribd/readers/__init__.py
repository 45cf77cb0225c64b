"""Card readers: one decoder each, bytes in, cards out; and the ports that the bytes come through.

Decoders never touch a port (sans-I/O), never judge a card, and never raise on what they are fed: garbage is a value.
"""

from __future__ import annotations

from typing import Protocol

from cribd.facts import Fact


class Decoder(Protocol):
    """What every reader's protocol offers. Any split of the same bytes gives the same facts."""

    def feed(self, data: bytes) -> list[Fact]:
        """Take some bytes and say what was read."""
        ...
