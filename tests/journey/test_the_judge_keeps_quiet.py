"""Design law 9, on the wires, with the count judge open: it is no way round a game that keeps silent.

As in `test_the_board_keeps_quiet`, two boards play the same cards with the same fingers, under rules that differ only
in what something is worth. In a silent game all that leaves them must be equal, bit for bit and microsecond for
microsecond, whatever is asked of the judge; when the claim is closed at last it must differ. In a told game the judge
answers, and so the boards differ.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.seats import BLUE, RED
from tests.support.watched_board import (
    BEGIN,
    TO_THIRTY_ONE,
    Hit,
    Press,
    Scan,
    Seen,
    WatchedBoard,
)

from cribd.inputs import Key

#: Blue's ace made 31, and blue has let go of its peg: nobody has answered yet.
CLAIMED = [*BEGIN, Scan("5C"), *TO_THIRTY_ONE, Press(BLUE, 3), Hit(Key.OK, BLUE)]


@pytest.mark.parametrize(("telling", "quiet"), [("tournament", True), ("club", False)])
async def test_the_count_judge_reveals_no_points_due(telling: str, quiet: bool, tmp_path: Path) -> None:
    asked: list[list[Seen]] = []
    for name, worth in (("one", 1), ("other", 2)):
        board = WatchedBoard(tmp_path / name, "his_nobs", worth, telling=telling)
        await board.start()
        await board.do(CLAIMED)
        board.seen.clear()
        await board.open_count_judge()
        await board.try_count_judge()
        asked.append(list(board.seen))
        await board.leave()
    assert len(asked[0]) > 20
    assert (asked[0] == asked[1]) is quiet


async def test_a_claim_open_behind_the_judge_stays_hidden_until_it_is_closed(tmp_path: Path) -> None:
    seen: list[list[Seen]] = []
    announced: list[list[Seen]] = []
    for name, worth in (("one", 2), ("other", 3)):
        board = WatchedBoard(tmp_path / name, "thirty_one", worth, telling="tournament")
        await board.start()
        await board.do(CLAIMED)
        await board.open_count_judge()
        await board.try_count_judge()
        seen.append(list(board.seen))
        board.seen.clear()
        await board.do([Hit(Key.CHALLENGE, RED)])
        announced.append(list(board.seen))
        await board.leave()
    assert seen[0] == seen[1]
    assert announced[0] != announced[1]
