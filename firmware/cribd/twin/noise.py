"""The noise at a reader: wrong bytes and badly shown cards.

Pure: randomness is passed in, so that a seed always makes the same noise. A frame or line may have one wrong bit, lack
a byte or be cut short; a card may be missed, held together with another, or read five times. No frame has more than one
error: one that a check digit cannot find would be no error of the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random

#: How often a scanner sends a card that it reads again and again.
REPEATS = 5


class ReadError(StrEnum):
    """The errors when a card is shown to a reader."""

    MISSED = "missed"
    STACKED = "stacked"
    REPEATED = "repeated"


@dataclass(slots=True)
class Noise:
    """The noise at one reader.

    `share`, from 0 to 1, is the share of frames and of cards that go wrong."""

    share: float
    rng: Random

    def next_mishap(self) -> ReadError | None:
        """Choose at random the next card's error, or None."""
        return self.rng.choice(list(ReadError)) if self.rng.random() < self.share else None

    def corrupt(self, data: bytes) -> bytes:
        """Return these bytes, sometimes with one random error."""
        if not data or self.rng.random() >= self.share:
            return data
        at = self.rng.randrange(len(data))
        match self.rng.randrange(3):
            case 0:
                return data[:at] + bytes((data[at] ^ 1 << self.rng.randrange(8),)) + data[at + 1 :]
            case 1:
                return data[:at] + data[at + 1 :]
            case _:
                return data[:at]
