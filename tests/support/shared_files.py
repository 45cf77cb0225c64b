"""Serves what the twin's page shares with the board's other pages, where a test has no `Site` beside it."""

from __future__ import annotations

from aiohttp import web

from cribd.boards import PATHS
from cribd.web.http.static_files import StaticFiles
from cribd.web.kiosk.pages import FOLDERS
from cribd.web.kiosk.shared import translations


def mount_shared_files(app: web.Application) -> None:
    """Add the route `/page/NAME`."""
    files = StaticFiles(FOLDERS, lambda: {PATHS.name: PATHS.read_bytes(), **translations.files()})

    async def answer(request: web.Request) -> web.Response:
        return files.respond(request, request.match_info["name"])

    app.router.add_get("/page/{name}", answer)
