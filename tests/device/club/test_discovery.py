"""Boards find hubs by multicast DNS: by a real avahi-daemon on a bus of its own, and without one."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import stat
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path
from typing import Any, NoReturn

import pytest
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


def leave_out(why: str) -> NoReturn:
    """Skip a test. In CI it fails: nothing may be missing there."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def started(*command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def listens(path: Path) -> bool:
    """Return whether a program listens at a socket. The file of the socket is there a moment earlier."""
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


class Avahi:
    """An avahi-daemon on a bus of its own."""

    def __init__(self, folder: Path) -> None:
        found = shutil.which("avahi-daemon", path=f"{os.environ['PATH']}:/usr/sbin")
        if found is None or shutil.which("dbus-daemon") is None:
            leave_out("avahi-daemon is missing: apt-get install avahi-daemon")
        self._program, self._folder = found, folder
        self._running: list[subprocess.Popen[bytes]] = []

    async def start_bus(self) -> None:
        path = self._folder / "bus"
        (self._folder / "bus.conf").write_text(BUS.format(socket=path))
        self._running.append(
            started("dbus-daemon", f"--config-file={self._folder}/bus.conf", "--nofork", "--nopidfile")
        )
        await until(lambda: listens(path))

    async def start(self) -> None:
        (self._folder / "avahi.conf").write_text("[server]\nuse-ipv6=no\n[publish]\npublish-workstation=no\n")
        settings = ("-f", f"{self._folder}/avahi.conf", "--no-drop-root", "--no-chroot", "--no-rlimits")
        self._running.append(started(self._program, *settings))
        await asyncio.sleep(1.0)
        if self._running[-1].poll() is not None:
            pytest.skip("avahi-daemon needs rights that this machine does not give")

    def stop(self) -> None:
        for process in reversed(self._running):
            process.terminate()
            process.wait()


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The place of this test's own system bus."""
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path / 'bus'}")


@pytest.fixture(params=["avahi", "alone"])
async def network(request: pytest.FixtureRequest, tmp_path: Path, bus: None) -> AsyncIterator[str]:
    """A network with Avahi on this machine, or without it."""
    if request.param == "alone":
        yield "alone"
        return
    avahi = Avahi(tmp_path)
    try:
        await avahi.start_bus()
        await avahi.start()
        yield "avahi"
    finally:
        avahi.stop()


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


@pytest.mark.parametrize(
    "work",
    [
        lambda: browse(lambda _: None, CLOCK),
        lambda: advertise("A club", "0" * 64, 8121, CLOCK, address=lambda: "127.0.0.1"),
    ],
    ids=["browse", "advertise"],
)
async def test_who_stops_while_zeroconf_starts_leaves_no_socket_open(
    bus: None, work: Callable[[], Coroutine[Any, Any, None]]
) -> None:
    def sockets() -> set[str]:
        files = (f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd"))
        return {os.readlink(file) for file in files if os.path.exists(file) and stat.S_ISSOCK(os.stat(file).st_mode)}

    before = sockets()
    for turns, cancels in product(range(1, 20), (1, 2)):
        task = asyncio.create_task(work())
        for _ in range(turns):
            await asyncio.sleep(0)
        for _ in range(cancels):
            task.cancel()
            await asyncio.sleep(0)
        await asyncio.gather(task, return_exceptions=True)
        await until(lambda: sockets() == before)


async def test_zeroconf_gives_way_to_an_avahi_that_starts_after_the_hub(
    bus: None, tmp_path: Path, unique: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "_LOOK_S", 0.2)
    now: list[Sequence[HubPlace]] = [()]
    by: list[str] = []
    alone, by_avahi = discovery._advertise_alone, discovery._Avahi.advertise

    async def noted_alone(*given: Any, refuses: bool) -> None:
        by.append("zeroconf")
        await alone(*given, refuses=refuses)
        by.append("zeroconf has ended")

    async def noted_by_avahi(*given: Any) -> None:
        by.append("avahi")
        await by_avahi(*given)

    monkeypatch.setattr(discovery, "_advertise_alone", noted_alone)
    monkeypatch.setattr(discovery._Avahi, "advertise", noted_by_avahi)
    avahi = Avahi(tmp_path)
    try:
        await avahi.start_bus()
        async with hub(f"{abs(hash(unique)):064x}", unique):
            await until(lambda: by == ["zeroconf"])
            await avahi.start()
            await until(lambda: by == ["zeroconf", "zeroconf has ended", "avahi"])
            looking = asyncio.create_task(browse(now.append, CLOCK))
            try:
                await until(lambda: any(place.name == unique for place in now[-1]))
            finally:
                looking.cancel()
                await asyncio.gather(looking, return_exceptions=True)
    finally:
        avahi.stop()
