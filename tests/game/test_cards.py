"""A card: how it is read and written, and that there is only one of each."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard.cards import PACK, Card, NotationError, Rank, Suit

hands = st.lists(st.sampled_from(PACK), min_size=3, max_size=4, unique=True)


def test_a_pack_has_fifty_two_different_cards_lying_in_order() -> None:
    assert len({str(card) for card in PACK}) == len(set(PACK)) == 52
    assert list(PACK) == sorted(random.Random(1).sample(PACK, 52))
    assert [str(card) for card in PACK[:5]] == ["AC", "AD", "AH", "AS", "2C"]
    assert [card.place for card in PACK] == list(range(52))


def test_the_ace_is_low_and_court_cards_are_worth_ten() -> None:
    values = [Card(rank, Suit.HEARTS).value for rank in Rank]
    assert values == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert all(type(card.value) is int for card in PACK)
    assert Card.parse("AH") < Card.parse("2C") < Card.parse("KC") < Card.parse("KS")
    assert Card.parse("KS") >= Card.parse("KS") > Card.parse("QS")


@pytest.mark.parametrize("card", PACK, ids=str)
def test_a_written_card_reads_back_in_upper_and_lower_case(card: Card) -> None:
    assert (
        Card.parse(str(card))
        is Card.parse(str(card).lower())
        is Card.parse(str(card)[0] + str(card)[1].lower())
        is card
    )
    assert Card(card.rank, card.suit) is card


@pytest.mark.parametrize("card", PACK, ids=str)
def test_a_card_is_read_with_the_symbol_that_is_printed_on_it(card: Card) -> None:
    printed = str(card)[0] + dict(zip("CDHS", "♣♦♥♠", strict=True))[card.suit]
    assert {Card.parse(text) for text in (printed, printed.lower(), f"{printed}\ufe0f", f"{printed}\ufe0e")} == {card}


def test_a_french_rank_is_read_before_a_symbol_alone() -> None:
    assert Card.parse_many("V♠ D♦ R♣") == Card.parse_many("JS QD KC")
    for text in ("VS", "DD", "RC"):
        with pytest.raises(NotationError):
            Card.parse(text)


def test_ten_may_be_written_in_full() -> None:
    assert {Card.parse(text) for text in ("TH", "th", "Th", "tH", "10H", "10h")} == {Card(Rank.TEN, Suit.HEARTS)}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "H",
        "5",
        "1H",
        "11H",
        "0H",
        "010H",
        "5X",
        "H5",
        "5H ",
        " 5H",
        "5H5C",
        "JOKER",
        "5ſ",
        "５H",
        "5\n",
        "♥5",
        "♥",
        "5♡",
        "5♥♥",
        "1♥",
        "5\ufe0f",
        "5H\ufe0f",
        "5♥\ufe0f\ufe0f",
        "F♥",
        "C♥",
        "5♥ ",
    ],
)
def test_a_text_that_is_no_card_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        Card.parse(text)
    assert repr(text) in str(refused.value)
    assert "10h" in str(refused.value)
    assert refused.value.text == text
    assert isinstance(refused.value, ValueError)


def test_many_cards_are_read_in_the_order_in_which_they_are_written() -> None:
    assert Card.parse_many(" 5H  10c\tjd\n") == (Card.parse("5H"), Card.parse("TC"), Card.parse("JD"))
    assert Card.parse_many("") == ()
    with pytest.raises(NotationError, match="'5x'"):
        Card.parse_many("5H 5x JD")


@given(st.text(max_size=4) | st.text("A59TJQK10♣♦♥♠CDHSv\ufe0e\ufe0f ", max_size=4))
def test_any_text_is_a_card_or_is_refused(text: str) -> None:
    try:
        card = Card.parse(text)
    except NotationError:
        return
    rank, suit = text.rstrip("\ufe0e\ufe0f")[:-1].upper(), text.rstrip("\ufe0e\ufe0f")[-1].upper()
    assert str(card)[0] == {"10": "T", "V": "J", "D": "Q", "R": "K"}.get(rank, rank)
    assert str(card)[1] == dict(zip("♣♦♥♠", "CDHS", strict=True)).get(suit, suit)


@pytest.mark.parametrize("card", PACK, ids=str)
def test_copying_or_pickling_a_card_gives_the_same_object(card: Card) -> None:
    assert copy.copy(card) is card
    assert copy.deepcopy([card])[0] is card
    assert all(pickle.loads(pickle.dumps(card, protocol)) is card for protocol in range(pickle.HIGHEST_PROTOCOL + 1))


@pytest.mark.parametrize("name", ["rank", "suit", "value", "place", "key", "colour"])
def test_a_card_cannot_be_altered(name: str) -> None:
    card = Card.parse("5H")
    with pytest.raises(AttributeError, match="5H is printed"):
        setattr(card, name, 6)
    with pytest.raises(AttributeError, match="5H is printed"):
        delattr(card, name)
    assert not hasattr(card, "__dict__")


def test_a_card_equals_and_compares_with_no_number_or_text() -> None:
    card: object = Card.parse("AC")
    assert card != 0
    assert card != "AC"
    with pytest.raises(TypeError):
        Card.parse("AC") < 1  # noqa: B015


def test_a_set_of_cards_is_walked_in_the_same_order_in_every_run() -> None:
    assert [hash(card) for card in PACK] == list(range(52))


@given(hands, hands)
def test_two_hands_have_the_same_key_only_if_their_ranks_and_jacks_are_the_same(
    one: list[Card], other: list[Card]
) -> None:
    def matters(hand: list[Card]) -> tuple[Counter[Rank], set[Card]]:
        return Counter(card.rank for card in hand), {card for card in hand if card.rank is Rank.JACK}

    def key(hand: list[Card]) -> int:
        return sum(card.key for card in hand)

    assert (key(one) == key(other)) == (matters(one) == matters(other))


@given(hands, st.permutations(list(Suit)))
def test_suits_may_be_exchanged_in_a_hand_without_jacks_and_its_key_stays(hand: list[Card], suits: list[Suit]) -> None:
    exchange = dict(zip(Suit, suits, strict=True))
    hand = [card for card in hand if card.rank is not Rank.JACK]
    assert sum(Card(card.rank, exchange[card.suit]).key for card in hand) == sum(card.key for card in hand)
