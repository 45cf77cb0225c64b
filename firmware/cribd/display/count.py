"""The picture of a whole count, told step by step with its cards, in place of the scores (rules reference, 7.19).

Pure, as `screen` is, and below its main line. The more there is of a count, the closer it stands; of what is still too
much, combinations of the same ranks are told as one, and at the worst all of a kind. Nothing is left out: what stands
there adds up.

    17  what was ruled or scored    16 dots; of an exact count that needs its room, nothing
    33  step after step             9 dots a row
"""

from __future__ import annotations

import re

from cribd.display.canvas import Canvas
from cribd.display.fonts import face
from cribd.display.rows import SMALL_LINE, draw, in_rows, small_lines
from cribd.text import Coached

_SAID, _DETAIL = 17, 32
#: What stands between two cards.
_TIGHT = re.compile("(?<=[♣♦♥♠]) ")


def draw_count(canvas: Canvas, count: Coached) -> None:
    """Draw it, as openly as it has room."""
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
            line = face("tall").fitted(large, canvas.width)
            canvas.put(line, min(1, canvas.width - line.width), _SAID)
            draw(canvas, rows, 1, top + 1)
            return
