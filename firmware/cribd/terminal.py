"""Single keys from a terminal, for the commands that listen to them.

Never reads a terminal that is not one: a program that pipes into a command speaks to it by its options. What the
terminal was set to comes back at the end, however that comes.
"""

from __future__ import annotations

import contextlib
import sys
import termios
import tty
from collections.abc import Iterator


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
