"""In trust a peg in hand is let go by itself after a while (7.1): a timer sends an action, as a finger does.

The timer belongs to the table, and no window of the game closes by time (design law 7): what it sends is refused if
anything has happened meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from cribboard.events import Doubt
from cribboard.position import PegState, Position
from cribboard.rules import Way
from cribd.clock import Clock


@dataclass(frozen=True, slots=True)
class TimeToRelease:
    """The timer of a trusted peg has run out; it counts only if nothing has happened since event `number`."""

    number: int


class PegTimer:
    """Watches the one peg that may be in hand. `after_ms` None: it is never let go by itself."""

    def __init__(self, clock: Clock, after_ms: int | None, send: Callable[[TimeToRelease], Awaitable[None]]) -> None:
        self._clock = clock
        self._after_ms = after_ms
        self._send = send
        self._running: asyncio.Task[None] | None = None

    def watch(self, p: Position | None) -> None:
        """Begin anew. It does not run while something is asked, for what it sent would be no answer to that."""
        self.stop()
        if p is None or p.way is not Way.TRUST or p.claim is None or p.question is not None or self._after_ms is None:
            return
        if p.claim.state is PegState.IN_HAND and p.claim.doubt is Doubt.NONE:
            run_out = self._run_out(TimeToRelease(p.number), self._after_ms / 1000)
            self._running = asyncio.create_task(run_out, name="release")

    def stop(self) -> None:
        if self._running is not None:
            self._running.cancel()
            self._running = None

    def over(self) -> None:
        """It has run out, and what it sent is taken."""
        self._running = None

    async def _run_out(self, due: TimeToRelease, seconds: float) -> None:
        await self._clock.sleep(seconds)
        await self._send(due)
