"""Somebody at a board on the twin, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from cribboard import Card
from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config, ReaderConfig
from cribd.daemon import open_device
from cribd.inputs import Fault, Key
from cribd.robots.fingers import Fingers, teach_twin
from cribd.twin.machine import Twin
from cribd.twin.noise import Noise
from cribd.wires import ReaderKind

BOARD = load("continuous")


class Seat:
    """Somebody at a board with readers of these kinds, who holds cards up and pulls plugs."""

    def __init__(self, folder: Path, kind: ReaderKind = ReaderKind.SCANNER, noise: Noise | None = None) -> None:
        self.clock = ManualClock()
        self.config = Config(readers=(ReaderConfig(port="twin", kind=kind.value),), journal=str(folder / "journal.db"))
        teach_twin(self.config)
        wires = [reader.wire for reader in self.config.readers]
        self.kind = kind
        self.twin = Twin(BOARD, self.clock, folder=folder, readers=wires)
        self.device, self.journal = open_device(
            self.config, BOARD, self.twin.wires, clock=self.twin.clock, threaded=False
        )
        self.fingers = Fingers(self.twin, self.device, self.clock, speed=0, diary=lambda _: None, noise=noise)
        self._working = asyncio.create_task(self.twin.run())

    def faults(self) -> tuple[Fault, ...]:
        return self.fingers.snapshot.faults

    async def time(self, seconds: float) -> None:
        await self.clock.advance(seconds)

    async def begin(self) -> None:
        """Blue deals; the starter is turned up."""
        await self.device.start()
        await self.time(0.2)
        await self.fingers.key(Key.OK, 0)
        await self.fingers.key(Key.OK, 0)
        await self.fingers.scan(Card.parse("6C"))

    async def end(self) -> None:
        stopping = asyncio.create_task(self.device.stop())
        while not stopping.done():
            await self.clock.advance(0.01)
        self._working.cancel()
        for task in (stopping, self._working):
            with suppress(asyncio.CancelledError):
                await task
        self.journal.close()
        self.twin.close()


@asynccontextmanager
async def seat(folder: Path, kind: ReaderKind = ReaderKind.SCANNER) -> AsyncIterator[Seat]:
    at = Seat(folder, kind)
    try:
        await at.begin()
        yield at
    finally:
        await at.end()
