"""A kernel whose SPI times out above 64 bytes, as some of a Pi 5 do: the board goes on in pieces of 64."""

from __future__ import annotations

import asyncio

from tests.wires.board import Starts, lines_of
from tests.wires.nodes import Nodes

from cribd.inputs import Key

_TAPS = range(1, 11)
_TAP_S, _PAUSE_S = 0.08, 0.12


async def test_the_lights_come_in_pieces_of_64_bytes_and_the_fault_says_so(start: Starts, nodes: Nodes) -> None:
    nodes.faults.spi_times_out_above = 64
    async with start() as board:
        await board.until(lambda: all(board.lights))
        said = "Fault lights_away (strip): Connection timed out (errno 110); it goes on in pieces of 64 bytes.\n"
        await board.until(lambda: said in board.said)
        await board.until(lambda: not board.faults)
        assert board.said.count("lights_away") == 2


async def test_ten_quick_taps_are_ten_presses_and_each_lights_its_hole(start: Starts, nodes: Nodes) -> None:
    """On trust: blue lifts its peg, and each tap puts it one hole farther."""
    nodes.faults.spi_times_out_above = 64
    async with start('[table]\nway = "trust"\n') as board:
        await board.until(lambda: all(board.lights) and not board.faults)
        await board.key(Key.OK, 0)
        await board.until(lambda: bool(board.shown["view"]))
        await board.key(Key.OK, 0)
        await board.until(lambda: board.shown["view"]["dealer"] == 0)
        for hole in _TAPS:
            nodes.twin.press(0, hole)
            await asyncio.sleep(_TAP_S)
            nodes.twin.release(0, hole)
            await asyncio.sleep(_PAUSE_S)
        last = str(_TAPS[-1])
        await board.until(lambda: last in board.lights[0])
    taken = [line for line in lines_of(board.journal) if line.startswith("> take")]
    assert taken == [f"> take blue +{hole}" for hole in _TAPS]
