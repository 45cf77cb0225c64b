"""Wires of a board with nothing at them: a test of a driver adds those that the driver uses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cribd.wires import Spi


class NoWires:
    """`cribd.wires.Wires`, each of which raises an error when it is used."""

    root = Path("/nowhere")
    pin_factory: Any

    def spi(self, select: int, *, hz: int, mode: int) -> Spi:
        raise NotImplementedError

    def i2c(self, port: int) -> Any:
        raise NotImplementedError

    def serial(self, name: str) -> str:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError
