"""A board without a chain and without a strip runs: its keys, LEDs and screen, and nothing on SPI."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cribd.boards import Board, Shows, load
from cribd.boards.loader import file_of, read
from cribd.clock import ManualClock
from cribd.config.config import Config, changed
from cribd.daemon.device import Device, open_device
from cribd.inputs import Key
from cribd.twin.faults import FaultName, read_fault
from cribd.twin.machine import Twin
from cribd.wires import Spi

STARTER = load("starter")


class Table:
    """A running device, and hands at its twin."""

    def __init__(self, twin: Twin, device: Device, clock: ManualClock) -> None:
        self.twin, self.device, self.clock = twin, device, clock

    async def press(self, key: Key, side: int | None = None, *, seconds: float = 0.05) -> None:
        self.twin.key_down(key, side)
        await self.clock.advance(seconds)
        self.twin.key_up(key, side)
        await self.clock.advance(0.1)

    @property
    def lit(self) -> set[tuple[Shows, int]]:
        pairs = zip(self.twin.board.leds, self.twin.pin_leds(), strict=True)
        return {(led.shows, led.side) for led, is_lit in pairs if is_lit}

    @property
    def pegs(self) -> list[tuple[int, int | None]]:
        view = self.device.snapshot.view
        assert view is not None
        return [(side.score, side.in_hand) for side in view.sides]


@asynccontextmanager
async def running(folder: Path, board: Board = STARTER) -> AsyncIterator[Table]:
    clock = ManualClock()
    twin = Twin(board, clock, folder=folder / "wires")
    config = changed(Config(journal=str(folder / "journal.db")), {"table": {"way": "trust"}})
    device, journal = open_device(config, board, twin.wires, clock=clock, threaded=False)
    await device.start()
    await clock.advance(0.5)
    yield Table(twin, device, clock)
    stopping = asyncio.create_task(device.stop())
    while not stopping.done():
        await clock.advance(0.01)
    await stopping
    journal.close()
    twin.close()


async def test_points_are_called_with_the_step_key_and_pegged_with_ok(tmp_path: Path) -> None:
    async with running(tmp_path) as table:
        await table.press(Key.OK, 0)
        assert table.lit == set()
        await table.press(Key.OK, 0)
        assert table.lit == {(Shows.DEALER, 0)}
        await table.press(Key.STEP, 0)
        await table.press(Key.STEP, 0)
        assert table.pegs == [(0, 2), (0, None)]
        assert (Shows.PENDING, 0) in table.lit
        await table.press(Key.STEP, 0, seconds=1.2)
        assert table.pegs == [(0, 8), (0, None)], "held, it runs"
        await table.press(Key.OK, 0)
        assert table.pegs == [(8, None), (0, None)]
        assert table.lit == {(Shows.DEALER, 0)}
    assert not any(table.twin.pin_leds())


async def test_a_step_key_held_for_a_minute_calls_the_highest_number_and_then_does_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as table:
        await table.press(Key.OK, 0)
        await table.press(Key.OK, 0)
        table.twin.key_down(Key.STEP, 1)
        await table.clock.advance(8)
        number = table.device.snapshot
        await table.clock.advance(52)
        table.twin.key_up(Key.STEP, 1)
        await table.clock.advance(1)
        assert table.pegs == [(0, None), (29, None)], "three seconds after the last step the peg is let go, as ever"
        assert number.refusal is table.device.snapshot.refusal is None


async def test_nothing_asks_for_spi_and_no_thread_waits_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def spi(*_: Any, **__: Any) -> Spi:
        raise AssertionError("this board has nothing on SPI")

    monkeypatch.setattr("cribd.twin.wires.TwinWires.spi", spi)
    async with running(tmp_path) as table:
        await table.press(Key.OK, 0)
        assert table.device.snapshot.faults == ()
        assert table.device.alive
        assert not [thread for thread in threading.enumerate() if thread.name == "spi0"]


async def test_a_screen_and_keys_alone_run(tmp_path: Path) -> None:
    async with running(tmp_path, replace(STARTER, leds=(), buzzer_gpio=None)) as table:
        await table.press(Key.OK, 0)
        await table.press(Key.OK, 0)
        await table.press(Key.STEP, 1)
        assert table.pegs == [(0, None), (0, 1)]
        assert (table.device.snapshot.faults, table.twin.buzzer_hz()) == ((), 0.0)


async def test_a_strip_without_a_chain_shows_the_pegs_of_steps(tmp_path: Path) -> None:
    text = file_of("continuous").read_text(encoding="utf-8")
    steps = [
        f'[[key]]\nkey = "step"\nside = "{side}"\ngpio = {gpio}\nat = [9, 9]'
        for side, gpio in (("blue", 5), ("red", 6))
    ]
    board = read("\n".join([re.sub(r"\[chain\].*?\n\n", "", text, flags=re.DOTALL), *steps]), called="strip.toml")
    async with running(tmp_path, board) as table:
        await table.press(Key.OK, 0)
        await table.press(Key.OK, 0)
        await table.press(Key.STEP, 0)
        await table.press(Key.STEP, 0)
        await table.press(Key.OK, 0)
        await table.clock.advance(1)
        assert table.twin.leds()[board.tracks[0].holes[1].led].level
        assert table.device.snapshot.faults == ()


@pytest.mark.parametrize("name", ["stuck", "dead", "swapped", "joined", "chain-low", "chain-high", "strip-cut"])
async def test_the_twin_makes_no_fault_of_a_part_that_is_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="this board has no"):
        read_fault(name, STARTER)
    async with running(tmp_path) as table:
        assert FaultName(name) not in table.twin.can_make
        assert FaultName.BOUNCE in table.twin.can_make
