"""Lines of the screen: how long one is, and parts put together into as few as hold them."""

from __future__ import annotations

from collections.abc import Sequence

#: No line is longer: what 128 dots hold in the smallest face that is still a main line (7.19).
LINE = 21


def wrapped(parts: Sequence[str]) -> list[str]:
    """The parts with commas between them, in as few lines as hold them."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + 2 + len(part) <= LINE:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    return lines
