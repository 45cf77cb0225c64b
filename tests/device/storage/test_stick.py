"""Copies of the journal and the configuration on a USB stick: found by its label, whole, and not too many."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.support.journals import ACTS, opened, played

from cribd.storage.archive import ArchiveAway
from cribd.storage.stick import KEPT, beside, copies, copy_both, copy_to, find_stick

NIGHT = datetime(2026, 3, 14, 4, 0, 7).astimezone()


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "my stick"
    folder.mkdir()
    return folder


def machine(tmp_path: Path, *mounted: tuple[str, Path]) -> dict[str, Path]:
    """A machine with a device `sda1` labelled CRIBBOARD, and these devices mounted in these folders."""
    labels, device = tmp_path / "by-label", tmp_path / "sda1"
    labels.mkdir()
    device.touch()
    (labels / "CRIBBOARD").symlink_to(device)
    lines = ["21 1 179:2 / / rw,noatime shared:1 - ext4 /dev/root rw\n"]
    for name, folder in mounted:
        where = str(folder).replace(" ", r"\040")
        lines.append(f"99 21 8:1 / {where} rw,nosuid shared:7 - vfat {tmp_path / name} rw\n")
    (tmp_path / "mountinfo").write_text("".join(lines))
    return {"by_label": labels, "mounts": tmp_path / "mountinfo"}


def test_a_stick_is_found_by_its_label_wherever_it_is_mounted(tmp_path: Path, stick: Path) -> None:
    there = machine(tmp_path, ("sdb1", tmp_path), ("sda1", stick))
    assert find_stick("CRIBBOARD", **there) == stick
    assert find_stick("OTHER", **there) is None


def test_a_stick_that_is_not_mounted_is_not_found(tmp_path: Path) -> None:
    assert find_stick("CRIBBOARD", **machine(tmp_path)) is None


def test_a_copy_is_the_journal_and_the_configuration_beside_it(path: Path, tmp_path: Path, stick: Path) -> None:
    played(path, *ACTS)
    configuration = tmp_path / "config.toml"
    configuration.write_text('[page]\npin = "2580"\n')
    copy = copy_to(stick, path, configuration, NIGHT)
    assert sorted(file.name for file in stick.iterdir()) == [
        "cribboard-2026-03-14-040007.db",
        "cribboard-2026-03-14-040007.toml",
    ]
    assert beside(copy).read_text() == configuration.read_text()
    assert beside(copy).stat().st_mode & 0o777 == 0o600
    with opened(copy) as journal:
        assert len(journal.games()) == 1


def test_the_newest_thirty_stay_and_nothing_else_is_touched(path: Path, stick: Path) -> None:
    played(path, *ACTS)
    own = [stick / name for name in ("holiday.jpg", "cribboard-2020-99-99-000000.db", "cribboard.db")]
    for file in own:
        file.write_text("mine")
    for day in range(KEPT + 3):
        made = NIGHT - timedelta(days=day)
        (stick / f"cribboard-{made:%Y-%m-%d-%H%M%S}.db").write_text("a copy")
    copy = copy_to(stick, path, None, NIGHT + timedelta(days=1))
    there = [copied for _, copied in copies(stick)]
    assert len(there) == KEPT
    assert there[-1] == copy
    assert there[0].name == f"cribboard-{NIGHT - timedelta(days=KEPT - 2):%Y-%m-%d-%H%M%S}.db"
    assert [file.read_text() for file in own] == ["mine"] * 3


def test_a_copy_by_a_clock_that_is_years_behind_stays(path: Path, stick: Path) -> None:
    played(path, *ACTS)
    for day in range(KEPT):
        (stick / f"cribboard-{NIGHT - timedelta(days=day):%Y-%m-%d-%H%M%S}.db").write_text("a copy")
    copy = copy_to(stick, path, None, datetime(2020, 1, 1, tzinfo=UTC))
    assert copy.exists()
    assert len(copies(stick)) == KEPT


def test_a_journal_that_cannot_be_read_leaves_nothing(tmp_path: Path, stick: Path) -> None:
    (tmp_path / "config.toml").touch()
    (tmp_path / "journal.db").write_bytes(b"SQLite format 3\0" + b"\1" * 5000)
    with pytest.raises(ArchiveAway):
        copy_both(stick / "copy.db", tmp_path / "journal.db", tmp_path / "config.toml")
    assert list(stick.iterdir()) == []
