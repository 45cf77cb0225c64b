"""Where the pages are served: an address of this machine, for as long as the daemon wants.

A port that is taken is no reason to serve nothing: another is taken, and said. Whoever comes stands in a porch first:
so many may be in the house at once, fewer of them from one address, and they are let in, and answered, one after the
other at a pace that leaves the loop to the table. A line that is too long, a head that does not end, bytes that are no
request: each costs a little once, and nothing is written of it. Whoever takes nothing of what waits for him is left,
and so is whoever asks on without waiting for answers. A connection holds little memory, here and in the kernel. Knows
no page.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from cribd.clock import Clock
from cribd.web.http.addresses import addresses
from cribd.web.http.limits import ConnectionLimit, RateLimiter, RateLimiterEach, whose
from cribd.web.http.security import HEADERS

#: Connections: a browser opens six at the most, and a stream of pictures keeps one.
ROOM = 256
ROOM_EACH = 32
#: The last places are kept for this machine: its own screen finds one, however many strangers there are.
ROOM_KEPT = 16
#: How many come in a second, and how many requests are answered: by whomever, and from one address. A page with all its
#: files is a dozen or two.
COMING_PER_S, COMING_AT_ONCE = 200.0, 50
ANSWERS_PER_S, ANSWERS_AT_ONCE = 200.0, 50
ANSWERS_EACH_PER_S, ANSWERS_EACH_AT_ONCE = 25.0, 60
#: How many the kernel keeps waiting before the porch.
BACKLOG = 64
#: How long a browser may keep a connection on which it asks for nothing, or a head that does not end.
IDLE_S = 30.0
#: How often it is looked whether everybody takes what waits for him.
LOOK_S = 15.0
#: A line of a request, a field of its head, and how many of these: a browser's are shorter.
LINE_BYTES = 2048
FIELD_BYTES = 8190
FIELDS = 64
#: All of one request, its head and its body.
REQUEST_BYTES = 16_384
#: How many requests may wait behind the one that is being answered; no browser sends a second one.
WAITING = 1
#: What is taken in of a WebSocket at one turn of the pace: two messages of a page, or ten empty frames.
SOCKET_BYTES = 64
#: What the kernel takes in for a connection, and what it keeps for it; it doubles both (socket(7), SO_RCVBUF).
RECEIVED_BYTES, SENT_BYTES = 16_384, 32_768
#: Beside an answer that is being sent so much of those before it may wait.
UNSENT_BYTES = 16_384
#: What of a body that nobody wants may wait, and how long the rest of it is taken in, so that the answer is heard.
_BODY_BYTES = 4096
_LINGER_S = 0.1
#: How long the board waits at its end for browsers that still listen.
_GOODBYE_S = 0.5
#: How soon another connection is tried when the machine has none to give.
_AGAIN_S = 0.5


async def serve_app(
    app: web.Application, host: str, port: int, *, clock: Clock, announce: Callable[[str], None]
) -> None:
    """Serve the application until this is cancelled. `announce` is given the address by which this
    machine reaches it. Returns if none can be had."""
    porch = ConnectionGate(clock)
    app.middlewares.insert(0, porch.queue)
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=_GOODBYE_S)
    await runner.setup()
    assert runner.server is not None
    doors: list[socket.socket] = []
    try:
        try:
            doors = await _listen(host, port)
        except OSError as closed:
            try:
                doors = await _listen(host, 0)
            except OSError as refused:
                print(f"page.host = {host} cannot be used ({refused.strerror}): no page is served.", file=sys.stderr)
                return
            why = "is in use" if closed.errno == errno.EADDRINUSE else f"cannot be used ({closed.strerror})"
            print(f"Port {port} {why}; using {doors[0].getsockname()[1]} instead.", file=sys.stderr)
        announce(f"http://{addresses(host)[0]}:{doors[0].getsockname()[1]}")
        async with asyncio.TaskGroup() as group:
            for door in doors:
                group.create_task(porch.welcome(door, runner.server))
            group.create_task(porch.watch())
    finally:
        for door in doors:
            door.close()
        await runner.cleanup()


async def _listen(host: str, port: int) -> list[socket.socket]:
    """A socket for each address that the host has, all with one port. Raises OSError."""
    loop = asyncio.get_running_loop()
    doors: list[socket.socket] = []
    try:
        for family, *_, address in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE):
            chosen = doors[0].getsockname()[1] if doors else port
            door = socket.create_server((str(address[0]), chosen), family=family, backlog=BACKLOG)
            door.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED_BYTES)
            door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_BYTES)
            door.setblocking(False)
            doors.append(door)
    except OSError:
        for door in doors:
            door.close()
        raise
    return doors


class ConnectionGate:
    """Where everybody waits for his turn."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._crowd = ConnectionLimit(ROOM, each=ROOM_EACH, kept=ROOM_KEPT)
        self._coming = RateLimiter(COMING_PER_S, at_once=COMING_AT_ONCE)
        self._answers = RateLimiter(ANSWERS_PER_S, at_once=ANSWERS_AT_ONCE)
        self._answers_each = RateLimiterEach(ANSWERS_EACH_PER_S, at_once=ANSWERS_EACH_AT_ONCE)
        self._queue = asyncio.Lock()
        self._queues_each: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._visitors: set[Connection] = set()

    @property
    def visitors(self) -> int:
        """How many connections there are."""
        return len(self._visitors)

    async def welcome(self, door: socket.socket, server: web.Server) -> None:
        """Let in whoever comes through this door and finds room."""
        loop = asyncio.get_running_loop()
        while True:
            await self._wait(self._coming.turn(self._clock.now()))
            try:
                guest, address = await loop.sock_accept(door)
            except OSError:  # the machine has no more of them, or he is gone already
                await self._clock.sleep(_AGAIN_S)
                continue
            who = whose(str(address[0]))
            if not self._crowd.enter(who):
                guest.close()
                continue
            visitor = Connection(server, loop=loop, turn=partial(self.turn, who), gone=partial(self._leave, who))
            self._visitors.add(visitor)
            try:
                await loop.connect_accepted_socket(partial(_itself, visitor), guest)
            except OSError:
                self._leave(who, visitor)

    def _leave(self, who: str, visitor: Connection) -> None:
        if visitor in self._visitors:
            self._visitors.remove(visitor)
            self._crowd.leave(who)

    @property
    def queue(self) -> Any:
        """What makes every request of an application wait for its turn: that of its address, then everybody's."""

        @web.middleware
        async def wait(
            request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
        ) -> web.StreamResponse:
            assert isinstance(request.protocol, Connection)
            await request.protocol.wait()
            return await handler(request)

        return wait

    async def turn(self, who: str) -> None:
        """Wait for the turn of this address, then for everybody's. Whoever goes before it came has taken none."""
        queue = self._queues_each.setdefault(who, asyncio.Lock())
        async with queue:
            await self._wait(self._answers_each.due(who, self._clock.now()))
            self._answers_each.turn(who, self._clock.now())
        async with self._queue:
            await self._wait(self._answers.due(self._clock.now()))
            self._answers.turn(self._clock.now())

    async def _wait(self, seconds: float) -> None:
        if seconds > 0:
            await self._clock.sleep(seconds)

    async def watch(self) -> None:
        """Leave whoever has taken nothing since the last look of what waits for him."""
        while True:
            await self._clock.sleep(LOOK_S)
            for visitor in tuple(self._visitors):
                visitor.look()


class Connection(web.RequestHandler):
    """A connection, with bounds that a browser never meets. `turn` waits for its turn, `gone` is told at its end.

    aiohttp has no public name for these: `_messages` are requests that wait for the one in hand, `_current_request`;
    `_request_count` counts the heads, `_message_tail` is what came after that of an upgrade, and once it is `_close`
    nothing more is heard.
    """

    __slots__ = ("_gone", "_is_socket", "_line", "_said", "_turn", "_unheard", "_untaken", "_waiting")

    def __init__(
        self,
        server: web.Server,
        *,
        loop: asyncio.AbstractEventLoop,
        turn: Callable[[], Awaitable[None]],
        gone: Callable[[Connection], None],
    ) -> None:
        super().__init__(
            server,
            loop=loop,
            access_log=None,  # type: ignore[arg-type]
            keepalive_timeout=IDLE_S,
            max_line_size=LINE_BYTES,
            max_field_size=FIELD_BYTES,
            max_headers=FIELDS,
            lingering_time=_LINGER_S,
            read_bufsize=_BODY_BYTES,
            auto_decompress=False,
        )
        self._turn = turn
        self._gone = gone
        self._line: asyncio.Transport | None = None
        self._untaken = 0
        self._said = 0
        self._is_socket = False
        self._unheard = bytearray()
        self._waiting: asyncio.Task[Any] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection begins."""
        assert isinstance(transport, asyncio.Transport)
        self._line = transport
        transport.set_write_buffer_limits(UNSENT_BYTES)
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        """The connection has ended."""
        if self._waiting is not None:
            self._waiting.cancel()
        super().connection_lost(exc)
        self._gone(self)

    def data_received(self, data: bytes) -> None:
        """Bytes have come. Whoever says too much at once is left."""
        assert self._line is not None
        if self._is_socket:
            self._unheard += data
            if self._waiting is None and self._unheard:
                self._line.pause_reading()
                self._waiting = self._loop.create_task(self._hear())
            return
        known = self._request_count
        super().data_received(data)
        self._said = len(data) + (self._said if self._request_count == known else 0)
        if self._close:
            return
        waiting = len(self._messages) - (self._current_request is None)
        if self._said > REQUEST_BYTES and self._current_request is None and waiting <= 0:
            self._line.write(_TOO_LONG)
            self.close()  # what still comes is not kept, and so the answer is heard
            self._loop.call_later(_LINGER_S, self._line.abort)
        elif self._said > REQUEST_BYTES or waiting > WAITING or self._message_tail:
            self._line.abort()

    def set_parser(self, *given: Any, **named: Any) -> None:
        """From here on it is a WebSocket."""
        self._is_socket = True
        super().set_parser(*given, **named)

    async def _hear(self) -> None:
        """Take in what has come of a WebSocket, turn by turn: a frame without content costs as much as a press."""
        assert self._line is not None
        while self._unheard:
            await self._turn()
            piece, self._unheard = bytes(self._unheard[:SOCKET_BYTES]), self._unheard[SOCKET_BYTES:]
            super().data_received(piece)
        self._waiting = None
        self._line.resume_reading()

    async def wait(self) -> None:
        """Wait for the turn of a request. Whoever goes meanwhile leaves nothing behind that waits; of who has gone
        already, raises ConnectionError."""
        if self._close or not self.connected:
            self.force_close()
            raise ConnectionResetError
        self._waiting = asyncio.current_task()
        try:
            await self._turn()
        finally:
            self._waiting = None

    def handle_error(self, *given: Any, **named: Any) -> web.StreamResponse:
        """What is no request is answered with the headers of every answer."""
        answer = super().handle_error(*given, **named)
        answer.headers.update(HEADERS)
        return answer

    def log_exception(self, *said: Any, **named: Any) -> None:
        """Only what is our own fault is written: garbage from a network, or a visitor who is gone, would fill a log."""
        if not isinstance(named.get("exc_info"), HttpProcessingError | ConnectionError | web.RequestPayloadError):
            super().log_exception(*said, **named)

    def look(self) -> None:
        """Leave him, if he has taken nothing since the last look of what waits for him."""
        waiting = 0 if self._line is None else self._line.get_write_buffer_size()
        if self._line is not None and waiting and waiting == self._untaken:
            self._line.abort()
        self._untaken = waiting


def _itself(visitor: Connection) -> Connection:
    return visitor


def _refusal() -> bytes:
    """The answer to a request that is too long."""
    text = f"A request may have {REQUEST_BYTES:,} bytes.\n"
    fields = {**HEADERS, "Connection": "close", "Content-Type": "text/plain", "Content-Length": str(len(text))}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 431 Request Header Fields Too Large\r\n{lines}\r\n{text}".encode()


_TOO_LONG = _refusal()
