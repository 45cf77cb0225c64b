"""Work that takes long, done away from the loop at the table's leisure.

One piece after the other, none sooner than the last has rested for as long as it took: whoever asks without end has
half of one core, and the table the rest. So many may wait, and a few of them from one address; who comes later is told
to come again. Never knows what the work is for.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from cribd.clock import Clock
from cribd.web.http.limits import ConnectionLimit, whose

if TYPE_CHECKING:
    from aiohttp import web

T = TypeVar("T")

#: So many may wait for their turn, so many of one address, and the last places are this machine's.
WAITING = 8
WAITING_EACH = 3
WAITING_KEPT = 2


class Worker:
    """The place of all who ask for such work."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._turn = asyncio.Lock()
        self._waiting = ConnectionLimit(WAITING, each=WAITING_EACH, kept=WAITING_KEPT)
        self._rested_at = clock.now()

    async def do(self, work: Callable[[], T], *, asked: web.BaseRequest) -> T:
        """Do what was asked for when its turn comes, and return what it returns or raise what it raises. Raises
        HTTPServiceUnavailable if too many wait."""
        from aiohttp import web

        who = whose(asked.remote or "")
        if not self._waiting.enter(who):
            raise web.HTTPServiceUnavailable(headers={"Retry-After": "2"})
        try:
            async with self._turn:
                return await self._rested(work)
        finally:
            self._waiting.leave(who)

    async def _rested(self, work: Callable[[], T]) -> T:
        if (rest := self._rested_at - self._clock.now()) > 0:
            await self._clock.sleep(rest)
        begun = self._clock.now()
        try:
            return await self._clock.run_in_thread(work)
        finally:
            ended = self._clock.now()
            self._rested_at = ended + (ended - begun)


def spelled(told: object) -> bytes:
    """A long message as JSON, piece by piece: `json.dumps` would keep the interpreter, and so the table, until it is
    done with all of it."""
    return "".join(json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).iterencode(told)).encode()
