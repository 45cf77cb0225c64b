"""The timers of the table.

They release a trusted peg (7.1), dim the board, and end the question whether to switch off (7.24). They belong to the
table: no window of the game closes by time (design law 7). When a peg's time runs out, the table releases it by an
action, unless anything has happened meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from cribboard.event_terms import Doubt
from cribboard.position import PegState, Position
from cribboard.rules import Way
from cribd.clock import Clock


@dataclass(frozen=True, slots=True)
class TimeToRelease:
    """The message that a peg's time in hand is over."""

    number: int
    """The number of the latest event when the timer began: it counts only if that is still the latest event."""


class PegTimer:
    """Sends `TimeToRelease` after a peg's time in hand.

    The time is `after_ms`. If that is None, it sends nothing."""

    def __init__(self, clock: Clock, after_ms: int | None, send: Callable[[TimeToRelease], Awaitable[None]]) -> None:
        self._clock = clock
        self._after_ms = after_ms
        self._send = send
        self._running: asyncio.Task[None] | None = None

    def watch(self, p: Position | None) -> None:
        """Restart the timer for a peg in hand, or stop it.

        It runs only in a game of trust, while nothing is asked."""
        self.stop()
        if p is None or p.way is not Way.TRUST or p.claim is None or p.question is not None or self._after_ms is None:
            return
        if p.claim.state is PegState.IN_HAND and p.claim.doubt is Doubt.NONE:
            run_out = self._run_out(TimeToRelease(p.number), self._after_ms / 1000)
            self._running = asyncio.create_task(run_out, name="release")

    def stop(self) -> None:
        """Stop the timer, without a message."""
        if self._running is not None:
            self._running.cancel()
            self._running = None

    async def _run_out(self, due: TimeToRelease, seconds: float) -> None:
        await self._clock.sleep(seconds)
        await self._send(due)


class Countdown:
    """Calls `run_out` on the loop, `seconds` after the latest `restart`."""

    def __init__(self, clock: Clock, seconds: float | None, run_out: Callable[[], None]) -> None:
        self._clock = clock
        self._seconds = seconds
        self._run_out = run_out
        self._due = 0.0
        self._running: asyncio.Task[None] | None = None

    def restart(self) -> None:
        if self._seconds is None:
            return
        self._due = self._clock.now() + self._seconds
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name="countdown")

    def stop(self) -> None:
        """Stop the countdown. `run_out` is not called."""
        if self._running is not None:
            self._running.cancel()
            self._running = None

    async def _run(self) -> None:
        while (left := self._due - self._clock.now()) > 0:
            await self._clock.sleep(left)
        self._running = None
        self._run_out()


class Rest:
    """Whether the board rests, after `after_s` seconds without use.

    `changed` is called on the loop when the rest begins and when it ends. If `after_s` is None, it never begins."""

    def __init__(self, clock: Clock, after_s: float | None, changed: Callable[[], None]) -> None:
        self.now = False
        self._changed = changed
        self._countdown = Countdown(clock, after_s, lambda: self._set(rests=True))

    def wake(self) -> None:
        """Wake the board, and restart the timer."""
        self._countdown.restart()
        self._set(rests=False)

    def stop(self) -> None:
        self._countdown.stop()

    def _set(self, *, rests: bool) -> None:
        if self.now != rests:
            self.now = rests
            self._changed()
