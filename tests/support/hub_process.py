"""A hub as it runs on an organiser's laptop, for tests: a real process, the organiser's browser, and phones."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
from tests.support.catalogues import phrase
from tests.support.daemon_process import PATIENCE_S
from tests.support.daemon_starts import Process, forked

PIN, CLUB = "2468", "Club de l’Érable"


@dataclass
class Visitor:
    """A browser at a hub: the organiser's, or a phone."""

    session: aiohttp.ClientSession
    origin: str

    async def get(self, path: str) -> Any:
        async with self.session.get(f"{self.origin}{path}") as answer:
            assert answer.status == 200, await answer.text()
            return await answer.json()

    async def post(self, path: str, payload: object, status: int = 200) -> Any:
        async with self.session.post(f"{self.origin}{path}", json=payload, headers={"Origin": self.origin}) as answer:
            assert answer.status == status, await answer.text()
            return await answer.json()

    async def do(self, action: str, /, **fields: object) -> Any:
        """An act of the organiser."""
        return await self.post("/desk/do", {"do": action, **fields})

    async def state(self) -> Any:
        return await self.get("/desk/state")


@dataclass
class Hub:
    """A hub on the journal in `folder`, which can be killed and started again at the same address."""

    folder: Path
    options: tuple[str, ...] = ()
    command: str = "hub"
    port: int = 0
    config: str = ""
    """Lines of the configuration, beside the PIN and the name of the club."""
    running: AsyncExitStack = field(default_factory=AsyncExitStack)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def journal(self) -> Path:
        return self.folder / "journal.db"

    async def start(self, **environment: str) -> None:
        config = self.folder / "club.toml"
        config.write_text(f'[page]\norganiser_pin = "{PIN}"\n[club]\nname = "{CLUB}"\n{self.config}', encoding="utf-8")
        given = ("--config", str(config), "--journal", str(self.journal), "--port", str(self.port), "--no-browser")
        self.process: Process = self.running.enter_context(forked(self.command, *given, *self.options, **environment))
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            said = await asyncio.to_thread(self.process.stdout.readline)
        address = said.removeprefix(phrase(f"command.{self.command}.at", address="")).strip()
        assert address.endswith("/desk" if self.command == "hub" else "/twin")
        self.port = urlsplit(address).port or 0

    async def end(self, how: int = signal.SIGTERM) -> int:
        """Send a signal, and return the exit code."""
        self.process.send_signal(how)
        code = await asyncio.to_thread(self.process.wait, PATIENCE_S)
        await self.running.aclose()
        return code

    @asynccontextmanager
    async def visitor(self) -> AsyncIterator[Visitor]:
        """A browser that keeps its cookies."""
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            yield Visitor(session, self.origin)


@asynccontextmanager
async def hub(
    folder: Path, *options: str, command: str = "hub", config: str = "", **environment: str
) -> AsyncIterator[Hub]:
    """A hub by `cribboard hub`, or another command."""
    on = Hub(folder, options, command, config=config)
    async with on.running:
        await on.start(**environment)
        yield on


async def begin(organiser: Visitor, **form: object) -> None:
    """An event whose first round is played at one table."""
    await organiser.post("/desk/begin", {"format": "round-robin", "name": "Mardi", "tables": 1} | form)
    for number, name in enumerate(("Rita", "Marcel"), start=1):
        await organiser.do("register", name=name)
        await organiser.do("check_in", entrant=number)
    await organiser.do("begin")
    await organiser.post("/desk/draw", {})
    await organiser.do("start_round")


async def sit(organiser: Visitor, phone: Visitor, table: int, entrant: int) -> None:
    """A phone scans the card of this table, as the organiser has printed it, and says who it is."""
    [path] = [each["path"] for each in (await organiser.get("/desk/phones"))["tables"] if each["table"] == table]
    key = parse_qs(urlsplit(path).query)["key"][0]
    await phone.post("/event/table/sit", {"table": table, "key": key, "entrant": entrant})
