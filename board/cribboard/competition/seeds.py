"""Seed an elimination by the places of an earlier competition."""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.competition.season import Finish, known_by
from cribboard.competition.view import EntrantView


def seeds_from(entrants: Sequence[EntrantView], finishes: Sequence[Finish]) -> tuple[tuple[int, ...], int]:
    """Sort all entrants by strength, best first; also return how many of them have a place there.

    A player or a team is known by its players, as in a season: case, accents and spaces do not matter. Level
    entrants keep the order of the standings; those without a place follow in the order of registration.
    """
    rank = {known_by(finish.players): at for at, finish in enumerate(finishes)}
    placed = [entrant for entrant in entrants if known_by(entrant.players) in rank]
    placed.sort(key=lambda entrant: rank[known_by(entrant.players)])
    others = [entrant for entrant in entrants if entrant not in placed]
    return tuple(entrant.number for entrant in (*placed, *others)), len(placed)
