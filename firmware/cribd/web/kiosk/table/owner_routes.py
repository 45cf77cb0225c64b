"""The routes for the phone of the board's owner.

The PIN opens a session, which a cookie of that browser holds; every request but that for the rules needs it. A request
becomes an input of the table, and its result is in the table's next snapshot: nothing here knows the game.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import methodcaller
from typing import Any, Protocol

from aiohttp import web

from cribboard.cards import Card, NotationError
from cribd.boards import Board
from cribd.inputs import (
    LONGEST_NAME,
    CardRead,
    ClubAct,
    ClubAsked,
    Input,
    NamesGiven,
    NewGameAsked,
    NewMatchAsked,
    OwnerRequest,
    RulesGiven,
    SwitchOffAsked,
    UndoAsked,
)
from cribd.languages import languages
from cribd.storage.stick import StickState
from cribd.table.rule_sets import RuleSet, known
from cribd.text import in_every_language
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.kiosk.count_judge.routes import title
from cribd.web.kiosk.shared.pin_session import PinSession

#: Has the doctor examine the board, and returns the findings as JSON in this language.
Examine = Callable[[str], Awaitable[Sequence[dict[str, str]]]]


class BackupMaker(Protocol):
    """The methods for copies on a USB stick."""

    async def state(self) -> StickState: ...
    async def make(self) -> StickState: ...


#: The longest address of a hub.
_LONGEST = 200
#: The name of this reader to the table.
READER = "pad"
#: The answer to a request that is not a valid scan.
_SCAN = "A scan has a card: its rank and its suit, as 5H.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The routes of the owner's page.

    They need an open `session`, except the route for the rules and the routes of the session itself.

    `post` sends inputs to the table, `rules` are those that the `board` can play, `chosen` gives those of the next
    game. `is_dealt` says whether the board deals the cards, in a game for one person. `examine` asks the doctor, and
    `backups` copies to a stick."""

    session: PinSession
    bodies: JsonBodyReader
    post: Callable[[Sequence[Input]], None]
    board: Board
    rules: Sequence[RuleSet]
    chosen: Callable[[], RuleSet]
    is_dealt: Callable[[], bool]
    examine: Examine
    backups: BackupMaker | None = None
    examining: asyncio.Lock = field(default_factory=asyncio.Lock)

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        self.session.mount(app)
        app.router.add_post("/table/scan", self._scan)
        app.router.add_get("/table/rules", self._choice)
        app.router.add_post("/table/owner", self._act)
        app.router.add_post("/table/doctor", self._doctor)
        if self.backups is not None:
            app.router.add_get("/table/backup", partial(self._backup, self.backups.state))
            app.router.add_post("/table/backup", partial(self._backup, self.backups.make))

    # Requests

    async def _scan(self, request: web.Request) -> web.Response:
        """Send the tapped card to the table."""
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
        return web.json_response(rules_to_choose(self.rules, self.chosen()))

    async def _act(self, request: web.Request) -> web.Response:
        self.session.must_be_open(request)
        self.post([read_request(await self.bodies.read(request), self.rules, tracks=len(self.board.tracks))])
        return web.Response(status=204)

    # Copies on a stick

    async def _backup(self, asked: Callable[[], Awaitable[StickState]], request: web.Request) -> web.Response:
        """Call `asked`, and send the state of the copies."""
        self.session.must_be_open(request)
        if request.method == "POST" and await self.bodies.read(request) != {}:
            raise _bad_request("Ask with {}.")
        known = await asked()
        return web.json_response(
            {
                "label": known.label,
                "there": known.is_there,
                "last": known.last and known.last.isoformat(),
                "problem": known.problem and in_every_language(methodcaller("problem", known.problem)),
            }
        )

    # The doctor

    async def _doctor(self, request: web.Request) -> web.Response:
        """Examine the board, and send the findings."""
        self.session.must_be_open(request)
        match await self.bodies.read(request):
            case {"language": str(language), **rest} if language in languages() and not rest:
                pass
            case _:
                raise _bad_request(f"Ask in one language: {', '.join(languages())}.")
        async with self.examining:
            return web.json_response(await self.examine(language))


def read_request(request: object, rules: Sequence[RuleSet], *, tracks: int) -> OwnerRequest:
    """Read a page's request as an input of the table.

    The board has `tracks` tracks and can play these `rules`. Raises HTTPBadRequest."""
    match request:
        case {"do": "names", "names": list(names), **rest} if not rest:
            return NamesGiven(_names(names, tracks))
        case {"do": "names", "names": list(names), "same_players": bool(same), **rest} if not rest:
            return NamesGiven(_names(names, tracks), same_players=same)
        case {"do": "rules", "rules": str(label), **rest} if not rest:
            if label not in {rule_set.rules.label for rule_set in rules}:
                raise _bad_request("This board plays no such rules.")
            return RulesGiven(label)
        case {"do": "new_game", **rest} if not rest:
            return NewGameAsked()
        case {"do": "new_match", **rest} if not rest:
            return NewMatchAsked()
        case {"do": "club", "act": "join", "address": str(address), **rest} if not rest and len(address) <= _LONGEST:
            return ClubAsked(ClubAct.JOIN, address)
        case {"do": "club", "act": "open" | "ok" | "next" | "close" as act, **rest} if not rest:
            return ClubAsked(ClubAct(act))
        case {"do": "switch_off", **rest} if not rest:
            return SwitchOffAsked()
        case {"do": "undo", "number": int(number), **rest} if not rest and not isinstance(number, bool) and number >= 0:
            return UndoAsked(number)
        case _:
            raise _bad_request(
                "Ask for names, rules, new_game, new_match, undo, club or switch_off, with what it needs and no more."
            )


def _bad_request(why: str) -> web.HTTPBadRequest:
    return web.HTTPBadRequest(text=f"{why}\n")


def _names(given: Sequence[object], tracks: int) -> tuple[str, ...]:
    """Read the name of each side, "" for none."""
    if not 0 < len(given) <= tracks:
        raise _bad_request(f"A name for each side, an empty one for nobody's: {tracks} at the most.")
    names = tuple(unicodedata.normalize("NFC", name).strip() for name in given if isinstance(name, str))
    if len(names) < len(given) or not all(name.isprintable() for name in names):
        raise _bad_request("A name is made of letters, figures, signs and spaces.")
    if any(len(name) > LONGEST_NAME for name in names):
        raise _bad_request(f"A name has {LONGEST_NAME} characters at the most.")
    there = [name.casefold() for name in names if name]
    if len(set(there)) < len(there):
        raise _bad_request("Two names are the same.")
    return names


def rules_to_choose(rules: Sequence[RuleSet], chosen: RuleSet) -> dict[str, Any]:
    """Return the rules to choose, and those of the next game."""
    now = known(chosen.rules, rules)
    return {
        "rules": [
            {
                "label": rule_set.rules.label,
                "name": in_every_language(partial(title, rule_set)),
                "players": rule_set.rules.deal_and_play.players,
                "target": rule_set.rules.game.target,
            }
            for rule_set in rules
        ],
        "next": now and now.rules.label,
    }
