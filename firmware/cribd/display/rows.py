"""Places bitmaps in rows of a given width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cribd.display.canvas import Canvas
from cribd.display.fonts import Bitmap, font

SMALL_LINE = 9
"""Dots from the top of a small line to the top of the next."""

_BETWEEN = 4


def small_lines(texts: Iterable[str]) -> list[Bitmap]:
    """Return each text as a bitmap in the small font."""
    return [font("small").line(text) for text in texts]


def in_rows(parts: Iterable[Bitmap], room: int) -> list[list[Bitmap]]:
    """Group the bitmaps into rows at most `room` wide."""
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
    """Draw the rows of bitmaps, `SMALL_LINE` dots apart."""
    for number, row in enumerate(rows):
        x = left
        for part in row:
            canvas.put(part, x, top + number * SMALL_LINE)
            x += part.width + _BETWEEN
