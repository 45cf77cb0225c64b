"""The show: what the combinations are and how they are told, and a second opinion written from the rules alone."""

from __future__ import annotations

import doctest
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.places import ROOT

from cribboard.cards import PACK, Card
from cribboard.rules import RULES, Rules
from cribboard.rules.parameters import CribFlush
from cribboard.scoring import Combination, Kind, Score, score_show, show_points

SIX_CARD = RULES["six-card"]
FIVE_CARD = replace(SIX_CARD, deal_and_play=replace(SIX_CARD.deal_and_play, hand_flush_min=3))
FOUR_OK = replace(SIX_CARD, deal_and_play=replace(SIX_CARD.deal_and_play, crib_flush=CribFlush.FOUR_OK))
NO_NOBS = replace(SIX_CARD, deal_and_play=replace(SIX_CARD.deal_and_play, his_nobs=0))


def points_by_kind(hand: str, starter: str, *, crib: bool = False, rules: Rules | None = None) -> dict[str, int]:
    """What each kind comes to, as scenarios give it: `{"fifteen": 4, "pair": 2}`."""
    held, cut = Card.parse_many(hand), Card.parse(starter)
    score = score_show(held, cut, crib=crib, rules=rules)
    assert show_points(held, cut, crib=crib, rules=rules) == score.total
    sums: dict[str, int] = {}
    for combination in score.combinations:
        sums[str(combination.kind)] = sums.get(str(combination.kind), 0) + combination.points
    return sums


@pytest.mark.parametrize(
    ("starter", "rules", "worth"),
    [
        pytest.param("4S", None, {"fifteen": 4}, id="four, usually"),
        pytest.param("4H", None, {"fifteen": 4, "flush": 5}, id="five, usually"),
        pytest.param("4S", SIX_CARD, {"fifteen": 4}, id="four"),
        pytest.param("4H", SIX_CARD, {"fifteen": 4, "flush": 5}, id="five"),
        pytest.param("4S", FIVE_CARD, {"fifteen": 4}, id="five-card"),
        pytest.param("4S", FOUR_OK, {"fifteen": 4, "flush": 4}, id="where four will do"),
    ],
)
def test_a_crib_has_a_flush_only_with_the_starter_unless_the_rules_say_otherwise(
    starter: str, rules: Rules | None, worth: dict[str, int]
) -> None:
    assert points_by_kind("2H 6H 9H KH", starter, crib=True, rules=rules) == worth


def test_three_of_one_suit_are_no_flush_where_it_takes_four() -> None:
    assert points_by_kind("3H 8H KH", "QS") == {}
    assert points_by_kind("3H 8H KH", "QH") == {"flush": 4}


def test_nobs_can_be_turned_off() -> None:
    assert points_by_kind("JC 2D 7H 9S", "4C", rules=NO_NOBS) == {"fifteen": 2}
    assert points_by_kind("JC 2D 7H 9S", "4C", rules=SIX_CARD) == {"fifteen": 2, "nobs": 1}


def test_all_five_cards_can_make_one_fifteen() -> None:
    assert points_by_kind("AC 2D 3H 4S", "5C") == {"fifteen": 2, "run": 5}


def test_a_jack_that_is_the_starter_is_no_nobs() -> None:
    assert points_by_kind("2C 4D 6H 8C", "JC") == {}


def test_a_row_remembered_for_one_hand_is_right_for_its_likes() -> None:
    """5C 5D 7H 8S and 5C 5S 7H 8D share a row; for each the other's fives are starters like any other."""
    for hand, starter in [("5C 5D 7H 8S", "5S"), ("5C 5S 7H 8D", "5D"), ("5H 5S 7C 8C", "5D")]:
        assert points_by_kind(hand, starter) == {"fifteen": 4, "pair": 6}


def test_combinations_stand_in_the_order_in_which_a_player_counts_and_name_their_cards_lowest_first() -> None:
    score = score_show(Card.parse_many("JH 4H 5H 6H"), Card.parse("KH"))
    parts = [(str(found.kind), " ".join(map(str, found.cards)), found.points) for found in score.combinations]
    assert parts == [
        ("fifteen", "5H JH", 2),
        ("fifteen", "5H KH", 2),
        ("fifteen", "4H 5H 6H", 2),
        ("run", "4H 5H 6H", 3),
        ("flush", "4H 5H 6H JH KH", 5),
        ("nobs", "JH", 1),
    ]
    assert score.total == 15


def test_three_of_a_kind_is_three_pairs_and_a_double_run_two_runs() -> None:
    score = score_show(Card.parse_many("JH QS QD QC"), Card.parse("KS"))
    assert [" ".join(map(str, found.cards)) for found in score.combinations] == [
        "QC QD", "QC QS", "QD QS", "JH QC KS", "JH QD KS", "JH QS KS",
    ]  # fmt: skip


def test_a_score_is_a_plain_value() -> None:
    hand, starter = Card.parse_many("5H 5C 2S 9D"), Card.parse("KD")
    assert score_show(hand, starter) == score_show(hand, starter)
    assert Score(()).total == 0
    assert Combination(Kind.PAIR, hand[:2], 2) != Combination(Kind.PAIR, hand[1::-1], 2)
    assert len({score_show(hand, starter), score_show(hand, starter)}) == 1


@pytest.mark.parametrize("hand", ["", "5H", "5H 6H", "5H 6H 7C 8C 9C"])
@pytest.mark.parametrize("count", [score_show, show_points])
def test_a_hand_of_another_size_is_refused(hand: str, count: Callable[[Sequence[Card], Card], object]) -> None:
    with pytest.raises(ValueError, match=f"three or four cards at the show, not {len(hand.split())}"):
        count(Card.parse_many(hand), Card.parse("KD"))


@pytest.mark.parametrize("hand", ["5H 5H 7C 8C", "5H 6H 7C KD", "5H 6H 6H"])
def test_a_card_that_is_there_twice_is_refused(hand: str) -> None:
    with pytest.raises(ValueError, match="there twice"):
        score_show(Card.parse_many(hand), Card.parse("KD"))


def book(hand: Sequence[Card], starter: Card, *, crib: bool, rules: Rules) -> dict[str, int]:
    """A second opinion: the show as the rules tell it, every subset tried, nothing shared with the product."""
    ruled = rules.deal_and_play
    numbers = [("A23456789TJQK".index(str(card)[0]) + 1, str(card)[1]) for card in (*hand, starter)]
    subsets = list(chain.from_iterable(combinations(numbers, size) for size in range(2, len(numbers) + 1)))
    points = {"fifteen": 0, "pair": 0, "run": 0, "flush": 0, "nobs": 0}
    for subset in subsets:
        if sum(min(rank, 10) for rank, _ in subset) == 15:
            points["fifteen"] += 2
        if len(subset) == 2 and subset[0][0] == subset[1][0]:
            points["pair"] += 2
    for length in (5, 4, 3):
        runs = [
            subset
            for subset in subsets
            if len(subset) == length
            and sorted(rank for rank, _ in subset) == list(range(min(subset)[0], min(subset)[0] + length))
        ]
        if runs:
            points["run"] = length * len(runs)
            break
    suits = [suit for _, suit in numbers]
    everybody, the_hand = len(set(suits)) == 1, len(set(suits[:-1])) == 1
    if everybody and (crib or len(suits) >= ruled.hand_flush_min):
        points["flush"] = len(suits)
    elif the_hand and (ruled.crib_flush == "four_ok" if crib else len(hand) >= ruled.hand_flush_min):
        points["flush"] = len(hand)
    if (11, suits[-1]) in numbers[:-1]:
        points["nobs"] = ruled.his_nobs
    return {kind: worth for kind, worth in points.items() if worth}


one_suit = st.sampled_from("CDHS").flatmap(lambda suit: st.permutations([card for card in PACK if card.suit == suit]))
few_ranks = st.permutations([card for card in PACK if card.rank in (4, 5, 6, 11)])
packs = st.one_of(st.permutations(PACK), one_suit, few_ranks)


@given(packs, st.sampled_from([SIX_CARD, FOUR_OK, NO_NOBS]), st.booleans())
def test_four_cards_are_counted_as_the_book_says(pack: list[Card], rules: Rules, crib: bool) -> None:
    hand, starter = tuple(pack[:4]), pack[4]
    sums = points_by_kind(" ".join(map(str, hand)), str(starter), crib=crib, rules=rules)
    assert sums == book(hand, starter, crib=crib, rules=rules)


@given(packs)
def test_three_cards_are_counted_as_the_book_says(pack: list[Card]) -> None:
    hand, starter = tuple(pack[:3]), pack[3]
    sums = points_by_kind(" ".join(map(str, hand)), str(starter), rules=FIVE_CARD)
    assert sums == book(hand, starter, crib=False, rules=FIVE_CARD)


@given(packs, st.randoms())
def test_the_order_in_which_a_hand_is_held_does_not_matter(pack: list[Card], random: Random) -> None:
    hand, starter = pack[:4], pack[4]
    shuffled = random.sample(hand, 4)
    assert score_show(hand, starter) == score_show(shuffled, starter)
    assert show_points(hand, starter) == show_points(shuffled, starter)


@given(packs, st.permutations("CDHS"))
def test_exchanging_the_suits_throughout_changes_nothing(pack: list[Card], suits: list[str]) -> None:
    def exchanged(card: Card) -> Card:
        return Card.parse(str(card)[0] + suits["CDHS".index(card.suit)])

    hand, starter = pack[:4], pack[4]
    one = score_show(hand, starter)
    other = score_show([exchanged(card) for card in hand], exchanged(starter))
    assert other.total == one.total
    assert [(found.kind, found.points) for found in other.combinations] == [
        (found.kind, found.points) for found in one.combinations
    ]


def test_the_page_on_counting_says_what_the_program_does() -> None:
    page = ROOT / "docs" / "scoring.md"
    outcome = doctest.testfile(str(page), module_relative=False)
    assert outcome.attempted > 0
    assert outcome.failed == 0
