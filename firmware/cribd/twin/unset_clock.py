"""A clock whose date and time may be years behind."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from cribd.clock import Clock, Wakeup

T = TypeVar("T")


class UnsetClock:
    """The given clock, with its time of day late by `behind`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.behind = timedelta()

    def now(self) -> float:
        return self._clock.now()

    def wall(self) -> datetime:
        return self._clock.wall() - self.behind

    def wait(self, seconds: float) -> None:
        self._clock.wait(seconds)

    async def sleep(self, seconds: float) -> None:
        await self._clock.sleep(seconds)

    def call_later(self, seconds: float, work: Callable[[], bool]) -> None:
        self._clock.call_later(seconds, work)

    def wakeup(self) -> Wakeup:
        return self._clock.wakeup()

    async def run_in_thread(self, work: Callable[[], T]) -> T:
        return await self._clock.run_in_thread(work)
