"""Pictures of the table for everybody who looks, by server-sent events (WHATWG HTML, 9.2).

Each viewer is sent the newest picture, whole, when it comes and whenever it changes. A picture is put into words once
for all who look, and sent to a few of them at a time, so that the table has its turn in between. Whoever has not yet
taken the last one is passed over, and later sent the newest: no viewer waits for another, none keeps more than one
picture waiting, and the porch leaves one that hangs. Never looks into a picture, and hears nothing from a viewer.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cribd.clock import Clock
from cribd.web.http.limits import ConnectionLimit, whose

if TYPE_CHECKING:
    from aiohttp import web

PICTURE_S = 1 / 30  # no two pictures are nearer
ALIVE_S = 15.0  # how often a viewer is told that the board is there
VIEWERS = 128
VIEWERS_EACH = 16  # from one address: a family of phones behind it, not a whole club
VIEWERS_KEPT = 16  # for the screens of this machine
_AT_ONCE = 4  # so many are sent a picture, and then the loop has its turn

#: What says that the board is there; the page listens for it, since a network can end without a word.
_ALIVE = b"event: alive\ndata:\n\n"
#: How soon a browser comes back by itself.
_RETRY = b"retry: 1000\n\n"


@dataclass(slots=True, eq=False)
class Viewer:
    """Somebody who looks, and from where. There is no `line` before the head of the answer is on it."""

    who: str
    line: asyncio.Transport | None = None
    shown: bytes | None = None
    left: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_gone(self) -> bool:
        return self.line is not None and self.line.is_closing()

    @property
    def has_taken(self) -> bool:
        """Nothing that was sent still waits."""
        return self.line is not None and self.line.get_write_buffer_size() == 0


class Stream:
    """One stream of pictures. `look` gives the newest as a message; it is asked only while somebody looks."""

    def __init__(self, look: Callable[[], bytes], clock: Clock) -> None:
        self._look = look
        self._clock = clock
        self._crowd = ConnectionLimit(VIEWERS, each=VIEWERS_EACH, kept=VIEWERS_KEPT)
        self._viewers: set[Viewer] = set()
        self._newest: bytes | None = None
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False

    @property
    def viewers(self) -> int:
        return len(self._viewers)

    def change(self) -> None:
        """There is another picture. On the loop; returns at once."""
        self._newest = None
        self._changed.set()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Send pictures until the viewer goes, or the board does. Raises HTTPServiceUnavailable if too many look."""
        from aiohttp import HttpVersion11, web

        if request.version < HttpVersion11:
            raise web.HTTPVersionNotSupported  # what has no end comes in chunks (RFC 9112, 7.1)
        self._let_go()
        who = whose(request.remote or "")
        if self._closing or not self._crowd.enter(who):
            raise web.HTTPServiceUnavailable(headers={"Retry-After": "5"})
        viewer = Viewer(who)
        self._viewers.add(viewer)
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._tell()), asyncio.create_task(self._beat())]
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        response.enable_chunked_encoding()
        try:
            await response.prepare(request)
            await response.write(_RETRY)
            viewer.line = request.transport
            self._show(viewer, self._message())
            await viewer.left.wait()
        except ConnectionError:
            pass
        finally:
            self._forget(viewer)
        return response

    async def _tell(self) -> None:
        """Send the newest picture to everybody who has not seen it."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            newest = self._message()
            blind = [viewer for viewer in self._viewers if viewer.shown is not newest and viewer.line is not None]
            for number, viewer in enumerate(blind, 1):
                self._show(viewer, newest)
                if number % _AT_ONCE == 0:
                    await asyncio.sleep(0)
            self._let_go()
            await self._clock.sleep(PICTURE_S)

    def _show(self, viewer: Viewer, newest: bytes) -> None:
        """Send a viewer the newest picture; whoever cannot take it yet is looked after again."""
        if _send(viewer, newest):
            viewer.shown = newest
        else:
            self._changed.set()

    def _message(self) -> bytes:
        if self._newest is None:
            self._newest = _chunk(self._look())
        return self._newest

    async def _beat(self) -> None:
        """Tell everybody that the board is there."""
        alive = _chunk(_ALIVE)
        while True:
            await self._clock.sleep(ALIVE_S)
            for viewer in self._viewers:
                _send(viewer, alive)
            self._let_go()

    def _let_go(self) -> None:
        """Forget who has gone."""
        for viewer in tuple(self._viewers):
            if viewer.is_gone:
                self._forget(viewer)
                viewer.left.set()

    def _forget(self, viewer: Viewer) -> None:
        """There is room for another."""
        if viewer in self._viewers:
            self._viewers.remove(viewer)
            self._crowd.leave(viewer.who)

    async def close(self) -> None:
        """The board goes: let everybody go, and leave at once who takes nothing any more."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        for viewer in self._viewers:
            if viewer.line is not None and not viewer.has_taken:
                viewer.line.abort()
            viewer.left.set()


def _send(viewer: Viewer, what: bytes) -> bool:
    """Put this on the viewer's line, unless something waits there still."""
    if viewer.line is None or not viewer.has_taken:
        return False
    viewer.line.write(what)
    return True


def _chunk(message: bytes) -> bytes:
    """A message as one chunk of an answer that has no length."""
    return b"%x\r\n%b\r\n" % (len(message), message)
