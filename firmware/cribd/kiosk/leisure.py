"""Work that takes long, done away from the loop at the table's leisure.

One piece after the other, none sooner than the last has rested for as long as it took: whoever asks without end has
half of one core, and the table the rest. So many may wait; who comes later is told to come again. Never knows what the
work is for.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import TypeVar

from cribd.clock import Clock

T = TypeVar("T")

#: So many may wait for their turn.
WAITING = 8


class Leisure:
    """The place of all who ask for such work."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._rested_at = clock.now()

    async def do(self, work: Callable[[], T]) -> T:
        """Do it when its turn comes, and return what it returns or raise what it raises. Raises HTTPServiceUnavailable
        if too many wait."""
        from aiohttp import web

        if self._waiting >= WAITING:
            raise web.HTTPServiceUnavailable(headers={"Retry-After": "2"})
        self._waiting += 1
        try:
            async with self._turn:
                return await self._rested(work)
        finally:
            self._waiting -= 1

    async def _rested(self, work: Callable[[], T]) -> T:
        if (rest := self._rested_at - self._clock.now()) > 0:
            await self._clock.sleep(rest)
        begun = self._clock.now()
        try:
            return await self._clock.aside(work)
        finally:
            ended = self._clock.now()
            self._rested_at = ended + (ended - begun)


def spelled(told: object) -> bytes:
    """A long message as JSON, piece by piece: `json.dumps` would keep the interpreter, and so the table, until it is
    done with all of it."""
    return "".join(json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).iterencode(told)).encode()
