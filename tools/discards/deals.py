"""The deals of the presets: the cards that a seat gets and discards, and who gives the rest of the crib."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto


class Giver(Enum):
    """The givers of the other cards of a crib."""

    OWNER = auto()  # a seat of the side that counts the crib
    OTHER = auto()  # a seat of another side
    PACK = auto()  # the pack, one card


@dataclass(frozen=True, slots=True)
class DealShape:
    """A kind of deal: the numbers of cards that a seat gets and discards, and the givers of the rest of the crib.

    `to_own`, `to_theirs`: the givers of all other cards, for a player whose side counts the crib and for one of
    another side.
    """

    cards_dealt: int
    discards: int
    to_own: tuple[Giver, ...]
    to_theirs: tuple[Giver, ...]

    @property
    def kept(self) -> int:
        """The number of cards that a seat keeps."""
        return self.cards_dealt - self.discards


_OWNER, _OTHER, _PACK = Giver

DEALS: Mapping[str, DealShape] = {
    "six_card": DealShape(6, 2, to_own=(_OTHER,), to_theirs=(_OWNER,)),
    "five_card": DealShape(5, 2, to_own=(_OTHER,), to_theirs=(_OWNER,)),
    "three_player": DealShape(5, 1, to_own=(_OTHER, _OTHER, _PACK), to_theirs=(_OWNER, _OTHER, _PACK)),
    "partners": DealShape(5, 1, to_own=(_OWNER, _OTHER, _OTHER), to_theirs=(_OWNER, _OWNER, _OTHER)),
    "six_player": DealShape(5, 1, to_own=(_OTHER, _OTHER, _OTHER), to_theirs=(_OWNER, _OTHER, _OTHER)),
}
"""By the module of their tables. Of six seats the dealer and another give none."""
