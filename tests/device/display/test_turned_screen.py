"""Where the screen lies between two players, its picture turns to the side that must act (7.19)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PIL import Image

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config, ReaderConfig, ScreenConfig
from cribd.daemon import open_device
from cribd.display.screen import screen_image
from cribd.inputs import Key, KeyPressed
from cribd.table.snapshot import Snapshot
from cribd.text import load as load_phrases
from cribd.twin.machine import Twin


@pytest.mark.parametrize(("faces", "turned"), [("fixed", False), ("turn", True)])
async def test_red_reads_its_own_line_the_right_way_up(tmp_path: Path, faces: str, turned: bool) -> None:
    clock, board = ManualClock(), load("continuous")
    twin = Twin(board, clock, folder=tmp_path)
    config = Config(
        screen=ScreenConfig(faces=faces), readers=(ReaderConfig(port="twin"),), journal=str(tmp_path / "journal.db")
    )
    device, journal = open_device(config, board, twin.wires, clock=clock, threaded=False)
    seen: list[Snapshot] = []
    device.watch(seen.append)
    await device.start()
    await clock.advance(0.5)
    device.table.post([KeyPressed(Key.OK, 0)])
    for asked, upside_down in ((0, False), (1, turned)):
        await clock.advance(0.5)
        view = seen[-1].view
        assert view is not None
        assert view.prompt.side == asked
        drawn = screen_image(seen[-1], load_phrases("en"))
        glass = twin.oled()
        shown = Image.frombytes("1", (glass.width, glass.height), glass.pixels)
        assert shown.tobytes() == (drawn.rotate(180) if upside_down else drawn).tobytes()
        twin.scan(b"4H\r")
        for _ in range(200):
            await clock.advance(0.01)
    stopping = asyncio.create_task(device.stop())
    while not stopping.done():
        await clock.advance(0.01)
    journal.close()
    twin.close()
