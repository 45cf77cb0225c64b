"""The hub's own mosquitto: it starts and ends with the hub, comes back, forgets a removed board, and asks no clock."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.support.club import Club, line_with, pids

from cribd.clock import SystemClock
from cribd.club.broker import CONFIGURATION, BrokerOfUnit, find_mosquitto

FAKED = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)


async def ended(reader: asyncio.StreamReader, seconds: float) -> None:
    """Wait until the broker has ended a connection."""
    async with asyncio.timeout(seconds):
        with suppress(ConnectionError):
            assert await reader.read() == b""


async def let_in(club: Club, name: str) -> bool:
    code, _ = await club.publish(club.boards[name], club.boards[name].up, "x")
    return code == 0


async def test_the_broker_ends_when_the_hub_ends(club: Club) -> None:
    async with club.running():
        assert len(pids(club)) == 1
    assert pids(club) == []


async def test_it_comes_back_when_it_is_killed_and_has_forgotten_everything(running_club: Club) -> None:
    club, a = running_club, running_club.boards["a"]
    await club.publish(a, a.up, "state", "-r")
    [first] = pids(club)
    os.kill(first, signal.SIGKILL)
    async with asyncio.timeout(10):
        while pids(club) in ([], [first]):
            await asyncio.sleep(0.02)
    await club.answers()
    assert await club.read(club.hub, "#") == []
    assert await let_in(club, "a")


async def test_it_ends_when_the_hub_is_killed_and_the_next_hub_has_its_port(club: Club) -> None:
    program = (
        "import asyncio, sys; from pathlib import Path; from tests.support.club import Club\n"
        "asyncio.run(Club(Path(sys.argv[1]), int(sys.argv[2])).broker.run())"
    )
    hub = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, str(club.folder), str(club.port)),
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    await club.answers()
    hub.kill()
    await hub.wait()
    async with asyncio.timeout(5):
        while pids(club):
            await asyncio.sleep(0.02)
    async with club.running():
        assert await let_in(club, "a")
    assert not [line for line in club.said if "in use" in line]


async def test_a_port_that_another_has_is_said_once_and_taken_when_it_is_free_and_is_not_why_the_broker_is_killed_later(
    club: Club,
) -> None:
    taken = await asyncio.start_server(lambda *_: None, "", club.port)
    running = asyncio.create_task(club.broker.run())
    try:
        async with asyncio.timeout(10):
            while not any("Address already in use" in line for line in club.said):
                await asyncio.sleep(0.02)
        taken.close()
        async with asyncio.timeout(10):
            while not await let_in(club, "a"):
                await asyncio.sleep(0.1)
        [pid] = pids(club)
        os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(10):
            while len(ends := [line for line in club.said if line.startswith("The broker has ended")]) < 2:
                await asyncio.sleep(0.02)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert "Address already in use" in ends[0]
    assert str(ends[1]) == "The broker has ended, and starts again: Killed"


async def test_a_board_that_joins_is_heard_at_once_and_disturbs_nobody(running_club: Club) -> None:
    club, a = running_club, running_club.boards["a"]
    [first] = pids(club)
    async with club.listening(a, a.down) as heard, club.listening(club.hub, "#") as hub:
        for name in ("one", "two", "three"):
            new = club.pair(name)
            await club.publish(new, new.up, f"I am {name}")
            await line_with(f"I am {name}", hub)
        await club.publish(club.hub, a.down, "still there")
        await line_with("still there", heard)
    assert pids(club) == [first]
    assert not [line for line in club.said if "ACL" in line]


async def test_a_removed_board_is_cut_off_at_once_and_stays_out_until_it_joins_again(running_club: Club) -> None:
    club, b = running_club, running_club.boards["b"]
    await club.publish(club.hub, b.down, "order", "-r")
    async with club.connected(b) as heard:
        club.remove("b")
        await ended(heard, 2.0)
    await club.answers()
    assert not await let_in(club, "b")
    assert await club.read(b, "#") == []
    assert await let_in(club, "a")
    club.remove()
    async with asyncio.timeout(10):
        while not await let_in(club, "b"):
            await asyncio.sleep(0.05)


@pytest.fixture
async def unit(club: Club) -> AsyncIterator[Club]:
    """A club whose mosquitto a shell keeps running while it has a configuration, as systemd does."""
    folder = club.folder / "broker"
    club.broker = BrokerOfUnit(club.hub.key, folder, SystemClock(), club.said.append, port=club.port)
    file = folder / CONFIGURATION
    loop = f"while :; do [ ! -e '{file}' ] || {find_mosquitto()} -c '{file}'; sleep 0.05; done"
    systemd = await asyncio.create_subprocess_exec("sh", "-c", loop, start_new_session=True)
    yield club
    os.killpg(systemd.pid, signal.SIGKILL)
    await systemd.wait()


async def test_the_hub_tells_a_mosquitto_that_is_a_unit_of_its_own_who_is_removed(unit: Club) -> None:
    club, b = unit, unit.boards["b"]
    async with club.running():
        assert await let_in(club, "b")
        async with club.connected(b) as heard:
            club.remove("b")
            await ended(heard, 2.0)
        await club.answers()
        assert not await let_in(club, "b")
        assert await let_in(club, "a")
    async with asyncio.timeout(5):
        while pids(club):
            await asyncio.sleep(0.02)


@pytest.fixture
def faked(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], dict[str, str]]:
    """Gives mosquitto a wrong clock, when it is started. Returns what does that to other programs."""
    assert FAKED, "libfaketime is missing: sudo apt install faketime"
    for name, value in {"LD_PRELOAD": str(FAKED), "FAKETIME_DONT_FAKE_MONOTONIC": "1", "TZ": "UTC"}.items():
        monkeypatch.setenv(name, value)

    def fake(time: str) -> dict[str, str]:
        monkeypatch.setenv("FAKETIME", f"@{time}")
        return dict(os.environ)

    return fake


@pytest.mark.parametrize("hubs", ["1970-01-01 00:00:10", "2037-06-01 12:00:00"])
@pytest.mark.parametrize("boards", ["1970-01-01 00:00:10", "2090-06-01 12:00:00"])
async def test_clocks_that_are_wrong_by_years_let_a_board_in(
    club: Club, faked: Callable[[str], dict[str, str]], hubs: str, boards: str
) -> None:
    club.environment = faked(boards)
    faked(hubs)
    async with club.running():
        assert await let_in(club, "a")
        assert await let_in(club, "b")
    assert not [line for line in club.said if "certificate" in line]


class ClockOf2090(SystemClock):
    """A clock whose date is wrong, as that of the machine is for mosquitto."""

    def wall(self) -> datetime:
        return datetime(2090, 6, 1, 12, tzinfo=UTC)


async def test_a_hub_whose_clock_says_2090_lets_a_board_in_or_says_that_mosquitto_cannot(
    tmp_path: Path, faked: Callable[[str], dict[str, str]]
) -> None:
    """The mosquitto of Debian 12 can, and that of Debian 13 cannot."""
    club = Club(tmp_path, clock=ClockOf2090())
    club.pair("a")
    faked("2090-06-01 12:00:00")
    async with club.running():
        if not await let_in(club, "a"):
            async with asyncio.timeout(10):
                while not [line for line in club.said if "says 2090" in line]:
                    await asyncio.sleep(0.02)
