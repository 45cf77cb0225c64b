"""The real drivers on SPI0 as the Pi 5 may work it: the mode changes only after the select has fallen.

The chain is read in mode 2 and the strip is sent to in mode 0, so each sees an edge too many after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.spots import HOLED

from cribd.boards import Board, load
from cribd.clock import ManualClock
from cribd.drivers.button_chain import ButtonChain
from cribd.drivers.spi_bus import SpiBus
from cribd.drivers.strip_encoder import LedColour, StripEncoder
from cribd.inputs import HolePressed, Input
from cribd.twin.machine import Twin


class Table:
    """A board's SPI0 with its drivers, and a finger."""

    def __init__(self, board: Board, folder: Path, *, late_mode: bool) -> None:
        self.board = board
        self.clock = ManualClock()
        self.inputs: list[Input] = []
        self.twin = Twin(board, self.clock, folder=folder, late_mode=late_mode)
        self.bus = SpiBus(
            board,
            self.twin.wires,
            clock=self.clock,
            report=self.inputs.extend,
            holes=ButtonChain(board, debounce_ms=10),
        )
        self.encoder = StripEncoder(board.strip)
        self.scan(3)

    def scan(self, times: int) -> None:
        for _ in range(times):
            self.bus.tick()
            self.clock.wait(0.005)

    def show(self, *leds: int) -> None:
        self.bus.show(self.encoder.encode({led: LedColour(255, 255, 255) for led in leds}))
        self.bus.tick()

    def lit(self) -> set[int]:
        return {at for at, led in enumerate(self.twin.leds()) if led.red and led.green and led.blue}


@pytest.fixture(params=HOLED)
def board(request: pytest.FixtureRequest) -> Board:
    return load(request.param)


@pytest.fixture(params=[False, True], ids=["in time", "late"])
def table(request: pytest.FixtureRequest, board: Board, tmp_path: Path) -> Iterator[Table]:
    table = Table(board, tmp_path, late_mode=request.param)
    yield table
    table.bus.close()
    table.twin.close()


def test_every_button_is_read_and_its_light_is_shown(table: Table) -> None:
    for track in table.board.tracks:
        for hole, spot in enumerate(track.holes, 1):
            table.twin.press(track.side, hole)
            table.scan(3)
            table.show(spot.led)
            table.scan(1)
            assert table.lit() == {spot.led}
            table.twin.release(track.side, hole)
            table.scan(16)
            assert table.inputs == [HolePressed(track.side, hole)]
            table.inputs.clear()


def test_a_frame_before_every_scan_loses_no_press(table: Table) -> None:
    ends = (0, table.board.strip.count - 1)
    for turn in range(20):
        if turn == 5:
            table.twin.press(0, 1)
        table.show(ends[turn % 2])
        table.scan(1)
        assert table.lit() == {ends[turn % 2]}
    assert table.inputs == [HolePressed(0, 1)]


def test_a_pulled_plug_is_still_found(table: Table) -> None:
    for plug in ("buttons", "strip"):
        table.twin.unplug(plug)
        table.show(1)
        table.scan(5)
        table.twin.plug(plug)
        table.show(2)
        table.scan(20)
        assert table.lit() == {2}
    assert [type(given_input).__name__ for given_input in table.inputs] == ["Fault", "FaultCleared"]


@pytest.mark.parametrize("late_mode", [False, True], ids=["in time", "late"])
def test_the_simulated_clock_is_late_only_after_the_other_level(board: Board, tmp_path: Path, late_mode: bool) -> None:
    """What the twin's option does, read without our drivers: the pattern as it stands, and shifted by a bit."""
    twin = Twin(board, ManualClock(), folder=tmp_path, late_mode=late_mode)
    strip = twin.wires.spi(0, hz=8_000_000, mode=0)
    chain = twin.wires.spi(1, hz=1_000_000, mode=2)
    whole = int(board.chain.near_pattern.ljust(8, "1"), 2)
    lost = int(board.chain.near_pattern[1:].ljust(8, "1"), 2)
    seen = []
    for device in (chain, chain, strip, chain, strip, strip, chain, chain):
        answer = device.transfer([0])
        seen += answer if device is chain else []
    assert seen == [lost if late_mode and at in (0, 2, 3) else whole for at in range(5)]
    twin.close()
