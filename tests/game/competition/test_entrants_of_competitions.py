"""Entrants: registration, check-in, departures, late arrivals, substitutes, penalties and calls for an official."""

from __future__ import annotations

import pytest
from tests.support.competitions import Hall, entered, seated

from cribboard.competition import FORMATS, RefusedAction
from cribboard.competition.actions import (
    AnswerCall,
    Begin,
    CallOfficial,
    CheckIn,
    CompetitionAction,
    Depart,
    DrawRound,
    NoteHand,
    Penalise,
    Register,
    Rename,
    RenamePlayer,
    SeedEntrants,
    SetTables,
    ShowAs,
    StartRound,
    Substitute,
    UndoCompetitionAct,
)
from cribboard.competition.events import Registered
from cribboard.competition.position import Penalty, ReplacedPlayer
from cribboard.competition.terms import Choice, EntrantKind, EntrantStatus, RankingCriterion
from cribboard.competition.view import CompetitionEye, see

FADOQ, ACC = FORMATS["fadoq"], FORMATS["acc"]


def doors(entrants: int = 0) -> Hall:
    return Hall(ACC, entrants, choice=None)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Register(name="entrant 1"), "name_taken"),
        (Register(name="\uff25ntrant 2"), "name_taken"),
        (Register(name="Entrant  2"), "name_taken"),
        (Register(name="éntränt 2"), "name_taken"),
        (Register(name=" "), "name_empty"),
        (Register(name="a\tb"), "unprintable"),
        (Register(name=101 * "é"), "text_too_long"),
        (Register(name="Ana", players=(101 * "é",)), "text_too_long"),
        (Rename(1, 10_000 * "é"), "text_too_long"),
        (ShowAs(1, 101 * "é"), "text_too_long"),
        (Substitute(1, 0, 101 * "é", "malade"), "text_too_long"),
        (Depart(1, EntrantStatus.ABSENT, 401 * "é"), "text_too_long"),
        (Penalise(1, 5, 401 * "é"), "text_too_long"),
        (Register(name="Ana", players=("Ana", "Zoé")), "wrong_team_size"),
        (Register(name="Ana", captain=1), "no_such_player"),
        (Rename(1, "ENTRANT 2"), "name_taken"),
        (Rename(3, "Zoé"), "no_such_entrant"),
        (CheckIn(1), "already_present"),
        (CheckIn(9), "no_such_entrant"),
        (Depart(1, EntrantStatus.LEFT), "reason_missing"),
        (Depart(1, EntrantStatus.PRESENT, "x"), "not_a_departure"),
        (Penalise(1, 0, "x"), "not_a_penalty"),
        (Penalise(1, 5, " "), "reason_missing"),
        (Substitute(1, 0, "Entrant 1", "malade"), "player_taken"),
        (Substitute(1, 0, "entrant  2", "malade"), "player_taken"),
        (Substitute(1, 2, "Zoé", "malade"), "no_such_player"),
        (SeedEntrants((1,)), "seeds_incomplete"),
        (SeedEntrants((1, 2, 2)), "seeds_incomplete"),
        (SeedEntrants((1, 2, 3)), "seeds_incomplete"),
        (NoteHand(1, 24), "not_a_great_hand"),
        (SetTables(0), "no_such_number"),
        (AnswerCall(1), "not_called"),
    ],
)
def test_invalid_registrations_are_refused(action: CompetitionAction, code: str) -> None:
    assert doors(2).refused(action) == code


def test_a_name_of_a_hundred_characters_and_a_reason_of_four_hundred_are_taken() -> None:
    hall = doors(2)
    hall.do(Register(name=100 * "é"), Penalise(1, 5, 400 * "é"))
    assert hall.now.entrants[2].name == 100 * "é"


def test_a_team_has_two_players_and_a_captain() -> None:
    hall = Hall(FADOQ, 0, choice=None)
    assert hall.refused(Register(name="Les As")) == "wrong_team_size"
    assert hall.refused(Register(name="Les As", players=("Luc", "luc"))) == "one_player_twice"
    hall.do(Register(name="Les As", players=("Luc", "Zoé")), CheckIn(1, captain=1))
    assert hall.now.entrant(1).captain == 1


def test_double_spaces_in_names_are_taken_as_one() -> None:
    hall = Hall(FADOQ, 0, choice=None)
    hall.do(Register(name="Les  As", players=("André  Côté", "Zoé")), Rename(1, "Les   Rois"))
    hall.do(ShowAs(1, "L.  R."), Substitute(1, 1, "Jean  Roy", "malade"))
    (team,) = hall.now.entrants
    assert (team.name, team.shown_as, team.players) == ("Les Rois", "L. R.", ("André Côté", "Jean Roy"))


def test_an_entrant_is_renamed_to_its_own_name_and_to_another_spelling_of_it() -> None:
    hall = doors(1)
    hall.do(Rename(1, "Entrant 1"), Rename(1, "ÉNTRANT 1"))
    assert hall.now.entrant(1).name == "ÉNTRANT 1"


def test_a_player_plays_for_one_team_and_is_free_once_that_left() -> None:
    hall = Hall(FADOQ, 0, choice=None)
    hall.do(Register(name="Les As", players=("André", "Zoé")), Register(name="Les Rois", players=("Luc", "Maud")))
    with pytest.raises(RefusedAction, match="andre plays for entrant 1 already"):
        hall.do(Register(name="Les Dames", players=("andre", "Paul")))
    assert hall.refused(Substitute(2, 0, "ZOÉ", "malade")) == "player_taken"
    hall.do(Depart(1, EntrantStatus.LEFT, "malade"), Substitute(2, 0, "Zoé", "malade"))
    assert hall.refused(CheckIn(1)) == "player_taken", "Zoé plays for another team since"


def test_a_journal_with_names_that_look_alike_is_read_as_it_was_written() -> None:
    hall = doors()
    names = ("André Côté", "andre  cote")
    hall.competition.append(Registered(EntrantKind.RANKED, 0, name, (name,)) for name in names)
    assert tuple(entrant.name for entrant in hall.now.entrants) == names
    hall.do(CheckIn(1), CheckIn(2))


def test_an_entrant_registered_after_an_undo_is_not_taken_for_the_earlier_one() -> None:
    """For the organiser alone: the hall would learn how many events there were."""
    hall = doors()
    hall.do(Register(name="Ana"))
    (before,) = see(hall.now, CompetitionEye.ORGANISER).entrants
    hall.do(UndoCompetitionAct(), Register(name="Zoé"), CheckIn(1), Rename(1, "Zoë"))
    (after,) = see(hall.now, CompetitionEye.ORGANISER).entrants
    assert (before.number, before.registered) == (1, 1)
    assert (after.number, after.registered) == (1, 3), "the number of the event that registered it"
    assert hall.hall().entrants[0].registered == 0


def test_the_captain_is_confirmed_again_after_the_check_in() -> None:
    hall = Hall(FADOQ, 1, choice=None)
    hall.do(CheckIn(1, captain=1))
    assert hall.now.entrant(1).captain == 1


def test_only_the_captain_calls_an_official() -> None:
    hall = Hall(FADOQ, 3)
    assert hall.refused(CallOfficial(1, 1)) == "captain_only"
    hall.do(CallOfficial(1, 0))
    assert hall.refused(CallOfficial(1, 0)) == "already_called"
    assert hall.hall().calls == (1,)
    hall.do(AnswerCall(1))
    assert hall.hall().calls == ()


def test_a_player_alone_calls_an_official() -> None:
    hall = Hall(ACC, 2)
    hall.do(CallOfficial(2))
    assert hall.now.calls == (2,)


def test_renaming_an_individual_entrant_renames_its_player() -> None:
    hall = doors(1)
    hall.do(Rename(1, "Odile"))
    assert hall.now.entrant(1).players == ("Odile",)


def test_correcting_a_players_name_substitutes_no_player() -> None:
    hall = Hall(FADOQ, 3)
    hall.do(RenamePlayer(2, 1, "Benoît  Deux"))
    entrant = hall.now.entrant(2)
    assert (entrant.name, entrant.players, entrant.replaced) == ("Entrant 2", ("Anne 2", "Benoît Deux"), ())
    for player, name, code in (
        (2, "Zoé", "no_such_player"), (-1, "Zoé", "no_such_player"), (0, " ", "name_empty"),
        (0, "benoit deux", "player_taken"), (0, "Anne 3", "player_taken"), (0, "a\nb", "unprintable"),
    ):  # fmt: skip
        assert hall.refused(RenamePlayer(2, player, name)) == code
    assert hall.refused(RenamePlayer(9, 0, "Zoé")) == "no_such_entrant"
    alone = doors(1)
    alone.do(RenamePlayer(1, 0, "Odile"))
    assert (alone.now.entrant(1).name, alone.now.entrant(1).players) == ("Odile", ("Odile",))


def test_an_entrant_can_have_a_shorter_public_name() -> None:
    hall = doors(2)
    hall.do(ShowAs(1, "A. T."))
    assert (hall.hall().entrants[0].name, hall.hall().entrants[0].players) == ("A. T.", ("A. T.",))
    assert see(hall.now, CompetitionEye.ORGANISER).entrants[0].name == "Entrant 1"
    assert hall.refused(Rename(2, "a. t.")) == "name_taken"
    hall.do(ShowAs(1))
    assert hall.hall().entrants[0].name == "Entrant 1"


def test_a_team_that_asks_for_it_is_shown_without_the_names_of_its_players() -> None:
    hall = Hall(FADOQ, 3)
    hall.do(ShowAs(1, "Les A."))
    assert (hall.hall().entrants[0].name, hall.hall().entrants[0].players) == ("Les A.", ())


def test_a_substitute_keeps_the_results_of_the_entrant() -> None:
    hall = Hall(FADOQ, 4)
    hall.play((1, 2, 121, 90), (3, 4, 100, 121))
    hall.do(Substitute(1, 1, "Zoé", "malade"))
    entrant = hall.now.entrant(1)
    assert entrant.players == ("Anne 1", "Zoé")
    assert entrant.replaced == (ReplacedPlayer("Benoît 1", "malade"),)
    assert hall.competition.standings()[0].played == 1


def test_a_penalty_is_off_the_first_amount_and_is_shown() -> None:
    hall = Hall(FADOQ, 4)
    hall.play((1, 2, 121, 90), (3, 4, 100, 121))
    hall.do(Penalise(1, 10, "retard"))
    assert hall.now.entrant(1).penalties == (Penalty(10, "retard"),)
    row = next(row for row in hall.competition.standings() if row.entrant == 1)
    assert (row.amounts, row.penalty, row.place) == (((RankingCriterion.POINTS, 111),), 10, 2)


def test_guests_have_no_place_and_their_games_count_for_the_opponents() -> None:
    hall = doors(2)
    hall.do(Register(name="Invité", part=EntrantKind.GUEST), CheckIn(3))
    hall.do(Register(name="Quatre"), CheckIn(4))
    hall.do(Begin(Choice.ONE_SHORT))
    hall.play((1, 3, 100, 121), (2, 4, 121, 119))
    assert hall.places == {2: 1, 4: 2, 1: 3, 3: None}


def test_an_entrant_who_leaves_has_no_place_and_its_games_count_for_opponents() -> None:
    hall = Hall(ACC, 4, choice=Choice.ONE_SHORT)
    hall.play((1, 2, 121, 90), (3, 4, 100, 121))
    hall.do(Depart(1, EntrantStatus.LEFT, "malade"))
    rows = {row.entrant: row for row in hall.competition.standings()}
    assert rows[1].place is None
    assert rows[1].status is EntrantStatus.LEFT
    assert rows[2].played == 1
    assert hall.refused(DrawRound(seated((1, 2), (3, 4)))) == "not_present"


def test_a_disqualified_entrant_cannot_return() -> None:
    hall = Hall(ACC, 4)
    hall.do(Depart(1, EntrantStatus.DISQUALIFIED, "triche"))
    assert hall.refused(CheckIn(1)) == "disqualified"
    assert hall.refused(Depart(1, EntrantStatus.LEFT, "x")) == "not_present"


def test_a_round_that_has_not_started_is_void_when_a_player_of_it_leaves() -> None:
    hall = Hall(ACC, 5, choice=Choice.ONE_SHORT)
    hall.do(DrawRound(seated((1, 2), (3, 4), byes=[5])))
    hall.do(Depart(5, EntrantStatus.LEFT, "malade"))
    assert hall.now.rounds[-1].byes == ()
    hall.do(Depart(1, EntrantStatus.LEFT, "malade"))
    assert hall.now.rounds == ()
    assert hall.refused(StartRound()) == "no_round_to_start"


def test_the_running_game_of_an_entrant_who_leaves_is_broken_off_and_the_next_is_not_played() -> None:
    hall = Hall(FORMATS["jeux50"], 10)
    number = hall.draw((1, 2), (3, 4), (5, 6), (7, 8), (9, 10))
    hall.do(Depart(1, EntrantStatus.LEFT, "malade"))
    assert hall.refused(entered(number, 1, 60, 40)) == "nobody_at_target"
    hall.do(entered(number, 1, 60, 40, broken=True))
    assert hall.refused(entered(number, 1, 121, 40, game=2)) == "no_such_game"
    row = next(row for row in hall.competition.standings() if row.entrant == 2)
    assert row.amounts == ((RankingCriterion.POINTS, 40), (RankingCriterion.SPREAD, -20))


def test_an_entrant_who_does_not_appear_has_begun_no_game() -> None:
    hall = Hall(ACC, 4)
    number = hall.draw((1, 2), (3, 4))
    hall.do(Depart(2, EntrantStatus.ABSENT))
    assert hall.refused(entered(number, 1, 121, 40)) == "no_such_game"
    hall.do(CheckIn(2))
    hall.do(DrawRound(seated((1, 2), (3, 4))))
    assert hall.now.entrant(2).is_present


def test_byes_count_since_the_arrival() -> None:
    hall = Hall(ACC, 3, choice=Choice.ONE_SHORT)
    hall.play((1, 2, 121, 90), byes=[3])
    hall.add(4)
    hall.play((1, 3, 121, 90), byes=[2, 4])
    byes = {row.entrant: row.byes for row in hall.competition.standings()}
    assert byes == {1: 0, 2: 1, 3: 1, 4: 1}
    assert hall.now.entrant(4).since == 1


def test_great_hands_are_on_the_card() -> None:
    hall = Hall(ACC, 2)
    hall.do(NoteHand(1, 29))
    assert hall.now.entrant(1).hands == (29,)
