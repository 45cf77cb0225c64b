"""The routes of the club's boards, for desk and hall.

The routes for the desk are behind its PIN. They are there only where a club runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from aiohttp import web

from cribboard.competition.rounds import MOST_TABLES
from cribd.clock import Clock
from cribd.club import board_requests
from cribd.club.board_status import BoardControl, ClubSnapshot
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.competition.snapshot import State
from cribd.web.http.encode_json import encode_json
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.http.sse import ThreadedStream, json_message
from cribd.web.kiosk.desk.answers import answered
from cribd.web.kiosk.pages import live_path
from cribd.web.kiosk.shared import boards_json
from cribd.web.kiosk.shared.pin_session import PinSession

#: The shortest time between two messages.
_DESK_S, _HALL_S = 0.5, 0.1


class BoardRoutes:
    """Serves the club's boards to the desk, and games to everybody.

    The paths are `/desk/boards` and `/event/games`. A game on a screen of its own is at `/event/live/N/events`, by the
    number of its table. `edition` gives the version of the pages' files, `language` the hall's, `drawings` those of the
    boards that its page can draw."""

    def __init__(
        self,
        boards: BoardControl,
        competitions: LazyOrganiser,
        session: PinSession,
        *,
        clock: Clock,
        edition: Callable[[], str],
        language: Callable[[], str],
        drawings: Callable[[], Mapping[str, Mapping[str, Any]]],
    ) -> None:
        self._boards = boards
        self._competitions = competitions
        self._session = session
        self._clock = clock
        self._bodies = JsonBodyReader(clock)
        self._edition = edition
        self._language = language
        self._drawings = drawings
        self._desks = ThreadedStream(lambda: boards.snapshot, self._desk_message, clock, least_s=_DESK_S)
        self._halls = ThreadedStream(self._look, self._hall_message, clock, least_s=_HALL_S)
        self._tables: dict[int, ThreadedStream[tuple[ClubSnapshot, State]]] = {}

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get("/event/games", self._hall_events, allow_head=False)
        app.router.add_get(f"{live_path(MOST_TABLES)}/events", self._game_events, allow_head=False)
        app.router.add_get("/desk/boards", self._state)
        app.router.add_get("/desk/boards/events", self._desk_events, allow_head=False)
        for name in board_requests.REQUESTS:
            app.router.add_post(f"/desk/boards/{name}", partial(self._do, name=name))
        app.on_startup.append(self._watch)
        app.on_shutdown.append(self._close)

    async def _watch(self, _app: web.Application) -> None:
        self._session.watch(self._desks.end_unauthorised)
        self._competitions.watch(lambda _: self._show_games())
        self._boards.watch(self._show)

    def _show(self) -> None:
        self._desks.change()
        self._show_games()

    def _show_games(self) -> None:
        for stream in (self._halls, *self._tables.values()):
            stream.change()

    def _look(self) -> tuple[ClubSnapshot, State]:
        return self._boards.snapshot, self._competitions.state

    def _desk_message(self, club: ClubSnapshot) -> bytes:
        return json_message({"edition": self._edition()} | boards_json.desk(club))

    def _hall_message(self, shown: tuple[ClubSnapshot, State]) -> bytes:
        return json_message({"edition": self._edition()} | boards_json.hall(*shown))

    async def _hall_events(self, request: web.Request) -> web.StreamResponse:
        return await self._halls.answer(request)

    async def _game_events(self, request: web.Request) -> web.StreamResponse:
        table = int(request.match_info["number"])
        if table not in self._tables:
            make = partial(self._table_message, table)
            self._tables[table] = ThreadedStream(self._look, make, self._clock, least_s=_HALL_S)
        return await self._tables[table].answer(request)

    def _table_message(self, table: int, shown: tuple[ClubSnapshot, State]) -> bytes:
        drawn = boards_json.scoreboard(*shown, table, language=self._language(), drawings=self._drawings())
        return json_message({"edition": self._edition()} | drawn)

    async def _desk_events(self, request: web.Request) -> web.StreamResponse:
        self._session.must_be_open(request)
        return await self._desks.answer(request, may_look=lambda: self._session.is_open(request))

    async def _state(self, request: web.Request) -> web.Response:
        self._session.must_be_open(request)
        club = self._boards.snapshot
        body = await self._clock.run_in_thread(lambda: encode_json(boards_json.desk(club)))
        return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-store"})

    async def _do(self, request: web.Request, *, name: str) -> web.Response:
        self._session.must_be_open(request)
        payload = await self._bodies.read(request)

        async def work() -> dict[str, Any]:
            await board_requests.do(self._boards, name, payload)
            return {}

        status, body = await answered(work, lambda: self._competitions.state)
        return web.json_response(body, status=status, headers={"Cache-Control": "no-store"})

    async def _close(self, _app: web.Application) -> None:
        await self._desks.close()
        for stream in (self._halls, *self._tables.values()):
            await stream.close()
