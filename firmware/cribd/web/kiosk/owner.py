"""The routes of the owner of the board: cards, names, rules, a new game or match, undo, from a phone.

The PIN opens a session, which a cookie of that browser holds; every request needs it. A request becomes an input of the
table, and its result is in the table's next snapshot: nothing here knows the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from cribboard.cards import Card, NotationError
from cribd.boards import Board
from cribd.inputs import CardRead, Input
from cribd.table.rule_sets import RuleSet
from cribd.text import Phrases
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.http.limits import client_key
from cribd.web.kiosk import owner_requests
from cribd.web.kiosk.pin import SESSION_S, Opened, Pin, Wait, Wrong

if TYPE_CHECKING:
    from aiohttp import web

#: The name of this reader to the table.
READER = "pad"

_COOKIE = "cribboard-pad"


class Owner:
    """The routes behind the `pin`. `post` takes inputs to the table, `rules` are those that the `board` can play,
    `chosen` gives those of the next game, `spoken` the phrases of each language."""

    def __init__(
        self,
        pin: Pin,
        bodies: JsonBodyReader,
        post: Callable[[Sequence[Input]], None],
        *,
        board: Board,
        rules: Sequence[RuleSet],
        chosen: Callable[[], RuleSet],
        spoken: Callable[[], Mapping[str, Phrases]],
    ) -> None:
        self._pin = pin
        self._bodies = bodies
        self._post = post
        self._board = board
        self._rules = rules
        self._chosen = chosen
        self._spoken = spoken

    def mount(self, app: web.Application) -> None:
        app.router.add_get("/table/pad", self._state)
        app.router.add_post("/table/pin", self._open)
        app.router.add_post("/table/leave", self._leave)
        app.router.add_post("/table/scan", self._scan)
        app.router.add_get("/table/rules", self._choice)
        app.router.add_post("/table/owner", self._act)

    def is_open(self, request: web.Request) -> bool:
        """Whether this browser has a session."""
        return self._pin.knows(request.cookies.get(_COOKIE, ""))

    # The PIN

    async def _state(self, request: web.Request) -> web.Response:
        """Whether the PIN was given, is wanted, or is not set."""
        from aiohttp import web

        state = "given" if self.is_open(request) else "wanted" if self._pin.is_set else "unset"
        return web.json_response({"pin": state}, headers={"Cache-Control": "no-store"})

    async def _open(self, request: web.Request) -> web.Response:
        from aiohttp import web

        match await self._bodies.read(request):
            case {"pin": str(pin)} if self._pin.is_set:
                pass
            case _:
                raise web.HTTPBadRequest
        match self._pin.give(pin, client_key(request.remote or "")):
            case Opened(key):
                answer = web.json_response({"pin": "given"})
                answer.set_cookie(_COOKIE, key, path="/", max_age=int(SESSION_S), httponly=True, samesite="Strict")
                return answer
            case Wrong(left):
                return web.json_response({"left": left}, status=403)
            case Wait(seconds):
                whole = int(-(-seconds // 1))
                return web.json_response({"wait": whole}, status=429, headers={"Retry-After": str(whole)})

    async def _leave(self, request: web.Request) -> web.Response:
        from aiohttp import web

        self._pin.close(request.cookies.get(_COOKIE, ""))
        answer = web.json_response({"pin": "wanted"})
        answer.del_cookie(_COOKIE, path="/", httponly=True, samesite="Strict")
        return answer

    # Requests

    async def _scan(self, request: web.Request) -> web.Response:
        """A tapped card, as if a reader had read it."""
        from aiohttp import web

        if not self.is_open(request):
            raise web.HTTPForbidden
        match await self._bodies.read(request):
            case {"card": str(text)}:
                pass
            case _:
                raise web.HTTPBadRequest
        try:
            card = Card.parse(text)
        except NotationError:
            raise web.HTTPBadRequest from None
        self._post([CardRead(str(card), reader=READER)])
        return web.Response(status=204)

    async def _choice(self, _request: web.Request) -> web.Response:
        """The rules that the owner can choose from."""
        from aiohttp import web

        return web.json_response(owner_requests.rules_to_choose(self._rules, self._chosen(), self._spoken()))

    async def _act(self, request: web.Request) -> web.Response:
        from aiohttp import web

        if not self.is_open(request):
            raise web.HTTPForbidden
        try:
            asked = owner_requests.read(await self._bodies.read(request), self._rules, tracks=len(self._board.tracks))
        except owner_requests.BadRequest as wrong:
            raise web.HTTPBadRequest(text=f"{wrong}\n") from None
        self._post([asked])
        return web.Response(status=204)
