"""Formats: the presets, and a club's own."""

from __future__ import annotations

import pytest

from cribboard.competition import FORMATS, FormatError, read_format
from cribboard.competition.club_format import contradictions, read_label
from cribboard.competition.terms import MedalTie, MeetingFormat, Movement, RankingCriterion
from cribboard.rules import Option


@pytest.mark.parametrize("name", FORMATS)
def test_every_preset_can_be_played_and_is_read_from_its_label(name: str) -> None:
    form = FORMATS[name]
    assert list(contradictions(form)) == []
    assert read_label(form.label) == form


def test_fadoq_is_as_its_document_says() -> None:
    form = FORMATS["fadoq"]
    assert (form.team_size, form.min_entrants, form.games) == (2, 3, 8)
    assert (form.ranking, form.movement) == ((RankingCriterion.POINTS,), Movement.WINNERS_STAY)
    assert (form.level_medals, form.play_off_games) == (MedalTie.PLAY_OFF, 3)
    assert (form.sealed, form.captain_only, form.check_pass) == (Option.ON, Option.ON, Option.ON)


def test_jeux50_is_as_its_document_says() -> None:
    form = FORMATS["jeux50"]
    assert (form.team_size, form.games, form.meeting_games, form.min_entrants) == (1, 16, 2, 9)
    assert form.ranking == (RankingCriterion.POINTS, RankingCriterion.SPREAD)


def test_a_clubs_format_is_a_preset_with_changes() -> None:
    form = read_format(
        {
            "format": "jeux50",
            "games": 12,
            "sealed": True,
            "ranking": ["points", "wins"],
            "rules": "six-card/2 target=61 skunk_line=31",
        }
    )
    assert (form.games, form.sealed, form.game_rules.game.target) == (12, Option.ON, 61)
    assert form.label == "jeux50/2 rules=six-card/2;target=61;skunk_line=31 games=12 ranking=points+wins sealed=on"
    assert read_label(form.label) == form


def test_a_format_without_changes_is_the_preset() -> None:
    assert read_format({"format": "acc", "games": 9, "rules": "acc/2"}) == FORMATS["acc"]


def test_a_round_robin_spells_its_number_of_games() -> None:
    assert read_format({"format": "acc", "games": "all"}).games is None
    assert read_format({"format": "acc", "games": None}).games is None


def test_every_problem_is_in_one_report() -> None:
    with pytest.raises(FormatError) as wrong:
        read_format(
            {
                "format": "acc",
                "games": -1,
                "ranking": ["points", "points"],
                "sealed": "maybe",
                "gmaes": 3,
                "rules": "whist",
                "meeting": 3,
                "team_size": True,
            }
        )
    assert [problem.partition(":")[0] for problem in wrong.value.problems] == [
        "games = -1",
        "ranking = ['points', 'points']",
        'sealed = "maybe"',
        "gmaes",
        'rules = "whist"',
        "meeting = 3",
        "team_size = True",
    ]
    assert "a whole number from 1 to 99, or all" in wrong.value.problems[0]
    assert "is games meant?" in wrong.value.problems[3]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"format": "acc", "team_size": 2}, "team_size = 2"),
        ({"format": "jeux50", "rules": "three-player"}, "rules = three-player"),
        ({"format": "single-elimination", "meeting_games": 4}, "meeting_games = 4"),
        ({"format": "fadoq", "play_off_games": 2}, "play_off_games = 2"),
        ({"format": "round-robin", "skunk_wins": 2}, "skunk_wins = 2"),
        ({"format": "match-play", "rules": "five-card"}, "skunk_wins = 2"),
        ({"format": "acc", "captain_only": "on"}, "captain_only = on"),
        ({"format": "single-elimination", "games": 4}, "games = 4"),
        ({"format": "single-elimination", "meeting": "games"}, "meeting = games"),
        ({"format": "single-elimination", "ranking": ["wins"]}, "ranking = wins"),
        ({"format": "acc", "ranking": ["lasted"]}, "ranking = lasted"),
        ({"format": "acc", "ranking": ["matches"]}, "ranking = matches"),
        ({"format": "fadoq", "games": "all"}, "games = all"),
        ({"format": "fadoq", "meeting_games": 2}, "meeting_games = 2"),
    ],
)
def test_values_that_contradict_each_other_are_named(changes: dict[str, object], named: str) -> None:
    with pytest.raises(FormatError) as wrong:
        read_format(changes)
    assert any(named in problem for problem in wrong.value.problems)


@pytest.mark.parametrize("said", [{}, {"format": "whist"}, {"format": 3}])
def test_a_format_names_the_preset_that_it_changes(said: dict[str, object]) -> None:
    with pytest.raises(FormatError, match="fadoq, jeux50, acc"):
        read_format(said)


@pytest.mark.parametrize("label", ["fadoq", "fadoq/9", "acc/1 games=9", "acc/1 sealed=on games=8", "acc/1 x=1"])
def test_a_label_is_spelled_in_one_way(label: str) -> None:
    with pytest.raises(FormatError):
        read_label(label)


def test_a_match_has_its_own_length() -> None:
    form = read_format({"format": "match-play", "meeting": "best_of", "meeting_games": 5, "skunk_wins": 1})
    assert form.meeting is MeetingFormat.BEST_OF
    assert form.visit == 1


@pytest.mark.parametrize(
    ("name", "wins_needed", "most_games", "of_skunk"),
    [("fadoq", None, 1, 1), ("jeux50", None, 2, 1), ("match-play", 7, 13, 2), ("single-elimination", 2, 3, 1)],
)
def test_a_format_says_how_long_a_meeting_is(
    name: str, wins_needed: int | None, most_games: int, of_skunk: int
) -> None:
    form = FORMATS[name]
    assert (form.wins_needed(), form.most_games(), form.wins_of_skunk()) == (wins_needed, most_games, of_skunk)


def test_a_play_off_has_its_own_length_and_a_skunk_is_one_game_of_it() -> None:
    form = FORMATS["match-play"]
    assert (form.wins_needed(play_off=1), form.most_games(play_off=1), form.wins_of_skunk(play_off=1)) == (2, 3, 1)
