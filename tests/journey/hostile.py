"""Somebody on a club's network who means no good: `python -m tests.journey.hostile KIND PORT`, until its input ends.

It comes from 127.0.0.2, which is another address than the board's own. It says `begun` once it is at it. A process of
its own, of the lowest priority: what it costs the attacker's machine is nothing that the board should feel.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress

FROM = "127.0.0.2"
MANY = 200


async def _line(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(FROM, 0), limit=1024)


def _get(port: int, path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()


async def half_open(port: int) -> None:
    """A connection that says half of a request, and no more."""
    _, writer = await _line(port)
    writer.write(b"GET / HTTP/1.1\r\nHost: ")
    await asyncio.sleep(3600)


async def hanging(port: int) -> None:
    """A viewer that reads nothing."""
    _, writer = await _line(port)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(_get(port, "/table/events"))
    await asyncio.sleep(3600)


async def flood(port: int) -> None:
    """Requests without end, none of whose answers is waited for."""
    reader, writer = await _line(port)
    asking = _get(port, "/verify/rules") * 50
    swallow = asyncio.create_task(_swallow(reader))
    while True:
        writer.write(asking)
        await writer.drain()
        if swallow.done():
            raise ConnectionError


async def _swallow(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(65_536):
            pass


async def bodies(port: int) -> None:
    """A body of a gigabyte."""
    _, writer = await _line(port)
    host = f"127.0.0.1:{port}"
    head = f"POST /table/pin HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: 1000000000\r\n\r\n".encode())
    while True:
        writer.write(b" " * 65_536)
        await writer.drain()


async def garbage(port: int) -> None:
    """Bytes that are no request."""
    reader, writer = await _line(port)
    writer.write(os.urandom(4000) + b"\r\n\r\n")
    await reader.read()
    raise ConnectionError


async def knocks(port: int) -> None:
    """Comes and goes."""
    _, writer = await _line(port)
    writer.close()
    raise ConnectionError


KINDS: dict[str, Callable[[int], Awaitable[None]]] = {
    each.__name__: each for each in (half_open, hanging, flood, bodies, garbage, knocks)
}


async def _again(kind: Callable[[int], Awaitable[None]], port: int) -> None:
    while True:
        with suppress(OSError):
            await kind(port)
        await asyncio.sleep(0.001)


async def main(kind: str, port: int) -> None:
    """Do it, two hundred times at once, until the input ends."""
    work = [asyncio.create_task(_again(KINDS[kind], port)) for _ in range(MANY)]
    await asyncio.sleep(0.5)
    print("begun", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for each in work:
        each.cancel()
    await asyncio.wait(work)


if __name__ == "__main__":
    os.nice(19)
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
