"""The source of each value in a preset.

A source is a section of a document, or a decision with its reason. The documents: the article Cribbage of the French
Wikipédia; the rules of the FADOQ tournament of Saguenay–Lac-Saint-Jean–Ungava; the rules of five-card cribbage;
Britannica's article, whose one section here is the play and the show; the rules of the Jeux des 50 ans et plus of
Gaspésie–Îles-de-la-Madeleine. Of the American Cribbage Congress's rules only excerpts are known, some without a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from cribboard.rules.presets import OPTIONS
from cribboard.rules.rules import PARAMETERS, Rules

_WIKIPEDIA = {
    "Le Jeu": "single_series must_play_after_go go thirty_one last_card",
    "Le décompte": "his_heels hand_flush_min his_nobs",
    "But du jeu": "target exact_out",
    "Fin de partie": "win_value match standings",
    "introduction": "players teams",
    "Distribution des cartes": "cards_dealt discards cutter",
}

_WIKIPEDIA_OF_TWO_SIDES = {**_WIKIPEDIA, "Fin de partie": "win_value match standings skunk_line skunk_value"}

#: By preset: its document, and the parameters that each section settles.
_SAID: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "six-card": ("Wikipédia", _WIKIPEDIA_OF_TWO_SIDES),
    "three-player": ("Wikipédia", _WIKIPEDIA),
    "partners": ("Wikipédia", _WIKIPEDIA_OF_TWO_SIDES),
    "six-player": ("Wikipédia", _WIKIPEDIA),
    "fadoq": (
        "FADOQ",
        {
            "2: But du jeu": "target exact_out",
            "1: Règlements généraux": "sealed",
            "3: Le matériel": "teams",
            "4: Équipe": "players",
            "5: Distribution des cartes": "cards_dealt discards cutter",
            "7: Le jeu": "single_series must_play_after_go go thirty_one last_card",
            "8: Le décompte": "his_heels hand_flush_min his_nobs",
            "11: Calcul des points": "match standings",
            "12: À partir de 116": "no_single_point_from",
        },
    ),
    "five-card": (
        "Five-card",
        {
            "Joueurs et cartes": "players teams",
            "Objectif du jeu": "target",
            "Comment jouer": "first_deal cards_dealt discards three_for_last",
            "Carte de départ": "cutter his_heels heels_timing",
            "Règles de jeu": "single_series go thirty_one",
            "Score pendant le jeu": "last_card",
            "Gagner la partie": "exact_out",
        },
    ),
    "britannica": (
        "Britannica",
        {
            "Play and show": "players teams his_heels heels_timing single_series must_play_after_go go thirty_one "
            "last_card hand_flush_min crib_flush his_nobs target exact_out skunk_line skunk_value muggins",
        },
    ),
    "jeux50": (
        "Jeux 50+",
        {
            "1": "players teams match standings",
            "2": "first_deal cards_dealt discards",
            "3": "cutter exposed_cut his_heels heels_timing",
            "4": "single_series must_play_after_go go thirty_one last_card peg_release_final verify_ack",
            "5": "hand_flush_min crib_flush",
            "6": "target",
        },
    ),
    "acc": (
        "ACC",
        {
            "": "players teams cards_dealt discards must_play_after_go go last_card hand_flush_min "
            "crib_flush his_nobs late_claim target exact_out skunk_line double_skunk_line",
            "1.5": "single_series",
            "1.7": "thirty_one",
            "6.1": "cutter",
            "6.1 and 6.2": "exposed_cut",
            "6.3": "his_heels heels_timing",
            "7.3": "renege",
            "8.3": "peg_release_final",
            "8.4b": "false_game_penalty",
            "8.4c": "over_claim",
            "9.5": "telling",
            "10": "muggins muggins_wrong_call muggins_on_heels",
        },
    ),
}

_TWO_ONLY = "decided: Wikipédia's line of 90 is said of a game of two sides, so here there is none"
_POINTS_ADDED = "decided: the points of all games are added up, so no game counts double"
_CUT_AT_EVENTS = "decided: events cut for every game, as Bondurant and Southern Alberta do"
_SINGLE_GAME = "decided: the document knows no match, only a game"
_FOLLOWS_ACC = "English Wikipedia, which says that it follows ACC"
_FOUR_RULEBOOKS = "Cassell's, Hoyle, Enquire Within, Britannica 11th; the document breaks off before the show"

#: Decisions of this project where a document leaves open what players must know, each with its reason. For all other
#: parameters the source in `parameters` applies.
_DECIDED: Mapping[str, Mapping[str, str]] = {
    "three-player": {"skunk_line": _TWO_ONLY},
    "six-player": {
        "six_player_deal": "decided: six discards would make a crib of six, which no source plays; two seats with four "
        "cards as regles2jeux and ourpastimes have it",
        "skunk_line": _TWO_ONLY,
    },
    "fadoq": {
        "verify_ack": "decided: results are verified before the medals (FADOQ, 1), so each count is looked at",
        "single_point_rule": "decided: « avancer d'un point à la fois » speaks of the move of the peg",
        "skunk_line": _POINTS_ADDED,
        "next_game_deal": _CUT_AT_EVENTS,
    },
    "five-card": {
        "must_play_after_go": "decided: « vous pouvez continuer », but the play ends only when nobody can lay a card, "
        "and must is simplest to verify",
        "hand_flush_min": _FOUR_RULEBOOKS,
        "crib_flush": _FOUR_RULEBOOKS,
        "skunk_line": "decided: the document knows none; half the target is an option, after Britannica and Dawson",
        "match": _SINGLE_GAME,
    },
    "britannica": {"match": _SINGLE_GAME},
    "jeux50": {
        "his_nobs": "decided: section 5 leaves it out of its list, but every source that speaks of it gives it",
        "late_claim": "decided: « du moment qu'il lâche son pion le jeu est mort », and what was forgotten with it",
        "undo": "decided: what is dead comes back only if both sides say so",
        "skunk_line": _POINTS_ADDED,
        "next_game_deal": _CUT_AT_EVENTS,
    },
    "acc": {
        "first_deal": _FOLLOWS_ACC,
        "cut_tie": _FOLLOWS_ACC,
        "undo": "decided: a card that was laid stands (ACC), so it comes back only if both sides say so",
        "win_value": "clubs that follow ACC: two game points for a win",
        "skunk_value": "clubs that follow ACC: three game points for a skunk",
        "double_skunk_value": "decided: the tables of clubs know two and three game points only; four can be set",
        "match": "decided: clubs that follow ACC play nine games or more",
        "standings": "clubs that follow ACC: game points, then games won, then spread",
        "next_game_deal": _CUT_AT_EVENTS,
    },
}


def _of(preset: str) -> Iterator[tuple[str, str]]:
    document, sections = _SAID[preset]
    for section, names in sections.items():
        for name in names.split():
            yield name, f"{document}, {section}" if section else document
    yield from _DECIDED.get(preset, {}).items()


#: The source of a value, by preset and parameter.
SOURCES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {preset: MappingProxyType(dict(_of(preset))) for preset in _SAID}
)


def source_of(rules: Rules, name: str) -> str:
    """Return the source of this parameter's value in these rules.

    >>> from cribboard.rules import RULES, changed
    >>> source_of(RULES["fadoq"], "no_single_point_from")
    'FADOQ, 12: À partir de 116'
    >>> source_of(changed(RULES["fadoq"], {"match": 6}), "match")
    'house rules'
    """
    if name in rules.changes:
        return "house rules"
    return SOURCES[rules.name].get(name, PARAMETERS[name].source)


#: The presets whose document numbers its rules: the rules without a parameter, by the ground of a ruling.
_NUMBERED = {"acc": {"order": "ACC 9.2c", "under_claim": "ACC 8.3"}}


def cited(rules: Rules, ground: str) -> str:
    """Return the number of the rule behind a ruling, or "".

    Only presets in `_NUMBERED` have numbers, with their options; a rule that house rules changed has none.

    >>> from cribboard.rules import RULES
    >>> cited(RULES["acc"], "false_game_penalty"), cited(RULES["six-card"], "over_claim")
    ('ACC 8.4b', '')
    """
    options = OPTIONS.get(rules.name, {}).values()
    offered = {str(name): str(value) for option in options for name, value in option.items()}
    changed = {name: value for name, value in rules.changes.items() if offered.get(name) != str(value)}
    if rules.name not in _NUMBERED or ground in changed:
        return ""
    document, _, number = SOURCES[rules.name].get(ground, "").partition(", ")
    return _NUMBERED[rules.name].get(ground) or (f"{document} {number}" if number[:1].isdigit() else "")
