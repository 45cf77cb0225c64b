"""The routes of what is printed or kept: sheets, exports and the season of competitions, and a copy of the journal, all
behind the organiser's PIN.

The engine and the sheets are imported with the first request. Everything is made in a thread.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from cribd.clock import Clock
from cribd.storage.journal import Journal
from cribd.text import Phrases
from cribd.web.kiosk.competition_answers import read
from cribd.web.kiosk.desk import Desk

if TYPE_CHECKING:
    from aiohttp import web

    from cribd.web.kiosk.event_files import Made

#: How much of the copy of the journal is read at a time.
_PIECE_BYTES = 65_536
#: How soon somebody may ask for a copy again while another is sent, in seconds.
_RETRY_S = "10"


class DeskFiles:
    """The files of the `desk`, from its competition and the `journal`. `spoken` gives the phrases of each language,
    `address` the address of each table's page for phones."""

    def __init__(
        self,
        desk: Desk,
        journal: Journal,
        *,
        clock: Clock,
        spoken: Callable[[], Mapping[str, Phrases]],
        address: Callable[[web.Request], Awaitable[Callable[[int], str] | None]],
    ) -> None:
        self._desk = desk
        self._journal = journal
        self._clock = clock
        self._spoken = spoken
        self._address = address
        self._copying = asyncio.Lock()

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get("/desk/print/{name}", self._print, allow_head=False)
        app.router.add_get("/desk/export/{name}", self._export, allow_head=False)
        app.router.add_get("/desk/season/{name}", self._season, allow_head=False)
        app.router.add_get("/desk/backup", self._backup, allow_head=False)

    async def _print(self, request: web.Request) -> web.Response:
        """A sheet, to print from the browser."""
        from cribd.web.kiosk import event_files

        held = await self._desk.held(request)
        name = request.match_info["name"]
        address = await self._address(request)
        make = partial(event_files.sheet, name, request.query, held, self._spoken(), address=address)
        return await self._answer(make, keep=False)

    async def _export(self, request: web.Request) -> web.Response:
        """A file to keep or to mail."""
        from cribd.web.kiosk import event_files

        held = await self._desk.held(request)
        name = request.match_info["name"]
        make = partial(event_files.kept, name, request.query, held, self._spoken(), self._journal)
        return await self._answer(make, keep=True)

    async def _season(self, request: web.Request) -> web.Response:
        """The ranking of a season, to print or to keep."""
        from cribd.web.kiosk import event_files

        await self._desk.organiser_for(request)
        name = request.match_info["name"]
        make = partial(event_files.season, name, request.query, self._spoken(), self._journal)
        return await self._answer(make, keep=name.endswith(".csv"))

    async def _backup(self, request: web.Request) -> web.StreamResponse:
        """A copy of the whole journal, for a USB stick. One at a time is made and sent, since each takes as much of the
        disk as the journal. Raises HTTPServiceUnavailable for a second one, or where none can be made."""
        from aiohttp import web

        from cribd.storage.archive import ArchiveAway
        from cribd.storage.backup import open_copy

        self._desk.must_be_open(request)
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
        """Send a copy of the journal, piece by piece; to a client that leaves, no more of it."""
        from aiohttp import web

        from cribd.storage.backup import file_name

        name = file_name(self._clock.wall().astimezone())
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        answer = web.StreamResponse(headers=headers)
        answer.content_type = "application/vnd.sqlite3"
        answer.content_length = os.fstat(copy.fileno()).st_size
        await answer.prepare(request)
        while piece := await self._clock.run_in_thread(partial(copy.read, _PIECE_BYTES)):
            await answer.write(piece)
        return answer

    async def _answer(self, make: Callable[[], Made], *, keep: bool) -> web.Response:
        """The file; 404 with the reason in words where there is none now."""
        from aiohttp import web

        from cribd.paper.html import POLICY
        from cribd.web.kiosk.event_files import NoFile

        try:
            made = await read(self._clock, make)
        except NoFile as none:
            return web.Response(status=404, text=none.reason)
        headers = {"Content-Type": made.content_type, "Cache-Control": "no-store", "Content-Security-Policy": POLICY}
        if keep:
            headers["Content-Disposition"] = f'attachment; filename="{made.name}"'
        return web.Response(body=made.body, headers=headers)
