"""A kernel whose SPI times out above 64 bytes, as some of a Pi 5 do: the board goes on in pieces of 64."""

from __future__ import annotations

from tests.support.catalogues import phrase
from tests.wires.board import Starts, lines_of, system_error
from tests.wires.nodes import Nodes

from cribd.inputs import Key


async def test_the_lights_come_in_pieces_of_64_bytes_and_the_fault_says_so(start: Starts, nodes: Nodes) -> None:
    nodes.faults.spi_times_out_above = 64
    async with start() as board:
        await board.until(lambda: all(board.lights))
        pieces = phrase("problem.spi.pieces", why=system_error("Connection timed out", 110), count=64)
        await board.until(lambda: f"Fault lights_away (strip): {pieces}.\n" in board.said)
        await board.until(lambda: not board.faults)
        assert board.said.count("lights_away") == 2


async def test_after_the_first_timeout_no_transfer_is_too_long_and_ten_presses_are_ten(
    start: Starts, nodes: Nodes
) -> None:
    """On trust: blue lifts its peg, and each press puts it one hole farther."""
    nodes.faults.spi_times_out_above = 64
    async with start('[table]\nway = "trust"\n') as board:
        await board.until(lambda: all(board.lights) and not board.faults)
        await board.key(Key.OK, 0)
        await board.until(lambda: bool(board.shown["view"]))
        await board.key(Key.OK, 0)
        await board.until(lambda: board.shown["view"]["dealer"] == 0)
        for hole in range(1, 11):
            await board.press(0, hole)
        await board.until(lambda: "10" in board.lights[0])
    taken = [line for line in lines_of(board.journal) if line.startswith("> take")]
    assert taken == [f"> take blue +{hole}" for hole in range(1, 11)]
    assert nodes.faults.given_up == 1
