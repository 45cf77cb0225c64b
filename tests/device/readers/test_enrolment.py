"""Teaching a deck, card by card: what is taken, what is refused, and repeats of a card that stays on the reader."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from cribd.inputs import CardRead, Fault, FaultCleared, FaultKind, MultipleTags, ReadFailed, TagRead
from cribd.readers.decks import NEW_PACK, Deck, Decks
from cribd.readers.enrolment import (
    LIFTED_S,
    CardRefusalReason,
    CardRefused,
    CardTakenBack,
    CardTaught,
    Enrolment,
    EnrolmentAnswer,
    EnrolmentNotice,
)

A, B, C = "04A3B2C1", "04A3B2C2", "0D003F8E72"
BLEUE = Deck("bleue", {"05000000": "KH"})


class Desk:
    """An enrolment, and a hand that puts cards on the reader one after the other."""

    def __init__(self, deck: Deck | None = None, *others: Deck) -> None:
        self.enrolment = Enrolment(deck or Deck("rouge"), Decks(others))
        self.now = 100.0

    def put(self, *uids: str) -> EnrolmentAnswer | None:
        """Put this on the reader, the one before having been lifted."""
        self.now += LIFTED_S
        return self.again(*uids)

    def again(self, *uids: str) -> EnrolmentAnswer | None:
        """The reader says it once more, a tenth of a second later."""
        self.now += 0.1
        return self.enrolment.take(TagRead(uids[0]) if len(uids) == 1 else MultipleTags(uids), self.now)


def test_the_first_card_is_the_top_of_a_new_pack_and_the_next_follows() -> None:
    desk = Desk()
    assert (desk.enrolment.wanted, desk.enrolment.number) == ("AS", 1)
    assert desk.put(A) == CardTaught("AS", A)
    assert (desk.enrolment.wanted, desk.enrolment.number) == ("2S", 2)
    assert desk.enrolment.deck == Deck("rouge", {A: "AS"})


def test_a_card_that_lies_there_is_taken_once() -> None:
    desk = Desk()
    desk.put(A)
    assert [desk.again(A) for _ in range(50)] == [None] * 50
    assert desk.enrolment.wanted == "2S"


def test_a_card_that_is_put_down_a_second_time_is_refused_by_its_name() -> None:
    desk = Desk()
    desk.put(A)
    desk.put(B)
    assert desk.put(A) == CardRefused(CardRefusalReason.KNOWN, A, "rouge", "AS")
    assert desk.again(A) is None
    assert desk.enrolment.wanted == "3S"


def test_a_card_of_another_deck_is_refused_by_its_deck() -> None:
    desk = Desk(None, BLEUE)
    assert desk.put("05000000") == CardRefused(CardRefusalReason.KNOWN, "05000000", "bleue", "KH")
    assert desk.enrolment.wanted == "AS"


def test_two_cards_at_once_are_refused_once_and_neither_is_taken_until_it_was_lifted() -> None:
    desk = Desk()
    assert desk.put(A, B) == CardRefused(CardRefusalReason.TWO)
    assert desk.again(A, B) is None
    assert desk.again(A) is None
    assert desk.put(A) == CardTaught("AS", A)
    assert desk.again(A, B) == CardRefused(CardRefusalReason.TWO)


def test_a_tag_with_a_random_number_is_refused() -> None:
    desk = Desk()
    assert desk.put("08123456") == CardRefused(CardRefusalReason.CHANGING, "08123456")
    assert desk.put("08123456AB") == CardTaught("AS", "08123456AB")


def test_a_reading_that_is_no_tag_is_refused() -> None:
    desk = Desk()
    assert desk.put("12") == CardRefused(CardRefusalReason.NO_TAG, "12")
    assert desk.enrolment.take(CardRead("CRIB/ROUGE/5H/1"), 0) == CardRefused(
        CardRefusalReason.NO_TAG, "CRIB/ROUGE/5H/1"
    )


def test_a_lasting_bad_reading_is_reported_once() -> None:
    enrolment = Enrolment(Deck("rouge"), Decks())
    said = [enrolment.take(ReadFailed(), at) for at in (1.0, 1.1, 1.2, 5.0)]
    assert said == [CardRefused(CardRefusalReason.UNREAD), None, None, CardRefused(CardRefusalReason.UNREAD)]


def test_a_reader_that_disappears_and_returns_is_reported() -> None:
    enrolment = Enrolment(Deck("rouge"), Decks())
    assert enrolment.take(Fault(FaultKind.READER_SILENT, "tags"), 0) is EnrolmentNotice.READER_AWAY
    assert enrolment.take(FaultCleared(FaultKind.READER_SILENT, "tags"), 0) is EnrolmentNotice.READER_BACK


def test_the_cards_of_this_enrolment_are_taken_back_one_by_one() -> None:
    desk = Desk(Deck("rouge", {C: "AS"}))
    desk.put(A)
    desk.put(B)
    assert desk.enrolment.take_back() == CardTakenBack("3S", B)
    assert desk.enrolment.wanted == "3S"
    assert desk.again(B) is None  # it still lies there
    assert desk.enrolment.take_back() == CardTakenBack("2S", A)
    assert desk.enrolment.take_back() is EnrolmentNotice.NOTHING_TO_TAKE_BACK
    assert desk.enrolment.deck == Deck("rouge", {C: "AS"})


def test_a_missing_card_is_taught_first_and_a_complete_deck_takes_none() -> None:
    whole = Deck("rouge", {f"04{number:06X}": card for number, card in enumerate(NEW_PACK)})
    desk = Desk(whole.without("4D"))
    assert (desk.enrolment.wanted, desk.enrolment.number) == ("4D", 17)
    assert desk.put(A) == CardTaught("4D", A)
    assert (desk.enrolment.wanted, desk.enrolment.number) == (None, 52)
    assert desk.put(B) is None


@pytest.mark.parametrize("also", [True, False])
def test_a_known_tag_is_looked_up_in_the_deck_as_it_is_now(also: bool) -> None:
    deck = Deck("rouge", {A: "AS"})
    enrolment = Enrolment(deck, Decks((deck,) if also else ()))
    assert enrolment.take(TagRead(A), 0) == CardRefused(CardRefusalReason.KNOWN, A, "rouge", "AS")
    again = Enrolment(deck.without("AS"), Decks((deck,) if also else ()))
    assert again.take(TagRead(A), 0) == CardTaught("AS", A)


class AnySitting(RuleBasedStateMachine):
    """However cards are put down, lifted and taken back, a tag is one card and a card one tag."""

    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk(None, BLEUE)
        self.numbers = count()

    @rule(uid=st.sampled_from([A, B, C, "05000000", "08123456", ""]))
    def put(self, uid: str) -> None:
        before = self.desk.enrolment.deck
        answer = self.desk.put(uid)
        self.agree(before, answer)

    @rule(uid=st.sampled_from([A, B, C]))
    def again(self, uid: str) -> None:
        before = self.desk.enrolment.deck
        self.agree(before, self.desk.again(uid))

    @rule()
    def put_a_new_one(self) -> None:
        before = self.desk.enrolment.deck
        self.agree(before, self.desk.put(f"04F{next(self.numbers):05X}"))

    @rule()
    def take_back(self) -> None:
        before = self.desk.enrolment.deck
        self.agree(before, self.desk.enrolment.take_back())

    def agree(self, before: Deck, answer: EnrolmentAnswer | None) -> None:
        after = self.desk.enrolment.deck
        match answer:
            case CardTaught(card, tag):
                assert after == before.with_card(card, tag)
            case CardTakenBack(card, _):
                assert after == before.without(card)
            case _:
                assert after == before

    @invariant()
    def a_tag_is_one_card(self) -> None:
        deck = self.desk.enrolment.deck
        assert len(deck.cards) == len(deck.tags) == 52 - len(deck.missing)
        assert not deck.cards.keys() & BLEUE.cards.keys()


TestAnySitting = AnySitting.TestCase
TestAnySitting.settings = settings(max_examples=40, deadline=None)
