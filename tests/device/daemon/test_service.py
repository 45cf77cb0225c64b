"""A board that cannot open its journal says so on its OLED."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PIL import Image
from tests.support.disks import ext4, mounted
from tests.support.seat import BOARD

from cribd.clock import ManualClock, SystemClock
from cribd.config.config import Config
from cribd.daemon import serve
from cribd.display.screen import screen_image
from cribd.inputs import Fault, FaultKind
from cribd.storage.journal import JournalAway
from cribd.storage.open_journal import open_or_repair_journal
from cribd.table.snapshot import Refusal, Snapshot
from cribd.text import load
from cribd.twin.disk import disk
from cribd.twin.machine import Twin


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[Twin]:
    twin = Twin(BOARD, SystemClock(), folder=tmp_path / "wires")
    yield twin
    disk().forbid_writes(read_only=False)
    twin.close()


async def served(twin: Twin, journal: Path) -> None:
    """Run the board until it ends by itself."""
    config = Config(journal=str(journal))
    await serve(config, BOARD, twin.wires, twin=twin, announce=lambda _: None)


def shown(twin: Twin) -> Image.Image:
    view = twin.oled()
    assert view.on
    return Image.frombytes("1", (view.width, view.height), view.pixels)


def closed_journal(folder: Path) -> Path:
    """A journal that a board has closed: it needs its log again when it is opened."""
    journal, _ = open_or_repair_journal(folder / "journal.db", ManualClock())
    journal.close()
    return journal.path


def shows(twin: Twin, refusal: Refusal) -> bool:
    """Whether the OLED says this, and that nothing can be saved."""
    fault = Fault(FaultKind.JOURNAL_AWAY, "journal")
    expected = screen_image(Snapshot(faults=(fault,), refusal=refusal), load("en"))
    return shown(twin).tobytes() == expected.tobytes()


async def test_a_board_that_starts_on_a_read_only_disk_shows_that_nothing_is_saved(twin: Twin, tmp_path: Path) -> None:
    journal = closed_journal(tmp_path)
    disk().forbid_writes(read_only=True)
    with pytest.raises(JournalAway, match="unable to open database file"):
        await served(twin, journal)
    assert shows(twin, Refusal("not_kept"))


async def test_a_board_that_starts_on_a_disk_that_linux_made_read_only_says_that_the_pi_must_start_again(
    twin: Twin, tmp_path: Path
) -> None:
    with ext4(tmp_path) as at:
        journal = closed_journal(at)
        subprocess.run(["mount", "-o", "remount,abort", str(at)], check=True)
        with pytest.raises(JournalAway):
            await served(twin, journal)
    assert shows(twin, Refusal("disk_read_only"))


async def test_a_board_that_starts_on_a_full_disk_shows_it_and_starts_when_there_is_room(
    twin: Twin, tmp_path: Path
) -> None:
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=2m", "tmpfs") as small:
        journal = closed_journal(small)
        films = small / "films"
        with films.open("wb", buffering=0) as films_file, suppress(OSError):
            while True:
                films_file.write(bytes(4096))
        with pytest.raises(JournalAway, match=r"No space left on device|database or disk is full"):
            await served(twin, journal)
        assert shows(twin, Refusal("not_kept"))
        films.unlink()
        opened, aside = open_or_repair_journal(journal, ManualClock())
        opened.close()
        assert aside is None


async def test_a_board_without_an_oled_ends_on_a_read_only_disk_too(twin: Twin, tmp_path: Path) -> None:
    journal = closed_journal(tmp_path)
    twin.unplug("screen")
    disk().forbid_writes(read_only=True)
    with pytest.raises(JournalAway, match="unable to open database file"):
        await served(twin, journal)
