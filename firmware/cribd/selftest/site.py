"""The web pages with the progress of a self-test.

They change nothing: a person answers at the board, at the twin or at the terminal.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web

from cribd.boards import PATHS, Board
from cribd.clock import Clock
from cribd.selftest.results import Results
from cribd.selftest.walk import Scene
from cribd.selftest.wording import page_text
from cribd.text import in_every_language
from cribd.web.http.security import RequestGuard
from cribd.web.http.server import serve_app
from cribd.web.http.sse import EventStream, json_message
from cribd.web.http.static_files import StaticFiles
from cribd.web.kiosk.pages import FOLDERS
from cribd.web.kiosk.shared import translations
from cribd.web.kiosk.shared.drawing import drawing

if TYPE_CHECKING:
    from cribd.twin.machine import Twin

_PAGE = Path(__file__).with_name("page")
_INDEX = "selftest.html"
#: The module that the twin's page imports.
_IMPORTED_SCRIPT = "/selftest/beside.js"


class SelfTestSite:
    """The web site of a self-test of this board.

    `/` is the progress; with a `twin`, `/twin` is its page. Give every scene to `show`."""

    def __init__(self, board: Board, clock: Clock, twin: Twin | None = None) -> None:
        self._board = board
        self._clock = clock
        self._twin = twin
        self._scene = Scene(None, 0, 0, 0)
        self._results: Results = {}
        self._own = StaticFiles([_PAGE], dict)
        self._shared = StaticFiles(FOLDERS, self._generated_files)
        self._stream = EventStream(self._message, clock)

    def show(self, scene: Scene, results: Results) -> None:
        """Show the scene and results. Call this on the loop."""
        self._scene, self._results = scene, dict(results)
        self._stream.change()

    def mount(self, app: web.Application) -> None:
        """Add the routes, and close all connections at shutdown."""
        RequestGuard().install(app)
        app.router.add_get("/", self._page)
        app.router.add_get("/selftest/events", self._stream.answer, allow_head=False)
        app.router.add_get("/selftest/{name}", self._page)
        app.router.add_get("/page/{name}", self._file)
        app.router.add_get("/table/board", self._file)
        if self._twin is not None:
            from cribd.twin.web import TwinPage  # a board on a Pi has no twin

            page = TwinPage(
                self._twin, self._board, clock=self._clock, beside=_IMPORTED_SCRIPT, edition=lambda: self._edition
            )
            page.mount(app)
        app.on_shutdown.append(self._shut_down)

    async def serve(self, host: str, port: int, announce: Callable[[str], None]) -> None:
        """Serve the site until cancelled. Calls `announce` with its address."""
        app = web.Application()
        self.mount(app)
        await serve_app(app, host, port, clock=self._clock, announce=announce)

    @property
    def _edition(self) -> str:
        return self._shared.edition + self._own.edition

    def _generated_files(self) -> dict[str, bytes]:
        board = json.dumps(drawing(self._board)).encode()
        return {
            PATHS.name: PATHS.read_bytes(),
            "board.json": board,
            **translations.files(steps=self._board.has_step_calls),
        }

    async def _page(self, request: web.Request) -> web.Response:
        return self._own.respond(request, request.match_info.get("name", _INDEX))

    async def _file(self, request: web.Request) -> web.Response:
        return self._shared.respond(request, request.match_info.get("name", "board.json"))

    def _message(self) -> bytes:
        scene, results = self._scene, self._results
        text = in_every_language(lambda words: page_text(scene, results, words))
        return json_message({"edition": self._edition, "done": scene.done, "of": scene.of, "text": text})

    async def _shut_down(self, _app: web.Application) -> None:
        await self._stream.close()
