"""The routes of what is printed or kept of a competition: sheets, exports and the season, behind the organiser's PIN.

The engine and the sheets are imported with the first request. Everything is made in a thread.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from cribd.clock import Clock
from cribd.storage.journal import Journal
from cribd.text import Phrases
from cribd.web.kiosk.desk import Desk

if TYPE_CHECKING:
    from aiohttp import web

    from cribd.web.kiosk.event_files import Made


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

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get("/desk/print/{name}", self._print, allow_head=False)
        app.router.add_get("/desk/export/{name}", self._export, allow_head=False)
        app.router.add_get("/desk/season/{name}", self._season, allow_head=False)

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

    async def _answer(self, make: Callable[[], Made], *, keep: bool) -> web.Response:
        """The file; 404 with the reason in words where there is none now."""
        from aiohttp import web

        from cribd.paper.html import POLICY
        from cribd.web.kiosk.event_files import NoFile

        try:
            made = await self._clock.run_in_thread(make)
        except NoFile as none:
            return web.Response(status=404, text=none.reason)
        headers = {"Content-Type": made.content_type, "Cache-Control": "no-store", "Content-Security-Policy": POLICY}
        if keep:
            headers["Content-Disposition"] = f'attachment; filename="{made.name}"'
        return web.Response(body=made.body, headers=headers)
