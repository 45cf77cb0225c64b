"""An evening of two games on an uninterrupted board, to compare with boards that are killed.

It records where the board stands and what it shows. The board is the real one on the twin's wires, in virtual time; its
inputs are what robots did.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Self

from tests.support.killable_table import BOARD, RULES, Act, facts_of
from tests.support.robot_games import play_games

from cribboard.events import Event, GameWon
from cribd.clock import ManualClock
from cribd.config.config import Config, ReaderConfig, TableConfig
from cribd.daemon import open_device
from cribd.inputs import Key
from cribd.table.snapshot import Lobby, Snapshot
from cribd.twin.machine import Twin
from cribd.twin.parts import LedState


@dataclass(frozen=True)
class Picture:
    """Every LED and every dot of the screen."""

    leds: tuple[LedState, ...]
    screen: bytes


@dataclass(frozen=True)
class BoardState:
    """Where a board stands: games begun, events of the last game, and what it shows. `phase` is that of the game or of
    the lobby, `asks` the question and the state of the claim; `plain` says that no refusal is shown."""

    game: int
    number: int
    picture: Picture
    phase: str
    asks: str
    plain: bool


class Switched:
    """A board that is switched on with a journal, on the twin's wires, in virtual time."""

    def __init__(self, folder: Path, way: str) -> None:
        config = Config(
            table=TableConfig(rules=RULES.name, way=way),
            readers=(ReaderConfig(port="twin"),),
            journal=str(folder / "journal.db"),
        )
        self.clock = ManualClock()
        self.twin = Twin(BOARD, self.clock, folder=folder, rng=Random(1))
        self.device, self.journal = open_device(config, BOARD, self.twin.wires, clock=self.clock, threaded=False)
        self.snapshot = Snapshot()
        self.device.watch(self._see)

    def _see(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    async def __aenter__(self) -> Self:
        await self.device.start()
        await self._wait_for_the_picture()
        return self

    async def __aexit__(self, *_: object) -> None:
        stopping = asyncio.create_task(self.device.stop())
        while not stopping.done():
            await self.clock.advance(0.01)
        with suppress(asyncio.CancelledError):
            await stopping
        self.journal.close()
        self.twin.close()

    async def key(self, key: Key, side: int | None) -> Lobby | None:
        """Press a key. Returns what the lobby shows then."""
        self.twin.key_down(key, side)
        await self.clock.advance(0.012)
        self.twin.key_up(key, side)
        await self._wait_for_the_picture()
        return self.snapshot.lobby

    async def do(self, act: Act) -> None:
        await self.clock.advance(act.get("waited", 0))
        self.device.table.post(facts_of(act))
        await self._wait_for_the_picture()

    async def _wait_for_the_picture(self) -> None:
        """Wait until a blinking LED is lit, or until the winner's lights have run."""
        await self.clock.advance(0.1)
        view = self.snapshot.view
        if view is not None and any(isinstance(event, GameWon) for event in view.said):
            await self.clock.advance(4)

    def state(self) -> BoardState:
        view, lobby = self.snapshot.view, self.snapshot.lobby
        return BoardState(
            len(self.journal.games()),
            0 if view is None else view.number,
            Picture(self.twin.leds(), self.twin.oled().pixels),
            phase=f"{lobby or (view and view.phase)}",
            asks="" if view is None else f"{view.prompt.kind} {view.claim and view.claim.state}",
            plain=self.snapshot.refusal is None,
        )


@dataclass
class Evening:
    """Two games on a board that was never killed. `states[i]` is where it stood before `acts[i]`."""

    way: str
    acts: list[Act]
    states: list[BoardState] = field(default_factory=list)
    logs: list[tuple[Event, ...]] = field(default_factory=list)

    def log(self, state: BoardState) -> tuple[Event, ...]:
        return self.logs[state.game - 1][: state.number] if state.game else ()

    def act_after(self, game: int, number: int) -> int:
        """The first act that a board at this event has not done yet."""
        return max(at for at, state in enumerate(self.states) if (state.game, state.number) == (game, number))

    @property
    def moments(self) -> list[int]:
        """One act of every kind: by the question before it, the act, and the phase after it."""
        kinds: dict[object, int] = {}
        for at, (act, (before, after)) in enumerate(zip(self.acts, pairwise(self.states), strict=True)):
            kinds.setdefault((before.phase, before.asks, *sorted(act), act.get("key"), after.phase), at)
        return sorted(kinds.values())


async def evening(way: str, folder: Path) -> Evening:
    """Play two games: robots act, and each act is noted; one act is undone and done again."""
    diary, _ = await play_games(BOARD.name, folder, rules=RULES.name, games=2, way=way, seed=5)
    acts: list[Act] = [entry for entry in diary if entry.keys() & {"scan", "press", "key", "waited"}]
    again = next(at for at in range(7, 30) if acts[at].keys() & {"scan", "press"})
    agreed = [{"key": "ok", "side": 0}, {"key": "ok", "side": 1}] if way == "verify" else []
    acts[again:again] = [acts[again], {"key": "undo", "side": None}, *agreed]
    played = Evening(way, acts)
    async with Switched(folder / "never killed", way) as board:
        played.states.append(board.state())
        for act in acts:
            await board.do(act)
            played.states.append(board.state())
        played.logs = [board.journal.game(number).game.log for number, *_ in board.journal.games()]
    assert len(played.logs) == 2
    assert board.snapshot.lobby is Lobby.AGAIN
    return played
