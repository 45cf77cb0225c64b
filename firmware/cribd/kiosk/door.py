"""Who may come in to the pages, and what every answer says to the browser that gets it.

A request must name this machine: by one of its addresses, by its own name, or as localhost. Another site's name may be
made to lead here too, and then a browser would let that site's scripts read what is answered. Where a browser says from
which page a request comes, it must be one of ours: otherwise any page on the net could press holes, tap cards or try
PINs through its visitor's browser (RFC 6455, 10.2; RFC 6454, 7). What changes anything must say it. Never knows what is
behind the door.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from aiohttp import web

HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Server": "Cribboard",
    "X-Content-Type-Options": "nosniff",
}
#: What a browser sends when it only looks.
_LOOKING = ("GET", "HEAD")


class Door:
    """Lets in who names this machine and comes from its own pages.

    `hosts` are names that a request may use besides the machine's addresses, its own name and localhost.
    """

    def __init__(self, hosts: Iterable[str] = ()) -> None:
        self._hosts = {host.lower() for host in hosts}

    def guard(self, app: web.Application) -> None:
        """Check every request of this application, whatever it asks for, and give every answer its headers."""
        from aiohttp import web

        @web.middleware
        async def check(
            request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
        ) -> web.StreamResponse:
            self.check(request)
            return await handler(request)

        async def label(_request: web.Request, response: web.StreamResponse) -> None:
            for name, value in HEADERS.items():
                if name not in response.headers or name == "Server":
                    response.headers[name] = value

        app.middlewares.append(check)
        app.on_response_prepare.append(label)

    def check(self, request: web.Request) -> None:
        """Raises HTTPForbidden if the request does not name this machine, or comes from another page than its own."""
        from aiohttp import web

        host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
        if not self._is_here(host):
            raise web.HTTPForbidden(text="This board does not go by that name.\n", headers=HEADERS)
        if origin is None and request.method in _LOOKING:
            return
        if origin is None or _place(origin) != host.lower():
            raise web.HTTPForbidden(text="This board only listens to its own page.\n", headers=HEADERS)

    def _is_here(self, host: str) -> bool:
        """A name that only its own page can have in its address."""
        try:
            place = urlsplit(f"//{host}")
            name, _ = place.hostname or "", place.port
        except ValueError:
            return False
        if place.netloc != host or place.username is not None:
            return False
        with contextlib.suppress(ValueError):
            return bool(ipaddress.ip_address(name))
        own = socket.gethostname().lower()
        return name in {"localhost", own, f"{own.partition('.')[0]}.local"} | self._hosts


def _place(origin: str) -> str:
    """Whose page this is: the host and port of an address; nothing of what is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""
