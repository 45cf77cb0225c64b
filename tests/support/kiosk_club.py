"""A board with all its pages and the twin's page, served on a network as the daemon serves them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web
from tests.support.kiosk_rooms import house

from cribd.boards import load
from cribd.clock import SystemClock
from cribd.twin.machine import Twin
from cribd.twin.web import TwinPage
from cribd.web.http.server import serve_app
from cribd.web.kiosk.site import Site

PATIENCE_S = 15  # of real time; only a test that fails takes it
#: On a machine 127.0.0.2 is another address than 127.0.0.1, and so somebody else's.
STRANGER, OTHER = "127.0.0.2", "127.0.0.3"


@dataclass
class Club:
    """A board on a network, with all its pages and the twin page."""

    app: web.Application
    port: int

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    @property
    def routes(self) -> list[tuple[str, str]]:
        """Every route: method, and path with a value for each name in it."""
        return sorted(
            (route.method, re.sub(r"\{\w+\}", "1", route.resource.canonical.replace("{name}", "look.css")))
            for route in self.app.router.routes()
            if route.resource is not None
        )

    async def call(self, who: str = STRANGER) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection from another machine."""
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(who, 0))

    async def ask(self, raw: bytes, who: str = STRANGER) -> bytes:
        """All that the board answers to these bytes until it closes the connection; empty if it closes at once."""
        reader, writer = await self.call(who)
        try:
            writer.write(raw)
            async with asyncio.timeout(PATIENCE_S):
                return await reader.read()
        except ConnectionError:
            return b""
        finally:
            writer.close()

    def look(self, path: str = "/verify", more: str = "") -> bytes:
        return f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\n{more}\r\n".encode()


@asynccontextmanager
async def club(folder: Path) -> AsyncIterator[Club]:
    board = load("continuous")
    async with house(folder) as within:
        twin = Twin(board, within.table.clock, folder=folder / "wires")
        async with served(within.site, TwinPage(twin, board, clock=within.table.clock)) as opened:
            yield opened
        twin.close()


@asynccontextmanager
async def served(*pages: Site | TwinPage) -> AsyncIterator[Club]:
    """These pages, served as the daemon serves them."""
    app = web.Application()
    for page in pages:
        page.mount(app)
    async with asyncio.timeout(PATIENCE_S), served_app(app) as port:
        yield Club(app, port)


@asynccontextmanager
async def served_app(app: web.Application) -> AsyncIterator[int]:
    """The port of this application, served as the daemon serves it."""
    said = asyncio.Queue[str]()
    running = asyncio.create_task(
        serve_app(app, "127.0.0.1", 0, clock=SystemClock(), announce=said.put_nowait), name="pages"
    )
    yield int((await said.get()).rpartition(":")[2])
    running.cancel()
    await asyncio.wait([running])
