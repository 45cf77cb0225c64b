"""Makes a deck of tagged cards, one card at a time.

Pure: inputs of a reader with their times in, answers out. The caller saves the deck at `CardTaught` and
`CardTakenBack`, before the next card, so that no taught card is lost. A tag is taken once: a card that stays on the
reader, or that is known, changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cribd.inputs import CardRead, Fault, FaultCleared, Input, MultipleTags, ReadFailed, TagRead
from cribd.readers.decks import NEW_PACK, Deck, Decks, is_tag

#: How long a tag must not be read until it counts as lifted. A reader repeats the number of a tag that lies there.
LIFTED_S = 1.0


class CardRefusalReason(StrEnum):
    KNOWN = "known"  # the tag is a card already
    CHANGING = "changing"  # the tag has another number each time
    TWO = "two"  # two tags at once
    UNREAD = "unread"  # a wrong checksum, half a frame
    NO_TAG = "no_tag"  # a printed label, or no number of a tag


@dataclass(frozen=True, slots=True)
class CardTaught:
    """A card was added with this tag."""

    card: str
    tag: str


@dataclass(frozen=True, slots=True)
class CardTakenBack:
    """The card that was added last was removed again."""

    card: str
    tag: str


@dataclass(frozen=True, slots=True)
class CardRefused:
    """The card was refused.

    If the tag is known, `deck` and `card` tell what it means."""

    why: CardRefusalReason
    tag: str = ""
    deck: str = ""
    card: str = ""


class EnrolmentNotice(StrEnum):
    """An answer of `Enrolment` that names no card."""

    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"  # no card has been taught since the start
    READER_AWAY = "reader_away"  # the reader does not answer, and the enrolment waits for it
    READER_BACK = "reader_back"


EnrolmentAnswer = CardTaught | CardTakenBack | CardRefused | EnrolmentNotice


class Enrolment:
    """Makes one deck, and refuses the tags of `others`."""

    def __init__(self, deck: Deck, others: Decks) -> None:
        self.deck = deck
        self._others = others
        self._taught: list[str] = []
        self._read_at: dict[str, float] = {}

    @property
    def wanted(self) -> str | None:
        """The next card to put on the reader, or None."""
        return next(iter(self.deck.missing), None)

    @property
    def number(self) -> int:
        """The place of the wanted card, 1 to 52."""
        return len(NEW_PACK) if self.wanted is None else NEW_PACK.index(self.wanted) + 1

    def take(self, read: Input, at: float) -> EnrolmentAnswer | None:
        """Process an input of the reader, and return the answer.

        `at` is in seconds. None means that nothing is new."""
        match read:
            case TagRead(uid=uid):
                return None if self._still_lies(uid, at) else self._teach(uid)
            case MultipleTags(uids=uids):
                still_lie = [self._still_lies(uid, at) for uid in uids]
                return None if all(still_lie) else CardRefused(CardRefusalReason.TWO)
            case ReadFailed():
                return None if self._still_lies("", at) else CardRefused(CardRefusalReason.UNREAD)
            case CardRead(text=text):
                return CardRefused(CardRefusalReason.NO_TAG, text)
            case Fault():
                return EnrolmentNotice.READER_AWAY
            case FaultCleared():
                return EnrolmentNotice.READER_BACK
        return None

    def take_back(self) -> EnrolmentAnswer:
        """Remove the card that was added last, if any."""
        if not self._taught:
            return EnrolmentNotice.NOTHING_TO_TAKE_BACK
        card = self._taught.pop()
        tag = self.deck.tags[card]
        self.deck = self.deck.without(card)
        return CardTakenBack(card, tag)

    def _teach(self, uid: str) -> EnrolmentAnswer | None:
        if self.wanted is None:
            return None
        if not is_tag(uid):
            return CardRefused(CardRefusalReason.NO_TAG, uid)
        if len(uid) == 8 and uid.startswith("08"):  # a new random number each time (ISO/IEC 14443-3, 6.5.4)
            return CardRefused(CardRefusalReason.CHANGING, uid)
        if uid in self.deck.cards:
            return CardRefused(CardRefusalReason.KNOWN, uid, self.deck.name, self.deck.cards[uid])
        known = self._others.find(uid)
        if known is not None and known[0] != self.deck.name:
            return CardRefused(CardRefusalReason.KNOWN, uid, *known)
        card = self.wanted
        self.deck = self.deck.with_card(card, uid)
        self._taught.append(card)
        return CardTaught(card, uid)

    def _still_lies(self, uid: str, at: float) -> bool:
        """Note the time, and return whether the tag still lies there."""
        before, self._read_at[uid] = self._read_at.get(uid), at
        return before is not None and at - before < LIFTED_S
