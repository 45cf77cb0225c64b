"""What tests ask of a board at a table of an event."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from tests.support.evenings import OK, Evening, step_to
from tests.support.organised import held

from cribboard.competition.position import Result
from cribboard.competition.terms import GameAt
from cribd.competition.organiser import Organiser
from cribd.storage.outbox import PlayedFor
from cribd.table.organiser_desk import WaitsForRound
from cribd.table.snapshot import Line

FIRST = GameAt(1, 1, 1)


def results(organiser: Organiser) -> tuple[Result, ...]:
    """The results of table 1 in the first round."""
    return next(table for table in held(organiser).organiser.rounds[0].tables if table.table == 1).results


def due(table: Evening) -> PlayedFor | None:
    """The game of the event that OK starts."""
    return None if table.now.event is None else table.now.event.place


def place(organiser: Organiser, *numbers: int) -> PlayedFor:
    """The place with these numbers of round, table and game in the current event."""
    return PlayedFor(held(organiser).uuid, *numbers)


def waits(table: Evening) -> WaitsForRound | None:
    """The round that the table waits for."""
    return table.now.waits


def is_called(table: Evening) -> bool:
    """Whether a game of the event is due while another is played."""
    return table.now.is_called


def names_of_table(organiser: Organiser) -> tuple[str, ...]:
    view = held(organiser).organiser
    pairing = next(table for table in view.tables if table.table == 1)
    return tuple(view.entrants[number - 1].name for number in pairing.entrants)


def chain_of(table: Evening, game: int) -> str:
    """The last link of a game, as another program reads it from the file."""
    with closing(sqlite3.connect(table.path)) as file:
        query = "SELECT chain FROM line WHERE game = ? ORDER BY number DESC LIMIT 1"
        return str(file.execute(query, (game,)).fetchone()[0])


async def call_at_the_board(table: Evening, side: int) -> None:
    await step_to(table, Line.OFFICIAL)
    await table.post(OK[side])
    assert table.now.official is not None
    assert table.now.official.side == side
