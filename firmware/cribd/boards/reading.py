"""Reads the keys of one section of a board file, and keeps a list of what is wrong with them.

A value that cannot be used is replaced by one that can, so that reading goes on and the report is whole. A key that
nobody asked for is a problem too: it is a slip of the pen, and would be believed to work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final


class _Absent:
    """Stands for a default that is not there: the key must be given."""


_NEEDED: Final = _Absent()


class Section:
    """One table of the file. `where` is what stands before its keys in the report: "strip." or "run 3."."""

    def __init__(self, values: object, where: str, problems: list[str]) -> None:
        self.where = where
        self._problems = problems
        self._asked: set[str] = set()
        self._children: list[Section] = []
        self._values: dict[str, Any] = values if isinstance(values, dict) else {}
        if not isinstance(values, dict):
            self._wrong(where.rstrip("."), values, "it is a table")

    def _wrong(self, key: str, value: object, allowed: str) -> None:
        shown = f'"{value}"' if isinstance(value, str) else value
        self._problems.append(f"{key} = {shown}: {allowed}.")

    def _get(self, key: str, default: object, allowed: str) -> Any:
        self._asked.add(key)
        if key not in self._values and default is _NEEDED:
            self._problems.append(f"{self.where}{key} is missing: {allowed}.")
        return self._values.get(key, default)

    def has(self, key: str) -> bool:
        return key in self._values

    def whole(self, key: str, least: int, most: int, default: int | _Absent = _NEEDED) -> int:
        allowed = f"it is a whole number, {least} to {most}" if least < most else f"it can only be {least}"
        value = self._get(key, default, allowed)
        given = key in self._values
        if given and (not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most):
            self._wrong(self.where + key, value, allowed)
            return least
        return value if isinstance(value, int) else least

    def number(self, key: str, least: float, most: float) -> float:
        allowed = f"it is a number, {least:g} to {most:g}"
        value = self._get(key, _NEEDED, allowed)
        if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
            return float(value)
        if value is not _NEEDED:
            self._wrong(self.where + key, value, allowed)
        return least

    def text(self, key: str, default: str | _Absent = _NEEDED) -> str:
        value = self._get(key, default, "it is a text")
        if isinstance(value, str) and (value or default == ""):
            return value
        if value is not _NEEDED:
            self._wrong(self.where + key, value, "it is a text, and not an empty one")
        return "?"

    def choice(self, key: str, allowed: Sequence[str], default: str | _Absent = _NEEDED) -> str:
        said = f"it is one of {', '.join(allowed)}"
        value = self._get(key, default, said)
        if value == default or value in allowed:
            return value if isinstance(value, str) else "?"
        self._wrong(self.where + key, value, said)
        return "?"

    def texts(self, key: str) -> list[str]:
        allowed = "it is a list of texts"
        value = self._get(key, _NEEDED, allowed)
        if isinstance(value, list) and all(isinstance(text, str) for text in value):
            return value
        if value is not _NEEDED:
            self._wrong(self.where + key, value, allowed)
        return []

    def point(self, key: str) -> tuple[float, float]:
        allowed = "it is two numbers, millimetres to the right and down"
        value = self._get(key, _NEEDED, allowed)
        match value:
            case [int() | float() as x, int() | float() as y]:
                return float(x), float(y)
        if value is not _NEEDED:
            self._wrong(self.where + key, value, allowed)
        return 1.0, 1.0

    def colour(self, key: str) -> tuple[int, int, int]:
        allowed = "it is red, green and blue, 0 to 255 each"
        value = self._get(key, _NEEDED, allowed)
        match value:
            case [int() as red, int() as green, int() as blue] if all(0 <= part <= 255 for part in value):
                return red, green, blue
        if value is not _NEEDED:
            self._wrong(self.where + key, value, allowed)
        return 0, 0, 0

    def section(self, key: str) -> Section:
        value = self._get(key, _NEEDED, f"every board file has a table [{key}]")
        child = Section({} if value is _NEEDED else value, f"{key}.", self._problems)
        self._children.append(child)
        return child

    def sections(self, key: str) -> list[Section]:
        value = self._get(key, _NEEDED, f"every board file has tables [[{key}]]")
        tables = value if isinstance(value, list) else []
        children = [Section(table, f"{key} {n}.", self._problems) for n, table in enumerate(tables, start=1)]
        self._children += children
        return children

    def finish(self) -> None:
        """Name the keys that nothing asked for, here and below."""
        for key in self._values:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked))
                self._problems.append(f"{self.where}{key} is not known here: the keys are {known}.")
        for child in self._children:
            child.finish()
