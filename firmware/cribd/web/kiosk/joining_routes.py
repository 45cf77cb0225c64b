"""The routes by which a board joins the club.

Each step is at `/club/join/STEP` (`cribd.club.joining`). A board needs no PIN: two people compare its words. What is
asked is as bounded as on the other routes, and how many boards may ask is bounded by the `Admission`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from aiohttp import web

from cribd.club.joining import JoiningEnded
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.http.limits import LOCAL, client_key

if TYPE_CHECKING:
    from cribd.club.admission import Admission

STEPS = ("ask", "reveal", "hear", "leave")


class JoiningRoutes:
    """Answers boards that join the club of this hub."""

    def __init__(self, admission: Admission, bodies: JsonBodyReader) -> None:
        self._admission = admission
        self._bodies = bodies

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        for step in STEPS:
            app.router.add_post(f"/club/join/{step}", partial(self._answer, step=step))

    async def _answer(self, request: web.Request, *, step: str) -> web.Response:
        body = await self._bodies.read(request)
        client = client_key(request.remote or "")
        try:
            answer = await self._admission.answer(step, body, client=client, is_local=client == LOCAL)
        except JoiningEnded as ended:
            return web.json_response({"ended": ended.code}, status=409)
        except ValueError as wrong:
            raise web.HTTPBadRequest(text=f"{wrong}\n") from None
        return web.json_response(answer, headers={"Cache-Control": "no-store"})
