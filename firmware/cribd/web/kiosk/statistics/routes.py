"""Answers `/games/statistics` with each player's statistics.

Each game is read once, in the order of play, in a thread. An answer reads a few games and says how many are still
unread, so that a page never waits for a thousand games and asks again. The games of a sealed event have no figures
until its results are open, except for a browser that gave a PIN. Never holds a record.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from aiohttp import web

from cribboard.figures import Statistics
from cribboard.statistics import statistics_of
from cribboard.statistics_json import as_values
from cribd.clock import Clock
from cribd.storage.archive import Archive, ArchiveAway, ArchiveReader, GameDamaged
from cribd.web.http.encode_json import encode_json
from cribd.web.http.worker import Worker

#: How many games one answer reads.
AT_ONCE = 4


class StatisticsAnswer:
    """The route for the statistics of the board's players.

    A browser that gave a PIN (`has_pin`) also gets sealed games."""

    def __init__(self, archive: Archive, clock: Clock, *, has_pin: Callable[[web.Request], bool]) -> None:
        self._worker = Worker(clock)
        self._has_pin = has_pin
        self._figures = {reader: _Figures(archive, reader) for reader in ArchiveReader}

    def mount(self, app: web.Application) -> None:
        """Add the route."""
        app.router.add_get("/games/statistics", self._answer)

    async def _answer(self, request: web.Request) -> web.Response:
        figures = self._figures[ArchiveReader.PIN if self._has_pin(request) else ArchiveReader.ANYBODY]
        try:
            body = await self._worker.run(lambda: encode_json(figures.payload()), request)
        except ArchiveAway:
            raise web.HTTPServiceUnavailable from None
        return web.Response(body=body, content_type="application/json", charset="utf-8")


class _Figures:
    """The statistics of the games that this `reader` may see."""

    def __init__(self, archive: Archive, reader: ArchiveReader) -> None:
        self._archive = archive
        self._reader = reader
        self._sealed: frozenset[int | str] = frozenset()
        self._next = 1
        self._figures = Statistics()

    def payload(self) -> dict[str, Any]:
        """Read a few more games, and return the statistics so far."""
        if (sealed := self._archive.sealing()) != self._sealed:  # one was opened, or another is sealed: begin again
            self._sealed, self._next, self._figures = sealed, 1, Statistics()
        newest = next(iter(self._archive.page(1, reader=self._reader)), None)
        last = 0 if newest is None else newest.id
        for number in range(self._next, min(last, self._next + AT_ONCE - 1) + 1):
            with suppress(GameDamaged, KeyError):  # it is damaged or sealed, or no game of this number ended
                self._figures += statistics_of(self._archive.record(number, reader=self._reader))
            self._next = number + 1
        return as_values(self._figures) | {"unread": last + 1 - self._next}
