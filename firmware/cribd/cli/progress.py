"""Shows the progress of a command as a bar on stderr.

`draw` draws the bar. `progress_bar` is for a command that reads many games: it draws only where stderr is a terminal
and the work lasts, and takes the bar away at the end. So a script, a file and a short command never see it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from cribd.clock import SystemClock
from cribd.terminal import USUAL, control
from cribd.text import Phrases

#: Seconds that work may take without a bar, and those between two drawings of it.
QUIET_S, REDRAW_S = 2.0, 0.1
#: The columns of a whole bar.
_WIDTH = 30

#: Sets how many games are read, of how many. The first call marks the start of the work.
ReportProgress: TypeAlias = Callable[[int, int], None]


def draw(done: int, of: int, text: str, *, end: str = "") -> None:
    """Draw the progress bar over the previous one.

    The bar is no wider than the terminal, because a wrapped line cannot be overwritten."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or USUAL
    except OSError:
        columns = USUAL
    control("\r", sys.stderr)
    line = f"{'█' * (_WIDTH * done // of):<{_WIDTH}} {text}"
    print(line[: columns - 1], end=end, file=sys.stderr, flush=True)


@contextmanager
def progress_bar(words: Phrases, *, quiet: bool = False) -> Iterator[ReportProgress]:
    """Show a progress bar while the `with` block reads games.

    Short work has no bar, and with `quiet` nothing is shown."""
    clock = SystemClock()
    is_shown = not quiet and sys.stderr is not None and sys.stderr.isatty()
    is_drawn = False
    next_s: float | None = None

    def report(done: int, games: int) -> None:
        nonlocal is_drawn, next_s
        if not is_shown:
            return
        now = clock.now()
        if next_s is None:
            next_s = now + QUIET_S
        elif now >= next_s:
            next_s = now + REDRAW_S
            is_drawn = True
            draw(done, games, words.say("command.reading", done=done, games=games))

    try:
        yield report
    finally:
        if is_drawn:
            control("\r\x1b[K", sys.stderr)
            sys.stderr.flush()
