"""Time is handed in: the one place where the device reads a clock or sleeps.

Never reads a clock anywhere else (design law 7). Everything that needs time takes a `Clock`; tests and robots hand in
a `ManualClock` and move it by hand, so that a three-second release takes no second at all.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """What the device may know and ask of time. Seconds everywhere."""

    def now(self) -> float:
        """Monotonic seconds; only differences mean anything."""
        ...

    def wall(self) -> datetime:
        """The time of day, in UTC, for records alone: a Pi has no battery clock, so nothing is ordered by it."""
        ...

    def wait(self, seconds: float) -> None:
        """Block the calling thread: for worker threads and for wires that take their time, never on the loop."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Let the calling task rest while others run."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> datetime:
        return datetime.now(UTC)

    def wait(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock that stands still until it is moved: `await clock.advance(0.02)`.

    Sleepers wake in the order of their time, and whatever a sleeper sets off is finished before the next one wakes,
    so a run with one clock is the same every time. `wait` moves time on at once: a wire that needs a millisecond
    costs a millisecond of this clock and none of the tester's. What falls due in between wakes at the next advance.
    """

    def __init__(self, start: float = 1000.0, wall: datetime = datetime(2026, 1, 1, 12, tzinfo=UTC)) -> None:
        self._now = self._start = start
        self._wall = wall
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = itertools.count()
        self._guard = threading.Lock()

    def now(self) -> float:
        return self._now

    def wall(self) -> datetime:
        return self._wall + timedelta(seconds=self._now - self._start)

    def wait(self, seconds: float) -> None:
        with self._guard:
            self._now += max(0.0, seconds)

    async def sleep(self, seconds: float) -> None:
        wakes = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + max(0.0, seconds), next(self._order), wakes))
        await wakes

    async def advance(self, seconds: float) -> None:
        """Move time on by `seconds`, waking everybody whose time comes on the way."""
        until = self._now + seconds
        await self.settle()
        while self._sleepers and self._sleepers[0][0] <= until:
            due, _, wakes = heapq.heappop(self._sleepers)
            with self._guard:
                self._now = max(self._now, due)
            if not wakes.done():
                wakes.set_result(None)
                await self.settle()
        with self._guard:
            self._now = max(self._now, until)

    @staticmethod
    async def settle(idle: Callable[[], bool] | None = None) -> None:
        """Let every task that can run, run, until the loop has nothing ready but us."""
        loop = asyncio.get_running_loop()
        ready = getattr(loop, "_ready", None)
        for _ in range(200):
            await asyncio.sleep(0)
            if ready is not None and not ready and (idle is None or idle()):
                return
