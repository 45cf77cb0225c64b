"""Seat each round: winners keep their seats and losers move on.

FADOQ, 10; rules reference, 3.13 and 3.31.

Each seating is computed from the earlier ones and the entrants present, so entrants may leave and arrive. As few pairs
as possible play twice running. Then byes differ as little as possible, counted for each entrant since its arrival;
waiting for a table is a bye.

Equal games go before seats. A bye goes to an entrant with the fewest byes: to the loser who has waited longest for one,
or if none of them lost, to whoever has waited longest. A winner who rests returns to its table. With five present a
winner may have to change tables, so that no pair plays twice running.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from cribboard.competition.seating import Pairing, Seating


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round that is over."""

    seating: Seating
    stay: frozenset[int]  # who keeps a seat: winners, and of a game that was broken off the side ahead


def next_seating(
    played: Sequence[FinishedRound], present: Sequence[int], *, tables: int, done: Collection[int] = ()
) -> Seating:
    """Make the seating of the next round.

    `present` has the entrants in the order of their draw.

    As many pairs play as there are tables. Entrants in `done` have played all their games, and rest.

    Raises ValueError if an entrant is named twice, for a number of tables below 1, and for a round in which somebody
    stays who did not play, or both sides of a table.
    """
    _check(played, present, tables)
    past = _past(played, present)
    owing = [entrant for entrant in present if entrant not in done]
    pairs = min(len(owing) // 2, tables)
    queue = sorted(owing, key=lambda entrant: past[entrant].bye_key)
    playing = {*(_choose_pair(queue, past) if pairs == 1 else queue[len(owing) - 2 * pairs :])}
    pairings = _seated(playing, past, tables)
    idle = [entrant for entrant in present if entrant not in playing]
    if pairs == len(owing) // 2:
        return Seating(pairings, byes=tuple(idle))
    waiting = sorted((entrant for entrant in idle if entrant not in done), key=lambda entrant: past[entrant].idle_since)
    return Seating(pairings, tuple(entrant for entrant in idle if entrant in done), tuple(waiting))


@dataclass(frozen=True, slots=True)
class _Past:
    """The history of an entrant since it arrived. Rounds are numbered from 0."""

    idle_since: int  # the round after its last game, or that of its arrival
    waits_since: int  # the round after its last bye, or that of its arrival
    byes: int = 0
    table: int | None = None  # of its last game
    side: int = 0  # of that table
    stays: bool = False  # it keeps that seat
    opponent: int | None = None  # in its last game
    running: bool = False  # it played in the last round

    @property
    def bye_key(self) -> tuple[int, bool, int]:
        """The sort key for byes: the lowest gets the bye."""
        lost = self.table is not None and not self.stays
        return self.byes, not lost, self.waits_since


def _past(played: Sequence[FinishedRound], present: Sequence[int]) -> dict[int, _Past]:
    """Collect the history of each present entrant.

    If a round does not name an entrant, the entrant arrived after that round."""
    past: dict[int, _Past] = {}
    for number, round_ in enumerate(played):
        before = {entrant: past.get(entrant, _Past(number, number)) for entrant in round_.seating.entrants}
        past = {
            entrant: replace(own, byes=own.byes + 1, waits_since=number + 1, running=False)
            for entrant, own in before.items()
        }
        for pairing in round_.seating.pairings:
            for side, entrant in enumerate(pairing.entrants):
                past[entrant] = replace(
                    before[entrant],
                    idle_since=number + 1,
                    table=pairing.table,
                    side=side,
                    stays=entrant in round_.stay,
                    opponent=pairing.entrants[1 - side],
                    running=True,
                )
    return {entrant: past.get(entrant, _Past(len(played), len(played))) for entrant in present}


def _is_rematch(past: Mapping[int, _Past], one: int, other: int) -> bool:
    """Whether these two entrants were each other's last opponents."""
    return past[one].opponent == other and past[other].opponent == one


def _choose_pair(queue: Sequence[int], past: Mapping[int, _Past]) -> tuple[int, int]:
    """Choose the two entrants of the only pair.

    They are the last two of the queue if possible. If these two were each other's last opponents, one of them may play
    somebody else instead."""
    *others, one, last = queue
    if not _is_rematch(past, one, last):
        return one, last

    def badness(pair: tuple[int, int]) -> tuple[bool, int, bool]:
        byes = [own.byes + (entrant not in pair) for entrant, own in past.items()]
        is_rematch = _is_rematch(past, *pair)
        return is_rematch and past[pair[0]].running, max(byes) - min(byes), is_rematch

    pairs = [(one, last), *((staying, other) for other in reversed(others) for staying in (last, one))]
    return min(pairs, key=badness)


def _seated(playing: Collection[int], past: Mapping[int, _Past], tables: int) -> tuple[Pairing, ...]:
    """Seat these entrants at as many tables as they fill.

    Prefer tables where an entrant keeps its seat."""
    stayers = Counter(past[entrant].table or 0 for entrant in playing if past[entrant].stays)
    in_use = sorted(range(1, tables + 1), key=lambda table: -stayers[table])[: len(playing) // 2]
    room = _Room(sorted(in_use), past)
    movers = [entrant for entrant in sorted(past, key=room.order) if entrant in playing and not room.keep_seat(entrant)]
    for entrant in movers:
        room.move(entrant)
    room.part_rematches()
    return room.pairings()


class _Room:
    """The tables in use, with the entrants seated so far."""

    def __init__(self, tables: Sequence[int], past: Mapping[int, _Past]) -> None:
        self._past = past
        self._seated: dict[int, list[int]] = {table: [] for table in tables}

    def order(self, entrant: int) -> tuple[bool, bool, int]:
        """Return the sort key that decides when this entrant moves.

        Entrants of the last round move first, in the order of their tables; newcomers move last."""
        own = self._past[entrant]
        return own.table is None, not own.running, own.table or 0

    def keep_seat(self, entrant: int) -> bool:
        """Seat a staying entrant at its last table, if possible.

        Returns whether the entrant was seated."""
        own = self._past[entrant]
        if not own.stays or own.table not in self._seated or len(self._seated[own.table]) == 2:
            return False
        self._seated[own.table].append(entrant)
        return True

    def move(self, entrant: int) -> None:
        """Seat an entrant, if possible away from its last opponent."""
        free = [table for table in self._onward(entrant) if len(self._seated[table]) < 2]
        table = min(
            free, key=lambda table: any(_is_rematch(self._past, entrant, other) for other in self._seated[table])
        )
        self._seated[table].append(entrant)

    def part_rematches(self) -> None:
        """Separate each rematched pair by a swap between tables."""
        for table, pair in self._seated.items():
            if len(self._seated) > 1 and _is_rematch(self._past, *pair):
                side = min((0, 1), key=lambda side: self._keeps_seat(table, pair[side]))
                others = [(other, place) for other in self._onward(pair[side]) if other != table for place in (0, 1)]
                other, place = min(others, key=lambda at: self._keeps_seat(at[0], self._seated[at[0]][at[1]]))
                pair[side], self._seated[other][place] = self._seated[other][place], pair[side]

    def pairings(self) -> tuple[Pairing, ...]:
        """List the pairs at all tables in use, by table.

        Entrants that keep a seat stay on their side."""
        made = []
        for table, (one, other) in self._seated.items():
            sides = {entrant: self._past[entrant].side for entrant in (one, other) if self._keeps_seat(table, entrant)}
            changed = sides.get(one, 1 - sides.get(other, 1))
            made.append(Pairing(table, (other, one) if changed else (one, other)))
        return tuple(made)

    def _onward(self, entrant: int) -> list[int]:
        """List the tables in the order in which this entrant tries them.

        The order goes up from the entrant's last table, then on from the lowest."""
        own = self._past[entrant]
        first = (own.table or 0) + (not own.stays)
        return sorted(self._seated, key=lambda table: (table < first, table))

    def _keeps_seat(self, table: int, entrant: int) -> bool:
        return self._past[entrant].stays and self._past[entrant].table == table


def _check(played: Sequence[FinishedRound], present: Sequence[int], tables: int) -> None:
    if twice := [entrant for entrant, times in Counter(present).items() if times > 1]:
        raise ValueError(f"Entrants named twice: {', '.join(map(str, twice))}.")
    if tables < 1:
        raise ValueError(f"tables = {tables}: allowed is 1 or more.")
    for number, round_ in enumerate(played, 1):
        sides = [pairing.entrants for pairing in round_.seating.pairings]
        if strangers := round_.stay - {entrant for pair in sides for entrant in pair}:
            raise ValueError(f"Round {number}: {sorted(strangers)} stay, and did not play.")
        if both := [pair for pair in sides if round_.stay >= {*pair}]:
            raise ValueError(f"Round {number}: {list(both[0])} both stay, and played each other.")
