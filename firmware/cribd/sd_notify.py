"""Notifications of the board's state to systemd (sd_notify(3)).

Each is one datagram to the socket that systemd names in NOTIFY_SOCKET. Without that socket, or if it fails, nothing is
sent and no error is raised: the board runs on.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from pathlib import Path

READY = "READY=1"
STOPPING = "STOPPING=1"
ALIVE = "WATCHDOG=1"


def notify(state: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send one state to systemd.

    An address of systemd that begins with @ is in the abstract namespace."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
        line.setblocking(False)  # nobody may read: then the datagram is lost
        line.sendto(state.encode(), "\0" + address[1:] if address.startswith("@") else address)


def watchdog_s(environment: Mapping[str, str] = os.environ) -> float | None:
    """Return the seconds between `ALIVE` messages; None without a watchdog."""
    usec = environment.get("WATCHDOG_USEC", "")
    watched = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(usec) / 2_000_000 if usec.isdigit() and int(usec) and watched else None


def is_restart(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this start is a restart by systemd.

    The first start and a start after a stop are none.
    The unit has RuntimeDirectoryPreserve=restart, so the folder keeps a file only over a restart (systemd.exec(5))."""
    folder = environment.get("RUNTIME_DIRECTORY")
    if not folder:
        return False
    mark = Path(folder, "started")
    with contextlib.suppress(OSError):
        restarts = mark.exists()
        mark.touch()
        return restarts
    return False
