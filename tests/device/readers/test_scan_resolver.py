"""The scan resolver: each card reaches the table once, or else the reason why it does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribd.inputs import (
    CardRead,
    Fault,
    FaultKind,
    Input,
    MultipleCards,
    MultipleTags,
    OtherDeck,
    ReadFailed,
    TagRead,
    UnknownTag,
)
from cribd.readers.labels import write_label
from cribd.readers.scan_resolver import ScanResolver

TAGS = {"04A1": ("rouge", "5H"), "04A2": ("rouge", "JD"), "04B1": ("bleu", "5H")}


def scan_resolver(deck: str = "", **others: object) -> ScanResolver:
    return ScanResolver(TAGS.get, deck=deck, **others)  # type: ignore[arg-type]


def resolved(*inputs: Input, by: ScanResolver | None = None, now: float = 50.0) -> list[Input]:
    return (by or scan_resolver()).resolve(inputs, now)


def test_the_same_card_read_five_times_in_a_second_is_one_card() -> None:
    table = scan_resolver()
    heard = [given_input for at in range(5) for given_input in table.resolve([CardRead("5H")], 50 + at / 5)]
    assert heard == [CardRead("5H")]


def test_a_card_that_stays_is_one_card_however_long() -> None:
    table = scan_resolver()
    assert sum(len(table.resolve([TagRead("04A1", "north")], 50 + at / 20)) for at in range(200)) == 1


def test_a_card_that_returns_after_a_second_is_read_again() -> None:
    table = scan_resolver()
    assert [table.resolve([CardRead("5H")], at) for at in (50.0, 50.999, 52.0)] == [
        [CardRead("5H")],
        [],
        [CardRead("5H")],
    ]


def test_two_readers_see_one_card() -> None:
    inputs = (CardRead("10h", "north"), CardRead("TH", "south"))
    assert resolved(*inputs) == [CardRead("10h", "north")]


def test_a_second_reading_of_a_lying_card_is_no_new_scan() -> None:
    table = scan_resolver()
    assert resolved(CardRead("5H"), CardRead("JD"), CardRead("5H"), by=table) == [CardRead("5H"), CardRead("JD")]


def test_a_tag_of_a_deck_becomes_its_card() -> None:
    assert resolved(TagRead("04A2", "north")) == [CardRead("JD", "north")]


def test_a_label_becomes_its_card() -> None:
    assert resolved(CardRead(write_label("rouge", "TC"), "north")) == [CardRead("TC", "north")]


def test_a_damaged_label_becomes_a_failed_reading() -> None:
    assert resolved(CardRead(write_label("rouge", "TC").replace("T", "9"), "north")) == [ReadFailed("north")]


def test_a_half_legible_text_is_passed_to_the_table() -> None:
    assert resolved(CardRead("5\ufffd")) == [CardRead("5\ufffd")]


def test_a_tag_of_no_deck_is_unknown() -> None:
    assert resolved(TagRead("0BAD", "north")) == [UnknownTag("0BAD", "north")]


def test_the_neighbour_tables_card_is_refused_by_the_name_of_its_deck() -> None:
    table = scan_resolver()
    assert resolved(TagRead("04A2"), TagRead("04B1"), by=table) == [CardRead("JD"), OtherDeck("bleu")]
    assert resolved(CardRead(write_label("bleu", "AS")), by=table, now=70) == [OtherDeck("bleu")]
    table.new_deal()
    assert resolved(TagRead("04B1"), by=table, now=90) == [CardRead("5H")]


def test_each_card_of_another_deck_is_refused_once() -> None:
    table = ScanResolver({**TAGS, "04B2": ("bleu", "6H")}.get, deck="rouge")
    assert resolved(TagRead("04B1"), TagRead("04B1"), TagRead("04B2"), by=table) == [OtherDeck("bleu")] * 2
    label = CardRead(write_label("bleu", "AS"))
    assert resolved(label, label, by=table) == [OtherDeck("bleu")]


def test_only_the_deck_of_the_configuration_is_played_with() -> None:
    table = scan_resolver("rouge")
    assert resolved(TagRead("04B1"), by=table) == [OtherDeck("bleu")]
    table.new_deal()
    assert resolved(TagRead("04B1"), by=table, now=90) == [OtherDeck("bleu")]
    assert resolved(TagRead("04A1"), by=table, now=90) == [CardRead("5H")]


def test_a_card_without_a_deck_is_accepted_with_any_deck() -> None:
    assert resolved(CardRead("2C"), by=scan_resolver("rouge")) == [CardRead("2C")]


def test_two_tags_at_once_are_reported_together_and_one_alone_as_a_card() -> None:
    table = scan_resolver()
    assert resolved(MultipleTags(("04A1", "0BAD"), "north"), by=table) == [MultipleCards(("5H", "?"), "north")]
    assert resolved(MultipleTags(("0BAD", "04A1"), "north"), by=table, now=50.5) == []
    assert resolved(TagRead("04A1", "north"), by=table, now=50.6) == [CardRead("5H", "north")]


def test_a_card_that_cannot_be_read_is_reported_at_most_once_a_second_while_it_lies_there() -> None:
    table = scan_resolver()
    reported = [at for at in range(60) if table.resolve([ReadFailed("north")], 50 + at / 20)]
    assert reported == [0, 20, 40]
    assert resolved(ReadFailed("south"), by=table, now=53) == [ReadFailed("south")]


def test_a_damaged_second_reading_of_a_card_is_dropped() -> None:
    table = scan_resolver()
    assert resolved(TagRead("04A1", "north"), by=table) == [CardRead("5H", "north")]
    assert resolved(ReadFailed("north"), by=table, now=50.3) == []
    assert resolved(ReadFailed("north"), by=table, now=51.4) == [ReadFailed("north")]


def test_a_half_label_of_another_card_is_reported_though_a_card_was_just_read() -> None:
    table = scan_resolver()
    five, six = write_label("rouge", "5H"), write_label("rouge", "6H")
    assert resolved(CardRead(five, "north"), by=table) == [CardRead("5H", "north")]
    for left in (five[:9], five[4:], five.replace("5H", "5?"), five.lower()[:13]):
        assert resolved(CardRead(left, "north"), by=table, now=50.3) == [], left
    assert resolved(CardRead(six[:13], "north"), by=table, now=50.6) == [ReadFailed("north")]
    assert resolved(CardRead(six, "north"), by=table, now=50.8) == [CardRead("6H", "north")]


def test_a_failure_that_is_suppressed_does_not_delay_the_next_report() -> None:
    table = scan_resolver()
    assert resolved(TagRead("04A1", "north"), by=table) == [CardRead("5H", "north")]
    assert resolved(ReadFailed("north"), by=table, now=50.9) == []
    assert resolved(ReadFailed("north"), by=table, now=51.1) == [ReadFailed("north")]


def test_the_side_of_a_reader_goes_with_its_cards() -> None:
    table = scan_resolver(sides={"north": 1})
    assert resolved(CardRead("5H", "north"), CardRead("JD", "pad"), by=table) == [
        CardRead("5H", "north", 1),
        CardRead("JD", "pad"),
    ]


def test_an_input_that_is_no_card_passes_unchanged() -> None:
    fault = Fault(FaultKind.READER_SILENT, "north")
    assert resolved(fault, fault) == [fault, fault]


def test_a_clock_that_was_set_back_loses_no_card() -> None:
    table = scan_resolver()
    assert resolved(CardRead("5H"), by=table, now=50)
    assert resolved(CardRead("5H"), by=table, now=20)


@pytest.mark.parametrize("many", [200])
def test_the_filter_remembers_a_bounded_number_of_cards(many: int) -> None:
    table = scan_resolver()
    for number in range(many):
        table.resolve([CardRead(str(number))], 50)
    assert len(table._seen) <= 64


inputs = st.one_of(
    st.builds(CardRead, st.text(max_size=20), st.sampled_from(["north", "south"])),
    st.builds(TagRead, st.sampled_from([*TAGS, "00"])),
    st.builds(MultipleTags, st.lists(st.sampled_from([*TAGS, "00"]), min_size=2, max_size=2).map(tuple)),
    st.builds(ReadFailed, st.sampled_from(["north", "south"])),
)


@given(st.lists(st.tuples(inputs, st.floats(0, 2))))
def test_no_tag_number_reaches_the_table(story: list[tuple[Input, float]]) -> None:
    table, now = scan_resolver(), 50.0
    for given_input, later in story:
        now += later
        assert not any(isinstance(heard, TagRead | MultipleTags) for heard in table.resolve([given_input], now))
