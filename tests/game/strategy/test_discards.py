"""Which cards are discarded: the tables as they are made and against published averages, every choice in its place."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.sweeps import IS_WHOLE
from tools.discards.deals import DEALS
from tools.discards.fixed_point import SETTLED, Tables, improved, moved
from tools.discards.modules import FOLDER, of_deal, of_near_end
from tools.discards.near_end import Usual, chances

from cribboard import PACK, RULES, Card, Rules, show_points
from cribboard.rules import changed
from cribboard.strategy import best_discards, judge_discard
from cribboard.strategy.ranks import multisets, ranks_of
from cribboard.strategy.tables import tables_of
from cribboard.strategy.tables_data import near_end

SIX_CARD = RULES["six-card"]

#: George Hessel's averages: of the crib, over the hands where this discard is best.
HESSEL = [
    (True, "A2", 4.18),
    (True, "A6", 3.80),
    (True, "79", 4.06),
    (True, "JQ", 4.90),
    (False, "A2", 5.07),
    (False, "A6", 4.93),
]


@pytest.mark.parametrize(("own", "ranks", "mean"), HESSEL)
def test_the_tables_agree_with_hessels_averages(own: bool, ranks: str, mean: float) -> None:
    discarded = ranks_of([Card.parse(f"{rank}S") for rank in ranks])
    assert tables_of(SIX_CARD, is_own_crib=own).crib[discarded] == pytest.approx(mean, abs=0.05)


def known(name: str) -> Tables:
    """The tables of the preset with this name, as the tool has them."""
    rules = RULES[name.replace("_", "-")]
    (own, kept_own), (theirs, kept_theirs) = (
        [np.array(list(numbers.values())) for numbers in tables_of(rules, is_own_crib=is_own_crib)]
        for is_own_crib in (True, False)
    )
    return Tables(own, theirs, kept_own, kept_theirs)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("name", ["five_card", "six_card"][: 2 if IS_WHOLE else 1])
def test_another_iteration_changes_the_tables_by_less_than_the_bound(name: str) -> None:
    """The sample are the tables of five-card, which take an eighth of the time."""
    before = known(name)
    assert moved(before, improved(before, DEALS[name])) < SETTLED + 0.01


@pytest.mark.parametrize("name", DEALS)
def test_the_tool_writes_the_stored_tables_of_a_deal(name: str) -> None:
    assert of_deal(name, DEALS[name], known(name)) == (FOLDER / f"{name}.py").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_tool_computes_and_writes_the_stored_chances_near_the_end() -> None:
    hands = Counter(near_end.PONE_HAND), Counter(near_end.DEALER_HAND), Counter(near_end.CRIB)
    usual = Usual(Counter(near_end.PEGGING), *hands)
    assert of_near_end(usual, chances(usual)) == (FOLDER / "near_end.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("rules", RULES.values(), ids=list(RULES))
def test_every_preset_has_a_table_for_its_discards(rules: Rules) -> None:
    deal = rules.deal_and_play
    for side in (tables_of(rules, is_own_crib=True), tables_of(rules, is_own_crib=False)):
        assert list(side.crib) == list(multisets(deal.discards))
        assert list(side.kept) == list(multisets(deal.hand_size))
        assert 2 < min(side.crib.values()) < max(side.crib.values()) < 10


def test_another_side_gets_a_better_crib_of_fives_and_keeps_its_own_poor() -> None:
    own, other = (tables_of(SIX_CARD, is_own_crib=is_own_crib).crib for is_own_crib in (True, False))
    assert max(own, key=lambda ranks: own[ranks]) == (5, 5)
    assert max(other, key=lambda ranks: other[ranks]) == (5, 5)
    assert all(other[ranks] > mean for ranks, mean in own.items() if 5 not in ranks)


@st.composite
def dealt(draw: st.DrawFn) -> tuple[Rules, tuple[Card, ...]]:
    rules = draw(st.sampled_from(list(RULES.values())))
    size = rules.deal_and_play.cards_dealt
    return rules, tuple(draw(st.lists(st.sampled_from(PACK), min_size=size, max_size=size, unique=True)))


@given(dealt(), st.booleans())
def test_every_discard_is_ranked_once_best_first(deal: tuple[Rules, tuple[Card, ...]], own: bool) -> None:
    rules, cards = deal
    found = best_discards(cards, rules, is_own_crib=own)
    assert (
        len({choice.discarded for choice in found})
        == len(found)
        == {2: {6: 15, 5: 10}, 1: {5: 5}}[rules.deal_and_play.discards][len(cards)]
    )
    assert all(sorted(choice.kept + choice.discarded) == sorted(cards) for choice in found)
    assert [choice.total for choice in found] == sorted((choice.total for choice in found), reverse=True)
    for choice in found:
        points = [show_points(choice.kept, card, rules=rules) for card in PACK if card not in cards]
        assert choice.hand == pytest.approx(sum(points) / len(points))
        assert choice.total == pytest.approx(choice.hand + (choice.crib if own else -choice.crib))
        assert choice.chance is None


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(PACK), min_size=6, max_size=6, unique=True), st.integers(61, 120), st.integers(61, 120))
def test_near_the_end_the_choices_are_in_the_order_of_their_chance(cards: list[Card], own: int, other: int) -> None:
    for is_dealer in (True, False):
        found = best_discards(cards, SIX_CARD, is_own_crib=is_dealer, scores=(own, other))
        assert len(found) == 15
        chances = [choice.chance for choice in found if choice.chance is not None]
        assert chances == sorted(chances, reverse=True)
        assert 0 <= chances[-1] <= chances[0] <= 1 + 1e-9


def test_a_pone_who_needs_six_keeps_cards_that_are_sure_of_six() -> None:
    cards = Card.parse_many("5H 5C 2S 3D JD KC")
    sure = best_discards(cards, SIX_CARD, is_own_crib=False, scores=(113, 119))[0]
    assert min(show_points(sure.kept, card) for card in PACK if card not in cards) >= 8


def test_the_leader_has_the_better_chance_to_win() -> None:
    cards = Card.parse_many("2H 3H 4S 5C 9D JD")
    ahead, even, behind = (
        best_discards(cards, SIX_CARD, is_own_crib=True, scores=scores)[0].chance or 0.0
        for scores in ((110, 80), (95, 95), (80, 110))
    )
    assert ahead > 0.9 > even > 0.3 > behind


def test_a_discard_is_judged_against_the_best() -> None:
    cards = Card.parse_many("5H 5C 5D JD 2S 9H")
    judged = judge_discard(cards, Card.parse_many("JD 5H"), SIX_CARD, is_own_crib=False)
    assert judged.best.discarded == tuple(Card.parse_many("2S 9H"))
    assert judged.gives_up == judged.best.total - judged.chosen.total > 5
    assert judge_discard(cards, judged.best.discarded, SIX_CARD, is_own_crib=False).gives_up == 0


@pytest.mark.parametrize("cards", ["5H 5C 5D JD 2S", "5H 5C 5D JD 2S 2S"])
def test_another_number_of_cards_or_one_twice_is_refused(cards: str) -> None:
    with pytest.raises(ValueError, match=r"5 cards: 6 are dealt|a card is there twice"):
        best_discards(Card.parse_many(cards), SIX_CARD, is_own_crib=True)


def test_cards_that_were_not_dealt_are_no_discard() -> None:
    with pytest.raises(ValueError, match="KH KS: no discard from"):
        judge_discard(Card.parse_many("5H 5C 5D JD 2S 9H"), Card.parse_many("KS KH"), SIX_CARD, is_own_crib=True)


@pytest.mark.parametrize("changes", [{"cards_dealt": 5, "discards": 1}, {"cards_dealt": 4, "discards": 1}])
def test_house_rules_take_the_nearest_table(changes: dict[str, object]) -> None:
    rules = changed(RULES["five-card"], changes)
    cards = PACK[4 : 4 + rules.deal_and_play.cards_dealt * 4 : 4]
    assert len(best_discards(cards, rules, is_own_crib=True)) == rules.deal_and_play.cards_dealt
