"""Notifications to systemd over real sockets."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from cribd.sd_notify import ALIVE, READY, STOPPING, is_restart, notify, watchdog_s


@pytest.fixture(params=["a path", "an abstract name"])
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where systemd may listen. A path of a socket has 107 letters at the most, so pytest's own folder may not do."""
    with TemporaryDirectory(prefix="cribd-") as folder:
        path = str(Path(folder) / "notify")
        yield path if request.param == "a path" else f"@{path}"


@pytest.fixture
def systemd(address: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + address[1:] if address.startswith("@") else address)
        listening.settimeout(5)
        yield listening


def test_each_word_is_one_datagram(systemd: socket.socket, address: str) -> None:
    for word in (READY, ALIVE, STOPPING):
        notify(word, {"NOTIFY_SOCKET": address})
    assert [systemd.recv(100) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"STOPPING=1"]


def test_without_a_socket_nothing_is_sent() -> None:
    notify(READY, {})
    notify(READY, {"NOTIFY_SOCKET": ""})


def test_a_socket_that_is_not_there_is_no_error(address: str) -> None:
    notify(READY, {"NOTIFY_SOCKET": address})
    notify(READY, {"NOTIFY_SOCKET": f"/{'x' * 200}"})


def test_a_full_socket_of_systemd_blocks_no_task(systemd: socket.socket, address: str) -> None:
    for _ in range(2000):
        notify(ALIVE, {"NOTIFY_SOCKET": address})
    systemd.setblocking(False)
    heard: list[bytes] = []
    with suppress(BlockingIOError):
        heard.extend(iter(lambda: systemd.recv(100), b""))
    assert set(heard) == {b"WATCHDOG=1"}
    assert len(heard) < 2000


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "10000000"}, 5.0),
        ({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": str(os.getpid())}, 0.25),
        ({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": str(os.getpid() + 1)}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": ""}, None),
    ],
)
def test_the_watchdog_is_answered_twice_as_often_as_needed(environment: dict[str, str], seconds: float | None) -> None:
    assert watchdog_s(environment) == seconds


def test_a_restart_is_a_start_whose_runtime_folder_was_kept(tmp_path: Path) -> None:
    """systemd removes the folder at a stop, and when the machine starts."""
    folder = tmp_path / "run"
    folder.mkdir()
    environment = {"RUNTIME_DIRECTORY": str(folder)}
    assert [is_restart(environment), is_restart(environment)] == [False, True]


@pytest.mark.parametrize("environment", [{}, {"RUNTIME_DIRECTORY": ""}, {"RUNTIME_DIRECTORY": "/proc/no/folder"}])
def test_without_a_runtime_folder_no_start_is_a_restart(environment: dict[str, str]) -> None:
    assert [is_restart(environment), is_restart(environment)] == [False, False]
