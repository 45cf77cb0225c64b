"""Pictures of the table for everybody who looks, by server-sent events (WHATWG HTML, 9.2).

Each viewer is sent the newest picture, whole, when it comes and whenever it changes; a picture that was replaced before
a viewer could take it is never sent. A viewer that hangs holds up nobody but itself, keeps no more than one picture
waiting, and is left after a while. Never looks into a picture, and hears nothing from a viewer.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cribd.clock import Clock
from cribd.kiosk.crowd import HERE, whose

if TYPE_CHECKING:
    from aiohttp import web

PICTURE_S = 1 / 30  # no two pictures for one viewer are nearer
ALIVE_S = 15.0  # how often a viewer is told that the board is there; one that has taken nothing since is left
VIEWERS = 128
VIEWERS_EACH = 16  # from one address: a family of phones behind it, not a whole club

#: What says that the board is there; the page listens for it, since a network can end without a word.
_ALIVE = b"event: alive\ndata:\n\n"
#: How soon a browser comes back by itself.
_RETRY = b"retry: 1000\n\n"


@dataclass(slots=True, eq=False)
class Viewer:
    """Somebody who looks, and from where. `taken` counts what was sent; `stood` is that count at the last beat, while
    it was sent."""

    who: str
    transport: asyncio.Transport | None
    task: asyncio.Task[None] | None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    sending: bool = False
    taken: int = 0
    stood: int = -1


class Stream:
    """One stream of pictures. `look` gives the newest as a message; it is asked only while somebody looks."""

    def __init__(self, look: Callable[[], bytes], clock: Clock) -> None:
        self._look = look
        self._clock = clock
        self._viewers: set[Viewer] = set()
        self._newest: bytes | None = None
        self._beating: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def viewers(self) -> int:
        return len(self._viewers)

    def change(self) -> None:
        """There is another picture. On the loop; returns at once."""
        self._newest = None
        for viewer in self._viewers:
            viewer.changed.set()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Send pictures until the viewer goes, or the board does. Raises HTTPServiceUnavailable if too many look."""
        from aiohttp import web

        self._viewers = {viewer for viewer in self._viewers if not _is_gone(viewer)}
        who = whose(request.remote or "")
        beside = sum(viewer.who == who for viewer in self._viewers)
        if self._closing or len(self._viewers) >= VIEWERS or (who != HERE and beside >= VIEWERS_EACH):
            raise web.HTTPServiceUnavailable(headers={"Retry-After": "5"})
        viewer = Viewer(who, request.transport, asyncio.current_task())
        self._viewers.add(viewer)
        if self._beating is None:
            self._beating = asyncio.create_task(self._beat(), name="page viewers")
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        try:
            await response.prepare(request)
            await self._show(viewer, response)
        except ConnectionError:
            pass
        except asyncio.CancelledError:
            if not self._closing:
                raise
        finally:
            self._viewers.discard(viewer)
        return response

    async def _show(self, viewer: Viewer, response: web.StreamResponse) -> None:
        await self._send(viewer, response, _RETRY)
        sent = None
        while True:
            viewer.changed.clear()
            newest = self._message()
            await self._send(viewer, response, _ALIVE if newest is sent else newest)
            sent = newest
            await self._clock.sleep(PICTURE_S)
            await viewer.changed.wait()

    @staticmethod
    async def _send(viewer: Viewer, response: web.StreamResponse, what: bytes) -> None:
        viewer.sending = True
        await response.write(what)
        viewer.sending = False
        viewer.taken += 1

    def _message(self) -> bytes:
        if self._newest is None:
            self._newest = self._look()
        return self._newest

    async def _beat(self) -> None:
        """Tell everybody that the board is there, and leave whoever has taken nothing since the last time."""
        while True:
            await self._clock.sleep(ALIVE_S)
            for viewer in self._viewers:
                if viewer.sending and viewer.stood == viewer.taken:
                    _leave(viewer)
                viewer.stood = viewer.taken if viewer.sending else -1
                viewer.changed.set()

    async def close(self) -> None:
        """The board goes: let everybody go, and leave at once who takes nothing any more."""
        self._closing = True
        if self._beating is not None:
            self._beating.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._beating
        for viewer in self._viewers:
            if viewer.sending:
                _leave(viewer)
            if viewer.task is not None:
                viewer.task.cancel()


def _is_gone(viewer: Viewer) -> bool:
    return viewer.transport is None or viewer.transport.is_closing()


def _leave(viewer: Viewer) -> None:
    if viewer.transport is not None:
        viewer.transport.abort()
