"""Reads the values of one section of a board file.

A value that is not allowed is replaced by one that is, so that the report names every problem. An unknown key is a
problem too: it is a typing error, and its owner believes that it works.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from cribboard.validation import Message
from cribd.toml import FINITE, Allowed, exactly, many, number, spelled, text, whole

_Value = TypeVar("_Value")

_TEXTS = many(text("", lambda _: True)).worded(Message("board.texts", "it is a list of texts"))
_POINT = exactly(2, FINITE).worded(Message("board.point", "it is two numbers, millimetres to the right and down"))
_COLOUR = exactly(3, whole(0, 255)).worded(Message("board.colour", "it is red, green and blue, 0 to 255 each"))


class Problems(list[str]):
    """The problems of a board file, as a list of sentences."""

    def add(self, code: str, english: str, /, **values: object) -> None:
        """Add a problem as a `Message`."""
        self.append(Message(code, english, **values))


class Section:
    """One TOML table of a board file.

    `where` is the prefix of its keys in problems, such as "strip."."""

    def __init__(self, values: object, where: str, problems: Problems) -> None:
        self.where = where
        self._problems = problems
        self._asked: set[str] = set()
        self._children: list[Section] = []
        self._values: dict[str, Any] = values if isinstance(values, dict) else {}
        if not isinstance(values, dict):
            self._wrong(where.rstrip("."), values, Message("board.is_table", "it is a table"))

    def _wrong(self, key: str, value: object, allowed: str) -> None:
        self._problems.add("board.wrong", "{key} = {value}: {allowed}.", key=key, value=spelled(value), allowed=allowed)

    def _get(self, key: str, default: object, allowed: str) -> Any:
        """Return the unchecked value of a key, or the default."""
        self._asked.add(key)
        if key not in self._values and default is None:
            self._problems.add("board.missing", "{key} is missing: {allowed}.", key=self.where + key, allowed=allowed)
        return self._values.get(key, default)

    def has(self, key: str) -> bool:
        """Whether this TOML table has the key."""
        return key in self._values

    def _value(self, key: str, allowed: Allowed, default: object, *, instead: _Value, missing: str = "") -> _Value:
        """Return the checked value of a key, or the default.

        Report a missing key that has no default, or a value that is not allowed, and return `instead`."""
        value: _Value = self._get(key, default, missing or allowed.words)
        if key in self._values and not allowed.fits(value):
            self._wrong(self.where + key, value, allowed.words)
            return instead
        return instead if value is None else value

    def whole(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """Read a whole number from `least` to `most`.

        The `default` may be outside this range. For a number that is not allowed return the default,
        or `least` if there is none."""
        words = Message("board.only", "it can only be {least}", least=least)
        if least < most:
            words = Message("board.whole", "it is a whole number, {least} to {most}", least=least, most=most)
        return self._value(
            key, whole(least, most).worded(words), default, instead=least if default is None else default
        )

    def number(self, key: str, least: float, most: float) -> float:
        """Read a number from `least` to `most`."""
        allowed = number(least, most).worded(
            Message("board.number", "it is a number, {least} to {most}", least=f"{least:g}", most=f"{most:g}")
        )
        return float(self._value(key, allowed, None, instead=least))

    def text(self, key: str) -> str:
        """Read a text that is not empty."""
        allowed = text(Message("board.text_filled", "it is a text, and not an empty one"), bool)
        return self._value(key, allowed, None, instead="?", missing=Message("board.text", "it is a text"))

    def choice(self, key: str, values: Sequence[str], default: str | None = None) -> str:
        """Read one of these `values`, or the `default`."""
        words = Message("board.one_of", "it is one of {names}", names=", ".join(values))
        return self._value(key, text(words, (*values, default).__contains__), default, instead="?")

    def texts(self, key: str) -> list[str]:
        """Read a list of texts."""
        return self._value(key, _TEXTS, None, instead=[])

    def point(self, key: str) -> tuple[float, float]:
        """Read a point: millimetres to the right and down."""
        x, y = self._value(key, _POINT, None, instead=(1.0, 1.0))
        return float(x), float(y)

    def colour(self, key: str) -> tuple[int, int, int]:
        """Read a colour: red, green and blue, 0 to 255 each."""
        red, green, blue = self._value(key, _COLOUR, None, instead=(0, 0, 0))
        return red, green, blue

    def section(self, key: str) -> Section:
        """Return the TOML table `key`; report a missing one."""
        value = self._get(key, None, Message("board.needs_table", "every board file has a table [{key}]", key=key))
        child = Section({} if value is None else value, f"{key}.", self._problems)
        self._children.append(child)
        return child

    def part(self, key: str) -> Section | None:
        """Return the TOML table of an optional part, or None."""
        self._asked.add(key)
        return self.section(key) if self.has(key) else None

    def sections(self, key: str, *, needed: bool = True) -> list[Section]:
        """Return the TOML tables with this name, in file order.

        Report a missing key if `needed`, and a value that is not a list of tables."""
        words = Message("board.needs_tables", "every board file has tables [[{key}]]", key=key)
        value = self._get(key, None if needed else [], words)
        if value is not None and not isinstance(value, list):
            self._wrong(self.where + key, value, Message("board.are_tables", "they are tables [[{key}]]", key=key))
        tables = value if isinstance(value, list) else []
        children = [Section(table, f"{key} {n}.", self._problems) for n, table in enumerate(tables, start=1)]
        self._children += children
        return children

    def finish(self) -> None:
        """Report the unknown keys of this TOML table and its inner tables."""
        for key in self._values:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked))
                self._problems.add(
                    "board.unknown", "{key} is not known here: the keys are {known}.", key=self.where + key, known=known
                )
        for child in self._children:
            child.finish()
