"""Tallies: the sums by which entrants are ranked."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from cribboard.competition.position import CompetitionPosition, Result, winner_of
from cribboard.competition.rounds import bracket
from cribboard.competition.scorecard import game_points, spreads
from cribboard.competition.terms import Missing, RankingCriterion
from cribboard.rules import GameRules

Amount = int | Fraction


@dataclass(slots=True)
class Tally:
    """The sums of one entrant over the results that count."""

    played: int = 0  # games
    wins: int = 0
    points: int = 0
    spread: int = 0
    game_points: int = 0
    plus_points: int = 0
    matches: int = 0  # won
    lasted: int = 0  # the level of an elimination that it reached
    met: int = 0  # games, or matches, that are over: what `missing` is counted in
    byes: int = 0
    missing: int = 0  # games, or matches, fewer than the most that a ranked entrant has


def tallies(p: CompetitionPosition) -> dict[int, Tally]:
    """Add up the results of each entrant, without play-offs (3.30)."""
    found = {entrant.number: Tally() for entrant in p.entrants}
    game = p.format.game_rules.game
    for _, encounter in p.encounters():
        both = (found[encounter.entrants[0]], found[encounter.entrants[1]])
        for result in encounter.results:
            if result.counts:
                _add(both, result, game)
        if encounter.games is None:
            winner = winner_of(p, encounter)
            for number, tally in zip(encounter.entrants, both, strict=True):
                tally.matches += winner == number
                tally.met += winner is not None
    for round_ in p.rounds:
        if not round_.play_off:
            for number in round_.played.byes:
                found[number].byes += round_.number > p.entrant(number).since
    if p.format.is_elimination:
        if p.seeds:
            for number, level in bracket(p).lasted.items():
                found[number].lasted = level
        return found
    if not p.format.is_match:
        for tally in found.values():
            tally.met = tally.played
    most = max((found[entrant.number].met for entrant in p.entrants if entrant.is_ranked), default=0)
    for tally in found.values():
        tally.missing = max(0, most - tally.met)
    return found


def ranking_amount(p: CompetitionPosition, number: int, tally: Tally, criterion: RankingCriterion) -> Amount:
    """Return the value by which this criterion ranks the entrant.

    It is the sum, with missing games counted as set, less penalties if the criterion is the first. `LASTED` is the sum
    alone. An own average is exact (3.31)."""
    total: Amount = getattr(tally, criterion)
    if criterion is RankingCriterion.LASTED:
        return total
    if p.missing is Missing.AVERAGE:
        total = with_average_for_missing(total, tally)
    if criterion is p.format.ranking[0]:
        total -= sum(penalty.points for penalty in p.entrant(number).penalties)
    return total


def with_average_for_missing(total: Amount, tally: Tally) -> Amount:
    """Add the entrant's average for each missing game or match (3.31).

    >>> with_average_for_missing(10, Tally(met=4, missing=2))
    15
    """
    if not tally.missing or not tally.met:
        return total
    return int_if_whole(Fraction(total * (tally.met + tally.missing), tally.met))


def int_if_whole(amount: Fraction) -> Amount:
    """Return the amount, as an `int` if it is whole."""
    return amount.numerator if amount.denominator == 1 else amount


def _add(both: tuple[Tally, Tally], result: Result, game: GameRules) -> None:
    for side, tally in enumerate(both):
        spread = spreads(result)[side]
        tally.played += 1
        tally.points += result.scores[side]
        tally.spread += spread
        if result.winner == side:
            tally.wins += 1
            tally.plus_points += spread
            tally.game_points += game_points(result.scores[1 - side], game)
