"""A node that is missing, forbidden or busy: the board says so in one sentence, and heals without a restart."""

from __future__ import annotations

import fcntl
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.catalogues import has_phrase, phrase
from tests.wires.board import (
    ENVIRONMENT,
    PATIENCE_S,
    RunningBoard,
    Starts,
    environment,
    forbidden_node,
    held_pin,
    missing_node,
    system_error,
)
from tests.wires.nodes import READER, Nodes

from cribd.inputs import Key

BUSES = ("spidev0.0", "spidev0.1", "i2c-1")
MISSING = (
    f"lights_away (strip): {missing_node('spidev0.0', 'dtparam=spi=on')}.",
    f"chain_broken (near end): {missing_node('spidev0.1', 'dtparam=spi=on')}.",
    f"screen_away (oled 0x3c): {missing_node('i2c-1', 'dtparam=i2c_arm=on')}.",
)
FORBIDDEN = (
    f"lights_away (strip): {forbidden_node('spidev0.0', 'spi')}.",
    f"chain_broken (near end): {forbidden_node('spidev0.1', 'spi')}.",
    f"screen_away (oled 0x3c): {forbidden_node('i2c-1', 'i2c')}.",
)
SHUT = system_error("Cannot send after transport endpoint shutdown", 108)
VANISHED = (f"lights_away (strip): {SHUT}.", f"chain_broken (near end): {SHUT}.")
GIVEN_UP = system_error("Connection timed out", 110)
TIMED_OUT = (
    f"lights_away (strip): {phrase('problem.spi.pieces', why=GIVEN_UP, count=64)}.",
    f"chain_broken (near end): {GIVEN_UP}.",
    f"screen_away (oled 0x3c): {GIVEN_UP}.",
)
BUSY = (
    f"keys_away (keys): key go on GPIO 17: {held_pin(17)}.",
    f"reader_silent (reader): /dev/{READER}: {system_error('Resource temporarily unavailable', 11)}.",
    f"screen_away (oled 0x3c): {phrase('problem.oled.busy', port=1, address='0x3C', errno=16)}.",
)
BUZZER_BUSY = f"buzzer_away (buzzer): {held_pin(12)}."


async def named_and_mended(board: RunningBoard, sentences: tuple[str, ...], heal: Callable[[], None]) -> None:
    """Wait until each of these faults is named, heal them, and wait until none is left: each is said once."""
    for sentence in sentences:
        await board.until(lambda sentence=sentence: f"Fault {sentence}\n" in board.said)  # type: ignore[misc]
    await board.until(lambda: len(board.faults) == len(sentences))
    heal()
    await board.until(lambda: not board.faults)
    for sentence in sentences:
        assert board.said.count(f"Fault {sentence}\n") == 1
        assert board.said.count(f"Mended {sentence.partition(':')[0]}.\n") == 1


async def every_part_works(board: RunningBoard) -> None:
    """Begin a game: lights, screen, keys, reader and buttons work."""
    await board.until(lambda: all(board.lights) and board.twin.oled().on)
    await board.begin()
    await board.press(0, 30)
    await board.until(lambda: bool(board.shown["text"]["en"]["refusal"]))


async def test_a_board_whose_buses_are_off_names_the_settings_that_bring_them(start: Starts, nodes: Nodes) -> None:
    nodes.vanish(*BUSES)
    async with start() as board:
        await named_and_mended(board, MISSING, lambda: nodes.appear(*BUSES))
        await every_part_works(board)


async def test_a_board_whose_user_may_open_no_bus_names_the_groups(start: Starts, nodes: Nodes) -> None:
    nodes.forbid(*BUSES)
    async with start() as board:
        await named_and_mended(board, FORBIDDEN, lambda: nodes.forbid(*BUSES, forbidden=False))
        await every_part_works(board)


async def test_an_spi_that_vanishes_in_play_is_used_again_once_it_is_back(start: Starts, nodes: Nodes) -> None:
    async with start() as board:
        await board.until(lambda: all(board.lights))
        nodes.vanish(*BUSES[:2])
        await named_and_mended(board, VANISHED, lambda: nodes.appear(*BUSES[:2]))
        await every_part_works(board)


async def test_while_every_transfer_times_out_keys_and_cards_work_and_then_every_part_again(
    start: Starts, nodes: Nodes
) -> None:
    async with start() as board:
        await board.until(lambda: all(board.lights) and board.twin.oled().on)
        nodes.fail(*BUSES)
        for sentence in TIMED_OUT:
            await board.until(lambda sentence=sentence: f"Fault {sentence}\n" in board.said)  # type: ignore[misc]
        await board.begin()
        await named_and_mended(board, TIMED_OUT, nodes.faults.broken.clear)
        await board.press(0, 30)
        await board.until(lambda: bool(board.shown["text"]["en"]["refusal"]))
        await board.until(lambda: all(board.lights) and board.twin.oled().on)


@pytest.mark.parametrize("spoil", [Nodes.vanish, Nodes.fail], ids=["gone", "timed-out"])
async def test_a_board_whose_buses_fail_can_still_be_stopped(
    start: Starts, nodes: Nodes, spoil: Callable[..., None]
) -> None:
    async with start() as board:
        await board.until(lambda: all(board.lights) and board.twin.oled().on)
        spoil(nodes, *BUSES)
        await board.until(lambda: len(board.faults) == len(BUSES))
        assert await board.stop() == 0


async def test_keys_a_port_and_an_address_that_others_hold_are_used_once_they_are_free(
    start: Starts, nodes: Nodes
) -> None:
    nodes.faults.busy_pins.add(17)
    nodes.faults.busy_addresses.add(nodes.twin.board.oled.address)
    other_program = (nodes.folder / "dev" / READER).open("rb")
    fcntl.flock(other_program, fcntl.LOCK_EX)

    def free() -> None:
        nodes.faults.busy_pins.clear()
        nodes.faults.busy_addresses.clear()
        other_program.close()

    async with start() as board:
        await named_and_mended(board, BUSY, free)
        await every_part_works(board)


async def test_a_buzzer_whose_pin_another_program_holds_sounds_at_a_press_once_that_is_free(
    start: Starts, nodes: Nodes
) -> None:
    nodes.faults.busy_pins.add(12)
    async with start() as board:
        await board.key(Key.OK, 0)
        await board.until(lambda: f"Fault {BUZZER_BUSY}\n" in board.said)
        nodes.faults.busy_pins.clear()
        await board.scan("4H")
        await board.until(lambda: bool(nodes.edges) and "Mended buzzer_away (buzzer).\n" in board.said)


# Without a GPIO chip no board starts


def vanished(nodes: Nodes) -> None:
    nodes.vanish("gpiochip0")


def forbidden(nodes: Nodes) -> None:
    nodes.forbid("gpiochip0")


def no_pi(nodes: Nodes) -> None:
    (nodes.folder / "proc" / "device-tree" / "system" / "linux,revision").unlink()


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (vanished, phrase("problem.wires.no_chip")),
        (forbidden, forbidden_node("gpiochip0", "gpio")),
        (no_pi, None),
    ],
)
def test_a_board_that_cannot_use_its_pins_does_not_start_and_says_why(
    preload: Path, nodes: Nodes, tmp_path: Path, spoil: Callable[[Nodes], None], why: str | None
) -> None:
    spoil(nodes)
    command = [str(ENVIRONMENT / "cribboard"), "run", "--journal", str(tmp_path / "journal.db"), "--port", "0"]
    ran = subprocess.run(command, env=environment(preload, nodes), capture_output=True, text=True, timeout=PATIENCE_S)
    assert ran.returncode == 2
    assert ran.stdout == ""
    first, second = ran.stderr.splitlines()
    if why is None:
        assert has_phrase(first, "problem.wires.no_pi")
    else:
        assert first == phrase("command.run.no_pins", why=why)
    assert second == phrase("command.run.with_twin")
