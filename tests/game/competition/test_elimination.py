"""Eliminations: seeds, byes, losers' bracket, the final that must be won twice, and who leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from tests.support.competitions import Hall, entered, seated

from cribboard.competition import FORMATS, see
from cribboard.competition.actions import Begin, Depart, DrawPlayOff, DrawRound, EndPlay, SeedEntrants, SetGames
from cribboard.competition.elimination import EliminationMatch, double, resolve, single
from cribboard.competition.rounds import bracket
from cribboard.competition.terms import CompetitionPhase, EntrantStatus
from cribboard.competition.view import CompetitionEye

SINGLE, DOUBLE = FORMATS["single-elimination"], FORMATS["double-elimination"]


def stronger(one: int, other: int) -> int:
    return min(one, other)


def weaker(one: int, other: int) -> int:
    return max(one, other)


def play_out(hall: Hall, wins: Callable[[int, int], int]) -> Counter[frozenset[int]]:
    """Plays every match that is due until none is; how often each pair met."""
    met: Counter[frozenset[int]] = Counter()
    while due := bracket(hall.now).due:
        number = hall.draw(*due)
        for table, pair in enumerate(due, start=1):
            met[frozenset(pair)] += 1
            first = wins(*pair) == pair[0]
            for game in (1, 2):
                hall.do(entered(number, table, *((121, 100) if first else (100, 121)), game=game))
    return met


@pytest.mark.parametrize("entrants", [2, 3, 5, 8, 13, 16])
def test_the_strongest_wins_and_meets_the_second_in_the_final(entrants: int) -> None:
    hall = Hall(SINGLE, entrants)
    met = play_out(hall, stronger)
    assert met.total() == entrants - 1
    assert hall.competition.standings()[0].entrant == 1
    assert [row.place for row in hall.competition.standings()][:3] == [1, 2, 3][:entrants]
    last = hall.now.rounds[-1].encounters
    assert [set(each.entrants) for each in last] == [{1, 2}]


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 8, 11, 16])
@pytest.mark.parametrize("wins", [stronger, weaker])
def test_everybody_but_the_winner_loses_twice(entrants: int, wins: Callable[[int, int], int]) -> None:
    hall = Hall(DOUBLE, entrants)
    met = play_out(hall, wins)
    losses: Counter[int] = Counter()
    for pair, times in met.items():
        losses[max(pair) if wins is stronger else min(pair)] += times
    champion = 1 if wins is stronger else entrants
    assert losses[champion] == 0
    assert {losses[number] for number in range(1, entrants + 1) if number != champion} == {2}
    rows = hall.competition.standings()
    assert (rows[0].entrant, rows[0].place, rows[1].place) == (champion, 1, 2)


@pytest.mark.parametrize("entrants", [8, 16, 32])
def test_only_the_last_three_meet_again_where_the_stronger_wins(entrants: int) -> None:
    met = play_out(Hall(DOUBLE, entrants), stronger)
    assert [pair for pair, times in met.items() if times > 1 and max(pair) > 3] == []


def test_the_winner_of_the_losers_bracket_must_win_the_final_twice() -> None:
    hall = Hall(DOUBLE, 4)
    # 1 and 3 win; 1 beats 3; 3 comes back through the losers' bracket.
    met: Counter[frozenset[int]] = Counter()
    for winners in ({1, 3}, {1, 4}, {3}, {3}, {3}):
        due = bracket(hall.now).due
        number = hall.draw(*due)
        for table, pair in enumerate(due, start=1):
            met[frozenset(pair)] += 1
            first = pair[0] in winners
            for game in (1, 2):
                hall.do(entered(number, table, *((121, 100) if first else (100, 121)), game=game))
    assert bracket(hall.now).due == ()
    assert met[frozenset({1, 3})] == 3
    assert hall.order[:2] == (3, 1)


def test_seeds_are_as_the_organiser_orders_them() -> None:
    hall = Hall(SINGLE, 4, choice=None)
    hall.do(SeedEntrants((4, 2, 3, 1)), Begin())
    assert set(map(frozenset, bracket(hall.now).due)) == {frozenset({4, 1}), frozenset({2, 3})}


def test_only_the_organiser_sees_the_pairs_that_are_due() -> None:
    hall = Hall(SINGLE, 4)
    assert see(hall.now, CompetitionEye.ORGANISER).due == ((1, 4), (2, 3))
    assert hall.hall().due == ()


def test_an_entrant_absent_at_the_start_is_not_seeded() -> None:
    hall = Hall(SINGLE, 4, choice=None)
    hall.do(SeedEntrants((4, 2, 3, 1)), Depart(4, EntrantStatus.ABSENT), Begin())
    assert hall.now.seeds == (2, 3, 1)
    assert bracket(hall.now).due == ((3, 1),)


def test_only_a_pair_that_is_due_is_seated() -> None:
    hall = Hall(SINGLE, 4)
    assert hall.refused(DrawRound(seated((1, 2)))) == "not_in_the_bracket"
    hall.draw((1, 4))
    assert hall.refused(DrawRound(seated((1, 4)))) == "not_in_the_bracket"
    hall.draw((3, 2))


def test_an_entrant_who_leaves_loses_this_match_and_later_ones() -> None:
    hall = Hall(SINGLE, 4)
    number = hall.draw((1, 4), (2, 3))
    hall.do(entered(number, 1, 121, 0), Depart(1, EntrantStatus.LEFT, "malade"))
    hall.do(entered(number, 2, 121, 0), entered(number, 2, 121, 0, game=2))
    assert set(bracket(hall.now).due) == {(4, 2)}
    hall.do(Depart(4, EntrantStatus.LEFT, "malade"))
    assert bracket(hall.now).due == ()
    assert hall.order == (2, 3)


def test_losers_of_the_half_finals_share_the_bronze() -> None:
    hall = Hall(SINGLE, 8)
    play_out(hall, stronger)
    assert sorted(number for number, place in hall.places.items() if place == 3) == [3, 4]
    hall.do(EndPlay())
    assert hall.refused(DrawPlayOff(seated((3, 4)))) == "no_play_off"
    hall.open(3, 2, 1)
    assert hall.now.phase is CompetitionPhase.OPEN


def test_an_elimination_has_no_number_of_games() -> None:
    assert Hall(SINGLE, 4).refused(SetGames(3)) == "no_number_of_games"


@pytest.mark.parametrize("entrants", range(2, 65))
def test_a_bracket_has_the_matches_that_its_losses_need(entrants: int) -> None:
    """Every match is somebody's loss: one each but the winner's, or two, and the winner may lose once."""

    def play_out(matches: Sequence[EliminationMatch], lives: int) -> tuple[int, int]:
        """Let the stronger win every match; return the matches played and the winner."""
        winners: dict[frozenset[int], list[int]] = {}
        while due := (state := resolve(matches, range(1, entrants + 1), winners, lives=lives)).due:
            for pair in due:
                winners.setdefault(frozenset(pair), []).append(min(pair))
        return sum(map(len, winners.values())), max(state.lasted, key=state.lasted.__getitem__)

    assert play_out(single(entrants), 1) == (entrants - 1, 1)
    assert play_out(double(entrants), 2) == (2 * (entrants - 1), 1)
