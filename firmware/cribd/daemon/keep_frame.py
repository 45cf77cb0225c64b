"""Stores what the board shows first at its next start.

The LEDs get the frame of the last snapshot that was committed and did not blink, and of no review or count. It is
written at most every fifteen seconds. When another game begins, the stored frame is replaced at once, or deleted while
the LEDs blink: the game before may be sealed by then (law 10). The OLED gets "Starting". This picture is made after the
first fifteen seconds, when nobody waits for the start any more, and again when the language changes.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from functools import partial

from cribd.boards import Oled
from cribd.clock import Clock, wait_for
from cribd.drivers.oled import messages_to_show
from cribd.first_light import KEPT_EVERY_S, FirstLight
from cribd.table.snapshot import Snapshot, SwitchedOff


class FrameKeeper:
    """Stores the LED frames of one board.

    `steady` returns the present frame of the strip and the GPIOs that are lit; None while LEDs blink."""

    def __init__(
        self,
        light: FirstLight,
        oled: Oled,
        *,
        steady: Callable[[], tuple[bytes, frozenset[int]] | None],
        clock: Clock,
    ) -> None:
        self._light = light
        self._oled = oled
        self._steady = steady
        self._clock = clock
        self._frame: tuple[bytes, frozenset[int]] | None = None
        self._number = 0
        self._is_outdated = False  # the stored frame is of the game before
        self._language = self._drawn_in = ""
        self._changed, self._begun = asyncio.Event(), asyncio.Event()

    def publish(self, snapshot: Snapshot) -> None:
        """Note the present LED frame for the next start.

        The frame is left out if an LED blinks, or in a review, the count judge, a rest or a switched-off board."""
        number = 0 if snapshot.view is None else snapshot.view.number
        if number < self._number:
            self._frame, self._is_outdated = None, True
            self._begun.set()
            self._changed.set()
        self._number = number
        frame = self._steady()
        is_of_now = snapshot.looking is None and snapshot.judging is None and not snapshot.resting
        if frame is None or not is_of_now or isinstance(snapshot.mode, SwitchedOff):
            return
        self._frame, self._is_outdated, self._language = frame, False, snapshot.language
        self._changed.set()

    async def run(self) -> None:
        """Until cancelled, store what the board shows at its next start."""
        try:
            while True:
                await self._changed.wait()
                self._changed.clear()
                await self._clock.run_in_thread(self._write)
                await wait_for(self._begun, KEPT_EVERY_S, self._clock)
                self._begun.clear()
                await self._draw_starting()
        finally:
            self._write()

    async def _draw_starting(self) -> None:
        """Draw "Starting" for the OLED if the language has changed."""
        if self._language == self._drawn_in:
            return
        self._drawn_in = self._language
        starting = await self._clock.run_in_thread(partial(_starting, self._oled, self._language))
        if starting != self._light.starting:
            self._light.starting = starting
            self._changed.set()

    def _write(self) -> None:
        with contextlib.suppress(OSError):  # a disk that is full or only read: the next start is dark for longer
            if self._frame is not None:
                self._light.keep(*self._frame)
            elif self._is_outdated:
                self._light.forget()


def _starting(oled: Oled, language: str) -> Sequence[bytes]:
    from cribd.display.screen import starting
    from cribd.text import load

    return messages_to_show(oled, starting(load(language)))
