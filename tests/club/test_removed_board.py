"""A board that the desk removes while it plays: it says so, its result needs a slip, and it keeps the record."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.club import Club
from tests.support.club_evenings import HUB, AtTables, ClubTable, club_hub, club_table, results, until
from tests.support.evenings import BLUE_DEALS
from tests.support.event_evenings import OPEN
from tests.support.organised import draw_and_start, open_hall, slip

from cribd.clock import SystemClock
from cribd.club.certificates import tls_to_hub
from cribd.club.connection import board_connection, hub_connection
from cribd.club.transport import Transport
from cribd.inputs import Fault, FaultKind
from cribd.storage.outbox import OutcomeStatus

pytestmark = pytest.mark.slow

CLOCK = SystemClock()
REMOVED = Fault(FaultKind.NOT_IN_CLUB, "club")


async def test_a_board_that_is_removed_while_it_reaches_no_hub_ends_its_game_says_so_and_keeps_its_record(
    tmp_path: Path,
) -> None:
    club, seats = Club(tmp_path), AtTables()
    board, own = club.pair("1"), club.hub.certificate
    seats.tables[board.id] = 1
    hub_tls, tls = tls_to_hub(club.hub.key, own, own), tls_to_hub(board.key, board.certificate, own)
    ports = [club.port]
    playing: list[ClubTable] = []

    def connect(name: str) -> Transport:
        def removed() -> None:
            playing[-1].client.hear_removed()

        return board_connection(name, lambda: [("127.0.0.1", ports[0])], CLOCK, tls=tls, removed=removed)

    local = hub_connection(lambda: [("127.0.0.1", club.port)], CLOCK, tls=hub_tls)
    async with (
        club.running(),
        club_hub(tmp_path / "hub", local, seats) as hub,
        club_table(board.key.file.parent, HUB, connect) as table,
    ):
        playing.append(table)
        await open_hall(hub.organiser, 2, OPEN)
        await draw_and_start(hub.organiser)
        await until(lambda: table.now.event is not None, "a game that is due")
        await table.post(*BLUE_DEALS)
        ports[0] = 9  # the hub cannot be reached
        del seats.tables[board.id]
        club.remove("1")
        await table.play_on()
        assert (table.now.entered, table.now.faults) == (OutcomeStatus.KEPT, ())
        ports[0] = club.port
        await until(lambda: table.now.faults == (REMOVED,), "the word at the board", 60)
        await until(lambda: table.now.entered is OutcomeStatus.NOT_TAKEN, "what its players do")
        assert table.now.event is None
        assert results(hub) == {}
        assert table.journal.outbox.waiting(HUB) == (1,)
        assert table.journal.outcome(1).scores == (121, 0)
        club.remove()  # it joins again
        seats.tables[board.id] = 1
        await hub.organiser.do(slip(1, 121, 0))
        await until(lambda: table.journal.outbox.waiting(HUB) == (), "the answer", 60)
        assert table.now.faults == ()
        assert results(hub) == {(1, 1, 1): (121, 0)}
