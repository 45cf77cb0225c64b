"""A judge at a real terminal steps through a record, key by key."""

from __future__ import annotations

import os
import pty
import select
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.catalogues import phrase
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
    def event(number: int | None) -> str:
        return phrase("audit.event", number=number, last=len(READ.events))

    judge.reads(event(0))
    judge.reads(phrase("audit.keys"))
    judge.presses("n")
    judge.reads(event(AUDIT.after(0)))
    judge.presses("p")
    judge.reads(event(0))
    judge.presses("p")
    judge.reads(phrase("audit.no_more"))
    judge.presses("d")
    judge.reads(event(AUDIT.next_deal(0)))
    judge.presses("c")
    disputed = AUDIT.next_disputed(AUDIT.next_deal(0) or 0)
    judge.reads(event(disputed))
    judge.presses("100\n")
    judge.reads(event(AUDIT.end_of(100)))
    judge.presses("99999\n")
    judge.reads(phrase("audit.no_more"))
