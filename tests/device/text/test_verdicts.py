"""What is told of a claim that was closed or ruled, in both languages: one line a ruling, and what it costs another."""

from __future__ import annotations

import pytest
from tests.support.catalogues import phrase
from tests.support.coded_lines import lines
from tests.support.moments_of_rulings import moments_of_rulings

from cribboard.event_terms import Verdict
from cribd.text import load
from cribd.text.verdicts import VERDICTS, verdict_in_words

MOMENTS = moments_of_rulings()


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("acc-too-many", ("⟨said.not_so_many called=4 due=2⟩", "⟨said.awarded points=2 side=⟨side.0⟩⟩ ACC 8.4c")),
        ("acc-stood", ("⟨said.stands_at called=4 due=2⟩", "⟨said.points points=4 side=⟨side.1⟩⟩")),
        ("acc-exact", ("⟨said.exact⟩", "⟨said.points points=2 side=⟨side.1⟩⟩")),
        ("acc-hand-accepted", ("⟨said.scored points=9 side=⟨side.0⟩ why=⟨occasion.hand⟩⟩",)),
        (
            "acc-hand-under",
            ("⟨said.scored points=6 side=⟨side.0⟩ why=⟨occasion.hand⟩⟩", "⟨said.lost_by n=3 rule=ACC 8.3⟩"),
        ),
        ("acc-out-of-turn", ("⟨said.out_of_turn side=⟨side.1⟩⟩", "⟨said.void points=8 rule=ACC 9.2c⟩")),
        (
            "acc-false-game",
            (
                "⟨said.not_so_many called=14 due=9⟩",
                "⟨said.awarded points=5 side=⟨side.1⟩⟩ ACC 8.4c",
                "⟨said.set_back hole=101 side=⟨side.0⟩⟩ ACC 8.4b",
            ),
        ),
        (
            "tournament-false-game",
            ("⟨said.not_so_many called=14 due=9⟩", "⟨said.scored points=9 side=⟨side.0⟩ why=⟨occasion.hand⟩⟩"),
        ),
        ("muggins-exact", ("⟨said.muggins n=3⟩", "⟨said.awarded points=3 side=⟨side.1⟩⟩")),
        ("muggins-too-many", ("⟨said.muggins_less called=5 missed=3⟩", "⟨said.awarded points=3 side=⟨side.1⟩⟩")),
        ("muggins-too-few", ("⟨said.muggins_more called=2 missed=3⟩", "⟨said.awarded points=2 side=⟨side.1⟩⟩")),
        ("muggins-wrong", ("⟨said.nothing_missed⟩", "⟨said.nothing_pegged points=3⟩")),
        ("acc-muggins-wrong", ("⟨said.nothing_missed⟩", "⟨said.awarded points=3 side=⟨side.0⟩⟩ ACC 10")),
        ("acc-muggins", ("⟨said.muggins n=3⟩", "⟨said.awarded points=3 side=⟨side.1⟩⟩ ACC 10")),
        ("acc-play-on", ("⟨said.rolled_back seat=⟨side.1⟩⟩", "⟨said.awarded points=2 side=⟨side.0⟩⟩ ACC 7.3")),
        ("acc-dead", ("⟨said.dead card=⟨rank.3⟩♣⟩", "⟨said.awarded points=2 side=⟨side.0⟩⟩ ACC 7.3")),
        ("rolled-back", ("⟨said.rolled_back seat=⟨side.1⟩⟩",)),
        ("unread-called", ("⟨said.points points=2 side=⟨side.1⟩⟩", "⟨said.unverified⟩")),
        ("unread-card", ("⟨said.unread seat=⟨side.1⟩⟩",)),
        ("unread-starter", ("⟨said.starter_unread⟩",)),
        ("coach-counted", ("⟨said.scored points=9 side=⟨side.0⟩ why=⟨occasion.hand⟩⟩",)),
    ],
)
def test_a_ruling_and_what_it_costs_come_first(moment: str, expected: tuple[str, ...]) -> None:
    seen = MOMENTS[moment].view
    assert seen is not None
    assert lines(lambda words: words.said(seen))[: len(expected)] == expected


@pytest.mark.parametrize(("language", "side"), [("en", "Red"), ("fr_CA", "Rouge")])
def test_the_reason_stands_in_the_line_of_the_points_where_it_has_room(language: str, side: str) -> None:
    seen = MOMENTS["acc-exact"].view
    assert seen is not None
    scored = phrase("said.scored", language, side=side, points=2, why=phrase("why.fifteen", language))
    assert load(language).said(seen)[1] == scored


@pytest.mark.parametrize("language", ["en", "fr_CA"])
def test_the_kinds_of_a_hand_share_a_line_and_with_a_coach_each_step_has_one(language: str) -> None:
    by_kind, by_step = MOMENTS["acc-hand-accepted"].view, MOMENTS["coach-counted"].view
    assert by_kind is not None
    assert by_step is not None
    fifteens = phrase("counted.fifteen", language, n=3, points=6)
    run = phrase("counted.run", language, n=1, points=3)
    assert load(language).said(by_kind)[1] == f"{fifteens}, {run}"
    assert load(language).said(by_step)[1] == f"{phrase('short.fifteen', language, total=2)} 5♠ 10♣"


@pytest.mark.parametrize("moment", ["acc-called", "acc-hand-called", "muggins-asked", "muggins-in-hand"])
def test_an_open_call_is_shown_as_called_without_a_verdict(moment: str) -> None:
    seen = MOMENTS[moment].view
    assert seen is not None
    assert all(" = " in line for line in load("en").said(seen)[:1])


def test_every_verdict_has_its_words_in_both_languages() -> None:
    assert list(VERDICTS.keys() ^ set(Verdict)) == []
    for language in ("en", "fr_CA"):
        said = [verdict_in_words(verdict, load(language)) for verdict in Verdict]
        assert len(set(said)) == len(Verdict), "no two alike"
