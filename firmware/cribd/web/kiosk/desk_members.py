"""The routes of the club's members, all behind the organiser's PIN: names are told to nobody else.

The engine is imported with the first request, and everything is done in a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from cribd.clock import Clock
from cribd.storage.journal import Journal
from cribd.text import Phrases
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.kiosk.competition_answers import answer, read
from cribd.web.kiosk.desk import Desk

if TYPE_CHECKING:
    from aiohttp import web

#: A body is this long at most: the names of all members.
_LONGEST = 262_144


class DeskMembers:
    """The members of the club in the `journal`, at the `desk`. `spoken` gives the phrases of each language."""

    def __init__(
        self,
        desk: Desk,
        journal: Journal,
        bodies: JsonBodyReader,
        *,
        clock: Clock,
        spoken: Callable[[], Mapping[str, Phrases]],
    ) -> None:
        self._desk = desk
        self._journal = journal
        self._bodies = bodies
        self._clock = clock
        self._spoken = spoken
        self._turn = asyncio.Lock()

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get("/desk/members", self._get, allow_head=False)
        app.router.add_post("/desk/members", self._change)
        app.router.add_post("/desk/members/here", self._arrive)

    async def _get(self, request: web.Request) -> web.Response:
        """The members, in the order of the alphabet."""
        from aiohttp import web

        from cribd.competition.members import read_members

        await self._desk.organiser_for(request)
        names = await read(self._clock, lambda: read_members(self._journal))
        return web.json_response({"members": names}, headers={"Cache-Control": "no-store"})

    async def _change(self, request: web.Request) -> web.Response:
        """Add, correct or remove members."""
        from cribd.competition.members import change_members, read_members

        owner = await self._desk.organiser_for(request)
        told = await self._bodies.read(request, most=_LONGEST)

        def change() -> dict[str, Any]:
            new = change_members(self._journal, told, owner.state)
            return {"new": new, "members": read_members(self._journal)}

        async def work() -> dict[str, Any]:
            async with self._turn:
                return await read(self._clock, change)

        return await answer(work, state=lambda: owner.state, spoken=self._spoken())

    async def _arrive(self, request: web.Request) -> web.Response:
        """Register and check in these members, or all of them: all or none."""
        from cribd.competition.action_json import split_ask
        from cribd.competition.members import registrations

        owner = await self._desk.organiser_for(request)
        told = await self._bodies.read(request, most=_LONGEST)

        async def work() -> dict[str, Any]:
            ask, names = split_ask(told)
            done = await owner.do_from(partial(registrations, self._journal, names), ask=ask)
            return {"competition": done.number, "events": len(done.log)}

        return await answer(work, state=lambda: owner.state, spoken=self._spoken())
