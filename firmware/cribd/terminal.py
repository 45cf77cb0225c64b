"""The terminal: what is said there shows all that it holds, single keys are heard, and tables are as wide as it is.

Whatever a command prints passes one border, `plain_output`, which `main` puts around every command: a name in a file, a
line of a record or a path on the network cannot move the cursor, turn the direction of writing or hide, and no command
can forget to see to it. Accents, spaces of any width and emoji pass as they are. JSON passes too: what is spelled out
is spelled as JSON spells it.

Never reads a terminal that is not one: a program that pipes into a command speaks to it by its options. What the
terminal was set to comes back at the end, however that comes.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import shutil
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import IO, Any, TextIO, cast
from unicodedata import category

#: Columns of a terminal below which a table would be all wrapping; and of one whose width nobody knows.
NARROWEST, USUAL = 72, 80
#: It joins emoji into one, as in 👩‍🚀; anywhere else it is there to hide.
_JOINER = "\u200d"


class OutputLost(Exception):  # noqa: N818 (a state of whoever listens, not an error of the caller)
    """What was said cannot be written: whoever read it has gone, or the disk that takes it is full."""


def printable(text: str) -> str:
    """The text on one line, with whatever cannot be seen spelled out.

    >>> print(printable("Zoë\\u202e\\x1b[2J"))
    Zoë\\u202e\\u001b[2J
    """
    if text.isprintable():
        return text
    return "".join(char if _is_seen(text, at) else _spelled(char) for at, char in enumerate(text))


def _spelled(text: str) -> str:
    return json.dumps(text)[1:-1]


def _is_seen(text: str, at: int) -> bool:
    char = text[at]
    return char.isprintable() or category(char) == "Zs" or (char == _JOINER and _joins_emoji(text, at))


def _joins_emoji(text: str, at: int) -> bool:
    before, after = text[:at][-1:], text[at + 1 : at + 2]
    return (
        bool(before and after) and (before == "\ufe0f" or category(before) in ("So", "Sk")) and category(after) == "So"
    )


def _lacking(wrong: UnicodeError) -> tuple[str, int]:
    """What the alphabet of a terminal lacks is spelled out too."""
    assert isinstance(wrong, UnicodeEncodeError)
    return _spelled(wrong.object[wrong.start : wrong.end]), wrong.end


codecs.register_error("spelled", _lacking)


class _Spoken:
    """A stream whose text stays plain lines. If it `must_be_heard`, what cannot be written raises `OutputLost`."""

    def __init__(self, stream: TextIO, *, must_be_heard: bool) -> None:
        self.bare: TextIO = getattr(stream, "bare", stream)
        self._must_be_heard = must_be_heard

    def write(self, text: str) -> int:
        encoding = self.bare.encoding or "utf-8"
        shown = "\n".join(map(printable, text.split("\n"))).encode(encoding, "spelled").decode(encoding)
        with self._heard():
            self.bare.write(shown)
        return len(text)

    def flush(self) -> None:
        with self._heard():
            self.bare.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bare, name)

    @contextlib.contextmanager
    def _heard(self) -> Iterator[None]:
        try:
            yield
        except OSError as wrong:
            if self._must_be_heard:
                raise OutputLost(wrong.strerror or str(wrong)) from wrong


@contextlib.contextmanager
def plain_output(*, must_be_heard: bool = True) -> Iterator[None]:
    """Meanwhile all that is printed can be seen for what it is. An answer `must_be_heard`, or the command has failed; a
    board plays on though nobody hears it. A complaint is never more than an attempt."""
    with contextlib.ExitStack() as stack:
        if sys.stdout is not None:  # a program may be started without it
            answers = _Spoken(sys.stdout, must_be_heard=must_be_heard)
            stack.enter_context(contextlib.redirect_stdout(cast(IO[str], answers)))
        if sys.stderr is not None:
            complaints = _Spoken(sys.stderr, must_be_heard=False)
            stack.enter_context(contextlib.redirect_stderr(cast(IO[str], complaints)))
        if not must_be_heard:
            stack.callback(let_go, sys.stdout)
        yield


def say(*lines: str) -> None:
    """Print a line each, also of what holds the end of a line itself."""
    for line in lines:
        print(printable(line))


def complain(*sentences: str) -> None:
    """Say what is wrong, likewise."""
    for sentence in sentences:
        print(printable(sentence), file=sys.stderr)


def let_go(stream: TextIO | None) -> None:
    """Nothing more will be said there. What could not be written is forgotten, or Python would try again at its end."""
    if stream is None:
        return
    bare: TextIO = getattr(stream, "bare", stream)
    try:
        print(end="", file=bare, flush=True)
    except OSError:
        with contextlib.suppress(OSError), open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), bare.fileno())


def control(codes: str, stream: TextIO) -> None:
    """Move the cursor of a person's terminal: these are control characters of our own."""
    getattr(stream, "bare", stream).write(codes)


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
