"""The answers to requests that change the competition: done and committed, or why not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from cribd.text import Phrases

if TYPE_CHECKING:
    from aiohttp import web

    from cribd.competition.snapshot import State

#: The statuses of refusals; of all others it is 409.
_STATUSES = {"not_kept": 503, "wrong_key": 403, "wrong_code": 403, "phone_unknown": 403}


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
