"""Tables of numbers for `cribboard.strategy`.

Each kind of deal has a module, and the end of a game has one. `python -m tools.discards` writes the modules, and
documents how the numbers are computed.
"""

from __future__ import annotations

from typing import NamedTuple


class WrittenSide(NamedTuple):
    """The lookup tables for a side with, or without, the crib.

    The values are in the order of `multisets`. `crib`: the mean points of the crib by the ranks that the seat gives to
    it. `kept`: the share of hands that keep these ranks, in base 64: a byte each, in parts of 255.
    """

    crib: tuple[float, ...]
    kept: str


class WrittenTables(NamedTuple):
    """The lookup tables for one kind of deal.

    A seat discards and keeps this many cards. A seat whose side owns the crib is an `owner`, any other seat `other`."""

    discards: int
    keeps: int
    owner: WrittenSide
    other: WrittenSide
