"""The terminal: escaped output, single keys and columns.

`main` puts `plain_output` around every command. So a name in a file, a line of a record or a path cannot move the
cursor, change the direction of text or hide, and no command can forget to escape it. Accents, spaces of any width and
emoji pass. Escapes are those of JSON, so JSON stays valid.

Reads keys only from a real terminal, and restores its settings at the end.
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

#: The least columns of a table, and those of a terminal of unknown width.
NARROWEST, USUAL = 72, 80
#: The zero-width joiner: it joins emoji, as in 👩‍🚀; anywhere else it is escaped.
_JOINER = "\u200d"


class OutputLost(Exception):  # noqa: N818 (a state of the reader, not an error of the caller)
    """The output cannot be written."""


def printable(text: str) -> str:
    """Return the text in one line, with invisible characters escaped.

    >>> print(printable("Zoë\\u202e\\x1b[2J"))
    Zoë\\u202e\\u001b[2J
    """
    if text.isprintable():
        return text
    return "".join(char if _is_visible(text, at) else _escaped(char) for at, char in enumerate(text))


def _escaped(text: str) -> str:
    return json.dumps(text)[1:-1]


def _is_visible(text: str, at: int) -> bool:
    char, before, after = text[at], text[:at][-1:], text[at + 1 : at + 2]
    if char == _JOINER and before and after:
        return (before == "\ufe0f" or category(before) in ("So", "Sk")) and category(after) == "So"
    return char.isprintable() or category(char) == "Zs"


def _escape_unencodable(wrong: UnicodeError) -> tuple[str, int]:
    """Escape characters that the encoding lacks, as a codec error handler."""
    assert isinstance(wrong, UnicodeEncodeError)
    return _escaped(wrong.object[wrong.start : wrong.end]), wrong.end


codecs.register_error("spelled", _escape_unencodable)


class _EscapingStream:
    """A stream that escapes control characters.

    With `required`, a failed write raises `OutputLost`."""

    def __init__(self, stream: TextIO, *, required: bool) -> None:
        self.bare: TextIO = getattr(stream, "bare", stream)
        self._required = required

    def write(self, text: str) -> int:
        encoding = self.bare.encoding or "utf-8"
        shown = "\n".join(map(printable, text.split("\n"))).encode(encoding, "spelled").decode(encoding)
        with self._checked():
            self.bare.write(shown)
        return len(text)

    def flush(self) -> None:
        with self._checked():
            self.bare.flush()

    def write_bytes(self, whole: bytes) -> None:
        """Write these bytes unchanged."""
        with self._checked():
            self.bare.flush()
            self.bare.buffer.write(whole)
            self.bare.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bare, name)

    @contextlib.contextmanager
    def _checked(self) -> Iterator[None]:
        try:
            yield
        except OSError as wrong:
            if self._required:
                raise OutputLost(wrong.strerror or str(wrong)) from wrong


@contextlib.contextmanager
def plain_output(*, required: bool = True) -> Iterator[None]:
    """Escape control characters in all output of the `with` block.

    With `required`, a failed write to stdout raises `OutputLost`: a command fails without it, but a board plays on. A
    failed write to stderr is ignored."""
    with contextlib.ExitStack() as stack:
        if sys.stdout is not None:  # a program may be started without it
            answers = _EscapingStream(sys.stdout, required=required)
            stack.enter_context(contextlib.redirect_stdout(cast(IO[str], answers)))
        if sys.stderr is not None:
            complaints = _EscapingStream(sys.stderr, required=False)
            stack.enter_context(contextlib.redirect_stderr(cast(IO[str], complaints)))
        if not required:
            stack.callback(flush_last, sys.stdout)
        yield


def say(*lines: str) -> None:
    """Print each text on its own line, escaped."""
    for line in lines:
        print(printable(line))


def write_file(text: str) -> None:
    """Write a whole file to stdout, escaped on a terminal."""
    if isinstance(sys.stdout, _EscapingStream) and not sys.stdout.isatty():
        sys.stdout.write_bytes(text.encode())
    else:
        print(text, end="")


def complain(*sentences: str) -> None:
    """Print each sentence on its own line of stderr, escaped."""
    for sentence in sentences:
        print(printable(sentence), file=sys.stderr)


def flush_last(stream: TextIO | None) -> None:
    """Flush a stream before the exit; drop what cannot be written."""
    if stream is None:
        return
    bare: TextIO = getattr(stream, "bare", stream)
    try:
        print(end="", file=bare, flush=True)
    except OSError:
        with contextlib.suppress(OSError), open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), bare.fileno())


def control(codes: str, stream: TextIO) -> None:
    """Write these control characters without escaping them."""
    getattr(stream, "bare", stream).write(codes)


def is_terminal() -> bool:
    """Whether both stdin and stdout are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextlib.contextmanager
def single_keys() -> Iterator[None]:
    """Read keys at once and without echo inside the block."""
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number)
        yield
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


def table(rows: Sequence[Sequence[object]], *, wrapping: tuple[int, int] = (-2, -1)) -> Iterator[str]:
    """Lay out rows of text in columns; yield the lines.

    A column is as wide as its widest cell; the two `wrapping` columns shrink to fit the terminal.

    A row of one cell is a heading, an empty row is an empty line.
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
        cells = [wrap(text, max(width, 1), break_on_hyphens=False) for text, width in zip(row, widths, strict=True)]
        for line in zip_longest(*cells, fillvalue=""):
            yield "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
