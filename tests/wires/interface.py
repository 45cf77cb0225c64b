"""What an opened node of `nodes.c` is to its server: ioctls, their answers, and the faults that a test makes."""

from __future__ import annotations

import errno
import time
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn, Protocol


class Reply(NamedTuple):
    """What an ioctl answers: what the kernel would write, and the sockets of a line that was opened."""

    data: bytes = b""
    sockets: tuple[int, ...] = ()


class Node(Protocol):
    """One opened node or line."""

    def ioctl(self, request: int, data: bytes) -> Reply:
        """Do what is asked for. Raises OSError with the errno that the kernel gives."""

    def close(self) -> None:
        """End it: its last descriptor is closed."""


@dataclass(eq=False)
class Faults:
    """What is wrong below the wires at this moment."""

    busy_pins: set[int] = field(default_factory=set)  # another program holds these lines
    busy_addresses: set[int] = field(default_factory=set)  # a driver of the kernel holds these I²C addresses
    broken: set[str] = field(default_factory=set)  # every transfer on these nodes is given up after `give_up_s`
    spi_times_out_above: int | None = None  # bytes; such a transfer is given up too
    give_up_s: float = 0.2
    given_up: int = 0  # how many transfers were given up

    def give_up(self) -> NoReturn:
        """End a transfer as the kernel does: after a while, with ETIMEDOUT."""
        self.given_up += 1
        time.sleep(self.give_up_s)
        raise OSError(errno.ETIMEDOUT, "given up")
