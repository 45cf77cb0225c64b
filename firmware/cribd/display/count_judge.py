"""The screen of the count judge.

It has no scores and no running count: the game waits, and stays on the board as it is.

    0   the card that is wanted, or who is right    16 dots; a dotted rule below it
    17  the cards so far, or a refusal, dark on bright; with a verdict up to five reasons, two of them in large print
    34  how the cards are counted, and what the keys do
    54  below reasons in large print the cards again; in place of all that a fault, dark on bright
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cribd.display.canvas import Canvas
from cribd.display.rows import SMALL_LINE
from cribd.table.snapshot import Snapshot
from cribd.text import count_judge

if TYPE_CHECKING:
    from cribd.text import Phrases

_RULE, _BELOW, _KEYS = 16, 17, 34
_LINE = 16
_LAST = 54


def draw(canvas: Canvas, phrases: Phrases, snapshot: Snapshot) -> None:
    """Draw the screen of the count judge."""
    canvas.line(phrases.prompt(snapshot), 0)
    if snapshot.refusal is not None:
        wrong, *instead = phrases.refusal(snapshot.refusal)
        canvas.line(wrong, _RULE)
        canvas.invert(0, _RULE, canvas.width, _LINE)
        _draw_small_lines(canvas, instead, _KEYS, snapshot)
    else:
        canvas.dotted_rule(_RULE)
        _below(canvas, phrases, snapshot)
    if snapshot.faults:
        canvas.small_line(phrases.fault(snapshot.faults[-1]), _LAST)
        canvas.invert(0, _LAST, canvas.width, SMALL_LINE)


def _below(canvas: Canvas, phrases: Phrases, snapshot: Snapshot) -> None:
    lines = phrases.hints(snapshot)
    large = 1
    if snapshot.judging is not None and snapshot.judging.called is not None:
        if len(lines) > 2:
            _draw_small_lines(canvas, lines, _BELOW + 1, snapshot)
            return
        large = 2
        _draw_small_lines(canvas, [count_judge.cards(snapshot.judging.judge, phrases)], _LAST, snapshot)
    for number, text in enumerate(lines[:large]):
        canvas.line(text, _BELOW + _LINE * number)
    _draw_small_lines(canvas, lines[large:], _KEYS, snapshot)


def _draw_small_lines(canvas: Canvas, lines: Sequence[str], top: int, snapshot: Snapshot) -> None:
    """Write lines in the small font, but leave room for a fault."""
    for number, text in enumerate(lines):
        at = top + SMALL_LINE * number
        if not snapshot.faults or at + SMALL_LINE <= _LAST:
            canvas.small_line(text, at)
