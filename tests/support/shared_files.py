"""Serves what the twin's page shares with the board's other pages, where a test has no `Site` beside it."""

from __future__ import annotations

import json

from aiohttp import web

from cribd.boards import PATHS, Board
from cribd.web.http.static_files import StaticFiles
from cribd.web.kiosk.pages import FOLDERS
from cribd.web.kiosk.shared import translations
from cribd.web.kiosk.shared.drawing import drawing


def mount_shared_files(app: web.Application, board: Board) -> None:
    """Add the routes `/page/NAME` and `/table/board`."""
    drawn = json.dumps(drawing(board)).encode()
    words = translations.files(steps=board.has_step_calls)
    made = {PATHS.name: PATHS.read_bytes(), "board.json": drawn, **words}
    files = StaticFiles(FOLDERS, lambda: made)

    async def answer(request: web.Request) -> web.Response:
        return files.respond(request, request.match_info.get("name", "board.json"))

    app.router.add_get("/page/{name}", answer)
    app.router.add_get("/table/board", answer)
