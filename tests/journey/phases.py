"""Every phase of an evening as the scoreboard may show it, each reached by playing, none put together by hand.

    python -m tests.journey.phases FOLDER       # a picture of each, at each size and in both languages

`phases()` plays the game of `docs/a-game.txt` and short games for more players, and keeps what the table showed when.
`exhibition` serves the pages to whoever looks, and shows one `Showing` after the other, without a table behind it.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from aiohttp import web

from cribboard import PACK, RULES, Card, Game, IllegalAction, record
from cribboard.actions import (
    Action,
    Agree,
    Ask,
    CutForDeal,
    LayCard,
    NameDealer,
    OpenCount,
    Question,
    ReadCrib,
    ReleasePeg,
    SayGo,
    TakePegInHand,
    TurnStarter,
    Undo,
)
from cribboard.evolution import step
from cribboard.position import Phase, Position
from cribboard.rules import Rules
from cribboard.view import see
from cribd.archive import Archive
from cribd.boards import load
from cribd.clock import SystemClock
from cribd.facts import Fact, Fault, Kind
from cribd.journal import Journal
from cribd.kiosk.site import Site
from cribd.rule_sets import PRESETS, RuleSet
from cribd.showing import Lobby, Refusal, Showing

A_GAME = Path(__file__).parents[2] / "docs" / "a-game.txt"
BOARDS = {2: "continuous", 3: "triple"}


@dataclass(frozen=True)
class Played:
    """A game, and where it stood after each of its events."""

    positions: tuple[Position, ...]

    def find(self, true: Callable[[Position], bool], *, after: int = 0) -> Position:
        """The first position of which something is true, after so many events."""
        return next(each for each in self.positions[after:] if true(each))


def real_game() -> Played:
    """The game of `docs/a-game.txt`: two people verify, and now and then slip."""
    played = record.read(A_GAME.read_text(encoding="utf-8"))
    history = [played.heading.begin().position]
    for event in played.events:
        history.append(step(history, event))
    return Played(tuple(history))


def automatic(rules: Rules, *, seed: int, deals: int = 40) -> Played:
    """A game in which the board makes the calls, played by people who lay whatever they may."""
    chance, game = Random(seed), Game.start(rules, way="auto", dealer=0)
    positions = [game.position]

    def does(action: Action) -> bool:
        with suppress(IllegalAction):
            game.do(action)
            positions.append(game.position)
            return True
        return False

    for _ in range(deals):
        if game.position.phase is Phase.WON:
            break
        _deal(game, chance, does)
    return Played(tuple(positions))


def _deal(game: Game, chance: Random, does: Callable[[Action], bool]) -> None:
    pack = chance.sample(PACK, len(PACK))
    does(TurnStarter(pack.pop()))
    hands = {seat: [pack.pop() for _ in range(4)] for seat in game.position.rules.seats}
    while game.position.phase is Phase.PLAY:
        seat = game.position.turn
        assert seat is not None
        laid = next((card for card in hands[seat] if does(LayCard(seat, card))), None)
        if laid is not None:
            hands[seat].remove(laid)
        elif not does(SayGo(seat)):
            break
    crib = [pack.pop() for _ in range(4)]
    while game.position.phase is Phase.SHOW:
        if crib and does(ReadCrib(crib[-1])):
            crib.pop()
        elif not any(does(OpenCount(side)) for side in game.position.rules.sides):
            break


def trusting() -> Iterator[Showing]:
    """A game without cards: pegs are moved by hand, and Red is skunked."""
    game = Game.start(RULES["six-card"], way="trust")
    yield Showing(view=see(game.position), way="trust")
    game.do(NameDealer(0))
    for side, points in ((0, 8), (1, 12), (0, 24), (0, 29), (1, 4), (0, 20), (1, 29), (0, 29)):
        game.do(TakePegInHand(side, points))
        game.do(ReleasePeg(side))
    yield Showing(view=see(game.position), way="trust")
    game.do(TakePegInHand(0, 11))
    yield Showing(view=see(game.position), way="trust")
    game.do(ReleasePeg(0))
    yield Showing(view=see(game.position), way="trust", games=(4, 1))


def phases() -> dict[str, Showing]:
    """All of them by name, in the order of an evening."""
    named = {"names": ("Maude", "Réjean"), "games": (2, 1)}

    def show(position: Position, **manners: object) -> Showing:
        return replace(Showing(view=see(position)), **(named | manners))  # type: ignore[arg-type]

    played = real_game()
    late = len(played.positions) * 3 // 5
    is_play = played.find(lambda p: p.phase is Phase.PLAY and len(p.stack) == 3, after=late)
    long_count = max(played.positions, key=lambda p: (len(p.stack), p.number))
    counted = max(
        (p for p in played.positions if p.scores and p.scores[-1].cards and p.phase is Phase.SHOW and not p.counting),
        key=lambda p: (p.scores[-1].points, p.number),
    )
    hand = played.find(lambda p: p.counting is not None and p.claim is None, after=late)
    won = played.find(lambda p: p.phase is Phase.WON)
    trust = list(trusting())
    three = automatic(RULES["three-player"], seed=4)
    four = automatic(RULES["partners"], seed=5)
    six = automatic(RULES["six-player"], seed=8)

    def middle(game: Played) -> Position:
        return game.find(lambda p: p.phase is Phase.PLAY and len(p.stack) == 3, after=len(game.positions) // 2)

    def of(position: Position) -> RuleSet:
        return next(each for each in PRESETS if each.rules == position.rules)

    asked = Game.start(RULES["six-card"], way="verify")
    for act in (
        CutForDeal(0, Card.parse("9H")),
        CutForDeal(1, Card.parse("4C")),
        TurnStarter(Card.parse("6C")),
        LayCard(0, Card.parse("7C")),
        Ask(0, Question.MISDEAL),
    ):
        with suppress(IllegalAction):
            asked.do(act)
    with suppress(IllegalAction):
        asked.do(Undo())
    return {
        "start": Showing(lobby=Lobby.START),
        "cut": show(played.positions[0], games=(0, 0)),
        "deal": show(played.find(lambda p: p.phase is Phase.DEAL), games=(0, 0)),
        "play": show(is_play),
        "long": show(long_count),
        "refused": show(is_play, refusal=Refusal("past_thirty_one", {"card": Card.parse("KH"), "count": 34}), faults=(Fault(Kind.READER_SILENT, "reader"),)),
        "hand": show(hand),
        "counted": show(counted),
        "question": replace(show(asked.position), names=()),
        "won": show(won, games=(3, 1)),
        "again": show(won, games=(3, 1), lobby=Lobby.AGAIN),
        "trust-cut": trust[0],
        "trust": trust[1],
        "trust-in-hand": trust[2],
        "skunk": trust[3],
        "three": Showing(view=see(middle(three)), names=("Aline", "Paul", "Gisèle"), rules=of(middle(three)), games=(1, 0, 2)),
        "three-won": Showing(view=see(three.find(lambda p: p.phase is Phase.WON)), rules=of(middle(three)), games=(1, 0, 3)),
        "four": Showing(view=see(middle(four)), names=("Aline et Paul", "Gisèle et Jean"), rules=of(middle(four)), games=(1, 3)),
        "six": Showing(view=see(middle(six)), rules=of(middle(six)), games=(1, 0, 2)),
    }  # fmt: skip


class NoTable:
    """Nobody plays behind an exhibition."""

    def hear(self, facts: Sequence[Fact]) -> None:
        """What visitors press is not heard."""

    def closed_cards(self) -> frozenset[Card]:
        return frozenset()


@dataclass
class Exhibition:
    """Pages that show whatever they are given."""

    site: Site
    origin: str

    def show(self, showing: Showing) -> None:
        self.site.show(showing)


@asynccontextmanager
async def exhibition(folder: Path, *, sides: int = 2, host: str = "127.0.0.1") -> AsyncIterator[Exhibition]:
    """The pages of a board for so many sides, without a table."""
    clock = SystemClock()
    Journal(folder / "journal.db", clock).close()
    archive = Archive(folder / "journal.db")
    site = Site(NoTable(), board=load(BOARDS[sides]), archive=archive, offered=PRESETS, clock=clock, host=host)
    app = web.Application()
    site.mount(app)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield Exhibition(site, f"http://127.0.0.1:{runner.addresses[0][1]}")
    await runner.cleanup()
