"""Measures the time from a press to the light that answers it, at the wires: from the first scan to the last bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cribd.boards import Board
from cribd.clock import Clock
from cribd.selftest.steps import Step
from cribd.wires import Spi, Wires

#: A contact that was at rest for so long moves because of a new press, and not because it bounces.
_REST_S = 0.05


class LightTimer:
    """The `wires` with a stopwatch: `report` gets the step that was pressed, and how many milliseconds it took.

    The time begins with the first scan that differs from the one before, and ends when the expected frame is sent."""

    def __init__(self, wires: Wires, board: Board, clock: Clock, report: Callable[[Step, float], None]) -> None:
        self._wires = wires
        self._strip = board.strip.spi_select
        self._clock = clock
        self._report = report
        self._scan: list[int] = []
        self._changed_at = self._pressed_at = clock.now()
        self._expected: tuple[Step, bytes, float] | None = None

    def expect(self, step: Step, frame: bytes) -> None:
        """Expect this frame as the answer to the press of this step."""
        self._expected = step, frame, self._pressed_at

    @property
    def root(self) -> Path:
        """Where the machine's own files begin."""
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
        """The bus object of the wires."""
        return self._wires.i2c(port)

    def serial(self, name: str) -> str:
        """The path of a reader's port."""
        return self._wires.serial(name)

    def close(self) -> None:
        """Close the wires."""
        self._wires.close()

    def _scanned(self, _sent: Sequence[int], received: list[int], began: float) -> None:
        if received != self._scan:
            if began - self._changed_at > _REST_S:
                self._pressed_at = began
            self._changed_at = began
            self._scan = received

    def _sent(self, sent: Sequence[int], _received: list[int], _began: float) -> None:
        if self._expected is not None and self._expected[1].endswith(bytes(sent)):
            step, _, pressed_at = self._expected
            self._expected = None
            self._report(step, 1000 * (self._clock.now() - pressed_at))


class _TimedSpi:
    """A device on the bus that tells `tell` each transfer: what was sent and received, and when it began."""

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
