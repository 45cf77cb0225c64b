"""Teaching a deck of tagged cards, one card after the other, in the order of a new pack.

Pure: inputs of a reader and their times go in, answers come out. It never touches a port, a file or a terminal;
whoever hears `Taught` or `TakenBack` keeps the deck before he asks for the next card, so that nothing that was said
to be taught is lost. A tag is taken once: whoever leaves a card lying, or puts one down that is known, changes
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cribd.inputs import CardRead, Fault, Input, Mended, ReadFailed, TagRead, TagsTogether
from cribd.readers.decks import NEW_PACK, Deck, Decks, is_tag

#: A reader says a tag's number again and again while it lies there. Not heard for so long, it was lifted.
LIFTED_S = 1.0


class Why(StrEnum):
    """Why a card was not taken."""

    KNOWN = "known"  # the tag is a card already
    CHANGING = "changing"  # the tag has another number each time
    TWO = "two"  # two tags at once
    UNREAD = "unread"  # a wrong checksum, half a frame
    NO_TAG = "no_tag"  # a printed label, or what is no tag's number


@dataclass(frozen=True, slots=True)
class Taught:
    """This tag is this card from now on."""

    card: str
    tag: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The card that was taught last is not taught any more."""

    card: str
    tag: str


@dataclass(frozen=True, slots=True)
class NothingToTakeBack:
    """No card was taught since this began."""


@dataclass(frozen=True, slots=True)
class Refused:
    """What was put on the reader was not taken. A tag that is known is the `card` of a `deck`."""

    why: Why
    tag: str = ""
    deck: str = ""
    card: str = ""


@dataclass(frozen=True, slots=True)
class ReaderAway:
    """The reader cannot be had; it is waited for."""


@dataclass(frozen=True, slots=True)
class ReaderBack:
    """The reader can be had again."""


Answer = Taught | TakenBack | NothingToTakeBack | Refused | ReaderAway | ReaderBack


class Enrolment:
    """A deck that is being taught. `others` are all decks the board has; a tag of any of them is refused."""

    def __init__(self, deck: Deck, others: Decks) -> None:
        self.deck = deck
        self._others = others
        self._sitting: list[str] = []
        self._heard: dict[str, float] = {}

    @property
    def wanted(self) -> str | None:
        """The card to put on the reader now; None once the deck is whole."""
        return next(iter(self.deck.missing), None)

    @property
    def number(self) -> int:
        """Which card of the pack that is, 1 to 52; 52 at the end."""
        return len(NEW_PACK) if self.wanted is None else NEW_PACK.index(self.wanted) + 1

    def take(self, read: Input, at: float) -> Answer | None:
        """What a fact at this time, in seconds, comes to; None where there is nothing new to say."""
        match read:
            case TagRead(uid=uid):
                return None if self._still_lies(uid, at) else self._teach(uid)
            case TagsTogether(uids=uids):
                still = [self._still_lies(uid, at) for uid in uids]
                return None if all(still) else Refused(Why.TWO)
            case ReadFailed():
                return None if self._still_lies("", at) else Refused(Why.UNREAD)
            case CardRead(text=text):
                return Refused(Why.NO_TAG, text)
            case Fault():
                return ReaderAway()
            case Mended():
                return ReaderBack()
        return None

    def take_back(self) -> Answer:
        """Forget the card that was taught last since this began."""
        if not self._sitting:
            return NothingToTakeBack()
        card = self._sitting.pop()
        tag = self.deck.tags[card]
        self.deck = self.deck.without(card)
        return TakenBack(card, tag)

    def _teach(self, uid: str) -> Answer | None:
        if self.wanted is None:
            return None
        if not is_tag(uid):
            return Refused(Why.NO_TAG, uid)
        if _changes(uid):
            return Refused(Why.CHANGING, uid)
        if uid in self.deck.cards:
            return Refused(Why.KNOWN, uid, self.deck.name, self.deck.cards[uid])
        known = self._others.find(uid)
        if known is not None and known[0] != self.deck.name:
            return Refused(Why.KNOWN, uid, *known)
        card = self.wanted
        self.deck = self.deck.with_card(card, uid)
        self._sitting.append(card)
        return Taught(card, uid)

    def _still_lies(self, uid: str, at: float) -> bool:
        """Whether this is what was heard a moment ago, and was not lifted since."""
        before, self._heard[uid] = self._heard.get(uid), at
        return before is not None and at - before < LIFTED_S


def _changes(uid: str) -> bool:
    """Whether the tag makes up its number each time: four bytes of which the first is 08 (ISO/IEC 14443-3, 6.5.4)."""
    return len(uid) == 8 and uid.startswith("08")
