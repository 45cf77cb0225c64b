"""Shows the progress of a command: a bar on stderr.

`draw` draws the bar. `Progress` is for a command that reads many games: it draws only where stderr is a terminal and
the work lasts, and takes the bar away at the end. So a script, a file and a short command never see it.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Self

from cribd.clock import SystemClock
from cribd.terminal import USUAL, control

if TYPE_CHECKING:
    from cribd.text import Phrases

#: Seconds that work may take without a bar, and those between two drawings of it.
QUIET_S, AGAIN_S = 2.0, 0.1
#: The columns of a whole bar.
_WIDTH = 30


def draw(done: int, of: int, said: str, *, end: str = "") -> None:
    """Draw the bar over the last one, no wider than the terminal, because a wrapped line could not be drawn over."""
    control("\r", sys.stderr)
    line = f"{'█' * (_WIDTH * done // of):<{_WIDTH}} {said}"
    print(line[: _columns() - 1], end=end, file=sys.stderr, flush=True)


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or USUAL
    except OSError:
        return USUAL


class Progress:
    """Shows in a bar how many games were read, if the work in the block takes long; nothing with `quiet`."""

    def __init__(self, words: Phrases, *, quiet: bool = False) -> None:
        self._words = words
        self._shown = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._clock = SystemClock()
        self._next: float | None = None
        self._drawn = False

    def tell(self, done: int, games: int) -> None:
        """Set how many games are done, of how many. The first call marks the start of the work."""
        if not self._shown:
            return
        now = self._clock.now()
        if self._next is None:
            self._next = now + QUIET_S
        if now < self._next:
            return
        self._next = now + AGAIN_S
        self._drawn = True
        draw(done, games, self._words.say("command.reading", done=done, games=games))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            control("\r\x1b[K", sys.stderr)
            sys.stderr.flush()
