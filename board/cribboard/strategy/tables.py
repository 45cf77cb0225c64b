"""The lookup tables of the strategy.

The numbers are in `cribboard.strategy.tables_data`, which `python -m tools.discards` writes. There is a set for the
deal of each preset; house rules take the set of the deal that is nearest to theirs.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from cribboard.rules import Rules
from cribboard.strategy.ranks import Ranks, multisets
from cribboard.strategy.tables_data import WrittenTables, five_card, partners, six_card, six_player, three_player


class SeatTables(NamedTuple):
    """The lookup tables for one seat, with ranks as keys.

    `crib`: the mean points of the crib by the cards that this seat gives to it.
    `kept`: of the hands that hold these cards, the share that keeps them, 0 to 1.
    """

    crib: Mapping[Ranks, float]
    kept: Mapping[Ranks, float]


def tables_of(rules: Rules, *, is_own_crib: bool) -> SeatTables:
    """Return the lookup tables for a seat under these rules.

    `is_own_crib` says whether the seat's side owns the crib."""
    deal = rules.deal_and_play
    if deal.discards == 1:
        written = {4: partners.TABLES, 6: six_player.TABLES}.get(deal.players, three_player.TABLES)
    else:
        written = six_card.TABLES if deal.hand_size == 4 else five_card.TABLES
    return _read(written, is_own_crib)


@cache
def _read(written: WrittenTables, is_own_crib: bool) -> SeatTables:
    side = written.owner if is_own_crib else written.other
    kept = [share / 255 for share in b64decode(side.kept)]
    return SeatTables(
        crib=dict(zip(multisets(written.discards), side.crib, strict=True)),
        kept=dict(zip(multisets(written.keeps), kept, strict=True)),
    )
