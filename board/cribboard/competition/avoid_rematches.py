"""Pair entrants so that few meet again too soon.

Of all ways to pair them, take one with the fewest early rematches, and of those one with the smallest spread of byes.

An early rematch is a pair of which one side has met another entrant present less often. All other pairs are the edges
of a graph, so its maximum matching has the fewest early rematches. The spread is the difference between the most and
the fewest byes of those present, counted since each arrived. The rounds before the first departure or arrival avoid
early rematches by the circle method (`round_robin`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cribboard.competition.matching import UNMATCHED, dispensable, maximum_matching
from cribboard.competition.seating import Seating

Pair = tuple[int, int]

#: Attempts to make rounds without early rematches, times the number of entrants.
_ATTEMPTS = 640
_PRIME = 10_007  # greater than any number of entrants


def rounds_with_fewest_rematches(
    done: Sequence[Seating], visits: Mapping[int, int], plan: Sequence[Sequence[Pair]]
) -> list[list[Pair]]:
    """Pair the entrants for all rounds after the rounds `done`.

    The rounds end when no two entrants have visits left. `visits` has each entrant present and the visits it still has
    to play; `plan` has the pairs that were planned. Each round is the best that there is after those before it. Of
    several such drawings the one with the fewest early rematches is returned.
    """
    rematches, best = _rounds(MeetingHistory(tuple(visits), done), visits, plan)
    for order in _orders(tuple(visits)):
        if not rematches:
            break
        rematches, best = min(
            (rematches, best), _rounds(MeetingHistory(order, done), visits, ()), key=lambda counted: counted[0]
        )
    return best


def _orders(entrants: Sequence[int]) -> Iterator[list[int]]:
    """Yield a fixed series of very different orders of these entrants."""
    for power in range(2, 2 + _ATTEMPTS // len(entrants)):
        places = sorted(range(len(entrants)), key=lambda place: pow(place + 2, power, _PRIME))
        yield [entrants[place] for place in places]


def _rounds(
    history: MeetingHistory, visits: Mapping[int, int], plan: Sequence[Sequence[Pair]]
) -> tuple[int, list[list[Pair]]]:
    """Make the pairs of all remaining rounds.

    Returns the number of early rematches first, then the rounds."""
    rematches = 0
    rounds: list[list[Pair]] = []
    left = dict(visits)
    while len(active := [entrant for entrant in history.present if left[entrant] > 0]) > 1:
        pairs = round_with_fewest_rematches(history, active, plan[len(rounds)] if len(rounds) < len(plan) else ())
        rematches += history.add(pairs)
        rounds.append(pairs)
        for entrant in (entrant for pair in pairs for entrant in pair):
            left[entrant] -= 1
    return rematches, rounds


class MeetingHistory:
    """The earlier meetings and byes of the present entrants.

    Lists have the order of `present`. Byes are counted since each entrant arrived."""

    def __init__(self, present: Sequence[int], done: Sequence[Seating]) -> None:
        self.present = present
        self.place = {entrant: place for place, entrant in enumerate(present)}
        self.met = [[0] * len(present) for _ in present]
        self.byes = [0] * len(present)
        self.last: set[frozenset[int]] = set()  # who met in the latest round
        for seating in done:
            there = set(seating.entrants)
            self._meet(pairing.entrants for pairing in seating.pairings)
            resting = {*seating.byes, *seating.waiting}
            for place, entrant in enumerate(present):
                self.byes[place] = self.byes[place] + (entrant in resting) if entrant in there else 0

    def add(self, pairs: Sequence[Pair]) -> int:
        """Add a round, and return how many pairs met again too soon.

        Present entrants who are in none of its pairs have a bye."""
        places = [(self.place[one], self.place[other]) for one, other in pairs]
        least = self.least()
        rematches = sum(not self.met[one][other] == least[one] == least[other] for one, other in places)
        self._meet(pairs)
        playing = {place for pair in places for place in pair}
        for place in range(len(self.present)):
            self.byes[place] += place not in playing
        return rematches

    def least(self) -> list[int]:
        """Return each entrant's smallest number of meetings with an opponent."""
        return [min(row[:place] + row[place + 1 :]) for place, row in enumerate(self.met)]

    def _meet(self, pairs: Iterable[Pair]) -> None:
        known = [(self.place[a], self.place[b]) for a, b in pairs if a in self.place and b in self.place]
        for one, other in known:
            self.met[one][other] += 1
            self.met[other][one] += 1
        self.last = {frozenset(pair) for pair in known}


def round_with_fewest_rematches(history: MeetingHistory, active: Sequence[int], plan: Sequence[Pair]) -> list[Pair]:
    """Pair the active entrants so that few meet again too soon.

    If the number is odd, one entrant has a bye. Planned pairs are kept if others are no better, and come first.
    """
    places = [history.place[entrant] for entrant in active]
    vertex = {entrant: number for number, entrant in enumerate(active)}
    known = [(vertex[one], vertex[other]) for one, other in plan if one in vertex and other in vertex]
    graph = _pairs_without_early_rematches(history, places)
    mates = [UNMATCHED] * len(places)
    for one, other in known:
        if other in graph[one]:
            mates[one], mates[other] = other, one
    mates = maximum_matching(graph, mates)
    if len(places) % 2:
        rests = _choose_redrawn_bye(
            history, places, dispensable(graph, mates), {entrant for pair in known for entrant in pair}
        )
        mates = _matching_without(rests, graph, mates)
    else:
        rests = UNMATCHED
    mates = _pair_the_others(history, places, mates, rests)
    planned = [pair for pair in known if mates[pair[0]] == pair[1]]
    others = [pair for pair in enumerate(mates) if pair[0] < pair[1] and not {pair, pair[::-1]} & {*planned}]
    return [(active[one], active[other]) for one, other in (*planned, *others)]


def _pairs_without_early_rematches(history: MeetingHistory, places: Sequence[int]) -> list[list[int]]:
    """Build the graph of the pairs that are no early rematches."""
    least = history.least()
    return [
        [
            number
            for number, other in enumerate(places)
            if other != place and history.met[place][other] == least[place] == least[other]
        ]
        for place in places
    ]


def _choose_redrawn_bye(history: MeetingHistory, places: Sequence[int], may: set[int], planned: set[int]) -> int:
    """Choose the entrant in `may` that gets the bye.

    The numbers of byes shall differ as little as possible. Among equals, prefer an entrant with few byes, then one
    without a planned game."""
    playing = set(places)
    byes = [count + (place not in playing) for place, count in enumerate(history.byes)]
    most = max(byes)
    fewest, second = sorted(byes)[:2]

    def badness(number: int) -> tuple[int, int, bool]:
        own = byes[places[number]]
        least = fewest if own > fewest else min(own + 1, second)
        return max(most, own + 1) - least, own, number in planned

    return min(sorted(may), key=badness)


def _matching_without(vertex: int, graph: Sequence[Sequence[int]], mates: Sequence[int]) -> list[int]:
    """Find a maximum matching that leaves `vertex` unmatched. Such a matching must exist."""
    smaller = [[other for other in neighbours if other != vertex] for neighbours in graph]
    smaller[vertex] = []
    remaining = [UNMATCHED if vertex in (number, mate) else mate for number, mate in enumerate(mates)]
    return maximum_matching(smaller, remaining)


def _pair_the_others(history: MeetingHistory, places: Sequence[int], mates: list[int], rests: int) -> list[int]:
    """Pair the entrants without an opponent, except the one with the bye.

    `rests` is the one with the bye. Prefer pairs that met seldom, then pairs that did not meet in the last round."""
    others = [number for number, mate in enumerate(mates) if mate == UNMATCHED and number != rests]
    costs = {
        (one, other): (history.met[places[one]][places[other]], {places[one], places[other]} in history.last)
        for one in others
        for other in others
        if one != other
    }
    for most in sorted(set(costs.values())):
        graph: list[list[int]] = [[] for _ in places]
        for (one, other), cost in costs.items():
            if cost <= most:
                graph[one].append(other)
        mates = maximum_matching(graph, mates)
    return mates
