"""Whose points the bookkeeper lets come first, and what one press for two occasions is for (3.24 and 3.25 of the rules
reference).

Nothing of the product is here: what is proved is that the judge who judges the product knows the rules.
"""

from __future__ import annotations

import pytest
from tests.bookkeeper.claims_by_the_rules import Count, Verdict
from tests.bookkeeper.judgement_by_the_rules import Judge
from tests.bookkeeper.lights_by_the_rules import Pegs
from tests.bookkeeper.presets_by_the_rules import Opening, read_rules
from tests.support.claims_by_hand import (
    BLUE,
    BRITANNICA,
    GREEN,
    RED,
    calls_muggins,
    fronts,
    judge,
    laid,
    lets_go,
    words,
)

EVERY = pytest.mark.parametrize("rules", ["six-card", "jeux50", "acc", BRITANNICA])
SILENT = pytest.mark.parametrize("rules", ["acc", BRITANNICA, "six-card telling=tournament"])


def red_laid_last(rules: str, blue: int, red: int, *, hand: int = 9) -> Judge:
    """Red's last card is worth one, and blue's hand is to be counted."""
    table = judge(rules, blue, red)
    laid(table, RED, 1)
    table.open_count(Count(BLUE, RED, Opening((hand,), "hand")))
    return table


def blue_laid_last(rules: str, blue: int = 60, red: int = 70, *, hand: int = 9) -> Judge:
    """Blue's last card is worth one, and its own hand is to be counted."""
    table = judge(rules, blue, red)
    laid(table, BLUE, 1)
    table.open_count(Count(BLUE, RED, Opening((hand,), "hand")))
    return table


@EVERY
def test_a78_the_dealers_last_card_wins_although_the_pone_lifted_a_peg_first(rules: str) -> None:
    table = red_laid_last(rules, 117, 120)
    table.press(BLUE, 121)
    table.press(RED, 121)
    assert (table.held(BLUE), table.held(RED)) == (None, 121)
    table.ok(RED)
    table.ok(BLUE)
    assert (fronts(table), table.winner) == ((117, 121), RED)


@EVERY
def test_a_hand_at_the_game_hole_waits_for_the_others_ok(rules: str) -> None:
    table = red_laid_last(rules, 117, 120)
    table.press(BLUE, 121)
    for _ in range(2):
        table.ok(BLUE)
        table.press(BLUE, 121)
    assert (table.winner, table.held(BLUE)) == (None, 121)
    table.ok(RED)
    assert (fronts(table), table.winner) == ((121, 120), BLUE)


@EVERY
def test_while_a_peg_waits_a_press_that_is_not_for_the_play_is_not_heard(rules: str) -> None:
    table = red_laid_last(rules, 117, 90)
    table.press(BLUE, 121)
    table.press(RED, 99)
    assert (table.held(BLUE), table.held(RED), table.verdicts) == (121, None, [])


@EVERY
def test_a_last_card_that_was_let_go_holds_nothing_up(rules: str) -> None:
    table = red_laid_last(rules, 117, 110)
    lets_go(table, RED, 1)
    lets_go(table, BLUE, 4)
    table.ok(RED)
    assert (fronts(table), table.winner) == ((121, 111), BLUE)


def test_a_point_that_is_barred_holds_nothing_up() -> None:
    table = red_laid_last("six-card no_single_point_from=116", 117, 120)
    lets_go(table, BLUE, 4)
    assert table.winner == BLUE


@SILENT
def test_silent_a_peg_lifted_for_the_hand_does_not_take_the_last_card_for_it(rules: str) -> None:
    table = red_laid_last(rules, 60, 70)
    table.press(BLUE, 69)
    table.press(RED, 71)
    assert (table.held(BLUE), table.held(RED)) == (None, 71)
    table.ok(RED)
    table.ok(BLUE)
    lets_go(table, BLUE, 9)
    table.ok(RED)
    assert fronts(table) == (69, 71)
    assert table.verdicts == [Verdict("exact", RED, 1, 1), Verdict("exact", BLUE, 9, 9, "hand")]


def test_his_heels_come_before_a_pair_of_the_play() -> None:
    table = judge("three-player", 50, 119)
    table.pegs.append(Pegs(119, 0))
    table.brings(GREEN, [Opening((2,), "heels")])
    for side, made in (BLUE, 0), (RED, 2):
        table.next_card(leads=side == BLUE, dealers_own=False)
        table.brings(side, [Opening((made,))] if made else [])
    lets_go(table, RED, 2)
    assert (table.winner, table.held_up_by()) == (None, [GREEN])
    lets_go(table, GREEN, 2)
    assert (fronts(table), table.winner) == ((50, 119, 121), GREEN)


def test_in_trust_a_peg_at_the_game_hole_goes_back_to_any_press() -> None:
    table = Judge(read_rules("six-card"), trusting=True)
    table.pegs = [Pegs(117, 0), Pegs(120, 0)]
    table.press(BLUE, 121)
    table.press(RED, 121)
    assert (table.held(BLUE), table.held(RED)) == (None, 121)
    table.time_is_up()
    assert (fronts(table), table.winner) == ((117, 121), RED)


@SILENT
def test_a79_a_call_above_the_play_is_for_the_hand_and_the_hand_is_not_asked_again(rules: str) -> None:
    table = blue_laid_last(rules)
    lets_go(table, BLUE, 9)
    table.ok(RED)
    assert (fronts(table), table.count) == ((69, 70), None)
    assert table.verdicts == [Verdict("exact", BLUE, 9, 9, "hand")]


@SILENT
def test_the_hole_to_which_the_peg_was_moved_last_says_what_it_is_for(rules: str) -> None:
    for first, last, what in (1, 9, "hand"), (9, 1, "play"):
        table = blue_laid_last(rules)
        table.press(BLUE, 60 + first)
        lets_go(table, BLUE, last)
        table.ok(RED)
        if table.count is not None:
            lets_go(table, BLUE, 9)
            table.ok(RED)
        assert table.verdicts[0] == Verdict("exact", BLUE, last, last, what)
        assert fronts(table) == (70 if what == "play" else 69, 70)


def test_a_hand_called_too_high_is_doubted_as_a_hand() -> None:
    table = blue_laid_last("acc")
    lets_go(table, BLUE, 11)
    table.challenge(RED)
    assert (fronts(table), table.verdicts) == ((69, 72), [Verdict("too-many", BLUE, 11, 9, "hand")])


def test_with_muggins_an_unclaimed_last_card_is_lost_once_the_hand_is_released() -> None:
    table = blue_laid_last(BRITANNICA)
    lets_go(table, BLUE, 9)
    calls_muggins(table, RED, 1)
    assert (fronts(table), words(table)) == ((69, 70), ["exact", "nothing-missed"])


@pytest.mark.parametrize("rules", ["six-card", "jeux50", "acc"])
def test_a_call_above_the_value_of_the_own_card_claims_forgotten_points(rules: str) -> None:
    table = judge(rules, 60, 70)
    laid(table, RED, 2, leads=True)
    laid(table, BLUE)
    laid(table, RED)
    table.press(RED, 72)
    if rules == "six-card":
        table.ok(BLUE)
        assert (fronts(table), table.verdicts) == ((60, 72), [Verdict("exact", RED, 2, 2)])
    else:
        assert (fronts(table), table.verdicts) == ((60, 70), [Verdict("too-late", RED, 2)])


def test_a_call_above_own_card_and_forgotten_points_together_claims_the_own_card() -> None:
    table = judge("six-card", 60, 70)
    laid(table, RED, 2, leads=True)
    laid(table, BLUE)
    laid(table, RED)
    lets_go(table, RED, 7)
    assert table.verdicts == [Verdict("too-many", RED, 7, 0)]


def test_after_the_own_card_is_pegged_another_press_claims_forgotten_points() -> None:
    table = judge("partners", 60, 70)
    laid(table, RED, 2, leads=True)
    laid(table, RED, 2)
    lets_go(table, RED, 2)
    lets_go(table, RED, 2)
    table.ok(BLUE)
    assert (fronts(table), words(table)) == ((60, 74), ["exact", "exact"])
