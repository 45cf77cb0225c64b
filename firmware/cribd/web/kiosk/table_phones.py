"""The routes of the phones at the tables: who they speak for, their own game, and their call for an official.

The key in the QR code of a table's card proves that a phone is there, the code of a captain that it is the captain's.
A key of its own, in a cookie for each competition, then binds it to its entrant until that is over. A phone acts for
its entrant and its running game alone, and is told no more (design law 10). No key and no code is written to any log.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from cribd.clock import Clock
from cribd.storage.journal import Journal, JournalDamaged, NotKept
from cribd.text import Phrases
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.http.limits import RateLimiter, RateLimiterPerClient, client_key
from cribd.web.http.sse import EventStream
from cribd.web.kiosk.competition_answers import answer
from cribd.web.kiosk.desk import NOTHING, Desk
from cribd.web.kiosk.join_code import origin_for_phones

if TYPE_CHECKING:
    from aiohttp import web

    from cribboard.competition.view import EntrantView
    from cribd.competition.phones import Phone, Phones
    from cribd.competition.snapshot import CompetitionSnapshot

T = TypeVar("T")
F = TypeVar("F", int, str)

_FOLDER = "/event/table"
_COOKIE = "cribboard-phone"
#: How long a browser keeps its key: an event over some weekends.
_KEPT_S = 60 * 24 * 3600
#: Wrong codes of captains that a client may try at once, and in a second; and all clients together.
_WRONG_CODES = 5
_WRONG_CODES_PER_S = 0.1
_WRONG_CODES_TOGETHER = 50
_WRONG_CODES_TOGETHER_PER_S = 0.5
#: How often a request is tried while others change the same table.
_TRIES = 3


class TablePhones:
    """The phones of the competition of the `desk`. `host` is where the board listens; `spoken` and `edition` are as
    those of the desk."""

    def __init__(
        self,
        desk: Desk,
        journal: Journal,
        bodies: JsonBodyReader,
        *,
        clock: Clock,
        spoken: Callable[[], Mapping[str, Phrases]],
        edition: Callable[[], str],
        host: str,
    ) -> None:
        self._desk = desk
        self._journal = journal
        self._bodies = bodies
        self._clock = clock
        self._spoken = spoken
        self._edition = edition
        self._host = host
        self._known: dict[int, Phones] = {}  # by competition
        self._learning: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        self._wrong_codes = RateLimiterPerClient(_WRONG_CODES_PER_S, burst=_WRONG_CODES)
        self._wrong_codes_together = RateLimiter(_WRONG_CODES_TOGETHER_PER_S, burst=_WRONG_CODES_TOGETHER)
        self._stream = EventStream(lambda: NOTHING, clock)
        desk.watch(self._show)

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get(f"{_FOLDER}/events", self._events, allow_head=False)
        app.router.add_post(f"{_FOLDER}/card", self._card)
        app.router.add_post(f"{_FOLDER}/sit", self._sit)
        app.router.add_post(f"{_FOLDER}/captain", self._captain)
        app.router.add_post(f"{_FOLDER}/do", self._do)
        app.router.add_post(f"{_FOLDER}/leave", self._leave)
        app.router.add_get("/desk/phones", self._for_the_desk)
        app.on_shutdown.append(self._close)

    async def _close(self, _app: web.Application) -> None:
        if self._learning is not None:
            self._learning.cancel()
            await asyncio.gather(self._learning, return_exceptions=True)
        await self._stream.close()

    # What a phone is shown

    def _show(self) -> None:
        """Show a change; of a competition that was switched to, once its phones are known."""
        self._stream.change()
        state = self._desk.state
        if self._known and self._learning is None and state is not None and state.number not in self._known:
            self._learning = asyncio.create_task(self._learn(), name="phones of the competition")

    async def _learn(self) -> None:
        from cribd.competition.refusals import RefusedRequest

        try:
            with suppress(RefusedRequest):
                await self._phones()
        finally:
            self._learning = None
        self._stream.change()

    async def _events(self, request: web.Request) -> web.StreamResponse:
        from cribd.competition.refusals import RefusedRequest

        if self._desk.state is not None:
            with suppress(RefusedRequest):
                await self._phones()
        return await self._stream.answer(request, lambda: self._message(request.cookies))

    def _message(self, cookies: Mapping[str, str]) -> bytes:
        """The message for the phone with these cookies."""
        state = self._desk.state
        if state is None:
            return NOTHING
        from cribd.web.kiosk import competition_json, phone_json

        return competition_json.message(phone_json.phone_state(state, self._find(cookies)), edition=self._edition())

    def _find(self, cookies: Mapping[str, str]) -> Phone | None:
        """Whom a phone speaks for in the competition that is held, as far as the phones are loaded."""
        from cribd.competition.snapshot import CompetitionSnapshot

        held = self._desk.state
        if isinstance(held, CompetitionSnapshot) and (known := self._known.get(held.number)) is not None:
            return known.find(_key(cookies, held.number), held.organiser.entrants)
        return None

    def _held(self) -> CompetitionSnapshot:
        """The competition that is held. Raises `RefusedRequest`."""
        from cribd.competition.refusals import RefusedRequest
        from cribd.competition.snapshot import CompetitionSnapshot

        if not isinstance(held := self._desk.state, CompetitionSnapshot):
            raise RefusedRequest("no_competition")
        return held

    async def _phones(self) -> tuple[CompetitionSnapshot, Phones]:
        """The competition that is held, and its phones. Raises `RefusedRequest`."""
        from cribd.competition.phones import Phones
        from cribd.competition.refusals import RefusedRequest

        async with self._turn:
            held = self._held()
            if held.number not in self._known:
                try:
                    known = await self._clock.run_in_thread(lambda: Phones(self._journal, held.number))
                except (JournalDamaged, NotKept) as away:
                    raise RefusedRequest("not_kept", reason=str(away)) from away
                self._known[held.number] = known
            return held, self._known[held.number]

    # Who it speaks for

    async def _card(self, request: web.Request) -> web.Response:
        """Whether the card that was scanned is that of the table, and who sits there."""

        async def look() -> dict[str, Any]:
            from cribd.web.kiosk.phone_json import at_table

            held, _, table = await self._at_table(await self._bodies.read(request))
            return at_table(held.hall, table)

        return await self._answer(look)

    async def _sit(self, request: web.Request) -> web.Response:
        """A phone at a table speaks for one of the two sides there."""

        async def sit() -> tuple[Phones, Phone]:
            from cribd.competition.phones import Phone
            from cribd.competition.refusals import RefusedRequest
            from cribd.competition.visits import seated_at

            told = await self._bodies.read(request)
            held, phones, table = await self._at_table(told)
            entrant = _field(told, "entrant", int)
            if entrant not in seated_at(held.hall, table):
                raise RefusedRequest("not_seated_here", entrant=entrant, table=table)
            return phones, Phone(entrant, held.organiser.entrants[entrant - 1].registered, captain=None)

        return await self._bind(request, sit)

    async def _captain(self, request: web.Request) -> web.Response:
        """A phone becomes that of a captain, by the code that was told at check-in."""

        async def give() -> tuple[Phones, Phone]:
            from cribd.competition.phones import Phone

            code = _field(await self._bodies.read(request), "code", str)
            held, phones = await self._phones()
            named = self._find_captain(client_key(request.remote or ""), code, held, phones)
            return phones, Phone(named.number, named.registered, named.captain)

        return await self._bind(request, give)

    def _find_captain(self, client: str, code: str, held: CompetitionSnapshot, phones: Phones) -> EntrantView:
        """The entrant whose captain has the code that this client gives. Nothing waits in here: requests at once are no
        more guesses. Raises `RefusedRequest`, and HTTPTooManyRequests for a client that guessed too much."""
        from aiohttp import web

        from cribd.competition.refusals import RefusedRequest

        now = self._clock.now()
        if wait := max(self._wrong_codes.delay(client, now), self._wrong_codes_together.delay(now)):
            seconds = int(-(-wait // 1))
            raise web.HTTPTooManyRequests(
                text=json.dumps({"wait": seconds}),
                content_type="application/json",
                headers={"Retry-After": str(seconds)},
            )
        if (found := phones.find_captain(code, held.organiser.entrants)) is not None:
            return found
        self._wrong_codes.reserve(client, now)
        self._wrong_codes_together.reserve(now)
        raise RefusedRequest("wrong_code")

    async def _at_table(self, told: object) -> tuple[CompetitionSnapshot, Phones, int]:
        """The table that the card of a request belongs to. Raises `NotAnAction`, `RefusedRequest`."""
        from cribd.competition.refusals import RefusedRequest

        table, key = _field(told, "table", int), _field(told, "key", str)
        held, phones = await self._phones()
        if not (0 < table <= held.hall.table_count and phones.is_key(table, key)):
            raise RefusedRequest("wrong_key", table=table)
        return held, phones, table

    async def _bind(self, request: web.Request, who: Callable[[], Awaitable[tuple[Phones, Phone]]]) -> web.Response:
        """Give this browser a key of its own, among the phones that `who` tells; the phone that spoke for the entrant
        before speaks no more."""
        cookie, key = "", ""

        async def bind() -> dict[str, Any]:
            nonlocal cookie, key
            phones, phone = await who()
            cookie, instead = _cookie(phones.competition), _key(request.cookies, phones.competition)
            key = await self._keep(phones, lambda: phones.bind(phone, instead=instead))
            return {"entrant": phone.entrant}

        answered = await self._answer(bind)
        if key:
            answered.set_cookie(cookie, key, path=_FOLDER, max_age=_KEPT_S, httponly=True, samesite="Strict")
        return answered

    async def _leave(self, request: web.Request) -> web.Response:
        cookies = [_COOKIE]

        async def leave() -> dict[str, Any]:
            held, phones = await self._phones()
            cookies.append(_cookie(held.number))
            await self._keep(phones, lambda: phones.leave(_key(request.cookies, held.number)))
            return {"entrant": None}

        answered = await self._answer(leave)
        for cookie in cookies:
            answered.del_cookie(cookie, path=_FOLDER, httponly=True, samesite="Strict")
        return answered

    async def _keep(self, phones: Phones, write: Callable[[], T]) -> T:
        """Write what has changed of these phones, in a thread, and tell them. Raises `RefusedRequest`, also if another
        competition was begun meanwhile."""
        from cribd.competition.refusals import RefusedRequest

        async with self._turn:
            if (held := self._held()).number != phones.competition:
                raise RefusedRequest("another_competition", meant=phones.competition, number=held.number)
            try:
                return await self._clock.run_in_thread(write)
            except NotKept as away:
                raise RefusedRequest("not_kept", reason=str(away)) from away
            finally:
                self._stream.change()

    # What it asks for

    async def _do(self, request: web.Request) -> web.Response:
        told = await self._bodies.read(request)

        async def do() -> dict[str, Any]:
            from cribd.competition.refusals import RefusedRequest

            owner = await self._desk.organiser()
            for left in reversed(range(_TRIES)):
                held, phones = await self._phones()
                phone = phones.find(_key(request.cookies, held.number), held.organiser.entrants)
                if phone is None:
                    raise RefusedRequest("phone_unknown")
                if (action := read_request(told, held, phone)) is None:
                    break
                try:
                    await owner.do(action, seen=BaseVersion(held.number, len(held.log)))
                    break
                except RefusedRequest as refused:  # somebody was quicker: what was asked may fit still, or be done
                    if refused.code != "changed_meanwhile" or not left:
                        raise
            return {"competition": held.number}

        from cribd.competition.organiser import BaseVersion
        from cribd.competition.phone_requests import read_request

        return await self._answer(do)

    async def _answer(self, work: Callable[[], Awaitable[dict[str, Any]]]) -> web.Response:
        return await answer(work, state=lambda: self._desk.state, spoken=self._spoken(), public=True)

    # For the organiser

    async def address(self, request: web.Request) -> Callable[[int], str] | None:
        """The address of each table's page with its key, for the cards; None where no phone reaches the board, or the
        journal cannot be written."""
        from cribd.competition.refusals import RefusedRequest

        origin = origin_for_phones(request, self._host)
        try:
            _, phones = await self._phones()
        except RefusedRequest:
            return None
        return None if origin is None else lambda table: f"{origin}{phones.table_path(table)}"

    async def _for_the_desk(self, request: web.Request) -> web.Response:
        """The codes of the captains, and the addresses of the tables' pages for their cards."""
        self._desk.must_be_open(request)

        async def tell() -> dict[str, Any]:
            held, phones = await self._phones()
            codes = [{"entrant": each.number, "code": phones.captain_code(each)} for each in held.organiser.entrants]
            tables = range(1, held.organiser.table_count + 1)
            return {
                "competition": held.number,
                "origin": origin_for_phones(request, self._host),
                "entrants": codes,
                "tables": [{"table": each, "path": phones.table_path(each)} for each in tables],
            }

        answered = await self._answer(tell)
        answered.headers["Cache-Control"] = "no-store"
        return answered


def _cookie(competition: int) -> str:
    """The cookie with the key of a phone in this competition: a phone may have one in each that is open."""
    return f"{_COOKIE}-{competition}"


def _key(cookies: Mapping[str, str], competition: int) -> str:
    """The key of a phone in this competition; earlier versions had one cookie for all."""
    return cookies.get(_cookie(competition)) or cookies.get(_COOKIE, "")


def _field(told: object, name: str, kind: type[F]) -> F:
    """A field of a request. Raises `NotAnAction`."""
    from cribd.competition.action_json import AllowedClause, NotAnAction

    value = told.get(name) if isinstance(told, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise NotAnAction(name, value, AllowedClause("whole_number" if kind is int else "text"))
    return value
