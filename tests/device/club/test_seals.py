"""What a board and its hub send depends on the event that is played: another sealed event does not matter."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

import pytest
from tests.support.club import make_key
from tests.support.club_boards import moment
from tests.support.club_evenings import (
    HUB,
    AtTables,
    Topics,
    board_copy,
    club_hub,
    club_table,
    hub_copy,
    until,
)
from tests.support.event_evenings import OPEN, SEALED
from tests.support.organised import draw_and_start, open_hall

from cribboard.competition import Format
from cribd.clock import ManualClock
from cribd.club.hub_client import HubClient
from cribd.club.messages import BEAT_S, SEALED_SIZE, EventSeal, HubToBoard, ReportedStatus, read_up, write
from cribd.club.transport import topic
from cribd.storage.journal import Journal

pytestmark = pytest.mark.slow
TONIGHT, OTHER = UUID(int=1), UUID(int=2)


@pytest.mark.parametrize(("before", "tonight"), [(SEALED, OPEN), (OPEN, SEALED)])
async def test_only_the_event_of_tonight_decides_whether_the_hall_sees_a_game(
    tmp_path: Path, before: Format, tonight: Format
) -> None:
    topics, seats = Topics(), AtTables()
    seats.tables[make_key(tmp_path / "one").id] = 1
    async with (
        club_hub(tmp_path / "hub", hub_copy(topics), seats) as hub,
        club_table(tmp_path / "one", HUB, board_copy(topics)) as table,
    ):
        await open_hall(hub.organiser, 2, before)
        await open_hall(hub.organiser, 2, tonight)
        await draw_and_start(hub.organiser)
        await until(lambda: table.now.event is not None, "a game")
        begun = len(topics.sent)
        assert table.client is not None
        status = ReportedStatus(table=1, reader="the newest status")
        table.client.show(status, lambda: moment("cut", hub.state.uuid, ("Rita", "Marcel")))
        await until(lambda: seats.shown.boards[0].reader == status.reader, "the board at the desk")
        shown = seats.shown.boards[0].game
        assert (shown is not None) is (tonight is OPEN)
        sizes = {len(payload) for about, payload in topics.sent[begun:] if not about.endswith("online")}
        assert (sizes == {SEALED_SIZE}) is (tonight is SEALED)


@dataclass
class Wire:
    """The connection of a board, with what it has sent."""

    down: str
    sent: list[bytes] = field(default_factory=list)

    def publish(self, _: str, payload: bytes) -> None:
        self.sent.append(payload)

    async def run(self, receive: Callable[[str, bytes], None], connected: Callable[[bool], None]) -> None:
        self._receive, self.connected = receive, connected
        await asyncio.Event().wait()

    def hear(self, **events: bool) -> None:
        """The hub lists these events, the current one first: whether each is open."""
        known = {"tonight": TONIGHT, "other": OTHER}
        seals = tuple(EventSeal(known[name], is_open) for name, is_open in events.items())
        self._receive(self.down, write(HubToBoard(events=seals)))

    def shows_game(self) -> bool:
        return read_up(self.sent[-1]).game is not None


@asynccontextmanager
async def playing(folder: Path, clock: ManualClock) -> AsyncIterator[Wire]:
    """A board that was just started, with a game of tonight's event under way."""
    key = make_key(folder)
    wire = Wire(topic(key.id, "down"))
    with closing(Journal(folder / "journal.db", clock)) as journal:
        board = HubClient(journal, clock, wire, key, HUB, refused=pytest.fail)
        board.show(ReportedStatus(table=1), lambda: moment("cut", TONIGHT, ("Rita", "Marcel")))
        running = asyncio.create_task(board.run())
        await clock.run_ready_tasks()
        wire.connected(True)
        await clock.run_ready_tasks()
        try:
            yield wire
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


async def test_a_board_that_has_not_heard_its_hub_yet_sends_as_in_a_sealed_event(tmp_path: Path) -> None:
    clock = ManualClock()
    async with playing(tmp_path, clock) as wire:
        assert wire.sent == []
        await clock.advance(2.5 * BEAT_S)
        assert [len(payload) for payload in wire.sent] == [SEALED_SIZE] * 2
        assert not wire.shows_game()
        wire.hear(tonight=True)
        await clock.run_ready_tasks()
        assert wire.shows_game()
        assert len(wire.sent[-1]) != SEALED_SIZE


async def test_a_game_is_sent_only_if_the_hub_lists_its_event_as_open(tmp_path: Path) -> None:
    clock = ManualClock()
    async with playing(tmp_path, clock) as wire:
        for events, is_shown in (
            ({}, False),
            ({"other": True}, False),
            ({"tonight": True, "other": False}, True),
            ({"other": True, "tonight": False}, False),
            ({"other": False, "tonight": True}, False),  # the current event is sealed: only the beat
            ({"other": True, "tonight": True}, True),
            ({"tonight": False}, False),
        ):
            wire.hear(**events)
            await clock.advance(BEAT_S)
            assert wire.shows_game() is is_shown, events
