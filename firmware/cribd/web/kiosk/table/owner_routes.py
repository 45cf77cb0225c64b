"""The routes of the board's owner, for a phone: cards, names, rules, a new game or match, undo.

The PIN opens a session, which a cookie of that browser holds; every request needs it. A request becomes an input of the
table, and its result is in the table's next snapshot: nothing here knows the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aiohttp import web

from cribboard.cards import Card, NotationError
from cribd.boards import Board
from cribd.inputs import CardRead, Input
from cribd.table.rule_sets import RuleSet
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.kiosk.shared.pin_session import PinSession
from cribd.web.kiosk.table import owner_requests

#: The name of this reader to the table.
READER = "pad"
#: What a scan that is none is answered.
_SCAN = "A scan has a card: its rank and its suit, as 5H.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The routes behind the PIN of the `session`. `post` sends inputs to the table, `rules` are those that the `board`
    can play, `chosen` gives those of the next game. `is_dealt` says whether the
    board deals the cards, in a game for one person."""

    session: PinSession
    bodies: JsonBodyReader
    post: Callable[[Sequence[Input]], None]
    board: Board
    rules: Sequence[RuleSet]
    chosen: Callable[[], RuleSet]
    is_dealt: Callable[[], bool]

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        self.session.mount(app)
        app.router.add_post("/table/scan", self._scan)
        app.router.add_get("/table/rules", self._choice)
        app.router.add_post("/table/owner", self._act)

    # Requests

    async def _scan(self, request: web.Request) -> web.Response:
        """Scan a card tapped on the page, as a reader does."""
        self.session.must_be_open(request)
        match await self.bodies.read(request):
            case {"card": str(text)}:
                pass
            case _:
                raise web.HTTPBadRequest(text=_SCAN)
        try:
            card = Card.parse(text)
        except NotationError:
            raise web.HTTPBadRequest(text=_SCAN) from None
        if self.is_dealt():
            raise web.HTTPConflict(text="Somebody plays alone: each seat lays the cards that it was dealt.\n")
        self.post([CardRead(str(card), reader=READER)])
        return web.Response(status=204)

    async def _choice(self, _request: web.Request) -> web.Response:
        """Send the rules that the owner can choose."""
        return web.json_response(owner_requests.rules_to_choose(self.rules, self.chosen()))

    async def _act(self, request: web.Request) -> web.Response:
        self.session.must_be_open(request)
        try:
            asked = owner_requests.read(await self.bodies.read(request), self.rules, tracks=len(self.board.tracks))
        except owner_requests.BadRequest as wrong:
            raise web.HTTPBadRequest(text=f"{wrong}\n") from None
        self.post([asked])
        return web.Response(status=204)
