"""The bracket of an elimination, and how far each entrant came.

A bracket is a list of matches whose two places are filled by a seed or by an earlier match. The strongest seeds meet
last, and have the byes where the entrants are no power of two. In a double elimination the loser of a match goes to the
losers' bracket, whose winner plays the final and must win it twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Seed:
    """The entrant at index `rank` in the list of seeds.

    A rank beyond the end of the list gives the opponent a bye."""

    rank: int


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """The winner of the match at index `match` of the bracket."""

    match: int


@dataclass(frozen=True, slots=True)
class LoserOf:
    """The loser of the match at index `match` of the bracket."""

    match: int


Place = Seed | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True)
class EliminationMatch:
    """A match of a bracket.

    The loser of a match with a higher `level` ranks better."""

    places: tuple[Place, Place]
    level: int


@dataclass(frozen=True, slots=True)
class BracketState:
    """The pairs that can play now, and how far entrants came."""

    due: tuple[tuple[int, int], ...]  # pairs that are known and have not met
    lasted: dict[int, int]  # by entrant: the level at which it went out; who is still in, above every level


@lru_cache(16)
def single(entrants: int) -> tuple[EliminationMatch, ...]:
    """List the matches of a single elimination in playing order.

    >>> [match.places for match in single(3)]
    [(Seed(rank=0), Seed(rank=3)), (Seed(rank=1), Seed(rank=2)), (WinnerOf(match=0), WinnerOf(match=1))]
    """
    matches: list[EliminationMatch] = []
    places = _seeded(entrants)
    level = 0
    while len(places) > 1:
        level += 1
        places = _add_matches(matches, places[::2], places[1::2], level)
    return tuple(matches)


@lru_cache(16)
def double(entrants: int) -> tuple[EliminationMatch, ...]:
    """List the matches of a double elimination in playing order.

    The last two are the final and its repeat, which is played if the winner of the losers' bracket wins the final."""
    matches: list[EliminationMatch] = []
    winners = _seeded(entrants)
    losers: list[Place] = []
    turned = True
    level = 0
    while len(winners) > 1:
        first = len(matches)
        winners = _add_matches(matches, winners[::2], winners[1::2], level)
        fallen: list[Place] = [LoserOf(index) for index in range(first, len(matches))]
        if losers:
            level += 1
            # Every other time turned round, so that a pair from the winners' bracket meets again late.
            losers = _add_matches(matches, losers, fallen[::-1] if turned else fallen, level)
            turned = not turned
        else:
            losers = fallen
        if len(losers) > 1:
            level += 1
            losers = _add_matches(matches, losers[::2], losers[1::2], level)
    final = len(matches)
    _add_matches(matches, [winners[0]], [losers[0]], level + 1)
    _add_matches(matches, [WinnerOf(final)], [LoserOf(final)], level + 1)
    return tuple(matches)


def resolve(
    matches: Sequence[EliminationMatch],
    seeds: Sequence[int],
    winners: Mapping[frozenset[int], Sequence[int | None]],
    *,
    lives: int,
    gone: Collection[int] = (),
) -> BracketState:
    """Find the state of a bracket from its seeds and winners.

    `seeds` has the strongest entrant first. `winners` has, for two entrants, the winner of each of their matches in the
    order of play; None while it is open. After as many defeats as `lives` an entrant is out. An entrant in `gone` loses
    every match that it has not played.
    """
    met: Counter[frozenset[int]] = Counter()
    losses: Counter[int] = Counter()
    lasted = dict.fromkeys(seeds, max(match.level for match in matches) + 1)
    due: list[tuple[int, int]] = []
    ended: list[tuple[int | None, int | None]] = []  # winner and loser of each match: 0 nobody, None not known

    def filled(place: Place) -> int | None:
        if isinstance(place, Seed):
            return seeds[place.rank] if place.rank < len(seeds) else 0
        return ended[place.match][isinstance(place, LoserOf)]

    def played(first: int, second: int) -> int | None:
        pair = frozenset((first, second))
        matches_played = winners.get(pair, ())
        if met[pair] < len(matches_played):
            met[pair] += 1
            return matches_played[met[pair] - 1]
        if first in gone or second in gone:
            return second if first in gone else first
        due.append((first, second))
        return None

    for match in matches:
        first, second = map(filled, match.places)
        if first is None or second is None:
            ended.append((None, None))
        elif not first or not second:
            ended.append((first or second, 0))
        elif losses[second] >= lives or losses[first] >= lives:  # the final need not be played again
            ended.append((second if losses[first] >= lives else first, 0))
        elif (winner := played(first, second)) is None:
            ended.append((None, None))
        else:
            loser = second if winner == first else first
            losses[loser] += 1
            if losses[loser] >= lives:
                lasted[loser] = match.level
            ended.append((winner, loser))
    return BracketState(tuple(due), lasted)


def _add_matches(
    matches: list[EliminationMatch], ones: Sequence[Place], others: Sequence[Place], level: int
) -> list[Place]:
    """Add a match for each pair from `ones` and `others`.

    Returns a `WinnerOf` for each match."""
    first = len(matches)
    matches.extend(EliminationMatch(places, level) for places in zip(ones, others, strict=True))
    return [WinnerOf(index) for index in range(first, len(matches))]


def _seeded(entrants: int) -> list[Place]:
    """List the seeds in the order of the first matches."""
    ranks = [0]
    while len(ranks) < max(entrants, 2):
        ranks = [one for rank in ranks for one in (rank, 2 * len(ranks) - 1 - rank)]
    return [Seed(rank) for rank in ranks]
