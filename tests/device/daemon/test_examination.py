"""The doctor beside a running board: what it finds stands on the board until it is mended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.seat import BOARD, Seat

from cribd.daemon.examination import REEXAMINE_S, Examination
from cribd.doctor.findings import Severity
from cribd.inputs import FaultKind
from cribd.text import load


@pytest_asyncio.fixture
async def seat(tmp_path: Path) -> AsyncIterator[Seat]:
    seat = Seat(tmp_path / "seat")
    await seat.begin()
    yield seat
    await seat.end()


@pytest.fixture
def examination(seat: Seat, tmp_path: Path) -> Examination:
    return Examination(seat.config, BOARD, seat.device, seat.clock, wires=seat.twin.wires, root=tmp_path / "root")


def mounted(at: Examination, kind: str) -> None:
    """Mount the root on a file system of this kind."""
    (at.root / "proc").mkdir(parents=True, exist_ok=True)
    (at.root / "proc/mounts").write_text(f"disk / {kind} rw 0 0\n")


def found(seat: Seat) -> list[str]:
    """The causes of the faults that the doctor found and the board shows."""
    return [str(fault.cause) for fault in seat.faults() if fault.kind is FaultKind.DOCTOR]


async def test_a_journal_in_memory_is_said_until_it_is_on_a_disk(examination: Examination, seat: Seat) -> None:
    mounted(examination, "tmpfs")
    looks = asyncio.create_task(examination.until_no_fault())
    await seat.time(1)
    [cause] = found(seat)
    assert cause.endswith("is in memory (tmpfs): every game is lost at switch-off")
    [fault] = seat.faults()
    assert load("en").fault(fault) == "See the doctor"
    mounted(examination, "ext4")
    await seat.time(REEXAMINE_S)
    assert not seat.faults()
    assert looks.done(), "the doctor rests where nothing is wrong"


async def test_the_faults_of_the_board_are_told_in_the_language_of_whoever_asks(
    examination: Examination, seat: Seat
) -> None:
    mounted(examination, "ext4")
    seat.twin.unplug("screen")
    await seat.time(1)
    payload = await examination.in_words("fr_CA")
    [screen] = [finding for finding in payload if finding["group"] == "Écran OLED"]
    assert screen["level"] == Severity.FAULT
    assert screen["level_name"] == "défaut"
    assert load("fr_CA").fault(seat.faults()[0]) in screen["measured"]
    assert not found(seat), "the board itself says so already"
