"""The count judge: who is right about a hand, which numbers no hand makes, and what would fit."""

from __future__ import annotations

import doctest
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.places import ROOT

from cribboard import PACK, RULES, Card, Rank, score_show
from cribboard.count_judge import MOST_LISTED, REFUSALS, Counted, CountJudge, NotJudged
from cribboard.event_terms import Verdict
from cribboard.rules import changed

FIVE_CARD = RULES["five-card"]
A01 = "6C 7S 8D 8H 9S"
NOTHING = "2H 4C 6D 8S TC"


def judge(cards: str, *, crib: bool = False, rules: str = "six-card") -> CountJudge:
    return CountJudge(rules=RULES[rules]).as_crib(crib).with_cards(Card.parse_many(cards))


hands = st.lists(st.sampled_from(PACK), min_size=5, max_size=5, unique=True)


class TestCards:
    def test_the_hand_is_read_first_and_the_starter_last(self) -> None:
        now = judge("5H 5C 5S JD")
        assert (now.hand, now.starter, now.missing) == (Card.parse_many("5H 5C 5S JD"), None, 1)
        now = now.add(Card.parse("5D"))
        assert (now.starter, now.missing) == (Card.parse("5D"), 0)

    def test_a_card_twice_is_refused_and_changes_nothing(self) -> None:
        now = judge("5H 5C")
        with pytest.raises(NotJudged, match="the 5H is among the cards already") as refused:
            now.add(Card.parse("5H"))
        assert refused.value.code == "judge_twice"
        assert now == judge("5H 5C")

    def test_a_sixth_card_is_refused(self) -> None:
        with pytest.raises(NotJudged, match="there are 5 cards already"):
            judge(A01).add(Card.parse("KS"))
        with pytest.raises(NotJudged, match="there are 4 cards already"):
            judge("5H 5C JD 5S", rules="five-card").add(Card.parse("KS"))

    def test_the_last_card_can_be_taken_away_and_any_other(self) -> None:
        assert judge(A01).drop() == judge("6C 7S 8D 8H")
        assert judge(A01).without(Card.parse("7S")).cards == Card.parse_many("6C 8D 8H 9S")
        with pytest.raises(NotJudged, match="there is no card"):
            CountJudge().drop()

    def test_a_crib_has_four_cards_under_any_rules(self) -> None:
        sizes = {rules: [judge("", crib=crib, rules=rules).size for crib in (False, True)] for rules in RULES}
        assert sizes == {rules: [3 if rules == "five-card" else 4, 4] for rules in RULES}

    def test_cards_stay_when_rules_change_unless_they_are_too_many(self) -> None:
        four = judge("3H 8H KH QS")
        assert four.with_rules(FIVE_CARD).starter == Card.parse("QS")
        assert four.with_rules(FIVE_CARD).as_crib().missing == 1
        assert judge(A01).with_rules(RULES["acc"]).cards == judge(A01).cards
        assert judge(A01).with_rules(FIVE_CARD).cards == ()
        assert judge(A01, rules="five-card", crib=True).as_crib(False).cards == ()

    def test_every_refusal_can_be_given(self) -> None:
        given = set()
        for what in (
            lambda: judge("5H").add(Card.parse("5H")),
            lambda: judge(A01).add(Card.parse("KS")),
            lambda: CountJudge().drop(),
            lambda: CountJudge().judge(2),
        ):
            with pytest.raises(NotJudged) as refused:
                what()
            given.add(refused.value.code)
        assert given == set(REFUSALS)


class TestJudging:
    @pytest.mark.parametrize(
        ("called", "verdict"),
        [(16, Verdict.EXACT), (12, Verdict.TOO_FEW), (0, Verdict.TOO_FEW), (20, Verdict.TOO_MANY),
         (19, Verdict.IMPOSSIBLE), (25, Verdict.IMPOSSIBLE), (30, Verdict.IMPOSSIBLE), (121, Verdict.IMPOSSIBLE)],
    )  # fmt: skip
    def test_a_number_is_right_too_many_too_few_or_impossible(self, called: int, verdict: Verdict) -> None:
        judged = judge(A01).judge(called)
        assert (judged.verdict, judged.due, judged.called) == (verdict, 16, called)

    def test_nineteen_for_nothing_is_zero_in_jest(self) -> None:
        judged = judge(NOTHING).judge(19)
        assert (judged.verdict, judged.in_jest) == (Verdict.EXACT, True)
        assert not judge(NOTHING).judge(0).in_jest

    def test_a_crib_needs_five_for_a_flush(self) -> None:
        assert judge("2H 6H 9H KH 4S").judge(8).verdict is Verdict.EXACT
        assert judge("2H 6H 9H KH 4S", crib=True).judge(8).verdict is Verdict.TOO_MANY
        assert judge("2H 6H 9H KH 4S", crib=True).judge(4).verdict is Verdict.EXACT

    def test_three_cards_have_their_flush_and_their_impossible_numbers(self) -> None:
        hand = judge("3H 8H KH QS", rules="five-card")
        assert hand.judge(3).verdict is Verdict.EXACT
        assert [called for called in range(31) if hand.judge(called).verdict is Verdict.IMPOSSIBLE] == [
            16, 17, 18, 19, *range(21, 31),
        ]  # fmt: skip

    def test_a_five_card_crib_has_the_impossible_numbers_of_six_card(self) -> None:
        crib = judge("5C 5H 5S JD 5D", crib=True, rules="five-card")
        assert crib.judge(29).verdict is Verdict.EXACT
        assert [called for called in range(32) if crib.judge(called).verdict is Verdict.IMPOSSIBLE] == [
            19, 25, 26, 27, 30, 31,
        ]  # fmt: skip

    def test_with_three_for_his_nobs_every_number_to_31_is_possible(self) -> None:
        rules = changed(RULES["six-card"], {"his_nobs": 3})
        hand = CountJudge(rules=rules).with_cards(Card.parse_many("5H 5C 5S JD 5D"))
        assert hand.judge(31).verdict is Verdict.EXACT
        assert [called for called in range(34) if hand.is_impossible(called)] == [32, 33]

    def test_nothing_is_judged_while_cards_are_missing(self) -> None:
        with pytest.raises(NotJudged, match="1 cards are missing"):
            judge("5H 5C 5S JD").judge(29)

    @given(hands, st.booleans(), st.sampled_from(sorted(RULES)))
    def test_a_count_that_is_due_is_never_called_impossible(self, cards: list[Card], crib: bool, name: str) -> None:
        now = CountJudge(rules=RULES[name]).as_crib(crib)
        now = now.with_cards(cards[: now.size + 1])
        due = score_show(now.hand, cards[now.size], crib=crib, rules=RULES[name]).total
        assert now.judge(due).verdict is Verdict.EXACT
        assert not now.is_impossible(due)
        assert {now.judge(called).verdict for called in range(due)} <= {Verdict.TOO_FEW, Verdict.IMPOSSIBLE}


class TestWhatWouldFit:
    def test_fits_lists_the_starter_that_makes_a_number(self) -> None:
        fits = judge("5H 5C 5S JD").fits(29)
        assert (fits.starters, fits.ways, fits.possible) == ((Card.parse("5D"),), 1, 48)
        assert fits.listed[0].starters == (Rank.FIVE,)

    def test_ranks_of_which_only_some_suits_fit_are_listed_apart(self) -> None:
        (fit,) = judge("TD JC QC QD").fits(9).listed
        assert fit.some == (Rank.ACE, Rank.TWO, Rank.THREE, Rank.FOUR, Rank.SIX, Rank.SEVEN, Rank.EIGHT)
        assert fit.starters == ()

    def test_an_impossible_number_has_no_fits(self) -> None:
        fits = judge("5H 5C 5S JD").fits(27)
        assert (fits.ways, fits.impossible) == (0, True)
        assert not judge("5H 5C 5S JD").fits(2).impossible

    @pytest.mark.parametrize(("cards", "crib", "rules"), [
        ("5H 5C JD", False, "six-card"), ("2H 6H 9H", True, "six-card"), ("5H JH", False, "five-card"),
        ("3H 8H KH", False, "five-card"), ("6C 7S 8D 8H", False, "acc"),
    ])  # fmt: skip
    @pytest.mark.parametrize("called", [0, 2, 5, 8, 12])
    def test_fits_counts_the_ways_that_a_walk_through_the_pack_finds(
        self, cards: str, crib: bool, rules: str, called: int
    ) -> None:
        """Against a walk through the pack that knows of no ranks."""
        now = judge(cards, crib=crib, rules=rules)
        unseen = [card for card in PACK if card not in now.cards]
        every, right = 0, 0
        for held in combinations(unseen, now.missing - 1):
            for starter in unseen:
                if starter in held:
                    continue
                every += 1
                total = score_show((*now.cards, *held), starter, crib=crib, rules=RULES[rules]).total
                right += total == called
        fits = now.fits(called)
        assert (fits.ways, fits.possible) == (right, every)
        assert len(fits.listed) <= MOST_LISTED
        assert fits.left_out or sum(fit.ways for fit in fits.listed) == right

    @given(hands, st.integers(1, 2))
    def test_every_listed_fit_counts_the_called_number(self, cards: list[Card], missing: int) -> None:
        whole = CountJudge().with_cards(cards)
        called = whole.judge(0).due
        fits = CountJudge().with_cards(cards[:-missing]).fits(called)
        mine = tuple(sorted(card.rank for card in cards[5 - missing : 4]))
        assert fits.ways >= 1
        if not fits.left_out:
            (fit,) = [each for each in fits.listed if each.hand == mine]
            assert cards[4].rank in fit.starters + fit.some

    def test_with_three_cards_missing_the_likeliest_are_listed(self) -> None:
        fits = judge("5H 5C").fits(12)
        assert (fits.missing, len(fits.listed)) == (3, MOST_LISTED)
        assert [fit.ways for fit in fits.listed] == sorted((fit.ways for fit in fits.listed), reverse=True)
        assert fits.left_out > 0

    def test_with_four_missing_nothing_is_tried(self) -> None:
        with pytest.raises(NotJudged, match="told from 2 cards on"):
            judge("5H").fits(12)

    def test_fits_is_refused_with_no_card_missing(self) -> None:
        with pytest.raises(NotJudged):
            judge(A01).fits(12)


def test_asking_the_judge_never_changes_it() -> None:
    first = CountJudge()
    first.add(Card.parse("5H")).as_crib().with_rules(FIVE_CARD)
    assert first == CountJudge()
    assert first.counted is Counted.HAND


PAGE = ROOT / "docs" / "count-judge.md"


def test_the_page_of_the_judge_says_what_python_answers() -> None:
    outcome = doctest.testfile(str(PAGE), module_relative=False)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_the_page_of_the_judge_names_the_impossible_numbers() -> None:
    page = PAGE.read_text(encoding="utf-8")
    four, three = CountJudge(), CountJudge(rules=FIVE_CARD)
    assert f"| {', '.join(map(str, four.impossible))} | {four.most} |" in page
    assert f"| {', '.join(map(str, three.impossible))} | {three.most} |" in page
