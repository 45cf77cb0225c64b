"""The routes of past games.

Only games that ended: the running game is at `/table`, as a view (design law 9). The archive is read in a thread, one
job at a time. The steps of a few games are cached, compressed. Never holds a position.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from aiohttp import web

from cribboard import record
from cribd.clock import Clock
from cribd.storage.archive import Archive, ArchiveAway, ArchiveReader, DamagedGame, EndedGame, GameDamaged
from cribd.table.rule_sets import RuleSet, titled
from cribd.text import Phrases, in_every_language
from cribd.web.http.encode_json import encode_json
from cribd.web.http.worker import Worker
from cribd.web.kiosk.games.replay_json import replay

T = TypeVar("T")

#: How many games one page of the list has.
PAGE = 20
#: How many games' steps are cached, compressed: some kilobytes each.
CACHED = 4
#: How much is decompressed at once.
PIECE_BYTES = 16_384


class Games:
    """The routes of past games.

    `offered` are the rules whose titles are known. A browser that gave a PIN (`has_pin`) also gets the games of sealed
    events."""

    def __init__(
        self,
        archive: Archive,
        *,
        offered: Sequence[RuleSet],
        clock: Clock,
        has_pin: Callable[[web.Request], bool],
    ) -> None:
        self._archive = archive
        self._offered = offered
        self._has_pin = has_pin
        self._worker = Worker(clock)
        self._cache: dict[tuple[int, ArchiveReader], bytes] = {}

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get("/games/list", self._list)
        app.router.add_get(r"/games/{number:\d{1,9}}/steps", self._steps)
        app.router.add_get(r"/games/{number:\d{1,9}}/record", self._record)

    async def read(self, work: Callable[[], T], request: web.Request) -> T:
        """Run `work`, which reads the archive, in a thread.

        Raises HTTPNotFound for a game that is unknown or not over, HTTPServiceUnavailable if the archive cannot be read
        now."""
        try:
            return await self._worker.run(work, request)
        except KeyError:
            raise web.HTTPNotFound from None
        except ArchiveAway:
            raise web.HTTPServiceUnavailable from None

    def _reader(self, request: web.Request) -> ArchiveReader:
        return ArchiveReader.PIN if self._has_pin(request) else ArchiveReader.ANYBODY

    # The list

    async def _list(self, request: web.Request) -> web.Response:
        before = request.query.get("before")
        if before is not None and not (before.isascii() and before.isdecimal() and len(before) < 10):
            raise web.HTTPBadRequest(text="before is a whole number.\n")
        from_there = partial(self._listed, None if before is None else int(before), self._reader(request))
        return web.json_response(await self.read(from_there, request))

    def _listed(self, before: int | None, reader: ArchiveReader) -> dict[str, Any]:
        games = self._archive.page(PAGE + 1, before=before, reader=reader)
        return {
            "games": [self.entry(game) for game in games[:PAGE]],
            "older": games[PAGE - 1].id if len(games) > PAGE else None,
            "sealed": 0 if reader is ArchiveReader.PIN else len(self._archive.sealing()),
        }

    def entry(self, game: EndedGame | DamagedGame) -> dict[str, Any]:
        """Convert a game to an entry of the list.

        The entry of a damaged game has only its number and the damaged line."""
        if isinstance(game, DamagedGame):
            return {"id": game.id, "damaged": game.line}
        try:
            scores = self._archive.scores(game)
        except GameDamaged as damaged:
            return {"id": game.id, "damaged": damaged.line}
        rules = game.heading.rules
        return {
            "id": game.id,
            "begun": local_time(game.begun),
            "ended": local_time(game.ended),
            "names": game.heading.names or ("",) * len(rules.sides),
            "rules": rules.label,
            "way": game.heading.way,
            "scores": scores,
            "winner": None if game.result is None else game.result.winner,
            "skunk": game.skunk,
            "text": in_every_language(partial(self._text, game)),
        }

    def _text(self, game: EndedGame, phrases: Phrases) -> dict[str, str]:
        rules = game.heading.rules
        return {
            "rules": phrases.rules(titled(rules, self._offered)),
            "way": phrases.way(game.heading.way),
            "skunk": phrases.skunked(game.skunk, rules.label),
        }

    # One game

    async def _steps(self, request: web.Request) -> web.StreamResponse:
        """Send a game step by step as JSON.

        For a client without gzip the JSON is decompressed piece by piece, so that a slow client costs little memory."""
        number, reader = int(request.match_info["number"]), self._reader(request)
        try:
            compressed = await self.read(partial(self._compressed, number, reader), request)
        except GameDamaged as damaged:
            return web.json_response({"id": number, "damaged": damaged.line})
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            return web.Response(
                body=compressed, content_type="application/json", charset="utf-8", headers={"Content-Encoding": "gzip"}
            )
        answer = web.StreamResponse(headers={"Content-Type": "application/json; charset=utf-8"})
        await answer.prepare(request)
        decompressor = zlib.decompressobj(zlib.MAX_WBITS | 16)
        while piece := decompressor.decompress(compressed, PIECE_BYTES):
            await answer.write(piece)
            compressed = decompressor.unconsumed_tail
        return answer

    def _compressed(self, number: int, reader: ArchiveReader) -> bytes:
        """Return the steps of a game, compressed and cached.

        The seal is checked each time, because an opening of results can be undone."""
        if reader is ArchiveReader.ANYBODY and self._archive.is_sealed(number):
            raise KeyError(number)
        compressed = self._cache.pop((number, reader), None)
        if compressed is None:
            steps = replay(self._archive.record(number, reader=reader))
            payload = self.entry(self._archive.ended(number, reader=reader)) | steps
            compressed = gzip.compress(encode_json(payload), 6)
        self._cache = {
            **dict(list(self._cache.items())[1 - CACHED :]),
            (number, reader): compressed,
        }
        return compressed

    async def _record(self, request: web.Request) -> web.Response:
        """Send the same file as `cribboard record export`."""
        number, reader = int(request.match_info["number"]), self._reader(request)
        try:
            text = await self.read(lambda: record.write(self._archive.record(number, reader=reader)), request)
        except GameDamaged as damaged:
            raise web.HTTPInternalServerError(text=f"{damaged}.\n") from None
        headers = {"Content-Disposition": f'attachment; filename="cribboard-{number}.txt"'}
        return web.Response(text=text, content_type="text/plain", charset="utf-8", headers=headers)


def local_time(at: datetime) -> str:
    """Format a time as the board's local time (ISO 8601).

    A page shows the text unchanged."""
    return at.astimezone().isoformat(timespec="seconds")
