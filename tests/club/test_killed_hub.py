"""A hub or a board that is killed at any step has all of a result or nothing of it, and each result comes once."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.support.killable_hub import TABLES
from tests.support.places import ROOT

PATHS = {"PYTHONPATH": f"{ROOT}:{ROOT / 'board'}:{ROOT / 'firmware'}"}


def left(folder: Path) -> Any:
    """What the journals have of the boards' outcomes, without times."""
    with closing(sqlite3.connect(folder / "hub" / "journal.db")) as journal:
        read = (
            "SELECT round, at_table, number, answer FROM received",
            "SELECT board, sequence, scores, entrants FROM signed_outcome",
            "SELECT board, sequence, found FROM game_record",
            "SELECT line FROM competition_line",
        )
        of_hub = [sorted(journal.execute(query)) for query in read]
    for table in TABLES:
        with closing(sqlite3.connect(folder / str(table) / "journal.db")) as journal:
            of_hub.append(journal.execute("SELECT answer FROM outbox_answer").fetchall())
    return tuple(of_hub)


def run(call: str) -> str:
    """Run a function of `killable_hub`, and return what it prints."""
    command = [sys.executable, "-c", f"from tests.support import killable_hub; killable_hub.{call}"]
    ran = subprocess.run(command, cwd=ROOT, env=PATHS, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("whose", ["hub", "board"])
def test_who_is_killed_at_each_step_has_each_result_and_each_record_once_when_it_is_back(
    whose: str, tmp_path: Path
) -> None:
    deaths = int(run(f"kill({str(tmp_path)!r}, {whose!r})"))
    survived, *died = (left(tmp_path / str(number)) for number in range(deaths + 1, 0, -1))
    received, signed, records, _, *answers = survived
    assert [answer for *_, answer in received] == ["accepted", "disputed"]
    assert answers == [[("accepted",)], [("disputed",)]]
    assert len(signed) == len(records) == len(TABLES)
    lengths = {tuple(map(len, tables))[:3] for tables in died}
    assert {(0, 0, 0), (2, 2, 0)} <= lengths, "some died before the commit, and some after it"
    assert all(has_received == has_signed for has_received, has_signed, _ in lengths)

    run(f"go_on({str(tmp_path)!r}, {deaths})")
    for number in range(1, deaths + 1):
        assert left(tmp_path / str(number)) == survived, number


#: Prints the process that checks records, once it has begun.
CHECKS = """
import asyncio, multiprocessing, uuid
from cribd.club.record_check import RecordChecker
from cribd.storage.outbox import Outcome, PlayedFor
outcome = Outcome(place=PlayedFor(uuid.uuid4(), 1, 1, 1), scores=(121, 0), broken_off=False, record="")
asyncio.run(RecordChecker().check(b"", outcome, "acc/1"))
print(multiprocessing.active_children()[0].pid, flush=True)
input()
"""


def test_the_process_that_checks_records_ends_when_its_hub_is_killed() -> None:
    command = [sys.executable, "-c", CHECKS]
    with subprocess.Popen(command, env=PATHS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as hub:
        assert hub.stdout is not None
        checker = Path("/proc", hub.stdout.readline().strip())
        assert checker.is_dir()
        hub.kill()
    late = time.monotonic() + 20
    while checker.is_dir():
        assert time.monotonic() < late
        time.sleep(0.02)
