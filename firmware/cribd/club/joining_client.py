"""Joins a club by requests to the hub over HTTP.

The daemon of a board may not have loaded its pages, and needs none of their libraries for this.
"""

from __future__ import annotations

import json
import secrets
from asyncio import CancelledError, Event
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException
from typing import Any

from cribboard.competition.rounds import MOST_TABLES
from cribd.clock import Clock, wait_for
from cribd.club.certificates import NoCertificate, certified_board, certified_hub
from cribd.club.hub_place import HubPlace, in_url
from cribd.club.joining import (
    BYTES,
    ENDED,
    PROTOCOL,
    CommitmentOpening,
    CommitmentSent,
    Committed,
    Comparing,
    JoiningEnded,
    JoinRole,
    JoinState,
)
from cribd.club.keys import ClubKey
from cribd.club.membership import Membership

#: How often the board asks, how long an answer may take, and the most bytes of an answer.
_EVERY_S, _ANSWER_S, _MOST_BYTES = 1.0, 5.0, 65_536
#: How many answers in a row may be missing.
_MOST_MISSING = 10


@dataclass(frozen=True, slots=True)
class WaitsForTurn:
    """The state of a joining while another board joins."""


#: The states of a joining that the board shows.
JoinProgress = WaitsForTurn | Comparing


async def join(
    place: HubPlace,
    key: ClubKey,
    clock: Clock,
    *,
    name: str,
    show: Callable[[JoinProgress, str], None],
    confirmed: Event,
    card: Callable[[], int | None] = lambda: None,
) -> Membership:
    """Join the club of this hub, and return the membership.

    `show` gets how far it is, with the club's name; `confirmed` is set when somebody presses OK at the board. `card`
    returns the table whose card was held before the reader meanwhile. Whoever cancels this leaves. Raises
    `JoiningEnded`."""
    if place.table is not None and place.table > MOST_TABLES:
        raise JoiningEnded("no_such_table", table=place.table, most=MOST_TABLES)
    hub = _Hub(place, clock)
    asked = CommitmentSent(CommitmentOpening(JoinRole.BOARD, bytes.fromhex(key.id), secrets.token_bytes(BYTES)))
    commitment = asked.own.commitment.hex()
    start = {"protocol": PROTOCOL, "commitment": commitment, "name": name, "table": place.table}
    answer = await hub.post("ask", start)
    token = _text(answer, "joining")
    try:
        comparing, club = await _compare(hub, asked.committed(_bytes(answer, "commitment")), token, show)
        show(comparing, club)
        while True:
            answer = await hub.post("hear", {"joining": token, "ok": confirmed.is_set(), "table": card()})
            match answer.get("state"):
                case JoinState.JOINED if confirmed.is_set():
                    return _membership(answer, comparing, key, place)
                case JoinState.REFUSED:
                    raise JoiningEnded("refused")
            if confirmed.is_set():
                await clock.sleep(_EVERY_S)
            else:
                await wait_for(confirmed, _EVERY_S, clock)
    except CancelledError:
        await hub.leave(token)
        raise


async def _compare(
    hub: _Hub, committed: Committed, token: str, show: Callable[[JoinProgress, str], None]
) -> tuple[Comparing, str]:
    """Wait for this board's turn to show the two words.

    Returns the state with the words, and the name of the club."""
    own = {"joining": token, "key": committed.own.key.hex(), "nonce": committed.own.nonce.hex()}
    while (answer := await hub.post("reveal", own)).get("state") == JoinState.WAITS:
        show(WaitsForTurn(), hub.place.name)
        await hub.clock.sleep(_EVERY_S)
    shown = CommitmentOpening(JoinRole.HUB, _bytes(answer, "key"), _bytes(answer, "nonce"))
    return committed.revealed(shown), _text(answer, "name")


def _membership(answer: Mapping[str, Any], comparing: Comparing, key: ClubKey, place: HubPlace) -> Membership:
    """Read and check the membership in the hub's answer. Raises `JoiningEnded`."""
    certificate, hub, port = _text(answer, "certificate"), _text(answer, "hub"), answer.get("port")
    try:
        fits = certified_hub(hub) == comparing.hub.key.hex() and certified_board(certificate, hub) == key.id
    except NoCertificate:
        fits = False
    if not fits:
        raise JoiningEnded("changed")
    if not isinstance(port, int) or not 0 < port < 65_536:
        raise JoiningEnded("no_hub")
    name = _text(answer, "name")
    return Membership(name=name, hub=hub, certificate=certificate, addresses=(place.host,), port=port)


@dataclass(frozen=True, slots=True)
class _Hub:
    """Sends requests to a hub over HTTP."""

    place: HubPlace
    clock: Clock

    async def post(self, step: str, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send a request to the hub, and return the answer. Raises `JoiningEnded`.

        `reveal` and `hear` are repeated if no answer comes."""
        for _ in range(_MOST_MISSING if step in ("reveal", "hear") else 1):
            with suppress(OSError, HTTPException):
                return _read(*await self.clock.run_in_thread(partial(self._post, step, request)))
            await self.clock.sleep(_EVERY_S)
        raise JoiningEnded("no_answer")

    async def leave(self, token: str) -> None:
        """Try to tell the hub that the joining is cancelled."""
        with suppress(OSError, HTTPException):
            await self.clock.run_in_thread(partial(self._post, "leave", {"joining": token}))

    def _post(self, step: str, request: Mapping[str, Any]) -> tuple[int, bytes]:
        host = f"{in_url(self.place.host)}:{self.place.port}"
        headers = {"Host": host, "Origin": f"http://{host}", "Content-Type": "application/json"}
        with closing(HTTPConnection(self.place.host, self.place.port, timeout=_ANSWER_S)) as connection:
            connection.request("POST", f"/club/join/{step}", json.dumps(request), headers)
            answer = connection.getresponse()
            return answer.status, answer.read(_MOST_BYTES)


def _read(status: int, body: bytes) -> Mapping[str, Any]:
    """Read an answer of the hub. Raises `JoiningEnded`."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    match status, answer:
        case 200, dict():
            return answer
        case 409, {"ended": str(code)}:
            raise JoiningEnded(code if code in ENDED else "no_hub")
    raise JoiningEnded("no_hub")


def _text(answer: Mapping[str, Any], name: str) -> str:
    value = answer.get(name)
    if not isinstance(value, str):
        raise JoiningEnded("no_hub")
    return value


def _bytes(answer: Mapping[str, Any], name: str) -> bytes:
    try:
        return bytes.fromhex(_text(answer, name))
    except ValueError:
        raise JoiningEnded("no_hub") from None
