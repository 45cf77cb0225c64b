"""A board that stands at a table of an event: a real journal, its table, and the organiser's desk beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from tests.support.evenings import BLUE, BLUE_WINS, OK, Evening, evening
from tests.support.organised import draw_and_start, held, open_hall

from cribboard.competition import FORMATS, Format
from cribboard.competition.actions import EndPlay, OpenPlace
from cribboard.competition.terms import MedalTie
from cribboard.rules import Option
from cribd.competition.organiser import Organiser
from cribd.competition.snapshot import CompetitionSnapshot
from cribd.table.settings import Policy

#: Everyone meets everyone by the rules of six-card, in three games a visit, and no tie is played off.
OPEN = replace(FORMATS["round-robin"], meeting_games=3, games=3, level_medals=MedalTie.SHARE)
SEALED = replace(OPEN, sealed=Option.ON)
#: A trusted game: blue deals, and wins at once.
A_WIN = [OK[BLUE], OK[BLUE], *BLUE_WINS, *OK]


@asynccontextmanager
async def at_event(
    folder: Path, form: Format = SEALED, *, entrants: int = 2, policy: Policy | None = None
) -> AsyncIterator[tuple[Evening, Organiser]]:
    """A table that is switched on, at table 1 of an event whose first round has started. The same folder gives the same
    journal and the same event again."""
    async with evening(folder, policy=policy) if policy else evening(folder) as table:
        organiser = await table.competitions.organiser()
        if organiser.state is None:
            await open_hall(organiser, entrants, form)
            await organiser.stand_at({"table": 1})
            await draw_and_start(organiser)
        yield table, organiser


async def open_results(organiser: Organiser) -> CompetitionSnapshot:
    """The organiser ends the play, and opens every place without the check pass."""
    await organiser.do(EndPlay())
    while (place := held(organiser).organiser.next_place) is not None:
        await organiser.do(OpenPlace(place, "for the test"))
    return held(organiser)
