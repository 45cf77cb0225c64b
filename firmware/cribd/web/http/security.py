"""Checks Host and Origin of requests, and adds security headers.

`Host` must be an IP address, this machine's own name, or localhost. Otherwise another site could point its name here
(DNS rebinding), and its scripts could read the answers. `Origin`, where a browser sends it, must be one of
our pages: otherwise any page on the net could press holes, tap cards or try PINs through its visitor's browser
(RFC 6455, 10.2; RFC 6454, 7). A request that changes anything must have an Origin. Knows no route.

Host, Origin and request line are read strictly (RFC 9110, 7.2; RFC 6454, 6.2; RFC 9112, 3.2): a name, an IPv4 address
or an IPv6 address in brackets, with a port or without. What no browser sends is refused: a user, an empty port, a zone,
per cent signs, a dot at the end, two headers of a kind, another address in the request line.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable

from aiohttp import web
from aiohttp.typedefs import Handler

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
#: Methods that change nothing: a browser sends them without an Origin.
_SAFE_METHODS = ("GET", "HEAD")


class RequestGuard:
    """Refuses requests for another host or from another site's pages.

    `hosts` are allowed names besides IP addresses, the machine's own name and localhost.
    """

    def __init__(self, hosts: Iterable[str] = ()) -> None:
        self._hosts = {host.lower() for host in hosts}

    def install(self, app: web.Application) -> None:
        """Check every request, and add the security headers to every answer."""

        @web.middleware
        async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
            self.check(request)
            return await handler(request)

        async def add_headers(_request: web.Request, response: web.StreamResponse) -> None:
            for name, value in HEADERS.items():
                if name not in response.headers or name == "Server":
                    response.headers[name] = value

        app.middlewares.append(check)
        app.on_response_prepare.append(add_headers)

    def check(self, request: web.Request) -> None:
        """Check a request. Raises HTTPForbidden for another host or Origin, or for a change without an Origin."""
        hosts, origins = request.headers.getall("Host", []), request.headers.getall("Origin", [])
        host = hosts[0].lower() if len(hosts) == 1 else ""
        target = request.raw_path.lower()  # only a path, or a URL of this host (RFC 9112, 3.2)
        if not self._is_this_machine(host) or not target.startswith(("/", f"http://{host}/")):
            raise web.HTTPForbidden(text="This board does not go by that name.\n", headers=HEADERS)
        if not origins and request.method in _SAFE_METHODS:
            return
        if [origin.lower() for origin in origins] not in ([f"http://{host}"], [f"https://{host}"]):
            raise web.HTTPForbidden(text="This board only listens to its own page.\n", headers=HEADERS)

    def _is_this_machine(self, host: str) -> bool:
        """Whether the Host header is allowed.

        It is in lower case. Only a name can be used for DNS rebinding, so every address is allowed."""
        read = _HOST.fullmatch(host)
        if read is None or (read["port"] is not None and int(read["port"]) not in _PORTS):
            return False
        try:
            ipaddress.IPv4Address(read["name"]) if read["name"] else ipaddress.IPv6Address(read["v6"])
        except ValueError:
            own = socket.gethostname().lower()
            return read["name"] in {"localhost", own, f"{own.partition('.')[0]}.local"} | self._hosts
        return True
