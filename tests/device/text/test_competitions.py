"""What is said of competitions: every refusal, problem and event in each language, with names for numbers."""

from __future__ import annotations

import ast
from string import Formatter
from typing import Any, get_args

import pytest
from tests.support.catalogues import phrase, phrases_of
from tests.support.places import ROOT

from cribboard.competition import FORMATS, events
from cribboard.competition.refusals import REFUSALS as ENGINE
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.terms import (
    CompetitionPhase,
    Ending,
    EntrantKind,
    EntrantStatus,
    GameAt,
    Missing,
    Movement,
    ResultSource,
    ResultState,
)
from cribd.competition.action_json import AllowedClause, AllowedCode
from cribd.competition.refusals import REFUSALS as DESK
from cribd.competition.registration import Problem
from cribd.languages import languages
from cribd.text import load
from cribd.text.competitions import event, not_understood, problem, refused, term

NAMES = ("Les As", "Zoé", "Réal")
VALUES: dict[str, Any] = {
    "status": EntrantStatus.LEFT,
    "phase": CompetitionPhase.PLAY,
    "state": ResultState.REPORTED,
    "movement": Movement.WINNERS_STAY,
    "format": "fadoq",
    "what": "games",
    "entrants": (1, 3),
    "scores": (121, 98),
}
ENGLISH, FRENCH = load("en"), load("fr_CA")


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def problems() -> dict[str, set[str]]:
    """The problems that a CSV file can have, each with the names of the values that come with it."""
    found: dict[str, set[str]] = {}
    file = ROOT / "firmware" / "cribd" / "competition" / "registration.py"
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(
                func=ast.Name("Problem") | ast.Attribute(attr="_wrong"), args=[_, ast.Constant(str(code)), *_]
            ):
                given = {keyword.arg for keyword in node.keywords} - {"values"}
                for values in (*node.args, *(keyword.value for keyword in node.keywords)):
                    if isinstance(values, ast.Dict):
                        given |= {str(key.value) for key in values.keys if isinstance(key, ast.Constant)}
                found[code] = {name for name in given if name}
    return found


PROBLEMS = problems()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("code", [*ENGINE, *DESK])
def test_every_refusal_is_worded_with_its_values(code: str, language: str) -> None:
    values = {name: VALUES.get(name, 2) for name in places({**ENGINE, **DESK}[code])}
    said = refused(code, values, NAMES, load(language))
    assert not said.startswith("competition.")
    assert "{" not in said


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("code", get_args(AllowedCode))
def test_the_allowed_values_are_worded_in_every_language(code: AllowedCode, language: str) -> None:
    samples: dict[str, Any] = {"names": ("do", "seen"), "each": AllowedClause("whole_number")}
    values = {name: samples.get(name, 7) for name in places(phrases_of("en")[f"competition.allowed.{code}"])}
    said = not_understood("at", [5], AllowedClause(code, values), load(language))
    assert said.startswith("at = [5]")
    assert "competition." not in said
    assert "{" not in said


def test_a_long_value_is_cut() -> None:
    said = not_understood("format", "long " * 999, AllowedClause("text"), ENGLISH)
    cut, text = f"{('long ' * 12)[:59]}…", phrase("competition.allowed.text")
    assert said == phrase("competition.refused.not_an_action", field="format", value=cut, allowed=text)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("code", PROBLEMS)
def test_every_problem_of_a_file_is_worded_with_its_line(code: str, language: str) -> None:
    values = dict.fromkeys(PROBLEMS[code], 9)
    said = problem(Problem(7, code, "Odile", values), load(language))
    assert "7" in said.partition(":")[0]
    assert "competition." not in said
    assert "{" not in said


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", get_args(events.CompetitionEvent), ids=lambda kind: kind.__name__)
def test_every_event_is_a_line_of_the_log(kind: Any, language: str) -> None:
    sample: dict[Any, Any] = {
        "at": GameAt(2, 4, 1),
        "seating": Seating((Pairing(1, (1, 2)),), (3,), ()),
        "scores": (121, 98),
        "spreads": (23, -23),
        "entrants": (1, 2),
        "players": ("Odile", "Luc"),
        "status": EntrantStatus.LEFT,
        "ending": Ending.FINISHED,
        "source": ResultSource.SLIP,
        "missing": next(iter(Missing)),
        "part": next(iter(EntrantKind)),
    }
    numbers = ("entrant", "player", "points", "tables", "games", "play_off", "place", "to", "captain")
    made = kind(**{name: 1 if name in numbers else sample.get(name, "mot") for name in kind.__dataclass_fields__})
    said = event(made, NAMES, load(language))
    assert said.endswith(".")
    assert "competition." not in said


def test_entrants_are_named_and_an_unknown_one_is_a_number() -> None:
    twice = phrase("competition.refused.seated_twice", "fr_CA", entrant="Les As")
    assert refused("seated_twice", {"entrant": 1}, NAMES, FRENCH) == twice
    unknown = phrase("competition.refused.no_such_entrant", entrant=phrase("competition.number", number=9))
    assert refused("no_such_entrant", {"entrant": 9}, NAMES, ENGLISH) == unknown
    not_level = phrase("competition.refused.not_level", first="Les As", second="Réal")
    assert refused("not_level", {"first": 1, "second": 3}, NAMES, ENGLISH) == not_level
    third = phrase("competition.round.number", round=3)
    earlier = phrase("competition.refused.earlier_game_first", round=third, table=2, first=1)
    game = {"first": 1, "table": 2, "round": 3}
    assert refused("earlier_game_first", game, NAMES, ENGLISH) == earlier


@pytest.mark.parametrize(
    ("play_offs", "called"),
    [
        ((), phrase("competition.round.number", "fr_CA", round=9)),
        ((9,), phrase("competition.round.play_off", "fr_CA")),
        ((9, 10), phrase("competition.round.play_offs", "fr_CA", number=1)),
        ((8, 9), phrase("competition.round.play_offs", "fr_CA", number=2)),
    ],
)
def test_a_play_off_is_called_by_no_number_of_a_round(play_offs: tuple[int, ...], called: str) -> None:
    values = {"round": 9, "table": 1}
    said = refused("not_checked", values, NAMES, FRENCH, play_offs=play_offs)
    assert said == phrase("competition.refused.not_checked", "fr_CA", round=called, table=1)
    at = phrase("competition.at", "fr_CA", round=called, table=1, game=2)
    checked = event(events.ResultChecked(GameAt(9, 1, 2)), NAMES, FRENCH, play_offs=play_offs)
    assert checked == phrase("competition.event.result_checked", "fr_CA", at=at)


def test_a_drawn_round_says_who_plays_where_and_who_rests() -> None:
    drawn = events.RoundDrawn(Seating((Pairing(4, (1, 2)),), (3,)))
    pair = phrase("competition.pairing", table=4, first="Les As", second="Zoé")
    seating = f"{pair}; {phrase('competition.byes', entrants='Réal')}"
    assert event(drawn, NAMES, ENGLISH) == phrase("competition.event.round_drawn", seating=seating)


@pytest.mark.parametrize("language", languages())
def test_every_term_and_format_has_a_name(language: str) -> None:
    words = load(language)
    for kind in (EntrantStatus, CompetitionPhase, Movement, Ending, ResultSource, ResultState, Missing, EntrantKind):
        for each in kind:
            assert not term(each, words).startswith("competition.")
    for name in FORMATS:
        assert not words.say(f"competition.format.{name}").startswith("competition.")


@pytest.mark.parametrize("language", languages())
def test_every_refusal_and_problem_in_the_catalogue_is_one_that_there_is(language: str) -> None:
    codes = phrases_of(language)
    refusals = {f"competition.refused.{code}" for code in (*ENGINE, *DESK, "not_an_action")}
    problems = {f"competition.csv.{code}" for code in (*PROBLEMS, "at_line")}
    allowed = {f"competition.allowed.{code}" for code in get_args(AllowedCode)}
    kinds = ("competition.refused.", "competition.csv.", "competition.allowed.")
    assert {code for code in codes if code.startswith(kinds)} == refusals | problems | allowed
