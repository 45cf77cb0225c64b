"""Who may come in to the pages, and what every answer says to the browser that gets it.

A request must name this machine: by one of its addresses, by its own name, or as localhost. Another site's name may be
made to lead here too, and then a browser would let that site's scripts read what is answered. Where a browser says from
which page a request comes, it must be one of ours: otherwise any page on the net could press holes, tap cards or try
PINs through its visitor's browser (RFC 6455, 10.2; RFC 6454, 7). What changes anything must say it. Never knows what is
behind the door.

Host, Origin and request line are read strictly (RFC 9110, 7.2; RFC 6454, 6.2; RFC 9112, 3.2): a name, an IPv4 address
or an IPv6 address in brackets, and a port or none. What no browser sends is refused: a user, an empty port, a zone, per
cent signs, a dot at the end, two of a kind, another address in the request line.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING

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
#: An IPv6 address in brackets, or an IPv4 address or a name; and a port.
_HOST = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<name>[0-9A-Za-z._-]+))(?::(?P<port>[0-9]{1,5}))?")
_PORTS = range(1, 65_536)
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

        hosts, origins = request.headers.getall("Host", []), request.headers.getall("Origin", [])
        host = hosts[0].lower() if len(hosts) == 1 else ""
        if not self._is_here(host) or not _is_on(request.raw_path, host):
            raise web.HTTPForbidden(text="This board does not go by that name.\n", headers=HEADERS)
        if not origins and request.method in _LOOKING:
            return
        if [origin.lower() for origin in origins] not in ([f"http://{host}"], [f"https://{host}"]):
            raise web.HTTPForbidden(text="This board only listens to its own page.\n", headers=HEADERS)

    def _is_here(self, host: str) -> bool:
        """A name that only its own page can have in its address."""
        read = _HOST.fullmatch(host)
        if read is None or (read["port"] is not None and int(read["port"]) not in _PORTS):
            return False
        try:
            ipaddress.IPv4Address(read["name"]) if read["name"] else ipaddress.IPv6Address(read["v6"])
        except ValueError:
            own = socket.gethostname().lower()
            return read["name"] in {"localhost", own, f"{own.partition('.')[0]}.local"} | self._hosts
        return True


def _is_on(target: str, host: str) -> bool:
    """Whether the request line asks for a path, or names no other host than this one before it."""
    return target.startswith("/") or target.lower().startswith(f"http://{host}/")
