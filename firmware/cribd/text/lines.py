"""Lines of the screen: how long one may be, how much it matters, and parts joined into as few lines as hold them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

#: Characters in a line: what 128 dots hold in the smallest font that is still a main line (7.19).
LINE = 21


class Priority(IntEnum):
    """How much a line about an act matters. The smallest number is said first."""

    END = 0
    VERDICT = 1
    PENALTY = 2
    SCORE = 3
    CLOSED = 4
    WHY = 5
    DONE = 6
    ASIDE = 7


Line = tuple[Priority, str]


def wrapped(parts: Sequence[str]) -> list[str]:
    """The parts with commas between them, in as few lines as hold them."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + 2 + len(part) <= LINE:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    return lines


def shortened(text: str, length: int) -> str:
    """The text, cut to this many characters with an ellipsis as the last."""
    return text if len(text) <= length else f"{text[: length - 1]}…"
