"""Validate values that a person writes.

Each problem is a `Message` that names the field, its value and what is allowed. The configuration, the board files, the
rules and the formats take the clauses for what is allowed from here. A value of a preset (a parameter of rules, a field
of a competition's format) may be spelled as in a file: numbers, words, on and off. Contradictions between values belong
to those who know what the values mean.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from typing import Any, Self


class Message(str):
    """An English text, with its code and values for translation.

    A value may be a message too.

    >>> whole_number(1, 6), whole_number(1, 6).code, whole_number(1, 6).values
    ('a whole number from 1 to 6', 'whole_number', {'low': 1, 'high': 6})
    """

    __slots__ = ("code", "values")
    code: str
    values: dict[str, object]

    def __new__(cls, code: str, english: str, /, **values: object) -> Self:
        """Fill the English text with the values."""
        made = super().__new__(cls, english.format(**values))
        made.code, made.values = code, values
        return made


def whole_number(low: int, high: int) -> Message:
    """Describe a range of whole numbers, as part of a sentence."""
    return Message("whole_number", "a whole number from {low} to {high}", low=low, high=high)


def any_of(names: Iterable[str]) -> str:
    """Join names with "or"."""
    return reduce(lambda one, other: Message("either", "{one} or {other}", one=one, other=other), names)


def all_of(names: Iterable[str]) -> str:
    """Join names with "and"."""
    return reduce(lambda one, other: Message("both", "{one} and {other}", one=one, other=other), names)


def listed(clauses: Iterable[str]) -> str:
    """Join the parts of a sentence with commas."""
    return reduce(lambda one, other: Message("listed", "{one}, {other}", one=one, other=other), clauses)


def or_else(one: str, other: str) -> Message:
    """Join two descriptions of allowed values with ", or"."""
    return Message("or_else", "{one}, or {other}", one=one, other=other)


class ValidationError(ValueError):
    """The error for unplayable rules or competition formats.

    `problems` lists every problem as a sentence, most of them a `Message`."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a preset, as its dataclass declares it."""

    name: str
    kind: Any  # an enum, `int`, `int | None`, or what its owner validates
    says: str  # its meaning
    low: int
    high: int
    source: str = ""
    none: str  # the word for None in files and labels

    @property
    def allowed(self) -> str:
        """The description of the allowed values, as part of a sentence."""
        if self._is_enum:
            return any_of(self.kind)
        numbers = whole_number(self.low, self.high)
        return numbers if self.kind is int else or_else(numbers, self.none)

    def read(self, value: object) -> Any:
        """Convert the value to the type that the dataclass stores. Raises `ValueError` if the value is not allowed."""
        if isinstance(value, bool):
            value = "on" if value else "off"
        if self._is_enum:
            return self.kind(value)
        if self.kind is not int and (value is None or value == self.none):
            return None
        if not isinstance(value, int) or not self.low <= value <= self.high:
            raise ValueError(value)
        return value

    @property
    def _is_enum(self) -> bool:
        return isinstance(self.kind, type) and issubclass(self.kind, StrEnum)


def problem(name: str, value: object, allowed: str) -> Message:
    """Make the sentence for a value that is not allowed.

    >>> problem("target", "high", "a whole number from 31 to 121")
    'target = "high": allowed is a whole number from 31 to 121.'
    """
    shown = f'"{value}"' if isinstance(value, str) and not isinstance(value, StrEnum) else value
    return not_allowed(name, shown, allowed)


def not_allowed(key: str, spelled: object, allowed: str) -> Message:
    """Make the sentence for a value that is not allowed.

    `spelled` is the value as its source spells it."""
    return Message("not_allowed", "{key} = {value}: allowed is {allowed}.", key=key, value=spelled, allowed=allowed)


def placed(where: object, problem: str) -> Message:
    """Put the place of a problem before its sentence."""
    return Message("placed", "{where}: {problem}", where=where, problem=problem)


def misspelled(label: str, spelled: str) -> Message:
    """Make the sentence for a label that must have another spelling."""
    return placed(label, Message("spelled", "it is spelled {label}.", label=spelled))


def unknown(name: str, known: Collection[str], what: Message) -> Message:
    """Make the sentence for an unknown name.

    `what` says what the known names are, such as parameters or fields.

    >>> unknown("gmaes", ["games", "medals"], Message("field", "field"))
    'gmaes: there is no such field; is games meant?'
    """
    from difflib import get_close_matches  # noqa: PLC0415 (few names are unknown)

    if meant := get_close_matches(name, known, n=1):
        return Message(
            "unknown.meant", "{name}: there is no such {what}; is {meant} meant?", name=name, what=what, meant=meant[0]
        )
    return Message("unknown", "{name}: there is no such {what}.", name=name, what=what)
