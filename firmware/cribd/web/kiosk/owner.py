"""What the owner of the board may do from a phone: tap cards as a reader would read them, give names and rules, begin
a game or a match, undo.

Whoever gives the PIN gets a key that only that browser holds, and every act shows it; without it nothing is done, by a
page or by hand. What comes of an act is for the table to say, in the next picture: nothing here knows the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from cribboard.cards import Card, NotationError
from cribd.boards import Board
from cribd.inputs import CardRead, Input
from cribd.table.rule_sets import RuleSet
from cribd.text import Phrases
from cribd.web.http.json_body import Bodies
from cribd.web.http.limits import whose
from cribd.web.kiosk import owner_requests
from cribd.web.kiosk.pin import SESSION_S, Opened, Pin, Wait, Wrong

if TYPE_CHECKING:
    from aiohttp import web

#: The name of this reader to the table.
READER = "pad"

_COOKIE = "cribboard-pad"


class Owning:
    """The acts of whoever gave the `pin`. `hear` is the table's ear, `rules` those that the `board` can play, `chosen`
    says which the next game is played by, and `spoken` gives the phrases of each language."""

    def __init__(
        self,
        pin: Pin,
        bodies: Bodies,
        hear: Callable[[Sequence[Input]], None],
        *,
        board: Board,
        rules: Sequence[RuleSet],
        chosen: Callable[[], RuleSet],
        spoken: Callable[[], Mapping[str, Phrases]],
    ) -> None:
        self._pin = pin
        self._bodies = bodies
        self._hear = hear
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
        """Whether this browser gave the PIN."""
        return self._pin.knows(request.cookies.get(_COOKIE, ""))

    # The PIN

    async def _state(self, request: web.Request) -> web.Response:
        """Whether this browser may act for the owner: the PIN was given, is wanted, or is not even set."""
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
        match self._pin.give(pin, whose(request.remote or "")):
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

    # Acts

    async def _scan(self, request: web.Request) -> web.Response:
        """A tap is a scan."""
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
        self._hear([CardRead(str(card), reader=READER)])
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
            fact = owner_requests.read(await self._bodies.read(request), self._rules, tracks=len(self._board.tracks))
        except owner_requests.BadRequest as wrong:
            raise web.HTTPBadRequest(text=f"{wrong}\n") from None
        self._hear([fact])
        return web.Response(status=204)
