"""SPI0 with a strip whose frame takes several transfers, on the twin's wires, which take what spidev takes in one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from cribd.boards import Board
from cribd.boards.loader import read
from cribd.clock import ManualClock
from cribd.drivers.button_chain import ButtonChain
from cribd.drivers.spi_bus import SpiBus
from cribd.drivers.strip_encoder import LedColour, StripEncoder
from cribd.inputs import Fault, FaultCleared, FaultKind, Input
from cribd.twin.machine import Twin


class LongStrip:
    """The bus of this board at the twin's chips. `sent` are its transfers, each with its select; the transfer
    of the number `lost` is lost."""

    def __init__(self, board: Board, folder: Path) -> None:
        self.clock = ManualClock()
        self.twin = Twin(board, self.clock, folder=folder)
        self.encoder = StripEncoder(board.strip)
        self.inputs: list[Input] = []
        self.sent: list[tuple[int, bytes]] = []
        self.lost = 0
        self._open = self.twin.wires.spi
        self.twin.wires.spi = self._spi  # type: ignore[method-assign]
        self.bus = SpiBus(
            board,
            self.twin.wires,
            clock=self.clock,
            report=self.inputs.extend,
            holes=ButtonChain(board, debounce_ms=10),
        )

    def _spi(self, select: int, *, hz: int, mode: int) -> Any:
        wire: Any = self._open(select, hz=hz, mode=mode)
        transfer = wire.transfer

        def noted(data: Sequence[int]) -> list[int]:
            self.sent.append((select, bytes(data)))
            if len(self.sent) == self.lost:
                raise OSError(5, "input/output error")
            return list(transfer(data))

        wire.transfer = noted
        return wire

    def show(self, picture: dict[int, LedColour]) -> None:
        self.bus.show(self.encoder.encode(picture))
        self.tick()

    def tick(self) -> None:
        self.bus.tick()
        self.clock.wait(0.005)

    def lit(self) -> set[int]:
        return {at for at, led in enumerate(self.twin.leds()) if led.red or led.green or led.blue}


@pytest.fixture(params=["apa102", "sk9822"])
def strip(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LongStrip]:
    """The classic board on a strip of 2,000 LEDs, the most that a board file may name: 8,133 bytes a frame."""
    text = (files("cribd.boards") / "classic.toml").read_text(encoding="utf-8").replace("apa102", request.param)
    text = re.sub(r"(?m)^count = \d+", "count = 2000", text)
    board = read(re.sub(r"(?m)^budget_ma = \d+", "budget_ma = 3000", text), called="long")
    strip = LongStrip(board, tmp_path)
    yield strip
    strip.bus.close()
    strip.twin.close()


def test_a_strip_longer_than_one_transfer_shows_its_frame_to_the_last_led(strip: LongStrip) -> None:
    around_the_cut = {led: LedColour(0, 255, 0) for led in (0, 1021, 1022, 1023, 1024, 1999)}
    for picture in (around_the_cut, {}, {1999: LedColour(255, 0, 0)}):
        strip.show(picture)
        strip.tick()
        assert strip.lit() == set(picture)
    assert strip.inputs == []


def test_no_scan_comes_between_the_parts_of_a_frame(strip: LongStrip) -> None:
    frame = strip.encoder.encode({})
    strip.show({})
    (first, begin), (second, end), *after = strip.sent
    assert (first, second, len(begin)) == (0, 0, 4096)
    assert begin + end == frame
    assert [select for select, _ in after] == [1]


def test_a_strip_that_goes_away_between_two_parts_comes_back_whole(strip: LongStrip) -> None:
    strip.lost = 2
    lit = {5: LedColour(255, 0, 0), 1500: LedColour(0, 0, 255)}
    strip.show(lit)
    for _ in range(250):
        strip.tick()
    assert strip.inputs == [Fault(FaultKind.LIGHTS_AWAY, "strip"), FaultCleared(FaultKind.LIGHTS_AWAY, "strip")]
    assert strip.lit() == set(lit)
