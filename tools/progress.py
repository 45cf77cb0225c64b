"""Shows the progress of a tool in lines on stderr, with the time since its start; stdout is left for its output."""

from __future__ import annotations

import sys
import time


class Progress:
    """Prints a line for each step of some work; at most one line in `every_s` seconds."""

    def __init__(self, *, every_s: float = 0) -> None:
        self._begun = time.monotonic()
        self._every_s = every_s
        self._next = self._begun

    def __call__(self, said: str) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._every_s
        minutes, seconds = divmod(int(now - self._begun), 60)
        print(f"{minutes:2}:{seconds:02}  {said}", file=sys.stderr, flush=True)
