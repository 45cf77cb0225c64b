"""Every verdict of the board's journal is the bookkeeper's own, in games in which robots call wrong and readers fail.

The full measure, 200 games under each rule set, is taken by `python -m tests.support.refereed_evenings`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest
from tests.bookkeeper.claims_by_the_rules import Verdict
from tests.bookkeeper.verdicts_by_the_rules import compare, games_of, verdicts
from tests.support.refereed_evenings import EVENINGS, evening_of
from tests.support.sweeps import one_in

from cribd.wires import ReaderKind


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "reader"), [*zip(EVENINGS, cycle(ReaderKind), strict=False)][:: one_in(3)])
async def test_every_verdict_and_light_is_that_of_the_rules(name: str, reader: ReaderKind, tmp_path: Path) -> None:
    keeper = await evening_of(tmp_path, rules=EVENINGS[name], reader=reader, games=1, seed=15)
    assert keeper.differences == []
    assert keeper.compared > 100
    (game,) = keeper.verdicts
    assert {verdict.word for verdict in game} >= {"exact", "too-many"}
    assert any(verdict.what == "muggins" for verdict in game) == keeper.rules.muggins


def test_a_verdict_is_read_from_its_line() -> None:
    assert verdicts(
        [
            "judged red exact card called 2 due 2 for fifteen(7H 8H)=2",
            "judged blue too-many hand called 22 due 20 for pair(5C 5D)=2",
            "judged red exact crib called 2 due 8 for run(2C 3C 4C)=3",
            "pegged red +2 = 121",
            "ruled blue +2 out-of-turn",
            "ruled blue +2 too-late by late_claim",
            "muggins red too-many against blue called 5 missed 3 for nothing by muggins",
        ]
    ) == [
        Verdict("exact", 1, 2, 2),
        Verdict("too-many", 0, 22, 20, "hand"),
        Verdict("exact", 1, 2, 2, "crib"),
        Verdict("out-of-turn", 0, 2),
        Verdict("too-late", 0, 2),
        Verdict("too-many", 1, 5, 3, "muggins"),
    ]


def test_a_hand_that_closed_void_points_of_the_play_is_read_as_a_hand() -> None:
    """From 116 a single point of FADOQ is not kept (3.1): whoever then calls a hand calls nothing of the play."""
    combinations = "go(8H)=1; last_card(7D)=1; fifteen(5C JC)=2"
    assert verdicts([f"judged blue exact go+card+hand called 1 due 1 for {combinations} by count"]) == [
        Verdict("exact", 0, 1, 1, "hand")
    ]
    assert verdicts(["judged blue exact go+card called 2 due 2 for go(8H)=1; last_card(7D)=1 by count"]) == [
        Verdict("exact", 0, 2, 2)
    ]


def test_undone_verdicts_are_ignored() -> None:
    ruled = "ruled blue +2 out-of-turn"
    assert verdicts([ruled, ruled, "> undo", "undone to 1", ruled]) == [Verdict("out-of-turn", 0, 2)] * 2


def test_a_record_as_text_is_read_like_a_journal() -> None:
    (game,) = games_of(Path("docs/a-game.txt"))
    assert game[0] == Verdict("exact", 1, 2, 2)
    assert Verdict("too-many", 0, 22, 20, "hand") in game


@pytest.mark.parametrize(
    "doctor",
    [
        lambda game: game[:-1],
        lambda game: [*game, Verdict("exact", 0, 2, 2)],
        lambda game: game[1:],
        lambda game: [Verdict("too-few", 0, 2, 4), *game[1:]],
    ],
)
def test_a_verdict_that_differs_is_found(doctor: Callable[[list[Verdict]], list[Verdict]]) -> None:
    game = [Verdict("exact", 0, 2, 2), Verdict("too-many", 1, 3, 2, "hand")]
    assert list(compare([game], [game])) == []
    assert len(list(compare([game], [doctor(game)]))) == 1
    assert len(list(compare([game], []))) == 1
