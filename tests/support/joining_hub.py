"""A hub on this machine that boards ask to join: real requests, real keys, a real journal."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from cribd.clock import SystemClock
from cribd.club.admission import Admission, HubAddress
from cribd.club.hub_place import HubPlace
from cribd.club.joined_boards import JoinedBoards
from cribd.club.keys import ClubKey, load_or_make
from cribd.storage.journal import Journal
from cribd.web.http.json_body import JsonBodyReader
from cribd.web.http.security import RequestGuard
from cribd.web.kiosk.joining_routes import JoiningRoutes

CLOCK = SystemClock()


@dataclass
class Hub:
    """A hub that boards can ask to join, on this machine."""

    key: ClubKey
    boards: JoinedBoards
    admission: Admission
    client: TestClient[web.Request, web.Application]

    @property
    def place(self) -> HubPlace:
        return HubPlace("127.0.0.1", self.client.port or 0)

    @property
    def words(self) -> tuple[str, str] | None:
        """The words that the desk shows."""
        return None if self.admission.compared is None else self.admission.compared.words

    async def post(self, step: str, asked: object) -> tuple[int, Any]:
        headers = {"Origin": str(self.client.make_url("")).rstrip("/")}
        answer = await self.client.post(f"/club/join/{step}", json=asked, headers=headers)
        text = await answer.text()
        return answer.status, json.loads(text) if answer.content_type == "application/json" else text


@asynccontextmanager
async def hub(folder: Path) -> AsyncIterator[Hub]:
    folder.mkdir(exist_ok=True)
    journal = Journal(folder / "hub.sqlite", CLOCK)
    key, boards = load_or_make(folder / "hub.sqlite"), JoinedBoards(journal, CLOCK)
    admission = Admission(boards, key, CLOCK, lambda: HubAddress("Rimouski", 8883))
    app = web.Application()
    RequestGuard().install(app)
    JoiningRoutes(admission, JsonBodyReader(CLOCK)).mount(app)
    try:
        async with TestClient(TestServer(app, host="127.0.0.1")) as client:
            yield Hub(key, boards, admission, client)
    finally:
        journal.close()
