"""Schedules after departures and arrivals, against every round that there could be. The rules reference, 3.31."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.schedules import short_of

from cribboard.competition import round_robin
from cribboard.competition.round_robin import Schedule, games_owed
from cribboard.competition.seating import Pairing, Seating

Pair = tuple[int, int]

draw_round_robin = partial(round_robin.draw_round_robin, tables=99)
redraw_remaining_rounds = partial(round_robin.redraw_remaining_rounds, tables=99)


def met_before(rounds: Sequence[Seating], one: int, other: int) -> int:
    return sum({one, other} == set(pairing.entrants) for seating in rounds for pairing in seating.pairings)


def early_pairs(rounds: Sequence[Seating], present: Sequence[int]) -> set[Pair]:
    """Pairs of which one side has met somebody else who is present less often."""
    met = {(a, b): met_before(rounds, a, b) for a in present for b in present if a != b}
    least = {a: min(met[a, b] for b in present if b != a) for a in present}
    return {(a, b) for a, b in met if met[a, b] > min(least[a], least[b])}


def byes_since_arrival(rounds: Sequence[Seating], entrant: int) -> int:
    byes = 0
    for seating in reversed(rounds):
        if entrant not in seating.entrants:
            break
        byes += entrant in (*seating.byes, *seating.waiting)
    return byes


def spread_of_byes(rounds: Sequence[Seating], present: Sequence[int], playing: set[int]) -> int:
    byes = [byes_since_arrival(rounds, entrant) + (entrant not in playing) for entrant in present]
    return max(byes) - min(byes)


def every_round(active: tuple[int, ...]) -> Iterator[list[Pair]]:
    """All ways in which all play, or all but one."""
    if len(active) % 2:
        for rests in active:
            yield from every_round(tuple(each for each in active if each != rests))
    elif not active:
        yield []
    else:
        first, *others = active
        for other in others:
            for pairs in every_round(tuple(each for each in others if each != other)):
                yield [(first, other), *pairs]


def round_with_fewest_rematches(
    rounds: Sequence[Seating], present: Sequence[int], active: Sequence[int]
) -> tuple[int, int]:
    """The fewest early rematches and then the smallest spread of byes, by trying every round."""
    early = early_pairs(rounds, present)
    spreads: dict[frozenset[int], int] = {}

    def measure(pairs: list[Pair]) -> tuple[int, int]:
        playing = frozenset(entrant for pair in pairs for entrant in pair)
        if playing not in spreads:
            spreads[playing] = spread_of_byes(rounds, present, {*playing})
        return sum(pair in early for pair in pairs), spreads[playing]

    return min(map(measure, every_round(tuple(active))))


def check_redrawn(schedule: Schedule, played: int, owed: dict[int, int]) -> None:
    """Each new round names those present once, pairs all who owe games or all but one, and is as good as any."""
    present = list(owed)
    left = {entrant: -(-games // schedule.visit) for entrant, games in owed.items()}
    for number, seating in enumerate(schedule.rounds[played:], played):
        assert sorted(seating.entrants) == sorted(present)
        active = [entrant for entrant in present if left[entrant] > 0]
        pairs = [pairing.entrants for pairing in seating.pairings]
        playing = {entrant for pair in pairs for entrant in pair}
        assert playing <= {*active}
        assert len(pairs) == len(active) // 2
        before = schedule.rounds[:number]
        early = early_pairs(before, present)
        found = sum(pair in early for pair in pairs), spread_of_byes(before, present, playing)
        assert found == round_with_fewest_rematches(before, present, active)
        for entrant in playing:
            left[entrant] -= 1
    assert sum(visits > 0 for visits in left.values()) <= 1


@pytest.mark.slow
@settings(max_examples=60)
@given(st.data())
def test_each_round_after_a_departure_or_an_arrival_is_as_good_as_any(data: st.DataObject) -> None:
    number = data.draw(st.integers(4, 9), "entrants")
    visits = data.draw(st.integers(2, number + 1), "visits")
    schedule = draw_round_robin(range(number), 2 * visits, visit=2)
    present, played = list(range(number)), 0
    for newcomer in range(number, number + 3):
        played = data.draw(st.integers(played, len(schedule.rounds)), "rounds played")
        change = data.draw(st.sampled_from(["departure", "arrival", "both"]), "change")
        if change != "arrival" and len(present) > 2:
            present.remove(data.draw(st.sampled_from(present), "leaves"))
        if change != "departure" and len(present) < 10:
            gone = [entrant for entrant in range(newcomer) if entrant not in present]
            present.append(data.draw(st.sampled_from([newcomer, *gone]), "arrives"))
        owed = games_owed(schedule, played, present)
        done = schedule.rounds[:played]
        schedule = redraw_remaining_rounds(schedule, played, owed)
        assert schedule.rounds[:played] == done
        check_redrawn(schedule, played, owed)


@pytest.mark.parametrize("number", range(2, 14))
def test_drawn_anew_without_a_change_a_schedule_stays_as_it_is(number: int) -> None:
    for visits in (number - 1, number + 1):
        schedule = draw_round_robin(range(number), visits)
        for played in range(len(schedule.rounds) + 1):
            assert redraw_remaining_rounds(schedule, played, games_owed(schedule, played, range(number))) == schedule


def test_after_one_of_ten_players_leaves_no_pair_meets_twice() -> None:
    """Who met the one who left keeps these games; the nine who stay play eight opponents each."""
    schedule = draw_round_robin(range(10), 16, visit=2)
    for leaver in range(10):
        present = [entrant for entrant in range(10) if entrant != leaver]
        made = redraw_remaining_rounds(schedule, 3, games_owed(schedule, 3, present))
        assert all(met_before(made.rounds, a, b) <= 1 for a in present for b in present if a != b)
        short = {entrant: games for entrant, games in short_of(made).items() if entrant in present}
        assert sum(short.values()) <= 2


def test_a_late_entrant_takes_the_place_of_the_bye() -> None:
    schedule = draw_round_robin(range(11), 16, visit=2)
    made = redraw_remaining_rounds(schedule, 2, games_owed(schedule, 2, range(12)))
    assert not any(seating.byes for seating in made.rounds[2:8])
    assert short_of(made) == {11: 4}


def test_byes_count_since_the_arrival() -> None:
    """Entrant 0 had a bye, left, and came back when all others had had one."""
    done = (
        Seating((Pairing(1, (1, 3)), Pairing(2, (2, 4))), byes=(0,)),
        Seating((Pairing(1, (1, 2)),), waiting=(3, 4)),
        Seating((Pairing(1, (3, 4)),), waiting=(1, 2)),
    )
    made = redraw_remaining_rounds(Schedule(games=4, visit=1, rounds=done), 3, dict.fromkeys([1, 2, 3, 4, 0], 1))
    assert made.rounds[3].byes == (0,)


def test_an_entrant_arriving_in_the_last_round_plays_the_one_left_over() -> None:
    schedule = draw_round_robin(range(11), 16, visit=2)
    leaver, left_over = schedule.rounds[8].pairings[0].entrants
    present = [entrant for entrant in range(11) if entrant != leaver]
    alone = redraw_remaining_rounds(schedule, 8, games_owed(schedule, 8, present))
    assert short_of(alone) == {leaver: 2, left_over: 2}
    together = redraw_remaining_rounds(schedule, 8, games_owed(schedule, 8, [*present, 11]))
    assert short_of(together) == {leaver: 2, 11: 14}


def test_rounds_before_an_arrival_are_not_made_up() -> None:
    schedule = draw_round_robin(range(10), 16, visit=2)
    assert games_owed(schedule, 3, [0, 9, 10]) == {0: 10, 9: 10, 10: 8}
    assert games_owed(schedule, 3, [0, 8, 9, 10]) == {0: 10, 8: 10, 9: 10, 10: 10}
    assert games_owed(schedule, 0, [10]) == {10: 16}


def test_an_entrant_with_half_a_visit_played_owes_another_visit() -> None:
    schedule = draw_round_robin(range(4), 6, visit=2)
    made = redraw_remaining_rounds(schedule, 1, {0: 3, 1: 4, 2: 4, 3: 3})
    assert [len(seating.pairings) for seating in made.rounds] == [2, 2, 2]


@pytest.mark.parametrize("entrants", [8, 11, 12, 13])
@pytest.mark.parametrize("games", [4, 6, 10, 12])
def test_the_number_of_games_changes_while_it_runs(entrants: int, games: int) -> None:
    schedule = replace(draw_round_robin(range(entrants), 8), games=games)
    for played in range(4):
        made = redraw_remaining_rounds(schedule, played, games_owed(schedule, played, range(entrants)))
        assert made.rounds[:played] == schedule.rounds[:played]
        assert short_of(made) == {}
        met = [met_before(made.rounds, a, b) for a in range(entrants) for b in range(a)]
        assert max(met) - min(met) <= 1


def test_new_rounds_use_the_tables_that_there_are() -> None:
    schedule = draw_round_robin(range(10), 8)
    made = redraw_remaining_rounds(schedule, 2, games_owed(schedule, 2, range(8)), tables=3)
    assert all(len(seating.pairings) <= 3 for seating in made.rounds[2:])
    assert {pairing.table for seating in made.rounds[2:] for pairing in seating.pairings} == {1, 2, 3}


def test_with_one_entrant_left_there_are_no_more_rounds() -> None:
    schedule = draw_round_robin(range(3), 2)
    assert redraw_remaining_rounds(schedule, 1, {2: 1}).rounds == schedule.rounds[:1]


@pytest.mark.parametrize("played", [-1, 4])
def test_redrawing_after_more_rounds_than_scheduled_is_refused(played: int) -> None:
    with pytest.raises(ValueError, match=f"^played = {played}: allowed is 0 to 3, the rounds of the schedule.$"):
        redraw_remaining_rounds(draw_round_robin(range(4), 3), played, {0: 1, 1: 1})
