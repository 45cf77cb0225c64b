"""What the records say of each player, for the pages: added up as games end, and kept as figures, not as games.

Each game is read once, in the order in which they were played, aside and at leisure. Who asks early is told how many
are still to be read, and asks again: nobody waits for a thousand games. Of a sealed game the archive tells nothing, so
it has no figures until the owner opens it. Never holds a record.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from cribd.clock import Clock
from cribd.storage.archive import ArchiveAway, Damaged, Ended, GameDamaged
from cribd.web.http.worker import Worker, spelled

if TYPE_CHECKING:
    from aiohttp import web

    from cribboard.figures import Statistics
    from cribboard.record import Record

#: So many games are read for one answer, so that a page has soon something to show.
AT_ONCE = 4


class PastGames(Protocol):
    """What is asked of the archive. Everything blocks."""

    def page(self, most: int, *, before: int | None = None) -> tuple[Ended | Damaged, ...]: ...
    def record(self, number: int) -> Record: ...
    def opened(self) -> int: ...


class Figures:
    """The figures of everybody who has played at this board."""

    def __init__(self, archive: PastGames, clock: Clock) -> None:
        self._archive = archive
        self._leisure = Worker(clock)
        self._next = 1
        self._opened = 0
        self._figures: Statistics | None = None

    def mount(self, app: web.Application) -> None:
        """Add the route."""
        app.router.add_get("/games/statistics", self._answer)

    async def _answer(self, request: web.Request) -> web.Response:
        from aiohttp import web

        try:
            told = await self._leisure.do(lambda: spelled(self._told()), asked=request)
        except ArchiveAway:
            raise web.HTTPServiceUnavailable from None
        return web.Response(body=told, content_type="application/json", charset="utf-8")

    def _told(self) -> dict[str, Any]:
        """The figures of the games that are read, and how many are `unread`."""
        from cribboard.statistics_json import as_values

        if (opened := self._archive.opened()) != self._opened:  # there are games that were sealed: begin again
            self._opened, self._next, self._figures = opened, 1, None
        newest = next(iter(self._archive.page(1)), None)
        last = 0 if newest is None else newest.id
        figures = self._read(min(last, self._next + AT_ONCE - 1))
        return as_values(figures) | {"unread": last + 1 - self._next}

    def _read(self, last: int) -> Statistics:
        """Read on to game `last`. One that is damaged has no figures."""
        from cribboard.figures import Statistics
        from cribboard.statistics import statistics_of

        figures = Statistics() if self._figures is None else self._figures
        while self._next <= last:
            with suppress(GameDamaged, KeyError):  # a number under which no game ended, or a sealed one
                figures += statistics_of(self._archive.record(self._next))
            self._next, self._figures = self._next + 1, figures
        return figures
