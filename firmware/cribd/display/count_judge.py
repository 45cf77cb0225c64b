"""The screen of the count judge: who is right in the main line, and the reasons below it.

Pure. It has no scores and no running count: the game waits, and stays on the board as it is.

    0   the card that is wanted, or who is right    16 dots; a dotted rule below it
    17  the cards so far, or a refusal, dark on bright; with a verdict up to five reasons, two of them in large print
    34  how the cards are counted, and what the keys do
    54  below reasons in large print the cards again; in place of all that a fault, dark on bright
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cribd.display.canvas import Canvas
from cribd.display.fonts import Bitmap, font
from cribd.table.snapshot import Snapshot
from cribd.text import count_judge

if TYPE_CHECKING:
    from cribd.text import Phrases

_RULE, _BELOW, _KEYS = 16, 17, 34
_LINE, _SMALL_LINE = 16, 9
_LAST = 54
_CARDS = 54


def draw(canvas: Canvas, phrases: Phrases, snapshot: Snapshot) -> None:
    """Draw the count judge of `snapshot`."""
    _line(canvas, phrases.prompt(snapshot), 0)
    if snapshot.refusal is not None:
        wrong, *instead = phrases.refusal(snapshot.refusal)
        _line(canvas, wrong, _RULE)
        canvas.invert(0, _RULE, canvas.width, _LINE)
        _small(canvas, instead, _KEYS, snapshot)
    else:
        canvas.put(_dotted(canvas.width), 0, _RULE)
        _below(canvas, phrases, snapshot)
    if snapshot.faults:
        canvas.put(font("small").fitted(phrases.fault(snapshot.faults[-1]), canvas.width - 1), 1, _LAST)
        canvas.invert(0, _LAST, canvas.width, _SMALL_LINE)


def _below(canvas: Canvas, phrases: Phrases, snapshot: Snapshot) -> None:
    lines = phrases.hints(snapshot)
    answered = snapshot.judging is not None and snapshot.judging.called is not None
    if snapshot.judging is not None and answered and len(lines) <= 2:
        _small(canvas, [count_judge.cards(snapshot.judging.judge, phrases)], _CARDS, snapshot)
    if answered and len(lines) > 2:
        _small(canvas, lines, _BELOW + 1, snapshot)
        return
    large = lines[: 2 if answered else 1]
    for number, text in enumerate(large):
        _line(canvas, text, _BELOW + _LINE * number)
    _small(canvas, lines[len(large) :], _KEYS, snapshot)


def _line(canvas: Canvas, text: str, y: int) -> None:
    line = font("tall").fitted(text, canvas.width)
    canvas.put(line, min(1, canvas.width - line.width), y)


def _small(canvas: Canvas, lines: Sequence[str], top: int, snapshot: Snapshot) -> None:
    """Draw small lines. If a fault is shown, draw only the lines that end above it."""
    for number, text in enumerate(lines):
        at = top + _SMALL_LINE * number
        if not snapshot.faults or at + _SMALL_LINE <= _LAST:
            canvas.put(font("small").fitted(text, canvas.width - 1), 1, at)


def _dotted(width: int) -> Bitmap:
    return Bitmap(width, (int("10" * (width // 2), 2),))
