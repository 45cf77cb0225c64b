"""Reads TOML and describes the allowed values.

`read_toml` has one error for everything that is no TOML, also for what Python's reader refuses by other errors (deep
nesting, long numbers). `Allowed` validates one value, and has the clause for what is allowed. Never opens a file.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, time
from math import isfinite
from typing import Any

from cribboard.validation import Message, any_of, not_allowed, or_else, whole_number

#: The deepest nesting of tables and lists.
DEEPEST = 16

_TOO_DEEP = Message("toml.deep", "it is nested too deep")
_TOO_LONG = Message("toml.digits", "a number has too many digits")


class TomlError(ValueError):
    """The text is invalid TOML.

    `reason` is part of a sentence; `line` is None if unknown."""

    def __init__(self, reason: Message, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def read_toml(text: str) -> dict[str, Any]:
    """Read the values of a TOML text. Raises `TomlError`.

    Whole numbers have 64 bits (TOML 1.0.0)."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        what = str(wrong).partition(" (at ")[0]
        if at := re.search(r"at line (\d+), column (\d+)", str(wrong)):
            line, column = map(int, at.groups())
            raise TomlError(
                Message("toml.syntax", "{what} (at line {line}, column {column})", what=what, line=line, column=column),
                line,
            ) from wrong
        why = Message("toml.end", "{what} (at end of document)", what=what)
        raise TomlError(why, text.count("\n") + 1) from wrong
    except RecursionError as wrong:
        raise TomlError(_TOO_DEEP) from wrong
    except ValueError as wrong:  # Python reads no number of some thousand digits
        raise TomlError(_TOO_LONG) from wrong
    level: list[Any] = [values]
    for _ in range(DEEPEST):
        level = [child for part in level for child in _children(part)]
        if any(isinstance(child, int) and not -(2**63) <= child < 2**63 for child in level):
            raise TomlError(_TOO_LONG)
    if level:
        raise TomlError(_TOO_DEEP)
    return values


def _children(part: Any) -> Iterable[Any]:
    if isinstance(part, dict):
        return part.values()
    return part if isinstance(part, list) else ()


# What a value may be


def setting(default: Any, allowed: Allowed) -> Any:
    """Declare a dataclass field that is read from a TOML key."""
    return field(default=default, metadata={"allowed": allowed})


@dataclass(frozen=True, slots=True)
class Allowed:
    """The allowed values of a key.

    `words` describes the values in a sentence. `fits` tests a value. `stored_as` maps some values to what is stored."""

    words: str
    fits: Callable[[Any], bool]
    stored_as: Mapping[object, object] = field(default_factory=dict)

    def worded(self, words: str) -> Allowed:
        """Return the same allowed values, described by `words`."""
        return replace(self, words=words)

    def problem(self, key: str, value: object) -> Message:
        """Return the message that this value is not allowed.

        For example: `page.port = 70000: allowed is a whole number from 0 to 65535, or "off".`"""
        return not_allowed(key, spelled(value), self.words)

    def read(self, value: Any) -> Any:
        """Convert an allowed value to its stored form.

        A list becomes a tuple, and a value in `stored_as` is replaced."""
        return tuple(value) if isinstance(value, list) else self.stored_as.get(value, value)


def spelled(value: object) -> str:
    """Write a value for a report, much as in TOML."""
    match value:
        case list():
            return f"[{', '.join(map(spelled, value))}]"
        case float() | date() | time():  # JSON has no date, and another name for nan
            return str(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def one_of(*values: str) -> Allowed:
    """Allow the given words only."""
    return Allowed(any_of(values), lambda value: isinstance(value, str) and value in values)


def number(low: float, high: float) -> Allowed:
    """Allow a number from `low` to `high`."""
    words = Message("number", "a number from {low} to {high}", low=low, high=high)
    return Allowed(words, lambda value: _is(value, int, float) and low <= value <= high)


#: A number that is neither infinite nor nan.
FINITE = Allowed(Message("finite", "a finite number"), lambda value: _is(value, int, float) and isfinite(value))


def whole(low: int, high: int) -> Allowed:
    """Allow a whole number from `low` to `high`."""
    return Allowed(whole_number(low, high), lambda value: _is(value, int) and low <= value <= high)


def text(words: str, fits: Callable[[str], bool] = str.isprintable) -> Allowed:
    """Allow a text for which `fits` returns true."""
    return Allowed(words, lambda value: isinstance(value, str) and fits(value))


#: A name, or "" for none.
NAME = text(
    Message("name", "a name on one line, without a space at its ends"),
    lambda name: name.isprintable() and name == name.strip(),
)


def many(item: Allowed) -> Allowed:
    """Allow a list of values, each allowed by `item`."""
    words = Message("list", "a list; in it, {each}", each=item.words)
    return Allowed(words, lambda value: isinstance(value, list) and all(map(item.fits, value)))


def exactly(count: int, item: Allowed) -> Allowed:
    """Allow a list of `count` values, each allowed by `item`."""
    words = Message("list_of", "a list of {count}; in it, {each}", count=count, each=item.words)
    return Allowed(words, lambda value: many(item).fits(value) and len(value) == count)


def or_off(other: Allowed) -> Allowed:
    """Allow "off", stored as None, and all values of `other`."""
    return Allowed(
        or_else(other.words, '"off"'), lambda value: value == "off" or other.fits(value), stored_as={"off": None}
    )


def or_default(other: Allowed) -> Allowed:
    """Allow 0 for the default, and all values of `other`."""
    words = or_else(other.words, Message("usual", "0 for the usual one of its kind"))
    return Allowed(words, lambda value: whole(0, 0).fits(value) or other.fits(value))


def _is(value: object, *kinds: type) -> bool:
    """Like `isinstance`, but false for a boolean."""
    return isinstance(value, kinds) and not isinstance(value, bool)
