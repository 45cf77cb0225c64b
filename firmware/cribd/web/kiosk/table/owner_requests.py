"""Reads a request of the owner: turns JSON into an input of the table.

Pure and strict: an unknown key or value is an error, in one line for the author of the request. The table decides
whether the game allows it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import partial
from typing import Any

from cribd.inputs import LONGEST_NAME, NamesGiven, NewGameAsked, NewMatchAsked, OwnerRequest, RulesGiven, UndoAsked
from cribd.table.rule_sets import RuleSet, known
from cribd.text import in_every_language
from cribd.web.kiosk.count_judge.routes import title


class BadRequest(ValueError):  # noqa: N818 (a page asked for what cannot be)
    """The request is invalid. The message says why, in English."""


def read(request: object, rules: Sequence[RuleSet], *, tracks: int) -> OwnerRequest:
    """The input for a request of a page, at a board with `tracks` that can play these `rules`. Raises `BadRequest`."""
    match request:
        case {"do": "names", "names": list(names), **rest} if not rest:
            return NamesGiven(_names(names, tracks))
        case {"do": "names", "names": list(names), "same_players": bool(same), **rest} if not rest:
            return NamesGiven(_names(names, tracks), same_players=same)
        case {"do": "rules", "rules": str(label), **rest} if not rest:
            if label not in {rule_set.rules.label for rule_set in rules}:
                raise BadRequest("This board plays no such rules.")
            return RulesGiven(label)
        case {"do": "new_game", **rest} if not rest:
            return NewGameAsked()
        case {"do": "new_match", **rest} if not rest:
            return NewMatchAsked()
        case {"do": "undo", "number": int(number), **rest} if not rest and not isinstance(number, bool) and number >= 0:
            return UndoAsked(number)
        case _:
            raise BadRequest(
                "Ask for names, rules, new_game, new_match or undo, each with what it needs and nothing else."
            )


def _names(given: Sequence[object], tracks: int) -> tuple[str, ...]:
    """Read the names by side, "" for no name."""
    if not 0 < len(given) <= tracks:
        raise BadRequest(f"A name for each side, an empty one for nobody's: {tracks} at the most.")
    names = tuple(unicodedata.normalize("NFC", name).strip() for name in given if isinstance(name, str))
    if len(names) < len(given) or not all(name.isprintable() for name in names):
        raise BadRequest("A name is made of letters, figures, signs and spaces.")
    if any(len(name) > LONGEST_NAME for name in names):
        raise BadRequest(f"A name has {LONGEST_NAME} characters at the most.")
    there = [name.casefold() for name in names if name]
    if len(set(there)) < len(there):
        raise BadRequest("Two names are the same.")
    return names


def rules_to_choose(rules: Sequence[RuleSet], chosen: RuleSet) -> dict[str, Any]:
    """The rules that the owner can choose, and the label of the next game's rules."""
    now = known(chosen.rules, rules)
    return {
        "rules": [
            {
                "label": rule_set.rules.label,
                "name": in_every_language(partial(title, rule_set)),
                "players": rule_set.rules.deal_and_play.players,
                "target": rule_set.rules.game.target,
            }
            for rule_set in rules
        ],
        "next": now and now.rules.label,
    }
