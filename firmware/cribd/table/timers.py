"""The timers of the table: for a peg in hand, for the board's rest, and for a question.

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
    """The message that the time of the peg in hand is over."""

    number: int
    """The number of the latest event when the timer began: it counts only if that is still the latest event."""


class PegTimer:
    """Sends `TimeToRelease` when a peg has been in hand for a set time. Only one peg is in hand at a time.

    The time is `after_ms`. If that is None, it sends nothing."""

    def __init__(self, clock: Clock, after_ms: int | None, send: Callable[[TimeToRelease], Awaitable[None]]) -> None:
        self._clock = clock
        self._after_ms = after_ms
        self._send = send
        self._running: asyncio.Task[None] | None = None

    def watch(self, p: Position | None) -> None:
        """Start the timer anew if, in a game of trust, a peg is in hand and nothing is asked; else stop it."""
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
    """Calls `run_out` on the loop, `seconds` after the latest `restart`; never if `seconds` is None."""

    def __init__(self, clock: Clock, seconds: float | None, run_out: Callable[[], None]) -> None:
        self._clock = clock
        self._seconds = seconds
        self._run_out = run_out
        self._due = 0.0
        self._running: asyncio.Task[None] | None = None

    def restart(self) -> None:
        """Start to count down anew. It is cheap: a running task is used again."""
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
    """Tells whether the board rests: it does after `after_s` seconds without an input or a request.

    `changed` is called on the loop when it begins to rest and when it wakes. If `after_s` is None, it never rests."""

    def __init__(self, clock: Clock, after_s: float | None, changed: Callable[[], None]) -> None:
        self.now = False
        self._changed = changed
        self._countdown = Countdown(clock, after_s, lambda: self._set(rests=True))

    def wake(self) -> None:
        """Wake the board, and begin again to count the seconds without an input."""
        self._countdown.restart()
        self._set(rests=False)

    def stop(self) -> None:
        """Stop the timer, so that the board does not begin to rest."""
        self._countdown.stop()

    def _set(self, *, rests: bool) -> None:
        if self.now != rests:
            self.now = rests
            self._changed()
