"""Keeps the frame of the LEDs for the next start (`cribd.first_light`).

It is the frame of the last snapshot that was committed and did not blink, and of no review or count. It is written at
most every fifteen seconds, but at once when another game begins: the one before may be sealed by then (law 10).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from cribd.clock import Clock, wait_for
from cribd.first_light import KEPT_EVERY_S, FirstLight
from cribd.table.snapshot import Snapshot, SwitchedOff


class FrameKeeper:
    """Keeps the frames of one board. `steady` gives the frame on the LEDs, or None while it blinks."""

    def __init__(self, light: FirstLight, *, steady: Callable[[], bytes | None], clock: Clock) -> None:
        self._light = light
        self._steady = steady
        self._clock = clock
        self._frame: bytes | None = None
        self._number = 0
        self._changed, self._begun = asyncio.Event(), asyncio.Event()

    def publish(self, snapshot: Snapshot) -> None:
        """Keep the frame of this snapshot soon."""
        frame = self._steady()
        is_of_now = snapshot.looking is None and snapshot.judging is None and not snapshot.resting
        if frame is None or not is_of_now or isinstance(snapshot.mode, SwitchedOff):
            return
        number = 0 if snapshot.view is None else snapshot.view.number
        if number < self._number:
            self._begun.set()
        self._frame, self._number = frame, number
        self._changed.set()

    async def run(self) -> None:
        """Write frames until cancelled, and the last one then."""
        try:
            while True:
                await self._changed.wait()
                self._changed.clear()
                await self._clock.run_in_thread(self._write)
                await wait_for(self._begun, KEPT_EVERY_S, self._clock)
                self._begun.clear()
        finally:
            self._write()

    def _write(self) -> None:
        if self._frame is not None:
            with contextlib.suppress(OSError):  # a disk that is full or only read: the next start is dark for longer
                self._light.keep(self._frame)
