"""A board that is switched off by its keys, and one at which nobody plays, on the simulated wires."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config, TableConfig
from cribd.daemon import Device, open_device
from cribd.display.canvas import moved
from cribd.display.screen import screen_image
from cribd.inputs import Key, SwitchOffAsked
from cribd.table.snapshot import ConfirmOff, Lobby, Playing, SwitchedOff
from cribd.text import load as phrases
from cribd.twin.machine import Twin

BOARD = load("continuous")


class Bench:
    """A board on simulated wires in virtual time, and fingers on its keys."""

    def __init__(self, folder: Path) -> None:
        self.clock = ManualClock()
        config = Config(table=TableConfig(way="trust"), journal=str(folder / "journal.db"))
        self.twin = Twin(BOARD, self.clock, folder=folder)
        self.device: Device
        self.device, self.journal = open_device(config, BOARD, self.twin.wires, clock=self.clock, threaded=False)

    async def hold(self, key: Key, seconds: float, side: int | None = None) -> None:
        self.twin.key_down(key, side)
        await self.clock.advance(seconds)
        self.twin.key_up(key, side)
        await self.clock.advance(0.3)

    async def ok(self) -> None:
        await self.hold(Key.OK, 0.1, side=0)

    async def stop(self) -> None:
        stopping = asyncio.create_task(self.device.stop())
        while not stopping.done():
            await self.clock.advance(0.01)
        stopping.result()

    def is_in(self, mode: type) -> bool:
        """Whether the table is in this mode."""
        return isinstance(self.device.snapshot.mode, mode)

    @property
    def light(self) -> float:
        """How much light all LEDs give together."""
        return sum(led.level / 31 * (led.red + led.green + led.blue) for led in self.twin.leds())

    def shows(self, right: int = 0, down: int = 0) -> bool:
        """Whether the panel has the picture of this moment, moved by so many dots."""
        drawn = moved(screen_image(self.device.snapshot, phrases("en")), right, down)
        return self.twin.oled().on and self.twin.oled().pixels == drawn.tobytes()


@asynccontextmanager
async def bench(folder: Path) -> AsyncIterator[Bench]:
    """A board that is switched on, and at the end off."""
    board = Bench(folder)
    await board.device.start()
    await board.clock.advance(1)
    yield board
    if not board.device._stopped:
        await board.stop()
    board.journal.close()
    board.twin.close()


async def test_menu_held_and_ok_leave_a_dark_board_whose_screen_says_when_to_pull_the_plug(tmp_path: Path) -> None:
    async with bench(tmp_path) as board:
        await board.ok()
        await board.ok()
        await board.hold(Key.MENU, 2.9)
        assert not board.is_in(ConfirmOff)
        await board.hold(Key.MENU, 3.1)
        assert board.is_in(ConfirmOff)
        assert board.light > 0
        await board.ok()
        assert board.is_in(ConfirmOff), "nobody can have read the question"
        await board.clock.advance(1)
        await board.ok()
        assert board.is_in(SwitchedOff)
        assert (board.light, board.shows()) == (0, True)
        await board.ok()
        await board.hold(Key.MENU, 5)
        assert (board.light, board.shows()) == (0, True), "a board that is off takes no press"
        await board.stop()
        assert (board.light, board.shows()) == (0, True), "and keeps its picture when the program has ended"
    async with bench(tmp_path) as board:
        assert board.device.snapshot.lobby is Lobby.RESUME
        await board.ok()
        assert board.is_in(Playing)
        await board.stop()
        assert not board.twin.oled().on, "a board that is only stopped is dark"


async def test_a_stop_right_after_the_ok_still_leaves_the_last_picture(tmp_path: Path) -> None:
    async with bench(tmp_path) as board:
        board.device.table.post([SwitchOffAsked()])
        await board.stop()
        assert board.is_in(SwitchedOff)
        assert (board.light, board.shows()) == (0, True)


async def test_a_board_at_rest_is_dim_and_its_picture_moves_until_a_press_that_counts(tmp_path: Path) -> None:
    async with bench(tmp_path) as board:
        await board.ok()
        bright, light = board.twin.oled().contrast, board.light
        assert board.shows()
        await board.clock.advance(599)
        assert (board.twin.oled().contrast, board.light) == (bright, light)
        places = set()
        for _ in range(8):
            await board.clock.advance(60)
            places.add(next(place for place in ((0, 0), (1, 0), (1, 1), (0, 1)) if board.shows(*place)))
            assert board.twin.oled().contrast < bright / 10
            assert 0 < board.light < light / 5
        assert places == {(0, 0), (1, 0), (1, 1), (0, 1)}
        before = board.device.snapshot
        await board.ok()
        assert board.device.snapshot.view != before.view, "the dealer is named"
        assert (board.twin.oled().contrast, board.shows()) == (bright, True)
        assert board.light > light / 2


async def test_a_panel_that_was_away_while_the_board_rests_is_dim_when_it_is_back(tmp_path: Path) -> None:
    async with bench(tmp_path) as board:
        bright = board.twin.oled().contrast
        await board.clock.advance(601)
        board.twin.unplug("screen")
        await board.clock.advance(3)
        board.twin.plug("screen")
        await board.clock.advance(3)
        assert board.twin.oled().on
        assert board.twin.oled().contrast < bright / 10
