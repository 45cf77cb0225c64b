"""The labels of cards for scanners, such as `CRIB/ROUGE/5H/1`.

Four parts with slashes between them: the word CRIB, the deck's name, the card in notation, and a check character. All
characters are in the alphanumeric set of QR codes (ISO/IEC 18004, table 5), so that the code is small, and in that of
Code 128. The check character is ISO 7064 MOD 37,36 over the letters and digits before it: it finds every single
character that was misread and nearly every swap of two neighbours. A lost character breaks the form; one lost from
the deck's name is found but for one time in 36, and then the card is still the right one.

Reading a label never raises: a damaged label is a value of its own, distinct from a text that was never a label. A card
is its notation here (`5H`): this layer knows nothing of the game (design law 3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: The pack in notation, as `cribboard.cards.PACK` has it; a test says so.
CARDS = tuple(rank + suit for rank in "A23456789TJQK" for suit in "CDHS")

LONGEST_NAME = 12

_MARK = "CRIB"
_SET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NAME = re.compile(rf"[a-z0-9]{{1,{LONGEST_NAME}}}")
_LABEL = re.compile(rf"{_MARK}/([A-Z0-9]{{1,{LONGEST_NAME}}})/([A-Z0-9]{{2}})/([A-Z0-9])")
#: The remains of a label are recognised by the beginning or by the end.
_REMAINS = re.compile(rf"{_MARK[:-1]}|.*/({'|'.join(CARDS)})/|.*/.{{1,{LONGEST_NAME}}}/.{{1,2}}/.$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Label:
    """A valid label: `deck` is lower case, `card` upper case."""

    deck: str
    card: str


@dataclass(frozen=True, slots=True)
class DamagedLabel:
    """A label with a wrong or missing character."""

    text: str


def is_deck_name(name: str) -> bool:
    """Whether this is up to twelve lower-case letters and digits."""
    return _NAME.fullmatch(name) is not None


def write_label(deck: str, card: str) -> str:
    """Return the text to print on a card. Raises ValueError.

    >>> write_label("rouge", "5H")
    'CRIB/ROUGE/5H/1'
    """
    if not is_deck_name(deck):
        raise ValueError(f"{deck!r} is not a name of a deck: up to {LONGEST_NAME} small letters and digits are")
    if card not in CARDS:
        raise ValueError(f"{card!r} is not a card: a rank A23456789TJQK and a suit CDHS are")
    return "/".join((_MARK, deck.upper(), card, check_character(_MARK + deck.upper() + card)))


def read_label(text: str) -> Label | DamagedLabel | None:
    """Return the label in a text, valid or damaged, or None.

    The text may be in upper or lower case.
    >>> read_label("CRIB/ROUGE/5H/1")
    Label(deck='rouge', card='5H')
    >>> read_label("CRIB/ROUGE/6H/1")
    DamagedLabel(text='CRIB/ROUGE/6H/1')
    >>> read_label("5H") is None
    True
    """
    upper = text.upper() if text.isascii() else text
    if found := _LABEL.fullmatch(upper):
        deck, card, check = found.groups()
        if card in CARDS and check == check_character(_MARK + deck + card):
            return Label(deck.lower(), card)
    return DamagedLabel(text) if _REMAINS.match(upper) else None


def may_be_left_of(text: str, label: str) -> bool:
    """Whether a damaged text may come from this label.

    The text may be the beginning or the end of the label, or the whole with one wrong character. The labels of two
    cards differ in at least two characters.

    >>> may_be_left_of("CRIB/ROU", "CRIB/ROUGE/5H/1"), may_be_left_of("CRIB/ROUGE/6H", "CRIB/ROUGE/5H/1")
    (True, False)
    """
    upper, whole = text.upper(), label.upper()
    if len(upper) == len(whole):
        return sum(one != other for one, other in zip(upper, whole, strict=True)) <= 1
    return whole.startswith(upper) or whole.endswith(upper)


def check_character(text: str) -> str:
    """Return the check character of a text (ISO 7064 MOD 37,36).

    >>> check_character("A12425GABC1234002")  # the Global Release Identifier A1-2425G-ABC1234002-M
    'M'
    """
    product = 36
    for character in text:
        product = ((product + _SET.index(character)) % 36 or 36) * 2 % 37
    return _SET[(1 - product) % 36]
