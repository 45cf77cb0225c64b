"""Simulated viewers of an event stream, in a process of their own: `python -m bench.viewers ADDRESS NUMBER`.

They read all that is sent and ignore it, at the lowest priority: at a real club that work is done by the visitors'
phones. The process prints `ready` when each client has its first picture, and runs until its stdin ends.
"""

from __future__ import annotations

import asyncio
import os
import sys
from urllib.parse import urlsplit


class _Looker(asyncio.BufferedProtocol):
    """A viewer that receives the stream; each piece overwrites the last."""

    def __init__(self, head: bytes, first: asyncio.Semaphore) -> None:
        self._head = head
        self._first: asyncio.Semaphore | None = first
        self._piece = bytearray(65_536)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(self._head)

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._piece

    def buffer_updated(self, nbytes: int) -> None:
        if self._first is not None and b"data:" in self._piece[:nbytes]:
            self._first.release()
            self._first = None


async def main(address: str, number: int) -> None:
    """Receive the stream as this many viewers, until the input ends."""
    place = urlsplit(address)
    assert place.hostname is not None
    assert place.port is not None
    host, port = place.hostname, place.port
    head = f"GET {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode()
    first, loop = asyncio.Semaphore(0), asyncio.get_running_loop()
    lines = [await loop.create_connection(lambda: _Looker(head, first), host, port) for _ in range(number)]
    for _ in lines:
        await first.acquire()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    os.nice(19)
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
