"""The quiet hours of the voice, in local time. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import time


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The hours from `begin` until `end`, also across midnight.

    >>> QuietHours.parse("22:00-08:00").includes(time(23, 59))
    True
    >>> QuietHours.parse("22:00-08:00").includes(time(8, 0))
    False
    """

    begin: time
    end: time

    @classmethod
    def parse(cls, text: str) -> QuietHours:
        """Parse two times of day with a hyphen between them. Raises ValueError for other texts and for equal times."""
        if re.fullmatch(r"\d\d:\d\d-\d\d:\d\d", text, re.ASCII) is None:
            raise ValueError(text)
        begin, end = map(time.fromisoformat, text.split("-"))
        if begin == end:
            raise ValueError(text)
        return cls(begin, end)

    def includes(self, now: time) -> bool:
        """Whether this time of day is inside the quiet hours."""
        if self.begin < self.end:
            return self.begin <= now < self.end
        return now >= self.begin or now < self.end
