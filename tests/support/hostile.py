"""An attacker on the club's network: `python -m tests.support.hostile KIND PORT`, until its stdin ends.

It connects from 127.0.0.2, another address than the board's own, or from seven such addresses where it needs more. It
prints `begun` when the attack runs. From then on it has the lowest priority, because an attacker's own load is not the
board's.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import cycle

FROM = "127.0.0.2"
SEVEN = cycle(f"127.0.0.{number}" for number in range(2, 9))
MANY = 200
#: What a browser sends to change to a socket, and two frames from a browser, with an empty mask (RFC 6455, 5.2).
UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
    + 22 * "A"
    + "==\r\n"
)
PING, FRAGMENT = bytes([0x89, 0x80, 0, 0, 0, 0]), bytes([0x00, 0x80, 0, 0, 0, 0])


async def _line(port: int, address: str = FROM) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0), limit=1024)


def _get(port: int, path: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{more}\r\n".encode()


async def half_open(port: int) -> None:
    """A connection that sends half a request."""
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
    """Requests without end and without reading an answer."""
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
    """Connects and disconnects."""
    _, writer = await _line(port)
    writer.close()
    raise ConnectionError


async def heads(port: int) -> None:
    """Long heads one after the other, from seven addresses, without reading an answer."""
    _, writer = await _line(port, next(SEVEN))
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    asking = _get(port, "/verify", "".join(f"X-{number}: {8000 * 'x'}\r\n" for number in range(60)))
    while True:
        writer.write(asking)
        await writer.drain()


async def _socket(port: int, frames: bytes) -> None:
    """A WebSocket of the twin's page, and frames without end."""
    reader, writer = await _line(port, next(SEVEN))
    writer.write(_get(port, "/twin/wires", UPGRADE))
    if b" 101 " not in await reader.readuntil(b"\r\n\r\n"):
        raise ConnectionError
    swallow = asyncio.create_task(_swallow(reader))
    while not swallow.done():
        writer.write(frames)
        await writer.drain()
    raise ConnectionError


async def pings(port: int) -> None:
    """Empty pings without end."""
    await _socket(port, 1000 * PING)


async def fragments(port: int) -> None:
    """A message that never ends, in empty pieces."""
    await _socket(port, bytes([0x01, *FRAGMENT[1:]]) + 1000 * FRAGMENT)


async def upgrades(port: int) -> None:
    """Asks for a WebSocket, and disconnects before it is open."""
    _, writer = await _line(port)
    writer.write(_get(port, "/twin/wires", UPGRADE))
    await asyncio.sleep(0.001)
    writer.transport.abort()


KINDS: dict[str, Callable[[int], Awaitable[None]]] = {
    each.__name__: each
    for each in (half_open, hanging, flood, bodies, garbage, knocks, heads, pings, fragments, upgrades)
}


async def _again(kind: Callable[[int], Awaitable[None]], port: int) -> None:
    while True:
        with suppress(OSError, EOFError, asyncio.LimitOverrunError):
            await kind(port)
        await asyncio.sleep(0.001)


async def main(kind: str, port: int) -> None:
    """Attack two hundred times at once, until stdin ends."""
    work = [asyncio.create_task(_again(KINDS[kind], port)) for _ in range(MANY)]
    await asyncio.sleep(0.5)
    print("begun", flush=True)
    os.nice(19)  # not before: beside other tests, the lowest priority begins nothing
    await asyncio.to_thread(sys.stdin.read)
    for each in work:
        each.cancel()
    await asyncio.wait(work)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
