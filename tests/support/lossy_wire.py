"""A bad wire to a network of its own: it loses one packet in ten, and delivers the others late.

Two devices of the kernel (tun) are its ends, one here and one in a network namespace; this process carries the packets
between them. So it needs root and /dev/net/tun, and no queueing discipline of the kernel.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

#: How much is lost, and how late the rest is, in each direction.
LOSS, DELAY_S = 0.1, 0.2
#: Where the near end is for who is in the namespace.
NEAR, FAR = "198.18.7.1", "198.18.7.2"

_TUNSETIFF, _TUN, _NO_INFO = 0x400454CA, 0x0001, 0x1000
_MTU = 1500


@dataclass(slots=True)
class BadWire:
    """A wire, and how many packets it has carried and lost."""

    namespace: str
    carried: int = 0
    lost: int = 0
    is_there: bool = True

    def inside(self, *command: str) -> list[str]:
        """A command that runs this one in the namespace."""
        return ["ip", "netns", "exec", self.namespace, *command]


@contextmanager
def bad_wire(seed: int) -> Iterator[BadWire]:
    """A wire between this machine and a new namespace. Raises OSError where this machine has no such devices."""
    name = f"cribboard{os.getpid()}"
    near, far = _end(f"near{os.getpid()}"), _end(f"far{os.getpid()}")
    wire, rng, loop = BadWire(name), Random(seed), asyncio.get_running_loop()

    def carry(source: int, target: int) -> None:
        packet = os.read(source, _MTU)
        if rng.random() < LOSS:
            wire.lost += 1
        else:
            wire.carried += 1
            loop.call_later(DELAY_S, deliver, target, packet)

    def deliver(target: int, packet: bytes) -> None:
        if wire.is_there:
            os.write(target, packet)

    _ip("netns", "add", name)
    try:
        _ip("link", "set", f"far{os.getpid()}", "netns", name)
        _ip("addr", "add", f"{NEAR}/30", "dev", f"near{os.getpid()}")
        _ip("link", "set", f"near{os.getpid()}", "up")
        _ip("-n", name, "addr", "add", f"{FAR}/30", "dev", f"far{os.getpid()}")
        _ip("-n", name, "link", "set", f"far{os.getpid()}", "up")
        loop.add_reader(near, carry, near, far)
        loop.add_reader(far, carry, far, near)
        yield wire
    finally:
        wire.is_there = False
        for end in (near, far):
            loop.remove_reader(end)
            os.close(end)
        _ip("netns", "delete", name)


def _end(name: str) -> int:
    end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(end, _TUNSETIFF, struct.pack("16sH", name.encode(), _TUN | _NO_INFO))
    return end


def _ip(*words: str) -> None:
    ran = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if ran.returncode:
        raise OSError(f"ip {' '.join(words)}: {ran.stderr.strip()}")
