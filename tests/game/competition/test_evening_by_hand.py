"""Whole FADOQ evenings and Jeux 50+ days beside a notebook that imports nothing of the engine.

The notebook holds one plain row for each game, as a volunteer would write it: a correction replaces a row, the rows of
who left stay with the opponents, and a penalty is a number. Totals and places must be those of the engine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

import pytest
from tests.support.competitions import Hall, entered, seated

from cribboard.competition import FORMATS, Format
from cribboard.competition.actions import CorrectResult, CountMissing, Depart, DrawRound, Penalise, StartRound
from cribboard.competition.rounds import games_left
from cribboard.competition.terms import Choice, EntrantStatus, GameAt, Missing


@dataclass
class Notebook:
    """Rows of two names and two scores, by round, table and game."""

    rows: dict[tuple[int, int, int], tuple[int, int, int, int]] = field(default_factory=dict)
    here: set[int] = field(default_factory=set)
    taken: dict[int, int] = field(default_factory=dict)

    def totals(self, *, average: bool) -> dict[int, tuple[Fraction, Fraction]]:
        """By entrant: points, and points for less points against. Missing games count nothing, or the own average."""
        found = {}
        games = {number: [row for row in self.rows.values() if number in row[:2]] for number in self.here}
        most = max(map(len, games.values()))
        for number, rows in games.items():
            own = sum(row[2 + row[:2].index(number)] for row in rows)
            against = sum(row[3 - row[:2].index(number)] for row in rows)
            share = Fraction(most, len(rows)) if average else Fraction(1)
            found[number] = (own * share - self.taken.get(number, 0), (own - against) * share)
        return found


def score(random: Random) -> tuple[int, int]:
    lost = random.choice([60, 90, 100, 110, 120])
    return (121, lost) if random.random() < 0.5 else (lost, 121)


def evening(form: Format, entrants: int, seed: int) -> tuple[Hall, Notebook]:
    """Everybody plays; one leaves in a game, one comes late, one slip is corrected, one entrant is penalised."""
    random, book = Random(seed), Notebook(here=set(range(1, entrants + 1)))
    hall = Hall(form, entrants, choice=Choice.ONE_SHORT)
    for turn in range(2 * (form.games or 0)):
        ready = [number for number, games in games_left(hall.now).items() if games > 0]
        if len(ready) < 2:
            break
        random.shuffle(ready)
        pairs = [(ready[i], ready[i + 1]) for i in range(0, len(ready) - 1, 2)]
        hall.do(DrawRound(seated(*pairs, byes=ready[2 * len(pairs) :])), StartRound())
        leaver = pairs[0][0] if turn == 2 else 0
        if leaver:
            hall.do(Depart(leaver, EntrantStatus.LEFT, "malade"))
            book.here.remove(leaver)
        for table, pair in enumerate(pairs, start=1):
            for game in range(1, (hall.now.rounds[-1].encounters[table - 1].games or 0) + 1):
                broken = leaver in pair
                scores = (70, 66) if broken else score(random)
                hall.do(entered(turn + 1, table, *scores, game=game, broken=broken))
                book.rows[turn + 1, table, game] = (*pair, *scores)
        if turn == 0:
            fixed = score(random)
            hall.do(CorrectResult(at=GameAt(1, 1), scores=fixed, reason="mal lu"), Penalise(pairs[1][0], 7, "retard"))
            book.rows[1, 1, 1] = (*pairs[0], *fixed)
            book.taken[pairs[1][0]] = 7
        if turn == 3:
            hall.add(entrants + 1)
            book.here.add(entrants + 1)
    return hall, book


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("name", "entrants"), [("fadoq", 8), ("fadoq", 7), ("jeux50", 9), ("jeux50", 24)])
def test_the_standings_are_those_of_the_notebook(name: str, entrants: int, seed: int) -> None:
    hall, book = evening(FORMATS[name], entrants, seed)
    for missing in Missing:
        hall.do(CountMissing(missing))
        totals = book.totals(average=missing is Missing.AVERAGE)
        compared = {number: total[: len(FORMATS[name].ranking)] for number, total in totals.items()}
        rows = [row for row in hall.competition.standings() if row.place is not None]
        assert {row.entrant: tuple(each for _, each in row.amounts) for row in rows} == compared
        places = {number: 1 + sum(other > own for other in compared.values()) for number, own in compared.items()}
        assert {row.entrant: row.place for row in rows} == places
    assert len(book.rows) == sum(row.played for row in hall.competition.standings()) // 2
