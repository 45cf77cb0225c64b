"""Propose the next seating of a competition.

Nothing is drawn here. The caller passes in the order of the draw, and records the seating by `DrawRound`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations, pairwise

from cribboard.competition.medals import level_at_medals
from cribboard.competition.position import CompetitionPosition, Round, is_over, staying
from cribboard.competition.round_robin import Schedule, draw_round_robin, games_owed, redraw_remaining_rounds
from cribboard.competition.rounds import bracket, games_left
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.standings import StandingsGroup, pairs_of_play_off, play_off_pairs
from cribboard.competition.terms import Movement
from cribboard.competition.winners_stay import FinishedRound
from cribboard.competition.winners_stay import next_seating as next_of_winners_stay


def next_seating(p: CompetitionPosition, order: Sequence[int], *, ahead: Collection[int] = ()) -> Seating | None:
    """Propose the next seating, or None if nobody can play.

    `order` is the order of the draw, late entrants last. Where a game of the last round was broken off level, the side
    in `ahead` keeps its seat (3.31)."""
    left = games_left(p)
    present = [number for number in order if number in left]
    if p.format.is_elimination:
        due = bracket(p).due
        pairings = _at_tables(due, p.tables)
        waiting = tuple(number for pair in due[p.tables :] for number in pair)
        return Seating(pairings, waiting=waiting) if pairings else None
    if sum(left[number] > 0 for number in present) < 2:
        return None
    if p.format.movement is Movement.WINNERS_STAY:
        lots = [*(_kept_seats(round_, after, order) for round_, after in pairwise(p.rounds)), ahead]
        played = [
            FinishedRound(round_.played, staying(p, round_, lot)) for round_, lot in zip(p.rounds, lots, strict=False)
        ]
        done = [number for number in present if left[number] <= 0]
        return next_of_winners_stay(played, present, tables=p.tables, done=done)
    return _next_of_schedule(p, order, present)


def order_of_draw(p: CompetitionPosition, drawn: Sequence[int]) -> tuple[int, ...]:
    """Return all entrants in the order of the draw.

    `drawn` is a random order, for the first draw. Later, the first seating gives the order; late entrants follow."""
    if not p.rounds:
        return tuple(drawn)
    first = p.rounds[0].seating
    named = first.entrants
    if p.format.movement is Movement.SCHEDULED:
        games = -(-(p.games or 0) // p.format.visit) * p.format.visit
        places = draw_round_robin(range(len(named)), games, visit=p.format.visit, tables=p.tables).rounds[0].entrants
        named = tuple(number for _, number in sorted(zip(places, named, strict=True)))
    return (*named, *(entrant.number for entrant in p.entrants if entrant.number not in named))


def next_play_off(p: CompetitionPosition, drawn: Sequence[int]) -> Seating | None:
    """Propose the next round of play-offs; None if nobody can play.

    `drawn` is a random order."""
    level = level_at_medals(p)
    playing = {
        number
        for _, encounter in p.encounters(play_off=None)
        if encounter.play_off and not is_over(p, encounter)
        for number in encounter.entrants
    }
    free = [number for number in drawn if number not in playing]
    pairs: list[tuple[int, int]] = []
    for group in level:
        if group.play_offs == level[0].play_offs:
            pairs += _pairs_due(p, group, free)
    pairings = _at_tables(pairs, p.tables)
    return Seating(pairings) if pairings else None


def _at_tables(pairs: Sequence[tuple[int, int]], tables: int) -> tuple[Pairing, ...]:
    return tuple(Pairing(table, pair) for table, pair in enumerate(pairs[:tables], start=1))


def _pairs_due(p: CompetitionPosition, group: StandingsGroup, free: Sequence[int]) -> list[tuple[int, int]]:
    """Find the pairs that can play now in this group's play-off.

    Of three entrants this is the next pair of a round robin, else every pair that remains. If the number is odd, the
    entrant with the most play-off matches has the bye (3.30)."""
    played = play_off_pairs(p, group)
    left = pairs_of_play_off(len(group.entrants)) - len(played)
    here = [number for number in free if number in group.entrants]
    if len(group.entrants) == 3:
        met = {frozenset(pair) for pair in played}
        due = [pair for pair in combinations(here, 2) if frozenset(pair) not in met]
        return due[: min(left, 1)]
    here = [number for number in here if all(number not in pair for pair in played)]
    matches = Counter(
        n for _, encounter in p.encounters(play_off=None) if encounter.play_off for n in encounter.entrants
    )
    here.sort(key=lambda number: matches[number])
    return list(zip(here[::2], here[1::2], strict=False))[:left]


def _kept_seats(round_: Round, after: Round, order: Sequence[int]) -> set[int]:
    """Find the entrants that kept their seats from `round_` to `after`.

    Each table has one: the entrant that sits at the same table in `after`, or whose opponent alone plays there, or that
    was drawn first. The entrants found stay if their game was broken off with equal scores."""
    seats = {number: encounter.table for encounter in after.encounters for number in encounter.entrants}
    return {
        min(encounter.entrants, key=lambda n: (seats.get(n) != encounter.table, n in seats, order.index(n)))
        for encounter in round_.encounters
    }


def _next_of_schedule(p: CompetitionPosition, order: Sequence[int], present: Sequence[int]) -> Seating | None:
    """Return the next round of the schedule, or None.

    Make the schedule again if an entrant came, left or missed a game."""
    visit = p.format.visit
    games = -(-(p.games or 0) // visit) * visit  # a last visit may be partial
    played = tuple(round_.played for round_ in p.rounds)
    first = [number for number in order if not played or number in p.rounds[0].seating.entrants]
    plan = draw_round_robin(first if played else present, games, visit=visit, tables=p.tables)
    number = len(played)
    if plan.rounds[:number] != played or set(present) != set(first if played else present):
        round_ = Schedule(games, visit, (*played, *plan.rounds[number:]))
        plan = redraw_remaining_rounds(round_, number, games_owed(round_, number, present), tables=p.tables)
    return plan.rounds[number] if number < len(plan.rounds) else None
