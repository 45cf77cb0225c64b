"""The routes that register entrants from a CSV file, behind the organiser's PIN: a preview, and then all or none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from cribd.clock import Clock
from cribd.text import Phrases
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.kiosk.competition_answers import answer, query_number, read_json, within
from cribd.web.kiosk.desk import Desk

if TYPE_CHECKING:
    from aiohttp import web

    from cribd.competition.registration import Preview
    from cribd.competition.snapshot import CompetitionSnapshot


class DeskCsv:
    """Entrants from a file, at the `desk`. `spoken` gives the phrases of each language."""

    def __init__(
        self, desk: Desk, bodies: JsonBodyReader, *, clock: Clock, spoken: Callable[[], Mapping[str, Phrases]]
    ) -> None:
        self._desk = desk
        self._bodies = bodies
        self._clock = clock
        self._spoken = spoken

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_post("/desk/csv", self._preview)
        app.router.add_post("/desk/csv/confirm", self._take)

    async def _preview(self, request: web.Request) -> web.Response:
        """What a file would register. Nothing is taken."""
        from cribd.web.kiosk import competition_json

        found = await self._read(request, await self._desk.held(request))
        return await read_json(self._clock, partial(competition_json.preview_of, found, self._spoken()))

    async def _take(self, request: web.Request) -> web.Response:
        """Register the entrants of a file, all or none."""
        owner = await self._desk.organiser_for(request)
        found = await self._read(request, await self._desk.held(request))
        competition = await self._desk.held(request)
        number = query_number(request, "competition", usual=competition.number)

        async def take() -> dict[str, Any]:
            from cribd.competition.organiser import BaseVersion
            from cribd.competition.refusals import RefusedRequest

            if found.problems or not found.rows:
                raise RefusedRequest("csv_has_problems")
            done = await owner.do(*found.actions, seen=BaseVersion(number, len(competition.log)))
            return {"competition": done.number, "events": len(done.log)}

        return await answer(take, state=lambda: owner.state, spoken=self._spoken())

    async def _read(self, request: web.Request, competition: CompetitionSnapshot) -> Preview:
        from cribd.competition.registration import MOST_BYTES, preview

        body = self._bodies.read_bytes(request, "text/csv", most=MOST_BYTES)
        file = await within(MOST_BYTES, body, state=self._desk.state, spoken=self._spoken())
        entrants, size = competition.organiser.entrants, competition.heading.format.team_size
        return await self._clock.run_in_thread(lambda: preview(file, team_size=size, registered=entrants))
