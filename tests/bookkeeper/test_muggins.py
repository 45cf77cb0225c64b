"""Muggins as the bookkeeper judges it, held against sections 4 and 7 of the rules reference.

Nothing of the product is here: what is proved is that the judge who judges the product knows the rules.
"""

from __future__ import annotations

from itertools import permutations

import pytest
from tests.bookkeeper.claims_by_the_rules import Count, Verdict
from tests.bookkeeper.presets_by_the_rules import Opening
from tests.support.claims_by_hand import (
    BLUE,
    BRITANNICA,
    RED,
    calls_muggins,
    counted,
    fronts,
    judge,
    laid,
    lets_go,
    words,
)

# At the show: right, too high, too low, wrong, capped, taken back


@pytest.mark.parametrize(("called", "gets"), [(1, 1), (3, 3), (5, 3)])
def test_a71_the_caller_gets_the_lesser_of_called_and_missed(called: int, gets: int) -> None:
    for rules in (BRITANNICA, "acc muggins=on"):
        table = counted(rules, 9, 6)
        calls_muggins(table, RED, called)
        assert fronts(table) == (6, gets)
        word = "exact" if called == 3 else "too-many" if called > 3 else "too-few"
        assert table.verdicts[-1] == Verdict(word, RED, called, 3, "muggins")


@pytest.mark.parametrize(("rules", "front"), [("acc muggins=on", 11), (BRITANNICA, 8)])
def test_a70_a_wrong_call_of_muggins(rules: str, front: int) -> None:
    table = counted(rules, 8, 8)
    calls_muggins(table, RED, 3)
    assert (fronts(table), words(table), table.count) == ((front, 0), ["exact", "nothing-missed"], None)


def test_a_wrong_call_of_muggins_may_win_the_game_for_the_other() -> None:
    table = counted("acc muggins=on", 8, 8, blue=111)
    calls_muggins(table, RED, 3)
    assert (fronts(table), table.winner) == ((121, 0), BLUE)


def test_muggins_on_too_many_is_a_wrong_call_and_what_was_called_stands() -> None:
    table = counted("acc muggins=on", 8, 10)
    calls_muggins(table, RED, 3)
    assert (fronts(table), words(table)) == ((13, 0), ["too-many", "nothing-missed"])


def test_muggins_gives_no_more_than_the_holes_left() -> None:
    table = counted(BRITANNICA, 12, 2, red=116)
    table.challenge(RED)
    table.press(RED, 121)
    table.ok(RED)
    assert (fronts(table), table.winner) == ((2, 121), RED)
    table = counted(BRITANNICA, 12, 1, blue=118)  # two are missed: he had three holes to go
    calls_muggins(table, RED, 11)
    assert fronts(table) == (119, 2)


def test_challenge_again_takes_it_back_and_a_hole_without_it_is_never_muggins() -> None:
    table = counted(BRITANNICA, 9, 6)
    table.challenge(RED)
    table.press(RED, 3)
    table.challenge(RED)
    assert (table.call, table.asks, table.verdicts) == (None, None, [])
    table = counted(BRITANNICA + " verify_ack=on", 9, 6)
    table.press(RED, 3)
    assert (fronts(table), words(table)) == ((6, 0), ["out-of-turn"])


def test_another_hole_moves_the_call_of_muggins() -> None:
    table = counted(BRITANNICA, 9, 6)
    table.challenge(RED)
    for hole in (5, 2, 2):
        table.press(RED, hole)
    assert fronts(table) == (6, 2)


def test_challenge_and_own_ok_says_too_many_with_muggins_on() -> None:
    for worth, front in ((6, 6), (9, 8), (8, 8)):
        table = counted(BRITANNICA, worth, 8)
        table.challenge(RED)
        table.ok(RED)
        assert (fronts(table), table.count, table.asks) == ((front, 0), None, None)


def test_with_muggins_off_challenge_asks_nothing() -> None:
    table = counted("acc", 9, 6)
    table.challenge(RED)
    table.press(RED, 3)
    assert fronts(table) == (6, 0)


# In the play


@pytest.mark.parametrize("before", [True, False])
def test_muggins_in_the_play_waits_until_the_scorer_next_lets_a_peg_go(before: bool) -> None:
    table = judge(BRITANNICA)
    laid(table, BLUE, 5)
    lets_go(table, BLUE, 2)
    laid(table, RED)
    laid(table, BLUE, 2)
    assert table.verdicts == []
    if before:
        calls_muggins(table, RED, 3)
    lets_go(table, BLUE, 2)
    if not before:
        calls_muggins(table, RED, 3)  # on the claim that is open now, and that is right
    assert fronts(table) == (4, 3 if before else 0)
    assert table.verdicts[0] == Verdict("too-few", BLUE, 2, 5)


def test_points_that_were_never_claimed_may_be_mugged_after_the_next_card() -> None:
    table = judge(BRITANNICA)
    laid(table, BLUE, 2)
    calls_muggins(table, RED, 2)
    assert (fronts(table), words(table)) == ((0, 0), ["too-late"])  # too soon: he may claim yet
    laid(table, RED)
    calls_muggins(table, RED, 2)
    assert (fronts(table), table.verdicts[-1]) == ((0, 2), Verdict("exact", RED, 2, 2, "muggins"))


def test_a_card_that_made_nothing_was_not_missed_and_the_call_is_a_wrong_one() -> None:
    table = judge("acc muggins=on")
    laid(table, BLUE)
    laid(table, RED)
    calls_muggins(table, RED, 2)
    assert (fronts(table), words(table)) == ((2, 0), ["nothing-missed"])


def test_after_a_claim_was_too_high_muggins_is_too_late() -> None:
    table = judge("acc muggins=on")
    laid(table, BLUE)
    lets_go(table, BLUE, 2)
    table.challenge(RED)
    table.ok(RED)
    laid(table, RED)
    calls_muggins(table, RED, 2)
    assert (fronts(table), words(table)) == ((0, 2), ["too-many", "too-late"])


def test_muggins_for_the_play_is_too_late_when_the_first_hand_is_pegged() -> None:
    for first_hand in (False, True):
        table = judge(BRITANNICA)
        laid(table, RED, 3)
        lets_go(table, RED, 1)
        table.open_count(Count(BLUE, RED, Opening((4,), "hand")))
        if first_hand:
            lets_go(table, BLUE, 4)
            assert table.verdicts == [Verdict("too-few", RED, 1, 3)]
        calls_muggins(table, BLUE, 2)
        assert fronts(table) == ((4, 1) if first_hand else (2, 1))


def test_too_many_is_too_late_with_the_next_card() -> None:
    table = judge(BRITANNICA)
    laid(table, BLUE, 2)
    lets_go(table, BLUE, 4)
    laid(table, RED)
    table.challenge(RED)
    table.ok(RED)
    assert fronts(table) == (4, 0)


@pytest.mark.parametrize(("rules", "gets"), [(BRITANNICA, 2), ("acc muggins=on", 0)])
def test_muggins_on_heels_is_as_the_preset_has_it(rules: str, gets: int) -> None:
    table = judge(rules)
    table.brings(RED, [Opening((2,), "heels")])
    laid(table, BLUE)
    laid(table, RED)  # the dealer's own card: now they are forgotten
    calls_muggins(table, BLUE, 2)
    assert fronts(table) == (gets, 0)


@pytest.mark.parametrize(("rules", "stand"), [(BRITANNICA, (1, 1)), ("acc muggins=on", (0, 4))])
def test_heels_that_were_called_too_low_are_spared_as_those_that_were_forgotten(
    rules: str, stand: tuple[int, int]
) -> None:
    table = judge(rules)
    table.brings(RED, [Opening((2,), "heels")])
    lets_go(table, RED, 1)
    calls_muggins(table, BLUE, 3)
    assert fronts(table) == stand


# What is told


def test_a_silent_claim_shows_no_verdict_before_it_is_closed() -> None:
    for due, other in permutations(range(9), 2):
        pictures = []
        for worth in (due, other):
            table = counted("acc muggins=on", worth, 4, blue=110)
            table.challenge(RED)
            table.press(RED, 2)
            pictures.append((table.pegs, table.verdicts, table.winner))
        assert pictures[0] == pictures[1]
