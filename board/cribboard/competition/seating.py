"""Seatings: plain data that a schedule makes and a competition records.

Entrants are numbers that the caller chooses. Tables count from 1.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants at a table."""

    table: int
    entrants: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Seating:
    """One round: who plays, who has a bye, and who waits because there are too few tables (3.13, 3.30)."""

    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()  # entrants without an opponent
    waiting: tuple[int, ...] = ()  # entrants without a table, the one who waited longest first

    @property
    def entrants(self) -> tuple[int, ...]:
        """Everybody who is named, in the order of tables, byes and waiting list."""
        return (*(entrant for pairing in self.pairings for entrant in pairing.entrants), *self.byes, *self.waiting)
