"""Actions of a request as JSON: each is read as it was written; an error names field, value and what is allowed."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard.competition import actions
from cribboard.competition.actions import CheckResult, CompetitionAction, EnterResult
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.terms import GameAt
from cribd.competition.action_json import AllowedClause, NotAnAction, actions_by_name, read_action, write_action

NUMBERS = st.integers(-999_999_999, 999_999_999)
st.register_type_strategy(int, NUMBERS)
PAIRINGS = st.builds(Pairing, NUMBERS, st.tuples(NUMBERS, NUMBERS))
SEATINGS = st.builds(Seating, st.lists(PAIRINGS).map(tuple), st.lists(NUMBERS).map(tuple), st.lists(NUMBERS).map(tuple))
AT = st.builds(GameAt, NUMBERS, NUMBERS, NUMBERS)
KINDS = get_args(CompetitionAction)


def builds(kind: Any) -> st.SearchStrategy[Any]:
    if kind in (actions.DrawRound, actions.DrawPlayOff):
        return st.builds(kind, SEATINGS)
    return st.builds(kind, at=AT) if "at" in kind.__dataclass_fields__ else st.builds(kind)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_action_is_read_as_it_was_written(kind: Any) -> None:
    @given(builds(kind))
    def check(action: CompetitionAction) -> None:
        assert read_action(json.loads(json.dumps(write_action(action)))) == action

    check()


def test_actions_have_the_names_of_their_classes() -> None:
    assert set(actions_by_name().values()) == set(KINDS)
    assert actions_by_name()["enter_result"] is actions.EnterResult


def test_fields_with_a_default_may_be_left_out() -> None:
    payload = {"do": "enter_result", "at": {"round": 2, "table": 4}, "scores": [121, 98]}
    assert read_action(payload) == actions.EnterResult(at=GameAt(2, 4, 1), scores=(121, 98))


NUMBER, SCORES, GAME = AllowedClause("whole_number"), AllowedClause("scores"), AllowedClause("game_at")
ACTIONS = AllowedClause("one_of", {"names": tuple(actions_by_name())})
STATUSES = AllowedClause("one_of", {"names": ("registered", "present", "absent", "left", "disqualified")})


@pytest.mark.parametrize(
    ("payload", "field", "value", "allowed"),
    [
        (None, "request", None, AllowedClause("object_with_do")),
        ({}, "do", None, ACTIONS),
        ({"do": ["undo"]}, "do", ["undo"], ACTIONS),
        ({"do": "win"}, "do", "win", ACTIONS),
        ({"do": "undo", "now": 1}, "now", 1, AllowedClause("no_field")),
        ({"do": "check_in"}, "entrant", None, NUMBER),
        ({"do": "check_in", "entrant": True}, "entrant", True, NUMBER),
        ({"do": "check_in", "entrant": 10**9}, "entrant", 10**9, NUMBER),
        ({"do": "depart", "entrant": 1, "status": "gone"}, "status", "gone", STATUSES),
        ({"do": "rename", "entrant": 1, "name": 5}, "name", 5, AllowedClause("text")),
        ({"do": "enter_result", "at": {"round": 1, "table": 1}, "scores": [121]}, "scores", [121], SCORES),
        ({"do": "enter_result", "at": {"round": 1, "table": "A"}, "scores": [121, 5]}, "at.table", "A", NUMBER),
        ({"do": "enter_result", "at": 5, "scores": [121, 5]}, "at", 5, GAME),
        ({"do": "enter_result", "at": "2/", "scores": [121, 5]}, "at", "2/", GAME),
        (
            {"do": "compare_cards", "at": {"round": 1, "table": 1}, "spreads": ["5", None]},
            "spreads[1]",
            "5",
            AllowedClause("whole_number_or_null"),
        ),
        ({"do": "check_result", "at": {"round": 1, "table": 1}, "scores": "121+98"}, "scores", "121+98", SCORES),
        ({"do": "seed_entrants", "entrants": "1"}, "entrants", "1", AllowedClause("list", {"each": NUMBER})),
    ],
)
def test_an_error_names_the_field_its_value_and_what_is_allowed(
    payload: object, field: str, value: object, allowed: AllowedClause
) -> None:
    with pytest.raises(NotAnAction) as wrong:
        read_action(payload)
    assert (wrong.value.field, wrong.value.value, wrong.value.allowed) == (field, value, allowed)


@pytest.mark.parametrize("at", [{"round": 2, "table": 4}, {"round": 2, "table": 4, "game": 1}, "2/4", "2/4/1"])
def test_a_game_may_be_named_as_people_write_it(at: object) -> None:
    action = read_action({"do": "check_result", "at": at})
    assert write_action(action) == {"do": "check_result", "at": {"round": 2, "table": 4, "game": 1}, "scores": None}


@pytest.mark.parametrize(
    "scores", ["121-98", "121–98", "121 — 98", "121:98", "121−98", " 121-98 ", "121 to 98", "121 à 98", "121/98"]
)
@pytest.mark.parametrize("at", ["2/4/1", "2/4", "2 / 4 / 1"])
def test_a_game_and_scores_are_read_as_people_write_them(at: str, scores: str) -> None:
    typed = {"do": "enter_result", "at": at, "scores": scores}
    assert read_action(typed) == EnterResult(at=GameAt(2, 4, 1), scores=(121, 98))
    checked = read_action({"do": "check_result", "at": at, "scores": scores})
    assert checked == CheckResult(at=GameAt(2, 4, 1), scores=(121, 98))
