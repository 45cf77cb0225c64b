"""Turns scans into cards for the table, without repeats.

- Tags and labels become cards by the decks that were enrolled. A card of another deck is `OtherDeck`.
- The same card again within `repeat_ms`, from any reader, still lies there and is dropped; each repeat extends the
time.
- Two tags at once are `MultipleCards`: neither counts.
- `ReadFailed` comes once in `repeat_ms`, and not at all if it may be a damaged second reading of the same card.

The deck in play is that of the configuration, or else that of the first card of a deck since `new_deal`. A card without
a deck (notation, typed or printed) belongs to every deck.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf

from cribd.inputs import CardRead, Input, MultipleCards, MultipleTags, OtherDeck, ReadFailed, TagRead, UnknownTag
from cribd.readers.labels import DamagedLabel, Label, may_be_left_of, read_label

#: The deck's name and the card of a tag, or None if it was never taught.
Find = Callable[[str], tuple[str, str] | None]

#: The most cards that are remembered at once: more than can lie before readers.
_MOST = 64


class ScanResolver:
    """Finds the card of each scan, and drops repeats.

    `sides` maps the name of a reader to its side, if any."""

    def __init__(
        self, find: Find, *, deck: str = "", sides: Mapping[str, int] | None = None, repeat_ms: float = 1000
    ) -> None:
        self.find = find  # may be replaced when decks have changed
        self._named = deck
        self._deck = deck
        self._sides = sides or {}
        self._repeat = repeat_ms / 1000
        self._seen: dict[tuple[Input, str], float] = {}
        self._good: dict[str, tuple[str, float]] = {}

    def new_deal(self) -> None:
        """Forget the deck in use, unless the configuration names one."""
        self._deck = self._named

    def resolve(self, inputs: Sequence[Input], now: float) -> list[Input]:
        """Return the inputs for the table, in order."""
        passed: list[Input] = []
        for read_input in inputs:
            read = ""
            match read_input:
                case CardRead(text, reader):
                    read, found = text, self._of_label(text, reader)
                case TagRead(uid, reader):
                    card = self.find(uid)
                    read, found = uid, UnknownTag(uid, reader) if card is None else self._of_deck(*card, reader)
                case MultipleTags(uids, reader):
                    cards = [self.find(uid) or ("", "?") for uid in uids]
                    found = MultipleCards(tuple(card for _, card in cards), reader)
                case ReadFailed():
                    found = read_input
                case _:
                    passed.append(read_input)
                    continue
            if isinstance(found, ReadFailed):
                # It may be the card that this reader has just read, damaged on the wire.
                good, then = self._good.get(found.reader, ("", -inf))
                if self._is_recent(then, now) and may_be_left_of(read, good):
                    continue
            if self._is_new(found, read, now):
                passed.append(found)
        return passed

    def _of_label(self, text: str, reader: str) -> Input:
        match read_label(text):
            case Label(deck, card):
                return self._of_deck(deck, card, reader)
            case DamagedLabel():
                return ReadFailed(reader)
        return CardRead(text, reader, self._sides.get(reader))

    def _of_deck(self, deck: str, card: str, reader: str) -> Input:
        if self._deck and deck != self._deck:
            return OtherDeck(deck, reader)
        self._deck = deck
        return CardRead(card, reader, self._sides.get(reader))

    def _is_new(self, found: Input, read: str, now: float) -> bool:
        """Whether this input is no repeat within `repeat_ms`.

        `read` is the text or tag that was read."""
        key = _key(found, read)
        last = self._seen.pop(key, -inf)
        again = self._is_recent(last, now)
        self._seen[key] = last if again and isinstance(found, ReadFailed) else now
        while len(self._seen) > _MOST:
            del self._seen[next(iter(self._seen))]
        if isinstance(found, CardRead):
            self._good[found.reader] = read, now
        return not again

    def _is_recent(self, then: float, now: float) -> bool:
        return 0 <= now - then < self._repeat


def _key(found: Input, read: str) -> tuple[Input, str]:
    """Return the same key for an input and its repeats.

    For a card of another deck, the key has what was read."""
    match found:
        case CardRead(text):
            return CardRead(text.strip().upper().replace("10", "T")), ""
        case MultipleCards(texts):
            return MultipleCards(tuple(sorted(texts))), ""
        case OtherDeck(deck):
            return OtherDeck(deck), read
        case UnknownTag(uid):
            return UnknownTag(uid), ""
    return found, ""
