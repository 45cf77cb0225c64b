"""Every scenario of the rules reference that these rules can play has a test of its number, in one file alone."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
#: What the count judge refuses at a page (A81) is none of the game's.
AT_A_PAGE = HERE.parent / "device" / "table" / "test_silent_count_judge.py"

WANTED = {f"a{number:02}" for number in range(1, 82)}


def test_every_number_has_a_test_and_its_tests_stand_in_one_file() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for file in (*sorted(HERE.rglob("test_*.py")), AT_A_PAGE):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
                numbered := re.match(r"test_(a\d\d)_", node.name)
            ):
                found[numbered[1]].add(file.name)
    assert WANTED - found.keys() == set()
    assert {number: files for number, files in found.items() if number in WANTED and len(files) > 1} == {}


def test_scenarios_stand_in_the_files_that_are_named_for_them() -> None:
    strays = {
        node.name
        for file in HERE.rglob("test_*.py")
        if not file.name.startswith("test_scenarios_")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name[5:8] in WANTED
    }
    assert strays == set()
