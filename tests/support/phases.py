"""Every phase of an evening as the scoreboard shows it, each reached by playing, none put together by hand.

    python -m tests.support.phases FOLDER [PHASE …]     # a picture of each, at each size and in both languages

`phases` plays the game of `docs/a-game.txt` and short games for more players, and keeps the snapshots. `exhibition`
serves the pages and shows one `Snapshot` after the other, with past games in its journal and without a table.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from aiohttp import web
from playwright.async_api import async_playwright
from tests.support.browser import FLAGS, installed_chromium
from tests.support.kept_games import game_of, game_of_the_docs, keep
from tests.support.visitors import run_clock

from cribboard import PACK, RULES, Card, Game, IllegalAction
from cribboard.actions import (
    Action,
    LayCard,
    NameDealer,
    OpenCount,
    ReadCrib,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TurnStarter,
)
from cribboard.count_judge import CountJudge
from cribboard.evolution import step
from cribboard.position import Phase, Position
from cribboard.view import see
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.inputs import Fault, FaultKind, Input
from cribd.storage.archive import Archive
from cribd.table.rule_sets import PRESETS, RuleSet
from cribd.table.snapshot import Lobby, Refusal, Snapshot
from cribd.web.kiosk.site import Site

BOARDS = {2: "continuous", 3: "triple"}
SIZES = {"1920x1080": (1920, 1080), "1280x720": (1280, 720), "390x844": (390, 844)}
#: Who played today, and what began their games.
EVENING = (("Aline", "Paul"), ("Paul", "Aline"), ("Gisèle", "Jean-Guy"), ("Aline", "Gisèle"))

Positions = Sequence[Position]


def real_game() -> Positions:
    """The game of `docs/a-game.txt` after each of its events: verify, with a few mistakes."""
    played = game_of_the_docs()
    history = [played.heading.begin().position]
    for event in played.events:
        history.append(step(history, event))
    return history


def automatic(preset: str, *, seed: int) -> Positions:
    """A game on auto after each action; players do any legal action."""
    rng, game = Random(seed), Game.start(RULES[preset], way="auto", dealer=0)
    positions = [game.position]

    def does(action: Action) -> bool:
        with suppress(IllegalAction):
            game.do(action)
            positions.append(game.position)
            return True
        return False

    while game.position.phase is not Phase.WON:
        pack = rng.sample(PACK, len(PACK))
        does(TurnStarter(pack.pop()))
        hands = {seat: [pack.pop() for _ in range(4)] for seat in game.position.rules.seats}
        while game.position.phase is Phase.PLAY:
            seat = game.position.turn
            assert seat is not None
            laid = next((card for card in hands[seat] if does(LayCard(seat, card))), None)
            if laid is not None:
                hands[seat].remove(laid)
            else:
                assert does(SayGo(seat))
        while game.position.phase is Phase.SHOW:
            assert does(ReadCrib(pack[-1])) or any(does(OpenCount(side)) for side in game.position.rules.sides)
            if game.position.crib and pack[-1] in game.position.crib:
                pack.pop()
    return positions


def find(positions: Positions, true: Callable[[Position], bool], *, from_part: float = 0) -> Position:
    """The first position for which this is true, from this part of the game on."""
    return next(each for each in positions[int(from_part * len(positions)) :] if true(each))


def phases() -> dict[str, Snapshot]:
    """All phases by name, in the order of an evening."""
    return {"start": Snapshot(mode=Lobby.START), **_verified(), **_trusted(), **_of_many()}


def _verified() -> dict[str, Snapshot]:
    game = real_game()

    def show(position: Position, **manners: Any) -> Snapshot:
        usual: dict[str, Any] = {"names": ("Maude", "Réjean"), "games": (2, 1)}
        return Snapshot(view=see(position), **(usual | manners))

    playing = find(game, lambda p: p.phase is Phase.PLAY and len(p.stack) == 3, from_part=0.6)
    too_high = Refusal("past_thirty_one", {"card": Card.parse("KH"), "count": 34})
    won = find(game, lambda p: p.phase is Phase.WON)
    shown = (p for p in game if p.phase is Phase.SHOW and p.counting is None and p.scores and p.scores[-1].cards)
    return {
        "cut": show(game[0], games=(0, 0)),
        "deal": show(find(game, lambda p: p.phase is Phase.DEAL), games=(0, 0)),
        "play": show(playing),
        "play-many": show(max(game, key=lambda p: (len(p.stack), p.number))),
        "refused": show(playing, refusal=too_high, faults=(Fault(FaultKind.READER_SILENT, "reader"),)),
        "question": show(find(game, lambda p: p.question is not None)),
        "hand": show(find(game, lambda p: p.counting is not None and p.claim is None, from_part=0.6)),
        "counted": show(max(shown, key=lambda p: (p.scores[-1].points, p.number))),
        "won": show(won, games=(3, 1)),
        "match-won": show(won, games=(7, 1), mode=Lobby.AGAIN, match_over=True, match_winner=0),
    }


def _trusted() -> dict[str, Snapshot]:
    """A game in trust, at whose end red is skunked."""
    game = Game.start(RULES["six-card"], way="trust")
    seen = {"trust-cut": Snapshot(view=see(game.position), way="trust")}
    game.do(NameDealer(0))
    for side, points in ((0, 8), (1, 12), (0, 24), (0, 29), (1, 4), (0, 20), (1, 29), (0, 29)):
        game.do(TakePegInHand(side, points))
        game.do(ReleasePeg(side))
    seen["trust"] = Snapshot(view=see(game.position), way="trust")
    game.do(TakePegInHand(0, 11))
    seen["trust-in-hand"] = Snapshot(view=see(game.position), way="trust")
    game.do(ReleasePeg(0))
    return {**seen, "skunk": Snapshot(view=see(game.position), way="trust", games=(4, 1))}


def _of_many() -> dict[str, Snapshot]:
    three, four, six = automatic("three-player", seed=4), automatic("partners", seed=5), automatic("six-player", seed=8)

    def show(position: Position, **manners: Any) -> Snapshot:
        rules: RuleSet = next(preset for preset in PRESETS if preset.rules == position.rules)
        return Snapshot(view=see(position), rules=rules, **manners)

    def playing(game: Positions) -> Position:
        return find(game, lambda p: p.phase is Phase.PLAY and len(p.stack) == 3, from_part=0.5)

    return {
        "three": show(playing(three), names=("Aline", "Paul", "Gisèle"), games=(1, 0, 2)),
        "three-won": show(three[-1], names=("Aline", "Paul", "Gisèle"), games=(1, 0, 3)),
        "four": show(playing(four), names=("Aline et Paul", "Gisèle et Jean-Guy"), games=(1, 3)),
        "six": show(playing(six), games=(1, 0, 2)),
    }


class NoTable:
    """Stands in for a table where nobody plays."""

    def post(self, inputs: Sequence[Input]) -> None:
        """Ignore the input."""

    def must_not_judge(self, judge: CountJudge) -> bool:
        return False


@dataclass
class Exhibition:
    """Pages that show any snapshot."""

    site: Site
    origin: str

    def show(self, snapshot: Snapshot) -> None:
        self.site.show(snapshot)


@asynccontextmanager
async def exhibition(
    folder: Path, *, sides: int = 2, host: str = "127.0.0.1", played: bool = False
) -> AsyncIterator[Exhibition]:
    """The pages of a board for this many sides, without a table. With `played`, games were played today."""
    clock, journal = ManualClock(), folder / "journal.db"
    keep(journal, [game_of(*names, seed=seed) for seed, names in enumerate(EVENING if played else ())])
    site = Site(NoTable(), board=load(BOARDS[sides]), archive=Archive(journal), offered=PRESETS, clock=clock, host=host)
    app = web.Application()
    site.mount(app)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    going = asyncio.create_task(run_clock(clock))
    yield Exhibition(site, f"http://127.0.0.1:{runner.addresses[0][1]}")
    going.cancel()
    await runner.cleanup()


async def _pictures(folder: Path, wanted: Sequence[str]) -> None:
    shows = phases() | {"idle": Snapshot(mode=Lobby.START)}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=installed_chromium(), args=FLAGS)
        for name in wanted or shows:
            view = shows[name].view
            sides = len(view.sides) if view is not None else 2
            earlier = next(show for show in shows.values() if show.view is not None and len(show.view.sides) == sides)
            with tempfile.TemporaryDirectory() as journal:
                idle = name == "idle"
                host = "192.168.1.20" if idle else "127.0.0.1"
                async with exhibition(Path(journal), sides=sides, host=host, played=idle) as pages:
                    for size, (width, height) in SIZES.items():
                        for language in ("en", "fr"):
                            page = await browser.new_page(
                                viewport={"width": width, "height": height}, reduced_motion="reduce"
                            )
                            pages.show(earlier)  # only who saw it being played celebrates a win
                            await page.goto(f"{pages.origin}/?language={language}")
                            await page.wait_for_selector("body:not(.waiting)")
                            pages.show(shows[name])
                            if view is not None and view.winner is not None:
                                await page.wait_for_selector(".confetti")
                            await page.wait_for_selector(".results li" if idle else "main")
                            await page.screenshot(path=folder / f"{name}-{size}-{language}.png")
                            await page.close()
        await browser.close()


if __name__ == "__main__":
    asyncio.run(_pictures(Path(sys.argv[1]), sys.argv[2:]))
