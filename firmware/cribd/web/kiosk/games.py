"""Past games: their list, each step by step, and its record to take away.

Games that ended, and no other: one that is being played is seen at `/table`, with a view's eyes (design law 9). The
archive reads aside, one piece of work after the other; of a few games the steps are kept as they are sent, and nothing
else of any. Never holds a position.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from cribboard import record
from cribd.clock import Clock
from cribd.inputs import Input, ResultsOpened
from cribd.storage.archive import ArchiveAway, Damaged, Ended, GameDamaged
from cribd.table.rule_sets import RuleSet, titled
from cribd.text import Phrases
from cribd.web.http.json_body import Bodies
from cribd.web.http.worker import Worker, spelled
from cribd.web.kiosk.replay import best_hands, replay

if TYPE_CHECKING:
    from aiohttp import web

T = TypeVar("T")

#: So many games are on one page of the list.
PAGE = 20
#: So many results, and so many of the day's best hands, are shown where nobody plays.
RESULTS = 5
BEST = 5
#: Of so many games the steps are kept, packed: some kilobytes each.
KEPT = 4
#: So much of them is unpacked at once.
UNPACKED_BYTES = 16_384


class PastGames(Protocol):
    """What the pages ask of the archive. Everything blocks."""

    def page(self, most: int, *, before: int | None = None) -> tuple[Ended | Damaged, ...]: ...
    def ended(self, number: int) -> Ended: ...
    def record(self, number: int) -> record.Record: ...
    def scores(self, game: Ended) -> tuple[int, ...]: ...
    def opened(self) -> int: ...
    def sealed(self) -> int: ...


class Games:
    """The pages of the games that ended. `offered` are the rules whose titles are known; `spoken` gives the phrases of
    each language. Whoever `is_owner` opens sealed results: the table is to `hear` of it, and keeps that it was done."""

    def __init__(
        self,
        archive: PastGames,
        *,
        offered: Sequence[RuleSet],
        clock: Clock,
        spoken: Callable[[], Mapping[str, Phrases]],
        bodies: Bodies,
        is_owner: Callable[[web.Request], bool],
        hear: Callable[[Sequence[Input]], None],
    ) -> None:
        self._archive = archive
        self._offered = offered
        self._spoken = spoken
        self._bodies = bodies
        self._is_owner = is_owner
        self._hear = hear
        self._leisure = Worker(clock)
        self._clock = clock
        self._kept: dict[int, bytes] = {}
        self._best: dict[int, list[dict[str, Any]]] = {}

    def mount(self, app: web.Application) -> None:
        """Add the routes. The page itself is on the site's shelf."""
        app.router.add_get("/games/list", self._list)
        app.router.add_get("/games/today", self._today)
        app.router.add_post("/games/open", self._open)
        app.router.add_get(r"/games/{number:\d{1,9}}/steps", self._steps)
        app.router.add_get(r"/games/{number:\d{1,9}}/record", self._record)

    async def _aside(self, work: Callable[[], T], asked: web.Request) -> T:
        """Ask the archive. Raises HTTPNotFound for a game that did not end here, HTTPServiceUnavailable if nothing can
        be read now."""
        from aiohttp import web

        try:
            return await self._leisure.do(work, asked=asked)
        except KeyError:
            raise web.HTTPNotFound from None
        except ArchiveAway:
            raise web.HTTPServiceUnavailable from None

    # The list

    async def _list(self, request: web.Request) -> web.Response:
        from aiohttp import web

        before = request.query.get("before")
        if before is not None and not (before.isascii() and before.isdecimal() and len(before) < 10):
            raise web.HTTPBadRequest
        from_there = partial(self._listed, None if before is None else int(before))
        return web.json_response(await self._aside(from_there, request))

    def _listed(self, before: int | None) -> dict[str, Any]:
        games = self._archive.page(PAGE + 1, before=before)
        return {
            "games": [self._told(game) for game in games[:PAGE]],
            "older": games[PAGE - 1].id if len(games) > PAGE else None,
            "sealed": self._archive.sealed(),
        }

    def _told(self, game: Ended | Damaged) -> dict[str, Any]:
        """A line of the list; of a game that cannot be read, that it cannot."""
        if isinstance(game, Damaged):
            return {"id": game.id, "damaged": game.line}
        try:
            scores = self._archive.scores(game)
        except GameDamaged as damaged:
            return {"id": game.id, "damaged": damaged.line}
        rules = game.heading.rules
        return {
            "id": game.id,
            "begun": _local(game.begun),
            "ended": _local(game.ended),
            "names": game.heading.names or ("",) * len(rules.sides),
            "rules": rules.label,
            "way": game.heading.way,
            "scores": scores,
            "winner": None if game.result is None else game.result.winner,
            "skunk": game.skunk,
            "text": {language: self._text(game, phrases) for language, phrases in self._spoken().items()},
        }

    def _text(self, game: Ended, phrases: Phrases) -> dict[str, str]:
        rules = game.heading.rules
        return {
            "rules": phrases.rules(titled(rules, self._offered)),
            "way": phrases.way(game.heading.way),
            "skunk": phrases.skunked(game.skunk, rules.label),
        }

    # Sealed results

    async def _open(self, request: web.Request) -> web.Response:
        """The owner opens all that has ended; the list has it as soon as the journal does."""
        from aiohttp import web

        if not self._is_owner(request):
            raise web.HTTPForbidden
        if await self._bodies.read(request) != {}:
            raise web.HTTPBadRequest
        self._hear([ResultsOpened()])
        return web.Response(status=204)

    # Where nobody plays

    async def _today(self, request: web.Request) -> web.Response:
        from aiohttp import web

        return web.json_response(await self._aside(self._told_today, request))

    def _told_today(self) -> dict[str, Any]:
        """The last results, of whatever day, and the best hands of this one, which is the board's own."""
        today = self._clock.wall().astimezone().date()
        results: list[Ended] = []
        of_today: list[Ended] = []
        for game in self._newest():
            is_of_today = game.ended.astimezone().date() == today
            if is_of_today:
                of_today.append(game)
            if game.result is not None and len(results) < RESULTS:
                results.append(game)
            if not is_of_today and len(results) == RESULTS:
                break
        self._best = {game.id: self._best_of(game) for game in of_today}
        best = sorted((hand for hands in self._best.values() for hand in hands), key=lambda hand: -int(hand["points"]))
        return {"results": [self._told(game) | {"at": _local(game.ended)} for game in results], "best": best[:BEST]}

    def _newest(self) -> Iterator[Ended]:
        """The games that can be read, the newest first, as far as they are wanted."""
        before: int | None = None
        while games := self._archive.page(PAGE, before=before):
            yield from (game for game in games if isinstance(game, Ended))
            before = games[-1].id

    def _best_of(self, game: Ended) -> list[dict[str, Any]]:
        """The best hands of a game, which is read once for them."""
        if game.id in self._best:
            return self._best[game.id]
        try:
            hands = best_hands(self._archive.record(game.id), self._spoken(), BEST)
        except GameDamaged:
            return []
        return [{**hand, "id": game.id, "name": _name(game, hand["side"]), "points": hand["due"]} for hand in hands]

    # One game

    async def _steps(self, request: web.Request) -> web.StreamResponse:
        """The game step by step, packed; a browser unpacks it by itself. For others it is unpacked as they take it, so
        that little of it is held for whoever takes nothing."""
        from aiohttp import web

        number = int(request.match_info["number"])
        packed = self._kept.pop(number, None)
        if packed is None:
            try:
                packed = await self._aside(partial(self._packed, number), request)
            except GameDamaged as damaged:
                return web.json_response({"id": number, "damaged": damaged.line})
        self._kept = {**dict(list(self._kept.items())[1 - KEPT :]), number: packed}
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            return web.Response(
                body=packed, content_type="application/json", charset="utf-8", headers={"Content-Encoding": "gzip"}
            )
        answer = web.StreamResponse(headers={"Content-Type": "application/json; charset=utf-8"})
        await answer.prepare(request)
        unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)
        while piece := unpacking.decompress(packed, UNPACKED_BYTES):
            await answer.write(piece)
            packed = unpacking.unconsumed_tail
        return answer

    def _packed(self, number: int) -> bytes:
        played = self._archive.record(number)
        told = self._told(self._archive.ended(number)) | replay(played, self._spoken())
        return gzip.compress(spelled(told), 6)

    async def _record(self, request: web.Request) -> web.Response:
        """The record as a file, as `cribboard record export` writes it."""
        from aiohttp import web

        number = int(request.match_info["number"])
        try:
            text = await self._aside(lambda: record.write(self._archive.record(number)), request)
        except GameDamaged as damaged:
            raise web.HTTPInternalServerError(text=f"{damaged}.\n") from None
        headers = {"Content-Disposition": f'attachment; filename="cribboard-{number}.txt"'}
        return web.Response(text=text, content_type="text/plain", charset="utf-8", headers=headers)


def _local(at: datetime) -> str:
    """A moment by the board's own clock on the wall: a page shows it as it stands."""
    return at.astimezone().isoformat(timespec="seconds")


def _name(game: Ended, side: int) -> str:
    """Who played for a side, "" if the board was not told."""
    return game.heading.names[side] if game.heading.names else ""
