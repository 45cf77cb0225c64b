"""A count as players say it, in both languages: in words, and in lines of the screen."""

from __future__ import annotations

import re
from gettext import NullTranslations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard import PACK, Card, Kind, Score, score_show
from cribd.text import LINE, Phrases, count_in_words, languages, load

EN, FR = load("en"), load("fr_CA")


def count(cards: str, *, crib: bool = False) -> Score:
    *hand, starter = Card.parse_many(cards)
    return score_show(hand, starter, crib=crib)


A01 = count("6C 7S 8D 8H 9S")
A02 = count("5H 5C 5S JD 5D")
A08 = count("3S 3D 4C 5H 5S")
A14 = count("KS KD KC KH 5S")
NOTHING = count("2H 4C 6D 8S TC")


class TestInWords:
    def test_fifteens_and_a_pair_are_counted_aloud(self) -> None:
        score = count("TC 5H 5D 2S 3H")
        assert count_in_words.count_spoken(Score(score.combinations[:2] + score.combinations[-1:]), EN) == (
            "fifteen two, fifteen four, and a pair is six"
        )
        assert count_in_words.count_spoken(Score(score.combinations[:2] + score.combinations[-1:]), FR) == (
            "quinze-deux, quinze-quatre, et une paire, six"
        )

    def test_a01_is_worded_as_counted_by_hand(self) -> None:
        assert count_in_words.count_spoken(A01, EN) == (
            "fifteen two, fifteen four, fifteen six, a pair is eight, a run of four is twelve, "
            "and a run of four is sixteen"
        )

    def test_a02_the_best_hand_by_hand(self) -> None:
        assert count_in_words.count_spoken(A02, EN) == (
            "fifteen two, fifteen four, fifteen six, fifteen eight, fifteen ten, fifteen twelve, fifteen fourteen, "
            "fifteen sixteen, a double pair royal is twenty-eight, and his nobs is twenty-nine"
        )
        assert count_in_words.count_spoken(A02, FR) == (
            "quinze-deux, quinze-quatre, quinze-six, quinze-huit, quinze-dix, quinze-douze, quinze-quatorze, "
            "quinze-seize, un carré, vingt-huit, et le valet de la couleur, vingt-neuf"
        )

    def test_a08_is_worded_as_counted_by_hand(self) -> None:
        """Two pairs of different ranks are two pairs; a double double run is four runs."""
        assert count_in_words.count_spoken(A08, EN) == (
            "fifteen two, fifteen four, a pair is six, a pair is eight, a run of three is eleven, "
            "a run of three is fourteen, a run of three is seventeen, and a run of three is twenty"
        )

    def test_a14_is_worded_as_counted_by_hand(self) -> None:
        assert count_in_words.count_spoken(A14, EN) == (
            "fifteen two, fifteen four, fifteen six, fifteen eight, and a double pair royal is twenty"
        )

    def test_a_hand_without_points_is_called_nothing(self) -> None:
        said = count_in_words.count_spoken(NOTHING, EN), count_in_words.count_spoken(NOTHING, FR)
        assert said == ("nothing", "rien")

    def test_one_thing_alone_needs_no_and(self) -> None:
        assert count_in_words.count_spoken(count("2C 2D 6S 8H KD"), EN) == "a pair is two"


class TestInLines:
    def test_a02_is_worded_as_counted_by_hand(self) -> None:
        assert count_in_words.count_lines(A02, EN) == (
            "15-2 5♣ J♦", "15-4 5♦ J♦", "15-6 5♥ J♦", "15-8 5♠ J♦", "15-10 5♣ 5♦ 5♥", "15-12 5♣ 5♦ 5♠",
            "15-14 5♣ 5♥ 5♠", "15-16 5♦ 5♥ 5♠", "4 alike 28 5♣♦♥♠", "nobs 29 J♦",
        )  # fmt: skip

    def test_cards_of_one_rank_say_it_once(self) -> None:
        assert count_in_words.count_lines(count("TC TD TH 2S 4H"), EN) == ("pair royal 6 10♣♦♥",)
        assert count_in_words.count_lines(A14, FR)[-1] == "carré 20 R♣♦♥♠"

    def test_cards_that_have_no_room_move_together(self) -> None:
        long = count("9H TD JC QH KD")
        assert count_in_words.count_lines(long, EN) == ("run 5 9♥ 10♦ J♣ Q♥ K♦",)
        assert count_in_words.count_lines(long, FR) == ("suite 5 9♥10♦V♣D♥R♦",)

    def test_a_hand_without_points_has_a_line(self) -> None:
        assert (count_in_words.count_lines(NOTHING, EN), count_in_words.count_lines(NOTHING, FR)) == (
            ("Nothing: 0",),
            ("Rien : 0",),
        )


hands = st.lists(st.sampled_from(PACK), min_size=4, max_size=5, unique=True)


@given(hands, st.booleans())
def test_the_last_number_said_is_the_total(cards: list[Card], crib: bool) -> None:
    score = score_show(cards[:-1], cards[-1], crib=crib)
    words = {EN.number(value): value for value in range(30)}
    *_, last = re.split(r"[ ,]+", count_in_words.count_spoken(score, EN))
    assert words.get(last, 0) == score.total
    for line in count_in_words.count_lines(score, FR):
        assert len(line) <= LINE, line


@given(hands, st.booleans())
def test_the_steps_of_a_count_add_up_to_its_points(cards: list[Card], crib: bool) -> None:
    score = score_show(cards[:-1], cards[-1], crib=crib)
    told = count_in_words.steps(score)
    assert sum(step.points for step in told) == score.total
    running = 0
    for step in told:
        running += step.points
        assert step.total == running
    assert [step.last for step in told] == [False] * (len(told) - 1) + [True] * bool(told)
    alone = [each for each in score.combinations if each.kind is not Kind.PAIR]
    assert [(step.kind, step.cards) for step in told if "pair" not in step.kind] == [(c.kind, c.cards) for c in alone]
    paired = {card for each in score.combinations if each.kind is Kind.PAIR for card in each.cards}
    assert {card for step in told if "pair" in step.kind for card in step.cards} == paired


@pytest.mark.parametrize("language", languages())
def test_every_line_of_every_shape_fits_the_screen(language: str) -> None:
    """Five cards of any ranks, in the widest print: tens, and a total of two digits."""
    phrases = load(language)
    for lowest in range(9):
        cards = [PACK[(lowest + n) * 4 + n % 4] for n in range(5)]
        for line in count_in_words.count_lines(score_show(cards[:4], cards[4]), phrases):
            assert len(line) <= LINE, line
    for suit in range(4):
        tens = [PACK[rank * 4 + suit] for rank in (9, 10, 11, 0, 4)]
        for line in count_in_words.count_lines(score_show(tens[:4], tens[4]), phrases):
            assert len(line) <= LINE, line


def test_a_number_without_a_word_is_spoken_in_figures() -> None:
    assert EN.number(38) == "38"
    assert Phrases(NullTranslations()).number(29) == "number.29"
