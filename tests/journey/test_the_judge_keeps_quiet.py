"""Design law 9, on the wires, with the count judge open: it is no way round a game that keeps silent.

As in `test_the_board_keeps_quiet`, two boards play the same cards with the same fingers, under rules that differ only
in what something is worth. In a silent game all that leaves them must be equal, bit for bit and microsecond for
microsecond, whatever is asked of the judge; when the claim is closed at last it must differ. In a told game the judge
answers, and so the boards differ.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.journey.test_the_board_keeps_quiet import (
    BEGIN,
    BLUE,
    RED,
    TO_THIRTY_ONE,
    Hit,
    Press,
    Scan,
    Seen,
    Watched,
    scans,
)

from cribd.inputs import Key
from cribd.table.snapshot import Line

#: Blue's ace made 31, and blue has let go of its peg: nobody has answered yet. Five of these cards are a hand.
CLAIMED = [*BEGIN, Scan("5C"), *TO_THIRTY_ONE, Press(BLUE, 3), Hit(Key.OK, BLUE)]
HAND = scans("TH KS JC AC 5C")


async def to_the_judge(board: Watched) -> None:
    """The menu, opened at the line of the judge, and an OK."""
    while board.fingers.snapshot.menu is None or board.fingers.snapshot.menu.current.line is not Line.JUDGE:
        await board.fingers.key(Key.MENU)
    await board.do([Hit(Key.OK, RED)])
    assert board.fingers.snapshot.judging is not None


async def ask_everything(board: Watched) -> None:
    """Cards of the deal and others, numbers, hand and crib, the rules, nothing; then the judge is left."""
    board.fingers.slipping = True
    await board.do(HAND)
    for hole in (2, 3, 7, 8, 12):
        await board.fingers.press(RED, hole)
    await board.do([Hit(Key.GO, BLUE), Scan("QD"), Hit(Key.OK, BLUE)])
    await board.fingers.key(Key.UNDO)
    await board.fingers.key(Key.MENU)
    board.fingers.slipping = False
    assert board.fingers.snapshot.judging is None


@pytest.mark.parametrize(("telling", "quiet"), [("tournament", True), ("club", False)])
async def test_nothing_of_what_is_due_leaves_the_judge(telling: str, quiet: bool, tmp_path: Path) -> None:
    asked: list[list[Seen]] = []
    for name, worth in (("one", 1), ("other", 2)):
        board = Watched(tmp_path / name, "his_nobs", worth, telling=telling)
        await board.device.start()
        await board.clock.advance(1)
        await board.do(CLAIMED)
        board.seen.clear()
        await to_the_judge(board)
        await ask_everything(board)
        asked.append(list(board.seen))
        await board.leave()
    assert len(asked[0]) > 20
    assert (asked[0] == asked[1]) is quiet


async def test_a_claim_that_is_open_behind_the_judge_stays_unsaid_until_it_is_closed(tmp_path: Path) -> None:
    seen: list[list[Seen]] = []
    told: list[list[Seen]] = []
    for name, worth in (("one", 2), ("other", 3)):
        board = Watched(tmp_path / name, "thirty_one", worth, telling="tournament")
        await board.device.start()
        await board.clock.advance(1)
        await board.do(CLAIMED)
        await to_the_judge(board)
        await ask_everything(board)
        seen.append(list(board.seen))
        board.seen.clear()
        await board.do([Hit(Key.CHALLENGE, RED)])
        told.append(list(board.seen))
        await board.leave()
    assert seen[0] == seen[1]
    assert told[0] != told[1]
