"""A table that is switched on for a test: a real journal, a manual clock, and a list of all that it showed."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from tests.support.seats import scores_of

from cribboard import RULES, Way
from cribboard.position import Position
from cribboard.rules import Rules
from cribd.boards import Board, load
from cribd.clock import ManualClock
from cribd.competition.lazy_organiser import LazyOrganiser
from cribd.daemon.board_at_event import BoardAtEvent
from cribd.inputs import CardRead, Fault, FaultKind, HolePressed, Input, Key, KeyHeld, KeyPressed
from cribd.languages import languages
from cribd.storage.journal import Journal
from cribd.table.rule_sets import playable
from cribd.table.settings import Policy, Settings, read_settings
from cribd.table.snapshot import Line, Snapshot
from cribd.table.table import Table
from cribd.text import count_judge

T = TypeVar("T")

BLUE, RED, GREEN = 0, 1, 2
LONG = load("continuous")
MENU, MENU_HELD, UNDO = KeyPressed(Key.MENU), KeyHeld(Key.MENU), KeyPressed(Key.UNDO)
OK = KeyPressed(Key.OK, BLUE), KeyPressed(Key.OK, RED)
GREEN_OK = KeyPressed(Key.OK, GREEN)
GO = KeyPressed(Key.GO, BLUE), KeyPressed(Key.GO, RED)
CHALLENGE = KeyPressed(Key.CHALLENGE, BLUE), KeyPressed(Key.CHALLENGE, RED)
NO_READER = Fault(FaultKind.READER_SILENT, "reader")


class SlowDisk(ManualClock):
    """A clock whose threads do not return while `busy`, as with a slow disk."""

    def __init__(self) -> None:
        super().__init__()
        self.free = asyncio.Event()
        self.free.set()

    async def run_in_thread(self, work: Callable[[], T]) -> T:
        await self.free.wait()
        done = await super().run_in_thread(work)
        await self.free.wait()
        return done


class Evening:
    """A table, its journal, and every snapshot that it has shown. It fails if a snapshot shows what is not in the
    file."""

    def __init__(self, folder: Path, *, clock: SlowDisk, policy: Policy, chosen: Settings, board: Board = LONG) -> None:
        self.path = folder / "journal.db"
        self.clock = clock
        self.journal = Journal(self.path, clock)
        self.shown: list[Snapshot] = []
        self.watchers: list[Callable[[Snapshot], None]] = []
        self._disk = sqlite3.connect(self.path)
        self.competitions = LazyOrganiser(self.journal, clock)
        self.at_event = BoardAtEvent(self.journal, self.competitions, clock)
        self.table = Table(
            board=board,
            journal=self.journal,
            clock=clock,
            settings=read_settings(
                self.journal, chosen, languages=policy.languages, offered=playable(board, policy.house_rules)
            ),
            policy=policy,
            publish=self._see,
            desk=self.at_event,
        )
        self._running: asyncio.Task[None] | None = None
        self._handing_in: asyncio.Task[None] | None = None

    def _see(self, snapshot: Snapshot) -> None:
        if snapshot.view is not None:
            assert snapshot.view.number <= self.lines_on_disk()
        self.shown.append(snapshot)
        for watcher in self.watchers:
            watcher(snapshot)

    def lines_on_disk(self) -> int:
        """The number of lines of the newest game, as another program reads it from the file."""
        newest = "SELECT count(*) FROM line WHERE game = (SELECT max(id) FROM game)"
        return int(self._disk.execute(newest).fetchone()[0])

    def start(self, *, resumes_at_once: bool = False) -> None:
        self.table.load(resumes_at_once=resumes_at_once)
        self._running = asyncio.create_task(self.table.run())
        self._handing_in = asyncio.create_task(self.at_event.run())

    async def end(self) -> None:
        tasks = [task for task in (self._running, self._handing_in) if task is not None]
        assert not any(task.done() for task in tasks), "the table died"
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.journal.close()
        self._disk.close()

    async def post(self, *inputs: Input) -> Snapshot:
        """Give these inputs one after the other. Returns the snapshot after them."""
        for given_input in inputs:
            await self.at_once(given_input)
        return self.now

    async def at_once(self, *inputs: Input) -> Snapshot:
        """Give these inputs at one moment."""
        self.table.post(inputs)
        await self.clock.run_ready_tasks(lambda: self.table.has_no_input)
        return self.now

    @property
    def now(self) -> Snapshot:
        return self.shown[-1]

    @property
    def position(self) -> Position:
        assert self.table.position is not None
        return self.table.position

    @property
    def scores(self) -> tuple[int, ...]:
        return scores_of(self.position)


def policy(*, release_after_ms: int | None = 3000, **settled: Any) -> Policy:
    """The settings of a board that speaks all languages."""
    return Policy(languages=languages(), pages=count_judge.pages, release_after_ms=release_after_ms, **settled)


USUAL = policy()
SIX_CARD = RULES["six-card"]


@asynccontextmanager
async def evening(
    folder: Path,
    way: str = "trust",
    *,
    policy: Policy = USUAL,
    rules: Rules = SIX_CARD,
    board: Board = LONG,
    resumes_at_once: bool = False,
) -> AsyncIterator[Evening]:
    """A table that is switched on, and off again at the end. The same folder gives the same journal again."""
    chosen = Settings(rules=rules, way=Way(way))
    open_table = Evening(folder, clock=SlowDisk(), policy=policy, chosen=chosen, board=board)
    open_table.start(resumes_at_once=resumes_at_once)
    yield open_table
    await open_table.end()


def cards(names: str) -> list[Input]:
    return [CardRead(name) for name in names.split()]


def holes(track: int, *numbers: int) -> list[Input]:
    return [HolePressed(track, number) for number in numbers]


#: Blue deals a trusted game; a first press of a hole far ahead is asked for again.
BLUE_DEALS: list[Input] = [OK[BLUE], OK[BLUE]]
#: From there blue wins: the game hole is far, so it is pressed again, and a third time to let go.
BLUE_WINS: list[Input] = holes(BLUE, 121, 121, 121)
#: A verified game: red cuts the lower card and deals, and the starter is turned.
RED_DEALS: list[Input] = [OK[BLUE], *cards("9H 4C 6C")]


async def step_to(table: Evening, line: Line) -> None:
    """Open the menu, if need be, and step to this line."""
    if table.now.menu is None:
        await table.post(MENU)
    while table.now.menu is not None and table.now.menu.current.line is not line:
        await table.post(MENU)
