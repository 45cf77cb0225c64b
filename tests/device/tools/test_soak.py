"""`make soak` plays under faults, and fails where the board breaks a promise."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from tools.progress import Progress
from tools.soak import WEEK, Measured, RandomFaults, SoakFailed, check, main, play


@pytest.mark.long
@pytest.mark.slow
def test_two_days_are_played_on_one_journal_and_every_fault_heals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--days", "2", "--games", "1"]) == 0
    out, err = capsys.readouterr()
    assert "2 games" in out
    assert err.count("Fault ") == err.count("Mended ") > 0


@pytest.mark.long
@pytest.mark.slow
def test_acts_during_a_fault_of_the_disk_are_refused_and_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.soak._SHARE", 0.1)
    faults = RandomFaults(Random(3))
    scores = asyncio.run(play(WEEK[0], 1, tmp_path, 1, faults, Progress()))
    check([], tmp_path / "journal.db", scores)
    assert 0 < faults.refused <= faults.made["disk-full"] + faults.made["read-only"]
    assert faults.made["slow-fsync"] > 0


@pytest.mark.slow
def test_a_game_that_the_journal_has_otherwise_is_found(tmp_path: Path) -> None:
    scores = asyncio.run(play(WEEK[3], 1, tmp_path, 1, RandomFaults(Random(1)), Progress()))
    check([], tmp_path / "journal.db", scores)
    with pytest.raises(SoakFailed, match="other results"):
        check([], tmp_path / "journal.db", [[score + 1 for score in scores[0]]])


@pytest.mark.parametrize("late", [Measured(70_001, 6, 5), Measured(60_000, 7, 5), Measured(60_000, 6, 6)])
def test_more_memory_files_or_threads_on_the_last_day_are_found(late: Measured, tmp_path: Path) -> None:
    second = Measured(60_000, 6, 5)
    check([Measured(50_000, 6, 5), second, second], tmp_path / "journal.db", [])
    with pytest.raises(SoakFailed, match="on the last; allowed are"):
        check([Measured(50_000, 6, 5), second, late], tmp_path / "journal.db", [])
