"""The answers to requests about the competition: what was read, or done and committed; or why not."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from cribd.clock import Clock
from cribd.storage.archive import ArchiveAway
from cribd.storage.journal import JournalDamaged, NotKept
from cribd.text import Phrases

if TYPE_CHECKING:
    from aiohttp import web

    from cribd.competition.snapshot import State

T = TypeVar("T")

#: The statuses of refusals; of all others it is 409.
_STATUSES = {"not_kept": 503, "wrong_key": 403, "wrong_code": 403, "phone_unknown": 403}


async def read(clock: Clock, make: Callable[[], T]) -> T:
    """What is read of the journal, in a thread. Raises HTTPServiceUnavailable, with why, if it cannot be read."""
    from aiohttp import web

    try:
        return await clock.run_in_thread(make)
    except (ArchiveAway, JournalDamaged, NotKept) as wrong:
        raise web.HTTPServiceUnavailable(text=f"{wrong}\n") from wrong


async def read_json(clock: Clock, make: Callable[[], object]) -> web.Response:
    """The answer with this JSON, which is made in a thread. Raises as `read`."""
    from aiohttp import web

    from cribd.web.http.worker import encode_json

    body = await read(clock, lambda: encode_json(make()))
    return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-store"})


async def within(most: int, body: Awaitable[T], *, state: State, spoken: Mapping[str, Phrases]) -> T:
    """The body of a request; HTTPRequestEntityTooLarge, with a refusal in words, for one longer than `most` bytes."""
    from aiohttp import web

    from cribd.web.kiosk import competition_json

    try:
        return await body
    except web.HTTPRequestEntityTooLarge as refused:
        payload = competition_json.refusal("body_too_long", {"most": most // 1024}, state, spoken)
        refused.text, refused.content_type = json.dumps(payload), "application/json"
        raise


def query_number(request: web.Request, name: str, *, usual: int) -> int:
    """A number of the query, `usual` if it is not there. Raises HTTPBadRequest."""
    from aiohttp import web

    word = request.query.get(name)
    if word is None:
        return usual
    if not (word.isascii() and word.isdecimal() and len(word) < 10):
        raise web.HTTPBadRequest(text=f"{name} is a whole number.\n")
    return int(word)


async def answer(
    work: Callable[[], Awaitable[Any]],
    *,
    state: Callable[[], State],
    spoken: Mapping[str, Phrases],
    public: bool = False,
) -> web.Response:
    """Do the `work`, and answer with what it tells; or why not: 400 if it is not understood, 503 if it cannot be kept,
    403 if that is not for this browser, 409 if it is refused. `public`: a refusal has names as the hall has them."""
    from aiohttp import web

    from cribboard.competition import RefusedAction
    from cribd.competition.action_json import NotAnAction
    from cribd.competition.refusals import RefusedRequest
    from cribd.web.kiosk import competition_json

    try:
        return web.json_response(await work())
    except NotAnAction as wrong:
        return web.json_response(competition_json.not_understood(wrong, spoken), status=400)
    except (RefusedAction, RefusedRequest) as refused:
        told = competition_json.refusal(refused.code, refused.values, state(), spoken, public=public)
        return web.json_response(told, status=_STATUSES.get(refused.code, 409))
