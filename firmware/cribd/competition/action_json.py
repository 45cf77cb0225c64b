"""Converts actions of a competition to JSON objects and back.

`{"do": "enter_result", "at": {"round": 2, "table": 4, "game": 1}, "scores": [121, 98]}` is an `EnterResult`. The fields
are those of the class; one with a default may be left out. A tuple is a list, an enum its value, a dataclass an object.
A game may also be written `"2/4/1"`, and scores `"121-98"`, as people type them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from cribboard.competition.actions import CompetitionAction, UndoCompetitionAct
from cribboard.competition.names import spaced
from cribboard.competition.terms import GameAt

T = TypeVar("T")

#: The greatest number in a competition: the notation of events writes no greater one.
_MOST = 999_999_999
#: The most characters of a word that the desk sends to a board. Its screen has three lines for it.
LONGEST_WORD = 60
#: The most entries of a list.
_LONGEST = 4096
#: The deepest nesting of values in a request.
_DEEPEST = 8


#: A game and scores as people type them: with any dash, or as the log prints them, `121 to 98`.
_GAME = re.compile(r"\s*(\d{1,9})\s*/\s*(\d{1,9})(?:\s*/\s*(\d{1,9}))?\s*", re.ASCII)
_SCORES = re.compile(r"\s*(\d{1,9})\s*(?:[-\u2010-\u2015\u2212:/]|to|à)\s*(\d{1,9})\s*", re.ASCII)
_PAIR = tuple[int, int]

#: What may be allowed: each is a phrase of the catalogues.
AllowedCode = Literal[
    "object",
    "object_with",
    "game_at",
    "object_with_do",
    "scores",
    "one_of",
    "fields",
    "no_field",
    "list",
    "list_of",
    "whole_number",
    "whole_number_from_to",
    "whole_number_or_null",
    "text",
    "printable",
    "date",
    "true_or_false",
    "board_table",
    "format",
    "toml",
    "toml_line",
    "format_that_fits",
]


@dataclass(frozen=True, slots=True)
class AllowedClause:
    """The part of a refusal that names the allowed values.

    It validates nothing. `values` fill the phrase of the `code`: numbers, texts, tuples `names` and `problems`, and
    `each` for an entry of a list."""

    code: AllowedCode
    values: Mapping[str, object] = field(default_factory=dict)


class NotAnAction(ValueError):  # noqa: N818 (a request that is not understood)
    """A request of the desk or of a phone is not valid.

    `field` is the wrong field, `value` its value, and `allowed` says what is allowed."""

    def __init__(self, field: str, value: object, allowed: AllowedClause) -> None:
        super().__init__(field, value, allowed)
        self.field = field
        self.value = value
        self.allowed = allowed


def read_action(payload: object) -> CompetitionAction:
    """Read an action from a JSON object. Raises `NotAnAction`.

    >>> read_action({"do": "check_in", "entrant": 3})
    CheckIn(entrant=3, captain=0)
    """
    if not isinstance(payload, Mapping):
        raise NotAnAction("request", payload, AllowedClause("object_with_do"))
    name = payload.get("do")
    kind = actions_by_name().get(name) if isinstance(name, str) else None
    if kind is None:
        raise NotAnAction("do", name, AllowedClause("one_of", {"names": tuple(actions_by_name())}))
    action: CompetitionAction = _read_object(kind, {key: value for key, value in payload.items() if key != "do"}, "")
    return action


def read_fields(kind: type[T], payload: object) -> T:
    """Read a dataclass from a JSON object. Raises `NotAnAction`."""
    read: T = _read_object(kind, payload, "")
    return read


def write_action(action: CompetitionAction) -> dict[str, Any]:
    """Convert an action to a JSON object."""
    return {"do": _name(action.__class__), **as_json(action)}


@cache
def actions_by_name() -> Mapping[str, type]:
    """Map JSON names to actions: `enter_result` to `EnterResult`."""
    return {_name(kind): kind for kind in get_args(CompetitionAction)}


def _name(kind: type) -> str:
    return "undo" if kind is UndoCompetitionAct else re.sub("(?<!^)([A-Z])", r"_\1", kind.__name__).lower()


def read_word(text: str) -> str:
    """Check and return the desk's text for a board. Raises `NotAnAction`."""
    if not (text.isprintable() and text == text.strip() and len(text) <= LONGEST_WORD):
        raise NotAnAction("text", text, AllowedClause("printable", {"most": LONGEST_WORD}))
    return text


def with_plain_spaces(payload: Any, *, depth: int = _DEEPEST) -> Any:
    """Replace each run of spaces by one ordinary space.

    Pasted texts have other kinds of spaces.

    >>> with_plain_spaces({"do": "pause", "reason": "Souper à 18\\u00a0h"})
    {'do': 'pause', 'reason': 'Souper à 18 h'}
    """
    match payload:
        case str():
            return spaced(payload)
        case list() if depth:
            return [with_plain_spaces(value, depth=depth - 1) for value in payload]
        case dict() if depth:
            return {key: with_plain_spaces(value, depth=depth - 1) for key, value in payload.items()}
    return payload


def split_ask(payload: object) -> tuple[bool, dict[str, Any]]:
    """Separate the field `ask` of a request from its other fields.

    Returns whether the request asks for consequences, and its other fields. Raises `NotAnAction`."""
    if not isinstance(payload, Mapping):
        raise NotAnAction("request", payload, AllowedClause("object"))
    ask = payload.get("ask", False)
    if not isinstance(ask, bool):
        raise NotAnAction("ask", ask, AllowedClause("true_or_false"))
    return ask, {key: value for key, value in payload.items() if key != "ask"}


def as_json(value: Any) -> Any:
    """Convert dataclasses and other plain objects to JSON values.

    A dataclass becomes an object, a tuple a list, and a fraction a number."""
    if value is None or isinstance(value, str | int):  # most are: the state of the desk has thousands
        return value
    if is_dataclass(value):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {name: as_json(item) for name, item in value.items()}
    if isinstance(value, tuple):
        return [as_json(item) for item in value]
    return float(value) if isinstance(value, Fraction) else value


def _read_object(kind: Any, value: object, where: str) -> Any:
    hints, prefix = _hints(kind), f"{where}." if where else ""
    names = [field.name for field in fields(kind)]
    if not isinstance(value, Mapping):
        raise NotAnAction(where, value, _allowed(kind))
    for name, item in value.items():
        if name not in hints:
            raise NotAnAction(f"{prefix}{name}", item, known_fields(names))
    values = {}
    for attribute in fields(kind):
        path = prefix + attribute.name
        if attribute.name in value:
            values[attribute.name] = _read(hints[attribute.name], value[attribute.name], path)
        elif attribute.default is MISSING:
            raise NotAnAction(path, None, _allowed(hints[attribute.name]))
    return kind(**values)


def _read(hint: Any, value: object, where: str) -> Any:
    """Read a value of this type. Raises `NotAnAction`."""
    if isinstance(value, str) and hint is GameAt and (game := _GAME.fullmatch(value)):
        return GameAt(*map(int, filter(None, game.groups())))
    if isinstance(value, str) and _PAIR in (hint, *get_args(hint)) and (scores := _SCORES.fullmatch(value)):
        return int(scores[1]), int(scores[2])
    if is_dataclass(hint):
        return _read_object(hint, value, where)
    if get_origin(hint) is tuple and isinstance(value, list) and len(value) <= _LONGEST:
        inner = get_args(hint)
        kinds = [inner[0]] * len(value) if inner[-1] is Ellipsis else list(inner)
        if len(kinds) == len(value):
            pairs = enumerate(zip(kinds, value, strict=True), start=1)
            return tuple(_read(kind, item, f"{where}[{number}]") for number, (kind, item) in pairs)
    if hint == tuple[int, int] | None:
        return None if value is None else _read(tuple[int, int], value, where)
    if isinstance(hint, type) and issubclass(hint, StrEnum) and isinstance(value, str) and value in list(hint):
        return hint(value)
    is_number = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MOST
    if (hint is str and isinstance(value, str)) or (hint in (int, int | None) and is_number):
        return value
    if (hint == int | None and value is None) or (hint is bool and isinstance(value, bool)):
        return value
    raise NotAnAction(where, value, _allowed(hint))


def known_fields(names: Collection[str]) -> AllowedClause:
    """Return what an error says about the allowed fields."""
    return AllowedClause("fields", {"names": tuple(names)}) if names else AllowedClause("no_field")


def _allowed(hint: Any) -> AllowedClause:
    if hint is GameAt:
        return AllowedClause("game_at")
    if _PAIR in (hint, *get_args(hint)):
        return AllowedClause("scores")
    if is_dataclass(hint):
        return AllowedClause("object_with", {"names": tuple(field.name for field in fields(hint))})
    if get_origin(hint) is tuple:
        first, *others = get_args(hint)
        item = _allowed(first)
        if others == [Ellipsis]:
            return AllowedClause("list", {"each": item})
        return AllowedClause("list_of", {"each": item, "count": 1 + len(others)})
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return AllowedClause("one_of", {"names": tuple(map(str, hint))})
    if hint is int:
        return AllowedClause("whole_number")
    if hint is bool:
        return AllowedClause("true_or_false")
    return AllowedClause("text" if hint is str else "whole_number_or_null")


_hints = cache(get_type_hints)
