"""Measures the time from a press to the light of its button."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from typing import Any

from cribd.boards import Board
from cribd.clock import Clock
from cribd.selftest.steps import SelfTestStep
from cribd.wires import Spi, Wires

#: If a contact closes this soon after it opened, it bounced or was read wrong; this is no new press.
_BOUNCE_S = 0.02


class LightTimer:
    """Wires that measure the time from a press to its light.

    `report` receives the step and the milliseconds. The time begins with the first scan in which the watched button is
    down, and ends when the expected frame is sent."""

    def __init__(self, wires: Wires, board: Board, clock: Clock, report: Callable[[SelfTestStep, float], None]) -> None:
        self._wires = wires
        self._strip, self._pressed = board.strip.spi_select, board.chain.pressed_level
        self._clock = clock
        self._report = report
        self._input: int | None = None
        self._down = False
        self._up_since = -inf
        self._pressed_at = 0.0
        self._expected: tuple[SelfTestStep, bytes, float] | None = None

    def watch(self, place: int | None) -> None:
        """Watch the button at input `place`; None for no button."""
        if place != self._input:
            self._input, self._down, self._up_since = place, False, -inf

    def expect(self, step: SelfTestStep, frame: bytes) -> None:
        """Measure the time from the latest press to this frame."""
        self._expected = step, frame, self._pressed_at

    @property
    def root(self) -> Path:
        """The root folder of the machine's files: `/` on a Pi."""
        return self._wires.root

    @property
    def pin_factory(self) -> Any:
        """The gpiozero factory of the wires."""
        return self._wires.pin_factory

    def spi(self, select: int, *, hz: int, mode: int) -> Spi:
        """Open SPI0 with this chip select."""
        device = self._wires.spi(select, hz=hz, mode=mode)
        return _TimedSpi(device, self._clock, self._sent if select == self._strip else self._scanned)

    def i2c(self, port: int) -> Any:
        """Return the wires' bus object for this I2C port."""
        return self._wires.i2c(port)

    def serial(self, name: str) -> str:
        """Return the path of a reader's port."""
        return self._wires.serial(name)

    def close(self) -> None:
        """Close the wires."""
        self._wires.close()

    def _scanned(self, _sent: Sequence[int], received: list[int], began: float) -> None:
        place = self._input
        if place is None:
            return
        is_down = received[place // 8] >> 7 - place % 8 & 1 == self._pressed
        if is_down and not self._down and began - self._up_since > _BOUNCE_S:
            self._pressed_at = began
        if self._down and not is_down:
            self._up_since = began
        self._down = is_down

    def _sent(self, sent: Sequence[int], _received: list[int], _began: float) -> None:
        if self._expected is not None and self._expected[1].endswith(bytes(sent)):
            step, _, pressed_at = self._expected
            self._expected = None
            self._report(step, 1000 * (self._clock.now() - pressed_at))


class _TimedSpi:
    """An SPI device that reports each transfer to `tell`."""

    def __init__(self, device: Spi, clock: Clock, tell: Callable[[Sequence[int], list[int], float], None]) -> None:
        self._device = device
        self._clock = clock
        self._tell = tell

    def transfer(self, data: Sequence[int]) -> list[int]:
        began = self._clock.now()
        received = self._device.transfer(data)
        self._tell(data, received, began)
        return received

    def close(self) -> None:
        self._device.close()
