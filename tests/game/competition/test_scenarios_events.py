"""How events are run: A58 to A62 of the rules reference, and what stands beside them (3.22; FADOQ, 1)."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.support.competitions import Hall, entered, seated

from cribboard.competition import FORMATS
from cribboard.competition.actions import (
    Begin,
    CheckIn,
    DrawPlayOff,
    DrawRound,
    OpenPlace,
    Register,
    ShareMedal,
    StartRound,
)
from cribboard.competition.next_seating import next_seating
from cribboard.competition.terms import Choice, CompetitionPhase, RankingCriterion

FADOQ, JEUX50, ACC = FORMATS["fadoq"], FORMATS["jeux50"], FORMATS["acc"]


@pytest.mark.parametrize(("players", "rounds", "byes"), [(10, 8, 0), (11, 9, 1)])
def test_a58_eight_opponents_twice_are_sixteen_games(players: int, rounds: int, byes: int) -> None:
    hall = Hall(JEUX50, players)
    met: Counter[frozenset[int]] = Counter()
    while seating := next_seating(hall.now, range(1, players + 1)):
        hall.do(DrawRound(seating), StartRound())
        number = len(hall.now.rounds)
        for pairing in seating.pairings:
            met[frozenset(pairing.entrants)] += 1
            assert hall.refused(entered(number, pairing.table, 121, 90, game=2)) == "earlier_game_first"
            hall.do(entered(number, pairing.table, 121, 90), entered(number, pairing.table, 80, 121, game=2))
            assert hall.refused(entered(number, pairing.table, 121, 90, game=3)) == "no_such_game"
    rows = hall.competition.standings()
    assert len(hall.now.rounds) == rounds
    assert set(met.values()) == {1}
    assert {(row.played, row.byes, row.missing) for row in rows} == {(16, byes, 0)}
    assert hall.refused(DrawRound(seated((1, 2)))) == "played_all"


def test_fewer_than_nine_do_not_start_unless_everyone_meets_everyone() -> None:
    hall = Hall(JEUX50, 8, choice=None)
    assert hall.refused(Begin()) == "too_few_entrants"
    hall.do(Begin(Choice.ROUND_ROBIN))
    assert hall.now.games == 14


def test_a59_teams_are_ranked_on_the_sum_of_pegged_points() -> None:
    hall = Hall(FADOQ, 4)
    totals: Counter[int] = Counter()
    for number in range(8):
        games = [(1, 2, 121, 90 + number), (3, 4, 60, 121)] if number % 2 else [(1, 3, 100, 121), (2, 4, 121, 120)]
        hall.play(*games)
        for one, other, won, lost in games:
            totals.update({one: won, other: lost})
    assert hall.refused(DrawRound(seated((1, 2), (3, 4)))) == "played_all"
    rows = hall.competition.standings()
    assert [row.entrant for row in rows] == [number for number, _ in totals.most_common()]
    assert {row.entrant: dict(row.amounts)[RankingCriterion.POINTS] for row in rows} == totals
    assert {row.played for row in rows} == {8}


def test_fadoq_does_not_start_with_fewer_than_three_teams() -> None:
    hall = Hall(FADOQ, 2, choice=None)
    assert hall.refused(Begin()) == "too_few_entrants"
    hall.do(Register(name="Trois", players=("a", "b")), CheckIn(3), Begin())
    assert hall.now.phase is CompetitionPhase.PLAY


def level_for_first() -> Hall:
    """Teams 1 and 2 have the same total after eight games."""
    hall = Hall(FADOQ, 4)
    for number in range(8):
        hall.play((1, 3, 121, 50), (2, 4, 121, 60)) if number % 2 else hall.play((1, 4, 110, 121), (2, 3, 110, 121))
    hall.end()
    return hall


def test_a60_a_best_of_three_decides_a_tie_for_first() -> None:
    hall = level_for_first()
    assert hall.places[1] == hall.places[2] == 1
    assert hall.refused(OpenPlace(3)) == "level_at_medal"
    assert hall.refused(DrawPlayOff(seated((1, 3)))) == "not_level"
    before = {row.entrant: row.amounts[0] for row in hall.competition.standings()}
    hall.do(DrawPlayOff(seated((1, 2))), StartRound())
    hall.do(entered(9, 1, 121, 100))
    assert hall.places[1] == hall.places[2] == 1
    hall.do(entered(9, 1, 90, 121, game=2), entered(9, 1, 119, 121, game=3))
    assert hall.refused(entered(9, 1, 119, 121, game=4)) == "match_is_decided"
    assert (hall.places[2], hall.places[1]) == (1, 2)
    first, second = hall.competition.standings()[:2]
    assert (RankingCriterion.PLAY_OFF, 1) in first.amounts
    assert second.separated_by is RankingCriterion.PLAY_OFF
    assert {row.entrant: row.amounts[0] for row in hall.competition.standings()} == before
    hall.check_all()
    hall.open(3, 2, 1)


def test_a61_standings_are_hidden_until_the_organiser_opens_them() -> None:
    hall = Hall(FADOQ, 4)
    hall.play((1, 2, 121, 90), (3, 4, 70, 121))
    assert hall.hall().is_sealed
    assert hall.hall().standings == ()
    assert all(table.results == () for table in hall.hall().tables)
    hall.end()
    assert hall.hall().standings == ()
    # Teams 1 and 4 share the first place, and the organiser rules that both have the medal.
    assert hall.refused(OpenPlace(2)) == "not_that_place"
    hall.do(ShareMedal((1, 4)))
    hall.open(3)
    assert [row.entrant for row in hall.hall().standings] == [2]
    hall.open(1)
    assert not hall.hall().is_sealed
    assert [row.entrant for row in hall.hall().standings] == [1, 4, 2, 3]
    assert hall.hall().tables[0].results[0].scores == (121, 90)


def test_a62_the_card_of_three_games() -> None:
    hall = Hall(ACC, 4)
    for opponent, scores in [(2, (121, 110)), (3, (121, 70)), (4, (119, 121))]:
        others = [number for number in (2, 3, 4) if number != opponent]
        hall.play((1, opponent, *scores), (others[0], others[1], 121, 100))
    card = hall.scorecard(1)
    assert [line.game_points for line in card.lines] == [2, 3, 0]
    assert [line.spread for line in card.lines] == [11, 51, -2]
    assert (card.game_points, card.spread, card.plus_points, card.wins) == (5, 60, 62, 2)
    assert [line.spread for line in hall.scorecard(3).lines if line.opponent == 1] == [-51]
