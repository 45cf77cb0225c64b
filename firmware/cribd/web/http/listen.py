"""Opens the listening sockets before the server has started.

Until then, the kernel lets browsers wait. A board on a Pi loads its pages when somebody first asks for one. This module
needs the standard library alone.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
from collections.abc import Sequence

from cribd.web.http.addresses import addresses

#: How many connections the kernel queues: as many as two hundred clients may ask for at once. Where the queue is full a
#: browser asks again after 1, 3, 7, 15 seconds; a longer queue would have each wait longer.
BACKLOG = 256
#: The kernel's buffers of a connection; it doubles both (socket(7), SO_RCVBUF).
RECEIVED_BYTES, SENT_BYTES = 16_384, 32_768


async def listen(host: str, port: int) -> list[socket.socket]:
    """Open a listening socket for each address of `host`.

    All use `port`, or one other port, which stderr names. Empty if no address can be listened on."""
    try:
        return await _listen(host, port)
    except OSError as error:
        closed = error
    try:
        listeners = await _listen(host, 0)
    except OSError as refused:
        print(f"page.host = {host} cannot be used ({refused.strerror}): no page is served.", file=sys.stderr)
        return []
    why = "is in use" if closed.errno == errno.EADDRINUSE else f"cannot be used ({closed.strerror})"
    print(f"Port {port} {why}; using {listeners[0].getsockname()[1]} instead.", file=sys.stderr)
    return listeners


def address_of(host: str, listeners: Sequence[socket.socket]) -> str:
    """Return the URL of these listeners for this machine's browsers."""
    return f"http://{addresses(host)[0]}:{listeners[0].getsockname()[1]}"


async def first_connection(listeners: Sequence[socket.socket]) -> None:
    """Wait for the first connection, without accepting it."""
    loop = asyncio.get_running_loop()
    connected = asyncio.Event()
    for listener in listeners:
        loop.add_reader(listener, connected.set)
    try:
        await connected.wait()
    finally:
        for listener in listeners:
            loop.remove_reader(listener)


async def _listen(host: str, port: int) -> list[socket.socket]:
    """Open the listening sockets on this port; 0 for any free port. Raises OSError."""
    loop = asyncio.get_running_loop()
    listeners: list[socket.socket] = []
    try:
        for family, *_, address in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE):
            chosen = listeners[0].getsockname()[1] if listeners else port
            listener = socket.create_server((str(address[0]), chosen), family=family, backlog=BACKLOG)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED_BYTES)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_BYTES)
            listener.setblocking(False)
            listeners.append(listener)
    except OSError:
        for listener in listeners:
            listener.close()
        raise
    return listeners
