"""Server-sent events (WHATWG HTML, 9.2): every viewer gets the newest message.

A message is rendered once for all viewers, and sent to a few of them at a time, so that the table's loop runs in
between. A viewer that has not taken the last message yet is skipped, and gets the newest one later: no viewer waits for
another, and none has more than one message waiting. The server aborts a connection that stalls. A viewer whose message
cannot be made is left, with an entry in the log. Viewers send nothing, and this module knows nothing of a message.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

from aiohttp import HttpVersion11, web

from cribd.clock import Clock
from cribd.web.http.encode_json import encode_json
from cribd.web.http.limits import ConnectionLimit, client_key

T = TypeVar("T")

MESSAGE_S = 1 / 30  # the shortest time between two messages
HEAD_START_S = 0.005  # between a change and its message: the board's own lights and screen come first
ALIVE_S = 15.0  # the time between two heartbeats
VIEWERS = 128
VIEWERS_PER_CLIENT = 16  # behind one address: the phones of a family, not of a club
VIEWERS_RESERVED = 16  # for the screens of this machine
_RESTS = 3  # how many times as long as its work a thread rests that makes long messages
_AT_ONCE = 4  # how many viewers are served before other tasks run

#: The page listens for it: a network can end without closing the connection.
_HEARTBEAT = b"event: alive\ndata:\n\n"
#: How soon a browser connects again, in milliseconds.
_RETRY = b"retry: 1000\n\n"


@dataclass(slots=True, eq=False)
class Viewer:
    """A browser that reads the stream.

    `message` gives its newest message as a chunk; `may_look`: whether it may still see it; `transport` is None until
    the head of the answer is sent; `failure` is what `message` raised."""

    client: str
    message: Callable[[], bytes]
    may_look: Callable[[], bool]
    transport: asyncio.Transport | None = None
    sent: bytes | None = None
    failure: Exception | None = None
    closed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_closed(self) -> bool:
        """Whether the connection is closed, or about to be."""
        return self.transport is not None and self.transport.is_closing()

    @property
    def is_drained(self) -> bool:
        """Whether all bytes sent have left the buffer."""
        return self.transport is not None and self.transport.get_write_buffer_size() == 0


class EventStream:
    """A stream of server-sent events: sends every viewer the newest message.

    `render` gives the newest message; it is called only while there are viewers."""

    def __init__(self, render: Callable[[], bytes], clock: Clock) -> None:
        self._render = render
        self._clock = clock
        self._limit = ConnectionLimit(VIEWERS, per_client=VIEWERS_PER_CLIENT, reserved=VIEWERS_RESERVED)
        self._viewers: set[Viewer] = set()
        self._newest: bytes | None = None
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False

    @property
    def has_viewers(self) -> bool:
        """Whether a browser reads the stream."""
        return bool(self._viewers)

    def change(self) -> None:
        """Note that the message has changed. Call this on the event loop."""
        self._newest = None
        self._changed.set()

    async def answer(
        self,
        request: web.Request,
        render: Callable[[], bytes] | None = None,
        *,
        may_look: Callable[[], bool] = lambda: True,
    ) -> web.StreamResponse:
        """Send messages to a viewer while `may_look` returns True.

        `render` gives the messages of this viewer alone. Raises HTTPServiceUnavailable if there are too many viewers,
        and what `render` raises."""
        if request.version < HttpVersion11:
            raise web.HTTPVersionNotSupported  # an answer without an end needs chunks (RFC 9112, 7.1)
        self._drop_closed()
        client = client_key(request.remote or "")
        if self._closing or not self._limit.enter(client):
            raise web.HTTPServiceUnavailable(headers={"Retry-After": "5"})
        viewer = Viewer(client, self._message if render is None else _chunks(render), may_look)
        self._viewers.add(viewer)
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._send_changes()), asyncio.create_task(self._send_heartbeats())]
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        response.enable_chunked_encoding()
        try:
            await response.prepare(request)
            await response.write(_RETRY)
            viewer.transport = request.transport
            self._send_newest(viewer, viewer.message())
            await viewer.closed.wait()
            if viewer.failure is not None:
                raise viewer.failure
        except ConnectionError:
            pass
        finally:
            self._remove(viewer)
        return response

    async def _send_changes(self) -> None:
        """Send every viewer the newest message after each change."""
        while True:
            await self._changed.wait()
            await self._clock.sleep(HEAD_START_S)
            self._changed.clear()
            self.end_unauthorised()
            looking = [viewer for viewer in self._viewers if viewer.transport is not None]
            for number, viewer in enumerate(looking, 1):
                self._send_change(viewer)
                if number % _AT_ONCE == 0:
                    await asyncio.sleep(0)
            self._drop_closed()
            await self._clock.sleep(MESSAGE_S - HEAD_START_S)

    def _send_change(self, viewer: Viewer) -> None:
        """Send a viewer the newest message, unless the viewer has it.

        The viewer's request fails if the message cannot be made."""
        try:
            newest = viewer.message()
        except Exception as failure:
            viewer.failure = failure
            self._remove(viewer)
        else:
            if viewer.sent is not newest:
                self._send_newest(viewer, newest)

    def _send_newest(self, viewer: Viewer, newest: bytes) -> None:
        """Send a viewer the newest message now or later."""
        if _send(viewer, newest):
            viewer.sent = newest
        else:
            self._changed.set()

    def _message(self) -> bytes:
        if self._newest is None:
            self._newest = _chunk(self._render())
        return self._newest

    async def _send_heartbeats(self) -> None:
        """Send a heartbeat to every viewer at regular times."""
        alive = _chunk(_HEARTBEAT)
        while True:
            await self._clock.sleep(ALIVE_S)
            self.end_unauthorised()
            for viewer in self._viewers:
                _send(viewer, alive)
            self._drop_closed()

    def end_unauthorised(self) -> None:
        """Close the streams of viewers who may no longer look."""
        for viewer in tuple(self._viewers):
            if not viewer.may_look():
                self._remove(viewer)

    def _drop_closed(self) -> None:
        """Remove the viewers whose connection is closed."""
        for viewer in tuple(self._viewers):
            if viewer.is_closed:
                self._remove(viewer)

    def _remove(self, viewer: Viewer) -> None:
        """Remove a viewer from the stream, and end the answer."""
        if viewer in self._viewers:
            self._viewers.remove(viewer)
            self._limit.leave(viewer.client)
        viewer.closed.set()

    async def close(self) -> None:
        """End every answer, and abort the connections that have not drained."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        for viewer in self._viewers:
            if viewer.transport is not None and not viewer.is_drained:
                viewer.transport.abort()
            viewer.closed.set()


class ThreadedStream(Generic[T]):
    """A stream whose messages are made in a thread.

    `look` gives what is shown, on the loop, and `make` its message, in a thread. Then it rests three times as long as
    that took, and at least `least_s` after a message that is sent. What changes meanwhile is one message. An equal one
    is not sent (design law 10).
    """

    def __init__(
        self, look: Callable[[], T], make: Callable[[T], bytes], clock: Clock, *, least_s: float = 0.0
    ) -> None:
        self._look = look
        self._make = make
        self._clock = clock
        self._least_s = least_s
        self._message = b""
        self._is_old = True
        self._making = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._stream = EventStream(lambda: self._message, clock)
        self.end_unauthorised = self._stream.end_unauthorised

    def change(self) -> None:
        """Note that the content has changed. Call this on the event loop."""
        self._is_old = True
        if self._stream.has_viewers:
            self._wake()

    async def answer(self, request: web.Request, *, may_look: Callable[[], bool] = lambda: True) -> web.StreamResponse:
        """Send the newest message, then each new one.

        Ends when `may_look` returns False."""
        await self._make_newest()
        if self._is_old:  # again, while nobody looked
            self._wake()
        return await self._stream.answer(request, may_look=may_look)

    def _wake(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._send_changes(), name="messages of a stream")

    async def _make_newest(self) -> bool:
        """Make the newest message, and return whether the message differs.

        Only a message that differs is sent."""
        async with self._making:
            if not self._is_old:
                return False
            self._is_old = False
            message = await self._clock.run_in_thread(partial(self._make, self._look()))
            if message == self._message:
                return False
            self._message = message
            self._stream.change()
            return True

    async def _send_changes(self) -> None:
        while self._is_old and self._stream.has_viewers:
            begun = self._clock.now()
            least_s = self._least_s if await self._make_newest() else 0.0
            if (rest := max(least_s, _RESTS * (self._clock.now() - begun))) > 0:
                await self._clock.sleep(rest)

    async def close(self) -> None:
        """Stop making messages, and end every answer."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._stream.close()


def json_message(payload: object) -> bytes:
    """Write a stream message that carries this value as JSON."""
    return b"data: %b\n\n" % encode_json(payload)


def _send(viewer: Viewer, what: bytes) -> bool:
    """Send these bytes, or return False while earlier bytes wait."""
    if viewer.transport is None or not viewer.is_drained:
        return False
    viewer.transport.write(what)
    return True


def _chunks(render: Callable[[], bytes]) -> Callable[[], bytes]:
    """Return a function that gives the newest message as a chunk.

    While the message is equal, it gives the same object."""
    rendered, chunk = b"", b""

    def newest() -> bytes:
        nonlocal rendered, chunk
        if (message := render()) != rendered:
            rendered, chunk = message, _chunk(message)
        return chunk

    return newest


def _chunk(message: bytes) -> bytes:
    """Encode a message as one chunk (RFC 9112, 7.1)."""
    return b"%x\r\n%b\r\n" % (len(message), message)
