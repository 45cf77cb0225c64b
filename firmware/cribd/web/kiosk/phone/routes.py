"""The routes of entrants' phones at the tables.

The key in the QR code of a table's card proves that a phone is there, the code of a captain that it is the captain's.
A key of its own, in a cookie for each competition, then binds it to its entrant until that is over. A phone acts for
its entrant and its running game alone, and gets nothing else (design law 10). No key and no code is written to any log.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from aiohttp import web

from cribboard.competition.actions import CompetitionAction
from cribboard.competition.view import EntrantView
from cribd.clock import Clock
from cribd.competition.action_json import AllowedClause, NotAnAction
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.competition.phone_requests import read_request
from cribd.competition.phones import Phone, Phones
from cribd.competition.refusals import RefusedRequest
from cribd.competition.snapshot import CompetitionSnapshot
from cribd.competition.visits import seated_at
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.http.limits import RateLimiter, RateLimiterPerClient, client_key
from cribd.web.http.sse import EventStream, json_message
from cribd.web.kiosk.desk.answers import answered
from cribd.web.kiosk.desk.routes import NOTHING
from cribd.web.kiosk.phone import phone_json
from cribd.web.kiosk.phone.phone_json import at_table
from cribd.web.kiosk.shared.phone_qr_code import origin_for_phones
from cribd.web.kiosk.shared.pin_session import PinSession

T = TypeVar("T")
F = TypeVar("F", int, str)

_FOLDER = "/event/table"
_COOKIE = "cribboard-phone"
#: How long a browser stores its key: a competition over some weekends.
_COOKIE_S = 60 * 24 * 3600
#: Wrong codes of captains that a client may try at once, and in a second; and all clients together.
_WRONG_CODES = 5
_WRONG_CODES_PER_S = 0.1
_WRONG_CODES_TOGETHER = 50
_WRONG_CODES_TOGETHER_PER_S = 0.5


class TablePhones:
    """The routes for entrants' phones in a competition.

    The organiser needs the `session` to read the phones' codes.

    `host` is where the board listens; `edition` is that of the desk."""

    def __init__(
        self, competitions: LazyOrganiser, session: PinSession, *, clock: Clock, edition: Callable[[], str], host: str
    ) -> None:
        self._competitions = competitions
        self._session = session
        self._bodies = JsonBodyReader(clock)
        self._clock = clock
        self._edition = edition
        self._host = host
        self._wrong_codes = RateLimiterPerClient(_WRONG_CODES_PER_S, burst=_WRONG_CODES)
        self._wrong_codes_together = RateLimiter(_WRONG_CODES_TOGETHER_PER_S, burst=_WRONG_CODES_TOGETHER)
        self._stream = EventStream(lambda: NOTHING, clock)
        competitions.watch(lambda _: self._stream.change())

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get(f"{_FOLDER}/events", self._events, allow_head=False)
        app.router.add_post(f"{_FOLDER}/card", partial(self._answer, self._card))
        app.router.add_post(f"{_FOLDER}/sit", partial(self._bind, self._sit))
        app.router.add_post(f"{_FOLDER}/captain", partial(self._bind, self._captain))
        app.router.add_post(f"{_FOLDER}/do", partial(self._answer, self._do))
        app.router.add_post(f"{_FOLDER}/leave", self._leave)
        app.router.add_get("/desk/phones", self._for_the_desk)
        app.on_shutdown.append(self._close)

    async def _close(self, _app: web.Application) -> None:
        await self._stream.close()

    # What a phone is shown

    async def _events(self, request: web.Request) -> web.StreamResponse:
        if self._competitions.state is not None:
            with suppress(RefusedRequest):
                await self._phones()
        return await self._stream.answer(request, lambda: self._message(request.cookies))

    def _message(self, cookies: Mapping[str, str]) -> bytes:
        """Return the event stream's message for a phone."""
        state = self._competitions.state
        if state is None:
            return NOTHING
        phone = self._find(cookies, state) if isinstance(state, CompetitionSnapshot) else None
        return json_message({"edition": self._edition()} | phone_json.phone_state(state, phone))

    def _find(self, cookies: Mapping[str, str], snapshot: CompetitionSnapshot) -> Phone | None:
        """Find the phone with these cookies in the current competition.

        None if it is unknown, or the phones are not loaded yet."""
        phones = self._competitions.phones_of(snapshot.number)
        return None if phones is None else phones.find(_key(cookies, snapshot.number), snapshot.organiser.entrants)

    async def _phones(self) -> tuple[CompetitionSnapshot, Phones]:
        """Return the current competition and its phones. Raises `RefusedRequest`."""
        if self._competitions.state is None:
            raise RefusedRequest("no_competition")
        return await (await self._competitions.organiser()).phones()

    # Who it speaks for

    async def _card(self, request: web.Request) -> dict[str, Any]:
        """Check a table's printed card, and return the table's entrants."""
        snapshot, _, table = await self._at_table(await self._bodies.read(request))
        return at_table(snapshot.hall, table)

    async def _sit(self, request: web.Request) -> tuple[Phones, Phone]:
        """Return the phones, and a `Phone` for the request's entrant.

        The request has the key on a table's printed card. Raises `RefusedRequest` if the entrant does not sit there."""
        payload = await self._bodies.read(request)
        snapshot, phones, table = await self._at_table(payload)
        entrant = _field(payload, "entrant", int)
        if entrant not in seated_at(snapshot.hall, table):
            raise RefusedRequest("not_seated_here", entrant=entrant, table=table)
        return phones, Phone(entrant, snapshot.organiser.entrants[entrant - 1].registered, captain=None)

    async def _captain(self, request: web.Request) -> tuple[Phones, Phone]:
        """Return all phones, and a `Phone` for the captain who asks.

        The request has the captain's code from check-in. Raises `RefusedRequest` for a wrong code."""
        code = _field(await self._bodies.read(request), "code", str)
        snapshot, phones = await self._phones()
        named = self._find_captain(client_key(request.remote or ""), code, snapshot, phones)
        return phones, Phone(named.number, named.registered, named.captain)

    def _find_captain(self, client: str, code: str, snapshot: CompetitionSnapshot, phones: Phones) -> EntrantView:
        """Find the entrant whose captain has this code.

        It has no `await`, so simultaneous requests get no extra guesses. Raises `RefusedRequest`, and
        HTTPTooManyRequests for a client that guessed too often."""
        now = self._clock.now()
        self._refuse_after_wrong_codes(client, now)
        if (found := phones.find_captain(code, snapshot.organiser.entrants)) is not None:
            return found
        self._wrong_codes.reserve(client, now)
        self._wrong_codes_together.reserve(now)
        raise RefusedRequest("wrong_code")

    def _refuse_after_wrong_codes(self, client: str, now: float) -> None:
        """Raise HTTPTooManyRequests while this client must wait after wrong codes."""
        if wait := max(self._wrong_codes.delay(client, now), self._wrong_codes_together.delay(now)):
            seconds = int(-(-wait // 1))
            raise web.HTTPTooManyRequests(
                text=json.dumps({"wait": seconds}),
                content_type="application/json",
                headers={"Retry-After": str(seconds)},
            )

    async def _at_table(self, payload: object) -> tuple[CompetitionSnapshot, Phones, int]:
        """Find a request's table, and check the table's key.

        Raises `NotAnAction`, `RefusedRequest`."""
        table, key = _field(payload, "table", int), _field(payload, "key", str)
        snapshot, phones = await self._phones()
        if not (0 < table <= snapshot.hall.table_count and phones.is_table_key(table, key)):
            raise RefusedRequest("wrong_key", table=table)
        return snapshot, phones, table

    async def _bind(
        self, find: Callable[[web.Request], Awaitable[tuple[Phones, Phone]]], request: web.Request
    ) -> web.Response:
        """Bind this browser to the phone that `find` returns.

        Another phone that spoke for this entrant loses its right."""
        cookie, key = "", ""

        async def bind(_: web.Request) -> dict[str, Any]:
            nonlocal cookie, key
            phones, phone = await find(request)
            cookie, instead = _cookie(phones.competition), _key(request.cookies, phones.competition)
            key = await self._write(phones, lambda: phones.bind(phone, instead=instead))
            return {"entrant": phone.entrant}

        answered = await self._answer(bind, request)
        if key:
            answered.set_cookie(cookie, key, path=_FOLDER, max_age=_COOKIE_S, httponly=True, samesite="Strict")
        return answered

    async def _leave(self, request: web.Request) -> web.Response:
        cookies = [_COOKIE]

        async def leave(_: web.Request) -> dict[str, Any]:
            snapshot, phones = await self._phones()
            cookies.append(_cookie(snapshot.number))
            await self._write(phones, lambda: phones.leave(_key(request.cookies, snapshot.number)))
            return {"entrant": None}

        answered = await self._answer(leave, request)
        for cookie in cookies:
            answered.del_cookie(cookie, path=_FOLDER, httponly=True, samesite="Strict")
        return answered

    async def _write(self, phones: Phones, write: Callable[[], T]) -> T:
        """Store a change of the phones, and notify the pages. Raises `RefusedRequest`."""
        organiser = await self._competitions.organiser()
        try:
            return await organiser.write_phones(phones, write)
        finally:
            self._stream.change()

    # What it asks for

    async def _do(self, request: web.Request) -> dict[str, Any]:
        payload = await self._bodies.read(request)
        await self._phones()
        organiser = await self._competitions.organiser()
        done = await organiser.do_from(partial(self._read, payload, request.cookies))
        return {"competition": done.number}

    def _read(
        self, payload: object, cookies: Mapping[str, str], snapshot: CompetitionSnapshot
    ) -> Sequence[CompetitionAction]:
        """Read the action that a phone asks for.

        Empty if the action is done already. Raises `NotAnAction`, `RefusedRequest`, `RefusedAction`."""
        if (phone := self._find(cookies, snapshot)) is None:
            raise RefusedRequest("phone_unknown")
        action = read_request(payload, snapshot, phone)
        return [] if action is None else [action]

    async def _answer(
        self, work: Callable[[web.Request], Awaitable[dict[str, Any]]], request: web.Request
    ) -> web.Response:
        status, body = await answered(partial(work, request), lambda: self._competitions.state, public=True)
        return web.json_response(body, status=status)

    # For the organiser

    async def address(self, request: web.Request) -> Callable[[int], str] | None:
        """Return a function that gives the address for each table.

        A table's printed card has this address, with the table's key. None if there is no competition, no phone
        reaches the board, or the journal cannot be written."""
        origin = origin_for_phones(request, self._host)
        try:
            _, phones = await self._phones()
        except RefusedRequest:
            return None
        return None if origin is None else lambda table: f"{origin}{phones.table_path(table)}"

    async def _for_the_desk(self, request: web.Request) -> web.Response:
        self._session.must_be_open(request)
        answered = await self._answer(self._codes, request)
        answered.headers["Cache-Control"] = "no-store"
        return answered

    async def _codes(self, request: web.Request) -> dict[str, Any]:
        """Return the captains' codes and the tables' addresses."""
        snapshot, phones = await self._phones()
        view = snapshot.organiser
        return {
            "competition": snapshot.number,
            "origin": origin_for_phones(request, self._host),
            "entrants": [
                {"entrant": entrant.number, "code": phones.captain_code(entrant)} for entrant in view.entrants
            ],
            "tables": [{"table": table, "path": phones.table_path(table)} for table in range(1, view.table_count + 1)],
        }


def _cookie(competition: int) -> str:
    """Return the name of the competition's cookie for a phone's key."""
    return f"{_COOKIE}-{competition}"


def _key(cookies: Mapping[str, str], competition: int) -> str:
    """Return the phone's key in this competition, or "".

    Earlier versions had one cookie for all competitions."""
    return cookies.get(_cookie(competition)) or cookies.get(_COOKIE, "")


def _field(payload: object, name: str, kind: type[F]) -> F:
    """Read a field of a request. Raises `NotAnAction` if it is missing or of another type."""
    value = payload.get(name) if isinstance(payload, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise NotAnAction(name, value, AllowedClause("whole_number" if kind is int else "text"))
    return value
