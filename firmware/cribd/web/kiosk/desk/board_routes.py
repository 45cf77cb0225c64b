"""The routes of the club's boards: what the desk sees of them and does, behind its PIN, and the games for the hall.

They are there only where a club runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from aiohttp import web

from cribd.clock import Clock
from cribd.club import board_requests
from cribd.club.board_status import BoardControl, ClubSnapshot
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.competition.snapshot import State
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.http.sse import EventStream, json_message
from cribd.web.kiosk.desk.answers import answered
from cribd.web.kiosk.shared import boards_json
from cribd.web.kiosk.shared.pin_session import PinSession

#: The shortest time between two messages: 300 boards take a hub 30 ms for the desk and 10 ms for the hall.
_DESK_S, _HALL_S = 0.5, 0.1


class _Paced:
    """Calls `change` at once, and again not before this time; what comes meanwhile is one change, and is not lost."""

    def __init__(self, clock: Clock, seconds: float, change: Callable[[], None]) -> None:
        self._clock = clock
        self._seconds = seconds
        self._change = change
        self._waits = False
        self._task: asyncio.Task[None] | None = None

    def note(self) -> None:
        """Note that something has changed. Call it on the loop; it returns at once."""
        self._waits = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="paced messages")

    async def _run(self) -> None:
        while self._waits:
            self._waits = False
            self._change()
            await self._clock.sleep(self._seconds)

    def stop(self) -> None:
        """Change nothing more."""
        if self._task is not None:
            self._task.cancel()


class BoardRoutes:
    """The `boards` of the club, at `/desk/boards` for browsers that gave a PIN, and their games at `/event/games`.

    A game on a screen of its own is at `/event/live/N/events`, by the number of its table. `edition` gives the version
    of the pages' files, `language` the hall's."""

    def __init__(
        self,
        boards: BoardControl,
        competitions: LazyOrganiser,
        session: PinSession,
        *,
        clock: Clock,
        edition: Callable[[], str],
        language: Callable[[], str],
    ) -> None:
        self._boards = boards
        self._competitions = competitions
        self._session = session
        self._bodies = JsonBodyReader(clock)
        self._edition = edition
        self._language = language
        self._club = ClubSnapshot()
        self._shown: tuple[ClubSnapshot, State] | None = None
        self._games = b""
        self._desks = EventStream(lambda: self._message(boards_json.desk(self._club)), clock)
        self._halls = EventStream(self._newest_games, clock)
        self._paced = _Paced(clock, _DESK_S, self._desks.change), _Paced(clock, _HALL_S, self._halls.change)

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get("/event/games", self._hall_events, allow_head=False)
        app.router.add_get(r"/event/live/{number:\d{1,4}}/events", self._game_events, allow_head=False)
        app.router.add_get("/desk/boards", self._state)
        app.router.add_get("/desk/boards/events", self._desk_events, allow_head=False)
        for name in board_requests.REQUESTS:
            app.router.add_post(f"/desk/boards/{name}", partial(self._do, name=name))
        app.on_startup.append(self._watch)
        app.on_shutdown.append(self._close)

    async def _watch(self, _app: web.Application) -> None:
        self._session.watch(self._desks.end_unauthorised)
        self._competitions.watch(lambda _: self._paced[1].note())
        self._boards.watch(self._show)

    def _show(self, club: ClubSnapshot) -> None:
        self._club = club
        for paced in self._paced:
            paced.note()

    def _message(self, shown: dict[str, Any]) -> bytes:
        return json_message({"edition": self._edition()} | shown)

    def _newest_games(self) -> bytes:
        """The games for the hall. While they are equal, it is the same object, and nothing is sent (design law 10)."""
        club, state = self._club, self._competitions.state
        if self._shown is None or self._shown[0] is not club or self._shown[1] is not state:
            self._shown = club, state
            self._games = self._message(boards_json.hall(club, state))
        return self._games

    async def _hall_events(self, request: web.Request) -> web.StreamResponse:
        return await self._halls.answer(request, self._newest_games)

    async def _game_events(self, request: web.Request) -> web.StreamResponse:
        table = int(request.match_info["number"])

        def newest() -> bytes:
            state = self._competitions.state
            return self._message(boards_json.scoreboard(self._club, state, table, self._language()))

        return await self._halls.answer(request, newest)

    async def _desk_events(self, request: web.Request) -> web.StreamResponse:
        self._session.must_be_open(request)
        return await self._desks.answer(request, may_look=lambda: self._session.is_open(request))

    async def _state(self, request: web.Request) -> web.Response:
        self._session.must_be_open(request)
        return web.json_response(boards_json.desk(self._boards.snapshot), headers={"Cache-Control": "no-store"})

    async def _do(self, request: web.Request, *, name: str) -> web.Response:
        self._session.must_be_open(request)
        payload = await self._bodies.read(request)

        async def work() -> dict[str, Any]:
            await board_requests.do(self._boards, name, payload)
            return {}

        status, body = await answered(work, lambda: self._competitions.state)
        return web.json_response(body, status=status, headers={"Cache-Control": "no-store"})

    async def _close(self, _app: web.Application) -> None:
        for paced in self._paced:
            paced.stop()
        await self._desks.close()
        await self._halls.close()
