"""Between the decoders and the table: what readers say is evidence, and the table hears of cards.

Pure, and time is handed in. The same card again from any reader within `repeat_ms` is the same card still lying there,
and counts once (the time slides while it stays); tags and labels become cards by the decks that were enrolled; a card
of another deck is told by the deck's name; two tags at once are two cards and neither counts; what cannot be read is
told once in so long, and not at all where it may be the card that this reader has just read. Never judges whether a
card may be played: that is the table's.

Which deck is in play is settled in the configuration, or else by the first card of a deck since `new_deal`: cards
without a deck (notation, typed or printed) are of every deck.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf

from cribd.inputs import CardRead, CardsTogether, Input, OtherDeck, ReadFailed, TagRead, TagsTogether, UnknownTag
from cribd.readers.labels import DamagedLabel, Label, may_be_left_of, read_label

#: The deck's name and the card of a tag, or None if it was never taught.
Find = Callable[[str], tuple[str, str] | None]

#: So many cards are remembered at once; there is no table on which more lie before readers.
_MOST = 64


class ScanFilter:
    """What all readers of one table say, weighed. `sides` are the sides of the readers that have one, by name."""

    def __init__(
        self, find: Find, *, deck: str = "", sides: Mapping[str, int] | None = None, repeat_ms: float = 1000
    ) -> None:
        self._find = find
        self._named = deck
        self._deck = deck
        self._sides = sides or {}
        self._repeat = repeat_ms / 1000
        self._seen: dict[tuple[Input, str], float] = {}
        self._good: dict[str, tuple[str, float]] = {}

    def learn(self, find: Find) -> None:
        """The decks are these from now on."""
        self._find = find

    def new_deal(self) -> None:
        """Other cards may be dealt now, if the configuration does not say which."""
        self._deck = self._named

    def weigh(self, inputs: Sequence[Input], now: float) -> list[Input]:
        """What the table is to hear of these inputs, in their order. What is no card passes as it is."""
        heard: list[Input] = []
        for fact in inputs:
            read = ""
            match fact:
                case CardRead(text, reader):
                    read, found = text, self._card(text, reader)
                case TagRead(uid, reader):
                    read, found = uid, self._tag(uid, reader)
                case TagsTogether(uids, reader):
                    found = CardsTogether(tuple(self._text(uid) for uid in uids), reader)
                case ReadFailed():
                    found = fact
                case _:
                    heard.append(fact)
                    continue
            if isinstance(found, ReadFailed) and self._was_read(found.reader, read, now):
                continue
            if self._is_news(found, read, now):
                heard.append(found)
        return heard

    def _card(self, text: str, reader: str) -> Input:
        side = self._sides.get(reader)
        match read_label(text):
            case Label(deck, card):
                return self._of_deck(deck, card, reader)
            case DamagedLabel():
                return ReadFailed(reader)
        return CardRead(text, reader, side)

    def _tag(self, uid: str, reader: str) -> Input:
        found = self._find(uid)
        return UnknownTag(uid, reader) if found is None else self._of_deck(*found, reader)

    def _text(self, uid: str) -> str:
        found = self._find(uid)
        return "?" if found is None else found[1]

    def _of_deck(self, deck: str, card: str, reader: str) -> Input:
        if self._deck and deck != self._deck:
            return OtherDeck(deck, reader)
        self._deck = deck
        return CardRead(card, reader, self._sides.get(reader))

    def _was_read(self, reader: str, remains: str, now: float) -> bool:
        """Whether it may be the card that was read just now, mangled on its way from the reader."""
        text, then = self._good.get(reader, ("", -inf))
        return self._just(then, now) and may_be_left_of(remains, text)

    def _is_news(self, found: Input, read: str, now: float) -> bool:
        """Whether it was not said just now. Of a card it does not matter by which reader; `read` is what it was."""
        key = _key(found, read)
        last = self._seen.pop(key, None)
        again = last is not None and self._just(last, now)
        failed = isinstance(found, ReadFailed)
        self._seen[key] = last if again and failed and last is not None else now
        while len(self._seen) > _MOST:
            del self._seen[next(iter(self._seen))]
        if isinstance(found, CardRead):
            self._good[found.reader] = read, now
        return not again

    def _just(self, then: float, now: float) -> bool:
        return 0 <= now - then < self._repeat


def _key(found: Input, read: str) -> tuple[Input, str]:
    """What is the same if it comes again. Each card of another deck is a card by itself."""
    match found:
        case CardRead(text):
            return CardRead(text.strip().upper().replace("10", "T")), ""
        case CardsTogether(texts):
            return CardsTogether(tuple(sorted(texts))), ""
        case OtherDeck(deck):
            return OtherDeck(deck), read
        case UnknownTag(uid):
            return UnknownTag(uid), ""
    return found, ""
