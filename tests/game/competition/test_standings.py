"""Standings: every tie-break, shared places, play-offs, unequal totals, and the whole against an independent tally."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.competitions import Hall, circle, entered, seated

from cribboard.competition import FORMATS, read_format
from cribboard.competition.actions import (
    CorrectResult,
    CountMissing,
    Depart,
    DrawPlayOff,
    DrawRound,
    OpenPlace,
    ShareMedal,
    StartRound,
)
from cribboard.competition.standings import StandingsRow
from cribboard.competition.terms import Choice, CompetitionPhase, EntrantStatus, GameAt, Missing, RankingCriterion

FADOQ = FORMATS["fadoq"]


class Sum(NamedTuple):
    """What an independent tally knows of an entrant, in the order in which ACC clubs rank."""

    game_points: int
    wins: int
    spread: int
    plus: int
    points: int


def tally(games: list[tuple[int, int, int, int]], entrants: int) -> dict[int, Sum]:
    """By entrant, from plain rows of two entrants and two scores: 121 wins, below 91 is a skunk."""
    sums = {number: [0, 0, 0, 0, 0] for number in range(1, entrants + 1)}
    for one, other, first, second in games:
        for own, mine, theirs in ((one, first, second), (other, second, first)):
            won = mine == 121
            sums[own][0] += (3 if theirs < 91 else 2) if won else 0
            sums[own][1] += won
            sums[own][2] += mine - theirs
            sums[own][3] += mine - theirs if won else 0
            sums[own][4] += mine
    return {number: Sum(*held) for number, held in sums.items()}


def finished(first_wins: bool, lost: int) -> tuple[int, int]:
    return (121, lost) if first_wins else (lost, 121)


SCORES = st.builds(finished, st.booleans(), st.integers(0, 120))


@given(entrants=st.integers(2, 9), rounds=st.integers(1, 5), data=st.data())
def test_totals_and_order_are_those_of_an_independent_tally(entrants: int, rounds: int, data: st.DataObject) -> None:
    hall = Hall(read_format({"format": "acc", "games": 20}), entrants, choice=Choice.ONE_SHORT)
    games = []
    for pairs, byes in circle(entrants, rounds):
        played = [(*pair, *data.draw(SCORES)) for pair in pairs]
        hall.play(*played, byes=byes)
        games += played
    sums = tally(games, entrants)
    rows = hall.competition.standings()
    for row in rows:
        own = sums[row.entrant]
        assert dict(row.amounts) | {RankingCriterion.HEAD_TO_HEAD: 0} == {
            RankingCriterion.GAME_POINTS: own.game_points,
            RankingCriterion.WINS: own.wins,
            RankingCriterion.SPREAD: own.spread,
            RankingCriterion.PLUS_POINTS: own.plus,
            RankingCriterion.HEAD_TO_HEAD: 0,
        }
    assert [sums[row.entrant][:4] for row in rows] == sorted((own[:4] for own in sums.values()), reverse=True)
    criteria = (
        RankingCriterion.GAME_POINTS,
        RankingCriterion.WINS,
        RankingCriterion.SPREAD,
        RankingCriterion.PLUS_POINTS,
    )
    for above, row in pairwise(rows):
        differ = [c for c, a, b in zip(criteria, sums[above.entrant], sums[row.entrant], strict=False) if a != b]
        if differ:
            assert row.separated_by is differ[0]
        else:
            assert row.separated_by in (None, RankingCriterion.HEAD_TO_HEAD)


def row_of(hall: Hall, entrant: int) -> StandingsRow:
    return next(row for row in hall.competition.standings() if row.entrant == entrant)


def test_points_for_less_points_against_break_a_tie_of_points() -> None:
    hall = Hall(read_format({"format": "jeux50", "meeting_games": 1, "min_entrants": 2, "games": 1}), 4)
    hall.play((1, 2, 121, 90), (3, 4, 121, 95))
    assert hall.order == (1, 3, 4, 2)
    assert row_of(hall, 3).separated_by is RankingCriterion.SPREAD
    assert row_of(hall, 4).separated_by is RankingCriterion.POINTS


def test_entrants_who_are_still_level_share_the_place() -> None:
    hall = Hall(read_format({"format": "jeux50", "meeting_games": 1, "min_entrants": 2, "games": 1}), 6)
    hall.play((1, 2, 121, 90), (3, 4, 121, 90), (5, 6, 121, 80))
    assert hall.places == {5: 1, 1: 2, 3: 2, 2: 4, 4: 4, 6: 6}
    assert row_of(hall, 3).level_with == (1,)
    hall.end()
    hall.open(2, 1)
    assert hall.now.phase is CompetitionPhase.OPEN


def test_head_to_head_decides_between_exactly_two() -> None:
    hall = Hall(read_format({"format": "acc", "games": 3, "ranking": ["wins", "head_to_head"]}), 4)
    hall.play((2, 1, 121, 100), (3, 4, 121, 100))
    hall.play((1, 3, 121, 100), (2, 4, 100, 121))
    hall.play((1, 4, 121, 100), (2, 3, 121, 100))
    # Two games each for 1 and 2, and one each for 3 and 4; 2 beat 1, and 3 beat 4.
    assert hall.order == (2, 1, 3, 4)
    assert row_of(hall, 1).separated_by is row_of(hall, 4).separated_by is RankingCriterion.HEAD_TO_HEAD
    assert row_of(hall, 3).separated_by is RankingCriterion.WINS
    assert row_of(hall, 2).amounts == ((RankingCriterion.WINS, 2), (RankingCriterion.HEAD_TO_HEAD, 1))


def test_head_to_head_leaves_two_who_did_not_meet_level() -> None:
    hall = Hall(read_format({"format": "acc", "games": 1, "ranking": ["wins", "head_to_head"]}), 4)
    hall.play((1, 2, 121, 100), (3, 4, 100, 121))
    assert hall.places == {1: 1, 4: 1, 2: 3, 3: 3}
    assert (RankingCriterion.HEAD_TO_HEAD, 0) in row_of(hall, 1).amounts


def test_head_to_head_says_nothing_between_three() -> None:
    hall = Hall(read_format({"format": "acc", "games": 2, "ranking": ["wins", "head_to_head"]}), 3)
    hall.play((1, 2, 121, 100), byes=[3])
    hall.play((2, 3, 121, 100), byes=[1])
    hall.play((3, 1, 121, 100), byes=[2])
    assert set(hall.places.values()) == {1}


def test_unequal_totals_are_marked_and_missing_games_count_nothing_or_the_own_average() -> None:
    hall = Hall(FADOQ, 3, choice=Choice.ONE_SHORT)
    hall.play((1, 2, 121, 100), byes=[3])
    hall.play((1, 3, 61, 121), byes=[2])
    hall.play((1, 2, 121, 60), byes=[3])
    assert {row.entrant: row.missing for row in hall.competition.standings()} == {1: 0, 2: 1, 3: 2}
    assert hall.order == (1, 2, 3)
    hall.do(CountMissing(Missing.AVERAGE))
    assert hall.order == (3, 1, 2)
    amounts = {row.entrant: row.amounts[0][1] for row in hall.competition.standings()}
    assert amounts == {1: 303, 2: 240, 3: 363}


def test_an_own_average_is_exact() -> None:
    hall = Hall(FADOQ, 4)
    hall.play((1, 2, 121, 100), (3, 4, 121, 60))
    hall.play((1, 2, 121, 101), (3, 4, 121, 60))
    hall.play((1, 2, 121, 101), (3, 4, 121, 60))
    hall.add(5)
    hall.draw((1, 5), (3, 4), waiting=[2])
    hall.do(entered(4, 1, 121, 8), entered(4, 2, 121, 60), CountMissing(Missing.AVERAGE))
    assert row_of(hall, 2).amounts == ((RankingCriterion.POINTS, Fraction(302 * 4, 3)),)
    assert row_of(hall, 5).amounts == ((RankingCriterion.POINTS, 32),)


def test_a_bye_counts_no_points() -> None:
    hall = Hall(FADOQ, 3)
    hall.play((1, 2, 121, 100), byes=[3])
    assert (row_of(hall, 3).byes, row_of(hall, 3).amounts) == (1, ((RankingCriterion.POINTS, 0),))


# Play-offs (3.30)


def level(count: int, *, entrants: int = 8) -> Hall:
    """The first `count` teams are level after one game each, ahead of all others, and play is over."""
    hall = Hall(read_format({"format": "fadoq", "games": 1}), entrants)
    half = entrants // 2
    hall.draw(*((one, one + half) for one in range(1, half + 1)))
    for table in range(1, half + 1):
        if table <= count:
            hall.do(entered(1, table, 121, table))
        else:
            hall.do(entered(1, table, 100 + table, 20 + table, broken=True))
    hall.end()
    assert [row.entrant for row in hall.competition.standings() if row.place == 1] == list(range(1, count + 1))
    return hall


def test_three_level_play_a_round_robin_of_best_of_threes() -> None:
    hall = level(3)
    hall.play_off(1, 2, (121, 90), (121, 90))
    hall.play_off(2, 3, (121, 90), (121, 90))
    assert hall.places[1] == hall.places[2] == hall.places[3] == 1
    assert hall.refused(DrawPlayOff(seated((2, 1)))) == "met_in_play_off"
    hall.play_off(1, 3, (90, 121), (121, 90), (121, 100))
    assert (hall.places[1], hall.places[2], hall.places[3]) == (1, 2, 3)
    assert row_of(hall, 2).separated_by is RankingCriterion.PLAY_OFF
    assert hall.refused(DrawPlayOff(seated((1, 3)))) == "not_level"


def test_games_won_less_games_lost_decide_if_three_beat_each_other_in_a_circle() -> None:
    """2 pegs most, as it plays three games; points favour who plays more, and do not count (3.30)."""
    hall = level(3)
    hall.play_off(1, 2, (121, 90), (121, 119))
    hall.play_off(2, 3, (121, 90), (119, 121), (121, 90))
    hall.play_off(3, 1, (121, 80), (121, 80))
    games = {1: 2 - 2, 2: -2 + 1, 3: -1 + 2}
    assert [row.entrant for row in hall.competition.standings()][:3] == sorted(games, key=lambda n: -games[n])
    assert row_of(hall, 2).separated_by is RankingCriterion.PLAY_OFF_GAMES
    assert RankingCriterion.PLAY_OFF_POINTS not in dict(row_of(hall, 2).amounts)


def test_entrants_level_after_a_play_off_play_again_or_share_by_a_ruling() -> None:
    hall = level(3)
    for one, other in ((1, 2), (2, 3), (3, 1)):
        hall.play_off(one, other, (121, 90), (121, 90))
    hall.check_all()
    assert hall.places[1] == hall.places[2] == hall.places[3] == 1
    assert hall.refused(ShareMedal((1, 2))) == "not_level"
    hall.play_off(1, 2, (121, 90), (121, 90))
    assert hall.now.rounds[-1].play_off == 2
    hall.play_off(1, 3, (121, 90), (121, 90))
    hall.play_off(2, 3, (121, 90), (121, 90))
    assert (hall.places[1], hall.places[2], hall.places[3]) == (1, 2, 3)


def test_four_level_play_single_best_of_threes() -> None:
    hall = level(4)
    assert hall.refused(DrawPlayOff(seated((1, 5)))) == "not_level"
    hall.do(DrawPlayOff(seated((1, 3), (2, 4))), StartRound())
    number = len(hall.now.rounds)
    for table in (1, 2):
        assert hall.refused(DrawPlayOff(seated((1, 2)))) == "met_in_play_off"
        hall.do(entered(number, table, 121, 90), entered(number, table, 121, 80 + table, game=2))
    assert hall.places[1] == hall.places[2] == 1
    assert hall.places[3] == hall.places[4] == 3, "they lost one match each, whatever they pegged"
    hall.play_off(1, 2, (90, 121), (90, 121))
    hall.play_off(3, 4, (121, 90), (121, 90))
    assert hall.order[:4] == (2, 1, 3, 4)
    assert row_of(hall, 4).separated_by is RankingCriterion.PLAY_OFF_FURTHER
    amounts = [dict(row.amounts) for row in hall.competition.standings()[:4]]
    assert [amount[RankingCriterion.PLAY_OFF] for amount in amounts] == [1, 1, 0, 0], (
        "nobody below has more than who is above"
    )
    assert [amount[RankingCriterion.PLAY_OFF_FURTHER] for amount in amounts] == [1, 0, 1, 0]


def test_in_a_play_off_of_five_the_odd_entrant_continues_with_the_winners() -> None:
    """A bye is made up by a further round (3.30): nobody loses a medal by the draw."""
    hall = level(5, entrants=10)
    hall.play_off(1, 2, (121, 90), (121, 90))
    hall.play_off(3, 4, (121, 100), (121, 100))
    hall.check_all()
    assert [row.entrant for row in hall.competition.standings() if row.place == 1] == [1, 3, 5]
    assert hall.places[4] == hall.places[2] == 4, "places below the medals are shared"
    assert row_of(hall, 2).separated_by is RankingCriterion.PLAY_OFF
    assert hall.refused(DrawPlayOff(seated((2, 5)))) == "not_level"
    hall.play_off(5, 1, (121, 90), (121, 90))
    hall.play_off(5, 3, (121, 90), (121, 90))
    hall.play_off(1, 3, (121, 90), (121, 90))
    assert [hall.places[n] for n in (5, 1, 3, 2, 4)] == [1, 2, 3, 4, 4]


def test_no_entrant_sits_at_two_tables_of_a_play_off() -> None:
    hall = level(3)
    hall.do(DrawPlayOff(seated((1, 2))), StartRound())
    assert hall.refused(DrawPlayOff(seated((1, 3)))) == "still_playing"


def test_a_tie_below_the_medals_needs_no_play_off() -> None:
    hall = Hall(read_format({"format": "fadoq", "games": 1}), 8)
    hall.play((1, 5, 121, 20), (2, 6, 119, 121), (3, 7, 121, 20), (4, 8, 121, 20))
    hall.end()
    assert hall.places[5] == hall.places[7] == hall.places[8] == 6
    assert hall.refused(DrawPlayOff(seated((5, 7)))) == "not_level"


def test_a_shared_bronze_is_two_medals() -> None:
    hall = Hall(read_format({"format": "fadoq", "games": 1}), 4)
    hall.draw((1, 3), (2, 4))
    hall.do(entered(1, 1, 121, 100), entered(1, 2, 110, 100, broken=True))
    hall.end()
    assert hall.places == {1: 1, 2: 2, 3: 3, 4: 3}
    assert hall.refused(OpenPlace(3)) == "level_at_medal"
    hall.do(ShareMedal((4, 3)))
    hall.open(3)
    assert {row.entrant for row in hall.hall().standings} == {3, 4}
    assert hall.refused(OpenPlace(3)) == "not_that_place"
    assert hall.refused(OpenPlace(1)) == "not_that_place"
    hall.open(2, 1)


def test_a_shared_medal_ends_if_a_correction_separates_the_two() -> None:
    hall = level(3)
    hall.do(ShareMedal((1, 2, 3)), CorrectResult(at=GameAt(1, 1), scores=(90, 121), reason="inversé"))
    hall.check_all()
    assert hall.places[2] == hall.places[3] == hall.places[5] == 1
    assert hall.refused(OpenPlace(1)) == "level_at_medal"


def test_an_entrant_who_leaves_a_play_off_loses_it() -> None:
    hall = level(2)
    hall.do(DrawPlayOff(seated((1, 2))), StartRound(), Depart(1, EntrantStatus.LEFT, "malade"))
    assert hall.places[2] == 1
    assert hall.places[1] is None


# Matches


def test_a_skunk_counts_two_in_a_match_that_is_first_to_seven() -> None:
    hall = Hall(FORMATS["match-play"], 2)
    number = hall.draw((1, 2))
    for game in range(1, 4):
        hall.do(entered(number, 1, 121, 89, game=game))
    hall.do(entered(number, 1, 121, 90, game=4))
    assert hall.refused(entered(number, 1, 121, 90, game=5)) == "match_is_decided"
    row = hall.competition.standings()[0]
    assert dict(row.amounts)[RankingCriterion.MATCHES] == 1
    assert dict(row.amounts)[RankingCriterion.WINS] == 4


@pytest.mark.parametrize("games", [3, 5])
def test_a_best_of_ends_when_one_side_cannot_be_caught(games: int) -> None:
    form = read_format({"format": "match-play", "meeting": "best_of", "meeting_games": games, "skunk_wins": 1})
    hall = Hall(form, 2)
    number = hall.draw((1, 2))
    for game in range(1, games // 2 + 2):
        hall.do(entered(number, 1, 121, 30, game=game))
    assert hall.refused(entered(number, 1, 121, 30, game=games // 2 + 2)) == "match_is_decided"
    assert hall.refused(DrawRound(seated((1, 2)))) == "played_all"


def test_a_round_robin_of_matches_ranks_by_matches_first() -> None:
    form = read_format({"format": "match-play", "meeting": "best_of", "meeting_games": 3, "skunk_wins": 1})
    hall = Hall(form, 3)
    for one, other in combinations((1, 2, 3), 2):
        rest = ({1, 2, 3} - {one, other}).pop()
        number = hall.draw((one, other), byes=[rest])
        hall.do(entered(number, 1, 121, 100), entered(number, 1, 121, 100, game=2))
    assert hall.order == (1, 2, 3)
    assert Counter(row.missing for row in hall.competition.standings()) == {0: 3}
