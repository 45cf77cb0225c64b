"""How far a tool is: a line on standard error, with the time since it began. What a tool makes can be piped alone."""

from __future__ import annotations

import sys
import time


class Progress:
    """Prints a line for each step of some work; with `every_s` none sooner after another."""

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
