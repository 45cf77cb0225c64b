"""Measures the memory of the daemon without the twin.

The pins are gpiozero's mock pins, and the buses accept everything and answer nothing. Every driver and library of the
device is loaded as on a Pi, and nothing of the twin is.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cribd.boards import load
from cribd.clock import SystemClock
from cribd.config.config import Config
from cribd.daemon import serve


class _Silence:
    """An SPI device and an I²C bus with nothing behind them."""

    def transfer(self, data: Sequence[int]) -> list[int]:
        SystemClock().wait(len(data) / 125_000)
        return [0] * len(data)

    def write_i2c_block_data(self, *_: Any) -> None: ...

    def read_byte(self, *_: Any) -> int:
        return 0

    def i2c_rdwr(self, *_: Any) -> None: ...

    def close(self) -> None: ...


class NoWires:
    """Wires that lead nowhere."""

    root = Path("/nowhere")

    @property
    def pin_factory(self) -> Any:
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        return MockFactory(pin_class=MockPWMPin)

    def spi(self, select: int, *, hz: int, mode: int) -> _Silence:
        return _Silence()

    def i2c(self, port: int) -> _Silence:
        return _Silence()

    def serial(self, name: str) -> str:
        raise OSError(f"{name}: nothing is there")

    def close(self) -> None: ...


async def main(journal: Path) -> None:
    """Run until SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    board = load("continuous")
    await serve(Config(journal=str(journal)), board, NoWires(), twin=None, stop=stop, announce=print)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
