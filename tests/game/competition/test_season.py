"""The ranking of a season: what counts, who is the same entrant, and what is refused."""

from __future__ import annotations

import tomllib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.competitions import Hall
from tests.support.places import ROOT

from cribboard.competition import FORMATS, see
from cribboard.competition.actions import EndPlay, OpenPlace, ShowAs
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.season import (
    ALLOWED,
    Finish,
    PointsBy,
    SeasonError,
    SeasonOutcome,
    SeasonRow,
    SeasonRule,
    outcome,
    ranking,
    read_rule,
)
from cribboard.competition.tally import Amount
from cribboard.competition.terms import RankingCriterion
from cribboard.competition.view import CompetitionEye

DOC = (ROOT / "docs" / "competition.md").read_text(encoding="utf-8")


def evening(
    name: str, *finishes: tuple[str, int, int], by: RankingCriterion = RankingCriterion.POINTS
) -> SeasonOutcome:
    """A competition of players, each with a place and an amount."""
    return SeasonOutcome(name, "", by, tuple(Finish(who, (who,), place, amount) for who, place, amount in finishes))


def placed(rows: tuple[SeasonRow, ...]) -> list[tuple[int | None, str, Amount]]:
    return [(row.place, row.name, row.total) for row in rows]


OCTOBER = evening("October", ("Odile", 1, 900), ("René", 2, 880), ("Ines", 3, 700))
NOVEMBER = evening("November", ("René", 1, 950), ("Ines", 2, 800), ("Odile", 3, 790))
DECEMBER = evening("December", ("Ines", 1, 850), ("Odile", 2, 840))


def test_the_best_results_count_and_the_others_are_shown() -> None:
    rows = ranking(SeasonRule(counting=2, places=(10, 8, 6)), [OCTOBER, NOVEMBER, DECEMBER])
    assert placed(rows) == [(1, "Ines", 18), (1, "Odile", 18), (1, "René", 18)]
    odile = rows[1]
    assert [(result.event, result.place, result.points, result.counts) for result in odile.results] == [
        (0, 1, 10, True),
        (1, 3, 6, False),
        (2, 2, 8, True),
    ]
    assert odile.level_with == ("Ines", "René")


def test_all_results_count_if_no_number_is_set() -> None:
    rows = ranking(SeasonRule(places=(10, 8, 6)), [OCTOBER, NOVEMBER, DECEMBER])
    assert placed(rows) == [(1, "Ines", 24), (1, "Odile", 24), (3, "René", 18)]
    assert rows[2].separated_by == 0


def test_equal_totals_are_separated_by_the_best_result_then_the_next() -> None:
    first = evening("1", ("Anne", 1, 0), ("Benoît", 2, 0), ("Carole", 3, 0))
    second = evening("2", ("Denis", 1, 0), ("Benoît", 2, 0), ("Carole", 3, 0), ("Anne", 4, 0))
    rows = ranking(SeasonRule(places=(9, 6, 6, 3)), [first, second])
    assert [(row.place, row.name, row.total, row.separated_by) for row in rows] == [
        (1, "Anne", 12, None),
        (2, "Benoît", 12, 1),
        (2, "Carole", 12, None),
        (4, "Denis", 9, 0),
    ]


def test_level_places_share_the_points_exactly() -> None:
    tie = evening("1", ("Anne", 1, 5), ("Benoît", 1, 5), ("Carole", 1, 5), ("Denis", 4, 1))
    rows = ranking(SeasonRule(places=(10, 8, 5), others=2), [tie])
    assert placed(rows) == [
        (1, "Anne", Fraction(23, 3)),
        (1, "Benoît", Fraction(23, 3)),
        (1, "Carole", Fraction(23, 3)),
        (4, "Denis", 2),
    ]


def test_points_may_be_the_first_amount() -> None:
    rows = ranking(SeasonRule(points=PointsBy.AMOUNT, counting=1), [OCTOBER, NOVEMBER])
    assert placed(rows) == [(1, "René", 950), (2, "Odile", 900), (3, "Ines", 800)]


def test_amounts_of_different_kinds_are_not_added_up() -> None:
    other = evening("ACC", ("Odile", 1, 20), by=RankingCriterion.GAME_POINTS)
    with pytest.raises(SeasonError, match="game_points, points"):
        ranking(SeasonRule(points=PointsBy.AMOUNT), [OCTOBER, other])
    assert ranking(SeasonRule(), [OCTOBER, other])[0].name == "Odile"


def test_an_entrant_with_too_few_events_is_listed_without_a_place() -> None:
    rows = ranking(SeasonRule(min_events=3), [OCTOBER, NOVEMBER, DECEMBER])
    assert placed(rows) == [(1, "Ines", 24), (1, "Odile", 24), (None, "René", 18)]


def test_a_player_is_known_by_the_name_without_case_and_accents() -> None:
    later = evening("2", ("RENE", 1, 0))
    rows = ranking(SeasonRule(places=(10, 8, 6)), [OCTOBER, later])
    assert rows[0].name == "RENE"
    assert rows[0].total == 18


def test_a_team_is_its_players_whatever_it_is_called() -> None:
    first = SeasonOutcome("1", "", RankingCriterion.POINTS, (Finish("Les As", ("Léa", "Guy"), 1, 900),))
    second = SeasonOutcome("2", "", RankingCriterion.POINTS, (Finish("Les Valets", ("guy", "Lea"), 1, 900),))
    [row] = ranking(SeasonRule(), [first, second])
    assert (row.name, row.total) == ("Les Valets", 20)


def test_two_entrants_with_the_same_players_are_reported() -> None:
    with pytest.raises(SeasonError, match="October: René and Rene"):
        ranking(SeasonRule(), [evening("October", ("René", 1, 1), ("Rene", 2, 0))])


def test_a_competition_enters_the_season_once_its_results_are_open() -> None:
    hall = Hall(FORMATS["round-robin"], 2)
    hall.play((1, 2, 121, 98))
    hall.do(EndPlay())
    heading = CompetitionHeading(format=FORMATS["round-robin"], name="Mardi")
    with pytest.raises(SeasonError, match="Mardi: its results are not open"):
        outcome(heading, see(hall.now, CompetitionEye.ORGANISER))
    hall.do(OpenPlace(2), OpenPlace(1))
    held = outcome(heading, see(hall.now, CompetitionEye.ORGANISER))
    assert [(finish.name, finish.place, finish.amount) for finish in held.finishes] == [
        ("Entrant 1", 1, 1),
        ("Entrant 2", 2, 0),
    ]


def test_a_public_name_is_shown_and_the_player_is_known_by_the_own_name() -> None:
    hall = Hall(FORMATS["round-robin"], 2)
    hall.do(ShowAs(1, "É. 1"))
    hall.play((1, 2, 121, 98))
    hall.do(EndPlay(), OpenPlace(2), OpenPlace(1))
    held = outcome(CompetitionHeading(format=FORMATS["round-robin"]), see(hall.now, CompetitionEye.ORGANISER))
    before = evening("before", ("Entrant 1", 1, 1), by=RankingCriterion.WINS)
    assert placed(ranking(SeasonRule(), [before, held]))[0] == (1, "É. 1", 20)


def test_a_season_without_competitions_is_empty() -> None:
    assert ranking(SeasonRule(), []) == ()


@given(st.lists(st.permutations(range(6)), max_size=6), st.integers(1, 6))
def test_the_ranking_is_that_of_the_sums_of_the_best(orders: list[list[int]], counting: int) -> None:
    worth = SeasonRule().places
    held = [
        evening(str(at), *((f"{who}", place, 0) for place, who in enumerate(order, 1)))
        for at, order in enumerate(orders)
    ]
    rows = ranking(SeasonRule(counting=counting), held)
    for row in rows:
        mine = sorted((worth[order.index(int(row.name))] for order in orders), reverse=True)
        assert row.total == sum(mine[:counting])
        assert row.total == sum(result.points for result in row.results if result.counts)
    totals = [row.total for row in rows]
    assert totals == sorted(totals, reverse=True)


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ({"counting": 0}, "counting = 0: allowed is a whole number from 1 to 99, or all."),
        ({"counting": True}, "counting = True"),
        ({"points": "medals"}, "points = 'medals': allowed is place or amount."),
        ({"points": ["place"]}, "points = "),
        ({"places": []}, "places = "),
        ({"places": [1, 2]}, "places = "),
        ({"places": "10"}, "places = '10'"),
        ({"others": 9}, "others = 9"),
        ({"min_events": "two"}, "min_events = 'two'"),
        ({"bestof": 3}, "bestof: there is no such field; allowed are counting, points"),
    ],
)
def test_an_invalid_season_rule_is_refused_with_its_value(said: dict[str, object], named: str) -> None:
    with pytest.raises(SeasonError) as refused:
        read_rule(said)
    assert named in str(refused.value)


def test_all_problems_of_a_season_rule_come_in_one_report() -> None:
    with pytest.raises(SeasonError) as refused:
        read_rule({"counting": -1, "min_events": 0, "points": 3})
    assert len(refused.value.problems) == 3


def test_the_season_rule_in_the_documents_can_be_read() -> None:
    example = DOC.partition("## The season")[2].partition("```toml\n")[2].partition("```")[0]
    rule = read_rule(tomllib.loads(example))
    assert (rule.counting, rule.places[0], rule.min_events) == (8, 15, 3)


def test_every_field_of_a_rule_is_in_the_documents() -> None:
    part = DOC.partition("## The season")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| `")]
    assert [(row[0].strip("`"), row[2]) for row in rows] == [*ALLOWED.items()]
