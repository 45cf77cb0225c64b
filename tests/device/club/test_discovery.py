"""Boards find hubs by multicast DNS: by a real avahi-daemon on a bus of its own, and without one."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.support.left_out import leave_out
from tests.support.waiting import until

from cribd.clock import SystemClock
from cribd.club import discovery
from cribd.club.discovery import advertise, browse
from cribd.club.hub_place import HubPlace

pytestmark = [pytest.mark.slow, pytest.mark.shares("multicast DNS")]  # one program answers it at a time
CLOCK = SystemClock()
BUS = """<busconfig>
  <type>system</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*"/> <allow receive_sender="*"/> <allow own="*"/> <allow user="*"/>
  </policy>
</busconfig>
"""


def started(*command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture(params=["avahi", "alone"])
async def network(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[str]:
    """A network with Avahi on this machine, or without it."""
    socket = tmp_path / "bus"
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={socket}")
    if request.param == "alone":
        yield "alone"
        return
    avahi = shutil.which("avahi-daemon", path=f"{os.environ['PATH']}:/usr/sbin")
    if avahi is None or shutil.which("dbus-daemon") is None:
        leave_out("avahi-daemon is missing: apt-get install avahi-daemon")
    (tmp_path / "bus.conf").write_text(BUS.format(socket=socket))
    (tmp_path / "avahi.conf").write_text("[server]\nuse-ipv6=no\n[publish]\npublish-workstation=no\n")
    running = [started("dbus-daemon", f"--config-file={tmp_path}/bus.conf", "--nofork", "--nopidfile")]
    try:
        await until(socket.exists)
        settings = ("-f", f"{tmp_path}/avahi.conf", "--no-drop-root", "--no-chroot", "--no-rlimits")
        running.append(started(str(avahi), *settings))
        await asyncio.sleep(1.0)
        if running[1].poll() is not None:
            leave_out("avahi-daemon needs rights that this machine does not give")
        yield "avahi"
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait()


@asynccontextmanager
async def hub(key: str, name: str, address: Callable[[], str | None] = lambda: "127.0.0.1") -> AsyncIterator[None]:
    task = asyncio.create_task(advertise(name, key, 8121, CLOCK, address=address))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
def unique(tmp_path: Path) -> str:
    """A name that no other hub in this network has."""
    return f"Club {abs(hash(tmp_path)):x}"[:20]


async def test_a_board_finds_a_hub_with_its_clubs_name_once_and_loses_it_when_it_goes(
    network: str, unique: str
) -> None:
    now: list[Sequence[HubPlace]] = [()]
    looking = asyncio.create_task(browse(now.append, CLOCK))

    def of_this_test() -> list[HubPlace]:
        return [place for place in now[-1] if place.name == unique]

    try:
        async with hub(f"{abs(hash(unique)):064x}", unique):
            await until(lambda: bool(of_this_test()))
            [place] = of_this_test()
            assert (place.port, place.key) == (8121, f"{abs(hash(unique)):064x}")
            if network == "alone":
                assert place.host == "127.0.0.1"
        await until(lambda: not of_this_test())
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def test_a_hub_that_gets_its_address_later_is_found_then_and_at_its_newest_address(
    network: str, unique: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "_LOOK_S", 0.2)
    now: list[Sequence[HubPlace]] = [()]
    has: list[str | None] = [None]
    looked = 0

    def address() -> str | None:
        nonlocal looked
        looked += 1
        return has[-1]

    def hosts() -> list[str]:
        return [place.host for place in now[-1] if place.name == unique]

    looking = asyncio.create_task(browse(now.append, CLOCK))
    try:
        async with hub(f"{abs(hash(unique)):064x}", unique, address):
            await until(lambda: looked > 2)
            assert hosts() == []
            has.append("127.0.0.1")
            await until(lambda: len(hosts()) == 1)
            has.append("127.0.0.2")
            if network == "alone":
                await until(lambda: hosts() == ["127.0.0.2"])
            has.append(None)
            await until(lambda: not hosts())
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
