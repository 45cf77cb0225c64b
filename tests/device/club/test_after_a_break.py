"""Boards that reach the hub again at one moment, as after a restart of the router, do not send all at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.club_evenings import HUB, AtTables, Topics, board_copy, club_table, hall, until

from cribd.clock import ManualClock
from cribd.club.hub_client import SPREAD_S, HubClient
from cribd.club.messages import HubToBoard, ReceivedSummary, read_up, write
from cribd.club.transport import topic
from cribd.storage.outbox import OutcomeStatus

pytestmark = pytest.mark.slow

BOARDS = 40
STEPS = 10


class BoardWire:
    """The connection of a board: notes when its results are sent first."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self.sent: float | None = None
        self.published = 0

    def publish(self, about: str, payload: bytes) -> None:
        self.published += 1
        if self.sent is None and read_up(payload).outcomes:
            self.sent = self._clock.now()

    async def run(self, receive: Callable[[str, bytes], None], connected: Callable[[bool], None]) -> None:
        self.receive, self.connected = receive, connected
        await asyncio.Event().wait()


async def test_boards_that_come_back_together_spread_their_results_over_a_second_each_time(tmp_path: Path) -> None:
    topics, seats = Topics(), AtTables()
    async with club_table(tmp_path / "one", HUB, board_copy(topics)) as table:
        seats.tables[table.key.id] = 1
        async with hall(tmp_path, topics, seats):
            await until(lambda: table.now.event is not None, "a game that is due")
        await table.play()
        assert table.now.entered is OutcomeStatus.KEPT

        clock, down = ManualClock(), topic(table.key.id, "down")
        wires = [BoardWire(clock) for _ in range(BOARDS)]
        boards = [HubClient(table.journal, clock, wire, table.key, HUB, refused=pytest.fail) for wire in wires]
        running = [asyncio.create_task(board.run()) for board in boards]
        await clock.run_ready_tasks()
        for _ in range(2):
            begun = clock.now()
            for wire in wires:
                wire.published, wire.sent = 0, None
                wire.connected(True)
            await clock.run_ready_tasks()
            for wire in wires:
                wire.receive(down, write(HubToBoard(have=ReceivedSummary())))
            await clock.run_ready_tasks()
            assert all(wire.published for wire in wires), "how each board is comes at once"
            for _ in range(STEPS):
                await clock.advance(SPREAD_S / STEPS)
            times = [wire.sent - begun for wire in wires if wire.sent is not None]
            assert len(times) == BOARDS
            in_each_half = [sum(low <= time <= low + SPREAD_S / 2 for time in times) for low in (0, SPREAD_S / 2)]
            assert min(in_each_half) > BOARDS / 10, times
            assert len(set(times)) > BOARDS / 2, times
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
