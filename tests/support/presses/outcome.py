"""Tries presses at a real table, with a journal in memory and a clock that stands still.

A table is not set up anew for each press: after one it goes on to the next moment that lies ahead of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tests.support.presses.moments import Chapter, Moment, Press, chapters
from tests.support.presses.steps import OffAndOn, Step, Together, Wait, read

from cribboard.events import Event
from cribboard.rules import RULES, Way
from cribd.boards import Board, load
from cribd.clock import ManualClock
from cribd.languages import languages
from cribd.storage.journal import Journal
from cribd.table.settings import Policy, Settings, read_settings
from cribd.table.snapshot import Snapshot
from cribd.table.table import Table
from cribd.text import count_judge


@dataclass(frozen=True, slots=True)
class Row:
    """One press at one moment, with one way to score."""

    moment: Moment
    way: Way
    press: Press

    @property
    def steps(self) -> tuple[str, ...]:
        return tuple(self.moment.steps.split())

    def __str__(self) -> str:
        return f"{self.moment.title}, {self.way}: {self.press.step}"


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """The rows of a chapter that one table can come by: on one board, by the same rules, with one way to score."""

    title: str
    rows: tuple[Row, ...]

    def __str__(self) -> str:
        return self.title


def rows() -> tuple[Row, ...]:
    """Every row, in the order of the chapters."""
    return tuple(row for chapter in chapters() for row in _rows_of(chapter))


def _rows_of(chapter: Chapter) -> Iterator[Row]:
    for moment in chapter.moments:
        for press in moment.presses:
            for way in moment.ways:
                yield Row(moment, way, press)


@cache
def walks() -> tuple[Walk, ...]:
    """Every row in one walk."""
    found: dict[str, list[Row]] = {}
    for chapter in chapters():
        for row in _rows_of(chapter):
            title = f"{chapter.title}, {row.moment.rules} on {row.moment.board}, {row.way}"
            found.setdefault(title, []).append(row)
    return tuple(Walk(title, tuple(those)) for title, those in found.items())


@dataclass(frozen=True, slots=True, repr=False)  # asyncio spells what a task returns, and a snapshot is long
class Outcome:
    """What the table shows before and after the press, the events that it caused, the log of the newest game after it,
    and the number of games in the journal."""

    before: Snapshot
    after: Snapshot
    events: tuple[Event, ...]
    log: tuple[Event, ...]
    games: int

    @property
    def stays(self) -> bool:
        """Whether the table waits for other presses as before this one: nothing but a refusal is shown, and no peg is
        in hand, which time may release."""
        view = self.before.view
        in_hand = view is not None and any(side.in_hand is not None for side in view.sides)
        return replace(self.after, refusal=None) == self.before and not in_hand


def outcome_of(row: Row, language: str) -> Outcome:
    """What the press of this row does on a board that speaks this language."""
    return _outcomes(_walk_of()[row], language)[row]


@cache
def _walk_of() -> Mapping[Row, Walk]:
    return {row: walk for walk in walks() for row in walk.rows}


@cache
def _outcomes(walk: Walk, language: str) -> Mapping[Row, Outcome]:
    return asyncio.run(_walk(walk, language))


async def _walk(walk: Walk, language: str) -> dict[Row, Outcome]:
    """The outcome of each row. An evening goes on while there is a row that it has not passed."""
    moment, way = walk.rows[0].moment, walk.rows[0].way
    chosen = Settings(rules=RULES[moment.rules], way=way, language=language)
    found: dict[Row, Outcome] = {}
    while len(found) < len(walk.rows):
        evening = _Evening(load(moment.board), chosen)
        done: tuple[str, ...] = ()
        for row in walk.rows:
            if row not in found and row.steps[: len(done)] == done:
                for step in row.steps[len(done) :]:
                    await evening.take(read(step))
                found[row] = outcome = await evening.outcome(read(row.press.step))
                done = row.steps if outcome.stays else (*row.steps, row.press.step)
        evening.end()
    return found


class _Evening:
    """A table that may be switched off and on; its journal is kept in memory."""

    def __init__(self, board: Board, chosen: Settings) -> None:
        self._board = board
        self._chosen = chosen
        self._clock = ManualClock()
        self._journal = Journal(Path(":memory:"), self._clock)
        self._shown: list[Snapshot] = []
        self._switch_on()

    def _switch_on(self) -> None:
        self._table = Table(
            board=self._board,
            journal=self._journal,
            clock=self._clock,
            settings=read_settings(self._journal, self._chosen, languages=languages()),
            policy=Policy(
                languages=languages(), pages=count_judge.pages, release_after_ms=3000, names=("", "", "")
            ),  # as of a configuration that names nobody
            publish=self._shown.append,
        )
        self._table.load()
        self._running = asyncio.create_task(self._table.run())

    async def take(self, step: Step) -> None:
        """Let the table take a step."""
        match step:
            case Together() as fingers:
                self._table.post(fingers.heard)
            case Wait(seconds):
                await self._clock.advance(seconds)
            case OffAndOn():
                self._running.cancel()
                self._switch_on()
        await self._clock.run_ready_tasks(lambda: self._table.has_no_input)

    async def outcome(self, press: Step) -> Outcome:
        """Let the table take a press. What was refused before it is forgotten."""
        before, shown = replace(self._shown[-1], refusal=None), len(self._shown)
        await self.take(press)
        after = self._shown[-1] if len(self._shown) > shown else before
        stored = self._journal.latest_game()
        log = () if stored is None else stored.game.log
        return Outcome(before, after, _events(self._shown[shown - 1 :]), log, len(self._journal.games()))

    def end(self) -> None:
        self._running.cancel()
        self._journal.close()


def _events(shown: Sequence[Snapshot]) -> tuple[Event, ...]:
    """The events between the first and the last of these snapshots."""
    events: tuple[Event, ...] = ()
    number = shown[0].view.number if shown[0].view is not None else 0
    for snapshot in shown:
        if snapshot.view is not None and snapshot.view.number > number:
            number = snapshot.view.number
            events += snapshot.view.said
    return events
