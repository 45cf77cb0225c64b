"""Rank the entrants of a season over several competitions.

Each competition gives points to everybody who has a place in it, and the best results count. Level entrants of a
competition share the points of their places. Names are compared without case, accents and double spaces; a team is its
players, whatever it is called. The places of a competition may also seed an elimination. No source has season rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any

from cribboard.competition.names import looks_like
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.tally import Amount, int_if_whole
from cribboard.competition.terms import CompetitionPhase, RankingCriterion
from cribboard.competition.view import CompetitionView, EntrantView
from cribboard.validation import Message, ValidationError, any_of, not_allowed, or_else, placed, whole_number


class SeasonError(ValidationError):
    """The season cannot be ranked."""


class PointsBy(StrEnum):
    """The way in which a competition gives points for the season."""

    PLACE = "place"  # those of `places`
    AMOUNT = "amount"  # the first amount of its ranking, such as its pegged points


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRule:
    """The rule by which a season is ranked."""

    counting: int | None = None  # how many results count, the best ones; None: all
    points: PointsBy = PointsBy.PLACE
    places: tuple[int, ...] = (10, 8, 6, 5, 4, 3, 2)  # points of the first place, the second, and so on
    others: int = 1  # points of each place below those
    min_events: int = 1  # an entrant with places in fewer competitions has no place in the season


#: What each field of a rule allows, in words.
ALLOWED: Mapping[str, str] = {
    "counting": or_else(whole_number(1, 99), "all"),
    "points": any_of(PointsBy),
    "places": Message(
        "season.places", "a list of 1 to 99 whole numbers from 0 to 9999, none greater than the one before"
    ),
    "others": Message("season.others", "a whole number from 0 to 9999, not greater than the last of places"),
    "min_events": whole_number(1, 99),
}


@dataclass(frozen=True, slots=True)
class Finish:
    """The place of one entrant at the end of a competition."""

    name: str  # in public
    players: tuple[str, ...]  # by whom it is known again
    place: int
    amount: Amount  # the first of the ranking


@dataclass(frozen=True, slots=True)
class SeasonOutcome:
    """The places of one competition of a season."""

    name: str
    date: str
    ranked_by: RankingCriterion  # the first of the ranking
    finishes: tuple[Finish, ...]  # by place; without guests and those who left


@dataclass(frozen=True, slots=True)
class SeasonResult:
    """The place and points of an entrant in one competition."""

    event: int  # index of the competition
    place: int
    points: Amount
    counts: bool  # whether it is among the best


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """An entrant in the ranking of a season."""

    place: int | None  # None for too few competitions
    name: str  # as in its latest competition
    results: tuple[SeasonResult, ...]  # in the order of the competitions
    total: Amount  # of the results that count
    separated_by: int | None  # from the row above: 0 the total, n the n-th best result; None where they are level
    level_with: tuple[str, ...]  # the names of those who share its place


def read_rule(written: Mapping[str, Any]) -> SeasonRule:
    """Read a rule from a mapping, such as a TOML table.

    Raises `SeasonError` with every problem.

    >>> read_rule({"counting": 8, "places": [5, 3, 1], "others": 0}).counting
    8
    >>> read_rule({"points": "medals"})
    Traceback (most recent call last):
    cribboard.competition.season.SeasonError: points = 'medals': allowed is place or amount.
    """
    values: dict[str, Any] = {}
    problems: list[Message] = []
    for name, value in written.items():
        match name:
            case "counting" if value == "all":
                values[name] = None
            case "counting" | "min_events" if _is_whole(value, 1, 99):
                values[name] = value
            case "others" if _is_whole(value, 0, 9999):
                values[name] = value
            case "points" if value in tuple(PointsBy):
                values[name] = PointsBy(str(value))
            case "places" if _are_places(value):
                values[name] = tuple(value)
            case _ if name in ALLOWED:
                problems.append(_refused(name, value))
            case _:
                problems.append(
                    Message(
                        "season.no_field",
                        "{name}: there is no such field; allowed are {known}.",
                        name=name,
                        known=", ".join(ALLOWED),
                    )
                )
    rule = replace(SeasonRule(), **values)
    if "others" not in values:
        rule = replace(rule, others=min(rule.others, rule.places[-1]))
    elif rule.others > rule.places[-1]:
        problems.append(_refused("others", rule.others))
    if problems:
        raise SeasonError(tuple(sorted(problems)))
    return rule


def outcome(heading: CompetitionHeading, view: CompetitionView) -> SeasonOutcome:
    """Make the `SeasonOutcome` of a competition from the organiser's view.

    Raises `SeasonError` until the results are open."""
    if view.phase is not CompetitionPhase.OPEN:
        not_open = Message("season.not_open", "its results are not open.")
        raise SeasonError((placed(heading.name or heading.date, not_open),))
    finishes = [
        Finish(entrant.shown_as or entrant.name, entrant.players, row.place, row.amounts[0][1])
        for row in view.standings
        if row.place is not None and (entrant := view.entrants[row.entrant - 1])
    ]
    return SeasonOutcome(heading.name, heading.date, heading.format.ranking[0], tuple(finishes))


def ranking(rule: SeasonRule, outcomes: Sequence[SeasonOutcome]) -> tuple[SeasonRow, ...]:
    """Rank the entrants of these competitions.

    Entrants who took part too rarely are listed after the others, sorted by name.

    The higher total is first, then the better best result that counts, then the next best. Raises `SeasonError`."""
    problems = [*_of_amounts(rule, outcomes), *_with_same_names(outcomes)]
    if problems:
        raise SeasonError(tuple(problems))
    entrants: dict[tuple[str, ...], _Season] = {}
    for event, past in enumerate(outcomes):
        worth = _points(rule, past)
        for finish in past.finishes:
            season = entrants.setdefault(_known_by(finish.players), _Season())
            season.name = finish.name
            season.results.append(SeasonResult(event, finish.place, worth[finish], counts=False))
    ranked = [season.row(rule) for season in entrants.values() if len(season.results) >= rule.min_events]
    others = [season.row(rule) for season in entrants.values() if len(season.results) < rule.min_events]
    by_name = sorted(others, key=lambda row: looks_like(row.name))
    return (*_placed(ranked), *by_name)


@dataclass(slots=True)
class _Season:
    """The collected results of one entrant in a season."""

    name: str = ""
    results: list[SeasonResult] = field(default_factory=list)

    def row(self, rule: SeasonRule) -> SeasonRow:
        """Make the row of this entrant, without a place yet.

        If results are equal, the earlier result counts before the later one."""
        best = sorted(self.results, key=lambda result: -result.points)[: rule.counting]
        counted = {result.event for result in best}
        results = tuple(replace(result, counts=result.event in counted) for result in self.results)
        total = int_if_whole(sum((Fraction(result.points) for result in best), Fraction()))
        return SeasonRow(None, self.name, results, total, None, ())


def _placed(rows: Sequence[SeasonRow]) -> Iterator[SeasonRow]:
    """Sort the rows, and yield each row with its place."""
    most = max((len(row.results) for row in rows), default=0)

    def compared(row: SeasonRow) -> list[Amount]:
        best = sorted((result.points for result in row.results if result.counts), reverse=True)
        return [row.total, *best, *[0] * (most - len(best))]

    ordered = sorted(rows, key=lambda row: ([-amount for amount in compared(row)], looks_like(row.name)))
    place = 1
    above: list[Amount] = []
    for amounts, level in groupby(ordered, key=compared):
        group = [*level]
        separated_by = next(
            (at for at, (one, other) in enumerate(zip(above, amounts, strict=False)) if one != other), None
        )
        for row in group:
            names = tuple(other.name for other in group if other is not row)
            yield replace(row, place=place, separated_by=separated_by if row is group[0] else None, level_with=names)
        place, above = place + len(group), amounts


def _points(rule: SeasonRule, past: SeasonOutcome) -> dict[Finish, Amount]:
    """Return the season points that each place gives.

    If points go by place, tied entrants share the points of the places that they take together."""
    if rule.points is PointsBy.AMOUNT:
        return {finish: finish.amount for finish in past.finishes}
    found: dict[Finish, Amount] = {}
    by_place = attrgetter("place")
    for place, level in groupby(sorted(past.finishes, key=by_place), key=by_place):
        group = [*level]
        points = (*rule.places[place - 1 : place - 1 + len(group)], *[rule.others] * len(group))
        found |= dict.fromkeys(group, int_if_whole(Fraction(sum(points[: len(group)]), len(group))))
    return found


def _known_by(players: Sequence[str]) -> tuple[str, ...]:
    """Make the key that identifies these players in other competitions."""
    return tuple(sorted(map(looks_like, players)))


def seeds_from(entrants: Sequence[EntrantView], finishes: Sequence[Finish]) -> tuple[tuple[int, ...], int]:
    """Sort the entrants by their places in an earlier competition.

    Return their numbers, and how many have a place there.

    Level entrants keep the order of the standings; those without a place follow in the order of registration.
    """
    rank = {_known_by(finish.players): at for at, finish in enumerate(finishes)}
    placed = [entrant for entrant in entrants if _known_by(entrant.players) in rank]
    placed.sort(key=lambda entrant: rank[_known_by(entrant.players)])
    others = [entrant for entrant in entrants if entrant not in placed]
    return tuple(entrant.number for entrant in (*placed, *others)), len(placed)


def _of_amounts(rule: SeasonRule, outcomes: Sequence[SeasonOutcome]) -> Iterator[str]:
    first = {past.ranked_by for past in outcomes}
    if rule.points is PointsBy.AMOUNT and len(first) > 1:
        yield Message(
            "season.amounts",
            "points = amount: the competitions are ranked by {criteria}, which cannot be added up.",
            criteria=", ".join(sorted(first)),
        )


def _with_same_names(outcomes: Sequence[SeasonOutcome]) -> Iterator[str]:
    """Yield an error for each two entrants with the same players.

    They would be of the same competition."""
    for past in outcomes:
        seen: dict[tuple[str, ...], Finish] = {}
        for finish in past.finishes:
            other = seen.setdefault(_known_by(finish.players), finish)
            if other is not finish:
                alike = Message(
                    "season.alike",
                    "{one} and {other} have the same players but for case and accents; rename one.",
                    one=other.name,
                    other=finish.name,
                )
                yield placed(past.name or past.date, alike)


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _are_places(value: object) -> bool:
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= 99:
        return False
    return all(_is_whole(points, 0, 9999) for points in value) and [*value] == sorted(value, reverse=True)


def _refused(name: str, value: object) -> Message:
    return not_allowed(name, repr(value), ALLOWED[name])
