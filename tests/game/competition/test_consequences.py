"""What an organiser is told before it is done: rounds that become void, byes, and games that do not come out even."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.support.competitions import Hall, entered, seated

from cribboard.competition import FORMATS, RefusedAction, read_format
from cribboard.competition.actions import (
    CancelRound,
    CheckIn,
    CompetitionAction,
    Depart,
    DrawPlayOff,
    DrawRound,
    EndPlay,
    Register,
    SetGames,
    StartRound,
)
from cribboard.competition.consequences import consequences
from cribboard.competition.terms import Choice, EntrantStatus

ACC = read_format({"format": "acc", "games": 4})


def consequences_of(hall: Hall, action: CompetitionAction) -> Mapping[str, Mapping[str, object]]:
    before, log = hall.now, hall.competition.log
    found = {consequence.code: consequence.values for consequence in consequences(hall.now, action)}
    assert (hall.now, hall.competition.log) == (before, log)
    return found


def arriving(hall: Hall) -> CheckIn:
    number = len(hall.now.entrants) + 1
    hall.do(Register(name=f"Entrant {number}"))
    return CheckIn(number)


def test_an_odd_product_of_entrants_and_games_is_reported() -> None:
    hall = Hall(ACC, 5)
    hall.play((1, 2, 121, 90), (3, 4, 121, 90), byes=[5])
    assert consequences_of(hall, SetGames(5)) == {"uneven_games": {"present": 5, "games": 5}}
    assert consequences_of(hall, SetGames(6)) == {}
    hall.do(SetGames(5))
    assert consequences_of(hall, SetGames(3)) == {"uneven_games": {"present": 5, "games": 3}}
    assert consequences_of(hall, Depart(5, EntrantStatus.LEFT, "malade")) == {}
    assert consequences_of(hall, Depart(1, EntrantStatus.LEFT, "malade")) == {}, "it was odd before"


def test_a_departure_or_an_arrival_that_leaves_an_odd_number_of_games_reports_it() -> None:
    hall = Hall(read_format({"format": "acc", "games": 3}), 4)
    hall.play((1, 2, 121, 90), (3, 4, 121, 90))
    hall.play((1, 3, 121, 90), (2, 4, 121, 90))
    assert consequences_of(hall, Depart(4, EntrantStatus.LEFT, "malade")) == {
        "uneven_games": {"present": 3, "games": 3}
    }
    assert consequences_of(hall, arriving(hall)) == {"uneven_games": {"present": 5, "games": 3}}


def test_visits_of_two_games_are_counted_in_visits_too() -> None:
    hall = Hall(read_format({"format": "jeux50", "min_entrants": 4, "games": 4}), 5)
    assert consequences_of(hall, SetGames(6)) == {"uneven_games": {"present": 5, "games": 6}}
    assert consequences_of(hall, SetGames(8)) == {}
    assert consequences_of(hall, SetGames(7)) == {"uneven_games": {"present": 5, "games": 7}}


def test_a_late_arrival_reports_who_has_no_opponent_now() -> None:
    hall = Hall(ACC, 5)
    hall.do(DrawRound(seated((1, 2), (3, 4), byes=[5])))
    late = arriving(hall)
    assert consequences_of(hall, late) == {"rest_in_drawn_round": {"entrants": (5,), "round": 1}}
    hall.do(CancelRound("un de plus"))
    assert consequences_of(hall, late) == {}
    hall.draw((1, 2), (3, 4), byes=[5])
    assert consequences_of(hall, late) == {"rest_in_started_round": {"entrants": (5,), "round": 1}}


def test_an_entrant_who_has_finished_is_no_bye_for_a_late_arrival() -> None:
    hall = Hall(read_format({"format": "acc", "games": 1}), 3, choice=Choice.ONE_SHORT)
    hall.play((1, 2, 121, 90), byes=[3])
    hall.add(4)
    hall.play((3, 4, 121, 90), byes=[1, 2])
    assert "rest_in_started_round" not in consequences_of(hall, arriving(hall))


def test_only_a_departure_that_voids_a_drawn_round_reports_it() -> None:
    hall = Hall(ACC, 5)
    hall.do(DrawRound(seated((1, 2), (3, 4), byes=[5])))
    assert consequences_of(hall, Depart(1, EntrantStatus.ABSENT)) == {"cancels_round": {"round": 1}}
    assert consequences_of(hall, Depart(5, EntrantStatus.ABSENT)) == {}
    assert consequences_of(hall, CancelRound("une erreur")) == {}, "that is what it says"


def test_fewer_games_report_the_drawn_round_that_they_cancel() -> None:
    hall = Hall(ACC, 4)
    hall.play((1, 2, 121, 90), (3, 4, 121, 90))
    hall.do(DrawRound(seated((1, 3), (2, 4))))
    assert consequences_of(hall, SetGames(1)) == {"cancels_round": {"round": 2}}


def test_drawing_a_round_reports_the_number_of_outstanding_results() -> None:
    hall = Hall(ACC, 4)
    number = hall.draw((1, 2), (3, 4))
    draw = DrawRound(seated((1, 3), (2, 4)))
    assert consequences_of(hall, draw) == {"results_outstanding": {"results": 2}}
    hall.do(entered(number, 1, 121, 90))
    assert consequences_of(hall, draw) == {"results_outstanding": {"results": 1}}
    hall.do(entered(number, 2, 121, 90))
    assert consequences_of(hall, draw) == {}


def test_drawing_a_play_off_reports_another_one_under_way() -> None:
    hall = Hall(read_format({"format": "fadoq", "games": 1}), 8)
    hall.play(*((one, one + 4, 121, 90) for one in range(1, 5)))
    hall.do(EndPlay(), DrawPlayOff(seated((1, 2))), StartRound())
    assert consequences_of(hall, DrawPlayOff(seated((3, 4)))) == {"results_outstanding": {"results": 1}}


@pytest.mark.parametrize("form", ["fadoq", "jeux50", "acc", "match-play", "round-robin", "single-elimination"])
def test_before_play_no_action_has_consequences(form: str) -> None:
    hall = Hall(FORMATS[form], 3, choice=None)
    assert (
        consequences_of(hall, CheckIn(3, 1) if FORMATS[form].team_size == 2 else Depart(3, EntrantStatus.ABSENT)) == {}
    )
    if not FORMATS[form].is_elimination:
        assert consequences_of(hall, SetGames(5)) == {}


def test_a_refused_act_has_no_consequences() -> None:
    hall = Hall(ACC, 4)
    hall.draw((1, 2), (3, 4))
    with pytest.raises(RefusedAction):
        consequences(hall.now, SetGames(0))
