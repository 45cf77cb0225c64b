"""SPI0 of the twin: one clock and one data line for all, a chip select for each.

A transfer takes the time that its clock needs, by `Clock.wait`, and only then is seen what it did. Who is not selected
hears nothing of it. Never knows what the bytes mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Protocol

from cribd.clock import Clock


class Slave(Protocol):
    """Who hears while a select is low."""

    def heard(self, data: bytes, *, hz: int, mode: int, begin: float) -> Callable[[], None] | None:
        """These bytes were clocked in, the first bit at `begin`. What it returns is done when they are over."""
        ...

    def answer(self, count: int, *, mode: int) -> list[int] | None:
        """What stands on MISO while `count` bytes are clocked; None if this slave has no output."""
        ...


class SpiPort:
    """SPI0. `slaves` has who listens on CE0 and CE1; `rest(count)` is what MISO reads while none of them drives it."""

    def __init__(self, clock: Clock, *, slaves: dict[int, Slave], rest: Callable[[int], list[int]]) -> None:
        self._clock = clock
        self._slaves = slaves
        self._rest = rest
        self._lines = Lock()

    def transfer(self, select: int, data: Sequence[int], *, hz: int, mode: int) -> list[int]:
        """One transfer, the select low at its begin and high at its end. Blocks for its time; the next one waits."""
        sent = bytes(data)
        with self._lines:
            begin = self._clock.now()
            over = received = None
            if (slave := self._slaves.get(select)) is not None:
                received = slave.answer(len(sent), mode=mode)
                over = slave.heard(sent, hz=hz, mode=mode, begin=begin)
            if received is None:
                received = self._rest(len(sent))
            self._clock.wait(begin + len(sent) * 8 / hz - self._clock.now())
            if over is not None:
                over()
        return received
