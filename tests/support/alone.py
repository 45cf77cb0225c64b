"""Somebody who plays alone, in virtual time: a twin, its board and a session, and a person who counts right."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from cribboard import actions
from cribboard.actions import Action
from cribboard.cards import Card
from cribboard.events import Event
from cribboard.position import Phase, Position
from cribboard.rules import RULES, Way
from cribboard.strategy import RobotLevel
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config, ReaderConfig, SoundConfig, TableConfig
from cribd.daemon import Device, open_device
from cribd.daemon.solo import PlayingAlone, play_alone
from cribd.robots.next_action import BesideBoard, Robots
from cribd.robots.press_and_scan import Presser
from cribd.solo.session import PERSON
from cribd.solo.state_json import state_of
from cribd.storage.journal import Journal
from cribd.table.rule_sets import PRESETS
from cribd.twin.machine import Twin

T = TypeVar("T")


class Alone:
    """One running board with its session."""

    def __init__(self, twin: Twin, device: Device, clock: ManualClock, parts: PlayingAlone) -> None:
        self.twin = twin
        self.device = device
        self.clock = clock
        self.session = parts.session
        self.person = parts.person
        self.turns = parts.turns
        self.page = parts.page
        self.fingers = Presser(twin, clock, shown=lambda: device.snapshot)

    @property
    def position(self) -> Position:
        """Where the game stands."""
        latest = self.device.table.latest
        assert latest is not None
        return latest.game.position

    @property
    def log(self) -> tuple[Event, ...]:
        """The log of the game."""
        latest = self.device.table.latest
        assert latest is not None
        return latest.game.log

    @property
    def journal(self) -> Journal:
        """Where everything is kept."""
        return self.device.competitions.journal

    def state(self, *, hands: bool = True) -> dict[str, Any]:
        """What the page of the person shows."""
        return state_of(self.session, self.turns, may_act=hands)

    @property
    def asked(self) -> str | None:
        """What the page asks the person for."""
        ask = self.state().get("ask")
        return None if ask is None else str(ask["kind"])

    async def pass_time(self, seconds: float) -> None:
        """Let time pass."""
        await self.clock.advance(seconds)

    async def together(self, doing: Any) -> None:
        """Do it while time passes."""
        task = asyncio.ensure_future(doing)
        while not task.done():
            await self.clock.advance(0.01)
        await task

    async def until(self, true: Callable[[], bool], *, most_s: float = 60.0) -> None:
        """Wait until it is true; AssertionError if it takes too long."""
        waited = 0.0
        while not true():
            assert waited < most_s, f"{self.position.phase}: {self.state()}"
            await self.pass_time(0.1)
            waited += 0.1

    async def start(self, rules: str = "six-card", way: Way = Way.VERIFY, **more: Any) -> None:
        """Begin a game, and wait until the board has it."""
        person = more.pop("person", True)
        strength = more.pop("strength", RobotLevel.MEDIUM)
        await self.together(self.session.start(RULES[rules].label, way, strength, person=person, **more))
        await self.until(lambda: self.session.game is not None)

    def _everybody(self) -> Robots:
        rules, solo = self.position.rules, self.session.solo_game
        assert solo is not None
        return Robots(rules, dict.fromkeys(rules.seats, RobotLevel.MEDIUM), solo.seed)

    async def act_for_the_person(self) -> bool:
        """Do what a person who counts right does next. Returns whether there was something to do."""
        session, p = self.session, self.position
        match self.asked:
            case "cut" | "starter":
                await self.done(self.person.cut())
                return True
            case "discard":
                deal = session.deal
                assert deal is not None
                given = self._everybody().deal_with_discards(deal, p, p.deal).discarded[PERSON]
                await self.together(self.person.discard(given or ()))
                return True
            case "lay" | "show":
                await self.done(self.person.lay(self.card_to_lay()))
                return True
            case "crib":
                await self.done(self.person.turn_crib())
                return True
        return await self._press(p)

    async def _press(self, p: Position) -> bool:
        """The presses of the person: claims, answers, a go."""
        game, robots = self.session.game, self.session.robots
        if game is None or robots is None:
            return False
        log = game.game.log
        wanted = self._everybody().next_action(p, log, self.session.deal)
        is_own_peg = isinstance(wanted, actions.TakePegInHand | actions.ReleasePeg) and wanted.side == 0
        if not is_own_peg and robots.next_action(p, log, self.session.deal) is not None:
            return False
        if isinstance(wanted, BesideBoard):
            await self.together(self.person.counted())
        elif wanted is None and p.way is Way.AUTO and p.phase is Phase.SHOW:
            wanted = actions.OpenCount(0)
        if wanted is None:
            return False
        if not isinstance(wanted, BesideBoard):
            await self.do(wanted)
        return True

    async def do(self, action: Action) -> None:
        """Press for this action, and wait for the board."""
        await self.done(self.fingers.do(action, self.position))

    async def done(self, doing: Any) -> None:
        """Do it, and wait for the board's answer."""
        number = self.position.number
        await self.together(doing)
        for _ in range(400):
            if self.position.number != number:
                return
            await self.clock.advance(0.005)

    def card_to_lay(self) -> Card:
        """The highest card of the person that fits, or else the lowest."""
        state = self.state()
        hand = [Card.parse(card) for card in state["hand"]]
        fits = [card for card in hand if state["over"] or (state["count"] or 0) + card.value <= 31]
        return fits[-1] if fits else hand[0]

    async def play(self, until: Callable[[], bool], *, most: int = 3000) -> None:
        """Play on until it is true."""
        for _ in range(most):
            if until():
                return
            if not await self.act_for_the_person():
                if self.turns.leaves_time:
                    self.turns.step()
                await self.pass_time(0.2)
        raise AssertionError(f"{self.position}: {self.state()}")

    async def until_asked(self, *kinds: str) -> None:
        """Play on until the page asks the person for one of these."""
        await self.play(lambda: self.asked in kinds)


class BusyClock(ManualClock):
    """A machine whose threads take `busy_s` longer, so that people act meanwhile."""

    busy_s = 0.0

    async def run_in_thread(self, work: Callable[[], T]) -> T:
        done = await super().run_in_thread(work)
        if self.busy_s:
            await self.sleep(self.busy_s)
        return done


@asynccontextmanager
async def alone(
    folder: Path, *, board: str = "continuous", seed: int = 1, name: str = "", clock: ManualClock | None = None
) -> AsyncIterator[Alone]:
    """A running board in `folder`, with the games of its journal. `seed` makes the cards of the games that begin,
    `name` is that of the person."""
    clock = clock or ManualClock()
    config = Config(
        table=TableConfig(blue=name),
        sound=SoundConfig(volume=0.0),
        readers=(ReaderConfig(port="twin", kind="scanner"),),
        journal=str(folder / "journal.db"),
    )
    drawn = load(board)
    wires = folder / "wires"
    wires.mkdir(exist_ok=True)
    twin = Twin(drawn, clock, folder=wires, rng=Random(1), readers=[reader.wire for reader in config.readers])
    device, journal = open_device(config, drawn, twin.wires, clock=clock, threaded=False)
    tasks: list[asyncio.Task[None]] = []
    try:
        await device.start()
        await clock.advance(0.1)
        numbers = count(seed)
        parts = await play_alone(config, drawn, device, twin, clock, offered=PRESETS, seeds=lambda: str(next(numbers)))
        tasks = [asyncio.create_task(parts.turns.run(), name="solo"), asyncio.create_task(twin.run(), name="readers")]
        board_alone = Alone(twin, device, clock, parts)
        await board_alone.pass_time(0.2)
        yield board_alone
    finally:
        for task in tasks:
            task.cancel()
        stopping = asyncio.create_task(device.stop())
        while not stopping.done():
            await clock.advance(0.01)
        await asyncio.gather(*tasks, return_exceptions=True)
        journal.close()
        twin.close()
