"""Killed while results of two competitions are entered: nothing that was acknowledged is lost, and nobody is seated
twice."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from tests.support.journals import opened
from tests.support.organised import open_hall, organiser
from tests.support.places import ROOT

from cribboard.competition import FORMATS
from cribboard.competition.position import CompetitionPosition


def acknowledged(path: Path, *, kill_after: int | None) -> list[str]:
    """What a desk acknowledges until it is killed after so many lines, or ends."""
    command = [sys.executable, "-m", "tests.support.killable_desk", str(path)]
    paths = {"PYTHONPATH": f"{ROOT}:{ROOT / 'board'}:{ROOT / 'firmware'}"}
    lines: list[str] = []
    with subprocess.Popen(command, cwd=ROOT, env=paths, stdout=subprocess.PIPE, text=True) as desk:
        assert desk.stdout is not None
        for line in desk.stdout:
            lines.append(line.strip())
            if len(lines) == kill_after:
                desk.kill()
        desk.wait()
    return lines


def check(p: CompetitionPosition, entered: Sequence[str], competition: int) -> None:
    """Every line that was told of this competition is in its position."""
    for line in entered:
        of, _, rest = line.partition(" ")
        word, _, number = rest.partition(" ")
        if of != str(competition):
            continue
        if word in ("drawn", "started"):
            assert len(p.rounds) >= int(number)
        elif "/" in word:
            held, table, game = map(int, word.split("/"))
            encounter = next(each for each in p.rounds[held - 1].encounters if each.table == table)
            assert encounter.results[game - 1].scores == (121, held + table)
    for each in p.rounds:
        assert set(Counter(each.seating.entrants).values()) == {1}


@pytest.mark.slow
async def test_a_desk_killed_in_every_round_loses_no_result_and_seats_no_entrant_twice(tmp_path: Path) -> None:
    path, rng, entered = tmp_path / "journal.db", Random(13), list[str]()
    rounds = {1: 9, 2: 5}
    async with organiser(path) as owner:
        await open_hall(owner, 8)
        await open_hall(owner, 6, FORMATS["round-robin"])
    for kill_after in [*(rng.randint(2, 12) for _ in range(5)), None]:
        entered += acknowledged(path, kill_after=kill_after)
        with opened(path) as journal:
            for number in rounds:
                check(journal.competitions.competition(number).competition.position, entered, number)
    assert entered[-1] == "over"
    with opened(path) as journal:
        for number, drawn in rounds.items():
            p = journal.competitions.competition(number).competition.position
            assert len(p.rounds) == drawn
            assert all(encounter.results for held in p.rounds for encounter in held.encounters)
