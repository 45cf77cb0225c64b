"""A01 to A16 of the rules reference: what a hand and a crib are worth, by name and at the table, in all three ways."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from tests.support.seats import BLUE, RED, Table, in_every_way, named

from cribboard import PACK, Card, Rank, Suit, show_points

FOUR_HEARTS = "2H 6H 9H KH"


def hand_at_the_table(way: str, hand: str, starter: str, points: int) -> None:
    """The pone lays this hand out and counts it: its peg moves so far."""
    table = Table(way)
    table.starter(starter)
    table.play_out({BLUE: hand})
    table.counts(BLUE, points)


def crib_at_the_table(way: str, crib: str, starter: str, points: int) -> None:
    """The dealer counts this crib after both hands: its peg moves so far."""
    hands = {BLUE: "2C 4D 8D QC", RED: "3C 7D TD JC"}
    table = Table(way)
    table.starter(starter)
    table.play_out(hands)
    for side, hand in hands.items():
        table.counts(side, sum(named(hand, starter).values()))
    table.counts_crib(RED, crib, points)


@in_every_way
def test_a01_the_example_of_the_seeds(way: str) -> None:
    assert named("6C 7S 8D 8H", "9S") == {"fifteen": 6, "run": 8, "pair": 2}
    hand_at_the_table(way, "6C 7S 8D 8H", "9S", 16)


@in_every_way
def test_a02_the_best_hand(way: str) -> None:
    assert named("5H 5C 5S JD", "5D") == {"pair": 12, "fifteen": 16, "nobs": 1}
    hand_at_the_table(way, "5H 5C 5S JD", "5D", 29)


@in_every_way
def test_a03_an_empty_hand(way: str) -> None:
    assert named("2H 4C 6D 8S", "TC") == {}
    hand_at_the_table(way, "2H 4C 6D 8S", "TC", 0)


@in_every_way
def test_a04_four_of_a_suit_in_hand(way: str) -> None:
    assert named(FOUR_HEARTS, "4S") == {"flush": 4, "fifteen": 4}
    hand_at_the_table(way, FOUR_HEARTS, "4S", 8)


@in_every_way
def test_a05_five_of_a_suit_with_the_starter(way: str) -> None:
    assert named(FOUR_HEARTS, "4H") == {"flush": 5, "fifteen": 4}
    hand_at_the_table(way, FOUR_HEARTS, "4H", 9)


@in_every_way
def test_a06_four_of_a_suit_are_no_flush_in_the_crib(way: str) -> None:
    assert named(FOUR_HEARTS, "4S", crib=True) == {"fifteen": 4}
    crib_at_the_table(way, FOUR_HEARTS, "4S", 4)


@in_every_way
def test_a07_five_of_a_suit_are_a_flush_in_the_crib(way: str) -> None:
    assert named(FOUR_HEARTS, "4H", crib=True) == {"flush": 5, "fifteen": 4}
    crib_at_the_table(way, FOUR_HEARTS, "4H", 9)


@in_every_way
def test_a08_a_double_double_run(way: str) -> None:
    assert named("3S 3D 4C 5H", "5S") == {"run": 12, "pair": 4, "fifteen": 4}
    hand_at_the_table(way, "3S 3D 4C 5H", "5S", 20)


@in_every_way
def test_a09_a_triple_run_and_no_nobs(way: str) -> None:
    assert named("JH QS QD QC", "KS") == {"run": 9, "pair": 6}
    hand_at_the_table(way, "JH QS QD QC", "KS", 15)


@in_every_way
def test_a10_a_double_run_of_four(way: str) -> None:
    assert named("9S TD JC QC", "QD") == {"run": 8, "pair": 2}
    hand_at_the_table(way, "9S TD JC QC", "QD", 10)


@in_every_way
def test_a11_a_double_run_of_three(way: str) -> None:
    assert named("2C 2D 3S 4H", "KH") == {"run": 6, "pair": 2, "fifteen": 4}
    hand_at_the_table(way, "2C 2D 3S 4H", "KH", 12)


@in_every_way
def test_a12_the_ace_is_low(way: str) -> None:
    assert named("AC 2H 3D QS", "KH") == {"run": 3, "fifteen": 4}
    hand_at_the_table(way, "AC 2H 3D QS", "KH", 7)


@in_every_way
def test_a13_nobs(way: str) -> None:
    assert named("JC 2D 7H 9S", "4C") == {"fifteen": 2, "nobs": 1}
    hand_at_the_table(way, "JC 2D 7H 9S", "4C", 3)


@in_every_way
def test_a14_four_of_a_kind(way: str) -> None:
    assert named("KS KD KC KH", "5S") == {"pair": 12, "fifteen": 8}
    hand_at_the_table(way, "KS KD KC KH", "5S", 20)


@in_every_way
def test_a15_a_hand_of_twenty_four(way: str) -> None:
    assert sum(named("7H 7C 8D 9S", "8C").values()) == 24
    hand_at_the_table(way, "7H 7C 8D 9S", "8C", 24)


@pytest.mark.parametrize("crib", [False, True], ids=["hands", "cribs"])
def test_a16_nothing_counts_nineteen_nor_twenty_five_to_seven_nor_more_than_twenty_nine(crib: bool) -> None:
    """Four ranks in four suits, or all in hearts, with every starter: all that the rules can tell apart. That all
    twelve million hands fall as published is proved in `test_all_hands`."""
    worth: set[int] = set()
    for ranks in combinations_with_replacement(Rank, 4):
        hands = [tuple(Card(rank, suit) for rank, suit in zip(ranks, Suit, strict=True))]
        if len(set(ranks)) == 4:
            hands.append(tuple(Card(rank, Suit.HEARTS) for rank in ranks))
        worth.update(show_points(hand, starter, crib=crib) for hand in hands for starter in PACK if starter not in hand)
    assert worth == {*range(30)} - {19, 25, 26, 27}
