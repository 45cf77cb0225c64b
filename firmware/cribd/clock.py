"""Time is handed in: the one place where the device reads a clock or sleeps.

Never reads a clock anywhere else (design law 7). Everything that needs time takes a `Clock`; tests and robots hand in
a `ManualClock` and move it by hand, so that a three-second release takes no second at all.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar

T = TypeVar("T")


class Bell(Protocol):
    """What a worker thread listens for while it waits. A ring before the wait is not lost; two rings count as one."""

    def ring(self) -> None:
        """Wake whoever waits, from any thread; if nobody does, the next wait returns at once."""
        ...

    def wait(self, seconds: float) -> None:
        """Block the calling thread until the bell rings, `seconds` at the most."""
        ...


class Clock(Protocol):
    """What the device may know and ask of time. Seconds everywhere."""

    def now(self) -> float:
        """Monotonic seconds; only differences mean anything."""
        ...

    def wall(self) -> datetime:
        """The time of day, in UTC, for records and quiet hours: a Pi has no battery clock; nothing is ordered by it."""
        ...

    def wait(self, seconds: float) -> None:
        """Block the calling thread: for worker threads and for wires that take their time, never on the loop."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Let the calling task rest while others run."""
        ...

    def bell(self) -> Bell:
        """A new bell: for a worker thread that has a rhythm, and must still answer at once."""
        ...

    async def run_in_thread(self, work: Callable[[], T]) -> T:
        """Do work that blocks, away from the loop, and return what it returns or raise what it raises.

        A thread cannot be stopped: whoever is cancelled meanwhile is so when the work has ended, and the bus is free.
        """
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

    def bell(self) -> Bell:
        return _LockBell()

    async def run_in_thread(self, work: Callable[[], T]) -> T:
        doing = asyncio.ensure_future(asyncio.to_thread(work))
        try:
            return await asyncio.shield(doing)
        except asyncio.CancelledError:
            await asyncio.wait([doing])
            if not doing.cancelled():
                doing.exception()  # nobody is left to hear of it
            raise


class _LockBell:
    """A lock that only the ringer opens: the lightest thing that a thread can wait on with a limit."""

    def __init__(self) -> None:
        self._silence = threading.Lock()
        self._silence.acquire()

    def ring(self) -> None:
        with contextlib.suppress(RuntimeError):  # it has rung already, and nobody has heard it yet
            self._silence.release()

    def wait(self, seconds: float) -> None:
        self._silence.acquire(timeout=max(0.0, seconds))


class ManualClock:
    """A clock that stands still until it is moved: `await clock.advance(0.02)`.

    Sleepers wake in the order of their time, and whatever a sleeper sets off is finished before the next one wakes,
    so a run with one clock is the same every time. `wait` moves time on at once: a wire that needs a millisecond
    costs a millisecond of this clock and none of the tester's. What falls due in between wakes at the next advance.

    `run_in_thread` needs no thread here: the work is done where it stands, and its caller then sleeps for as long as it
    has waited, so that the others go on meanwhile, as they would beside a thread.
    """

    def __init__(self, start: float = 1000.0, wall: datetime = datetime(2026, 1, 1, 12, tzinfo=UTC)) -> None:
        self._now = self._start = start
        self._wall = wall
        self._aside: float | None = None  # how long the work that is being done aside has waited
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = itertools.count()
        self._guard = threading.Lock()

    def now(self) -> float:
        return self._now + (self._aside or 0.0)

    def wall(self) -> datetime:
        return self._wall + timedelta(seconds=self.now() - self._start)

    def wait(self, seconds: float) -> None:
        with self._guard:
            if self._aside is None:
                self._now += max(0.0, seconds)
            else:
                self._aside += max(0.0, seconds)

    async def sleep(self, seconds: float) -> None:
        wakes = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + max(0.0, seconds), next(self._order), wakes))
        await wakes

    def bell(self) -> Bell:
        return _ManualBell(self)

    async def run_in_thread(self, work: Callable[[], T]) -> T:
        self._aside = 0.0
        try:
            return work()
        finally:
            waited, self._aside = self._aside, None
            if waited:
                await self.sleep(waited)

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


class _ManualBell:
    """A bell in virtual time: whoever waits has waited at once."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self._rung = False

    def ring(self) -> None:
        self._rung = True

    def wait(self, seconds: float) -> None:
        if not self._rung:
            self._clock.wait(seconds)
        self._rung = False
