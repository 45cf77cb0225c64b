"""Reads the body of a request: short, and in time. Most are JSON.

A client that sends slowly holds nobody up: the time limit is more than any network needs for 2 kB.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from cribd.clock import Clock

if TYPE_CHECKING:
    from aiohttp import web

#: The longest body, and the longest time that it may take.
BODY_BYTES = 2048
BODY_S = 5.0


class JsonBodyReader:
    """Reads the bodies of requests. `clock` measures the time limit."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def read(self, request: web.Request, *, most: int = BODY_BYTES) -> object:
        """The value of the body. Raises HTTPException for a body that is no JSON, too long or too slow."""
        from aiohttp import web

        body = await self.read_bytes(request, "application/json", most=most)
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise web.HTTPBadRequest from None

    async def read_bytes(self, request: web.Request, content_type: str, *, most: int = BODY_BYTES) -> bytes:
        """A body of this type, of `most` bytes. Raises HTTPException for another, one too long or too slow."""
        from aiohttp import web

        if request.content_type != content_type:
            raise web.HTTPUnsupportedMediaType
        body = asyncio.create_task(_body_of(request, most))
        late = asyncio.create_task(self._clock.sleep(BODY_S))
        try:
            await asyncio.wait((body, late), return_when=asyncio.FIRST_COMPLETED)
            if not body.done():
                raise web.HTTPRequestTimeout
            return body.result()
        except web.RequestPayloadError:
            raise web.HTTPBadRequest from None
        finally:
            body.cancel()
            late.cancel()


async def _body_of(request: web.Request, most: int) -> bytes:
    """The bytes of the body. Raises HTTPRequestEntityTooLarge."""
    from aiohttp import web

    body = bytearray()
    async for piece in request.content.iter_any():
        body += piece
        if len(body) > most:
            raise web.HTTPRequestEntityTooLarge(max_size=most, actual_size=len(body))
    return bytes(body)
