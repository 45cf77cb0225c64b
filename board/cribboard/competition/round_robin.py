"""Round robins: all rounds are fixed before the start.

Entrants come in the order of their draw. Two who meet play a *visit* at one table: a fixed number of games. Nobody
meets an opponent again before meeting all others (no early rematch), and byes differ by at most one. After a departure
or an arrival `redraw_remaining_rounds` makes new rounds. Rules reference, 3.22, 3.30 and 3.31; A58.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cribboard.competition.avoid_rematches import Pair, rounds_with_fewest_rematches
from cribboard.competition.seating import Pairing, Seating


@dataclass(frozen=True, slots=True)
class Schedule:
    """The rounds of a competition, in order."""

    games: int  # set for each entrant
    visit: int  # games that two play when they meet
    rounds: tuple[Seating, ...]


def draw_round_robin(entrants: Sequence[int], games: int, *, visit: int = 1, tables: int) -> Schedule:
    """Make the schedule of a round robin.

    `entrants` are in the order of their draw, and each plays `games` games. Where entrants and visits are both odd,
    the last entrant of the draw plays one visit fewer. Where `games` is no multiple of `visit`, a visit ends when one
    side has played its games. With fewer tables than pairs some wait, and there are more rounds.

    Raises ValueError if there are no two entrants or one is named twice, and for a number below 1.

    >>> [seating.byes for seating in draw_round_robin([7, 8, 9], 2, tables=1).rounds]
    [(7,), (8,), (9,)]
    """
    if len(entrants) < 2:
        raise ValueError(f"{len(entrants)} entrants: allowed are 2 or more.")
    if twice := [entrant for entrant, times in Counter(entrants).items() if times > 1]:
        raise ValueError(f"Entrants named twice: {', '.join(map(str, twice))}.")
    _check_numbers(games=games, visit=visit, tables=tables)
    rounds = _circle_method(len(entrants), -(-games // visit))
    pairs = [[(entrants[one], entrants[other]) for one, other in round_] for round_ in rounds]
    return Schedule(games, visit, _at_tables(pairs, entrants, tables))


def games_owed(schedule: Schedule, played: int, present: Sequence[int]) -> dict[int, int]:
    """Count the games that each entrant owes after `played` rounds.

    Rounds before an arrival are not made up: whoever was not there in all of them owes no more than those who were, and
    the last of these latecomers a visit less if someone would be left over otherwise.
    """
    done = schedule.rounds[:played]
    visits = Counter(entrant for seating in done for pairing in seating.pairings for entrant in pairing.entrants)
    owed = {entrant: max(0, schedule.games - schedule.visit * visits[entrant]) for entrant in present}
    there = Counter(entrant for seating in done for entrant in seating.entrants)
    late = [entrant for entrant in present if there[entrant] < played]
    most = max((games for entrant, games in owed.items() if entrant not in late), default=schedule.games)
    owed |= {entrant: min(owed[entrant], most) for entrant in late}
    if late and sum(-(-games // schedule.visit) for games in owed.values()) % 2:
        owed[late[-1]] = max(0, owed[late[-1]] - schedule.visit)
    return owed


def redraw_remaining_rounds(schedule: Schedule, played: int, owed: Mapping[int, int], *, tables: int) -> Schedule:
    """Make new rounds after the first `played` rounds.

    `owed` has each entrant present, in the order of the draw, and the games that it still has to play (`games_owed`).
    Each new round has as many pairs as can be; of all such rounds it is one with the fewest early rematches, and of
    those one with the smallest spread of byes (`avoid_rematches` explains both). The rounds end when no two entrants
    owe games.

    Raises ValueError for a number of rounds that the schedule has not, and for a number of tables below 1.
    """
    if not 0 <= played <= len(schedule.rounds):
        raise ValueError(f"played = {played}: allowed is 0 to {len(schedule.rounds)}, the rounds of the schedule.")
    _check_numbers(tables=tables)
    done, planned = schedule.rounds[:played], schedule.rounds[played:]
    plan = [[pairing.entrants for pairing in seating.pairings] for seating in planned]
    visits = {entrant: -(-games // schedule.visit) for entrant, games in owed.items()}
    rounds = rounds_with_fewest_rematches(done, visits, plan)
    if rounds and len(rounds[0]) > tables:  # who has most to play does not wait
        rounds[0].sort(key=lambda pair: -sum(visits[entrant] for entrant in pair))
    return replace(schedule, rounds=(*done, *_at_tables(rounds, list(owed), tables)))


def _check_numbers(**numbers: int) -> None:
    for name, value in numbers.items():
        if value < 1:
            raise ValueError(f"{name} = {value}: allowed is 1 or more.")


def _circle_method(number: int, visits: int) -> list[list[Pair]]:
    """Make the pairs of each round by the circle method.

    A pair has the places of two entrants, 0 to `number - 1`. The circle method: in the round of place c those meet who
    stand equally far from c on a circle. With an odd number c has a bye; with an even one c meets the last place, which
    stands in the middle. The rounds of all places are a cycle, in which everybody meets everybody else once.
    """
    if number % 2:
        return _circle_method_with_byes(number, visits)
    size = number - 1
    return [[(centre % size, size), *_opposite_pairs(size, centre, size // 2)] for centre in range(visits)]


def _circle_method_with_byes(size: int, visits: int) -> list[list[Pair]]:
    """Make the rounds for an odd number of entrants.

    If the visits fill no whole cycles, the last rounds are chosen so that those who have a bye in them are pairs of one
    other round, which they play together at the end. If the visits are odd too, the last place is left over.
    """
    cycles, rest = divmod(visits, size - 1)
    end = size - 1 - (rest + 1) // 2
    cycle = [(end + 1 + place) % size for place in range(size)]
    makes_up = _opposite_pairs(size, end, rest // 2)
    with_bye = {place for pair in makes_up for place in pair} | ({size - 1} if rest % 2 else set())
    centres = [*cycle * cycles, *(centre for centre in cycle if centre in with_bye)]
    rounds = [_opposite_pairs(size, centre, size // 2) for centre in centres]
    return [*rounds, makes_up] if makes_up else rounds


def _opposite_pairs(size: int, centre: int, distance: int) -> list[Pair]:
    """Pair the places at equal distance from `centre` on a circle."""
    return [((centre - far) % size, (centre + far) % size) for far in range(1, distance + 1)]


def _at_tables(rounds: Sequence[Sequence[Pair]], entrants: Sequence[int], tables: int) -> tuple[Seating, ...]:
    if all(len(round_) <= tables for round_ in rounds):
        return tuple(_seating(round_, entrants) for round_ in rounds)
    queue = [pair for round_ in rounds for pair in round_]
    last_seated = dict.fromkeys(entrants, -1)
    seatings: list[Seating] = []
    while queue:
        seated: list[Pair] = []
        taken: set[int] = set()
        left: list[Pair] = []
        for pair in queue:
            # Whoever waits with one opponent is not seated with a later one.
            free = len(seated) < tables and not taken.intersection(pair)
            (seated if free else left).append(pair)
            taken.update(pair)
        playing = {entrant for pair in seated for entrant in pair}
        due = {entrant for pair in left for entrant in pair} - playing
        seating = _seating(seated, [entrant for entrant in entrants if entrant not in due])
        waiting = sorted((entrant for entrant in entrants if entrant in due), key=last_seated.__getitem__)
        seatings.append(replace(seating, waiting=tuple(waiting)))
        last_seated |= dict.fromkeys(playing, len(seatings))
        queue = left
    return tuple(seatings)


def _seating(pairs: Sequence[Pair], entrants: Sequence[int]) -> Seating:
    """Seat these pairs, and give the other entrants a bye."""
    playing = {entrant for pair in pairs for entrant in pair}
    pairings = tuple(Pairing(table, pair) for table, pair in enumerate(pairs, 1))
    return Seating(pairings, tuple(entrant for entrant in entrants if entrant not in playing))
