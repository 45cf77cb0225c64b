"""What a page says to the board: a short body of JSON, read within seconds or not at all.

Never knows what a body means, and never waits for a visitor longer than it takes anybody's network to bring 2 kB.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from cribd.clock import Clock

if TYPE_CHECKING:
    from aiohttp import web

#: No body is longer, nor takes longer to come.
BODY_BYTES = 2048
BODY_S = 5.0


class Bodies:
    """Reads the bodies of requests, against this clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def read(self, request: web.Request) -> object:
        """What a page says, which must be JSON. Raises HTTPException for what is not, or is too long, or too slow."""
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
    """All of a body that is not too long."""
    from aiohttp import web

    body = bytearray()
    async for piece in request.content.iter_any():
        body += piece
        if len(body) > BODY_BYTES:
            raise web.HTTPRequestEntityTooLarge(max_size=BODY_BYTES, actual_size=len(body))
    return bytes(body)
