"""The judgement that the bookkeeper gives, held against sections 4 and 7 of the rules reference, row by row.

Nothing of the product is here: what is proved is that the judge who judges the product knows the rules.
"""

from __future__ import annotations

import pytest
from tests.bookkeeper.claims_by_the_rules import Count, Verdict
from tests.bookkeeper.lights_by_the_rules import Pegs
from tests.bookkeeper.presets_by_the_rules import Opening
from tests.support.claims_by_hand import (
    BLUE,
    BRITANNICA,
    RED,
    counted,
    counting,
    fronts,
    judge,
    laid,
    lets_go,
    words,
)

# At the show


@pytest.mark.parametrize("rules", ["six-card", "jeux50", "acc", BRITANNICA])
def test_a50_an_exact_claim_is_pegged_and_accepted(rules: str) -> None:
    table = counted(rules, 8, 8)
    assert (fronts(table), table.count is not None) == ((8, 0), True)
    table.ok(RED)
    assert (fronts(table), table.count) == ((8, 0), None)
    assert table.verdicts == [Verdict("exact", BLUE, 8, 8, "hand")]


@pytest.mark.parametrize("answer", ["ok", "challenge"])
def test_a51_an_over_claim_in_an_open_game_is_corrected_without_a_challenge(answer: str) -> None:
    table = counted("six-card", 6, 9)
    assert fronts(table) == (6, 0)
    assert table.verdicts == [Verdict("too-many", BLUE, 9, 6, "hand")]
    getattr(table, answer)(RED)
    assert (fronts(table), table.count, len(table.verdicts)) == ((6, 0), None, 1)


@pytest.mark.parametrize("rules", [BRITANNICA, "six-card telling=tournament"])
def test_a51_silent_an_over_claim_is_corrected_if_it_is_challenged_and_else_stands(rules: str) -> None:
    for challenged, front in ((True, 6), (False, 9)):
        table = counted(rules, 6, 9)
        assert (fronts(table), table.verdicts) == ((9, 0), [])
        if challenged:
            table.challenge(RED)
        table.ok(RED)
        assert (fronts(table), table.count) == ((front, 0), None)
        assert table.verdicts == [Verdict("too-many", BLUE, 9, 6, "hand")]


@pytest.mark.parametrize("answer", ["ok", "challenge"])
@pytest.mark.parametrize("rules", ["six-card", "acc"])
def test_a52_an_under_claim_stands_and_the_rest_is_lost(rules: str, answer: str) -> None:
    table = counted(rules, 9, 6)
    getattr(table, answer)(RED)
    assert (fronts(table), table.count) == ((6, 0), None)
    assert table.verdicts == [Verdict("too-few", BLUE, 6, 9, "hand")]


@pytest.mark.parametrize("lets_it_go", ["ok", "ok of blue", "same hole"])
def test_a53_muggins_gives_the_caller_what_was_missed(lets_it_go: str) -> None:
    table = counted(BRITANNICA, 9, 6, red=40)
    table.challenge(RED)
    table.press(RED, 43)
    assert (fronts(table), table.verdicts) == ((6, 40), [])
    match lets_it_go:
        case "ok":
            table.ok(RED)
        case "ok of blue":
            table.ok(BLUE)
        case _:
            table.press(RED, 43)
    assert (fronts(table), table.count) == ((6, 43), None)
    assert table.verdicts == [Verdict("too-few", BLUE, 6, 9, "hand"), Verdict("exact", RED, 3, 3, "muggins")]


def test_a54_the_excess_goes_to_the_challenger() -> None:
    table = counted("acc", 6, 8)
    assert fronts(table) == (8, 0)
    table.challenge(RED)
    assert (fronts(table), words(table)) == ((6, 2), ["too-many"])
    assert table.pegs == [Pegs(6, 0), Pegs(2, 0)]


def test_an_over_claim_that_was_accepted_stands() -> None:
    table = counted("acc", 6, 8)
    table.ok(RED)
    table.challenge(RED)
    assert (fronts(table), words(table)) == ((8, 0), ["too-many"])


def test_the_excess_wins_and_ends_at_the_game_hole() -> None:
    table = counted("acc", 2, 12, blue=50, red=115)
    table.challenge(RED)
    assert (fronts(table), table.winner) == ((52, 121), RED)


def test_a55_nineteen_is_a_zero_if_its_owner_says_ok_twice() -> None:
    table = counting("six-card", 0)
    table.press(BLUE, 19)
    table.ok(BLUE)
    table.ok(BLUE)
    assert (fronts(table), table.verdicts) == ((0, 0), [Verdict("exact", BLUE, 0, 0, "hand")])
    table = counting("six-card", 8)
    table.press(BLUE, 19)
    table.press(BLUE, 8)
    table.ok(BLUE)
    assert fronts(table) == (8, 0)


@pytest.mark.parametrize("points", [25, 26, 27])
def test_a56_an_impossible_count_is_refused(points: int) -> None:
    table = counting("six-card", 8)
    table.press(BLUE, points)
    assert (table.claim, words(table)) == (None, ["impossible"])
    assert words(counted("five-card", 8, 16)) == ["impossible"]


@pytest.mark.parametrize(("rules", "blue", "red"), [("acc", 104, 102), ("six-card", 119, 100), (BRITANNICA, 119, 100)])
def test_a69_a_false_claim_of_game(rules: str, blue: int, red: int) -> None:
    table = counted(rules, 2, 4, blue=117, red=100)
    assert table.winner is None
    table.challenge(RED)
    table.ok(RED)
    assert (fronts(table), table.winner, words(table)) == ((blue, red), None, ["too-many"])


def test_a_false_claim_of_game_that_is_accepted_wins() -> None:
    table = counted("acc", 2, 4, blue=117, red=100)
    table.ok(RED)
    assert (fronts(table), table.winner) == ((121, 100), BLUE)


def test_fifteen_holes_back_end_at_the_start_and_are_not_asked_of_a_loser() -> None:
    table = counted("acc target=31", 0, 29, blue=2, red=2)
    table.challenge(RED)
    assert (fronts(table), table.winner) == ((2, 31), RED)
    table = counted("acc target=31", 2, 20, blue=11)
    table.challenge(RED)
    assert (fronts(table), table.winner) == ((0, 18), None)


@pytest.mark.parametrize("rules", ["acc", BRITANNICA])
@pytest.mark.parametrize("answer", ["ok", "challenge"])
def test_a_claim_above_the_truth_is_not_false_where_the_truth_is_enough(rules: str, answer: str) -> None:
    table = counted(rules, 6, 8, blue=117)
    assert (fronts(table), table.winner) == ((121, 0), None)
    getattr(table, answer)(RED)
    table.ok(RED)
    assert (fronts(table), table.winner, words(table)) == ((121, 0), BLUE, ["exact"])


def test_a_call_to_the_game_hole_wins_at_once_where_the_board_tells() -> None:
    assert counted("six-card", 6, 6, blue=117).winner == BLUE


def test_a_zero_hand_touches_no_peg() -> None:
    for rules in ("six-card", "acc", BRITANNICA):
        table = counted(rules, 0, 0, blue=20)
        table.ok(RED)
        assert (table.pegs[BLUE], words(table)) == (Pegs(20, 0), ["exact"])


# In the play


@pytest.mark.parametrize(("rules", "front"), [("six-card", 2), ("jeux50", 2), ("acc", 4), (BRITANNICA, 4)])
def test_told_too_many_is_corrected_when_it_is_let_go_and_silent_it_stands_with_the_next_card(
    rules: str, front: int
) -> None:
    table = judge(rules)
    laid(table, BLUE, 2)
    table.press(BLUE, 4)
    laid(table, RED)
    assert fronts(table) == (front, 0)
    table.challenge(RED)
    table.ok(RED)
    assert fronts(table) == (front, 0)
    laid(table, BLUE)
    lets_go(table, BLUE, 1)
    assert table.verdicts[0] == Verdict("too-many", BLUE, 4, 2)


def test_silent_a_claim_in_the_play_is_judged_by_the_next_card_and_no_sooner() -> None:
    table = judge("acc")
    laid(table, BLUE, 2)
    lets_go(table, BLUE, 2)
    assert table.verdicts == []
    laid(table, RED)
    assert words(table) == ["exact"]


def test_silent_a_claim_in_the_play_is_judged_at_once_if_it_is_challenged() -> None:
    for due, front, excess in ((2, 2, 1), (3, 3, 0), (5, 3, 0)):
        table = judge("acc")
        laid(table, BLUE, due)
        lets_go(table, BLUE, 3)
        table.challenge(RED)
        assert (fronts(table), len(table.verdicts)) == ((front, excess), 1)
        laid(table, RED)
        assert len(table.verdicts) == 1


def test_in_a_silent_game_one_claim_covers_all_open_points_and_in_an_open_game_a_smaller_one_leaves_the_next() -> None:
    for rules, due in (("acc", 3), ("six-card", 2)):
        table = judge(rules)
        laid(table, BLUE, 2)
        table.brings(BLUE, [Opening((1,), "go")])
        lets_go(table, BLUE, 2)
        laid(table, RED)
        assert table.verdicts == [Verdict("exact" if due == 2 else "too-few", BLUE, 2, due)]


def test_a_claim_of_game_in_the_play_waits_for_an_ok() -> None:
    table = judge("acc", blue=119)
    laid(table, BLUE, 2)
    lets_go(table, BLUE, 2)
    assert table.winner is None
    assert table.game_claim is not None
    table.ok(BLUE)
    assert table.winner is None
    table.ok(RED)
    assert table.winner == BLUE


def test_the_last_card_and_the_hand_are_two_claims_and_own_ok_is_a_zero_for_the_first() -> None:
    table = judge("acc")
    laid(table, BLUE, 1)
    table.open_count(Count(BLUE, RED, Opening((8,), "hand")))
    lets_go(table, BLUE, 0)
    lets_go(table, BLUE, 8)
    assert (fronts(table), table.verdicts) == ((0, 0), [])  # nobody accepts his own claim by his next count
    table.ok(RED)
    lets_go(table, BLUE, 8)
    assert table.verdicts == [Verdict("too-few", BLUE, 0, 1)]
    table.ok(RED)
    assert table.verdicts[1:] == [Verdict("exact", BLUE, 8, 8, "hand")]


# Claims that come too late, or before their turn


@pytest.mark.parametrize("rules", ["jeux50", "acc", BRITANNICA, "acc muggins=on"])
def test_a73_a_forgotten_fifteen_is_refused(rules: str) -> None:
    table = judge(rules)
    laid(table, BLUE, 2)
    laid(table, RED)
    lets_go(table, BLUE, 2)
    table.ok(RED)
    assert (fronts(table), words(table)) == ((0, 0), ["too-late"])


def test_a73_in_six_card_it_is_given_with_the_others_ok_alone() -> None:
    table = judge("six-card")
    laid(table, BLUE, 2)
    laid(table, RED)
    lets_go(table, BLUE, 2)
    assert fronts(table) == (0, 0)
    table.ok(RED)
    assert (fronts(table), table.verdicts) == ((2, 0), [Verdict("exact", BLUE, 2, 2)])


def test_late_points_are_asked_for_until_their_count_ends() -> None:
    table = judge("six-card")
    laid(table, BLUE, 2)
    laid(table, RED)
    laid(table, BLUE, leads=True)
    laid(table, RED)
    lets_go(table, BLUE, 2)
    assert (table.claim, words(table)) == (None, ["too-late"])


def test_points_forgotten_before_a_lead_can_be_claimed_until_the_count_of_that_lead_ends() -> None:
    table = judge("six-card")
    laid(table, BLUE, 1, about="go")
    laid(table, RED, leads=True)
    lets_go(table, BLUE, 1)
    table.ok(RED)
    assert table.verdicts == [Verdict("exact", BLUE, 1, 1)]


@pytest.mark.parametrize(("rules", "word"), [("six-card", "exact"), ("acc", "too-late")])
def test_forgotten_heels_are_in_time_until_the_dealers_own_first_card(rules: str, word: str) -> None:
    for own_card in (False, True):
        table = judge(rules)
        table.brings(RED, [Opening((2,), "heels")])
        laid(table, BLUE)
        if own_card:
            laid(table, RED)
            laid(table, BLUE)
        lets_go(table, RED, 2)
        table.ok(BLUE)
        laid(table, RED)
        assert words(table) == [word if own_card else "exact"]


@pytest.mark.parametrize("rules", ["jeux50", "acc verify_ack=on", "six-card"])
def test_a72_a_count_before_its_turn_moves_no_peg(rules: str) -> None:
    table = counting(rules, 8)
    lets_go(table, RED, 6)
    assert (fronts(table), words(table)) == ((0, 0), ["out-of-turn"])
    table = counted("jeux50", 8, 8)
    lets_go(table, RED, 6)
    assert (fronts(table), words(table)) == ((8, 0), ["exact", "out-of-turn"])


def test_ones_own_next_count_accepts_the_last() -> None:
    table = counted("acc", 8, 10)
    table.closed = lambda: table.open_count(Count(RED, BLUE, Opening((6,), "hand")))
    lets_go(table, RED, 6)
    assert (fronts(table), words(table)) == ((10, 6), ["too-many"])


def test_a_side_that_has_laid_nothing_presses_out_of_turn() -> None:
    table = judge("acc")
    laid(table, BLUE, 2)
    lets_go(table, RED, 2)
    assert words(table) == ["out-of-turn"]
