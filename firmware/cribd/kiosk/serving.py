"""Where the pages are served: an address of this machine, for as long as the daemon wants.

A port that is taken is no reason to serve nothing: another is taken, and said. Knows no page.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiohttp import web

#: How long a browser may keep a connection on which it asks for nothing.
_IDLE_S = 30.0
#: How long the board waits at its end for browsers that still listen.
_GOODBYE_S = 0.5


async def serve_app(app: web.Application, host: str, port: int, *, announce: Callable[[str], None]) -> None:
    """Serve the application until this is cancelled. `announce` is given its address. Returns if none can be had."""
    from aiohttp import web

    runner = web.AppRunner(
        app, access_log=None, handle_signals=False, keepalive_timeout=_IDLE_S, shutdown_timeout=_GOODBYE_S
    )
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as taken:
            print(f"page.port = {port} on {host} cannot be had ({taken.strerror}); another is taken.", file=sys.stderr)
            try:
                await web.TCPSite(runner, host, 0).start()
            except OSError as refused:
                print(f"page.host = {host} cannot be had ({refused.strerror}): no page is served.", file=sys.stderr)
                return
        announce(f"http://{host}:{runner.addresses[0][1]}")
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()
