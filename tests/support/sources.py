"""How the tests of the source read a module of Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def nodes(source: str) -> list[ast.AST]:
    """Every node of a module, which is read once for what is looked for in it one after the other."""
    return [*ast.walk(ast.parse(source))]


def calls(folder: Path, *beginnings: str) -> Iterator[ast.Call]:
    """Every call in the modules of a folder in which one of these texts stands, such as `Refusal(`. The others are not
    parsed, as each worker reads all of them before its first test."""
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if any(beginning in source for beginning in beginnings):
            yield from (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """A module, and every statement in it. Nine nodes of ten are expressions, and are left out."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, block, ())
