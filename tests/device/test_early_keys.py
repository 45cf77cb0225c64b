"""Keys that are pressed while a service is loaded: each counts once, and none that answers a question not yet shown."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config
from cribd.daemon import open_device
from cribd.first_light import EarlyInputs, EarlyKey, FirstLight
from cribd.inputs import Key
from cribd.table.snapshot import Refusal, Snapshot
from cribd.twin.machine import Twin

ARGUMENTS = ["run"]


class EarlyLine:
    """The line of a key that was pressed while the board was loaded: its edges, by the kernel's time and level."""

    def __init__(self, *edges: tuple[float, int]) -> None:
        self._edges = edges
        self.is_open = True

    def read(self) -> list[tuple[float, int]]:
        assert self.is_open
        return list(self._edges)

    def close(self) -> None:
        self.is_open = False


class LoadedLate(FirstLight):
    """The first light of a board at which one key was pressed while it was loaded."""

    def __init__(self, folder: Path, gpio: int, *edges: tuple[float, int], was_down: bool = False) -> None:
        super().__init__(ARGUMENTS, folder)
        self.line = EarlyLine(*edges)
        line: Any = self.line
        self._early = EarlyInputs(None, {gpio: EarlyKey(line, was_down)})

    def end(self) -> EarlyInputs:
        return self._early


TAP = ((-1.0, 0), (-0.8, 1))


@pytest.mark.parametrize("key", [Key.OK, Key.MENU, Key.UNDO])
async def test_a_key_that_was_pressed_before_its_question_stood_is_dropped_and_said(key: Key, tmp_path: Path) -> None:
    seen = await after_early(tmp_path, key, *TAP)
    assert seen.refusal == Refusal("too_early")
    assert seen.view is None, "no game has begun"


@pytest.mark.parametrize("key", [Key.OK, Key.MENU, Key.UNDO])
async def test_a_key_that_is_released_after_its_question_stood_is_dropped_if_it_went_down_before(
    key: Key, tmp_path: Path
) -> None:
    seen = await after_early(tmp_path, key, (-0.1, 0), up_after_s=0.4)
    assert seen.refusal == Refusal("too_early")
    assert seen.view is None, "no game has begun"


@pytest.mark.parametrize("key", [Key.GO, Key.CHALLENGE])
async def test_a_key_that_answers_no_question_counts_though_it_was_pressed_early(key: Key, tmp_path: Path) -> None:
    assert (await after_early(tmp_path, key, *TAP)).refusal == Refusal("no_game")


@pytest.mark.parametrize("key", [Key.GO, Key.CHALLENGE])
@pytest.mark.parametrize("edges", [((-0.1, 0),), ()], ids=["down before", "goes down while no line is open"])
async def test_a_key_that_is_down_as_its_pin_is_opened_counts(
    key: Key, edges: tuple[tuple[float, int], ...], tmp_path: Path
) -> None:
    assert (await after_early(tmp_path, key, *edges, up_after_s=0.2)).refusal == Refusal("no_game")


@pytest.mark.parametrize("key", [Key.GO, Key.CHALLENGE])
async def test_a_key_that_goes_down_between_the_opening_of_its_line_and_the_look_at_its_level_counts(
    key: Key, tmp_path: Path
) -> None:
    assert (await after_early(tmp_path, key, *TAP, was_down=True)).refusal == Refusal("no_game")


async def test_a_key_that_comes_up_while_no_line_is_open_was_pressed_once(tmp_path: Path) -> None:
    assert (await after_early(tmp_path, Key.GO, (-0.1, 0))).refusal == Refusal("no_game")


@pytest.mark.parametrize("key", [Key.GO, Key.CHALLENGE])
async def test_a_key_that_was_down_at_the_start_is_ignored_until_it_is_released(key: Key, tmp_path: Path) -> None:
    assert (await after_early(tmp_path, key, up_after_s=0.2, was_down=True)).refusal is None


async def after_early(
    folder: Path, key: Key, *edges: tuple[float, int], up_after_s: float | None = None, was_down: bool = False
) -> Snapshot:
    """What a board shows half a second after a key was pressed while it was loaded.

    `edges` have times from the moment at which the board is loaded, and levels. With `up_after_s` the key is down at
    that moment, and is released so many seconds later."""
    clock, board = ManualClock(), load("continuous")
    pin = next(pin for pin in board.keys if pin.key is key)
    light = LoadedLate(folder, pin.gpio, *((clock.now() + at, level) for at, level in edges), was_down=was_down)
    light.describe(board, files=[], journal=folder / "journal.db", chip="")
    twin = Twin(board, clock, folder=folder / "twin")
    config = Config(journal=str(folder / "journal.db"))
    device, journal = open_device(config, board, twin.wires, clock=clock, threaded=False, first_light=light)
    if up_after_s is not None:
        twin.key_down(key, pin.side)
    await device.start()
    await clock.advance(up_after_s or 0)
    if up_after_s is not None:
        twin.key_up(key, pin.side)
    await clock.advance(0.5 - (up_after_s or 0))
    assert not light.line.is_open
    seen = device.snapshot
    stopping = asyncio.create_task(device.stop())
    while not stopping.done():
        await clock.advance(0.01)
    journal.close()
    twin.close()
    return seen
