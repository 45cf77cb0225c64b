"""The connections of hub and boards over a real mosquitto: state comes, and comes again after a break."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.support.club import PATIENCE_S, Club, Machine, pids
from tests.support.proxies import cable

from cribd.clock import SystemClock
from cribd.club.certificates import tls_to_hub
from cribd.club.connection import KEEP_ALIVE_S, BrokerConnection, board_connection, hub_connection
from cribd.club.messages import BEAT_S, SEALED_SIZE
from cribd.club.transport import HUB_ONLINE, OFFLINE, ONLINE

#: So many messages of a board come in a flood of another, twenty a second.
FLOODED = 100
#: What TLS makes of a ping, or of its answer.
PING = 24


@dataclass(slots=True)
class End:
    """One end of the club: it says its state at each connection, and keeps the newest of each topic that comes."""

    connection: BrokerConnection
    about: str
    state: bytes
    heard: dict[str, bytes] = field(default_factory=dict)
    connections: int = 0
    is_connected: bool = False

    def change(self, is_connected: bool) -> None:
        self.is_connected = is_connected
        self.connections += is_connected
        if is_connected:
            self.connection.publish(self.about, self.state)

    async def run(self) -> None:
        await self.connection.run(self.heard.__setitem__, self.change)


def hub_of(club: Club, about: str, state: bytes) -> End:
    tls = tls_to_hub(club.hub.key, club.hub.certificate, club.hub.certificate)
    return End(hub_connection(lambda: [("127.0.0.1", club.port)], SystemClock(), tls=tls), about, state)


def board_of(club: Club, machine: Machine, state: bytes, port: int = 0) -> End:
    tls = tls_to_hub(machine.key, machine.certificate, club.hub.certificate)
    found = [("127.0.0.1", port or club.port)]
    return End(board_connection(machine.id, lambda: found, SystemClock(), tls=tls), machine.up, state)


@asynccontextmanager
async def running(*ends: End) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(end.run()) for end in ends]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def until(is_so: Callable[[], bool], seconds: float = PATIENCE_S) -> None:
    async with asyncio.timeout(seconds):
        while not is_so():
            await asyncio.sleep(0.02)


async def test_hub_and_boards_have_the_state_of_one_another_and_no_board_that_of_another(running_club: Club) -> None:
    club, a, b = running_club, running_club.boards["a"], running_club.boards["b"]
    hub, one, other = hub_of(club, a.down, b"table 4"), board_of(club, a, b"of a"), board_of(club, b, b"of b")
    expected = {a.up: b"of a", a.online: ONLINE, b.up: b"of b", b.online: ONLINE}
    async with running(hub, one, other):
        await until(lambda: expected.items() <= hub.heard.items())
        await until(lambda: one.heard == {a.down: b"table 4", HUB_ONLINE: ONLINE})
        await until(lambda: other.heard == {HUB_ONLINE: ONLINE})


@pytest.mark.slow
async def test_pings_beside_the_beat_come_ten_seconds_apart_from_the_connection_on_whatever_is_sent(
    running_club: Club,
) -> None:
    """paho notes no message that it sends, so it pings by its own clock. One that noted them would never ping."""
    club, a = running_club, running_club.boards["a"]
    async with cable(club.port) as carries:
        hub, board = hub_of(club, a.down, b"order"), board_of(club, a, b"of a", carries.port)
        async with running(hub, board):
            await until(lambda: a.up in hub.heard and a.down in board.heard)
            for beat in range(int(2.5 * KEEP_ALIVE_S / BEAT_S)):
                await asyncio.sleep(BEAT_S)
                board.connection.publish(a.up, bytes(SEALED_SIZE))
                hub.connection.publish(a.down, bytes(SEALED_SIZE))
                if beat % 4 == 1:
                    await asyncio.sleep(BEAT_S / 2)
                    board.connection.publish(a.up, b"more")
            for heard in carries.heard:
                assert sum(one.length > SEALED_SIZE for one in heard) > 2 * KEEP_ALIVE_S / BEAT_S
                pings = [one.at - heard[0].at for one in heard if one.length == PING]
                expected = [pytest.approx(KEEP_ALIVE_S * (number + 1), abs=BEAT_S) for number in range(len(pings))]
                assert pings == expected


async def test_after_the_broker_is_killed_both_sides_have_the_newest_state_again(running_club: Club) -> None:
    club, a = running_club, running_club.boards["a"]
    hub, board = hub_of(club, a.down, b"first"), board_of(club, a, b"first")
    async with running(hub, board):
        await until(lambda: (hub.heard.get(a.up), board.heard.get(a.down)) == (b"first", b"first"))
        hub.state = board.state = b"second"
        [process] = pids(club)
        os.kill(process, signal.SIGKILL)
        await until(lambda: (hub.heard.get(a.up), board.heard.get(a.down)) == (b"second", b"second"))


def memory_mb() -> float:
    """The memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


@pytest.mark.slow
async def test_a_flood_takes_no_memory_at_the_hub_which_hears_the_other_boards_in_it_and_after_it(
    running_club: Club,
) -> None:
    club, a, b = running_club, running_club.boards["a"], running_club.boards["b"]
    hub, one = hub_of(club, a.down, b""), board_of(club, b, b"0")
    async with running(hub, one):
        await until(lambda: hub.heard.get(b.up) == b"0")
        before, endless = memory_mb(), f'yes {"x" * 60_000} | exec "$@"'
        flood = await asyncio.create_subprocess_exec(
            *("sh", "-c", endless, "sh", "mosquitto_pub", *club.options(a), "-q", "0", "-t", a.up, "-l"),
            start_new_session=True,
        )
        try:
            await until(lambda: a.up in hub.heard)
            heard = set()
            for number in range(FLOODED):
                one.connection.publish(b.up, str(number).encode())
                await asyncio.sleep(0.05)
                heard.add(hub.heard[b.up])
            assert flood.returncode is None, "the flood was over before the messages"
        finally:
            os.killpg(flood.pid, signal.SIGKILL)
            await flood.wait()
        assert len(heard) > FLOODED / 20
        assert memory_mb() - before < 100
        async with asyncio.timeout(PATIENCE_S):
            while hub.heard[b.up] != b"after the flood":
                one.connection.publish(b.up, b"after the flood")  # what is still queued of the flood may crowd it out
                await asyncio.sleep(0.5)


async def test_each_side_learns_that_the_other_has_ended_in_order(running_club: Club) -> None:
    club, a = running_club, running_club.boards["a"]
    hub, board = hub_of(club, a.down, b""), board_of(club, a, b"")
    async with running(hub):
        async with running(board):
            await until(lambda: hub.heard.get(a.online) == ONLINE)
        await until(lambda: hub.heard.get(a.online) == OFFLINE)
    async with running(board):
        await until(lambda: board.heard.get(HUB_ONLINE) == OFFLINE)


async def test_a_removed_board_is_gone_at_once_and_the_others_are_back_within_five_seconds(running_club: Club) -> None:
    club, a, b = running_club, running_club.boards["a"], running_club.boards["b"]
    hub, lost, other = hub_of(club, a.down, b"order"), board_of(club, b, b"of b"), board_of(club, a, b"of a")
    async with running(hub, lost, other):
        await until(lambda: {a.up, b.up} <= hub.heard.keys() and a.down in other.heard)
        hub.heard.clear()
        other.heard.clear()
        club.remove("b")
        await until(lambda: not lost.is_connected, 2.0)
        await until(lambda: hub.heard.get(a.up) == b"of a" and other.heard.get(a.down) == b"order", 5.0)
        await asyncio.sleep(2.0)  # it tries again and again
        assert lost.connections == 1
        assert b.up not in hub.heard
