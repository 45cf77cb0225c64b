"""A hall whose screen shows a competition: the pages of a board, and the organiser who runs it.

python -m tests.support.halls FOLDER [SCENE …]     # a picture of each scene, at each size and in both languages
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from aiohttp import web
from playwright.async_api import Page, async_playwright
from tests.support.browser import FLAGS, installed_chromium
from tests.support.organised import held
from tests.support.phases import SIZES, NoTable
from tests.support.visitors import run_clock

from cribboard.competition import FORMATS, Format, read_format
from cribboard.competition.actions import (
    AnnounceStart,
    Begin,
    CallOfficial,
    CheckIn,
    CheckResult,
    CompetitionAction,
    EndPlay,
    EnterResult,
    OpenPlace,
    Pause,
    Register,
    StartRound,
)
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.terms import Choice, GameAt, ResultState
from cribd.boards import load
from cribd.clock import Clock, ManualClock, SystemClock
from cribd.club.board_status import BoardControl
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.competition.organiser import Organiser
from cribd.competition.snapshot import CompetitionSnapshot
from cribd.storage.archive import Archive
from cribd.storage.journal import Journal
from cribd.table.rule_sets import PRESETS
from cribd.table.snapshot import Snapshot
from cribd.web.kiosk.site import Site

PIN = "2580"
FIRST = (
    "Marie-Ève", "Jean-François", "Geneviève", "Réjean", "Huguette", "Ghislain", "Thérèse", "Yvon", "Odile", "Benoît",
    "Élisabeth", "Maurice", "Pierrette", "Luc", "Zoé", "Armand",
)  # fmt: skip
LAST = ("Bellemare-Archambault", "Côté", "Tremblay", "Desrochers")
TEAMS = (
    "Les As de la Petite-Patrie", "Club de l’amitié de Saint-Hyacinthe", "Les Valets", "Trente et un",
    "Les Retournes", "Cribbeurs du Saguenay–Lac-Saint-Jean", "Les Pions", "Le Vingt-neuf", "Les Quintes",
)  # fmt: skip


def name(number: int) -> str:
    """The name of an entrant who plays alone: no two the same, and some long."""
    return f"{FIRST[(number - 1) % len(FIRST)]} {LAST[(number - 1) // len(FIRST) % len(LAST)]}"


@dataclass
class Hall:
    """The pages of a board, and its organiser."""

    site: Site
    owner: Organiser
    clock: Clock
    journal: Journal
    runner: web.AppRunner
    port: int

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def now(self) -> CompetitionSnapshot:
        return held(self.owner)

    async def go_away(self) -> None:
        """The pages and the journal are closed; another hall may follow at the same port."""
        await self.runner.cleanup()
        self.journal.close()

    async def do(self, *actions: CompetitionAction) -> None:
        await self.owner.do(*actions)

    async def begin(self, form: Format, entrants: int, *, there: int | None = None, called: str = "") -> None:
        """A new competition. Of its entrants so many are there, and play begins if all of them are."""
        await self.owner.begin(CompetitionHeading(format=form, name=called, date="2026-03-01", tables=64))
        actions: list[CompetitionAction] = []
        for number in range(1, entrants + 1):
            pair = (FIRST[number % len(FIRST)], f"{FIRST[(number + 5) % len(FIRST)]} B.")
            team = form.team_size == 2
            actions.append(Register(name=TEAMS[number - 1] if team else name(number), players=pair if team else ()))
            if there is None or number <= there:
                actions.append(CheckIn(number))
        await self.do(*actions)
        if there is None:
            await self.do(Begin(Choice.ONE_SHORT))

    async def draw(self, *, start: bool = True) -> None:
        await self.owner.draw()
        if start:
            await self.do(StartRound())

    async def results(
        self, *, but: int = 0, lost: Callable[[int, int], int] = lambda round_, table: 60 + table
    ) -> None:
        """A result of every game of this round, but of the last tables."""
        number = self.now.hall.round
        tables = self.now.hall.tables
        target = self.now.heading.format.game_rules.game.target
        for each in tables[: len(tables) - but]:
            while at := next((at for at, _ in self.now.since if (at.round, at.table) == (number, each.table)), None):
                pair = (target, min(lost(number, each.table), target - 1))
                scores = pair if each.entrants[0] < each.entrants[1] else pair[::-1]
                await self.do(EnterResult(at=at, scores=scores))

    async def end(self) -> None:
        """Play is over, and every result is compared with its slip."""
        checks = [
            CheckResult(GameAt(held.number, table.table, game))
            for held in self.now.organiser.rounds
            for table in held.tables
            for game, result in enumerate(table.results, start=1)
            if result.state is ResultState.ACCEPTED
        ]
        await self.do(EndPlay(), *checks)

    async def announce(self, minutes: float) -> None:
        at = SystemClock().wall().astimezone() + timedelta(minutes=minutes)  # as an HTTP server tells it
        await self.do(AnnounceStart(at.isoformat(timespec="seconds")))


@asynccontextmanager
async def hall(
    folder: Path,
    *,
    port: int = 0,
    clock: Clock | None = None,
    language: str = "en",
    boards: BoardControl | None = None,
) -> AsyncIterator[Hall]:
    """The pages of a board whose table speaks this language, and the organiser of its competition.

    `boards` are those of a club."""
    clock = ManualClock() if clock is None else clock
    folder.mkdir(parents=True, exist_ok=True)
    journal = Journal(folder / "journal.db", clock)
    archive = Archive(folder / "journal.db")
    competitions = LazyOrganiser(journal, clock)
    site = Site(
        NoTable(),
        board=load("continuous"),
        archive=archive,
        offered=PRESETS,
        clock=clock,
        pin=PIN,
        competitions=competitions,
        organiser_pin=PIN,
        boards=boards,
    )
    site.show(Snapshot(language=language))
    app = web.Application()
    site.mount(app)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, reuse_address=True).start()
    going = asyncio.create_task(run_clock(clock)) if isinstance(clock, ManualClock) else None
    served = Hall(site, await competitions.organiser(), clock, journal, runner, runner.addresses[0][1])
    yield served
    if going is not None:
        going.cancel()
    await served.go_away()


# Every scene of a day, each reached by playing

SEALED = read_format({"format": "fadoq", "ranking": ["points", "spread"]})
LOOSE = FORMATS["acc"]
SHARED = read_format({"format": "round-robin", "ranking": ["wins"]})
Scene = Callable[[Hall], Awaitable[None]]


async def guests(on: Hall) -> None:
    await on.begin(LOOSE, 64, there=41, called="Tournoi du printemps de la Petite-Patrie")
    await on.announce(12.5)


async def few_guests(on: Hall) -> None:
    await on.begin(SEALED, 8, there=5)


async def drawn_few(on: Hall) -> None:
    await on.begin(SEALED, 8, called="Tournoi de mars")
    await on.draw(start=False)
    await on.announce(4.5)


async def drawn_some(on: Hall) -> None:
    await on.begin(LOOSE, 13, called="Mardi")
    await on.draw(start=False)


async def drawn_many(on: Hall) -> None:
    await on.begin(LOOSE, 64, called="Tournoi du printemps de la Petite-Patrie")
    await on.draw(start=False)


async def sealed_round(on: Hall) -> None:
    await on.begin(SEALED, 8, called="Tournoi de mars")
    await on.draw()
    await on.results(but=2)
    await on.do(CallOfficial(on.now.hall.tables[3].entrants[0]))


async def odd_round(on: Hall) -> None:
    await on.begin(SEALED, 9, called="Tournoi de mars")
    await on.draw()


async def open_round(on: Hall) -> None:
    await on.begin(LOOSE, 24, called="Mardi")
    await on.draw()
    await on.results()
    await on.draw()
    await on.results(but=5)


async def big_round(on: Hall) -> None:
    await on.begin(LOOSE, 64, called="Tournoi du printemps de la Petite-Patrie")
    await on.draw()
    await on.results(but=20)


async def two(on: Hall) -> None:
    await on.begin(FORMATS["match-play"], 2, called="Finale")
    await on.draw()


async def paused(on: Hall) -> None:
    await sealed_round(on)
    await on.results()
    await on.do(Pause("Dîner — on mange dans la salle du fond"))
    await on.announce(42)


async def played(on: Hall) -> None:
    await sealed_round(on)
    await on.results()
    await on.end()


async def third(on: Hall) -> None:
    await played(on)
    await on.do(OpenPlace(3))


async def second(on: Hall) -> None:
    await third(on)
    await on.do(OpenPlace(2))


async def first(on: Hall) -> None:
    await second(on)
    await on.do(OpenPlace(1))


async def long_totals(on: Hall) -> None:
    await on.begin(FORMATS["jeux50"], 9, called="Jeux de Laval")
    for _ in range(9):
        await on.draw()
        await on.results()
    await on.end()


async def many_ties(on: Hall) -> None:
    await on.begin(FORMATS["acc"], 14, called="Thursday")
    for _ in range(9):
        await on.draw()
        await on.results()
    await on.end()


async def level_played(on: Hall) -> None:
    await on.begin(SHARED, 6, called="Ligue amicale")
    await on.draw()
    await on.results()
    await on.end()


async def level(on: Hall) -> None:
    await level_played(on)
    await on.do(OpenPlace(1))


SCENES: Mapping[str, Scene] = {
    scene.__name__: scene
    for scene in (
        guests, few_guests, drawn_few, drawn_some, drawn_many, sealed_round, odd_round, open_round, big_round, two,
        long_totals, many_ties, paused, played, third, second, first, level,
    )
}  # fmt: skip
#: Scenes in which a page sees a place being opened, and what has come before.
MOMENTS: Mapping[str, tuple[Scene, CompetitionAction]] = {
    "moment_third": (played, OpenPlace(3)),
    "moment_first": (second, OpenPlace(1)),
    "moment_level": (level_played, OpenPlace(1)),
}


#: Keeps every message of the hall's stream, as it came.
_KEEPS = """
  window.came = [];
  const Source = window.EventSource;
  window.EventSource = class extends Source {
    constructor(...given) { super(...given); this.addEventListener('message', ({ data }) => window.came.push(data)); }
  };
"""


async def keep_what_comes(page: Page) -> None:
    """Open the page again, and keep every message of the stream in `came`."""
    await page.add_init_script(_KEEPS)
    await page.reload()
    await page.wait_for_selector("body:not(.waiting)")


async def settled(page: Page, on: Hall) -> None:
    """Wait until the page shows the present state; it keeps what comes."""
    now = on.now.hall
    wanted = [on.now.number, now.phase, now.stage, len(now.outstanding), len(now.opened), len(now.calls), now.starts]
    await page.wait_for_function(
        """(wanted) => {
          const { competition, phase, stage, outstanding, opened, calls, starts } = JSON.parse(window.came.at(-1));
          const now = [competition, phase, stage, outstanding?.length, opened?.length, calls?.length, starts];
          return JSON.stringify(now) === JSON.stringify(wanted);
        }""",
        arg=wanted,
    )


async def turned(page: Page) -> int:
    """How many pages there are to turn."""
    if not await page.locator("#turns").is_visible():
        return 1
    text = await page.locator("#leaf").inner_text()
    return int(text.split()[-1])


async def _pictures(folder: Path, wanted: Sequence[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=installed_chromium(), args=FLAGS)
        with tempfile.TemporaryDirectory() as journal:
            async with hall(Path(journal), clock=SystemClock()) as on:
                for scene in wanted or (*SCENES, *MOMENTS):
                    if scene in SCENES:
                        await SCENES[scene](on)
                    for size, (width, height) in SIZES.items():
                        for language in ("en", "fr"):
                            if scene in MOMENTS:
                                await MOMENTS[scene][0](on)
                            window: Any = {"width": width, "height": height}
                            page = await browser.new_page(viewport=window, reduced_motion="reduce")
                            page.on("console", lambda said: print(said.text))
                            page.on("pageerror", lambda error: print(f"! {error}"))
                            await page.goto(f"{on.origin}/event?language={language}")
                            await page.wait_for_selector("body:not(.waiting)")
                            if scene in MOMENTS:
                                await on.do(MOMENTS[scene][1])
                                await page.wait_for_selector("#moment:not([hidden])")
                            await page.wait_for_timeout(150)
                            for leaf in range(await turned(page)):
                                path = folder / f"{scene}-{size}-{language}-{leaf + 1}.png"
                                await page.screenshot(path=path, full_page=width < 700)
                                await page.keyboard.press("ArrowRight")
                            await page.close()
        await browser.close()


if __name__ == "__main__":
    asyncio.run(_pictures(Path(sys.argv[1]), sys.argv[2:]))
