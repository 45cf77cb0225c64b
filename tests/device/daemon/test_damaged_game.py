"""A game that is not what was written does not keep the board from playing."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from tests.support.journals import tamper

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.config.config import Config, TableConfig
from cribd.daemon import open_device
from cribd.inputs import FaultKind, Key
from cribd.table.snapshot import Lobby, Snapshot
from cribd.twin.machine import Twin


async def evening(folder: Path, *keys: Key) -> tuple[Lobby | None, tuple[FaultKind, ...]]:
    """Switch a trusting board on, press keys of blue, and switch it off; what it asked at first, and what was wrong.

    By the end nothing may be wrong any more.
    """
    clock, board = ManualClock(), load("continuous")
    config = Config(table=TableConfig(way="trust"), journal=str(folder / "journal.db"))
    twin = Twin(board, clock, folder=folder)
    device, journal = open_device(config, board, twin.wires, clock=clock, threaded=False)
    shown: list[Snapshot] = []
    device.watch(shown.append)
    await device.start()
    await clock.advance(0.1)
    for key in keys:
        twin.key_down(key, 0)
        await clock.advance(0.05)
        twin.key_up(key, 0)
        await clock.advance(0.05)
    assert device.alive
    stopping = asyncio.create_task(device.stop())
    while not stopping.done():
        await clock.advance(0.01)
    with suppress(asyncio.CancelledError):
        await stopping
    journal.close()
    twin.close()
    assert not keys or shown[-1].faults == ()
    return shown[0].lobby, tuple(fault.kind for fault in shown[0].faults)


async def test_a_board_reports_a_damaged_last_game_and_plays_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await evening(tmp_path, Key.OK, Key.OK)
    tamper(tmp_path / "journal.db", "DROP TRIGGER line_update; UPDATE line SET line = 'nonsense' WHERE number = 2;")

    assert await evening(tmp_path, Key.OK, Key.OK) == (Lobby.START, (FaultKind.GAME_DAMAGED,))
    assert "nonsense" in capsys.readouterr().err
    assert await evening(tmp_path) == (Lobby.RESUME, ())
