"""The first line of every docstring is short: a reader reads it once."""

from __future__ import annotations

import ast
import re

from tests.support.places import ROOT
from tests.support.sources import statements

LONGEST_FIRST_LINE = 13
"""In words. Readers stumbled over long first lines four times as often as over short ones."""


def long_first_lines(source: str) -> list[str]:
    """The first lines of docstrings with too many words. What a function raises and its exit code are not counted."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    docstrings = [ast.get_docstring(node) for node in statements(ast.parse(source)) if isinstance(node, documented)]
    lines = [docstring.splitlines()[0] for docstring in docstrings if docstring]
    counted = [re.split(r" (?:Raises|Returns the exit code)", line)[0] for line in lines]
    return [line for line, words in zip(lines, counted, strict=True) if len(words.split()) > LONGEST_FIRST_LINE]


def test_a_long_first_line_is_found() -> None:
    short = "Take back the go, and return the turn to this seat now. Raises `IllegalAction` in the show."
    long = "Take back the go, and return the turn to this seat, which can lay a card."
    source = f'def take_back() -> None:\n    """{{}}\n\n    {long}"""\n'
    assert long_first_lines(source.format(short)) == []
    assert long_first_lines(source.format(long)) == [long]


def test_the_first_line_of_every_docstring_is_short() -> None:
    files = sorted(file for folder in ("board", "firmware") for file in (ROOT / folder).rglob("*.py"))
    assert len(files) > 400
    long = {str(file.relative_to(ROOT)): long_first_lines(file.read_text(encoding="utf-8")) for file in files}
    assert {file: lines for file, lines in long.items() if lines} == {}
