"""Schedules of fixed entrants, checked by a tally of their own. The rules reference, 3.22 and 3.30; A58."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise

import pytest
from tests.support.schedules import short_of

from cribboard.competition import round_robin
from cribboard.competition.round_robin import Schedule
from cribboard.competition.seating import Seating

#: More tables than pairs.
MANY = 99
draw_round_robin = partial(round_robin.draw_round_robin, tables=MANY)


def opponents(rounds: Iterable[Seating]) -> dict[int, list[int]]:
    """Whom each entrant meets, in order."""
    met: dict[int, list[int]] = {}
    for seating in rounds:
        for pairing in seating.pairings:
            one, other = pairing.entrants
            met.setdefault(one, []).append(other)
            met.setdefault(other, []).append(one)
    return met


def check_seatings(rounds: Sequence[Seating], entrants: Sequence[int]) -> None:
    """Everybody is named once in each round, and no table has two pairs."""
    for seating in rounds:
        assert sorted(seating.entrants) == sorted(entrants)
        assert [pairing.table for pairing in seating.pairings] == list(range(1, len(seating.pairings) + 1))


def check_all_are_met_before_any_again(rounds: Sequence[Seating], entrants: Sequence[int]) -> None:
    others = len(entrants) - 1
    for met in opponents(rounds).values():
        for first in range(0, len(met), others):
            meetings = met[first : first + others]
            assert len(set(meetings)) == len(meetings)


def check_byes(rounds: Sequence[Seating], entrants: Sequence[int]) -> None:
    """They differ by at most one after every round."""
    byes = dict.fromkeys(entrants, 0)
    for seating in rounds:
        for entrant in seating.byes:
            byes[entrant] += 1
        assert max(byes.values()) - min(byes.values()) <= 1


def numbers_of_visits(entrants: int) -> Sequence[int]:
    """All up to two whole cycles; with many entrants some, and those around half, whole and two cycles."""
    cycle = entrants - 1
    if entrants <= 16:
        return range(1, 2 * cycle + 1)
    around = {middle + near for middle in (cycle // 2, cycle) for near in (-1, 0, 1)}
    return sorted({1, 2, 8, 9, 2 * cycle - 1, 2 * cycle} | around)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3, 65))
def test_all_play_the_set_number_of_games_and_meet_all_others_before_any_again(number: int) -> None:
    entrants = range(number)
    for visits in numbers_of_visits(number):
        schedule = draw_round_robin(entrants, visits)
        check_seatings(schedule.rounds, entrants)
        check_all_are_met_before_any_again(schedule.rounds, entrants)
        check_byes(schedule.rounds, entrants)
        played = {entrant: len(met) for entrant, met in opponents(schedule.rounds).items()}
        uneven = number % 2 and visits % 2
        fewer = {number - 1: visits - 1} if uneven else {}
        assert {entrant: played.get(entrant, 0) for entrant in entrants} == dict.fromkeys(entrants, visits) | fewer
        assert short_of(schedule) == ({number - 1: 1} if uneven else {})
        pairs = sum(len(seating.pairings) for seating in schedule.rounds)
        assert len(schedule.rounds) == -(-pairs // (number // 2)), "there are more rounds than needed"


@pytest.mark.parametrize("number", range(4, 16))
def test_no_entrant_meets_an_opponent_in_two_consecutive_rounds(number: int) -> None:
    for visits in range(1, 3 * number):
        for met in opponents(draw_round_robin(range(number), visits).rounds).values():
            assert all(one != following for one, following in pairwise(met))


def games_played(schedule: Schedule) -> Counter[int]:
    return Counter({entrant: schedule.visit * len(met) for entrant, met in opponents(schedule.rounds).items()})


def test_ten_players_play_eight_rounds_of_two_games() -> None:
    schedule = draw_round_robin(range(10), 16, visit=2)
    assert len(schedule.rounds) == 8
    assert all(len(seating.pairings) == 5 and not seating.byes for seating in schedule.rounds)
    assert all(len(set(met)) == 8 for met in opponents(schedule.rounds).values())
    assert games_played(schedule) == dict.fromkeys(range(10), 16)


def test_eleven_players_play_nine_rounds_with_one_bye_each() -> None:
    schedule = draw_round_robin(range(11), 16, visit=2)
    assert len(schedule.rounds) == 9
    assert Counter(entrant for seating in schedule.rounds for entrant in seating.byes) == dict.fromkeys(range(11), 1)
    assert all(len(set(met)) == 8 for met in opponents(schedule.rounds).values())
    assert games_played(schedule) == dict.fromkeys(range(11), 16)


def test_thirteen_entrants_play_nine_games_except_one_with_eight() -> None:
    schedule = draw_round_robin(range(13), 9)
    assert short_of(schedule) == {12: 1}
    assert games_played(schedule) == dict.fromkeys(range(12), 9) | {12: 8}


def test_a_visit_of_two_games_is_short_as_a_whole() -> None:
    assert short_of(draw_round_robin(range(11), 18, visit=2)) == {10: 2}


def test_the_last_visit_may_be_a_single_game() -> None:
    schedule = draw_round_robin(range(10), 15, visit=2)
    assert schedule.rounds == draw_round_robin(range(10), 16, visit=2).rounds
    assert short_of(schedule) == {}


def test_entrants_are_named_as_they_are_passed_in() -> None:
    (first, *_), named = draw_round_robin([30, 10, 20], 2).rounds, {10, 20, 30}
    assert set(first.entrants) == named
    assert draw_round_robin([30, 10, 20], 2) != draw_round_robin([10, 20, 30], 2)


@pytest.mark.parametrize(("number", "rounds"), [(2, 1), (3, 3), (4, 3), (9, 9), (24, 23)])
def test_in_a_round_robin_everybody_meets_everybody_else_once(number: int, rounds: int) -> None:
    schedule = draw_round_robin(range(number), 2 * (number - 1), visit=2)
    assert len(schedule.rounds) == rounds
    for entrant, met in opponents(schedule.rounds).items():
        assert sorted([entrant, *met]) == list(range(number))


@pytest.mark.parametrize("number", [4, 5, 8, 11, 16, 30])
def test_with_fewer_tables_than_pairs_the_others_wait_and_no_table_is_idle(number: int) -> None:
    entrants = range(number)
    for tables in range(1, number // 2):
        for visits in (2, 6, 8):
            schedule = draw_round_robin(entrants, visits, tables=tables)
            check_seatings(schedule.rounds, entrants)
            check_all_are_met_before_any_again(schedule.rounds, entrants)
            assert games_played(schedule) == dict.fromkeys(entrants, visits)
            assert len(schedule.rounds) == -(-number * visits // 2 // tables)
            *full, _ = schedule.rounds
            assert all(len(seating.pairings) == tables for seating in full)


def test_the_waiting_list_begins_with_the_longest_wait() -> None:
    first, second, *_ = draw_round_robin(range(8), 3, tables=1).rounds
    (pairing,) = second.pairings
    assert set(first.waiting) > set(pairing.entrants)
    assert set(second.waiting[-2:]) == set(first.pairings[0].entrants)


@pytest.mark.parametrize(
    ("entrants", "games", "visit", "tables", "sentence"),
    [
        ([1], 8, 1, MANY, "1 entrants: allowed are 2 or more."),
        ([1, 2, 1], 8, 1, MANY, "Entrants named twice: 1."),
        ([1, 2], 0, 1, MANY, "games = 0: allowed is 1 or more."),
        ([1, 2], -8, 1, MANY, "games = -8: allowed is 1 or more."),
        ([1, 2], 8, 0, MANY, "visit = 0: allowed is 1 or more."),
        ([1, 2], 8, 1, 0, "tables = 0: allowed is 1 or more."),
    ],
)
def test_an_invalid_schedule_is_refused_with_the_value(
    entrants: list[int], games: int, visit: int, tables: int, sentence: str
) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        draw_round_robin(entrants, games, visit=visit, tables=tables)
