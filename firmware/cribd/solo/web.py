"""The web routes of one person's game against robots.

One window has control at a time (`hands` in JSON): the first, until it closes or another takes over; the others watch.
A window is a word that its page makes up. What a window without control asks for is refused with a sentence of the
page.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Any

from aiohttp import web

from cribboard.cards import Card, NotationError
from cribboard.position import Phase
from cribboard.rules import RulesError, Way
from cribboard.strategy import RobotLevel
from cribd.clock import Clock
from cribd.solo.person import Person
from cribd.solo.robot_turns import SPEEDS, Pace, RobotTurns
from cribd.solo.session import NotNow, Session
from cribd.solo.state_json import state_of
from cribd.storage.journal import JournalAway
from cribd.table.rule_sets import RuleSet
from cribd.text import in_every_language
from cribd.twin.messages import PersonAct, PresentCard, PressButton, Scan
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.http.sse import EventStream
from cribd.web.http.static_files import StaticFiles
from cribd.web.kiosk.table.owner_routes import rules_to_choose

PAGE = Path(__file__).with_name("page")
#: The module that the twin's page imports.
SCRIPT = "/solo/solo.js"
#: The longest name of a window, in letters.
_LONGEST = 40
#: The answer to a request that is not understood.
_ACT = "A request says its window and what to do, as docs/alone.md has it.\n"
#: The requests that a window without control may make while no game is on. The window then gets control.
_BEGINS = ("start", "take_up")


class SoloPage:
    """The web routes of one person's game against robots.

    `tracks` names the tracks of the board by side, `offered` are the rules that it can play, `may_play` says whether
    the table is free for it.
    """

    def __init__(
        self,
        session: Session,
        person: Person,
        turns: RobotTurns,
        *,
        tracks: Sequence[str],
        offered: Sequence[RuleSet],
        may_play: Callable[[], bool],
        clock: Clock,
    ) -> None:
        self._session = session
        self._person = person
        self._turns = turns
        self._tracks = tracks
        self._offered = offered
        self._may_play = may_play
        self._bodies = JsonBodyReader(clock)
        self._files = StaticFiles([PAGE], dict)
        self._stream = EventStream(lambda: b"", clock)
        self._windows: Counter[str] = Counter()
        self._owner: str | None = None
        self._acting = asyncio.Lock()
        session.watch(self._stream.change)

    def mount(self, app: web.Application) -> None:
        """Add the routes to the application."""
        app.router.add_get("/solo/events", self._events, allow_head=False)
        app.router.add_get("/solo/choices", self._choices)
        app.router.add_post("/solo/act", self._act)
        app.router.add_get("/solo/{name}", self._file)
        app.on_shutdown.append(self._shut_down)

    def allows(self, window: str, action: PersonAct) -> bool:
        """Whether this window of the twin's page may do this action.

        In a game for one person only the window with control may press; nobody may show a card that was not dealt to
        him, or press the robots' buttons."""
        if not self.is_playing:
            return True
        robots, solo = self._session.robots, self._session.solo_game
        if isinstance(action, PressButton) and robots is not None and solo is not None and solo.person:
            track = action.button.partition(" ")[0]
            if track in [self._tracks[side] for side in robots.sides]:
                return False
        return window == self._owner and not isinstance(action, PresentCard | Scan)

    @property
    def is_playing(self) -> bool:
        """Whether the table plays a game of the session.

        The session then deals the cards."""
        return self._session.game is not None

    async def _file(self, request: web.Request) -> web.Response:
        return self._files.respond(request, request.match_info["name"])

    async def _choices(self, _request: web.Request) -> web.Response:
        """Send the choices for a new game.

        Each rule set has its description and its options."""
        rules = rules_to_choose(self._offered, self._session.snapshot.rules)
        for description, rule_set in zip(rules["rules"], self._offered, strict=True):
            description |= _explained(rule_set)
        answer = {**rules, "ways": list(Way), "strengths": list(RobotLevel), "free": self._may_play()}
        return web.json_response(answer)

    async def _events(self, request: web.Request) -> web.StreamResponse:
        """Stream the states to one window until it closes."""
        window = _checked_window(request.query.get("window"))
        self._windows[window] += 1
        if self._owner is None or not self._windows[self._owner]:
            self._give_control(window)
        try:
            return await self._stream.answer(request, partial(self._message, window))
        finally:
            self._windows[window] -= 1
            if not self._windows[window]:
                del self._windows[window]
                if window == self._owner:
                    self._give_control(next(iter(self._windows), None))

    def _give_control(self, window: str | None) -> None:
        self._owner = window
        self._stream.change()

    def _message(self, window: str) -> bytes:
        state = state_of(self._session, self._turns, may_act=window == self._owner)
        return f"data: {json.dumps(state)}\n\n".encode()

    async def _act(self, request: web.Request) -> web.Response:
        """Do the person's action that this request contains.

        Refusals: 403 without control, 409 with a `code` of the page, 503 if saving fails."""
        payload = await self._bodies.read(request)
        if not isinstance(payload, dict):
            raise web.HTTPBadRequest(text=_ACT)
        window = _checked_window(payload.pop("window", None))
        if payload == {"do": "take_over"}:
            self._give_control(window)
            return web.Response(status=204)
        if window != self._owner:
            game = self._session.game
            is_under_way = game is not None and game.game.position.phase is not Phase.OVER
            if is_under_way or payload.get("do") not in _BEGINS:
                return _refused("no_hands", {}, status=403)
            self._give_control(window)
        try:
            async with self._acting:
                await self._do(payload)
        except NotNow as refused:
            return _refused(refused.code, refused.values, status=409)
        except JournalAway:
            return _refused("not_kept", {}, status=503)
        except NotationError:
            raise web.HTTPBadRequest(text=_ACT) from None
        return web.Response(status=204)

    async def _do(self, payload: dict[str, Any]) -> None:
        person = self._person
        match payload:
            case {"do": "start", "rules": str(rules), "way": str(way), "strength": str(strength), **more}:
                await self._start(rules, way, strength, more)
            case {"do": "leave"}:
                await self._session.leave()
            case {"do": "take_up"}:
                await self._session.take_up()
            case {"do": "discard", "cards": [*cards]}:
                await person.discard([Card.parse(str(card)) for card in cards])
            case {"do": "cut"}:
                await person.cut()
            case {"do": "lay", "card": str(card)}:
                await person.lay(Card.parse(card))
            case {"do": "go"}:
                await person.go()
            case {"do": "peg", "points": int(points)} if type(points) is int and points >= 0:
                await person.peg(points)
            case {"do": "crib"}:
                await person.turn_crib()
            case {"do": "counted"}:
                await person.counted()
            case {"do": "step"}:
                self._turns.step()
            case {"do": "pace", "speed": int(speed), "waits": bool(waits)} if speed in SPEEDS:
                self._turns.set_pace(Pace(speed, waits))
            case _:
                raise web.HTTPBadRequest(text=_ACT)

    async def _start(self, rules: str, way: str, strength: str, more: dict[str, Any]) -> None:
        person, breaks_off = more.get("person", True), more.get("breaks_off", False)
        is_known = way in list(Way) and strength in list(RobotLevel)
        if not is_known or not isinstance(person, bool) or not isinstance(breaks_off, bool):
            raise web.HTTPBadRequest(text=_ACT)
        if (options := more.get("options", [])) != []:
            rules = self._with_options(rules, options)
        if not self._may_play():
            raise NotNow("at_event")
        await self._session.start(rules, Way(way), RobotLevel(strength), person=person, breaks_off=breaks_off)
        self._turns.set_pace(Pace())

    def _with_options(self, label: str, options: object) -> str:
        """Return the label of these rules with the options added.

        Raises HTTPBadRequest, or `NotNow` for unknown rules."""
        chosen = next((rule_set for rule_set in self._offered if rule_set.rules.label == label), None)
        if chosen is None:
            raise NotNow("no_such_rules", rules=label)
        if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
            allowed = ", ".join(chosen.options) or "none"
            raise web.HTTPBadRequest(text=f"Options are a list of words; allowed is {allowed}.\n")
        try:
            return chosen.with_options(options).label
        except RulesError as wrong:
            raise web.HTTPBadRequest(text=f"{wrong}\n") from wrong

    async def _shut_down(self, _app: web.Application) -> None:
        await self._stream.close()


def _explained(rules: RuleSet) -> dict[str, Any]:
    """Return the description and the options of a rule set."""

    def say(code: str) -> dict[str, str]:
        return in_every_language(methodcaller("say", code))

    options = [
        {"key": option, "name": say(f"option.{rules.title}.{option}"), "excludes": rules.excluded_by(option)}
        for option in rules.options
    ]
    return {"says": say(f"page.rules.{rules.title}") if rules.is_preset else {}, "options": options}


def _checked_window(word: object) -> str:
    """Check and return the name of a browser window.

    Raises HTTPBadRequest if it is no short word of letters and figures."""
    if not isinstance(word, str) or not 0 < len(word) <= _LONGEST or not word.isalnum():
        raise web.HTTPBadRequest(text=f"A window is a word of letters and figures, at most {_LONGEST}.\n")
    return word


def _refused(code: str, values: Mapping[str, object], *, status: int) -> web.Response:
    refusal = {"code": code, "values": {name: str(value) for name, value in values.items()}}
    return web.json_response(refusal, status=status)
