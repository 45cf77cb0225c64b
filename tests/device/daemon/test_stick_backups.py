"""The board copies to a stick by itself each night, and when its owner asks; a stick that fails harms nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

import pytest
from tests.support.journals import ACTS, played

from cribd.clock import ManualClock
from cribd.config.config import BackupConfig
from cribd.daemon.stick_backups import StickBackups, is_backup_due
from cribd.storage import stick


class Slot:
    """The socket for a stick, and the board's copies."""

    def __init__(self, folder: Path, hour: int | None) -> None:
        self.clock = ManualClock()
        self.stick = folder / "stick"
        self.stick.mkdir()
        self.plugged = True
        journal, configuration = folder / "journal.db", folder / "config.toml"
        played(journal, *ACTS)
        configuration.write_text("[table]\n")
        self.backups = StickBackups(BackupConfig(hour=hour), journal, configuration, self.clock)

    @property
    def copies(self) -> int:
        return len(stick.copies(self.stick))


@asynccontextmanager
async def board(folder: Path, monkeypatch: pytest.MonkeyPatch, hour: int | None = 4) -> AsyncIterator[Slot]:
    slot = Slot(folder, hour)
    monkeypatch.setattr(stick, "find_stick", lambda _label: slot.stick if slot.plugged else None)
    running = asyncio.create_task(slot.backups.run())
    await slot.clock.advance(1)
    yield slot
    assert not running.done()
    running.cancel()


async def test_a_copy_is_made_each_night_and_at_the_start_where_one_was_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with board(tmp_path, monkeypatch) as slot:
        assert slot.copies == 1
        for nights in range(1, 4):
            await slot.clock.advance(24 * 3600)
            assert slot.copies == 1 + nights


async def test_a_stick_that_comes_late_gets_its_copy_within_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with board(tmp_path, monkeypatch) as slot:
        slot.plugged = False
        await slot.clock.advance(48 * 3600)
        assert slot.copies == 1
        assert not (await slot.backups.state()).is_there
        slot.plugged = True
        await slot.clock.advance(61)
        assert slot.copies == 2


async def test_without_an_hour_only_the_owner_makes_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with board(tmp_path, monkeypatch, hour=None) as slot:
        await slot.clock.advance(48 * 3600)
        assert slot.copies == 0
        made = await slot.backups.make()
        assert (made.is_there, made.problem, slot.copies) == (True, "", 1)
        assert made.last is not None
        assert abs((made.last - slot.clock.wall()).total_seconds()) < 1


async def test_a_stick_that_fails_is_said_once_and_tried_again_each_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with board(tmp_path, monkeypatch, hour=None) as slot:
        slot.stick.rmdir()
        slot.stick.write_text("no folder any more")
        assert "Not a directory" in (await slot.backups.make()).problem
        await slot.backups.make()
        assert capsys.readouterr().err.count("No copy is made on the stick CRIBBOARD: Not a directory.") == 1
        slot.stick.unlink()
        slot.stick.mkdir()
        assert (await slot.backups.make()).problem == ""


async def test_nothing_is_copied_where_no_stick_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with board(tmp_path, monkeypatch, hour=None) as slot:
        slot.plugged = False
        made = await slot.backups.make()
        assert (made.is_there, made.last, slot.copies) == (False, None, 0)


@pytest.mark.parametrize(
    ("newest", "now", "due"),
    [
        (None, "2026-03-14 12:00", True),
        ("2026-03-14-040007", "2026-03-14 12:00", False),
        ("2026-03-14-040007", "2026-03-15 03:59", False),
        ("2026-03-14-040007", "2026-03-15 04:00", True),
        ("2026-03-14-020000", "2026-03-14 12:00", True),
        ("2026-03-13-120000", "2026-03-14 03:00", False),
        ("2031-01-01-000000", "2026-03-14 12:00", True),
    ],
)
def test_a_copy_is_due_once_a_day_from_its_hour_on(newest: str | None, now: str, due: bool, tmp_path: Path) -> None:
    if newest:
        (tmp_path / f"cribboard-{newest}.db").touch()
    assert is_backup_due(tmp_path, 4, datetime.fromisoformat(now).astimezone()) is due
