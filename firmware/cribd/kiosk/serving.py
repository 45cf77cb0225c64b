"""Where the pages are served: an address of this machine, for as long as the daemon wants.

A port that is taken is no reason to serve nothing: another is taken, and said. Whoever comes stands in a porch first:
so many may be in the house at once, fewer of them from one address, and they are let in, and answered, one after the
other at a pace that leaves the loop to the table. A line that is too long, a head that does not end, bytes that are no
request: each costs a little once, and nothing is written of it. Whoever takes nothing of what waits for him is left.
Knows no page.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from cribd.clock import Clock
from cribd.kiosk.crowd import Crowd, Pace, Paces, whose
from cribd.kiosk.door import HEADERS

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
    """Serve the application until this is cancelled. `announce` is given its address. Returns if none can be had."""
    porch = Porch(clock)
    app.middlewares.insert(0, porch.queue)
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=_GOODBYE_S)
    await runner.setup()
    assert runner.server is not None
    doors: list[socket.socket] = []
    try:
        try:
            doors = await _listen(host, port)
        except OSError as taken:
            print(f"page.port = {port} on {host} cannot be had ({taken.strerror}); another is taken.", file=sys.stderr)
            try:
                doors = await _listen(host, 0)
            except OSError as refused:
                print(f"page.host = {host} cannot be had ({refused.strerror}): no page is served.", file=sys.stderr)
                return
        announce(f"http://{host}:{doors[0].getsockname()[1]}")
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
            door.setblocking(False)
            doors.append(door)
    except OSError:
        for door in doors:
            door.close()
        raise
    return doors


class Porch:
    """Where everybody waits for his turn."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._crowd = Crowd(ROOM, each=ROOM_EACH, kept=ROOM_KEPT)
        self._coming = Pace(COMING_PER_S, at_once=COMING_AT_ONCE)
        self._answers = Pace(ANSWERS_PER_S, at_once=ANSWERS_AT_ONCE)
        self._answers_each = Paces(ANSWERS_EACH_PER_S, at_once=ANSWERS_EACH_AT_ONCE)
        self._visitors: set[Visitor] = set()

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
            visitor = Visitor(server, loop=loop, gone=partial(self._leave, who))
            self._visitors.add(visitor)
            try:
                await loop.connect_accepted_socket(partial(_itself, visitor), guest)
            except OSError:
                self._leave(who, visitor)

    def _leave(self, who: str, visitor: Visitor) -> None:
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
            await self._wait(self._answers_each.turn(whose(request.remote or ""), self._clock.now()))
            await self._wait(self._answers.turn(self._clock.now()))
            return await handler(request)

        return wait

    async def _wait(self, seconds: float) -> None:
        if seconds > 0:
            await self._clock.sleep(seconds)

    async def watch(self) -> None:
        """Leave whoever has taken nothing since the last look of what waits for him."""
        while True:
            await self._clock.sleep(LOOK_S)
            for visitor in tuple(self._visitors):
                visitor.look()


class Visitor(web.RequestHandler):
    """A connection, with bounds that a browser never meets. `gone` is told at its end."""

    __slots__ = ("_gone", "_line", "_untaken")

    def __init__(self, server: web.Server, *, loop: asyncio.AbstractEventLoop, gone: Callable[[Visitor], None]) -> None:
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
        self._gone = gone
        self._line: asyncio.Transport | None = None
        self._untaken = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection begins."""
        assert isinstance(transport, asyncio.Transport)
        self._line = transport
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        """The connection has ended."""
        super().connection_lost(exc)
        self._gone(self)

    def handle_error(self, *given: Any, **named: Any) -> web.StreamResponse:
        """What is no request is answered with the headers of every answer."""
        answer = super().handle_error(*given, **named)
        answer.headers.update(HEADERS)
        return answer

    def log_exception(self, *said: Any, **named: Any) -> None:
        """Only what is our own fault is written: garbage from a network would fill a log."""
        if not isinstance(named.get("exc_info"), HttpProcessingError):
            super().log_exception(*said, **named)

    def look(self) -> None:
        """Leave him, if he has taken nothing since the last look of what waits for him."""
        waiting = 0 if self._line is None else self._line.get_write_buffer_size()
        if self._line is not None and waiting and waiting == self._untaken:
            self._line.abort()
        self._untaken = waiting


def _itself(visitor: Visitor) -> Visitor:
    return visitor
