"""The QR code of the table page (ISO/IEC 18004).

There is none for a board that listens on the loopback address alone.
"""

from __future__ import annotations

from functools import lru_cache, partial

from aiohttp import web

from cribd.clock import Clock
from cribd.web.http.addresses import reached_by


class PhoneQrCode:
    """Answers `/table/invitation` with the table page's address and QR code."""

    def __init__(self, host: str, clock: Clock) -> None:
        self._host = host
        self._clock = clock

    def mount(self, app: web.Application) -> None:
        """Add the route."""
        app.router.add_get("/table/invitation", self._answer)

    async def _answer(self, request: web.Request) -> web.Response:
        address = code = None
        if (origin := origin_for_phones(request, self._host)) is not None:
            address = f"{origin}/table"
            code = await self._clock.run_in_thread(partial(draw_qr_code, address))
        return web.json_response({"address": address, "code": code}, headers={"Cache-Control": "no-store"})


def origin_for_phones(request: web.Request, host: str) -> str | None:
    """Return the origin where phones reach this server, or None."""
    socket_name = None if request.transport is None else request.transport.get_extra_info("sockname")
    reached = reached_by(host)
    return None if reached is None or socket_name is None else f"http://{reached}:{socket_name[1]}"


@lru_cache(maxsize=4)
def draw_qr_code(address: str) -> str:
    """Draw the QR code of an address as SVG.

    It is dark on light, with the blank border that a phone needs."""
    import segno

    return str(segno.make(address, error="m").svg_inline(border=3, light="#fffdf6", dark="#17171b", omitsize=True))
