"""The figures of each player over all past games, at `/games/statistics`.

Each game is read once, in the order of play, in a thread. An answer reads a few games and says how many are still
unread, so that a page never waits for a thousand games and asks again. The archive gives no sealed game, so its figures
come when the owner opens it. Never holds a record.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from cribd.clock import Clock
from cribd.storage.archive import ArchiveAway, Damaged, Ended, GameDamaged
from cribd.web.http.worker import Worker, encode_json

if TYPE_CHECKING:
    from aiohttp import web

    from cribboard.figures import Statistics
    from cribboard.record import Record

#: How many games one answer reads.
AT_ONCE = 4


class PastGames(Protocol):
    """What the figures need of the archive. Every call blocks."""

    def page(self, most: int, *, before: int | None = None) -> tuple[Ended | Damaged, ...]: ...
    def record(self, number: int) -> Record: ...
    def opened(self) -> int: ...


class Figures:
    """The figures of all players of this board."""

    def __init__(self, archive: PastGames, clock: Clock) -> None:
        self._archive = archive
        self._worker = Worker(clock)
        self._next = 1
        self._opened = 0
        self._figures: Statistics | None = None

    def mount(self, app: web.Application) -> None:
        """Add the route."""
        app.router.add_get("/games/statistics", self._answer)

    async def _answer(self, request: web.Request) -> web.Response:
        from aiohttp import web

        try:
            told = await self._worker.run(lambda: encode_json(self._told()), request)
        except ArchiveAway:
            raise web.HTTPServiceUnavailable from None
        return web.Response(body=told, content_type="application/json", charset="utf-8")

    def _told(self) -> dict[str, Any]:
        """The figures of the games that are read, and how many games are `unread`."""
        from cribboard.statistics_json import as_values

        if (opened := self._archive.opened()) != self._opened:  # games were unsealed: begin again
            self._opened, self._next, self._figures = opened, 1, None
        newest = next(iter(self._archive.page(1)), None)
        last = 0 if newest is None else newest.id
        figures = self._read(min(last, self._next + AT_ONCE - 1))
        return as_values(figures) | {"unread": last + 1 - self._next}

    def _read(self, last: int) -> Statistics:
        """Read on up to game `last`. A damaged game has no figures."""
        from cribboard.figures import Statistics
        from cribboard.statistics import statistics_of

        figures = Statistics() if self._figures is None else self._figures
        while self._next <= last:
            with suppress(GameDamaged, KeyError):  # no game of this number ended, or it is sealed
                figures += statistics_of(self._archive.record(self._next))
            self._next, self._figures = self._next + 1, figures
        return figures
