"""TOML, as every file of a board is read: configuration, house rules, boards, decks.

What Python's own reader refuses by other errors than its own, too deep a nesting and too long a number, is no TOML
here either, so that whoever reads a file has one error to tell of. Never opens a file.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

#: No file of a board nests its tables and lists deeper than this.
DEEPEST = 16


class TomlError(ValueError):
    """This is no TOML that a board can use. The message is a clause; `line` is None where that is not known."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


def read_toml(text: str) -> dict[str, Any]:
    """The values of a TOML text; its whole numbers have 64 bits, as TOML 1.0.0 has them. Raises `TomlError`."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        at = re.search(r"at line (\d+)", str(wrong))
        raise TomlError(str(wrong), int(at[1]) if at else text.count("\n") + 1) from wrong
    except RecursionError as wrong:
        raise TomlError("it is nested too deep") from wrong
    except ValueError as wrong:  # Python reads no number of some thousand digits
        raise TomlError("a number has too many digits") from wrong
    level: list[Any] = [values]
    for _ in range(DEEPEST):
        level = [child for part in level for child in _children(part)]
        if any(isinstance(child, int) and not -(2**63) <= child < 2**63 for child in level):
            raise TomlError("a number has too many digits")
    if level:
        raise TomlError("it is nested too deep")
    return values


def _children(part: Any) -> list[Any]:
    match part:
        case dict():
            return list(part.values())
        case list():
            return part
    return []
