"""Whole evenings where winners keep their seats: level games, absences, arrivals and few tables in any order.

What each entrant has had is counted here from the rounds, as the rules reference says (3.13, 3.30, 3.31), and by
nothing of the product.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.competitions import Hall, entered, seated

from cribboard.competition import read_format
from cribboard.competition.actions import CancelRound, CheckIn, Depart, DrawRound, StartRound
from cribboard.competition.next_seating import next_seating, order_of_draw
from cribboard.competition.position import Encounter, Round
from cribboard.competition.seating import Seating
from cribboard.competition.terms import Choice, EntrantStatus, GameAt, Stage

TEAMS = 10


def fadoq(teams: int, *, games: int = 8, tables: int = 99) -> Hall:
    return Hall(read_format({"format": "fadoq", "games": games}), teams, tables=tables, choice=Choice.ONE_SHORT)


def drawn(hall: Hall, rng: Random) -> Seating | None:
    """The next seating, with a lot for each table of the last round, as the organiser draws it."""
    order = [entrant.number for entrant in hall.now.entrants]
    rng.shuffle(order)
    lots = [rng.choice(each.entrants) for each in (hall.now.current.encounters if hall.now.current else ())]
    return next_seating(hall.now, order_of_draw(hall.now, order), ahead=lots)


def level_at_every_table(hall: Hall) -> None:
    number = len(hall.now.rounds)
    for encounter in hall.now.rounds[-1].encounters:
        hall.do(entered(number, encounter.table, 80, 80, broken=True))


@pytest.mark.parametrize("teams", [3, 4, 5, 7, 8])
@pytest.mark.parametrize("tables", [1, 2, 99])
def test_an_evening_of_games_that_were_all_broken_off_level_is_drawn_to_its_end(teams: int, tables: int) -> None:
    for seed in range(3):
        hall, rng = fadoq(teams, games=4, tables=tables), Random(seed)
        while (seating := drawn(hall, rng)) is not None:
            hall.do(DrawRound(seating), StartRound())
            level_at_every_table(hall)
        assert sum(row.missing for row in hall.competition.standings()) == teams * 4 % 2


def test_a_winner_by_lot_returns_to_its_table_after_resting() -> None:
    """1 and 2 are level at table 1; 1 rests and 2 moves on, so 1 won the lot, whatever lots are drawn later."""
    hall = fadoq(7)
    hall.draw((1, 2), (3, 4), (5, 6), byes=[7])
    hall.do(entered(1, 1, 80, 80, broken=True), entered(1, 2, 121, 90), entered(1, 3, 121, 90))
    hall.draw((6, 7), (2, 3), (4, 5), byes=[1])
    hall.do(*(entered(2, table, 90, 121) for table in (1, 2, 3)))
    for lots in ([6, 2, 4], [7, 3, 5], [7, 2, 5]):
        third = next_seating(hall.now, range(1, 8), ahead=lots)
        assert third is not None
        assert third.pairings[0].entrants == (1, 7)


def test_a_team_whose_opponent_did_not_appear_had_a_bye_and_plays_in_the_next_round() -> None:
    hall = fadoq(6)
    hall.draw((1, 2), (3, 4), (5, 6))
    hall.do(entered(1, 1, 121, 90), entered(1, 2, 121, 90), Depart(6, EntrantStatus.ABSENT))
    for seed in range(10):
        second = drawn(hall, Random(seed))
        assert second is not None
        assert 5 not in second.byes, "5 had no opponent in round 1"
    [row] = [row for row in hall.competition.standings() if row.entrant == 5]
    assert row.byes == 1


def test_a_team_that_comes_while_a_round_is_drawn_anew_has_the_bye_of_the_round_that_is_drawn_instead() -> None:
    hall = fadoq(3)
    hall.do(DrawRound(seated((1, 2), byes=[3])))
    hall.add(4)
    hall.add(5)
    hall.do(CancelRound("deux équipes sont arrivées"))
    hall.draw((1, 2), (3, 4), byes=[5])
    assert {row.entrant: row.byes for row in hall.competition.standings()} == {1: 0, 2: 0, 3: 0, 4: 0, 5: 1}


# Any evening


class Evening:
    """An evening by chance, and what each team has had, counted from the rounds alone."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        teams, tables = rng.randint(3, TEAMS), rng.choice([99, 99, 1, 2, 3])
        self.hall = fadoq(teams, games=rng.choice([4, 6, 8]), tables=tables)
        self.all_stayed = True

    def play(self) -> None:
        """To the end; each seating is held against the laws."""
        while (seating := drawn(self.hall, self.rng)) is not None:
            self.must_be_fair(seating)
            self.hall.do(DrawRound(seating))
            if self.rng.random() < 0.05:
                self.depart(self.rng.choice([each.number for each in self.hall.now.present]), EntrantStatus.LEFT)
            if self.hall.now.current is not None and self.hall.now.current.stage is Stage.DRAWN:
                self.hall.do(StartRound())
                self.results()
            self.come_and_go()

    def results(self) -> None:
        number = len(self.hall.now.rounds)
        for encounter in self.hall.now.rounds[-1].encounters:
            if self.rng.random() < 0.06:
                self.depart(
                    self.rng.choice(encounter.entrants), self.rng.choice([EntrantStatus.ABSENT, EntrantStatus.LEFT])
                )
            now = self.hall.now.find(GameAt(number, encounter.table))
            if now is None or not now.games:
                continue
            level, first = self.rng.random() < 0.25, self.rng.random() < 0.5
            scores = (80, 80) if level else (121, 80) if first else (80, 121)
            self.hall.do(entered(number, encounter.table, *scores, broken=level))

    def depart(self, team: int, status: EntrantStatus) -> None:
        self.hall.do(Depart(team, status, "malade"))
        self.all_stayed = False

    def come_and_go(self) -> None:
        if self.rng.random() < 0.1 and len(self.hall.now.entrants) < 2 * TEAMS:
            self.hall.add(len(self.hall.now.entrants) + 1)
            self.all_stayed = False
        away = [entrant.number for entrant in self.hall.now.entrants if not entrant.is_present]
        if away and self.rng.random() < 0.3:
            self.hall.do(CheckIn(self.rng.choice(away)))

    def must_be_fair(self, seating: Seating) -> None:
        byes = {each.number: rests(self.hall.now.rounds, each.number) for each in self.hall.now.present}
        owing = {number for number in byes if self.games(number) < (self.hall.now.games or 0)}
        playing = {number for pairing in seating.pairings for number in pairing.entrants}
        assert playing <= owing
        if len(seating.pairings) > 1:  # a single pair also avoids to play twice running
            assert max((byes[n] for n in owing - playing), default=0) <= min(byes[n] for n in playing)
        if self.all_stayed and owing == byes.keys():
            after = [byes[number] + (number not in playing) for number in byes]
            assert max(after) - min(after) <= 1

    def games(self, team: int) -> int:
        tables = [
            encounter for held in self.hall.now.rounds for encounter in held.encounters if team in encounter.entrants
        ]
        return sum(table.games != 0 for table in tables)


def rests(rounds: Sequence[Round], team: int) -> int:
    """The rounds without an opponent since the team arrived: a bye, a wait, or an opponent that did not appear."""
    count = 0
    for held in reversed(rounds):
        sat = next((encounter for encounter in held.encounters if team in encounter.entrants), None)
        if (sat is None and team not in (*held.byes, *held.waiting)) or (sat is not None and did_not_appear(sat, team)):
            break
        count += sat is None or sat.games == 0
    return count


def did_not_appear(sat: Encounter, team: int) -> bool:
    return sat.games == 0 and sat.forfeited_by == team


@pytest.mark.slow
@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_on_any_evening_the_next_round_can_be_drawn_and_a_bye_goes_to_a_team_that_had_fewest(seed: int) -> None:
    Evening(Random(seed)).play()
