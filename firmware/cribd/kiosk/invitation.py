"""How a phone gets to the table: the address, and the same as a QR code for the scoreboard (ISO/IEC 18004).

A board that listens to this machine alone invites nobody. One that listens everywhere is reached by the address from
which it would itself reach the network; that is looked up each time, for a network may come and go. Sends nothing.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from cribd.clock import Clock

if TYPE_CHECKING:
    from aiohttp import web

#: Set aside for documents (RFC 5737, RFC 3849): the way there is the way to anywhere.
_ANYWHERE = {4: (socket.AF_INET, "192.0.2.1"), 6: (socket.AF_INET6, "2001:db8::1")}


class Invitation:
    """Says how phones reach the board that listens on this `host`, if they do."""

    def __init__(self, host: str, clock: Clock) -> None:
        self._host = host
        self._clock = clock

    def mount(self, app: web.Application) -> None:
        app.router.add_get("/table/invitation", self._answer)

    async def _answer(self, request: web.Request) -> web.Response:
        from aiohttp import web

        socket_name = None if request.transport is None else request.transport.get_extra_info("sockname")
        host = reached_by(self._host)
        if host is None or socket_name is None:
            return web.json_response({"address": None, "code": None}, headers={"Cache-Control": "no-store"})
        address = f"http://{host}:{socket_name[1]}/table"
        code = await self._clock.aside(partial(qr_code, address))
        return web.json_response({"address": address, "code": code}, headers={"Cache-Control": "no-store"})


def reached_by(host: str) -> str | None:
    """The address by which another machine reaches this one, as a browser writes it; None if there is none."""
    if host == "localhost":
        return None
    address = ipaddress.ip_address(host)
    if address.is_unspecified:
        found = _own_address(address.version)
        if found is None:
            return None
        address = found
    if address.is_loopback:
        return None
    return f"[{address}]" if address.version == 6 else str(address)


def _own_address(version: int) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address from which this machine would send. A datagram socket that is connected sends nothing yet."""
    family, anywhere = _ANYWHERE[version]
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way:
        way.connect((anywhere, 9))
        return ipaddress.ip_address(way.getsockname()[0])
    return None


@lru_cache(maxsize=4)
def qr_code(address: str) -> str:
    """The address as an SVG picture, dark on light, with the quiet zone that a phone needs."""
    import segno

    return str(segno.make(address, error="m").svg_inline(border=3, light="#fffdf6", dark="#17171b", omitsize=True))
