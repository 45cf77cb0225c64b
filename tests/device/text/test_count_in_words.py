"""A count as players say it, in both languages: in words, and in lines of the screen."""

from __future__ import annotations

import re
from gettext import NullTranslations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.catalogues import phrase

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


def step(kind: str, total: int, language: str = "en", *, size: int = 0) -> str:
    """A step of a count in words, to this running total; with its number of cards if it is named."""
    number = {value: phrase(f"number.{value}", language) for value in (total, size)}
    return phrase(f"cadence.{kind}", language, total=number[total], size=number[size])


def line(kind: str, total: int, cards: str, language: str = "en") -> str:
    """A step of a count in a line of the screen."""
    return f"{phrase(f'short.{kind}', language, total=total)} {cards}"


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
        *first, last = (
            *(step("fifteen", total) for total in (2, 4, 6)), step("pair", 8), step("run", 12, size=4),
            step("run", 16, size=4),
        )  # fmt: skip
        assert count_in_words.count_spoken(A01, EN) == ", ".join((*first, phrase("cadence.and", step=last)))

    def test_a02_the_best_hand_by_hand(self) -> None:
        for language in ("en", "fr_CA"):
            first = [step("fifteen", total, language) for total in (2, 4, 6, 8, 10, 12, 14, 16)]
            alike = step("double_pair_royal", 28, language)
            nobs = phrase("cadence.and", language, step=step("nobs", 29, language))
            assert count_in_words.count_spoken(A02, load(language)) == ", ".join((*first, alike, nobs))

    def test_a08_is_worded_as_counted_by_hand(self) -> None:
        """Two pairs of different ranks are two pairs; a double double run is four runs."""
        *first, last = (
            step("fifteen", 2), step("fifteen", 4), step("pair", 6), step("pair", 8),
            *(step("run", total, size=3) for total in (11, 14, 17, 20)),
        )  # fmt: skip
        assert count_in_words.count_spoken(A08, EN) == ", ".join((*first, phrase("cadence.and", step=last)))

    def test_a14_is_worded_as_counted_by_hand(self) -> None:
        first = [step("fifteen", total) for total in (2, 4, 6, 8)]
        alike = phrase("cadence.and", step=step("double_pair_royal", 20))
        assert count_in_words.count_spoken(A14, EN) == ", ".join((*first, alike))

    def test_a_hand_without_points_is_called_nothing(self) -> None:
        said = count_in_words.count_spoken(NOTHING, EN), count_in_words.count_spoken(NOTHING, FR)
        assert said == (phrase("cadence.nothing"), phrase("cadence.nothing", "fr_CA"))

    def test_one_thing_alone_needs_no_and(self) -> None:
        assert count_in_words.count_spoken(count("2C 2D 6S 8H KD"), EN) == step("pair", 2)


class TestInLines:
    def test_a02_is_worded_as_counted_by_hand(self) -> None:
        assert count_in_words.count_lines(A02, EN) == (
            line("fifteen", 2, "5♣ J♦"),
            line("fifteen", 4, "5♦ J♦"),
            line("fifteen", 6, "5♥ J♦"),
            line("fifteen", 8, "5♠ J♦"),
            line("fifteen", 10, "5♣ 5♦ 5♥"),
            line("fifteen", 12, "5♣ 5♦ 5♠"),
            line("fifteen", 14, "5♣ 5♥ 5♠"),
            line("fifteen", 16, "5♦ 5♥ 5♠"),
            line("double_pair_royal", 28, "5♣♦♥♠"),
            line("nobs", 29, "J♦"),
        )

    def test_cards_of_one_rank_say_it_once(self) -> None:
        assert count_in_words.count_lines(count("TC TD TH 2S 4H"), EN) == (line("pair_royal", 6, "10♣♦♥"),)
        assert count_in_words.count_lines(A14, FR)[-1] == line("double_pair_royal", 20, "R♣♦♥♠", "fr_CA")

    def test_cards_that_have_no_room_move_together(self) -> None:
        long = count("9H TD JC QH KD")
        assert count_in_words.count_lines(long, EN) == (line("run", 5, "9♥ 10♦ J♣ Q♥ K♦"),)
        assert count_in_words.count_lines(long, FR) == (line("run", 5, "9♥10♦V♣D♥R♦", "fr_CA"),)

    def test_a_hand_without_points_has_a_line(self) -> None:
        assert (count_in_words.count_lines(NOTHING, EN), count_in_words.count_lines(NOTHING, FR)) == (
            (phrase("short.nothing"),),
            (phrase("short.nothing", "fr_CA"),),
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
    payload = count_in_words.steps(score)
    assert sum(step.points for step in payload) == score.total
    running = 0
    for step in payload:
        running += step.points
        assert step.total == running
    assert [step.last for step in payload] == [False] * (len(payload) - 1) + [True] * bool(payload)
    alone = [combination for combination in score.combinations if combination.kind is not Kind.PAIR]
    assert [(step.kind, step.cards) for step in payload if "pair" not in step.kind] == [
        (c.kind, c.cards) for c in alone
    ]
    paired = {card for combination in score.combinations if combination.kind is Kind.PAIR for card in combination.cards}
    assert {card for step in payload if "pair" in step.kind for card in step.cards} == paired


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
