"""Play-offs for medals, beside a club's own arithmetic (rules reference, 3.30)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.club_tally import Match, played_off
from tests.support.competitions import Hall, entered

from cribboard.competition import read_format
from cribboard.competition.actions import DrawPlayOff, EndPlay, Penalise, ShareMedal, StartRound
from cribboard.competition.club_format import read_label
from cribboard.competition.medals import level_at_medals
from cribboard.competition.next_seating import next_play_off

WON, LOST = (121, 90), (90, 121)
FORM = read_format({"format": "fadoq", "games": 1})


def level_at(place: int, count: int) -> Hall:
    """Play is over after one game each, and `count` teams are level at this place; who is ahead lost fewer points to an
    official. All others lost their game."""
    last = place - 1 + count
    hall = Hall(FORM, 2 * last)
    hall.draw(*((one, one + last) for one in range(1, last + 1)))
    for team in range(1, last + 1):
        hall.do(entered(1, team, 121, team))
        if taken := min(team - 1, place - 1):
            hall.do(Penalise(team, taken, "retard"))
    hall.do(EndPlay())
    assert {team for team, at in hall.places.items() if at == place} == {*range(place, last + 1)}
    return hall


def play_on(hall: Hall, rng: Random) -> list[Match]:
    """Play all that may be drawn, to a fourth play-off at most; the matches in order."""
    matches: list[Match] = []
    while hall.now.rounds[-1].play_off < 4:
        everyone = range(1, len(hall.now.entrants) + 1)
        seating = next_play_off(hall.now, rng.sample(everyone, len(everyone)))
        if seating is None:
            break
        hall.do(DrawPlayOff(seating), StartRound())
        number = len(hall.now.rounds)
        for pairing in seating.pairings:
            games: list[tuple[int, int]] = []
            while (number, pairing.table) in hall.hall().outstanding:
                games.append(rng.choice([(121, 60), (121, 120), (60, 121), (120, 121), (80, 70)]))
                hall.do(entered(number, pairing.table, *games[-1], game=len(games), broken=games[-1] == (80, 70)))
            matches.append(Match(pairing.entrants, games))
    return matches


def the_places_are_those_of_the_club(place: int, count: int, rng: Random) -> None:
    hall = level_at(place, count)
    before = hall.places
    matches = play_on(hall, rng)
    level = range(place, place + count)
    assert hall.places == before | played_off(level, place, matches)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.integers(1, 3), st.integers(2, 9), st.integers(0, 2**32))
def test_the_places_after_play_offs_are_those_of_a_club_that_counts_matches_alone(
    place: int, count: int, seed: int
) -> None:
    the_places_are_those_of_the_club(place, count, Random(seed))


@pytest.mark.parametrize("place", [1, 2, 3])
def test_after_a_three_way_play_off_for_bronze_the_two_losers_share_a_place(place: int) -> None:
    hall = level_at(place, 3)
    first, second, third = range(place, place + 3)
    hall.play_off(first, second, WON, WON)
    hall.play_off(second, third, WON, WON)
    hall.play_off(third, first, LOST, LOST)
    places = [hall.places[team] for team in (first, second, third)]
    assert places == {1: [1, 2, 3], 2: [2, 3, 4], 3: [3, 4, 4]}[place]


def test_a_team_that_played_three_games_in_its_match_is_not_ahead_of_one_that_won_in_two() -> None:
    """Of four, both losers are level at bronze, and a further match is theirs; so for the winners at gold."""
    hall = level_at(1, 4)
    hall.play_off(1, 2, WON, LOST, WON)
    hall.play_off(3, 4, WON, WON)
    assert hall.places == hall.places | {1: 1, 3: 1, 2: 3, 4: 3}
    hall.play_off(2, 4, LOST, LOST)
    assert hall.places == hall.places | {1: 1, 3: 1, 4: 3, 2: 4}
    hall.play_off(1, 3, LOST, LOST)
    assert hall.order[:4] == (3, 1, 4, 2)


def test_three_that_beat_each_other_in_two_games_each_wait_for_the_organisers_ruling() -> None:
    hall = level_at(1, 3)
    for one, other in ((1, 2), (2, 3), (3, 1)):
        hall.play_off(one, other, WON, (121, 0))
    assert [hall.places[team] for team in (1, 2, 3)] == [1, 1, 1]
    [group] = level_at_medals(hall.now)
    assert (group.entrants, group.play_offs) == ((1, 2, 3), 1)
    hall.check_all()
    hall.do(ShareMedal((1, 2, 3)))
    hall.open(1)


def test_two_that_stay_level_in_a_circle_of_longer_matches_play_a_further_one() -> None:
    """Best of five: 1 beats 2 in three games, 2 beats 3 in four and 3 beats 1 in five."""
    form = read_format({"format": "fadoq", "games": 1, "play_off_games": 5})
    hall = Hall(form, 6)
    hall.play((1, 4, 121, 1), (2, 5, 121, 2), (3, 6, 121, 3))
    hall.do(EndPlay())
    hall.play_off(1, 2, WON, WON, WON)
    hall.play_off(2, 3, WON, WON, LOST, WON)
    hall.play_off(3, 1, WON, WON, LOST, LOST, WON)
    assert [hall.places[team] for team in (1, 2, 3)] == [1, 2, 2]
    hall.play_off(2, 3, LOST, LOST, LOST)
    assert hall.order[:3] == (1, 3, 2)


def test_a_competition_of_version_1_keeps_its_ruling() -> None:
    read = read_label("fadoq/1 games=1")
    assert (read.version, read.label) == (1, "fadoq/1 games=1")
    assert replace(read, version=FORM.version) == FORM
    hall = Hall(read, 8)
    hall.play(*((one, one + 4, 121, one) for one in range(1, 5)))
    hall.do(EndPlay())
    hall.play_off(1, 2, WON, LOST, WON)
    hall.play_off(3, 4, WON, WON)
    assert hall.order[:4] == (1, 3, 2, 4), "the points of the play-off part them: 1 and 2 played three games"
