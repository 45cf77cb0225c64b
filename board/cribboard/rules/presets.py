"""The presets of rules, each from a published rules document.

A preset lists its changes to the six-card game, spelled as in a house-rules file (rules reference, sections 1 to 3);
`sources` has their sources. A parameter that the document does not mention keeps its default and source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from cribboard.rules.house import RulesError, changed
from cribboard.rules.parameters import GameRules
from cribboard.rules.rules import VERSION, Rules
from cribboard.validation import Message, misspelled, placed

_SIX_CARD = Rules(name="six-card", game=GameRules(skunk_line=90))

_FIVE_DEALT = {"cards_dealt": 5, "discards": 1, "cutter": "right"}

_PRESETS: Mapping[str, Mapping[str, object]] = {
    "six-card": {},
    "three-player": {**_FIVE_DEALT, "players": 3, "teams": 3, "skunk_line": "off"},
    "partners": {**_FIVE_DEALT, "players": 4, "teams": 2},
    "six-player": {**_FIVE_DEALT, "players": 6, "teams": 3, "skunk_line": "off"},
    "fadoq": {
        **_FIVE_DEALT, "players": 4, "teams": 2, "no_single_point_from": 116, "skunk_line": "off", "verify_ack": "on",
        "match": 8, "standings": "points", "next_game_deal": "cut", "sealed": "on",
    },
    "five-card": {
        "cards_dealt": 5, "single_series": "on", "hand_flush_min": 3, "three_for_last": 3, "target": 61,
        "skunk_line": "off", "match": 1,
    },
    "britannica": {"skunk_line": 61, "match": 1},
    "jeux50": {
        "exposed_cut": "redeal", "late_claim": "refused", "verify_ack": "on", "undo": "official", "skunk_line": "off",
        "match": 2, "standings": "points", "next_game_deal": "cut",
    },
    "acc": {
        "exposed_cut": "top_card_stands", "heels_timing": "before_dealer_plays", "late_claim": "refused",
        "telling": "tournament", "over_claim": "award_excess", "false_game_penalty": 15,
        "muggins_wrong_call": "reverse", "muggins_on_heels": "off", "renege": "two_per_card", "undo": "official",
        "skunk_line": 91, "double_skunk_line": 61, "win_value": 2, "skunk_value": 3, "match": 9,
        "standings": "game_points", "next_game_deal": "cut",
    },
}  # fmt: skip

RULES: Mapping[str, Rules] = MappingProxyType(
    {name: replace(changed(_SIX_CARD, changes), name=name, preset=None) for name, changes in _PRESETS.items()}
)

_BY_LABEL = {
    older.label: older
    for rules in RULES.values()
    for older in (rules.of_version(version) for version in range(1, VERSION + 1))
}

#: Named changes that a preset's own source offers or its players ask for, by preset.
OPTIONS: Mapping[str, Mapping[str, Mapping[str, object]]] = MappingProxyType(
    {
        "six-player": {"bury": {"six_player_deal": "bury"}},
        "fadoq": {"component": {"single_point_rule": "component"}, "out-only": {"single_point_rule": "out_only"}},
        "five-card": {"may-play-on": {"must_play_after_go": "off"}, "lurch": {"skunk_line": 31}},
        "britannica": {
            "short": {"target": 61, "skunk_line": 31},
            "exact-out": {"exact_out": "on"},
            "muggins": {"muggins": "on"},
        },
        "acc": {"muggins": {"muggins": "on"}},
    }
)


def preset(name: str) -> Rules:
    """Return the preset with this name. Raises `RulesError`, which names all presets, if there is none."""
    if name not in RULES:
        none = Message("rules.preset", "there is no such preset; allowed is {presets}.", presets=", ".join(RULES))
        raise RulesError((placed(name, none),))
    return RULES[name]


@lru_cache(64)
def read_label(label: str) -> Rules:
    """Return the rules with this label. Raises `RulesError` if no playable rules have the label.

    >>> read_label("britannica/2 target=61 skunk_line=31").game.target
    61
    """
    name, *changes = label.split(" ")
    if name not in _BY_LABEL:
        known = ", ".join(rules.label for rules in RULES.values())
        raise RulesError((placed(name, Message("rules.known", "known rules are {known}.", known=known)),))
    pairs = [change.partition("=") for change in changes]
    # Python's `int` refuses thousands of digits; no parameter has ten.
    changes_by_name = {key: int(value) if value.isdecimal() and len(value) < 10 else value for key, _, value in pairs}
    rules = changed(_BY_LABEL[name], changes_by_name)
    if rules.label != label:
        raise RulesError((misspelled(label, rules.label),))
    return rules
