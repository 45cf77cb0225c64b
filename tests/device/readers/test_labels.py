"""Labels on cards: each card of each deck has one, and a damaged one is never another card."""

from __future__ import annotations

import doctest
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cribboard import PACK
from cribd.readers import labels
from cribd.readers.labels import (
    CARDS,
    DamagedLabel,
    Label,
    check_character,
    is_deck_name,
    may_be_left_of,
    read_label,
    write_label,
)

ALPHANUMERIC = set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")
"""The 45 characters of a QR code's alphanumeric mode: ISO/IEC 18004, table 5."""

decks = st.from_regex(r"[a-z0-9]{1,12}", fullmatch=True)
cards = st.sampled_from(CARDS)


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("A12425GABC1234002", "M"),  # IFPI, GRid Standard: A1-2425G-ABC1234002-M
        ("000000003A8D0000", "Z"),  # ISO 15706, ISAN 0000-0000-3A8D-0000-Z
        ("000000003A8D000000000000", "6"),  # and with its version: …-0000-0000-6
        ("0000000189470000", "8"),  # ISAN 0000-0001-8947-0000-8
    ],
)
def test_the_check_character_is_that_of_published_identifiers(text: str, check: str) -> None:
    assert check_character(text) == check


def test_the_examples_of_the_module_are_right() -> None:
    ran = doctest.testmod(labels)
    assert ran.attempted > 3
    assert not ran.failed


def test_the_card_names_of_labels_are_those_of_the_pack() -> None:
    assert tuple(map(str, PACK)) == CARDS


@settings(deadline=None)
@given(decks, cards)
def test_a_label_reads_back_in_either_case_and_fits_a_small_code(deck: str, card: str) -> None:
    text = write_label(deck, card)
    assert set(text) <= ALPHANUMERIC
    assert len(text) <= 22
    assert read_label(text) == read_label(text.lower()) == Label(deck, card)


@settings(deadline=None)
@given(decks, cards, st.data())
def test_one_wrong_character_is_damage_and_never_another_card(deck: str, card: str, data: st.DataObject) -> None:
    text = write_label(deck, card)
    place = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from([*sorted(ALPHANUMERIC), "\ufffd", "\x00"]).filter(lambda c: c != text[place]))
    assert isinstance(read_label(text[:place] + other + text[place + 1 :]), DamagedLabel)


@settings(deadline=None)
@given(decks, cards, st.data())
def test_a_lost_character_never_makes_another_card(deck: str, card: str, data: st.DataObject) -> None:
    text = write_label(deck, card)
    place = data.draw(st.integers(0, len(text) - 1))
    read = read_label(text[:place] + text[place + 1 :])
    of_the_name = len("CRIB/") <= place < len("CRIB/") + len(deck)
    assert isinstance(read, DamagedLabel) or (of_the_name and isinstance(read, Label) and read.card == card)


@pytest.mark.parametrize("text", ["CRIB", "CRIB/ROUGE/5H/N…", "CRIB/ROU", "UGE/5H/N", "CRIB//5H/N", "CRIB/ROUGE/10H/N"])
def test_the_rest_of_a_torn_label_is_recognised(text: str) -> None:
    assert read_label(text) == DamagedLabel(text)


@pytest.mark.parametrize("text", ["", "5H", "10h", "https://example.org", "4006381333931", "ace", "\ufffd\ufffd", "…"])
def test_a_text_that_was_never_a_label_is_not_taken_for_one(text: str) -> None:
    assert read_label(text) is None


@settings(deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_read_as_a_label_a_damaged_label_or_none(text: str) -> None:
    assert read_label(text) is None or isinstance(read_label(text), Label | DamagedLabel)


@pytest.mark.parametrize(("name", "allowed"), [("rouge", True), ("2", True), ("a" * 13, False), ("", False)])
def test_a_name_of_a_deck_fits_a_label(name: str, allowed: bool) -> None:
    assert is_deck_name(name) is allowed


@pytest.mark.parametrize("name", ["Rouge", "le rouge", "été", "../x", "a-b", "rouge\n"])
def test_names_that_no_label_can_have_are_refused(name: str) -> None:
    assert not is_deck_name(name)
    with pytest.raises(ValueError, match="is not a name of a deck"):
        write_label(name, "5H")


def test_only_a_card_gets_a_label() -> None:
    with pytest.raises(ValueError, match="'1H' is not a card"):
        write_label("rouge", "1H")


def test_one_misread_character_makes_no_card_of_a_deck_another() -> None:
    labels = [write_label("rouge", card) for card in CARDS]
    assert not any(may_be_left_of(one, other) for one, other in permutations(labels, 2))
    assert all(may_be_left_of(f"{label[:at]}?{label[at + 1 :]}", label) for label in labels for at in range(len(label)))
