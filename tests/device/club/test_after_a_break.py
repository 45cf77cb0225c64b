"""Boards that reach the hub again at one moment do not send all at once, and what the broker has lost is sent again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

import pytest
from tests.support.club_evenings import HUB, AtTables, ClubTable, Topics, board_copy, club_table, hall, until

from cribd.clock import ManualClock
from cribd.club.hub_client import SPREAD_S, HubClient
from cribd.club.messages import BEAT_S, CommittedUpTo, EventSeal, HubToBoard, ReceivedSummary, read_up, write
from cribd.club.transport import topic
from cribd.storage.outbox import OutcomeStatus, PlayedFor

pytestmark = pytest.mark.slow

BOARDS = 40
STEPS = 10


@dataclass
class BoardWire:
    """The connection of a board. `sent` has the results of each message, and when it was sent."""

    clock: ManualClock
    down: str
    event: UUID
    sent: list[tuple[float, int]] = field(default_factory=list)

    def publish(self, about: str, payload: bytes) -> None:
        self.sent.append((self.clock.now(), len(read_up(payload).outcomes)))

    async def run(self, receive: Callable[[str, bytes], None], connected: Callable[[bool], None]) -> None:
        self._receive, self.connected = receive, connected
        await asyncio.Event().wait()

    def hear(self, have: ReceivedSummary) -> None:
        """The hub says what it has of this board. The event is open."""
        self._receive(self.down, write(HubToBoard(have=have, events=(EventSeal(self.event, is_open=True),))))


@asynccontextmanager
async def played(folder: Path) -> AsyncIterator[ClubTable]:
    """A board that has played a game while it reached no hub."""
    topics, seats = Topics(), AtTables()
    async with club_table(folder / "one", HUB, board_copy(topics)) as table:
        seats.tables[table.key.id] = 1
        async with hall(folder, topics, seats):
            await until(lambda: table.now.event is not None, "a game that is due")
        await table.play()
        assert table.now.entered is OutcomeStatus.KEPT
        yield table


@asynccontextmanager
async def connected(table: ClubTable, clock: ManualClock, number: int) -> AsyncIterator[list[BoardWire]]:
    """So many boards with the journal of this one."""
    wires = [BoardWire(clock, topic(table.key.id, "down"), table.journal.outcome(1).place.event) for _ in range(number)]
    boards = [HubClient(table.journal, clock, wire, table.key, HUB, refused=pytest.fail) for wire in wires]
    running = [asyncio.create_task(board.run()) for board in boards]
    await clock.run_ready_tasks()
    try:
        yield wires
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def test_boards_that_come_back_together_spread_their_results_over_a_second_each_time(tmp_path: Path) -> None:
    clock = ManualClock()
    async with played(tmp_path) as table, connected(table, clock, BOARDS) as wires:
        for _ in range(2):
            begun = clock.now()
            for wire in wires:
                wire.sent.clear()
                wire.connected(True)
            await clock.run_ready_tasks()
            for wire in wires:
                wire.hear(ReceivedSummary())
            await clock.run_ready_tasks()
            assert all(wire.sent for wire in wires), "how each board is comes at once"
            for _ in range(STEPS):
                await clock.advance(SPREAD_S / STEPS)
            times = [next(at - begun for at, results in wire.sent if results) for wire in wires]
            in_each_half = [sum(low <= time <= low + SPREAD_S / 2 for time in times) for low in (0, SPREAD_S / 2)]
            assert min(in_each_half) > BOARDS / 10, times
            assert len(set(times)) > BOARDS / 2, times


async def test_a_message_that_the_broker_has_lost_is_sent_again_until_the_hub_has_all_that_it_lacks(
    tmp_path: Path,
) -> None:
    clock = ManualClock()
    async with played(tmp_path) as table, connected(table, clock, 1) as [wire]:

        async def sent_in(seconds: float) -> list[int]:
            """The results of each message that the board sends in this time."""
            wire.sent.clear()
            await clock.advance(seconds)
            return [results for _, results in wire.sent]

        wire.connected(True)
        await clock.advance(SPREAD_S)
        assert set(await sent_in(3 * BEAT_S)) == {0}, "it asks again what the hub has"
        wire.hear(ReceivedSummary())
        assert len(again := await sent_in(3 * BEAT_S)) >= 3
        assert set(again) == {1}
        upto = CommittedUpTo(1, table.journal.outcome(1).record)
        wire.hear(ReceivedSummary(outcomes=upto))
        assert len(again := await sent_in(3 * BEAT_S)) >= 3, "the record"
        assert set(again) == {0}
        wire.hear(ReceivedSummary(outcomes=upto, records=upto))
        await clock.advance(BEAT_S)
        assert await sent_in(3 * BEAT_S) == []


async def test_a_call_for_an_official_is_sent_again_until_it_ends(tmp_path: Path) -> None:
    clock = ManualClock()
    async with played(tmp_path) as table:
        wire = BoardWire(clock, topic(table.key.id, "down"), table.journal.outcome(1).place.event)
        board = HubClient(table.journal, clock, wire, table.key, HUB, refused=pytest.fail)
        running = asyncio.create_task(board.run())
        await clock.run_ready_tasks()
        wire.connected(True)
        upto = CommittedUpTo(1, table.journal.outcome(1).record)
        wire.hear(ReceivedSummary(outcomes=upto, records=upto))
        await clock.advance(3 * BEAT_S)
        place: PlayedFor = table.journal.outcome(1).place
        board.call_official(place, 0)
        await clock.advance(1)
        wire.sent.clear()
        await clock.advance(3 * BEAT_S)
        assert len(wire.sent) >= 2
        board.official_came(place, 0)
        await clock.advance(2 * BEAT_S)
        wire.sent.clear()
        await clock.advance(3 * BEAT_S)
        assert wire.sent == []
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
