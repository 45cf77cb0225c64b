"""The twin's own packs of tagged cards: which tag sticks on which card.

The number of a tag follows from its deck, its card and its kind alone, so that a deck which was taught once is the same
in every run. A card is its notation (`5H`).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from cribd.wires import ReaderKind

#: The decks that lie beside the twin: a tag of 125 kHz and one of 13.56 MHz have no numbers in common.
DECKS = {ReaderKind.SCANNER: "twin", ReaderKind.RDM6300: "twin125", ReaderKind.PN532: "twin"}

CARDS = tuple(rank + suit for rank in "A23456789TJQK" for suit in "CDHS")


def tag_of(card: str, kind: ReaderKind, deck: str = "") -> str:
    """The number of the tag on this card of this deck, for a reader of this kind; upper-case hex.

    Without a name the deck is the twin's own.

    >>> tag_of("5H", ReaderKind.RDM6300) == tag_of("5H", ReaderKind.RDM6300)
    True
    """
    number = zlib.crc32(f"{deck or DECKS[kind]} {card}".encode()) & 0xFFFFFF00 | CARDS.index(card)
    match kind:
        case ReaderKind.RDM6300:
            return f"01{number:08X}"
        case _:
            return f"04{number:08X}{CARDS.index(card):02X}80"


def tags(kind: ReaderKind, deck: str = "") -> Iterator[tuple[str, str]]:
    """Each card of a deck with its tag."""
    for card in CARDS:
        yield card, tag_of(card, kind, deck)
