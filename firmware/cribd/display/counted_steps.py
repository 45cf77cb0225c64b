"""Draws the steps of a counted hand (rules reference, 7.19).

They are below the main line of `screen`, in place of the scores. A longer count is set tighter; if that is not enough,
combinations of the same ranks are one step, and at last all of a kind. The steps always add up to the count.

    17  what was ruled or scored    16 dots; left out where an exact count needs the room
    33  the steps                   9 dots a row
"""

from __future__ import annotations

import re

from cribd.display.canvas import Canvas
from cribd.display.rows import SMALL_LINE, draw, in_rows, small_lines
from cribd.text import CountLines

_SAID, _DETAIL = 17, 32
#: The dots between two cards.
_TIGHT = re.compile("(?<=[♣♦♥♠]) ")


def draw_count(canvas: Canvas, count: CountLines) -> None:
    """Draw a count in the widest layout that fits."""
    first, *others = count.said
    tight = tuple(_TIGHT.sub("", step) for step in count.steps)
    small = () if count.exact else count.said
    for large, said, steps in (
        (first, others, count.steps),
        (first, others, tight),
        ("", small, tight),
        (first, others, count.in_short),
        ("", small, count.in_short),
        (first, others, count.by_kind),
    ):
        top = _DETAIL if large else _SAID
        rows = [row for texts in (said, steps) for row in in_rows(small_lines(texts), canvas.width - 1)]
        if top + len(rows) * SMALL_LINE <= canvas.height:
            canvas.line(large, _SAID)
            draw(canvas, rows, 1, top + 1)
            return
