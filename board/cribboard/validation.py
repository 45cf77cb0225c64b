"""Validation of values that change a preset: the parameters of rules, and the fields of a competition's format.

Each problem is a sentence that names the field, its value and what is allowed. A value may be spelled as in a file:
numbers, words, on and off. Contradictions between values belong to those who know what the values mean.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Any


class ValidationError(ValueError):
    """The values cannot be played. `problems` has every problem as a sentence."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One value of a preset, as its dataclass declares it."""

    name: str
    kind: Any  # an enum, `int`, `int | None`, or what its owner validates
    says: str  # its meaning
    low: int
    high: int
    source: str
    none: str  # the word for None in files and labels

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        if self._is_enum:
            return " or ".join(self.kind)
        numbers = f"a whole number from {self.low} to {self.high}"
        return numbers if self.kind is int else f"{numbers}, or {self.none}"

    def read(self, value: object) -> Any:
        """The value as the dataclass holds it. Raises `ValueError` if it is not allowed."""
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


def problem(name: str, value: object, allowed: str, *, why: str = "") -> str:
    """The sentence for a value that is not allowed; `why` is a clause of its own.

    >>> problem("target", "high", "a whole number from 31 to 121")
    'target = "high": allowed is a whole number from 31 to 121.'
    """
    shown = f'"{value}"' if isinstance(value, str) and not isinstance(value, StrEnum) else value
    return f"{name} = {shown}: {why}allowed is {allowed}."


def unknown(name: str, known: Collection[str], what: str) -> str:
    """The sentence for a name that is none of these. `what` the known ones are: "parameter" or "field".

    >>> unknown("gmaes", ["games", "medals"], "field")
    'gmaes: there is no such field; is games meant?'
    """
    meant = get_close_matches(name, known, n=1)
    return f"{name}: there is no such {what}{f'; is {meant[0]} meant?' if meant else '.'}"
