"""A46 to A49, A65 and A66 of the rules reference: from 116 nobody advances by one point (FADOQ; reading 3.1)."""

from __future__ import annotations

from contextlib import suppress

import pytest
from tests.support.seats import BLUE, RED, Table, card, in_every_way, ruling_in, verdict_in, where_cards_are_read

from cribboard import RULES, IllegalAction, Rules, Way
from cribboard.actions import LayCard, SayGo, TakePegInHand
from cribboard.event_terms import Bar, Ground, Occasion, Verdict
from cribboard.events import ClaimRuled, PointsBarred
from cribboard.rules import OPTIONS, changed
from cribboard.view import see

FADOQ = RULES["fadoq"]
COMPONENT = changed(FADOQ, OPTIONS["fadoq"]["component"])
OUT_ONLY = changed(FADOQ, OPTIONS["fadoq"]["out-only"])

#: The first seat lays last and all others have gone: one point for blue, if it may take one.
A_GO = "S1 T, S2 J, S3 6, S4 3, S1 A (30), S2 go, S3 go, S4 go, S1 go"

#: The dealer pairs with the last card of all. Until then red makes nothing, and blue three times thirty-one.
A_PAIR_AT_LAST = """S1 T, S2 Q, S3 8, S4 2, S1 A+2 (31); S2 K, S3 8, S4 Q, S1 3+2 (31);
                    S2 9, S3 T, S4 2, S1 T+2 (31); S2 5, S3 6, S4 6+3 (17)"""

#: Then a three or a two of the first seat ends the count by itself: it is its last, and all others have gone.
GO_WITH_THE_CARD = "S1 J, S2 Q, S3 9, S4 2+2 (31); S1 T, S2 8, S3 6, S4 go, S1 3, S2 go, S3 go"

#: The first seat holds one for nobs, or three with nobs in them, and in the play red alone makes anything.
ONE_FOR_NOBS = """S1 JC, S2 Q, S3 8, S4 3+2 (31); S1 8S, S2 Q, S3 7, S4 6+2 (31);
                  S1 4H, S2 K, S3 T, S4 7+2 (31); S1 2D, S2 K, S3 T, S4 8+1 (30)"""
THREE_WITH_NOBS = """S1 JC, S2 Q, S3 8, S4 3+2 (31); S1 7H, S2 Q, S3 8, S4 6+2 (31);
                     S1 9S, S2 K, S3 T, S4 2C+2 (31); S1 2D, S2 K, S3 T, S4 8+1 (30)"""


def played(way: str, story: str, scores: tuple[int, int], rules: Rules = FADOQ, *, starter: str = "KS") -> Table:
    table = Table(way, rules=rules, scores=scores)
    table.starter(starter)
    table.tell(story)
    return table


def press_of_one(table: Table, side: int) -> None:
    """The side presses the next hole, if it pegs itself, and the board says why no peg moves."""
    before = table.scores
    if table.now.way is not Way.AUTO:
        assert ruling_in(table.do(TakePegInHand(side, 1))) == ClaimRuled(
            side, 1, Verdict.SINGLE_POINT, Ground.SINGLE_POINT
        )
        assert see(table.now).sides[side].in_hand is None
    assert table.scores == before
    assert see(table.now).sides[side].barred


@in_every_way
def test_a46_a_go_at_117_moves_no_peg(way: str) -> None:
    table = played(way, A_GO, (117, 40))
    press_of_one(table, BLUE)
    assert table.scores == (117, 40)
    assert way != "auto" or PointsBarred(BLUE, 1, Bar.SINGLE_POINT) in table.now.last


@in_every_way
def test_a47_a_fifteen_at_119_wins(way: str) -> None:
    table = played(way, "S1 7, S2 8+2", (40, 119))
    assert (table.now.winner, table.scores) == (RED, (40, 121))


@in_every_way
def test_a48_a_go_at_114_moves_the_peg(way: str) -> None:
    assert played(way, A_GO + "+1", (114, 40)).scores == (115, 40)


@in_every_way
@pytest.mark.parametrize(("name", "story"), [("partners", A_GO + "+1"), ("six-card", "P T, D Q, P K, D go, P go+1")])
def test_a49_with_wikipedia_a_go_at_117_moves_the_peg(way: str, name: str, story: str) -> None:
    table = played(way, story, (117, 40), RULES[name])
    assert table.scores == (118, 40)
    assert not see(table.now).sides[BLUE].barred


@in_every_way
def test_a65_a_go_at_115_reaches_116_and_a_go_at_116_moves_no_peg(way: str) -> None:
    assert played(way, A_GO + "+1", (115, 40)).scores == (116, 40)
    table = played(way, A_GO, (116, 40))
    press_of_one(table, BLUE)
    assert table.scores == (116, 40)


@in_every_way
def test_a65_a_hand_of_one_at_116_moves_no_peg_and_the_next_is_counted(way: str) -> None:
    table = played(way, ONE_FOR_NOBS, (116, 40), starter="QC")
    if way == "auto":
        assert PointsBarred(BLUE, 1, Bar.SINGLE_POINT) in table.next_count()
    else:
        press_of_one(table, BLUE)
        table.counts(BLUE, 0)
    assert table.scores[BLUE] == 116
    assert way != "verify" or table.now.counting == (1, Occasion.HAND)


@in_every_way
def test_a65_the_last_card_with_a_pair_is_one_move_of_three_and_wins_at_118(way: str) -> None:
    table = played(way, A_PAIR_AT_LAST, (40, 118))
    assert (table.now.winner, table.scores) == (RED, (46, 121))


@in_every_way
def test_a66_a_hand_of_three_with_nobs_in_it_counts_three_by_the_move(way: str) -> None:
    table = played(way, THREE_WITH_NOBS, (117, 40), starter="4C")
    table.counts(BLUE, 3)
    assert table.scores[BLUE] == 120


@where_cards_are_read
def test_a66_a_hand_of_three_with_nobs_in_it_counts_two_by_the_component(way: str) -> None:
    table = played(way, THREE_WITH_NOBS, (117, 40), COMPONENT, starter="4C")
    events = table.next_count() if way == "auto" else table.press(BLUE, 3)
    assert PointsBarred(BLUE, 1, Bar.SINGLE_POINT) in events
    assert (verdict_in(events).due, table.scores[BLUE]) == (2, 119)


# The reading, further (3.1)


def test_a_card_and_the_go_after_it_are_two_moves_and_the_go_alone_is_void() -> None:
    table = played("verify", "S1 T, S2 9, S3 9, S4 go, S1 go, S2 go, S3 go (28)", (117, 40))
    judged = table.claim(BLUE, 3)
    assert (judged.verdict, judged.due) == (Verdict.TOO_MANY, 2)
    assert table.scores == (119, 40)
    table = played("auto", "S1 T, S2 9, S3 9+2, S4 go, S1 go, S2 go, S3 go (28)", (117, 40))
    assert table.scores == (119, 40)


@where_cards_are_read
def test_a_go_that_is_due_with_the_card_itself_is_one_move_with_it(way: str) -> None:
    """All others have gone before, and it is the last card of its seat: a pair and the go are three at once."""
    table = played(way, GO_WITH_THE_CARD + ", S1 3+3 (30)", (118, 40))
    assert (table.now.winner, table.scores) == (BLUE, (121, 42))


def test_a_side_that_pegs_the_pair_alone_does_not_win_by_the_single_point_left() -> None:
    table = played("verify", GO_WITH_THE_CARD + ", S1 3+2 (30)", (118, 40))
    with suppress(IllegalAction):
        table.press(BLUE, 1)
    assert (table.now.winner, table.scores) == (None, (120, 42))


@pytest.mark.parametrize("last", ["3", "2"], ids=["a pair and the go", "the go alone"])
def test_a_press_of_one_is_ruled_whatever_the_card_made(last: str) -> None:
    """The board does not tell by it what is due."""
    table = played("verify", f"{GO_WITH_THE_CARD}, S1 {last}", (117, 40))
    press_of_one(table, BLUE)


@where_cards_are_read
@pytest.mark.parametrize(("rules", "points", "red_has"), [(FADOQ, 3, 121), (COMPONENT, 2, 120), (OUT_ONLY, 3, 121)])
def test_the_last_card_with_a_pair_by_each_reading(way: str, rules: Rules, points: int, red_has: int) -> None:
    story = A_PAIR_AT_LAST.replace("S4 6+3", f"S4 6+{points}")
    assert played(way, story, (40, 118), rules).scores == (46, red_has)


def test_calling_two_for_a_go_at_117_scores_nothing() -> None:
    table = played("verify", A_GO, (117, 40))
    judged = table.claim(BLUE, 2)
    assert (judged.verdict, judged.due, table.scores) == (Verdict.TOO_MANY, 0, (117, 40))


@where_cards_are_read
def test_a_barred_point_for_go_scores_nothing_and_leaves_the_turn(way: str) -> None:
    barred, free = played(way, A_GO, (117, 40)), played(way, A_GO + "+1", (100, 40))
    assert barred.now.turn == free.now.turn
    assert barred.scores == (117, 40)


@in_every_way
def test_by_the_way_out_only_the_last_hole_alone_cannot_be_taken_by_one(way: str) -> None:
    assert played(way, A_GO + "+1", (117, 40), OUT_ONLY).scores == (118, 40)
    assert played(way, A_GO + "+1", (119, 40), OUT_ONLY).scores == (120, 40)


@pytest.mark.parametrize("rules", [FADOQ, COMPONENT, OUT_ONLY], ids=lambda rules: str(rules.label))
def test_no_reading_of_the_rule_lets_a_side_win_by_one_point(rules: Rules) -> None:
    """At 120 the game hole may be pressed for any count; that this was one, the cards say."""
    assert played("auto", A_GO, (120, 40), rules).scores == (120, 40)
    table = played("verify", A_GO, (120, 40), rules)
    assert table.claim(BLUE, 1).due == 0
    assert (table.scores, table.now.winner) == ((120, 40), None)
    assert played("verify", "S1 7, S2 3, S3 5+1", (120, 40), rules).now.winner == BLUE


# A pair and the go at 118 (rules reference, 3.27)

#: The first seat pairs its ace after all others have gone: at once with its last card, or with a king left to hold.
WITH_NO_CARD_LEFT = """S1 K, S2 Q, S3 9, S4 go, S1 2+2 (31); S2 T, S3 8, S4 T, S1 A,
                       S2 go, S3 go, S4 go"""
WITH_A_KING_LEFT = "S1 2, S2 T, S3 9, S4 7, S1 A, S2 go, S3 go, S4 go"


@where_cards_are_read
@pytest.mark.parametrize(
    ("story", "stands"), [(WITH_NO_CARD_LEFT, 121), (WITH_A_KING_LEFT, 120)], ids=["no card left", "a king left"]
)
def test_at_118_a_pair_wins_with_the_go_that_falls_due_with_it_and_not_with_a_go_of_its_own(
    way: str, story: str, stands: int
) -> None:
    before = 118 - 2 * story.count("+2")
    table = played(way, story, (before, 20))
    table.do(LayCard(0, card("AD")))
    if way == "verify":
        table.press(BLUE, min(3, stands - 118))
    if stands == 120:
        table.do(SayGo(0))
        events = table.press(BLUE, 1) if way == "verify" else table.now.last
        assert PointsBarred(BLUE, 1, Bar.SINGLE_POINT) in events
    assert (table.scores[BLUE], table.now.winner) == (stands, BLUE if stands == 121 else None)
