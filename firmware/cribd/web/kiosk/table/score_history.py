"""Answers `/table/scores` with the scores of the running game.

Each score is put into words once, in a thread, and cached until it is undone or a side gets another name, so that a
page may ask after every card. The scores are those of a view: only closed claims (design law 9).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from aiohttp import web

from cribboard.score_entry import ScoreEntry
from cribd.clock import Clock
from cribd.table.snapshot import Snapshot
from cribd.web.kiosk.shared.score_json import entry


class ScoreHistory:
    """Answers with the scores of the game so far."""

    def __init__(self, snapshot: Callable[[], Snapshot], clock: Clock) -> None:
        self._snapshot = snapshot
        self._clock = clock
        self._lock = asyncio.Lock()
        self._names: tuple[str, ...] = ()
        self._worded: list[tuple[ScoreEntry, bytes]] = []

    def mount(self, app: web.Application) -> None:
        """Add the route."""
        app.router.add_get("/table/scores", self._answer)

    async def _answer(self, _request: web.Request) -> web.Response:
        async with self._lock:
            body = await self._clock.run_in_thread(self._as_json)
        return web.Response(body=body, content_type="application/json")

    def _as_json(self) -> bytes:
        """Return all scores as JSON, oldest first.

        Only new scores are put into words; the others are cached."""
        snapshot = self._snapshot()
        view = snapshot.view
        if view is None:
            return b"[]"
        if snapshot.names != self._names:
            self._names, self._worded = snapshot.names, []
        unchanged = 0
        for (known, _), scored in zip(self._worded, view.scores, strict=False):
            if known is not scored:
                break
            unchanged += 1
        new = [
            (scored, json.dumps(entry(scored, snapshot.names, view), ensure_ascii=False).encode())
            for scored in view.scores[unchanged:]
        ]
        self._worded = self._worded[:unchanged] + new
        return b"[" + b",".join(text for _, text in self._worded) + b"]"
