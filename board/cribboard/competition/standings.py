"""Standings: the place of each entrant at any moment.

Rules reference, 3.11, 3.12 and 3.30.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from cribboard.competition.position import CompetitionPosition, Entrant, winner_of
from cribboard.competition.tally import Amount, Tally, ranking_amount, tallies
from cribboard.competition.terms import EntrantKind, EntrantStatus, RankingCriterion


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """The row of one entrant in the standings, in codes and numbers.

    Other modules put the codes into words."""

    place: int | None  # None for guests, and for those who left or never came
    entrant: int
    part: EntrantKind
    status: EntrantStatus
    played: int  # games
    missing: int  # games, or matches, fewer than the most that a ranked entrant has: marked if not 0 (3.31)
    byes: int  # since it was checked in
    penalty: int  # points that were taken, already off the first amount
    amounts: tuple[tuple[RankingCriterion, Amount], ...]  # what was compared, the first first
    separated_by: RankingCriterion | None  # what puts it below the row above; None for the first, or for a tie
    level_with: tuple[int, ...]  # entrants that share its place


@dataclass(frozen=True, slots=True)
class StandingsGroup:
    """The entrants at one place of the standings."""

    place: int
    entrants: tuple[int, ...]
    separated_by: RankingCriterion | None  # from the group above
    play_offs: int  # that these entrants have finished among themselves


def standings(p: CompetitionPosition) -> tuple[StandingsRow, ...]:
    """Make the rows of all entrants, the ranked entrants first."""
    sheet = _sheet(p)
    rows = [_row(sheet, p.entrant(number), group) for group in _groups(sheet) for number in group.entrants]
    rows += [_row(sheet, entrant, None) for entrant in p.entrants if not entrant.is_ranked]
    return tuple(rows)


def groups(p: CompetitionPosition) -> tuple[StandingsGroup, ...]:
    """Group the ranked entrants by place."""
    return tuple(_groups(_sheet(p)))


def play_off_pairs(p: CompetitionPosition, group: StandingsGroup) -> list[tuple[int, int]]:
    """List the pairs already drawn for the group's next play-off."""
    members = set(group.entrants)
    return [
        encounter.entrants
        for _, encounter in p.encounters(play_off=group.play_offs + 1)
        if members.issuperset(encounter.entrants)
    ]


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The amounts by which entrants are compared for the standings.

    `noted` collects the amounts that are compared only between level entrants."""

    p: CompetitionPosition
    tallies: dict[int, Tally]
    amounts: dict[int, dict[RankingCriterion, Amount]]  # by entrant
    noted: dict[int, list[tuple[RankingCriterion, Amount]]]  # by entrant: head to head, play-offs

    def note(self, criterion: RankingCriterion, amounts: dict[int, Amount]) -> None:
        """Store amounts that are compared only between tied entrants.

        The amounts of all play-offs after the first are added up."""
        for number, value in amounts.items():
            noted = self.noted.setdefault(number, [])
            if criterion is RankingCriterion.PLAY_OFF_FURTHER:
                value += dict(noted).get(criterion, 0)
                noted[:] = [entry for entry in noted if entry[0] is not criterion]
            noted.append((criterion, value))


def _sheet(p: CompetitionPosition) -> _Sheet:
    found = tallies(p)
    head_to_head = RankingCriterion.HEAD_TO_HEAD
    summed: list[RankingCriterion] = [criterion for criterion in p.format.ranking if criterion is not head_to_head]
    amounts = {
        number: {criterion: ranking_amount(p, number, tally, criterion) for criterion in summed}
        for number, tally in found.items()
    }
    return _Sheet(p, found, amounts, {})


def _row(sheet: _Sheet, entrant: Entrant, group: StandingsGroup | None) -> StandingsRow:
    tally = sheet.tallies[entrant.number]
    return StandingsRow(
        place=group.place if group else None,
        entrant=entrant.number,
        part=entrant.part,
        status=entrant.status,
        played=tally.played,
        missing=tally.missing if group else 0,
        byes=tally.byes,
        penalty=sum(penalty.points for penalty in entrant.penalties),
        amounts=(*sheet.amounts[entrant.number].items(), *sheet.noted.get(entrant.number, ())),
        separated_by=group.separated_by if group and group.entrants[0] == entrant.number else None,
        level_with=_others(group.entrants, entrant.number) if group else (),
    )


def _others(group: tuple[int, ...], entrant: int) -> tuple[int, ...]:
    """Return the group without this entrant.

    Slices are fast for hundreds of tied entrants."""
    at = group.index(entrant)
    return group[:at] + group[at + 1 :]


def _groups(sheet: _Sheet) -> Iterator[StandingsGroup]:
    ranked = [entrant.number for entrant in sheet.p.entrants if entrant.is_ranked]
    place = 1
    for members, separated_by in _split_by_criteria(sheet, ranked, sheet.p.format.ranking):
        for group in _split_by_play_offs(sheet, StandingsGroup(place, members, separated_by, 0)):
            yield group
            place += len(group.entrants)


def _split_by_criteria(
    sheet: _Sheet, members: Sequence[int], ranking: Sequence[RankingCriterion]
) -> Iterator[tuple[tuple[int, ...], RankingCriterion | None]]:
    """Split the members by the criteria, one after the other.

    Nothing separates the first part from the entrants above it."""
    if len(members) < 2 or not ranking:
        if members:
            yield tuple(members), None
        return
    criterion, *rest = ranking
    if criterion is not RankingCriterion.HEAD_TO_HEAD:
        amounts = {number: sheet.amounts[number][criterion] for number in members}
    elif len(members) == 2:
        amounts = _head_to_head(sheet.p, members)
        sheet.note(criterion, amounts)
    else:
        yield from _split_by_criteria(sheet, members, rest)
        return
    for index, part in enumerate(_parts(members, amounts)):
        for inner, (level, separated_by) in enumerate(_split_by_criteria(sheet, part, rest)):
            yield level, criterion if index and not inner else separated_by


def _parts(members: Sequence[int], amounts: Mapping[int, Amount]) -> list[tuple[int, ...]]:
    """Group the members by equal amounts, the greatest first."""
    ordered = sorted(members, key=lambda number: (-amounts[number], number))
    return [tuple(part) for _, part in groupby(ordered, key=amounts.__getitem__)]


def _head_to_head(p: CompetitionPosition, members: Sequence[int]) -> dict[int, Amount]:
    """Count the games that each of two entrants won against the other."""
    won: dict[int, Amount] = dict.fromkeys(members, 0)
    for _, encounter in p.encounters():
        if set(encounter.entrants) == set(members):
            for result in encounter.results:
                if result.counts and result.winner is not None:
                    won[encounter.entrants[result.winner]] += 1
    return won


def _split_by_play_offs(sheet: _Sheet, group: StandingsGroup) -> Iterator[StandingsGroup]:
    """Split a group of tied entrants by their play-offs.

    Entrants below the medals are not split, but share a place (3.30)."""
    parts = list(_after_play_offs(sheet, group))
    form = sheet.p.format
    below = [part for part in parts if part.place > form.medals and form.version > 1]
    yield from parts[: len(parts) - len(below)]
    if below:
        members = tuple(sorted(number for part in below for number in part.entrants))
        yield StandingsGroup(below[0].place, members, below[0].separated_by, below[0].play_offs)


def _after_play_offs(sheet: _Sheet, group: StandingsGroup) -> Iterator[StandingsGroup]:
    """Split a group by its finished play-offs for a medal.

    Matches won decide; if each of three won one, games won less games lost. The bye of an odd number counts as a match
    won; the next play-off decides (3.30)."""
    p = sheet.p
    number = group.play_offs + 1
    if len(group.entrants) < 2 or group.place > p.format.medals or (found := _play_off(p, group)) is None:
        yield group
        return
    if p.format.version == 1:
        by, criterion, compared = RankingCriterion.PLAY_OFF, RankingCriterion.PLAY_OFF_POINTS, found.points
    else:
        by = RankingCriterion.PLAY_OFF if number == 1 else RankingCriterion.PLAY_OFF_FURTHER
        in_a_circle = len(group.entrants) == 3 and set(found.won.values()) == {1}
        criterion, compared = RankingCriterion.PLAY_OFF_GAMES, found.games if in_a_circle else {}
    sheet.note(by, found.won)
    if compared:
        sheet.note(criterion, compared)

    won: dict[int, Amount] = {entrant: found.won.get(entrant, 1) for entrant in group.entrants}
    place = group.place
    for index, part in enumerate(_parts(group.entrants, won)):
        levels = _parts(part, compared) if compared.keys() >= {*part} else [part]
        for inner, members in enumerate(levels):
            above = criterion if inner else by if index else group.separated_by
            yield from _after_play_offs(sheet, StandingsGroup(place, members, above, number))
            place += len(members)


@dataclass(frozen=True, slots=True)
class _PlayOff:
    """The results of a finished play-off, summed up for each entrant.

    An entrant with a bye has none."""

    won: dict[int, Amount]  # matches
    games: dict[int, Amount]  # won, less those lost
    points: dict[int, Amount]  # pegged


def _play_off(p: CompetitionPosition, group: StandingsGroup) -> _PlayOff | None:
    """Return the results of the group's latest play-off.

    None until that play-off is finished. `group.play_offs` is the number of earlier play-offs."""
    pairs = play_off_pairs(p, group)
    if len(pairs) < pairs_of_play_off(len(group.entrants)):
        return None
    nothing: dict[int, Amount] = {number: 0 for pair in pairs for number in pair}
    found = _PlayOff({**nothing}, {**nothing}, {**nothing})
    for _, encounter in p.encounters(play_off=group.play_offs + 1):
        if encounter.entrants not in pairs:
            continue
        winner = winner_of(p, encounter)
        if winner is None:
            return None
        found.won[winner] += 1
        for result in encounter.results:
            if result.counts:
                for side, (number, score) in enumerate(zip(encounter.entrants, result.scores, strict=True)):
                    found.points[number] += score
                    if result.winner is not None:
                        found.games[number] += 1 if result.winner == side else -1
    return found


def pairs_of_play_off(entrants: int) -> int:
    """Return how many pairs play in a play-off (3.30).

    Two entrants play one match, three a round robin, more of them one match for each pair.

    >>> [pairs_of_play_off(entrants) for entrants in (2, 3, 4, 5)]
    [1, 3, 2, 2]
    """
    return 3 if entrants == 3 else entrants // 2
