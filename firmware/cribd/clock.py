"""The clock of the device, real or virtual (design law 7).

Only this module and `cribd.monotonic` read a clock or sleep. Everything that needs time is given a `Clock`. Tests and
robots give a `ManualClock` and advance it, so that three seconds of the board take no time.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import threading
import time
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol, TypeVar

from cribd.monotonic import monotonic

T = TypeVar("T")

#: How often Python may switch threads. At its default of 5 ms a scan of the buttons would wait for whatever runs.
SWITCH_S = 0.0005


class Wakeup(Protocol):
    """An event that wakes a waiting worker thread.

    A `set` before the wait is not lost, but two such calls wake the thread only once. Any thread may call `set`."""

    def set(self) -> None:
        """Wake the waiting thread, or end the next wait at once."""
        ...

    def wait(self, seconds: float) -> None:
        """Block the calling thread for `seconds`, or until `set`."""
        ...


class Clock(Protocol):
    """The clock of the device. All durations are in seconds."""

    def now(self) -> float:
        """Return monotonic seconds, of which only differences are meaningful."""
        ...

    def wall(self) -> datetime:
        """Return the machine's date and time in UTC.

        It may be wrong, so it does not order events."""
        ...

    def wait(self, seconds: float) -> None:
        """Block the calling thread for this time.

        It is for worker threads and slow wires: never call it on the loop."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Suspend the calling task for this time."""
        ...

    def call_later(self, seconds: float, work: Callable[[], bool]) -> None:
        """Call `work` on the loop after this time.

        `work` returns whether a task may have to react; it must not raise."""
        ...

    def wakeup(self) -> Wakeup:
        """Return a new `Wakeup` for a worker thread."""
        ...

    async def run_in_thread(self, work: Callable[[], T]) -> T:
        """Run blocking work in a thread, and return its result.

        A thread cannot be stopped: a caller that is cancelled meanwhile ends when the work has ended.
        """
        ...


async def wait_for(event: asyncio.Event, seconds: float, clock: Clock) -> bool:
    """Wait at most `seconds`, and return whether `event` is set."""
    await wait_for_first(event.wait(), clock.sleep(seconds))
    return event.is_set()


async def wait_for_first(*works: Coroutine[Any, Any, object]) -> None:
    """Wait until one coroutine is done, then cancel the others."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


class SystemClock:
    """The clock of the operating system."""

    def now(self) -> float:
        return monotonic()

    def wall(self) -> datetime:
        return datetime.now(UTC)

    def wait(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def call_later(self, seconds: float, work: Callable[[], bool]) -> None:
        asyncio.get_running_loop().call_later(seconds, work)

    def wakeup(self) -> Wakeup:
        return _LockWakeup()

    async def run_in_thread(self, work: Callable[[], T]) -> T:
        doing = asyncio.ensure_future(asyncio.to_thread(work))
        try:
            return await asyncio.shield(doing)
        except asyncio.CancelledError:
            while not doing.done():
                with contextlib.suppress(asyncio.CancelledError):  # cancelled once more
                    await asyncio.wait([doing])
            if not doing.cancelled():
                doing.exception()  # retrieved, or asyncio would log it
            raise


class _LockWakeup:
    """A `Wakeup` that waits for a lock.

    `set` releases the lock. This is the cheapest way for a thread to wait with a timeout."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lock.acquire()

    def set(self) -> None:
        with contextlib.suppress(RuntimeError):  # it is set already
            self._lock.release()

    def wait(self, seconds: float) -> None:
        self._lock.acquire(timeout=max(0.0, seconds))


class ManualClock:
    """A virtual clock that stands still until it is advanced.

    Sleepers wake in the order of their time, and all that a sleeper causes is done before the next one wakes, so every
    run is the same. `wait` advances the clock at once, without real time; sleepers that become due by that wake at the
    next `advance`.

    `run_in_thread` needs no thread: the work runs at once, and its caller then sleeps for as long as the work waited,
    so that other tasks run meanwhile as they would beside a thread.
    """

    def __init__(self, start: float = 1000.0, wall: datetime = datetime(2026, 1, 1, 12, tzinfo=UTC)) -> None:
        self._now = self._start = start
        self._wall = wall
        self._waited: float | None = None  # seconds that the work of `run_in_thread` has waited; None outside of it
        self._sleepers: list[tuple[float, int, Callable[[], bool]]] = []
        self._order = itertools.count()
        self._guard = threading.Lock()

    def now(self) -> float:
        return self._now + (self._waited or 0.0)

    def wall(self) -> datetime:
        return self._wall + timedelta(seconds=self.now() - self._start)

    def wait(self, seconds: float) -> None:
        with self._guard:
            if self._waited is None:
                self._now += max(0.0, seconds)
            else:
                self._waited += max(0.0, seconds)

    async def sleep(self, seconds: float) -> None:
        wakes = asyncio.get_running_loop().create_future()

        def wake() -> bool:
            if not wakes.done():
                wakes.set_result(None)
            return True

        self.call_later(seconds, wake)
        await wakes

    def call_later(self, seconds: float, work: Callable[[], bool]) -> None:
        heapq.heappush(self._sleepers, (self._now + max(0.0, seconds), next(self._order), work))

    def wakeup(self) -> Wakeup:
        return _ManualWakeup(self)

    async def run_in_thread(self, work: Callable[[], T]) -> T:
        self._waited = 0.0
        try:
            return work()
        finally:
            waited, self._waited = self._waited, None
            if waited:
                await self.sleep(waited)

    async def advance(self, seconds: float) -> None:
        """Advance by `seconds`, and wake every sleeper that becomes due."""
        until = self._now + seconds
        await self.run_ready_tasks()
        while self._sleepers and self._sleepers[0][0] <= until:
            due, _, wake = heapq.heappop(self._sleepers)
            with self._guard:
                self._now = max(self._now, due)
            if wake():
                await self.run_ready_tasks()
        with self._guard:
            self._now = max(self._now, until)

    @staticmethod
    async def run_ready_tasks(idle: Callable[[], bool] | None = None) -> None:
        """Run the ready tasks until no other task is ready.

        `idle()` must be true too. This ends after 200 rounds at the latest."""
        loop = asyncio.get_running_loop()
        ready = getattr(loop, "_ready", None)
        for _ in range(200):
            await asyncio.sleep(0)
            if ready is not None and not ready and (idle is None or idle()):
                return


class _ManualWakeup:
    """A `Wakeup` in virtual time."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self._set = False

    def set(self) -> None:
        self._set = True

    def wait(self, seconds: float) -> None:
        if not self._set:
            self._clock.wait(seconds)
        self._set = False
