"""Actions of a competition as JSON objects, and back: one mapping for all of them.

`{"do": "enter_result", "at": {"round": 2, "table": 4, "game": 1}, "scores": [121, 98]}` is an `EnterResult`. The fields
are those of the class; one with a default may be left out. A tuple is a list, an enum its value, a dataclass an object.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from cribboard.competition.actions import Action

#: No number of a competition is greater: what the notation of events writes.
_MOST = 999_999_999
#: A list has no more entries.
_LONGEST = 4096


class NotAnAction(ValueError):  # noqa: N818 (a request that is not understood)
    """The JSON is no action: the `field`, its `value`, and what is `allowed`, in English."""

    def __init__(self, field: str, value: object, allowed: str) -> None:
        super().__init__(f"{field} = {value!r}: allowed is {allowed}.")
        self.field = field
        self.value = value
        self.allowed = allowed


def read_action(told: object) -> Action:
    """The action of a JSON object. Raises `NotAnAction`.

    >>> read_action({"do": "check_in", "entrant": 3})
    CheckIn(entrant=3, captain=0)
    """
    if not isinstance(told, Mapping):
        raise NotAnAction("request", told, "an object with the key do")
    name = told.get("do")
    kind = actions_by_name().get(name) if isinstance(name, str) else None
    if kind is None:
        raise NotAnAction("do", name, ", ".join(actions_by_name()))
    action: Action = _read_object(kind, {key: value for key, value in told.items() if key != "do"}, "")
    return action


def write_action(action: Action) -> dict[str, Any]:
    """The JSON object of an action."""
    return {"do": _name(action.__class__), **as_json(action)}


@cache
def actions_by_name() -> Mapping[str, type]:
    """Each action by its name in JSON: `EnterResult` is `enter_result`."""
    return {_name(kind): kind for kind in get_args(Action)}


def _name(kind: type) -> str:
    return re.sub("(?<!^)([A-Z])", r"_\1", kind.__name__).lower()


def as_json(value: Any) -> Any:
    """Plain data as JSON values: a dataclass as an object, a tuple as a list, a fraction as a number."""
    if is_dataclass(value):
        return {each.name: as_json(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple):
        return [as_json(each) for each in value]
    return float(value) if isinstance(value, Fraction) else value


def _read_object(kind: Any, told: object, where: str) -> Any:
    hints = _hints(kind)
    names = [each.name for each in fields(kind)]
    if not isinstance(told, Mapping):
        raise NotAnAction(where, told, f"an object with {', '.join(names)}")
    for name, value in told.items():
        if name not in hints:
            raise NotAnAction(_under(where, str(name)), value, f"nothing: the fields are {', '.join(names) or 'none'}")
    values = {}
    for each in fields(kind):
        path = _under(where, each.name)
        if each.name in told:
            values[each.name] = _read(hints[each.name], told[each.name], path)
        elif each.default is MISSING:
            raise NotAnAction(path, None, _allowed(hints[each.name]))
    return kind(**values)


def _read(hint: Any, told: object, where: str) -> Any:
    """The value of this type. Raises `NotAnAction`."""
    if is_dataclass(hint):
        return _read_object(hint, told, where)
    if get_origin(hint) is tuple and isinstance(told, list) and len(told) <= _LONGEST:
        inner = get_args(hint)
        kinds = [inner[0]] * len(told) if inner[-1] is Ellipsis else list(inner)
        if len(kinds) == len(told):
            pairs = enumerate(zip(kinds, told, strict=True), start=1)
            return tuple(_read(kind, each, f"{where}[{number}]") for number, (kind, each) in pairs)
    if isinstance(hint, type) and issubclass(hint, StrEnum) and isinstance(told, str) and told in list(hint):
        return hint(told)
    if hint is str and isinstance(told, str):
        return told
    if (_is_number(told) and hint in (int, int | None)) or (told is None and hint == int | None):
        return told
    raise NotAnAction(where, told, _allowed(hint))


def _is_number(told: object) -> bool:
    return isinstance(told, int) and not isinstance(told, bool) and abs(told) <= _MOST


def _allowed(hint: Any) -> str:
    if is_dataclass(hint):
        return f"an object with {', '.join(each.name for each in fields(hint))}"
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        many = "a list" if inner[-1] is Ellipsis else f"a list of {len(inner)}"
        return f"{many}; in it, {_allowed(inner[0])}"
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return " or ".join(hint)
    return {int: "a whole number", str: "a text"}.get(hint, "a whole number, or null")


def _under(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)
