"""The 52 cards of the pack, and their notation.

Aces are low, court cards are worth ten (rules reference, 1.2 and 1.3). There is one object for each card:
every notation gives the same object, a copy of a card is the card itself, and cards compare by identity.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum, StrEnum
from functools import total_ordering
from itertools import product
from typing import Never, final


class Rank(IntEnum):
    """The rank of a card, from ace to king."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def letter(self) -> str:
        """The letter or digit of the rank; ten is `T`."""
        return "A23456789TJQK"[self - 1]


class Suit(StrEnum):
    """The four suits of the pack."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"


class NotationError(ValueError):
    """The text cannot be read.

    `text` is what was given, `allowed` what is accepted; the message names both. Programs read `code` and `values` if
    there are any."""

    def __init__(self, text: object, allowed: str, code: str = "", /, **values: object) -> None:
        super().__init__(f"{text!r} cannot be read: {allowed}")
        self.text = text
        self.allowed = allowed
        self.code = code
        self.values = values


@final
@total_ordering
class Card:
    """One card of the pack.

    >>> card = Card.parse("10h")
    >>> card.rank.name, card.suit.name, card.value, str(card)
    ('TEN', 'HEARTS', 10, 'TH')
    >>> card is Card(Rank.TEN, Suit.HEARTS)
    True
    >>> sorted(Card.parse_many("KS 5H AD 5C"))
    [<AD>, <5C>, <5H>, <KS>]

    `rank`, `suit`: as printed. Cards sort by rank, then by suit.
    `value`: what it adds to the count, 1 to 10.
    `place`: its index in `PACK`, 0 to 51.
    `key`: a number with a digit for each rank and for each jack. The sum of the keys of a hand says how many cards it
    has of each rank, and which jacks.
    """

    __slots__ = ("key", "place", "rank", "suit", "value")

    rank: Rank
    suit: Suit
    value: int
    place: int
    key: int

    def __new__(cls, rank: Rank, suit: Suit) -> Card:
        return _NOTATION[rank.letter + suit]

    @staticmethod
    def parse(text: str) -> Card:
        """Read a card from text such as `TH`, `10h` or `10♥`.

        Ranks are `A23456789TJQK` or `10`. Suits are `CDHS` or `♣♦♥♠`. Either case will do. Before a symbol the rank may
        be `V`, `D` or `R`, as on French cards. Raises `NotationError`.

        >>> Card.parse("10♥"), Card.parse("V♦")
        (<TH>, <JD>)
        """
        try:
            return _NOTATION[text]
        except KeyError:
            raise NotationError(text, _ALLOWED) from None

    @staticmethod
    def parse_many(text: str) -> tuple[Card, ...]:
        """Read cards from text, with white space between the cards. Raises `NotationError`.

        >>> Card.parse_many("5H 5C 5S JD")
        (<5H>, <5C>, <5S>, <JD>)
        """
        return tuple(Card.parse(word) for word in text.split())

    def __str__(self) -> str:
        return self.rank.letter + self.suit

    def __repr__(self) -> str:
        return f"<{self}>"

    def __lt__(self, other: object) -> bool:
        return self.place < other.place if isinstance(other, Card) else NotImplemented

    def __hash__(self) -> int:
        return self.place

    def __reduce__(self) -> tuple[type[Card], tuple[Rank, Suit]]:
        return Card, (self.rank, self.suit)

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"{self} is printed: its {name} cannot be changed")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError(f"{self} is printed: its {name} cannot be taken away")


# The digits of a key are three bits wide: room for seven cards of a rank.
_DIGIT = 3
_FIRST_JACK = len(Rank) * _DIGIT


def _card_at(place: int, rank: Rank, suit: Suit) -> Card:
    """Make the card with the index `place` in the pack."""
    key = 1 << (rank - 1) * _DIGIT
    if rank is Rank.JACK:
        key += 1 << _FIRST_JACK + place % len(Suit)
    card = object.__new__(Card)
    printed = {"rank": rank, "suit": suit, "value": min(int(rank), 10), "place": place, "key": key}
    for name, value in printed.items():
        object.__setattr__(card, name, value)
    return card


PACK: tuple[Card, ...] = tuple(_card_at(place, *kind) for place, kind in enumerate(product(Rank, Suit)))
"""The 52 cards in order: AC AD AH AS 2C … KS."""

_ALLOWED = (
    "a card is a rank (A 2 3 4 5 6 7 8 9 T J Q K, or 10) and a suit (C D H S, or ♣ ♦ ♥ ♠), such as TH, 10h or 10♥"
)

_SYMBOLS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
#: Endings that keyboards add to a suit symbol: none, or a Unicode variation selector for text or picture.
_VARIATIONS = ("", "\ufe0e", "\ufe0f")
#: The letters of French court cards, read only before a symbol: before a letter, one wrong bit turns T into V.
_FRENCH = {Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R"}


def _spellings(card: Card) -> Iterator[str]:
    """Yield every way to write a card."""
    letter = card.rank.letter
    ranks = {letter, letter.lower(), "10" if card.rank is Rank.TEN else letter}
    yield from (rank + suit for rank in ranks for suit in (card.suit.value, card.suit.lower()))
    french = _FRENCH.get(card.rank, letter)
    for rank in ranks | {french, french.lower()}:
        yield from (rank + _SYMBOLS[card.suit] + variation for variation in _VARIATIONS)


_NOTATION = {text: card for card in PACK for text in _spellings(card)}
