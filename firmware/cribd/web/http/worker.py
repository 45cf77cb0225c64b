"""Runs long work in a thread, one job at a time.

After each job the worker rests for as long as the job took, so that requests without end cost half a core at most. The
queue has a limit, also for one client; beyond it a client is asked to come again. Knows nothing of the work.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from aiohttp import web

from cribd.clock import Clock
from cribd.web.http.limits import ConnectionLimit, client_key

T = TypeVar("T")

#: How many jobs may wait, how many of one client, and how many places are reserved for this machine.
WAITING = 8
WAITING_PER_CLIENT = 3
WAITING_RESERVED = 2


class Worker:
    """Runs jobs in the order of their arrival."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = asyncio.Lock()
        self._waiting = ConnectionLimit(WAITING, per_client=WAITING_PER_CLIENT, reserved=WAITING_RESERVED)
        self._rests_until = clock.now()

    async def run(self, work: Callable[[], T], request: web.BaseRequest) -> T:
        """Run `work` in a thread, and return its result.

        Raises HTTPServiceUnavailable if too many jobs wait."""
        client = client_key(request.remote or "")
        if not self._waiting.enter(client):
            raise web.HTTPServiceUnavailable(headers={"Retry-After": "2"})
        try:
            async with self._lock:
                if (rest := self._rests_until - self._clock.now()) > 0:
                    await self._clock.sleep(rest)
                begun = self._clock.now()
                try:
                    return await self._clock.run_in_thread(work)
                finally:
                    ended = self._clock.now()
                    self._rests_until = ended + (ended - begun)
        finally:
            self._waiting.leave(client)
