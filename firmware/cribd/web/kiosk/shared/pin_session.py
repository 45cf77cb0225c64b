"""The routes for sessions that a PIN opens."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from cribd.web.http.json_body import JsonBodyReader
from cribd.web.http.limits import client_key
from cribd.web.kiosk.shared.pin import SESSION_S, MustWait, PinAuthenticator, RightPin, WrongGuess


class PinSession:
    """Opens, checks and ends the sessions of browsers.

    `state` is the address that says whether this browser has a session; `pin` and `leave` are in the same folder."""

    def __init__(self, pin: PinAuthenticator, bodies: JsonBodyReader, *, cookie: str, state: str) -> None:
        self._pin = pin
        self._bodies = bodies
        self._cookie = cookie
        self._address = state
        self._watchers: list[Callable[[], None]] = []

    def watch(self, ended: Callable[[], None]) -> None:
        """Call `ended` whenever a browser has ended its session."""
        self._watchers.append(ended)

    def mount(self, app: web.Application) -> None:
        """Add the routes."""
        folder = self._address.rpartition("/")[0]
        app.router.add_get(self._address, self._state)
        app.router.add_post(f"{folder}/pin", self._open)
        app.router.add_post(f"{folder}/leave", self._leave)

    def is_open(self, request: web.Request) -> bool:
        """Whether this browser has a session."""
        return self._pin.has_session(request.cookies.get(self._cookie, ""))

    def must_be_open(self, request: web.Request) -> None:
        """Check that a browser has a session. Raises HTTPForbidden if not."""
        if not self.is_open(request):
            raise web.HTTPForbidden(text="The PIN is needed for this.\n")

    async def _state(self, request: web.Request) -> web.Response:
        """Answer with the state of the PIN."""
        state = "given" if self.is_open(request) else "wanted" if self._pin.is_set else "unset"
        return web.json_response({"pin": state}, headers={"Cache-Control": "no-store"})

    async def _open(self, request: web.Request) -> web.Response:
        match await self._bodies.read(request):
            case {"pin": str(pin)} if self._pin.is_set:
                pass
            case _:
                raise web.HTTPBadRequest(
                    text="A PIN is wanted, as a text.\n" if self._pin.is_set else "No PIN is set.\n"
                )
        match self._pin.authenticate(pin, client_key(request.remote or "")):
            case RightPin(key):
                answer = web.json_response({"pin": "given"})
                answer.set_cookie(self._cookie, key, path="/", max_age=int(SESSION_S), httponly=True, samesite="Strict")
                return answer
            case WrongGuess(left):
                return web.json_response({"left": left}, status=403)
            case MustWait(seconds):
                whole = int(-(-seconds // 1))
                return web.json_response({"wait": whole}, status=429, headers={"Retry-After": str(whole)})

    async def _leave(self, request: web.Request) -> web.Response:
        self._pin.close(request.cookies.get(self._cookie, ""))
        for ended in self._watchers:
            ended()
        answer = web.json_response({"pin": "wanted"})
        answer.del_cookie(self._cookie, path="/", httponly=True, samesite="Strict")
        return answer
