"""A terminal: single keys for the commands that listen to them, and tables as wide as it is.

Never reads a terminal that is not one: a program that pipes into a command speaks to it by its options. What the
terminal was set to comes back at the end, however that comes.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

#: Columns of a terminal below which a table would be all wrapping; and of one whose width nobody knows.
NARROWEST, USUAL = 72, 80


def is_terminal() -> bool:
    """Whether a person sits at both ends: keys come in, and lines are read."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextlib.contextmanager
def single_keys() -> Iterator[None]:
    """Meanwhile a key is heard at once, and not written on the screen. Ctrl-C is still Ctrl-C."""
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number)
        yield
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


def table(rows: Sequence[Sequence[object]], *, wrapping: tuple[int, int] = (-2, -1)) -> Iterator[str]:
    """The lines of a table: each column as wide as its widest cell, and two no wider than the terminal lets them be.

    A row of one cell is a heading, and an empty one a space.
    """
    one, other = wrapping
    texts = [[str(cell) for cell in row] for row in rows]
    whole = [row for row in texts if len(row) > 1]
    widths = [max(map(len, column)) for column in zip(*whole, strict=True)]
    both = widths[one] + widths[other]
    columns = max(NARROWEST, shutil.get_terminal_size((USUAL, 24)).columns)
    room = columns - (sum(widths) - both) - 2 * (len(widths) - 1)
    if both > room:
        widths[one] = max(min(widths[one], room // 2), room - widths[other])
        widths[other] = room - widths[one]
    for row in texts:
        if len(row) < 2:
            yield "".join(row)
            continue
        cells = [wrap(text, width) for text, width in zip(row, widths, strict=True)]
        for line in zip_longest(*cells, fillvalue=""):
            yield "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
