"""An organiser on a real journal, with entrants who are checked in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from cribboard.competition import FORMATS, Format
from cribboard.competition.actions import Begin, CheckIn, CompetitionAction, EnterResult, Register, StartRound
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.terms import Choice, GameAt
from cribd.clock import Clock, ManualClock
from cribd.competition.change_request import BaseVersion
from cribd.competition.organiser import Organiser
from cribd.competition.snapshot import CompetitionSnapshot
from cribd.storage.journal import Journal


@asynccontextmanager
async def organiser(path: Path, clock: Clock | None = None) -> AsyncIterator[Organiser]:
    """The owner of the competition in the journal at `path`, which is closed again."""
    clock = ManualClock() if clock is None else clock
    journal = Journal(path, clock)
    try:
        organiser = Organiser(journal, clock)
        await organiser.load()
        yield organiser
    finally:
        journal.close()


def held(organiser: Organiser) -> CompetitionSnapshot:
    assert isinstance(organiser.state, CompetitionSnapshot)
    return organiser.state


def seen(organiser: Organiser) -> BaseVersion:
    return seen_of(held(organiser))


def seen_of(state: CompetitionSnapshot) -> BaseVersion:
    return BaseVersion(state.number, len(state.log))


def slip(table: int, first: int, second: int, *, round_: int = 1, game: int = 1) -> EnterResult:
    return EnterResult(at=GameAt(round_, table, game), scores=(first, second))


async def open_hall(organiser: Organiser, entrants: int, form: Format = FORMATS["acc"]) -> None:
    """A competition with so many entrants, all there, that has begun."""
    await organiser.begin(CompetitionHeading(format=form, name="Mardi", tables=99))
    actions: list[CompetitionAction] = []
    for number in range(1, entrants + 1):
        players = (f"Anne {number}", f"Benoît {number}") if form.team_size == 2 else ()
        actions += [Register(name=f"Entrant {number}", players=players), CheckIn(number)]
    await organiser.do(*actions, Begin(Choice.ONE_SHORT))


async def draw_and_start(organiser: Organiser) -> CompetitionSnapshot:
    await organiser.draw()
    return await organiser.do(StartRound())
