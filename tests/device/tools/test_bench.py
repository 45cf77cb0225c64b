"""The bench: it says how far it is, and measures what it is asked for."""

from __future__ import annotations

import json
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from bench import __main__ as bench
from bench import rotting
from bench.slow_core import SlowCore
from tests.support.rotten import small_journal


async def paint() -> dict[str, float]:
    return {"event_to_paint_p99_ms": 151.0}


KNOWN: dict[str, bench.Measurement] = {
    "scoring.counting": lambda: {"all_hands_seconds": 2.5},
    "scoring.size": lambda: {"rows_megabytes": 1.0},
    "pages.event_to_paint": paint,
}


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        ([], ["scoring.counting", "scoring.size", "pages.event_to_paint"]),
        (["pages", "scoring.size"], ["scoring.size", "pages.event_to_paint"]),
        (["scoring", "scoring.size"], ["scoring.counting", "scoring.size"]),
    ],
)
def test_each_named_part_is_measured_once_and_in_order(names: list[str], wanted: list[str]) -> None:
    assert list(bench.chosen(names, KNOWN)) == wanted


@pytest.mark.parametrize("name", ["hands", "scoring.", ".size", "size", "scoring.hands", ""])
def test_a_part_that_is_measured_nowhere_is_refused_with_what_is_allowed(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "parts", lambda: KNOWN)
    with pytest.raises(SystemExit, match="2"):
        bench.main([name])
    said = capsys.readouterr()
    assert f"{name} is measured nowhere; allowed are scoring, pages, scoring.counting" in said.err
    assert said.out == ""


def test_a_line_says_which_part_of_how_many_it_is_and_the_table_comes_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "parts", lambda: KNOWN)
    monkeypatch.chdir(tmp_path)
    assert bench.main([]) == 0
    said = capsys.readouterr()
    assert re.sub(r" \d:\d\d", "", said.err).splitlines() == [
        "  part 1 of 3: scoring.counting",
        "  part 2 of 3: scoring.size",
        "  part 3 of 3: pages.event_to_paint",
    ]
    assert len(said.out.splitlines()) == 4
    assert "2.500  at most 30             within" in said.out
    assert "151.000  at most 150            OUTSIDE THE BOUND" in said.out
    figures = json.loads((tmp_path / "bench.json").read_text(encoding="utf-8"))["figures"]
    assert figures == {"all_hands_seconds": 2.5, "rows_megabytes": 1.0, "event_to_paint_p99_ms": 151.0}


def test_help_names_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        bench.main(["--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert all(name in said for name in bench.parts())


def test_what_happened_while_the_core_was_slower_than_half_is_left_out(tmp_path: Path) -> None:
    speeds = [(0.007 * turn, 200.0 if turn == 50 else 1000.0) for turn in range(100)]  # the core is slow until 0.350
    (tmp_path / "speeds").write_bytes(b"".join(struct.pack("dd", *speed) for speed in speeds))
    spans = [(0.10, 0.14), (0.33, 0.36), (0.345, 0.346), (0.352, 0.38), (0.30, 0.33)]
    undisturbed = SlowCore(speeds=tmp_path / "speeds").undisturbed(spans)
    assert undisturbed == [(0.10, 0.14), (0.352, 0.38), (0.30, 0.33)]


def test_a_core_of_which_nobody_knows_the_speed_leaves_nothing_out() -> None:
    assert SlowCore().undisturbed([(1.0, 1.1)]) == [(1.0, 1.1)]


@pytest.mark.slow
def test_robots_play_a_day_of_one_game_beside_the_pages() -> None:
    day = subprocess.run(
        [sys.executable, "-m", "bench.a_day", "1", "0"], input="\n\n", capture_output=True, text=True, check=False
    )
    address, *games = day.stdout.splitlines()
    assert (address[:7], games, day.returncode) == ("http://", ["1"], 0), day.stderr


@pytest.mark.slow
def test_a_board_starts_with_one_journal_after_another(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    small_journal(path)
    sound = path.read_bytes()
    assert rotting._starts(path, sound)
    assert rotting._starts(path, b"no journal")
    assert [left.name for left in tmp_path.iterdir() if left.is_dir()] == []
