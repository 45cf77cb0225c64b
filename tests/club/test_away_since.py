"""The desk says when a board that is away was last heard, also when the broker or the hub has been started again."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.support.club import Club, Machine, pids
from tests.support.club_evenings import AtTables, Topics, club_hub, hub_copy, until

from cribd.clock import SystemClock
from cribd.club.board_status import BoardStatus, ClubSnapshot
from cribd.club.certificates import tls_to_hub
from cribd.club.connection import BrokerConnection, board_connection, hub_connection
from cribd.club.last_heard import LONGEST, read_last_heard, store_last_heard
from cribd.club.transport import OFFLINE, ONLINE
from cribd.storage.journal import Journal

CLOCK = SystemClock()


def to_broker(club: Club, machine: Machine) -> BrokerConnection:
    addresses = [("127.0.0.1", club.port)]
    tls = tls_to_hub(machine.key, machine.certificate, club.hub.certificate)
    if machine == club.hub:
        return hub_connection(lambda: addresses, CLOCK, tls=tls)
    return board_connection(machine.id, lambda: addresses, CLOCK, tls=tls)


@asynccontextmanager
async def switched_on(club: Club, board: Machine) -> AsyncIterator[None]:
    running = asyncio.create_task(to_broker(club, board).run(lambda *_: None, lambda _: None))
    try:
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


class Desk(AtTables):
    """The desk of the boards `a` and `b`."""

    def board(self, machine: Machine) -> BoardStatus:
        known = {board.id: board for board in self.shown.boards}
        return known.get(machine.id) or BoardStatus(id=machine.id, name="")

    async def sees(self, machine: Machine, *, is_online: bool) -> datetime:
        """Wait until the board is online or away, and return since when."""

        def has_come() -> bool:
            return self.board(machine).is_online is is_online and self.board(machine).since is not None

        await until(has_come, f"the board to be {'online' if is_online else 'away'}")
        since = self.board(machine).since
        assert since is not None
        return since


@pytest.fixture
def desk(club: Club) -> Desk:
    return Desk({board.id: table for table, board in enumerate(club.boards.values(), start=1)})


async def is_back_after(club: Club, desk: Desk, board: Machine, since: datetime) -> None:
    """Wait until this board has connected again."""
    await until(lambda: (desk.board(board).since or since) > since and desk.board(board).is_online, "the board again")


async def test_a_board_stays_away_since_it_left_though_the_broker_is_killed_or_another_board_is_removed(
    club: Club, desk: Desk
) -> None:
    a, b = club.boards["a"], club.boards["b"]
    removed = club.pair("c")
    async with (
        club.running(),
        club_hub(club.folder / "hub", to_broker(club, club.hub), desk),
        switched_on(club, b),
    ):
        async with switched_on(club, a):
            await desk.sees(a, is_online=True)
            online = await desk.sees(b, is_online=True)
        away = await desk.sees(a, is_online=False)
        [broker] = pids(club)
        os.kill(broker, signal.SIGKILL)
        await is_back_after(club, desk, b, online)
        assert await desk.sees(a, is_online=False) == away
        online = await desk.sees(b, is_online=True)
        club.broker.revoke([removed.id])
        await is_back_after(club, desk, b, online)
        assert await desk.sees(a, is_online=False) == away


async def test_a_board_that_is_heard_again_to_be_online_or_away_is_so_since_the_first_time(
    club: Club, desk: Desk
) -> None:
    topics, a = Topics(), club.boards["a"]
    async with club_hub(club.folder / "hub", hub_copy(topics), desk):
        for said in (ONLINE, OFFLINE, ONLINE):
            topics.publish(a.online, said)
            since = await desk.sees(a, is_online=said == ONLINE)
            shown = desk.shown
            topics.publish(a.online, said)
            await until(lambda: desk.shown is not shown, "the next snapshot")  # noqa: B023
            assert await desk.sees(a, is_online=said == ONLINE) == since


async def test_a_hub_that_is_started_again_says_when_an_absent_board_was_last_heard(
    running_club: Club, desk: Desk
) -> None:
    club, a, b = running_club, running_club.boards["a"], running_club.boards["b"]
    async with club_hub(club.folder / "hub", to_broker(club, club.hub), desk), switched_on(club, b):
        async with switched_on(club, a):
            await desk.sees(a, is_online=True)
            await desk.sees(b, is_online=True)
        away = await desk.sees(a, is_online=False)
        ended = CLOCK.wall()
    desk.shown = ClubSnapshot()
    async with club_hub(club.folder / "hub", to_broker(club, club.hub), desk):
        assert await desk.sees(a, is_online=False) == away
        assert await desk.sees(b, is_online=False) >= ended, "it was heard until the hub ended"


async def test_a_hub_stores_while_it_runs_when_boards_were_last_heard(
    running_club: Club, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cribd.club.hub.STORE_S", 0.05)
    club, a = running_club, running_club.boards["a"]
    async with club_hub(club.folder / "hub", to_broker(club, club.hub), desk) as hub:
        async with switched_on(club, a):
            online = await desk.sees(a, is_online=True)

            def stored() -> datetime | None:
                return read_last_heard(hub.organiser.journal, CLOCK.wall()).get(a.id)

            await until(lambda: (stored() or online) > online, "its time in the journal")
        away = await desk.sees(a, is_online=False)
        await until(lambda: stored() == away, "when it left")
        database = hub.organiser.journal._file.db
        await asyncio.sleep(0.2)
        before = database.total_changes
        await asyncio.sleep(0.3)
        assert database.total_changes == before, "nothing is written while all boards are away"


def test_only_the_times_of_this_evening_are_read_from_the_journal(tmp_path: Path) -> None:
    now = datetime(2026, 3, 4, 19, 30, tzinfo=UTC)
    journal = Journal(tmp_path / "journal.db", CLOCK)
    times = {"here": now - timedelta(minutes=3), "old": now - 2 * LONGEST, "of a clock ahead": now + LONGEST}
    assert store_last_heard(journal, times)
    assert read_last_heard(journal, now) == {"here": times["here"]}
    for damaged in ("", "[", "[]", '{"here": 4}', '{"here": "soon"}', '{"here": "2026-03-04T19:27:00"}'):
        journal.write_settings({"club boards heard": damaged})
        assert read_last_heard(journal, now) == {}
    journal.close()
