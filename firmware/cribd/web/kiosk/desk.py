"""The routes of the organiser's desk, and what the hall sees of the competition.

The organiser's PIN, or the owner's, opens the desk in a browser. A request is an action, and is answered once it is
committed; its result comes with the streams, of the desk behind the PIN and of the hall for everybody (design law 10).
The engine of competitions is imported with the first request or competition: a board without one starts without it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from cribd.clock import Clock
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.text import Phrases
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.http.sse import EventStream
from cribd.web.kiosk.competition_answers import answer, query_number, read_json, within
from cribd.web.kiosk.pin_session import PinSession

if TYPE_CHECKING:
    from aiohttp import web

    from cribd.competition.organiser import BaseVersion, Organiser
    from cribd.competition.snapshot import CompetitionSnapshot, State

T = TypeVar("T")

#: The message of a board without a competition.
NOTHING = b'data: {"competition":null}\n\n'
#: A body of JSON is this long at most: a seating of all tables.
_LONGEST = 16_384


class BoardInHall(Protocol):
    """This board at a table of the hall."""

    @property
    def opening(self) -> LazyOrganiser:
        """What opens the organiser of the competitions, once."""
        ...

    @property
    def stands_at(self) -> int | None:
        """The table of the hall at which the board stands, from 1; None if it stands at none."""
        ...

    async def organiser(self) -> Organiser:
        """The owner of the competition."""
        ...

    async def stand_at(self, told: object) -> None:
        """Puts the board at the table of this request, or at none. Raises `NotAnAction`, `RefusedRequest`."""
        ...


class Desk:
    """The desk of the competition that the `board` stands in, behind the `session`. `spoken` gives the phrases of each
    language, `language` that of the table, `edition` the version of the pages' files."""

    def __init__(
        self,
        board: BoardInHall,
        session: PinSession,
        bodies: JsonBodyReader,
        *,
        clock: Clock,
        spoken: Callable[[], Mapping[str, Phrases]],
        language: Callable[[], str],
        edition: Callable[[], str],
    ) -> None:
        self._board = board
        self._session = session
        self._bodies = bodies
        self._clock = clock
        self._spoken = spoken
        self._language = language
        self._edition = edition
        self._turn = asyncio.Lock()
        self._owner: Organiser | None = None
        self._state: State = None
        self._hall, self._desk = NOTHING, NOTHING
        self._halls = EventStream(lambda: self._hall, clock)
        self._desks = EventStream(lambda: self._desk, clock)
        self._rendering: asyncio.Task[None] | None = None
        self._watchers: list[Callable[[], None]] = []
        session.watch(self._desks.show_out)

    @property
    def state(self) -> State:
        """The newest snapshot of the competition."""
        return self._state

    def watch(self, change: Callable[[], None]) -> None:
        """Call `change` whenever the competition has changed."""
        self._watchers.append(change)

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        self._session.mount(app)
        app.router.add_get("/event/events", self._hall_events, allow_head=False)
        app.router.add_get("/desk/events", self._desk_events, allow_head=False)
        app.router.add_get("/desk/state", self._get_state)
        app.router.add_get("/desk/log", self._get_log)
        app.router.add_get("/desk/formats", self._get_formats)
        app.router.add_get("/desk/record", self._get_record)
        app.router.add_get("/desk/competitions", self._get_competitions)
        app.router.add_get("/desk/board", self._get_board)
        app.router.add_post("/desk/board", self._stand_at)
        app.router.add_get("/desk/seeds", self._get_seeds, allow_head=False)
        app.router.add_post("/desk/begin", self._begin)
        app.router.add_post("/desk/switch", self._switch)
        app.router.add_post("/desk/do", self._do)
        app.router.add_get("/desk/draw", self._propose, allow_head=False)
        app.router.add_post("/desk/draw", self._draw)
        app.on_startup.append(self._wake)
        app.on_shutdown.append(self._close)

    # The organiser, and what is shown

    async def _wake(self, _app: web.Application) -> None:
        """Load the competition, if there is one."""
        if await self._board.opening.wake() is not None:
            await self.organiser()

    async def organiser(self) -> Organiser:
        """The owner of the competition, loaded once."""
        async with self._turn:
            if self._owner is None:
                await self._clock.run_in_thread(_import_messages)
                owner = await self._board.organiser()
                owner.watch(self._show)
                self._state = owner.state
                await self._render()
                self._owner = owner
        return self._owner

    def _show(self, state: State) -> None:
        """Take a new state; a thread makes its messages, and the newest wins."""
        self._state = state
        for change in self._watchers:
            change()
        if self._rendering is None or self._rendering.done():
            self._rendering = asyncio.create_task(self._render(), name="competition's messages")

    async def _render(self) -> None:
        shown: object = self
        while shown is not self._state:
            shown = self._state
            hall, desk = await self._clock.run_in_thread(partial(self._messages, self._state))
            if hall != self._hall:  # of a sealed competition not even the time of a result is told
                self._hall = hall
                self._halls.change()
            self._desk = desk
            self._desks.change()

    def _messages(self, state: State) -> tuple[bytes, bytes]:
        from cribd.web.kiosk import competition_json

        edition = self._edition()
        hall, desk = competition_json.hall(state), competition_json.desk(state, self._spoken())
        told = competition_json.message(hall, edition=edition, language=self._language())
        return told, competition_json.message(desk, edition=edition)

    async def _close(self, _app: web.Application) -> None:
        if self._rendering is not None:
            self._rendering.cancel()
            await asyncio.gather(self._rendering, return_exceptions=True)
        await self._halls.close()
        await self._desks.close()

    # What is asked

    async def _hall_events(self, request: web.Request) -> web.StreamResponse:
        return await self._halls.answer(request)

    async def _desk_events(self, request: web.Request) -> web.StreamResponse:
        await self.organiser_for(request)
        return await self._desks.answer(request, may_look=lambda: self._session.is_open(request))

    async def organiser_for(self, request: web.Request) -> Organiser:
        """The owner of the competition. Raises HTTPForbidden for a browser that gave no PIN."""
        self.must_be_open(request)
        return await self.organiser()

    def must_be_open(self, request: web.Request) -> None:
        """Raises HTTPForbidden for a browser that gave no PIN."""
        self._session.must_be_open(request)

    async def _get_state(self, request: web.Request) -> web.Response:
        from cribd.web.kiosk import competition_json

        owner = await self.organiser_for(request)
        return await self._json(partial(competition_json.desk, owner.state, self._spoken()))

    async def _get_log(self, request: web.Request) -> web.Response:
        """The log in words, from an event on."""
        from cribd.web.kiosk import competition_json

        held = await self.held(request)
        after = query_number(request, "after", usual=0)
        return await self._json(partial(competition_json.log, held, self._spoken(), after=after))

    async def _get_formats(self, request: web.Request) -> web.Response:
        from cribd.web.kiosk import competition_json

        await self.organiser_for(request)
        return await self._json(partial(competition_json.formats, self._spoken()))

    async def _get_record(self, request: web.Request) -> web.Response:
        """The record of the competition, a file."""
        from aiohttp import web

        from cribboard.competition.record import Record, write

        held = await self.held(request)
        text = await self._clock.run_in_thread(lambda: write(Record(held.heading, held.log)))
        disposition = f'attachment; filename="cribboard-competition-{held.number}.txt"'
        return web.Response(text=text, headers={"Content-Disposition": disposition, "Cache-Control": "no-store"})

    async def _get_competitions(self, request: web.Request) -> web.Response:
        """The competitions of the journal, and how each stands."""
        from aiohttp import web

        from cribd.storage.journal import JournalDamaged
        from cribd.web.kiosk import competition_json

        owner = await self.organiser_for(request)
        try:
            listed = await owner.listed()
        except JournalDamaged as wrong:
            raise web.HTTPServiceUnavailable(text=f"{wrong}\n") from wrong
        current = competition_json.number_of(owner.state)
        return await self._json(partial(competition_json.listed, listed, current=current))

    async def held(self, request: web.Request) -> CompetitionSnapshot:
        """The competition that is held. Raises HTTPForbidden, HTTPNotFound."""
        from aiohttp import web

        from cribd.competition.snapshot import CompetitionSnapshot

        state = (await self.organiser_for(request)).state
        if not isinstance(state, CompetitionSnapshot):
            raise web.HTTPNotFound(text="No competition has been begun.\n")
        return state

    async def _get_board(self, request: web.Request) -> web.Response:
        """The table of the hall at which this board stands."""
        await self.organiser_for(request)
        return await self._json(lambda: {"table": self._board.stands_at})

    async def _propose(self, request: web.Request) -> web.Response:
        """What a draw would seat, as an action that the organiser may change. Nothing is done."""
        from cribd.competition.action_json import write_action

        owner = await self.organiser_for(request)

        async def proposed() -> dict[str, Any]:
            return write_action(await owner.propose())

        return await self._answer(owner, proposed)

    async def _get_seeds(self, request: web.Request) -> web.Response:
        """The entrants in the order of their places in another competition. Nothing is done."""
        owner = await self.organiser_for(request)
        number = query_number(request, "from", usual=0)

        async def found() -> dict[str, Any]:
            entrants, placed = await owner.seeds_from(number)
            return {"entrants": entrants, "placed": placed}

        return await self._answer(owner, found)

    # What is done

    async def _stand_at(self, request: web.Request) -> web.Response:
        owner = await self.organiser_for(request)
        told = await self._body(request)

        async def stand() -> dict[str, Any]:
            await self._board.stand_at(told)
            return {"table": self._board.stands_at}

        return await self._answer(owner, stand)

    async def _begin(self, request: web.Request) -> web.Response:
        from cribd.web.kiosk import competition_json

        owner = await self.organiser_for(request)
        told = await self._body(request)
        today = self._clock.wall().astimezone().date().isoformat()

        async def begin() -> CompetitionSnapshot:
            return await owner.begin(competition_json.read_heading(told, today=today))

        return await self._answer(owner, begin)

    async def _switch(self, request: web.Request) -> web.Response:
        from cribd.web.kiosk import competition_json

        owner = await self.organiser_for(request)
        told = await self._body(request)

        async def switch() -> CompetitionSnapshot:
            return await owner.switch(competition_json.read_switch(told))

        return await self._answer(owner, switch)

    async def _do(self, request: web.Request) -> web.Response:
        from cribd.competition.action_json import read_action

        owner = await self.organiser_for(request)
        told = await self._body(request)

        async def do() -> CompetitionSnapshot:
            seen, ask, action = _split(told)
            return await owner.do(read_action(action), seen=seen, ask=ask)

        return await self._answer(owner, do)

    async def _draw(self, request: web.Request) -> web.Response:
        owner = await self.organiser_for(request)
        told = await self._body(request)

        async def draw() -> CompetitionSnapshot:
            from cribd.competition.action_json import NotAnAction, known_fields

            seen, ask, rest = _split(told)
            if rest:
                raise NotAnAction(*next(iter(rest.items())), known_fields(["seen", "ask"]))
            return await owner.draw(seen=seen, ask=ask)

        return await self._answer(owner, draw)

    async def _body(self, request: web.Request) -> object:
        body = self._bodies.read(request, most=_LONGEST)
        return await within(_LONGEST, body, state=self._state, spoken=self._spoken())

    async def _answer(
        self, owner: Organiser, work: Callable[[], Awaitable[CompetitionSnapshot | dict[str, Any]]]
    ) -> web.Response:
        """Do it, and say what came of it, or how many events there are now; or why not."""

        async def told() -> dict[str, Any]:
            done = await work()
            return done if isinstance(done, dict) else {"competition": done.number, "events": len(done.log)}

        return await answer(told, state=lambda: owner.state, spoken=self._spoken())

    async def _json(self, make: Callable[[], object]) -> web.Response:
        return await read_json(self._clock, make)


def _import_messages() -> None:
    import cribd.web.kiosk.competition_json  # noqa: F401 - it is as heavy as the organiser


def _split(told: object) -> tuple[BaseVersion | None, bool, dict[str, Any]]:
    """What the sender had seen, if it says so; whether it asks for consequences; and the rest of the request. Raises
    `NotAnAction`."""
    from cribd.competition.action_json import AllowedClause, NotAnAction, split_ask
    from cribd.competition.organiser import BaseVersion

    if not isinstance(told, dict):
        raise NotAnAction("request", told, AllowedClause("object"))
    match told.get("seen"):
        case None:
            seen = None
        case {"competition": int(number), "events": int(events), **rest} if not rest and events >= 0:
            seen = BaseVersion(number, events)
        case other:
            raise NotAnAction("seen", other, AllowedClause("object_with", {"names": ("competition", "events")}))
    ask, action = split_ask({key: value for key, value in told.items() if key != "seen"})
    return seen, ask, action
