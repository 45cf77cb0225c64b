"""Helpers for the lines of the screen."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

#: Characters in a line: what 128 dots hold in the smallest font that is still a main line (7.19).
LINE = 21


class Priority(IntEnum):
    """The priority of a line; the smallest number comes first."""

    END = 0
    VERDICT = 1
    PENALTY = 2
    SCORE = 3
    CLOSED = 4
    WHY = 5
    DONE = 6
    ASIDE = 7


WeightedLine = tuple[Priority, str]


def joined_in_lines(parts: Sequence[str]) -> list[str]:
    """Join the parts with commas into few lines."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + 2 + len(part) <= LINE:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    return lines


def shortened(text: str, length: int) -> str:
    """Shorten a long text to `length` characters with an ellipsis."""
    return text if len(text) <= length else f"{text[: length - 1]}…"
