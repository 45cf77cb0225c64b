"""A club's own arithmetic: what standings must say, from the slips alone.

It imports nothing of the product. FADOQ ranks by points; the Jeux 50+ by points, then points for and against; the ACC
by game points, games won, spread, and the sum of the winning margins (rules reference, 3.11, 3.12 and 3.30).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

HOLE = 121
SKUNK = 91  # below it, a loss counts three game points for the winner (ACC)


@dataclass(frozen=True)
class Slip:
    """One game: two entrants, and the points that each pegged."""

    entrants: tuple[int, int]
    scores: tuple[int, int]

    def points(self, entrant: int) -> int:
        return self.scores[self.entrants.index(entrant)]

    def spread(self, entrant: int) -> int:
        return 2 * self.points(entrant) - sum(self.scores)

    def game_points(self, entrant: int) -> int:
        if self.points(entrant) < HOLE:
            return 0
        return 3 if min(self.scores) < SKUNK else 2


@dataclass(frozen=True)
class Match:
    """A match of a play-off: two entrants, and the points that each pegged, game by game."""

    entrants: tuple[int, int]
    games: Sequence[tuple[int, int]]

    def won(self, entrant: int) -> int:
        """Games; nobody wins one that was broken off."""
        side = self.entrants.index(entrant)
        return sum(game[side] == HOLE for game in self.games)

    @property
    def winner(self) -> int:
        return max(self.entrants, key=self.won)


def played_off(level: Collection[int], place: int, matches: Sequence[Match]) -> dict[int, int]:
    """The places of entrants that were level at `place`, by their play-offs in order (rules reference, 3.30)."""
    found = _played_off([*level], place, [*matches])
    below = [each for each in found.values() if each > 3]
    return {entrant: min(below) if each > 3 else each for entrant, each in found.items()}


def _played_off(level: list[int], place: int, matches: list[Match]) -> dict[int, int]:
    ours = [match for match in matches if {*match.entrants} <= {*level}]
    due = 3 if len(level) == 3 else len(level) // 2
    now = ours[:due]
    if len(level) == 1 or place > 3 or len(now) < due:
        return dict.fromkeys(level, place)
    rank: dict[int, tuple[int, int]] = {}
    for entrant in level:
        own = [match for match in now if entrant in match.entrants]
        won = sum(match.winner == entrant for match in own) if own else 1  # a bye is made up by a further round
        rank[entrant] = won, 0
    if len(level) == 3 and len(set(rank.values())) == 1:  # a circle
        for entrant in level:
            own = [match for match in now if entrant in match.entrants]
            rank[entrant] = 1, sum(2 * match.won(entrant) - sum(map(match.won, match.entrants)) for match in own)
    places: dict[int, int] = {}
    for best in sorted(set(rank.values()), reverse=True):
        here = [entrant for entrant in level if rank[entrant] == best]
        places |= _played_off(here, place + len(places), ours[due:])
    return places


@dataclass
class Tally:
    """The slips of an event, by round, table and game, and points that an official took."""

    slips: dict[tuple[int, int, int], Slip] = field(default_factory=dict)
    taken: dict[int, int] = field(default_factory=dict)

    def of(self, entrant: int) -> list[Slip]:
        return [slip for slip in self.slips.values() if entrant in slip.entrants]

    def points(self, entrant: int) -> int:
        return sum(slip.points(entrant) for slip in self.of(entrant)) - self.taken.get(entrant, 0)

    def spread(self, entrant: int) -> int:
        return sum(slip.spread(entrant) for slip in self.of(entrant))

    def game_points(self, entrant: int) -> int:
        return sum(slip.game_points(entrant) for slip in self.of(entrant)) - self.taken.get(entrant, 0)

    def wins(self, entrant: int) -> int:
        return sum(slip.points(entrant) == HOLE for slip in self.of(entrant))

    def plus_points(self, entrant: int) -> int:
        return sum(max(slip.spread(entrant), 0) for slip in self.of(entrant))

    def fadoq(self, entrant: int) -> tuple[int, ...]:
        return (self.points(entrant),)

    def jeux50(self, entrant: int) -> tuple[int, ...]:
        return self.points(entrant), self.spread(entrant)

    def acc(self, entrant: int) -> tuple[int, ...]:
        return self.game_points(entrant), self.wins(entrant), self.spread(entrant), self.plus_points(entrant)

    def places(self, ranked: Collection[int], by: Callable[[int], tuple[int, ...]]) -> dict[int, int]:
        """The place of each: one more than how many have more. Level entrants share it."""
        return {one: 1 + sum(by(other) > by(one) for other in ranked) for one in ranked}
