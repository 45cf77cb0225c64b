"""A reader in a noisy place: what becomes of its bytes on their way, and of the cards that are held before it.

Pure: chance is handed in, so the same seed makes the same noise. Each frame or line of a reader may have one wrong bit,
lack a byte or be cut short; a card may be missed altogether, held up together with another, or read five times. Never
makes more than one mistake in a frame: what a check digit cannot find is no mistake of the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random

#: How often a scanner says a card that it reads again and again.
REPEATS = 5


class Mishap(StrEnum):
    """What may happen to a card that is held before a reader."""

    MISSED = "missed"
    STACKED = "stacked"
    REPEATED = "repeated"


@dataclass(slots=True)
class Noise:
    """The noise about one reader. `share` is how much of it all goes wrong, 0 to 1."""

    share: float
    chance: Random

    def held(self) -> Mishap | None:
        """What happens to the card that is held up now; mostly nothing."""
        return self.chance.choice(list(Mishap)) if self.chance.random() < self.share else None

    def wire(self, data: bytes) -> bytes:
        """What arrives of a frame or line: mostly all of it."""
        if not data or self.chance.random() >= self.share:
            return data
        at = self.chance.randrange(len(data))
        match self.chance.randrange(3):
            case 0:
                return data[:at] + bytes((data[at] ^ 1 << self.chance.randrange(8),)) + data[at + 1 :]
            case 1:
                return data[:at] + data[at + 1 :]
            case _:
                return data[:at]
