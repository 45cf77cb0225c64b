"""A hub that is killed at any statement has all of a batch or nothing of it, and takes it again as it was."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.killable_hub import accept
from tests.support.organised import held, organiser
from tests.support.places import ROOT

from cribd.storage.outbox import Entered


@pytest.mark.slow
async def test_a_hub_killed_at_each_statement_of_a_batch_has_each_result_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.support.killable_hub", str(tmp_path)]
    paths = {"PYTHONPATH": f"{ROOT}:{ROOT / 'board'}:{ROOT / 'firmware'}"}
    ran = subprocess.run(command, cwd=ROOT, env=paths, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    deaths = int(ran.stdout)
    assert deaths > 10
    left = set()
    for number in range(1, deaths + 1):
        folder = tmp_path / str(number)
        async with organiser(folder / "journal.db") as owner:
            results = [pair.results for pair in held(owner).organiser.rounds[0].tables]
            signed = len(owner.journal.competitions.received.signed())
            left.add((sum(map(len, results)), signed))
        again = await accept(folder)
        assert again == (*[Entered.ACCEPTED] * 3, Entered.NOT_TAKEN, Entered.ACCEPTED)
        async with organiser(folder / "journal.db") as owner:
            scores = [[result.scores for result in pair.results] for pair in held(owner).organiser.rounds[0].tables]
            assert scores == [[(121, 1)], [(121, 2)], [(121, 3)]]
            assert len(owner.journal.competitions.received.signed()) == 4
    assert left == {(0, 0), (3, 4)}
