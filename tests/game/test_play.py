"""The play: what each card scores on the stack, and a second opinion written from the rules alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard.cards import PACK, Card
from cribboard.play import count, score_play
from cribboard.rules import RULES, Rules

SIX_CARD = RULES["six-card"]
ONE_FOR_31 = replace(SIX_CARD, deal_and_play=replace(SIX_CARD.deal_and_play, thirty_one=1))


def cards_of(ranks: str) -> Iterator[Card]:
    """Cards of these ranks, suits as they come: `"4 2 3"`. No card is used twice."""
    pack = list(PACK)
    for rank in ranks.split():
        card = next(card for card in pack if card.rank.letter == rank)
        pack.remove(card)
        yield card


def points_laid(ranks: str) -> Iterator[int]:
    """What each card scores as it is laid, one count from its first card to its last."""
    stack: list[Card] = []
    for card in cards_of(ranks):
        found = score_play(stack, card, rules=SIX_CARD)
        assert found == score_play(stack, card)
        stack.append(card)
        yield sum(combination.points for combination in found)


@pytest.mark.parametrize(
    ("laid", "points"),
    [
        pytest.param("A 2 3 4 5 6 7", [0, 0, 3, 4, 2 + 5, 6, 7], id="a run of seven"),
        pytest.param("Q K A", [0, 0, 0], id="the ace is low"),
        pytest.param("4 4 5 6", [0, 2, 0, 3], id="a pair does not spoil the run after it"),
        pytest.param("4 5 4", [0, 0, 0], id="a pair must lie together"),
        pytest.param("7 7 A", [0, 2, 2], id="fifteen alone"),
        pytest.param("8 6 7 T", [0, 0, 3, 2], id="thirty-one alone"),
    ],
)
def test_a_card_scores_what_the_rules_reference_says(laid: str, points: list[int]) -> None:
    assert list(points_laid(laid)) == points


def combinations(stack: str, card: str, rules: Rules | None = None) -> list[tuple[str, str, int]]:
    found = score_play(Card.parse_many(stack), Card.parse(card), rules=rules)
    return [(str(made.kind), " ".join(map(str, made.cards)), made.points) for made in found]


def test_combinations_name_their_cards_oldest_first() -> None:
    assert combinations("6D 4C", "5S") == [("fifteen", "6D 4C 5S", 2), ("run", "6D 4C 5S", 3)]
    assert combinations("2H 5D 5C", "5S") == [("pair_royal", "5D 5C 5S", 6)]
    assert combinations("3H 3D 3C", "3S") == [("double_pair_royal", "3H 3D 3C 3S", 12)]
    assert combinations("5H 5D", "5C") == [("fifteen", "5H 5D 5C", 2), ("pair_royal", "5H 5D 5C", 6)]
    assert combinations("TH 6D 8C", "7C") == [("thirty_one", "TH 6D 8C 7C", 2), ("run", "6D 8C 7C", 3)]
    assert combinations("", "5S") == []


def test_thirty_one_is_worth_what_the_rules_say() -> None:
    assert combinations("TH KD JC", "AC", rules=ONE_FOR_31) == [("thirty_one", "TH KD JC AC", 1)]


def test_a_card_that_passes_thirty_one_is_refused() -> None:
    with pytest.raises(ValueError, match="2C passes 31: the count would be 32"):
        score_play(Card.parse_many("TH KD JC"), Card.parse("2C"))


def test_the_stack_is_left_as_it_was() -> None:
    stack = list(Card.parse_many("6D 4C"))
    score_play(stack, Card.parse("5S"))
    assert stack == list(Card.parse_many("6D 4C"))


def test_the_count_adds_up_with_court_cards_as_ten() -> None:
    assert count(()) == 0
    assert count(Card.parse_many("AC JD QH 9S")) == 30


def book(laid: list[Card]) -> int:
    """A second opinion: the points of the last card, as the rules tell them, with nothing shared with the product."""
    ranks = ["A23456789TJQK".index(str(card)[0]) + 1 for card in laid]
    points = 2 if sum(min(rank, 10) for rank in ranks) in (15, 31) else 0
    backwards = ranks[::-1]
    alike = next((size for size, rank in enumerate(backwards) if rank != backwards[0]), len(backwards))
    points += alike * (alike - 1)
    runs = [
        size
        for size in range(3, len(ranks) + 1)
        if sorted(backwards[:size]) == list(range(min(backwards[:size]), min(backwards[:size]) + size))
    ]
    return points + max(runs, default=0)


few_ranks = st.integers(1, 10).flatmap(
    lambda low: st.permutations([card for card in PACK if low <= card.rank <= low + 3])
)


@given(st.one_of(st.permutations(PACK), few_ranks, st.permutations(PACK[:28])))
def test_every_card_scores_what_the_book_says(pack: list[Card]) -> None:
    stack: list[Card] = []
    for card in pack:
        if count(stack) + card.value > 31:
            break
        assert sum(made.points for made in score_play(stack, card)) == book([*stack, card])
        stack.append(card)
