"""The tables that a player knows by heart: the value of a crib, and the hands that others keep.

The numbers are in `cribboard.strategy.tables_data`, which `python -m tools.discards` writes. There is a set for the
deal of each preset; house rules take the set of the deal that is nearest to theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from cribboard.rules import Rules
from cribboard.strategy.ranks import Ranks, multisets
from cribboard.strategy.tables_data import five_card, partners, six_card, six_player, three_player


class SeatTables(NamedTuple):
    """The tables of a seat, by ranks.

    `crib`: the mean points of the crib by the cards that this seat gives to it.
    `kept`: of the hands that hold these cards, the share that keeps them, 0 to 1.
    """

    crib: Mapping[Ranks, float]
    kept: Mapping[Ranks, float]


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of one deal: for a seat whose side owns the crib, and for another seat."""

    owner: SeatTables
    other: SeatTables

    def of(self, *, is_own_crib: bool) -> SeatTables:
        """The tables for a seat."""
        return self.owner if is_own_crib else self.other


def tables_of(rules: Rules) -> Tables:
    """The tables for these rules."""
    deal = rules.deal_and_play
    name = "six_card" if deal.hand_size == 4 else "five_card"
    if deal.discards == 1:
        name = {4: "partners", 6: "six_player"}.get(deal.players, "three_player")
    return _read(name)


_WRITTEN = {
    "six_card": six_card.TABLES,
    "five_card": five_card.TABLES,
    "three_player": three_player.TABLES,
    "partners": partners.TABLES,
    "six_player": six_player.TABLES,
}


@cache
def _read(name: str) -> Tables:
    written = _WRITTEN[name]
    owner, other = (
        SeatTables(
            crib=dict(zip(multisets(written.discards), side.crib, strict=True)),
            kept=dict(zip(multisets(written.keeps), numbers(side.kept, 2, 255), strict=True)),
        )
        for side in (written.owner, written.other)
    )
    return Tables(owner, other)


def numbers(written: str, digits: int, one: int) -> list[float]:
    """Read the numbers of a text. Each has `digits` hexadecimal digits, and the value `one` means 1.

    >>> numbers("00 33", 2, 255)
    [0.0, 0.2]
    """
    joined = "".join(written.split())
    return [int(joined[place : place + digits], 16) / one for place in range(0, len(joined), digits)]
