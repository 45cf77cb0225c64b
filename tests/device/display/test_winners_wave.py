"""The winner's wave on the whole device: four seconds from the win, whatever else is shown meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.moments import BLUE

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config, TableConfig
from cribd.daemon import Device, open_device
from cribd.inputs import Fault, FaultCleared, FaultKind, HolePressed, Key, KeyPressed
from cribd.twin.machine import Twin

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

BOARD = load("continuous")
AWAY = "reader"


class Winner:
    """A board on which blue has just won."""

    def __init__(self, device: Device, twin: Twin, clock: ManualClock) -> None:
        self.device = device
        self.twin = twin
        self.clock = clock

    def burning(self) -> int:
        """How many holes of the winner's track have light."""
        leds = [self.twin.leds()[spot.led] for spot in BOARD.tracks[BLUE].holes]
        return sum(bool(led.level and (led.red or led.green or led.blue)) for led in leds)

    async def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 100)):
            await self.clock.advance(0.01)


@pytest.fixture
async def winner(tmp_path: Path) -> AsyncIterator[Winner]:
    clock = ManualClock()
    twin = Twin(BOARD, clock, folder=tmp_path)
    config = Config(table=TableConfig(way="trust"), journal=str(tmp_path / "journal.db"))
    device, journal = open_device(config, BOARD, twin.wires, clock=clock, threaded=False)
    won = Winner(device, twin, clock)
    await device.start()
    await won.wait(0.5)
    for given_input in (
        KeyPressed(Key.OK, BLUE),
        KeyPressed(Key.OK, BLUE),
        HolePressed(BLUE, 121),
        HolePressed(BLUE, 121),
        KeyPressed(Key.OK, BLUE),
    ):
        device.table.post([given_input])
        await won.wait(0.2)
    yield won
    stopping = asyncio.create_task(device.stop())
    while not stopping.done():
        await clock.advance(0.01)
    journal.close()
    twin.close()


async def test_the_winners_lights_run_for_four_seconds(winner: Winner) -> None:
    assert winner.burning() > 10
    await winner.wait(3.0)
    assert winner.burning() > 10
    await winner.wait(1.0)
    assert winner.burning() < 4


async def test_a_noisy_reader_does_not_begin_them_again(winner: Winner) -> None:
    for _ in range(9):
        winner.device.table.post([Fault(FaultKind.READER_SILENT, AWAY)])
        await winner.wait(0.3)
        winner.device.table.post([FaultCleared(FaultKind.READER_SILENT, AWAY)])
        await winner.wait(0.3)
    assert winner.device.snapshot.view is not None
    assert winner.device.snapshot.view.winner == BLUE
    assert winner.burning() < 4
