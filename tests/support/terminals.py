"""Pseudo-terminals beside a clock that is moved by hand.

The kernel takes what is written to a pseudo-terminal to its other end in a thread of its own, when it has time. A test
that moves its clock on waits for a byte of its own to go both ways first: on a busy machine it waits longer.
"""

from __future__ import annotations

import asyncio
import os
import select
import tty


class Courier:
    """A byte that goes through a terminal and back."""

    def __init__(self) -> None:
        self._ends = os.openpty()
        tty.setraw(self._ends[1])

    async def round_trip(self) -> None:
        """Wait until a byte has come to each end, and a moment longer for the readers of what came before it."""
        ours, theirs = self._ends
        for near, far in ((ours, theirs), (theirs, ours)):
            os.write(near, b".")
            while not select.select([far], [], [], 0)[0]:
                await asyncio.sleep(0.0002)
            os.read(far, 1)
        await asyncio.sleep(0.0005)

    def close(self) -> None:
        """Close both ends."""
        for end in self._ends:
            os.close(end)
