"""The twin's own decks of tagged cards.

The number of a tag depends on its deck, its card and its kind alone, so that a deck is the same in every run. A card is
its notation (`5H`).
"""

from __future__ import annotations

import zlib

from cribd.wires import CardMarking, ReaderKind

#: The twin's deck for each marking: tags of 125 kHz and of 13.56 MHz have no numbers in common.
DECKS = {CardMarking.LABEL: "twin", CardMarking.TAG_125_KHZ: "twin125", CardMarking.TAG_13_56_MHZ: "twin"}

CARDS = tuple(rank + suit for rank in "A23456789TJQK" for suit in "CDHS")


def tag_of(card: str, kind: ReaderKind, deck: str = "") -> str:
    """Return the tag number of a card, as upper-case hex.

    The deck is the twin's own unless it is named.

    >>> tag_of("5H", ReaderKind.RDM6300) == tag_of("5H", ReaderKind.RDM6300)
    True
    """
    number = zlib.crc32(f"{deck or DECKS[kind.reads]} {card}".encode()) & 0xFFFFFF00 | CARDS.index(card)
    if kind.reads is CardMarking.TAG_125_KHZ:
        return f"01{number:08X}"
    return f"04{number:08X}{CARDS.index(card):02X}80"


def tags(kind: ReaderKind) -> dict[str, str]:
    """Return the card of each tag in the twin's deck."""
    return {tag_of(card, kind): card for card in CARDS}
