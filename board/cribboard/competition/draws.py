"""The next seating of a competition: its schedule, winners who stay, or its bracket.

Nothing is drawn here. The caller passes in the order of the draw, and records the seating by `DrawRound`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cribboard.competition.position import Position, Round, staying
from cribboard.competition.rounds import bracket, games_left
from cribboard.competition.schedules import Schedule, games_owed, redrawn, scheduled
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.terms import Movement
from cribboard.competition.winners_stay import Played
from cribboard.competition.winners_stay import next_seating as next_of_winners_stay


def next_seating(p: Position, order: Sequence[int], *, ahead: Collection[int] = ()) -> Seating | None:
    """The next round, None if nobody is left to play. `order` has every entrant in the order of the draw, late arrivals
    last. Of a game that was broken off level, the side among `ahead` keeps its seat (3.31)."""
    left = games_left(p)
    present = [number for number in order if number in left]
    if p.format.is_elimination:
        return _of_the_bracket(p)
    if sum(left[number] > 0 for number in present) < 2:
        return None
    if p.format.movement is Movement.WINNERS_STAY:
        played = [Played(held.seating, staying(p, held, ahead)) for held in p.rounds]
        done = [number for number in present if left[number] <= 0]
        return next_of_winners_stay(played, present, tables=p.tables, done=done)
    return _of_the_schedule(p, order, present)


def _of_the_bracket(p: Position) -> Seating | None:
    due = bracket(p).due
    pairings = tuple(Pairing(table, pair) for table, pair in enumerate(due[: p.tables], start=1))
    waiting = tuple(number for pair in due[p.tables :] for number in pair)
    return Seating(pairings, waiting=waiting) if pairings else None


def _of_the_schedule(p: Position, order: Sequence[int], present: Sequence[int]) -> Seating | None:
    """The next round of the schedule, redrawn where somebody came, left, or was not met."""
    visit = p.format.visit
    games = -(-(p.games or 0) // visit) * visit  # a last visit may be partial
    played = tuple(_played(p, held) for held in p.rounds)
    first = [number for number in order if not played or number in p.rounds[0].seating.entrants]
    plan = scheduled(first if played else present, games, visit=visit, tables=p.tables)
    number = len(played)
    if plan.rounds[:number] != played or set(present) != set(first if played else present):
        held = Schedule(games, visit, (*played, *plan.rounds[number:]))
        plan = redrawn(held, number, games_owed(held, number, present), tables=p.tables)
    return plan.rounds[number] if number < len(plan.rounds) else None


def _played(p: Position, held: Round) -> Seating:
    """Who met whom in a round. Whoever was left without a game, because the other side did not appear, had a bye."""
    seating = held.seating
    empty = {each.table for each in held.encounters if each.games == 0}
    if not empty:
        return seating
    alone = (n for each in seating.pairings if each.table in empty for n in each.entrants if p.entrant(n).is_present)
    kept = tuple(each for each in seating.pairings if each.table not in empty)
    return Seating(kept, (*seating.byes, *alone), seating.waiting)
