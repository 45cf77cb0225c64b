"""Seatings of rounds, as plain data.

Entrants are numbers that the caller chooses. Tables count from 1.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants that play each other at a table."""

    table: int
    entrants: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Seating:
    """The seating of one round (3.13, 3.30)."""

    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()  # entrants without an opponent
    waiting: tuple[int, ...] = ()  # entrants without a table, the one who waited longest first

    @property
    def entrants(self) -> tuple[int, ...]:
        """The entrants at tables, then all others."""
        return (*(entrant for pairing in self.pairings for entrant in pairing.entrants), *self.byes, *self.waiting)
