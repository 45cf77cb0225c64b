"""The timer that releases the peg in hand when a game is played on trust (7.1).

It belongs to the table: no window of the game closes by time (design law 7). When it runs out, the table releases the
peg by an action, unless anything has happened meanwhile.
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
    """The message that the timer has run out."""

    number: int
    """The number of the latest event when the timer began: it counts only if that is still the latest event."""


class PegTimer:
    """Sends `TimeToRelease` after a set time with a peg in hand. There is at most one such peg.

    The time is `after_ms`. If that is None, it sends nothing."""

    def __init__(self, clock: Clock, after_ms: int | None, send: Callable[[TimeToRelease], Awaitable[None]]) -> None:
        self._clock = clock
        self._after_ms = after_ms
        self._send = send
        self._running: asyncio.Task[None] | None = None

    def watch(self, p: Position | None) -> None:
        """Restart the timer for this position. It does not run while a question is asked."""
        self.stop()
        if p is None or p.way is not Way.TRUST or p.claim is None or p.question is not None or self._after_ms is None:
            return
        if p.claim.state is PegState.IN_HAND and p.claim.doubt is Doubt.NONE:
            run_out = self._run_out(TimeToRelease(p.number), self._after_ms / 1000)
            self._running = asyncio.create_task(run_out, name="release")

    def stop(self) -> None:
        """Stop the timer; nothing is sent."""
        if self._running is not None:
            self._running.cancel()
            self._running = None

    async def _run_out(self, due: TimeToRelease, seconds: float) -> None:
        await self._clock.sleep(seconds)
        await self._send(due)
