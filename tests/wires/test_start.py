"""A board starts on the wires of a Pi, with the real libraries, and stops."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import monotonic

import pytest
from tests.wires.board import PATIENCE_S, Starts, running_board
from tests.wires.nodes import OLD_PI_5, PI_5, ZERO_2_W, Model, Nodes, nodes_of

from cribd.boards import load
from cribd.drivers.buzzer import MELODIES, Sound
from cribd.inputs import Key


async def test_a_board_starts_lights_its_leds_and_its_screen_and_says_no_fault(start: Starts, nodes: Nodes) -> None:
    async with start() as board:
        await board.until(lambda: nodes.twin.oled().on and any(nodes.twin.oled().pixels))
        assert all(board.lights)
        assert board.faults == []


@pytest.mark.parametrize("board_name", ["continuous", "classic"])
@pytest.mark.parametrize("model", [ZERO_2_W, OLD_PI_5, PI_5], ids=["zero-2-w", "pi-5-with-an-older-kernel", "pi-5"])
async def test_every_part_of_a_board_answers_on_its_own_wire(
    preload: Path, tmp_path: Path, model: Model, board_name: str
) -> None:
    with nodes_of(load(board_name), model) as nodes:
        async with running_board(preload, nodes, tmp_path, f'[table]\nboard = "{board_name}"\n') as board:
            await board.begin()
            await board.press(0, 30)
            await board.until(lambda: bool(board.shown["text"]["en"]["refusal"]))
            assert board.faults == []


async def test_a_press_sounds_with_its_tone_at_the_pin_of_the_buzzer_which_is_low_again(
    start: Starts, nodes: Nodes
) -> None:
    """lgpio makes the pulses, in a thread that is up to 20 ms late: of 40 ms of 2,400 Hz half come for certain."""
    (hertz, ms), *_ = MELODIES[Sound.TICK]
    async with start() as board:
        await board.key(Key.OK, 0)
        await board.until(lambda: len(nodes.edges) >= hertz * ms / 2000)
        await board.until(lambda: not nodes.twin.buzzer.state and monotonic() > nodes.edges[-1] + 10 * ms / 1000)


async def test_a_board_that_is_stopped_goes_dark_and_frees_every_pin(start: Starts, nodes: Nodes) -> None:
    async with start() as board:
        await board.until(lambda: nodes.twin.oled().on)
        assert await board.stop() == 0
        assert board.lights == [{}, {}]
        assert not nodes.twin.oled().on
        async with asyncio.timeout(PATIENCE_S):  # the nodes notice it a moment later
            while any(nodes.holder(line) is not None for line in range(28)):
                await asyncio.sleep(0.01)


async def test_a_board_that_is_killed_in_play_has_all_its_wires_again_and_goes_on_from_there(
    start: Starts, nodes: Nodes
) -> None:
    async with start() as board:
        await board.begin()
        await board.scan("7D")
        await board.until(lambda: board.shown["view"]["starter"] == "7D")
        board.process.kill()
    async with start() as board:
        await board.until(lambda: nodes.twin.oled().on and all(board.lights))
        await board.key(Key.OK, 0)
        await board.until(lambda: bool(board.shown["view"]) and board.shown["view"]["starter"] == "7D")
        await board.scan("TH")
        await board.until(lambda: [laid["card"] for laid in board.shown["view"]["laid"]] == ["TH"])
        assert board.faults == []
