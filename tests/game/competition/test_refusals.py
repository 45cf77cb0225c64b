"""Every refusal has its sentence, and every sentence a place that refuses."""

from __future__ import annotations

import ast
import string

from tests.support.places import ROOT

from cribboard.competition.refusals import REFUSALS

FILES = sorted((ROOT / "board" / "cribboard" / "competition").glob("*.py"))
GIVEN_ELSEWHERE = {"outstanding", "disputed", "not_checked"}  # the codes of obstacles


def raised() -> dict[str, set[frozenset[str]]]:
    """By code: the names of the values that each place gives."""
    found: dict[str, set[frozenset[str]]] = {}
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "RefusedAction":
                code = node.args[0]
                if isinstance(code, ast.Constant):
                    names = frozenset(keyword.arg for keyword in node.keywords if keyword.arg)
                    found.setdefault(str(code.value), set()).add(names)
    return found


def test_every_code_is_raised_and_every_code_that_is_raised_has_a_sentence() -> None:
    assert set(raised()) | GIVEN_ELSEWHERE == set(REFUSALS)


def test_every_sentence_is_filled_by_the_values_that_are_given() -> None:
    for code, places in raised().items():
        wanted = {name for _, name, _, _ in string.Formatter().parse(REFUSALS[code]) if name}
        for names in places:
            assert wanted == names, code
