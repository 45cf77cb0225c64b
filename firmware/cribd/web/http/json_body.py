"""Reads the JSON body of a request: short, and in time.

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

    async def read(self, request: web.Request) -> object:
        """The value of the body. Raises HTTPException for a body that is no JSON, too long or too slow."""
        from aiohttp import web

        if request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType
        body = asyncio.create_task(_body_of(request))
        late = asyncio.create_task(self._clock.sleep(BODY_S))
        try:
            await asyncio.wait((body, late), return_when=asyncio.FIRST_COMPLETED)
            if not body.done():
                raise web.HTTPRequestTimeout
            return json.loads(body.result())
        except (ValueError, RecursionError, web.RequestPayloadError):
            raise web.HTTPBadRequest from None
        finally:
            body.cancel()
            late.cancel()


async def _body_of(request: web.Request) -> bytes:
    """The bytes of the body. Raises HTTPRequestEntityTooLarge."""
    from aiohttp import web

    body = bytearray()
    async for piece in request.content.iter_any():
        body += piece
        if len(body) > BODY_BYTES:
            raise web.HTTPRequestEntityTooLarge(max_size=BODY_BYTES, actual_size=len(body))
    return bytes(body)
