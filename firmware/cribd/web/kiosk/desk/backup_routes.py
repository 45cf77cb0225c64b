"""The route that sends a copy of the whole journal, behind the organiser's PIN."""

from __future__ import annotations

import asyncio
import os
from contextlib import ExitStack
from functools import partial
from typing import BinaryIO

from aiohttp import web

from cribd.clock import Clock
from cribd.storage.archive import ArchiveAway
from cribd.storage.backup import file_name, open_copy
from cribd.storage.journal import Journal
from cribd.web.kiosk.shared.pin_session import PinSession

#: How much of the copy of the journal is read at a time.
_PIECE_BYTES = 65_536
#: How soon somebody may ask for a copy again while another is sent, in seconds.
_RETRY_S = "10"


class DeskBackup:
    """Sends copies of the `journal` to browsers with a `session`."""

    def __init__(self, journal: Journal, session: PinSession, *, clock: Clock) -> None:
        self._journal = journal
        self._session = session
        self._clock = clock
        self._copying = asyncio.Lock()

    def mount(self, app: web.Application) -> None:
        """Add the route."""
        app.router.add_get("/desk/backup", self._backup, allow_head=False)

    async def _backup(self, request: web.Request) -> web.StreamResponse:
        """Send a copy of the whole journal, for a USB stick. Only one at a time is made and sent, since each takes as
        much of the disk as the journal. Raises HTTPServiceUnavailable for a second one, or if none can be made."""
        self._session.must_be_open(request)
        if self._copying.locked():
            raise web.HTTPServiceUnavailable(headers={"Retry-After": _RETRY_S})
        async with self._copying:
            files = ExitStack()  # the thread puts the file here: it is closed even if the request is cancelled
            try:
                copy = await self._clock.run_in_thread(lambda: files.enter_context(open_copy(self._journal.path)))
            except (OSError, ArchiveAway) as wrong:
                raise web.HTTPServiceUnavailable from wrong
            else:
                return await self._send(request, copy)
            finally:
                await self._clock.run_in_thread(files.close)  # the disk gives the room back, which takes its time

    async def _send(self, request: web.Request, copy: BinaryIO) -> web.StreamResponse:
        """Send a copy of the journal, piece by piece. Stops if the client disconnects."""
        name = file_name(self._clock.wall().astimezone())
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        answer = web.StreamResponse(headers=headers)
        answer.content_type = "application/vnd.sqlite3"
        answer.content_length = os.fstat(copy.fileno()).st_size
        await answer.prepare(request)
        while piece := await self._clock.run_in_thread(partial(copy.read, _PIECE_BYTES)):
            await answer.write(piece)
        return answer
