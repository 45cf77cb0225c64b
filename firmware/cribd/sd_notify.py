"""A word to systemd, when it listens: ready, alive, going (sd_notify(3)).

One datagram to the socket that systemd names in NOTIFY_SOCKET; without it, nothing. Never an error: a daemon that
cannot say that it is ready is still ready.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping

READY = "READY=1"
STOPPING = "STOPPING=1"
ALIVE = "WATCHDOG=1"


def notify(word: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send one word. An address that begins with @ is in the abstract namespace."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
        line.setblocking(False)  # nobody may read: then the word is lost, and the board goes on
        line.sendto(word.encode(), "\0" + address[1:] if address.startswith("@") else address)


def watchdog_s(environment: Mapping[str, str] = os.environ) -> float | None:
    """How often `ALIVE` is to be sent, in seconds: half of what systemd allows. None if it does not watch."""
    usec = environment.get("WATCHDOG_USEC", "")
    watched = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(usec) / 2_000_000 if usec.isdigit() and int(usec) and watched else None
