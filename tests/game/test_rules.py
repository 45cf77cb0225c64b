"""The rule sets: what each preset holds, what house rules may change, and what is refused with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard.rules import (
    OPTIONS,
    PARAMETERS,
    RULES,
    SOURCES,
    Cutter,
    Rules,
    RulesError,
    changed,
    contradictions,
    preset,
    read_label,
    source_of,
    spelled,
)
from cribboard.rules.house import SEATINGS

SIX_CARD = RULES["six-card"]

#: Section 2 of the rules reference: seats, sides, dealt, given to the crib, target, skunk lines, match.
PRESETS = {
    "six-card": (2, 2, 6, 2, 121, 90, None, 7, "wins"),
    "three-player": (3, 3, 5, 1, 121, None, None, 7, "wins"),
    "partners": (4, 2, 5, 1, 121, 90, None, 7, "wins"),
    "six-player": (6, 3, 5, 1, 121, None, None, 7, "wins"),
    "fadoq": (4, 2, 5, 1, 121, None, None, 8, "points"),
    "five-card": (2, 2, 5, 2, 61, None, None, 1, "wins"),
    "britannica": (2, 2, 6, 2, 121, 61, None, 1, "wins"),
    "jeux50": (2, 2, 6, 2, 121, None, None, 2, "points"),
    "acc": (2, 2, 6, 2, 121, 91, 61, 9, "game_points"),
}

#: What else each preset has that the six-card game has not.
SPECIAL: Mapping[str, Mapping[str, object]] = {
    "fadoq": {"no_single_point_from": 116, "single_point_rule": "move", "verify_ack": "on", "next_game_deal": "cut"},
    "five-card": {"single_series": "on", "hand_flush_min": 3, "three_for_last": 3, "must_play_after_go": "on"},
    "britannica": {"exact_out": "off", "skunk_value": 2},
    "jeux50": {"exposed_cut": "redeal", "late_claim": "refused", "undo": "official", "peg_release_final": "on"},
    "acc": {"exposed_cut": "top_card_stands", "heels_timing": "before_dealer_plays", "win_value": 2, "skunk_value": 3},
}


def problems(changes: Mapping[str, object], rules: Rules = SIX_CARD) -> tuple[str, ...]:
    with pytest.raises(RulesError) as wrong:
        changed(rules, changes)
    assert str(wrong.value).splitlines() == list(wrong.value.problems)
    return wrong.value.problems


# Presets


def test_the_presets_are_the_nine_of_the_reference() -> None:
    assert tuple(RULES) == tuple(PRESETS)
    assert all(rules.name == name and rules.label == f"{name}/2" for name, rules in RULES.items())


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_the_seats_cards_and_ends_of_the_reference(name: str) -> None:
    deal, game = RULES[name].deal_and_play, RULES[name].game
    assert (
        *(deal.players, deal.teams, deal.cards_dealt, deal.discards),
        *(game.target, game.skunk_line, game.double_skunk_line, game.match, game.standings),
    ) == PRESETS[name]


@pytest.mark.parametrize("name", SPECIAL)
def test_each_preset_has_its_special_values(name: str) -> None:
    assert {what: RULES[name].values[what] for what in SPECIAL[name]} == SPECIAL[name]


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_preset_can_be_played(rules: Rules) -> None:
    assert list(contradictions(rules)) == []
    assert rules.changes == {}
    assert rules.deal_and_play.cards_from_seats + rules.deal_and_play.crib_from_pack == 4


def test_one_card_of_the_pack_completes_the_crib_of_three_a28() -> None:
    assert {name: rules.deal_and_play.crib_from_pack for name, rules in RULES.items() if name != "three-player"} == (
        dict.fromkeys(set(RULES) - {"three-player"}, 0)
    )
    assert RULES["three-player"].deal_and_play.crib_from_pack == 1


@pytest.mark.parametrize(("name", "apart"), [("partners", 2), ("fadoq", 2), ("six-player", 3)])
def test_partners_sit_opposite(name: str, apart: int) -> None:
    rules = RULES[name]
    assert all(rules.side_of(seat) == rules.side_of((seat + apart) % len(rules.seats)) for seat in rules.seats)
    assert {rules.side_of(seat) for seat in rules.seats} == set(rules.sides)


def test_the_seat_on_the_dealers_right_cuts_and_of_two_that_is_the_pone() -> None:
    assert [RULES["partners"].cutter(dealer) for dealer in range(4)] == [3, 0, 1, 2]
    assert [changed(RULES["partners"], {"cutter": "left"}).cutter(dealer) for dealer in range(4)] == [1, 2, 3, 0]
    assert [SIX_CARD.cutter(dealer) for dealer in range(2)] == [1, 0]


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RulesError, match="whist: there is no such preset; allowed is six-card, three-player, partners"):
        preset("whist")
    assert preset("acc") is RULES["acc"]


@pytest.mark.parametrize(("name", "option"), [(name, option) for name in OPTIONS for option in OPTIONS[name]])
def test_an_option_is_house_rules_that_differ_from_the_preset(name: str, option: str) -> None:
    changes = OPTIONS[name][option]
    rules = changed(RULES[name], changes)
    assert {what: spelled(value) for what, value in rules.changes.items()} == {
        what: spelled(value) for what, value in changes.items()
    }


# Parameters


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_parameter_says_what_it_is_where_it_comes_from_and_what_it_may_be(name: str) -> None:
    parameter = PARAMETERS[name]
    assert len(parameter.says.split()) >= 3 or parameter.says == "the game hole"
    assert parameter.source
    assert parameter.allowed
    is_number = not (isinstance(parameter.kind, type) and issubclass(parameter.kind, StrEnum))
    assert (parameter.low < parameter.high) == is_number


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_value_of_a_preset_is_one_that_its_parameter_may_have(name: str) -> None:
    for rules in RULES.values():
        value = rules.values[name]
        assert value is None or isinstance(value, str) or PARAMETERS[name].low <= value <= PARAMETERS[name].high


# Where a value is said


def test_a_source_is_given_for_presets_and_parameters_that_there_are() -> None:
    assert SOURCES.keys() == RULES.keys()
    assert all(SOURCES[name].keys() <= PARAMETERS.keys() for name in RULES)


@pytest.mark.parametrize("name", RULES)
def test_every_value_that_differs_from_six_card_has_a_source_of_its_own(name: str) -> None:
    usual = RULES["six-card"].values
    for what, value in RULES[name].values.items():
        if value != usual[what]:
            assert what in SOURCES[name], what


def test_each_value_without_a_source_gives_its_reason() -> None:
    decided = [why for sources in SOURCES.values() for why in sources.values() if why.startswith("decided")]
    assert decided
    assert all(why.startswith("decided: ") and len(why.split()) > 6 for why in decided)


def test_a_value_that_its_document_leaves_open_has_the_common_source() -> None:
    assert source_of(RULES["britannica"], "first_deal") == PARAMETERS["first_deal"].source
    assert source_of(RULES["jeux50"], "first_deal") == "Jeux 50+, 2"


def test_a_house_rule_is_its_own_source_and_leaves_the_others() -> None:
    rules = changed(RULES["fadoq"], {"no_single_point_from": "off"})
    assert source_of(rules, "no_single_point_from") == "house rules"
    assert source_of(rules, "target") == source_of(RULES["fadoq"], "target") == "FADOQ, 2: But du jeu"


# House rules


def test_house_rules_change_what_they_name_and_keep_the_rest() -> None:
    rules = changed(RULES["britannica"], {"target": 61, "skunk_line": 31})
    assert rules.changes == {"target": 61, "skunk_line": 31}
    assert (rules.name, rules.preset) == ("britannica", RULES["britannica"])
    assert {name: value for name, value in rules.values.items() if name not in rules.changes} == {
        name: value for name, value in RULES["britannica"].values.items() if name not in rules.changes
    }


def test_values_may_be_spelled_as_in_a_file() -> None:
    assert changed(SIX_CARD, {"exact_out": True}) == changed(SIX_CARD, {"exact_out": "on"})
    assert changed(SIX_CARD, {"skunk_line": False}) == changed(SIX_CARD, {"skunk_line": "off"})
    assert changed(SIX_CARD, {"skunk_line": None}).game.skunk_line is None
    assert changed(RULES["partners"], {"cutter": "left"}).deal_and_play.cutter is Cutter.LEFT


def test_house_rules_that_change_nothing_are_the_preset() -> None:
    assert changed(SIX_CARD, {}) is SIX_CARD
    assert changed(SIX_CARD, {"target": 121}) is SIX_CARD
    assert changed(changed(SIX_CARD, {"target": 61, "skunk_line": 31}), {"target": 121, "skunk_line": 90}) is SIX_CARD


def test_house_rules_may_be_changed_again_and_know_their_preset_still() -> None:
    rules = changed(changed(RULES["fadoq"], {"match": 6}), {"his_nobs": 0})
    assert rules.preset is RULES["fadoq"]
    assert rules.changes == {"match": 6, "his_nobs": 0}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"target": 122}, "target = 122: allowed is a whole number from 31 to 121."),
        ({"target": "121"}, 'target = "121": allowed is a whole number from 31 to 121.'),
        ({"target": 60.5}, "target = 60.5: allowed is a whole number from 31 to 121."),
        ({"target": True}, "target = True: allowed is a whole number from 31 to 121."),
        ({"skunk_line": 1}, "skunk_line = 1: allowed is a whole number from 2 to 120, or off."),
        ({"first_deal": "high"}, 'first_deal = "high": allowed is low_cut or high_cut.'),
        ({"exact_out": 1}, "exact_out = 1: allowed is off or on."),
        ({"targt": 61}, "targt: there is no such parameter; is target meant?"),
        ({"lowball": "on"}, "lowball: there is no such parameter."),
    ],
)
def test_a_wrong_value_of_a_parameter_is_named_with_what_is_allowed(
    changes: Mapping[str, object], sentence: str
) -> None:
    assert problems(changes) == (sentence,)


@pytest.mark.parametrize(
    ("name", "changes", "sentence"),
    [
        ("six-card", {"teams": 3}, "players = 2, teams = 3: allowed is 2 players in 2 teams, 3 players in 3 teams"),
        ("six-card", {"discards": 1}, "a hand of 5 would be left, and a hand is counted with three or four cards"),
        ("partners", {"cards_dealt": 6, "discards": 2}, "4 players would make a crib of 8, and a crib has 4 cards"),
        ("five-card", {"hand_flush_min": 5}, "a hand of 3 and the starter are 4 cards, so no flush could ever be made"),
        ("partners", {"cutter": "pone"}, "only a table of two has a pone; with 4 players it is right or left"),
        ("partners", {"six_player_deal": "bury"}, "4 players make a crib of four as it is"),
        ("fadoq", {"exact_out": "on"}, "a side one hole short could never finish"),
        ("five-card", {"no_single_point_from": 116}, "the game is over at 61"),
        ("six-card", {"single_point_rule": "component"}, "without no_single_point_from it bars nothing"),
        ("britannica", {"target": 61}, "skunk_line = 61: with a target of 61 every loser would be skunked"),
        ("six-card", {"double_skunk_line": 90}, "it lies below the skunk_line, which is 90"),
        ("fadoq", {"double_skunk_line": 61}, "it lies below the skunk_line, which is off"),
        ("acc", {"win_value": 4}, "each counts as much as the one before it, or more"),
        ("three-player", {"three_for_last": 3}, "of 3 sides no single one is the non-dealer"),
    ],
)
def test_values_that_contradict_each_other_are_refused_with_the_reason(
    name: str, changes: Mapping[str, object], sentence: str
) -> None:
    (problem,) = problems(changes, RULES[name])
    assert sentence in problem
    assert any(what in problem for what in changes)


def test_a_crib_of_six_is_refused_with_its_own_reason() -> None:
    (problem,) = problems({"six_player_deal": "six-card-crib"}, RULES["six-player"])
    assert "no source plays a crib of six cards" in problem
    assert problem.endswith("allowed is short-hands or bury.")


def test_all_problems_come_in_one_report() -> None:
    found = problems({"targt": 61, "first_deal": "high", "teams": 3, "exact_out": "on"}, RULES["fadoq"])
    assert [problem.partition(":")[0] for problem in found] == [
        "targt",
        'first_deal = "high"',
        "players = 4, teams = 3",
        "exact_out = on, no_single_point_from = 116",
    ]


# Labels


@st.composite
def house_rules(draw: st.DrawFn) -> Rules:
    """Any preset with some values changed to others that hold together with the rest."""
    rules = draw(st.sampled_from(list(RULES.values())))
    for name in draw(st.lists(st.sampled_from(list(PARAMETERS)), unique=True, max_size=6)):
        parameter = PARAMETERS[name]
        if isinstance(parameter.kind, type) and issubclass(parameter.kind, StrEnum):
            value: object = draw(st.sampled_from(list(parameter.kind)))
        else:
            value = draw(st.integers(parameter.low, parameter.high))
        try:
            rules = changed(rules, {name: value})
        except RulesError:
            continue
    return rules


@given(house_rules())
def test_a_label_says_all_of_the_rules_in_one_line(rules: Rules) -> None:
    assert read_label(rules.label) == rules
    assert "\n" not in rules.label
    assert read_label(rules.label).values == rules.values


def test_a_label_names_preset_version_and_changes() -> None:
    rules = changed(RULES["britannica"], {"skunk_line": "off", "exact_out": "on"})
    assert rules.label == "britannica/2 exact_out=on skunk_line=off"


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("six-card", "six-card: known rules are six-card/2, three-player/2"),
        ("six-card/3", "six-card/3: known rules are six-card/2"),
        ("six-card/0", "six-card/0: known rules are six-card/2"),
        ("six-card/2 target", 'target = "": allowed is'),
        ("six-card/2 target=121", "it is spelled six-card/2."),
        ("six-card/2  target=61", ": there is no such parameter."),
        ("britannica/2 skunk_line=31 target=61", "it is spelled britannica/2 target=61 skunk_line=31."),
        ("fadoq/2 exact_out=on", "a side one hole short could never finish"),
    ],
)
def test_a_label_that_spells_no_rules_is_refused(label: str, sentence: str) -> None:
    with pytest.raises(RulesError) as wrong:
        read_label(label)
    assert sentence in str(wrong.value)


# Seats and hands that follow


def test_every_seating_can_be_played() -> None:
    for players, teams in SEATINGS:
        deal = {} if players == 2 else {"cards_dealt": 5, "discards": 1, "cutter": "right"}
        assert changed(SIX_CARD, {"players": players, "teams": teams, **deal}).deal_and_play.players == players


def test_an_exact_way_out_needs_something_that_is_worth_exactly_one() -> None:
    nothing_of_one = {"exact_out": "on", "go": 2, "last_card": 2, "his_nobs": 0}
    with pytest.raises(RulesError, match="for nothing is worth exactly one"):
        changed(RULES["britannica"], nothing_of_one)
    assert changed(RULES["britannica"], {**nothing_of_one, "his_nobs": 1}).changes["exact_out"] == "on"


def test_a_list_or_a_table_as_a_value_is_refused() -> None:
    with pytest.raises(RulesError) as refused:
        changed(RULES["britannica"], {"target": [61], "exact_out": {"on": True}})
    assert [problem.partition(" = ")[0] for problem in refused.value.problems] == ["target", "exact_out"]
