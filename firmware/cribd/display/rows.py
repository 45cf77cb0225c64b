"""Small parts side by side, in rows that are no wider than their room: cards of a count, steps of one that is told.

Pure: how they are drawn, and nothing of what they say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cribd.display.canvas import Canvas
from cribd.display.fonts import Bitmap, face

SMALL_LINE = 9
"""As much is between a small line and the next."""

_BETWEEN = 4


def small_lines(texts: Iterable[str]) -> list[Bitmap]:
    """Each text by itself, in small print."""
    return [face("small").line(text) for text in texts]


def in_rows(parts: Iterable[Bitmap], room: int) -> list[list[Bitmap]]:
    """The parts in rows that are no wider than `room`."""
    rows: list[list[Bitmap]] = []
    used = room
    for part in parts:
        if used + _BETWEEN + part.width > room:
            rows.append([])
            used = -_BETWEEN
        rows[-1].append(part)
        used += _BETWEEN + part.width
    return rows


def draw(canvas: Canvas, rows: Sequence[Sequence[Bitmap]], left: int, top: int) -> None:
    """The rows, as close as they may stand."""
    for number, row in enumerate(rows):
        x = left
        for part in row:
            canvas.put(part, x, top + number * SMALL_LINE)
            x += part.width + _BETWEEN
