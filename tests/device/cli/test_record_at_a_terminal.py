"""A judge at a real terminal steps through a record, key by key."""

from __future__ import annotations

import os
import pty
import select
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.places import A_GAME

from cribboard import record
from cribd.text.audit import Audit

PAGE = A_GAME
READ = record.read(PAGE.read_text(encoding="utf-8"))
AUDIT = Audit(READ, record.judge(READ))


class Judge:
    """Sits at a real terminal, presses keys and reads."""

    def __init__(self, page: Path) -> None:
        self.pid, self.number = pty.fork()
        if not self.pid:
            os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
            os.execv(sys.executable, [sys.executable, "-m", "cribd", "record", "show", str(page)])
        self.seen = ""

    def reads(self, wanted: str) -> str:
        """What comes until this is there."""
        while wanted not in self.seen:
            assert select.select([self.number], [], [], 60)[0], f"no {wanted!r} in {self.seen!r}"
            self.seen += os.read(self.number, 65536).decode().replace("\r\n", "\n")
        before, _, self.seen = self.seen.partition(wanted)
        return before

    def presses(self, keys: str) -> None:
        os.write(self.number, keys.encode())

    def close(self) -> int:
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.number)
        return code


@pytest.fixture
def judge() -> Iterator[Judge]:
    judge = Judge(PAGE)
    yield judge
    judge.presses("q")
    assert judge.close() == 0


def test_a_judge_steps_through_a_game_key_by_key(judge: Judge) -> None:
    last = len(READ.events)
    judge.reads(f"Event 0 of {last}")
    judge.reads("q ends")
    judge.presses("n")
    judge.reads(f"Event {AUDIT.after(0)} of {last}")
    judge.presses("p")
    judge.reads(f"Event 0 of {last}")
    judge.presses("p")
    judge.reads("There is none further on.")
    judge.presses("d")
    judge.reads(f"Event {AUDIT.next_deal(0)} of {last}")
    judge.presses("c")
    disputed = AUDIT.next_disputed(AUDIT.next_deal(0) or 0)
    judge.reads(f"Event {disputed} of {last}")
    judge.presses("100\n")
    judge.reads(f"Event {AUDIT.end_of(100)} of {last}")
    judge.presses("99999\n")
    judge.reads("There is none further on.")
