"""Phones at the tables of an event: the pages of a board, its organiser, and the cards that lie on the tables."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web
from tests.support.kiosk_rooms import ORGANISER_PIN, Looker
from tests.support.phases import NoTable
from tests.support.visitors import run_clock
from tests.support.waiting import PATIENCE_S

from cribboard.competition import FORMATS, Format
from cribboard.competition.actions import Begin, CheckIn, CompetitionAction, Register, StartRound
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.terms import Choice, GameAt, ResultState
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.competition.organiser import Organiser
from cribd.competition.phones import Phones
from cribd.competition.snapshot import CompetitionSnapshot
from cribd.storage.archive import Archive
from cribd.storage.journal import Journal
from cribd.table.rule_sets import PRESETS
from cribd.web.kiosk.site import Site

NAMES = ("Les As", "Les Valets", "Trente et un", "Marie-Ève", "Les Retournes", "Les Pions", "Zoé", "Le Vingt-neuf")
FIRST = GameAt(1, 1)


@dataclass
class Hall:
    """The pages of a board with a journal, and the organiser of its competition."""

    folder: Path
    clock: ManualClock = field(default_factory=ManualClock)
    port: int = 0

    async def serve(self) -> None:
        """Serve the pages, as a daemon does after a new start."""
        self.journal = Journal(self.folder / "journal.db", self.clock)
        competitions = LazyOrganiser(self.journal, self.clock)
        self.site = Site(
            NoTable(),
            board=load("continuous"),
            archive=Archive(self.folder / "journal.db"),
            offered=PRESETS,
            clock=self.clock,
            competitions=competitions,
            organiser_pin=ORGANISER_PIN,
        )
        app = web.Application()
        self.site.mount(app)
        self.runner = web.AppRunner(app)
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", self.port, reuse_address=True).start()
        self.port = self.runner.addresses[0][1]
        self.owner: Organiser = await competitions.organiser()

    async def go_away(self) -> None:
        await self.runner.cleanup()
        self.journal.close()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def now(self) -> CompetitionSnapshot:
        assert isinstance(self.owner.state, CompetitionSnapshot)
        return self.owner.state

    @property
    def phones(self) -> Phones:
        """The keys and codes of the competition, read anew."""
        return Phones(self.journal, self.now.number)

    def code(self, entrant: int) -> str:
        """The code of the captain of this entrant."""
        return self.phones.captain_code(self.now.organiser.entrants[entrant - 1])

    async def do(self, *actions: CompetitionAction) -> None:
        await self.owner.do(*actions)

    async def begin(self, form: str | Format = "acc", entrants: int = 4, *, seat: bool = True) -> None:
        """A new competition with entrants who are there; its first round is played, or not seated yet."""
        held = FORMATS[form] if isinstance(form, str) else form
        await self.owner.begin(CompetitionHeading(format=held, name="Mardi", tables=8))
        actions: list[CompetitionAction] = []
        for number, name in enumerate(NAMES[:entrants], start=1):
            players = (f"Anne {number}", f"Benoît {number}") if held.team_size == 2 else ()
            actions += [Register(name=name, players=players), CheckIn(number)]
        await self.do(*actions, Begin(Choice.ONE_SHORT))
        if seat:
            await self.seat()

    async def seat(self) -> None:
        await self.owner.draw()
        await self.do(StartRound())

    def pair(self, table: int) -> tuple[int, int]:
        """Who sits at this table."""
        return next(each.entrants for each in self.now.hall.tables if each.table == table)

    def state(self, at: GameAt = FIRST) -> ResultState | None:
        """How the result of this game stands; None if there is none."""
        tables = self.now.organiser.rounds[at.round - 1].tables
        results = next(table.results for table in tables if table.table == at.table)
        return results[at.game - 1].state if at.game <= len(results) else None

    def card(self, table: int) -> dict[str, Any]:
        """What the QR code of a table's card tells a phone."""
        return {"table": table, "key": self.phones.table_key(table)}


@asynccontextmanager
async def hall(folder: Path) -> AsyncIterator[Hall]:
    """A hall whose clock runs faster than real time."""
    on = Hall(folder)
    await on.serve()
    going = asyncio.create_task(run_clock(on.clock))
    yield on
    going.cancel()
    await on.go_away()


class Phone:
    """A browser without a screen: a phone of this hall."""

    def __init__(self, hall: Hall, session: aiohttp.ClientSession) -> None:
        self.hall = hall
        self.session = session

    async def post(self, path: str, payload: object, status: int = 200) -> Any:
        headers = {"Origin": self.hall.origin, "Content-Type": "application/json"}
        async with self.session.post(f"{self.hall.origin}{path}", data=json.dumps(payload), headers=headers) as answer:
            assert answer.status == status, await answer.text()
            return await answer.json()

    async def sit(self, table: int, entrant: int) -> None:
        await self.post("/event/table/sit", {**self.hall.card(table), "entrant": entrant})

    async def ask(self, do: object, at: GameAt | None = None, /, *, status: int = 200, **beside: Any) -> Any:
        """Send a request of this phone's page."""
        where = {} if at is None else {"at": {"round": at.round, "table": at.table, "game": at.game}}
        return await self.post(
            "/event/table/do", {"do": do, "competition": self.hall.now.number, **where, **beside}, status
        )

    async def refused(self, do: object, at: GameAt | None = None, /, *, status: int = 409, **beside: Any) -> str:
        """The code of the refusal."""
        return str((await self.ask(do, at, status=status, **beside))["refused"]["code"])

    async def picture(self, when: Callable[[Any], bool] = lambda _: True) -> Any:
        """What the phone is shown, as soon as that is so."""
        async with (
            asyncio.timeout(PATIENCE_S),
            self.session.get(f"{self.hall.origin}/event/table/events") as answer,
        ):
            looker = Looker(answer)
            while not when(payload := await looker.picture()):
                pass
            return payload


@asynccontextmanager
async def phone(hall: Hall) -> AsyncIterator[Phone]:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield Phone(hall, session)


async def both_sit(hall: Hall, one: Phone, other: Phone, form: str = "acc") -> tuple[int, int]:
    """The pair of table 1 in a new competition, each with its phone."""
    await hall.begin(form)
    pair = hall.pair(1)
    await one.sit(1, pair[0])
    await other.sit(1, pair[1])
    return pair
