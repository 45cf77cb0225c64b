"""The HTTP server of the pages.

`ConnectionGate` limits connections and requests, in all and for each client, so that the loop has time for the table. A
request line that is too long, a head that does not end, bytes that are no request: each costs little, once, and is not
logged. The gate aborts connections that take no bytes or send requests without waiting for answers. A connection has
small buffers, here and in the kernel. Knows no page.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.http_parser import RawRequestMessage
from aiohttp.streams import StreamReader
from aiohttp.typedefs import Handler

from cribd.clock import Clock
from cribd.web.http.limits import ConnectionLimit, RateLimiter, RateLimiterPerClient, client_key
from cribd.web.http.listen import address_of, listen
from cribd.web.http.security import HEADERS

#: How many connections: a browser opens six at most, and keeps one for the event stream.
CONNECTIONS = 256
CONNECTIONS_PER_CLIENT = 32
#: Connections reserved for this machine, so that its own screen always finds one.
CONNECTIONS_RESERVED = 16
#: How many connections and requests a second, in all and of one client. A page with its files is 12 to 24 requests.
ACCEPTS_PER_S, ACCEPTS_BURST = 200.0, 50
REQUESTS_PER_S, REQUESTS_BURST = 200.0, 50
CLIENT_REQUESTS_PER_S, CLIENT_REQUESTS_BURST = 25.0, 60
#: How long a connection may stay without a request, or with a head that does not end.
IDLE_S = 30.0
#: How often the gate looks for connections that take no bytes.
STALL_CHECK_S = 15.0
#: The longest request line and header field, and the most fields: a browser's are shorter.
LINE_BYTES = 2048
FIELD_BYTES = 8190
FIELDS = 64
#: The longest head of a request, all its lines together.
HEAD_BYTES = 16_384
#: How much of a body comes in, with the frames of its chunks: four times the longest that a route takes. Each route has
#: its own bound for what it reads (`json_body`), and unread bytes wait in the kernel.
BODY_BYTES = 1_048_576
#: How many requests may wait behind the one in hand; no browser sends a second one.
WAITING = 1
#: How much of a WebSocket counts as one request: two messages of a page, or ten empty frames.
SOCKET_BYTES = 64
#: How much of an answer may wait in the process before sending pauses.
UNSENT_BYTES = 16_384
#: How much of an unread body is kept; how long the rest of the body is read and dropped, so that the browser gets the
#: answer; and how long the rest of a head is read.
_UNREAD_BYTES = 4096
_BODY_LINGER_S = 1.0
_HEAD_LINGER_S = 0.1
#: How long the server waits for open connections when it stops.
_SHUTDOWN_S = 0.5
#: How soon the gate tries again when the machine has no more sockets.
_RETRY_S = 0.5


async def serve_app(
    app: web.Application, host: str, port: int, *, clock: Clock, announce: Callable[[str], None]
) -> None:
    """Serve the application until cancelled.

    Calls `announce` with the URL for this machine. Returns if no address can be listened on."""
    if listeners := await listen(host, port):
        announce(address_of(host, listeners))
        await serve_on(listeners, app, clock=clock)


async def serve_on(listeners: Sequence[socket.socket], app: web.Application, *, clock: Clock) -> None:
    """Serve on these listeners until cancelled, then close the listeners."""
    gate = ConnectionGate(clock)
    app.middlewares.insert(0, gate.middleware)
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=_SHUTDOWN_S)
    await runner.setup()
    assert runner.server is not None
    try:
        async with asyncio.TaskGroup() as group:
            for listener in listeners:
                group.create_task(gate.accept(listener, runner.server))
            group.create_task(gate.abort_stalled())
    finally:
        for listener in listeners:
            listener.close()
        await runner.cleanup()


class ConnectionGate:
    """Accepts connections and lets requests through, within the limits."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._limit = ConnectionLimit(CONNECTIONS, per_client=CONNECTIONS_PER_CLIENT, reserved=CONNECTIONS_RESERVED)
        self._accepts = RateLimiter(ACCEPTS_PER_S, burst=ACCEPTS_BURST)
        self._requests = RateLimiter(REQUESTS_PER_S, burst=REQUESTS_BURST)
        self._requests_per_client = RateLimiterPerClient(CLIENT_REQUESTS_PER_S, burst=CLIENT_REQUESTS_BURST)
        self._queue = asyncio.Lock()
        self._queues_per_client: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._connections: set[HttpConnection] = set()

    async def accept(self, listener: socket.socket, server: web.Server) -> None:
        """Accept connections within the limits, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await self._wait(self._accepts.reserve(self._clock.now()))
            try:
                client_socket, address = await loop.sock_accept(listener)
            except OSError:  # no more file descriptors, or the client has gone
                await self._clock.sleep(_RETRY_S)
                continue
            client = client_key(str(address[0]))
            if not self._limit.enter(client):
                client_socket.close()
                continue
            connection = HttpConnection(
                server, loop=loop, wait_turn=partial(self.wait_turn, client), on_closed=partial(self._leave, client)
            )
            self._connections.add(connection)
            try:
                await loop.connect_accepted_socket(partial(_same, connection), client_socket)
            except OSError:
                self._leave(client, connection)

    def _leave(self, client: str, connection: HttpConnection) -> None:
        if connection in self._connections:
            self._connections.remove(connection)
            self._limit.leave(client)

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Make every request wait for its turn."""
        assert isinstance(request.protocol, HttpConnection)
        await request.protocol.wait_turn()
        return await handler(request)

    async def wait_turn(self, client: str) -> None:
        """Wait for the client's rate limit, then for the common one.

        A request cancelled meanwhile is not counted."""
        queue = self._queues_per_client.setdefault(client, asyncio.Lock())
        async with queue:
            await self._wait(self._requests_per_client.delay(client, self._clock.now()))
            self._requests_per_client.reserve(client, self._clock.now())
        async with self._queue:
            await self._wait(self._requests.delay(self._clock.now()))
            self._requests.reserve(self._clock.now())

    async def _wait(self, seconds: float) -> None:
        if seconds > 0:
            await self._clock.sleep(seconds)

    async def abort_stalled(self) -> None:
        """Abort stalled connections at regular times, until cancelled."""
        while True:
            await self._clock.sleep(STALL_CHECK_S)
            for connection in tuple(self._connections):
                connection.abort_if_stalled()


class HttpConnection(web.RequestHandler):
    """A connection, with limits that a browser never reaches.

    `wait_turn` waits for the turn of a request; `on_closed` is called at the end. aiohttp passes a request on when its
    head is parsed and its turn has come, so these bounds need four of its private attributes, tried with 3.14.5:

    - `_request_count`: heads parsed so far. A new one begins the count of the bytes of a head or a body again.
    - `_messages`: requests that wait, the newest last, with its body: is the head too long, or a request too many?
    - `_current_request`: the request in hand. Where there is none, the first that waits is not too many.
    - `_message_tail`: bytes behind the head of an upgrade. No browser sends any before it has the answer.
    """

    __slots__ = (
        "_body",
        "_bytes",
        "_is_closing",
        "_is_socket",
        "_on_closed",
        "_tcp",
        "_turn_task",
        "_unread",
        "_unsent",
        "_wait_turn",
    )

    def __init__(
        self,
        server: web.Server,
        *,
        loop: asyncio.AbstractEventLoop,
        wait_turn: Callable[[], Awaitable[None]],
        on_closed: Callable[[HttpConnection], None],
    ) -> None:
        super().__init__(
            server,
            loop=loop,
            access_log=None,  # type: ignore[arg-type]
            keepalive_timeout=IDLE_S,
            max_line_size=LINE_BYTES,
            max_field_size=FIELD_BYTES,
            max_headers=FIELDS,
            lingering_time=_BODY_LINGER_S,
            read_bufsize=_UNREAD_BYTES,
            auto_decompress=False,
        )
        self._wait_turn = wait_turn
        self._on_closed = on_closed
        self._tcp: asyncio.Transport | None = None  # kept after aiohttp drops its own
        self._unsent = 0
        self._bytes = 0  # of the head or the body that comes now
        self._body: StreamReader | None = None  # of the newest head; None before the first
        self._is_closing = False
        self._is_socket = False
        self._unread = bytearray()
        self._turn_task: asyncio.Task[Any] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the connection. aiohttp calls this."""
        assert isinstance(transport, asyncio.Transport)
        self._tcp = transport
        transport.set_write_buffer_limits(UNSENT_BYTES)
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        """End the connection. aiohttp calls this."""
        if self._turn_task is not None:
            self._turn_task.cancel()
        super().connection_lost(exc)
        self._on_closed(self)

    def data_received(self, data: bytes) -> None:
        """Take new bytes. aiohttp calls this.

        Ends the connection if a head or body is too long, or requests are too many."""
        assert self._tcp is not None
        if self._is_socket:
            self._unread += data
            if self._turn_task is None and self._unread:
                self._tcp.pause_reading()
                self._turn_task = asyncio.get_running_loop().create_task(self._read_socket())
            return
        known, was_in_body = self._request_count, self._is_in_body
        super().data_received(data)
        head_bytes = 0
        if self._request_count > known:
            message, self._body = self._messages[-1]
            head_bytes = _head_bytes(message)
            self._bytes = len(data) if self._is_in_body else 0
        elif was_in_body and not self._is_in_body:
            self._bytes = 0
        else:
            self._bytes += len(data)
        if self._is_closing:
            return
        waiting = len(self._messages) - (self._current_request is None)
        is_too_long = head_bytes > HEAD_BYTES or self._bytes > (BODY_BYTES if self._is_in_body else HEAD_BYTES)
        if is_too_long and not was_in_body and self._current_request is None and waiting <= 0:
            self._tcp.write(_too_long())
            self.close()  # reads the rest away, so that the client gets the answer
            asyncio.get_running_loop().call_later(_HEAD_LINGER_S, self._tcp.abort)
        elif is_too_long or waiting > WAITING or self._message_tail:
            self._tcp.abort()

    def close(self) -> None:
        """Accept no more requests. aiohttp calls this.

        The current request is still answered."""
        self._is_closing = True
        super().close()

    @property
    def _is_in_body(self) -> bool:
        """Whether the next bytes belong to a body."""
        return self._body is not None and not self._body.is_eof()

    def set_parser(self, *given: Any, **named: Any) -> None:
        """Change the connection to a WebSocket. aiohttp calls this."""
        self._is_socket = True
        super().set_parser(*given, **named)

    async def _read_socket(self) -> None:
        """Pass on the bytes of a WebSocket in pieces.

        Each piece waits for its turn. Even an empty frame costs as much work as a press."""
        assert self._tcp is not None
        while self._unread:
            await self._wait_turn()
            piece, self._unread = bytes(self._unread[:SOCKET_BYTES]), self._unread[SOCKET_BYTES:]
            super().data_received(piece)
        self._turn_task = None
        self._tcp.resume_reading()

    async def wait_turn(self) -> None:
        """Wait for the turn of a request. Raises ConnectionResetError if the connection is closing or closed."""
        if self._is_closing or not self.connected:
            self.force_close()
            raise ConnectionResetError
        self._turn_task = asyncio.current_task()
        try:
            await self._wait_turn()
        finally:
            self._turn_task = None

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """Answer a malformed or failed request. aiohttp calls this.

        The answer of aiohttp repeats the Expect header, and fails if it is not UTF-8."""
        answer: web.StreamResponse
        if isinstance(exc, UnicodeEncodeError) and "Expect" in request.headers:
            answer = web.Response(status=417, text="A request expects 100-continue, or nothing.\n")
            answer.force_close()
        else:
            answer = super().handle_error(request, status, exc, message)
        answer.headers.update(HEADERS)
        return answer

    def log_exception(self, *said: Any, **named: Any) -> None:
        """Log errors of this program only.

        Malformed requests and lost connections would fill the log."""
        if not isinstance(named.get("exc_info"), HttpProcessingError | ConnectionError | web.RequestPayloadError):
            super().log_exception(*said, **named)

    def abort_if_stalled(self) -> None:
        """Abort the connection if its client takes no more bytes.

        This is so if the write buffer is not empty and has the same size as at the last call."""
        waiting = 0 if self._tcp is None else self._tcp.get_write_buffer_size()
        if self._tcp is not None and waiting and waiting == self._unsent:
            self._tcp.abort()
        self._unsent = waiting


def _same(connection: HttpConnection) -> HttpConnection:
    return connection


def _head_bytes(message: Any) -> int:
    """Count the bytes of a request head, or 0 if malformed."""
    if not isinstance(message, RawRequestMessage):
        return 0
    fields = sum(len(name) + len(value) + 4 for name, value in message.raw_headers)
    return len(message.method) + len(message.path) + fields


def _too_long() -> bytes:
    """Make the answer to a request head that is too long."""
    text = f"The head of a request may have {HEAD_BYTES:,} bytes.\n"
    fields = {**HEADERS, "Connection": "close", "Content-Type": "text/plain", "Content-Length": str(len(text))}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 431 Request Header Fields Too Large\r\n{lines}\r\n{text}".encode()
