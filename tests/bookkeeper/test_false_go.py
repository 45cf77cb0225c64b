"""A false go as the bookkeeper judges it, held against section 4 of the rules reference.

Nothing of the product plays: what fingers and cards do is written by hand.
"""

from __future__ import annotations

import pytest
from tests.bookkeeper.bookkeeper import Bookkeeper
from tests.bookkeeper.deal_by_the_rules import Deal
from tests.support.evening_by_hand import fronts, in_deal, peg, press, scan

BLUE, RED = 0, 1


def after_a_false_go(rules: str = "acc/2", *, standing: tuple[int, int] = (10, 20)) -> Bookkeeper:
    """Red says go at 24, though it holds a seven; blue has one for the go, and red leads the next count."""
    keeper = in_deal(rules, "verify", "2C", "TC", "9C", "5D", standing=standing)
    press(keeper, "go", RED)
    scan(keeper, "6H")
    press(keeper, "go", BLUE)
    peg(keeper, BLUE, standing[BLUE] + 1)
    press(keeper, "ok", BLUE)
    return keeper


def turn_and_stack(keeper: Bookkeeper) -> tuple[int, list[str]]:
    assert keeper.deal is not None
    return keeper.deal.play.turn, keeper.deal.play.stack


def test_the_other_side_has_two_points_and_may_take_play_back() -> None:
    keeper = after_a_false_go()
    assert fronts(keeper) == [11, 20]
    scan(keeper, "7S")
    assert fronts(keeper) == [11, 20]
    press(keeper, "ok", BLUE)
    assert fronts(keeper) == [12, 20]
    assert turn_and_stack(keeper) == (RED, ["TC", "9C", "5D"])
    scan(keeper, "7S")
    assert turn_and_stack(keeper) == (BLUE, [])  # it is 31 now, and no false go any more
    peg(keeper, RED, 22, 22)
    assert fronts(keeper) == [12, 22]


def test_or_the_card_lies_dead_and_is_counted_at_the_show_alone() -> None:
    keeper = after_a_false_go()
    scan(keeper, "7S")
    press(keeper, "challenge", BLUE)
    assert fronts(keeper) == [13, 20]
    assert keeper.deal is not None
    assert keeper.deal.hand(RED) == ["9C", "7S"]
    scan(keeper, "7S")
    assert turn_and_stack(keeper)[1] == []


def test_nothing_else_is_heard_before_the_other_side_has_answered() -> None:
    keeper = after_a_false_go()
    scan(keeper, "7S", "KD")
    press(keeper, "ok", RED)
    assert turn_and_stack(keeper) == (RED, [])
    assert fronts(keeper) == [11, 20]


def test_the_two_points_may_win() -> None:
    keeper = after_a_false_go(standing=(119, 20))
    scan(keeper, "7S")
    press(keeper, "ok", BLUE)
    assert keeper.phase == "won"


@pytest.mark.parametrize("card", ["8S", "KD"])
def test_a_card_that_did_not_fit_shows_nothing(card: str) -> None:
    keeper = after_a_false_go()
    scan(keeper, card)
    assert turn_and_stack(keeper) == (BLUE, [card])


@pytest.mark.parametrize("rules", ["six-card/2", "jeux50/2", "britannica/2 muggins=on"])
def test_without_a_penalty_the_card_is_laid(rules: str) -> None:
    keeper = after_a_false_go(rules)
    scan(keeper, "7S")
    assert turn_and_stack(keeper) == (BLUE, ["7S"])
    assert fronts(keeper) == [11, 20]


# Several cards at one false go (3.26, A80)


def after_three_were_kept_back() -> Bookkeeper:
    """Red says go at 25, though it holds an ace, a five and a six, and leads the five to the next count."""
    keeper = in_deal("acc/2", "verify", "TC", "KS", "8D", "7D", standing=(10, 20))
    press(keeper, "go", RED)
    scan(keeper, "3H")
    press(keeper, "go", BLUE)
    scan(keeper, "5C")
    return keeper


def test_a80_each_card_that_could_have_been_laid_counts_after_play_went_back_too() -> None:
    keeper = after_three_were_kept_back()
    press(keeper, "ok", BLUE)
    scan(keeper, "5C")
    assert fronts(keeper) == [12, 20], "the five has counted"
    press(keeper, "go", BLUE)
    scan(keeper, "AH")
    assert fronts(keeper) == [14, 20]
    assert keeper.false_go is None, "play has gone back already: nobody is asked again"
    scan(keeper, "3H", "6S")
    assert fronts(keeper) == [16, 20]


def test_a82_a_card_at_two_false_gos_counts_for_each_beside_the_choice() -> None:
    for answer, at_once in (("challenge", 16), ("ok", 14)):
        keeper = after_three_were_kept_back()
        press(keeper, "ok", BLUE)
        scan(keeper, "5C")
        press(keeper, "go", BLUE)
        press(keeper, "go", RED)
        scan(keeper, "3H", "AH")
        assert (keeper.false_go, fronts(keeper)) == ("AH", [14, 20])
        press(keeper, answer, BLUE)
        assert fronts(keeper) == [at_once, 20]
        if answer == "ok":
            scan(keeper, "AH")
        assert fronts(keeper) == [16, 20]


def test_each_card_counts_when_it_lies_dead() -> None:
    keeper = after_three_were_kept_back()
    press(keeper, "challenge", BLUE)
    for card in ("AH", "6S"):
        scan(keeper, card)
        press(keeper, "challenge", BLUE)
    assert fronts(keeper) == [16, 20]


def test_the_points_of_a_dead_card_count_again_after_a_later_roll_back() -> None:
    keeper = after_three_were_kept_back()
    press(keeper, "challenge", BLUE)
    scan(keeper, "6S")
    press(keeper, "ok", BLUE)
    assert fronts(keeper) == [12, 20], "what was pegged since the go comes back"
    scan(keeper, "6S", "3H", "5C")
    assert fronts(keeper) == [14, 20]


def test_the_points_of_a_remembered_card_may_win_the_game() -> None:
    keeper = after_three_were_kept_back()
    keeper.went[0][3].pegs[BLUE].front = 117
    press(keeper, "ok", BLUE)
    scan(keeper, "5C")
    press(keeper, "go", BLUE)
    scan(keeper, "AH")
    assert (fronts(keeper), keeper.phase) == ([121, 20], "won")


def test_the_next_deal_remembers_nothing() -> None:
    keeper = after_three_were_kept_back()
    press(keeper, "ok", BLUE)
    assert keeper.deal is not None
    assert keeper.deal.play.remembered
    assert not Deal(keeper.rules, dealer=0).play.remembered


# A false go without a word (3.26)


def alone_with_a_nine_and_a_five() -> Bookkeeper:
    """Of three, blue alone holds cards at 26, and green laid last."""
    keeper = in_deal("three-player/2 renege=two_per_card", "verify", "TC", standing=(10, 20, 30), dealer=2)
    scan(keeper, "KS", "8D", "9H")
    press(keeper, "go", BLUE)
    scan(keeper, "AC", "AH", "AD", "AS", "6D", "JH", "QC")
    assert turn_and_stack(keeper) == (BLUE, ["6D", "JH", "QC"])
    return keeper


def test_the_only_player_with_cards_implies_go_by_laying_one_over_31() -> None:
    keeper = alone_with_a_nine_and_a_five()
    scan(keeper, "9C")
    assert [len(openings) for openings in keeper.due] == [0, 0, 1], "the go is green's"
    scan(keeper, "5S")
    press(keeper, "ok", RED)
    assert fronts(keeper) == [10, 22, 30]
    assert turn_and_stack(keeper) == (BLUE, ["6D", "JH", "QC"])
    scan(keeper, "5S")
    assert turn_and_stack(keeper) == (BLUE, [])


def test_a_card_over_31_is_no_false_go_of_who_holds_none_that_fits() -> None:
    keeper = alone_with_a_nine_and_a_five()
    scan(keeper, "9C", "7S")
    assert keeper.false_go is None
    assert keeper.phase == "show"
