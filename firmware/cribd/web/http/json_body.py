"""Reads bodies of requests, with limits on length and time.

A client that sends slowly holds nobody up: the time limit is more than any network needs, and longer where a body may
be longer. A body whose head says that it is too long is not read.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass

from aiohttp import web

from cribd.clock import Clock

#: The longest body, unless a route takes more.
BODY_BYTES = 2048
#: The longest time for a body, and the bytes that must arrive each second of a longer body.
BODY_S = 5.0
BODY_BYTES_PER_S = 8192


@dataclass(frozen=True, slots=True)
class JsonBodyReader:
    """Reads the bodies of requests. `clock` measures the time limit."""

    clock: Clock

    async def read(self, request: web.Request, *, most: int = BODY_BYTES) -> object:
        """Read a JSON body of at most `most` bytes.

        Raises HTTPException if it is not JSON, too long or too slow, or has NaN, an infinite number or half a surrogate
        pair: such values could not be sent or stored again."""
        body = await self.read_bytes(request, "application/json", most=most)
        try:
            value: object = json.loads(body)
            json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
            return value
        except (ValueError, RecursionError):
            raise web.HTTPBadRequest(text="The body is no JSON.\n") from None

    async def read_bytes(self, request: web.Request, content_type: str, *, most: int = BODY_BYTES) -> bytes:
        """Read a body of this content type.

        Raises HTTPException if the type is wrong, or the body is over `most` bytes or too slow."""
        if request.content_type != content_type:
            raise web.HTTPUnsupportedMediaType(text=f"The body must be {content_type}.\n")
        body = asyncio.create_task(_body_of(request, most))
        late = asyncio.create_task(self.clock.sleep(BODY_S + (most - BODY_BYTES) / BODY_BYTES_PER_S))
        try:
            await asyncio.wait((body, late), return_when=asyncio.FIRST_COMPLETED)
            if not body.done():
                raise web.HTTPRequestTimeout(text="The body did not come in time.\n")
            return body.result()
        except web.RequestPayloadError:
            raise web.HTTPBadRequest(text="The body cannot be read.\n") from None
        finally:
            body.cancel()
            late.cancel()


async def _body_of(request: web.Request, most: int) -> bytes:
    """Read the bytes of the body. Raises HTTPRequestEntityTooLarge if there are more than `most`."""
    body = bytearray()
    if (request.content_length or 0) > most:
        raise _too_long(most, request.content_length or 0)
    async for piece in request.content.iter_any():
        body += piece
        if len(body) > most:
            raise _too_long(most, len(body))
    return bytes(body)


def _too_long(most: int, size: int) -> web.HTTPRequestEntityTooLarge:
    return web.HTTPRequestEntityTooLarge(max_size=most, actual_size=size, text=f"The body may have {most:,} bytes.\n")
