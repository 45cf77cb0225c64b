"""Design law 9, on the wires: until a claim is closed the board tells nobody what is due.

Two boards play the same cards with the same fingers, under rules that differ only in what something is worth. All that
leaves them (LEDs, screen, buzzer, voice, and when) must be equal, bit for bit and microsecond for microsecond, until
the claim is let go; and then it must differ, or this test could not fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.seats import BLUE, RED
from tests.support.watched_board import (
    BEGIN,
    TO_THE_GO,
    TO_THE_LAST,
    TO_THE_RUN,
    TO_THIRTY_ONE,
    Hit,
    Press,
    Scan,
    Seen,
    Step,
    WatchedBoard,
)

from cribd.inputs import Key
from cribd.text import languages
from cribd.voice.speech_process import Speech

RUN_CLAIMED: list[Step] = [Press(RED, 3), Hit(Key.OK, RED)]


@dataclass(frozen=True)
class Case:
    """`steps` end with a peg in hand; `close` lets it go. `parameter` is worth `one` or `other`."""

    parameter: str
    one: int
    other: int
    steps: Sequence[Step]
    close: Sequence[Step]


CASES = (
    Case("his_heels", 2, 3, [*BEGIN, Scan("JD"), Press(BLUE, 3)], [Hit(Key.OK, RED)]),
    Case("thirty_one", 2, 3, [*BEGIN, Scan("5H"), *TO_THIRTY_ONE, Press(BLUE, 3)], [Hit(Key.OK, BLUE)]),
    Case("go", 1, 2, [*BEGIN, Scan("5H"), *TO_THE_RUN, *RUN_CLAIMED, Hit(Key.GO, BLUE), Press(RED, 1)], [Scan("QC")]),
    Case("last_card", 1, 2, [*BEGIN, Scan("5H"), *TO_THE_LAST, Press(BLUE, 1)], [Hit(Key.OK, RED)]),
    Case("his_nobs", 1, 0, [*BEGIN, Scan("5H"), *TO_THE_LAST, Press(RED, 9)], [Hit(Key.OK, BLUE)]),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.parameter)
async def test_points_due_are_hidden_until_the_claim_is_closed(case: Case, tmp_path: Path) -> None:
    quiet: list[list[Seen]] = []
    announced: list[list[Seen]] = []
    hushed: list[list[tuple[float, Speech | None]]] = []
    aloud: list[list[tuple[float, Speech | None]]] = []
    for name, worth in (("one", case.one), ("other", case.other)):
        board = WatchedBoard(tmp_path / name, case.parameter, worth)
        await board.start()
        await board.do(case.steps)
        quiet.append(list(board.seen))
        hushed.append(list(board.aloud))
        assert len(board.aloud) >= 2 * len(languages())
        board.seen.clear()
        board.aloud.clear()
        await board.do(case.close)
        announced.append(list(board.seen))
        aloud.append(list(board.aloud))
        await board.leave()
    assert len(quiet[0]) > 20
    assert quiet[0] == quiet[1]
    assert hushed[0] == hushed[1]
    assert announced[0] != announced[1]
    assert aloud[0] != aloud[1]


async def test_an_unclaimed_score_is_never_shown(tmp_path: Path) -> None:
    """Thirty-one is reached and forgotten; the board plays on as if nothing had been due."""
    seen = []
    for name, worth in (("one", 2), ("other", 5)):
        board = WatchedBoard(tmp_path / name, "thirty_one", worth)
        await board.start()
        await board.do([*BEGIN, Scan("5H"), *TO_THE_GO])
        seen.append(list(board.seen))
        await board.leave()
    assert seen[0] == seen[1]
