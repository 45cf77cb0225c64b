"""Tries a press at a real table, with a journal in memory and a clock that stands still."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.playing.answers import answer_text
from tools.playing.moments import Moment, Press, chapters
from tools.playing.steps import OffAndOn, Step, Together, Wait, in_words, read

from cribboard.events import Event
from cribboard.rules import RULES, Way
from cribd.boards import Board, load
from cribd.clock import ManualClock
from cribd.languages import languages
from cribd.storage.journal import Journal
from cribd.table.commands import Situation
from cribd.table.interpret import interpret
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


def rows() -> tuple[Row, ...]:
    """Every row, in the order of the page."""
    return tuple(
        Row(moment, way, press)
        for chapter in chapters()
        for moment in chapter.moments
        for press in moment.presses
        for way in moment.ways
    )


@dataclass(frozen=True, slots=True, repr=False)  # asyncio spells what a task returns, and a snapshot is long
class Outcome:
    """The press in words, what the table shows before and after it, the answer in words, the log of the newest game
    after it, and the number of games in the journal."""

    pressed: str
    before: Snapshot
    after: Snapshot
    answer: str
    log: tuple[Event, ...]
    games: int


@cache
def outcome_of(row: Row, language: str) -> Outcome:
    """What the press of this row does on a board that speaks this language."""
    chosen = Settings(rules=RULES[row.moment.rules], way=row.way, language=language)
    steps = [read(step) for step in row.steps]
    return asyncio.run(_outcome(load(row.moment.board), chosen, steps, read(row.press.step)))


async def _outcome(board: Board, chosen: Settings, steps: Sequence[Step], press: Step) -> Outcome:
    evening = _Evening(board, chosen)
    try:
        for step in steps:
            await evening.take(step)
        before, words = evening.now, in_words(press, evening.situation)
        answer = await evening.answer(press)
        kept = evening.journal.latest()
        log = () if kept is None else kept.game.log
        return Outcome(words, before, evening.now, answer, log, len(evening.journal.games()))
    finally:
        evening.journal.close()


class _Evening:
    """A table that may be switched off and on; its journal is kept in memory."""

    def __init__(self, board: Board, chosen: Settings) -> None:
        self._board = board
        self._chosen = chosen
        self._clock = ManualClock()
        self.journal = Journal(Path(":memory:"), self._clock)
        self._shown: list[Snapshot] = []
        self._switch_on()

    def _switch_on(self) -> None:
        self._table = Table(
            board=self._board,
            journal=self.journal,
            clock=self._clock,
            settings=read_settings(self.journal, self._chosen, languages=languages()),
            policy=Policy(
                languages=languages(), pages=count_judge.pages, names=("", "", "")
            ),  # as of a configuration that names nobody
            publish=self._shown.append,
        )
        self._table.wake()
        self._running = asyncio.create_task(self._table.run())

    @property
    def now(self) -> Snapshot:
        return self._shown[-1]

    @property
    def situation(self) -> Situation:
        return self._table.situation

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
        await self._clock.run_ready_tasks(lambda: self._table.idle)

    async def answer(self, step: Step) -> str:
        """Let the table take a step; returns its answer in words."""
        before, situation, shown = self.now, self.situation, len(self._shown)
        await self.take(step)
        heard = step.heard if isinstance(step, Together) else ()
        answers = [interpret(situation, fact) for fact in heard]
        return answer_text(answers, _events(self._shown[shown - 1 :]), before, self.now)


def _events(shown: Sequence[Snapshot]) -> tuple[Event, ...]:
    """The events between the first and the last of these snapshots."""
    events: tuple[Event, ...] = ()
    number = shown[0].view.number if shown[0].view is not None else 0
    for snapshot in shown:
        if snapshot.view is not None and snapshot.view.number > number:
            number = snapshot.view.number
            events += snapshot.view.said
    return events
