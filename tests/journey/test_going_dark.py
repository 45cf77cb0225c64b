"""A board that is told to stop goes dark, whatever else fails at its end, and whoever still presses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config, TableConfig
from cribd.daemon import Device, open_device
from cribd.inputs import Key, KeyPressed
from cribd.twin.machine import Twin


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[tuple[Device, Twin, Callable[[], Any]]]:
    """A board on which a game has begun, and how it is stopped."""
    clock, board = ManualClock(), load("continuous")
    config = Config(table=TableConfig(way="trust"), journal=str(folder / "journal.db"))
    twin = Twin(board, clock, folder=folder)
    device, journal = open_device(config, board, twin.wires, clock=clock, threaded=False)
    await device.start()
    for _ in range(2):
        await clock.advance(0.1)
        device.table.post([KeyPressed(Key.OK, 0)])
    await clock.advance(1)

    async def stopped() -> None:
        stopping = asyncio.create_task(device.stop())
        while not stopping.done():
            device.table.post([KeyPressed(Key.MENU)])
            await clock.advance(0.01)
        stopping.result()

    yield device, twin, stopped
    journal.close()
    twin.close()


def glowing(twin: Twin) -> tuple[int, bool, float]:
    """How many LEDs glow, whether the screen does, and what sounds."""
    lit = sum(bool(led.level and (led.red or led.green or led.blue)) for led in twin.leds())
    return lit, twin.oled().on, twin.buzzer_hz()


async def test_a_stopping_board_is_dark_despite_presses(tmp_path: Path) -> None:
    async with playing(tmp_path) as (_, twin, stopped):
        lit, screen, _ = glowing(twin)
        assert (lit > 0, screen) == (True, True)
        await stopped()
        assert glowing(twin) == (0, False, 0)


@pytest.mark.parametrize("part", ["_keys.close", "_buzzer.close", "_screen.darken", "_bus.stop"])
async def test_a_stopping_board_is_dark_despite_a_failing_part(part: str, tmp_path: Path) -> None:
    async with playing(tmp_path) as (device, twin, stopped):
        name, _, method = part.partition(".")
        worked = getattr(getattr(device, name), method)

        def fails(*_: object) -> Any:
            if part == "_bus.stop":
                worked()
            raise RuntimeError("lgpio says: unknown handle")

        with mock.patch.object(getattr(device, name), method, fails), pytest.raises(RuntimeError, match="lgpio"):
            await stopped()
        lit, screen, buzzer = glowing(twin)
        assert (lit, buzzer) == (0, 0)
        assert screen is (part == "_screen.darken")
        assert device.failure() is None
        assert all(task.done() for task in device._tasks)
