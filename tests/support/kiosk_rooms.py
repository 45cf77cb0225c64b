"""The pages of a board, served on this machine for the tests that request them: a real table, a real server."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from errno import ENOSPC
from pathlib import Path
from typing import Any

from aiohttp import ClientResponse, web
from aiohttp.test_utils import TestClient, TestServer
from tests.support.evenings import LONG, SIX_CARD, USUAL, Evening, evening
from tests.support.waiting import PATIENCE_S, until

from cribboard.rules import Rules
from cribd.causes import reason
from cribd.storage.archive import Archive
from cribd.storage.stick import StickState
from cribd.table.rule_sets import PRESETS
from cribd.table.settings import Policy
from cribd.table.snapshot import Snapshot
from cribd.web.kiosk.site import Site

PIN = "2580"
ORGANISER_PIN = "1379"


@dataclass
class House:
    """A table that is switched on, and its pages."""

    table: Evening
    site: Site
    client: TestClient[web.Request, web.Application]
    until = staticmethod(until)

    @property
    def origin(self) -> str:
        return str(self.client.make_url("")).rstrip("/")

    async def post(self, path: str, payload: object, **extra: Any) -> ClientResponse:
        """Post it as a page of this board does."""
        headers = {"Origin": self.origin, "Content-Type": "application/json"} | extra.pop("headers", {})
        body = payload if isinstance(payload, str | bytes) else json.dumps(payload)
        return await self.client.post(path, data=body, headers=headers, **extra)

    async def judge(self, cards: str, called: int | None = None, **otherwise: object) -> Any:
        asked = {"cards": cards.split(), "crib": False, "rules": SIX_CARD.label, "called": called} | otherwise
        answer = await self.post("/verify/judge", asked)
        assert answer.status == 200
        return await answer.json()

    async def unlock(self) -> None:
        assert (await self.post("/table/pin", {"pin": PIN})).status == 200

    async def tap(self, *cards: str) -> None:
        """Tap these cards on the pad. The table hears each before the next."""
        for card in cards:
            assert (await self.post("/table/scan", {"card": card})).status == 204
            await self.table.clock.run_ready_tasks(lambda: self.table.table.has_no_input)


class Looker:
    """A client of the event stream of `/table`."""

    def __init__(self, answer: ClientResponse) -> None:
        self.answer = answer
        self.beats = 0

    async def picture(self) -> Any:
        """The next snapshot. `beats` counts the heartbeats before it."""
        event = ""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                line = (await self.answer.content.readline()).decode().rstrip("\n")
                match line.partition(":")[::2]:
                    case "event", name:
                        event = name.strip()
                    case "data", data if event == "":
                        return json.loads(data)
                    case "data", _:
                        self.beats += 1
                        event = ""
                assert line or not self.answer.content.at_eof(), "the stream ended"


class _Copies:
    """A stick on which no copy is until one is asked for, and then no place is left."""

    async def state(self) -> StickState:
        return StickState("CRIBBOARD", True, None)

    async def make(self) -> StickState:
        made = datetime(2026, 3, 14, 4, 0, 7, tzinfo=UTC)
        return StickState("CRIBBOARD", True, made, reason(OSError(ENOSPC, os.strerror(ENOSPC))))


async def _examined(language: str) -> list[dict[str, str]]:
    """A doctor who says in which language he was asked."""
    return [{"measured": language}]


@asynccontextmanager
async def house(
    folder: Path,
    way: str = "verify",
    *,
    pin: str = PIN,
    rules: Rules = SIX_CARD,
    policy: Policy | None = None,
    host: str = "127.0.0.1",
) -> AsyncIterator[House]:
    """A table that is switched on, with its pages served."""
    async with evening(folder, way, policy=policy or USUAL, rules=rules) as table:
        archive = Archive(table.path)
        site = Site(
            table.table,
            board=LONG,
            archive=archive,
            offered=PRESETS,
            clock=table.clock,
            pin=pin,
            competitions=table.competitions,
            organiser_pin=ORGANISER_PIN if pin else "",
            host=host,
            examine=_examined,
            backups=_Copies(),
        )

        def see(snapshot: Snapshot) -> None:
            site.show(snapshot)

        table.watchers.append(see)
        see(table.now)
        app = web.Application()
        site.mount(app)
        async with TestClient(TestServer(app, host="127.0.0.1")) as client:
            yield House(table, site, client)
