"""What sides, seats, cards, numbers and losers are called in each language."""

from __future__ import annotations

import pytest
from tests.support.catalogues import phrase
from tests.support.moments_of_rules import moments_of_rules

from cribboard import PACK, Card
from cribd.text import languages, load

OF_RULES = moments_of_rules()


@pytest.mark.parametrize(
    ("seating", "names"),
    [
        ((2, 2), ["Bleu", "Rouge"]),
        ((3, 3), ["Bleu", "Rouge", "Vert"]),
        ((4, 2), ["Bleu 1", "Rouge 1", "Bleu 2", "Rouge 2"]),
        ((6, 3), ["Bleu 1", "Rouge 1", "Vert 1", "Bleu 2", "Rouge 2", "Vert 2"]),
    ],
)
def test_a_seat_has_its_sides_name_and_a_number_where_the_side_has_more(
    seating: tuple[int, int], names: list[str]
) -> None:
    words = load("fr_CA").seated(*seating)
    assert [words.seat(seat) for seat in range(seating[0])] == names


@pytest.mark.parametrize(("moment", "code"), [("britannica-lurch", "lurch"), ("acc-double-skunk", "double_skunk")])
def test_a_loser_far_behind_is_called_what_the_rules_call_him(moment: str, code: str) -> None:
    seen = OF_RULES[moment].view
    assert seen is not None
    assert (load("en").skunk(seen), load("fr_CA").skunk(seen)) == (phrase(code), phrase(code, "fr_CA"))


def test_points_are_counted_as_each_language_counts() -> None:
    assert [load("en").points(n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [load("fr_CA").points(n) for n in (0, 1, 2)] == ["0 point", "1 point", "2 points"]


def test_a_large_number_is_grouped_as_each_language_groups() -> None:
    assert [load("en").figure(n) for n in (0, 999, 2352, 1234567)] == ["0", "999", "2,352", "1,234,567"]
    assert [load("fr_CA").figure(n) for n in (999, 2352)] == ["999", "2\u00a0352"]


@pytest.mark.parametrize(
    ("names", "english", "french"),
    [("a", "a", "a"), ("ab", "a or b", "a ou b"), ("abc", "a, b or c", "a, b ou c")],
)
def test_a_choice_of_names_is_listed_as_each_language_lists(names: str, english: str, french: str) -> None:
    assert (load("en").one_of(names), load("fr_CA").one_of(names)) == (english, french)


def test_court_cards_have_the_letters_of_each_language() -> None:
    cards = Card.parse_many("AS TD JC QH KS")
    assert " ".join(map(load("en").card, cards)) == "A♠ 10♦ J♣ Q♥ K♠"
    assert " ".join(map(load("fr_CA").card, cards)) == "A♠ 10♦ V♣ D♥ R♠"


@pytest.mark.parametrize("language", languages())
def test_a_card_is_read_as_it_is_printed(language: str) -> None:
    assert [Card.parse(load(language).card(card)) for card in PACK] == list(PACK)
