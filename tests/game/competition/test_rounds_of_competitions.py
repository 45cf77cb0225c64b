"""The course of a competition: games and tables, begin, pause, rounds that are drawn, started or void."""

from __future__ import annotations

import pytest
from tests.support.competitions import Hall, circle, entered, seated

from cribboard.competition import FORMATS, RefusedAction, read_format
from cribboard.competition.actions import (
    AnnounceStart,
    Begin,
    CancelRound,
    DrawRound,
    EndPlay,
    Pause,
    Resume,
    SetGames,
    SetTables,
    StartRound,
)
from cribboard.competition.position import staying
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.terms import Choice, CompetitionPhase
from cribboard.competition.view import CompetitionEye, see

FADOQ, JEUX50, ACC = FORMATS["fadoq"], FORMATS["jeux50"], FORMATS["acc"]


def test_an_odd_number_of_entrants_and_games_is_reported_before_the_start() -> None:
    hall = Hall(ACC, 13, choice=None)
    assert hall.refused(Begin()) == "uneven_games"
    with pytest.raises(RefusedAction) as refused:
        hall.competition.decide(Begin())
    assert refused.value.values == {"present": 13, "games": 9}
    hall.do(SetGames(8), Begin())
    assert hall.now.games == 8


def test_an_odd_number_of_games_is_reported_although_the_visits_are_even() -> None:
    """Eleven times fifteen games would make half a game; eight visits of two cannot mend that."""
    hall = Hall(JEUX50, 11, choice=None)
    hall.do(SetGames(15))
    assert hall.refused(Begin()) == "uneven_games"
    hall.do(SetGames(16), Begin())
    assert hall.now.games == 16


@pytest.mark.parametrize(
    ("name", "entrants", "tables", "rounds"),
    [("acc", 12, 99, 9), ("jeux50", 9, 99, 9), ("fadoq", 8, 99, 8), ("round-robin", 6, 2, 8), ("round-robin", 2, 1, 1)],
)
def test_the_number_of_remaining_rounds_is_known(name: str, entrants: int, tables: int, rounds: int) -> None:
    hall = Hall(FORMATS[name], entrants, tables=tables)
    assert see(hall.now, CompetitionEye.ORGANISER).rounds_left == rounds
    assert see(hall.now, CompetitionEye.HALL).rounds_left == 0
    pairs = [(2 * table + 1, 2 * table + 2) for table in range(min(tables, entrants // 2))]
    resting = range(2 * len(pairs) + 1, entrants + 1)
    waits = {"waiting" if name == "round-robin" else "byes": [*resting]}
    hall.draw(*pairs, **waits)
    assert see(hall.now, CompetitionEye.ORGANISER).rounds_left == rounds - 1
    hall.do(EndPlay())
    assert see(hall.now, CompetitionEye.ORGANISER).rounds_left == 0


def test_a_bracket_has_a_remaining_round_while_a_pair_is_due() -> None:
    hall = Hall(FORMATS["single-elimination"], 2)
    assert see(hall.now, CompetitionEye.ORGANISER).rounds_left == 1
    number = hall.draw((1, 2))
    hall.do(*(entered(number, 1, 121, 90, game=game) for game in (1, 2)))
    assert see(hall.now, CompetitionEye.ORGANISER).rounds_left == 0


def test_the_organiser_may_leave_one_a_game_short() -> None:
    hall = Hall(ACC, 13, choice=Choice.ONE_SHORT)
    left = dict.fromkeys(range(1, 14), 9)
    for pairs, _ in circle(13, 13):
        due = [pair for pair in pairs if all(left[number] for number in pair)]
        if not due:
            continue
        playing = {number for pair in due for number in pair}
        number = hall.draw(*due, byes=[n for n in left if left[n] and n not in playing])
        for table, pair in enumerate(due, start=1):
            hall.do(entered(number, table, 121, 100))
            for each in pair:
                left[each] -= 1
    rows = hall.competition.standings()
    missing = {row.entrant: row.missing for row in rows}
    assert missing == left
    assert sum(missing.values()) % 2 == 1


def test_an_entrant_with_all_games_played_has_finished_and_has_no_bye() -> None:
    hall = Hall(ACC, 4, choice=None)
    hall.do(SetGames(2), Begin())
    hall.play((1, 2, 121, 90), byes=[3, 4])
    hall.play((1, 3, 121, 90), byes=[2, 4])
    hall.play((2, 4, 121, 90), byes=[1, 3])
    hall.play((3, 4, 121, 90), byes=[1, 2])
    for view in (hall.hall(), see(hall.now, CompetitionEye.ORGANISER)):
        assert [held.byes for held in view.rounds] == [(3, 4), (2, 4), (3,), ()]
        assert view.byes == ()


def test_winners_who_stay_play_no_round_robin() -> None:
    assert Hall(FADOQ, 4, choice=None).refused(Begin(Choice.ROUND_ROBIN)) == "no_round_robin"


def test_a_round_robin_has_as_many_games_as_opponents() -> None:
    hall = Hall(FORMATS["round-robin"], 5)
    assert hall.now.games == 4


def test_nothing_begins_without_tables_or_twice() -> None:
    hall = Hall(ACC, 4, tables=0, choice=None)
    assert hall.refused(Begin()) == "no_tables"
    hall.do(SetTables(2), Begin())
    assert hall.refused(Begin()) == "not_now"
    assert hall.refused(SetTables(0)) == "no_such_number"


@pytest.mark.parametrize(
    ("seating", "code"),
    [
        (Seating(()), "nobody_seated"),
        (seated((1, 2), (2, 3)), "seated_twice"),
        (seated((1, 1)), "seated_twice"),
        (seated((1, 2), byes=[2]), "seated_twice"),
        (seated((1, 2), (3, 9)), "no_such_entrant"),
        (Seating((Pairing(1, (1, 2)), Pairing(1, (3, 4)))), "table_twice"),
        (Seating((Pairing(1, (1, 2)), Pairing(7, (3, 4)))), "no_such_table"),
        (seated((1, 2), byes=[3]), "left_out"),
    ],
)
def test_an_invalid_seating_is_refused(seating: Seating, code: str) -> None:
    assert Hall(ACC, 4, tables=2).refused(DrawRound(seating)) == code


def test_pairs_without_a_table_wait() -> None:
    hall = Hall(FADOQ, 5, tables=1)
    hall.do(DrawRound(seated((1, 2), waiting=[3, 4, 5])))
    assert hall.hall().waiting == (3, 4, 5)
    assert {row.byes for row in hall.competition.standings()} == {0}


def test_a_round_starts_once_and_the_next_waits_for_it() -> None:
    hall = Hall(ACC, 4)
    hall.do(DrawRound(seated((1, 2), (3, 4))))
    assert hall.refused(entered(1, 1, 121, 90)) == "no_such_game"
    assert hall.refused(DrawRound(seated((1, 3), (2, 4)))) == "round_not_started"
    assert hall.refused(EndPlay()) == "round_not_started"
    hall.do(StartRound())
    assert hall.refused(StartRound()) == "no_round_to_start"
    assert hall.refused(CancelRound("x")) == "no_round_to_start"


def test_a_round_that_has_not_started_is_drawn_anew() -> None:
    hall = Hall(ACC, 4)
    hall.do(DrawRound(seated((1, 2), (3, 4))))
    assert hall.refused(CancelRound("")) == "reason_missing"
    hall.do(CancelRound("table cassée"), DrawRound(seated((1, 3), (2, 4))))
    assert [encounter.entrants for encounter in hall.now.rounds[-1].encounters] == [(1, 3), (2, 4)]


def test_winners_stay_waits_for_every_result_and_a_schedule_does_not() -> None:
    fadoq, acc = Hall(FADOQ, 4), Hall(ACC, 4)
    for hall in (fadoq, acc):
        hall.draw((1, 2), (3, 4))
    assert fadoq.refused(DrawRound(seated((1, 3), (2, 4)))) == "outstanding"
    acc.do(DrawRound(seated((1, 3), (2, 4))))


def test_nothing_is_drawn_or_started_in_a_pause_and_results_are_taken() -> None:
    hall = Hall(ACC, 4)
    hall.draw((1, 2), (3, 4))
    hall.do(Pause("dîner"))
    assert hall.refused(Pause("dîner")) == "paused"
    assert hall.refused(DrawRound(seated((1, 3), (2, 4)))) == "paused"
    assert hall.hall().paused == "dîner"
    hall.do(entered(1, 1, 121, 90), Resume())
    assert hall.refused(Resume()) == "not_paused"
    hall.do(DrawRound(seated((1, 3), (2, 4))))


def test_fewer_games_than_an_entrant_has_begun_are_refused() -> None:
    hall = Hall(FADOQ, 4)
    hall.play((1, 2, 121, 90), (3, 4, 121, 90))
    hall.draw((1, 3), (2, 4))
    assert hall.refused(SetGames(1)) == "games_begun"
    assert hall.refused(SetGames(-1)) == "no_such_number"
    assert hall.refused(SetGames(0)) == "no_such_number"
    hall.do(SetGames(2), entered(2, 1, 121, 90), entered(2, 2, 121, 90))
    assert hall.refused(DrawRound(seated((1, 4), (2, 3)))) == "played_all"


def test_a_round_that_was_drawn_beyond_the_number_of_games_is_void() -> None:
    hall = Hall(FADOQ, 4)
    hall.play((1, 2, 121, 90), (3, 4, 121, 90))
    hall.do(DrawRound(seated((1, 3), (2, 4))), SetGames(1))
    assert len(hall.now.rounds) == 1


def test_the_second_game_of_a_visit_falls_away_if_it_has_not_begun() -> None:
    hall = Hall(JEUX50, 10)
    pairs = circle(10, 2)
    hall.draw(*pairs[0][0])
    hall.do(entered(1, 1, 121, 90))
    assert hall.refused(SetGames(1)) == "games_begun"
    hall.do(entered(1, 1, 121, 90, game=2))
    for table in range(2, 6):
        hall.do(entered(1, table, 121, 90), entered(1, table, 90, 121, game=2))
    hall.draw(*pairs[1][0])
    hall.do(SetGames(3), entered(2, 1, 121, 90))
    assert hall.refused(entered(2, 1, 121, 90, game=2)) == "no_such_game"


def test_the_last_visit_of_an_odd_number_of_games_has_one() -> None:
    hall = Hall(read_format({"format": "jeux50", "games": 3}), 10)
    for pairs, _ in circle(10, 2):
        number = hall.draw(*pairs)
        for table in range(1, 6):
            hall.do(entered(number, table, 121, 90))
            if number == 1:
                hall.do(entered(number, table, 121, 90, game=2))
    assert {row.played for row in hall.competition.standings()} == {3}


def test_a_table_in_use_is_not_taken_away() -> None:
    hall = Hall(ACC, 4)
    hall.draw((1, 2), (3, 4))
    assert hall.refused(SetTables(1)) == "tables_in_use"
    hall.do(entered(1, 2, 121, 3), SetTables(1))
    assert hall.now.tables == 1


def test_no_round_is_drawn_after_the_end_of_play() -> None:
    hall = Hall(ACC, 4)
    hall.do(EndPlay())
    assert hall.now.phase is CompetitionPhase.PLAYED
    assert hall.refused(DrawRound(seated((1, 2), (3, 4)))) == "not_now"
    assert hall.refused(SetGames(3)) == "not_now"


def test_winners_keep_their_seats_and_the_side_ahead_where_a_game_was_broken_off() -> None:
    hall = Hall(FADOQ, 10)
    hall.draw((1, 2), (3, 4), (5, 6), (7, 8), (9, 10))
    hall.do(
        entered(1, 1, 90, 121),
        entered(1, 2, 80, 60, broken=True),
        entered(1, 3, 60, 60, broken=True),
        entered(1, 4, 121, 0),
    )
    assert staying(hall.now, hall.now.rounds[0], drawn=[6]) == {2, 3, 6, 7}
    assert staying(hall.now, hall.now.rounds[0]) == {2, 3, 7}
    assert hall.now.rounds[0].seating == seated((1, 2), (3, 4), (5, 6), (7, 8), (9, 10))


AT_HALF_PAST_TWO = "2026-03-01T14:30-05:00"


def test_an_announced_start_stands_until_play_goes_on() -> None:
    hall = Hall(FORMATS["round-robin"], 4, choice=None)
    hall.do(AnnounceStart(AT_HALF_PAST_TWO), Begin(), DrawRound(seated((1, 2), (3, 4))))
    assert hall.hall().starts == AT_HALF_PAST_TWO
    hall.do(StartRound())
    assert hall.hall().starts == ""
    hall.do(AnnounceStart(AT_HALF_PAST_TWO), AnnounceStart(""))
    assert hall.hall().starts == ""
    hall.do(AnnounceStart(AT_HALF_PAST_TWO), entered(1, 1, 121, 90), entered(1, 2, 121, 90), EndPlay())
    assert hall.hall().starts == ""
    hall.do(AnnounceStart(AT_HALF_PAST_TWO))
    hall.open(3)
    assert (hall.hall().starts, hall.hall().opened) == ("", (3,))


@pytest.mark.parametrize(
    "time", ["14:30", "2026-03-01T14:30", "2026-13-01T14:30-05:00", "2026-03-01T24:30-05:00", "noon"]
)
def test_an_announced_start_is_a_time_with_an_offset(time: str) -> None:
    assert Hall(ACC, 4).refused(AnnounceStart(time)) == "not_a_time"
