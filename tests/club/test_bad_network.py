"""A board whose packets are late, and of which every tenth is lost, hands in each result once."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.club import Club
from tests.support.club_evenings import AtTables, club_hub, results, until
from tests.support.event_evenings import OPEN
from tests.support.lossy_wire import NEAR, bad_wire
from tests.support.organised import draw_and_start, open_hall
from tests.support.places import ROOT

from cribd.clock import SystemClock
from cribd.club.certificates import tls_to_hub
from cribd.club.connection import hub_connection

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def devices() -> None:
    """Skip the test where a bad wire cannot be made: that takes rights, which no installation gives."""
    if os.geteuid() != 0:
        pytest.skip("only root makes a network namespace")
    if not Path("/dev/net/tun").exists():
        pytest.skip("this kernel has no /dev/net/tun")


async def test_results_come_once_though_one_packet_in_ten_is_lost_and_the_others_are_late(tmp_path: Path) -> None:
    club, seats = Club(tmp_path), AtTables()
    board = club.pair("1")
    seats.tables[board.id] = 1
    own = club.hub.certificate
    local = hub_connection(lambda: [("127.0.0.1", club.port)], SystemClock(), tls=tls_to_hub(club.hub.key, own, own))
    async with club.running(), club_hub(tmp_path / "hub", local, seats) as hub:
        await open_hall(hub.organiser, 2, OPEN)
        await draw_and_start(hub.organiser)
        with bad_wire(seed=1) as wire:
            files = str(board.certificate_file()), str(club.hub.certificate_file())
            asked = (str(board.key.file.parent), *files, NEAR, str(club.port), str(OPEN.meeting_games))
            process = await asyncio.create_subprocess_exec(
                *wire.inside(sys.executable, "-m", "tests.support.far_board", *asked),
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'board'}:{ROOT / 'firmware'}"},
                stdout=asyncio.subprocess.PIPE,
            )
            try:
                assert process.stdout is not None
                assert await process.stdout.readline() == b"answered\n"
                records = hub.organiser.journal.competitions.received.records
                await until(lambda: len(records()) == OPEN.meeting_games, "the records", 60)
            finally:
                process.kill()
                await process.wait()
        assert results(hub) == {(1, 1, game): (121, 0) for game in (1, 2, 3)}
        with closing(sqlite3.connect(hub.organiser.journal.path)) as journal:
            received = journal.execute("SELECT round, at_table, number, answer FROM received ORDER BY number")
            assert received.fetchall() == [(1, 1, game, "accepted") for game in (1, 2, 3)]
        assert wire.lost > 0.05 * wire.carried > 1
        assert hub.said == []
