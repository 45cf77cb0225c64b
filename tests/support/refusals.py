"""The refusals of a table: their codes, each with the names of the values that its sentence needs.

Those of the game and of the count judge are in their sentences; those of the table are read from its code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from string import Formatter

from tests.support.places import ROOT
from tests.support.sources import calls

from cribboard.actions import REFUSALS as OF_THE_GAME
from cribboard.count_judge import REFUSALS as OF_THE_JUDGE
from cribd.table.snapshot import Refusal


def _of_the_table() -> Iterator[tuple[str, frozenset[str]]]:
    """Every `Refusal("code", {"name": value})` in the table and the daemon."""
    for call in calls(ROOT / "firmware" / "cribd", "Refusal("):
        match call:
            case ast.Call(func=ast.Name("Refusal"), args=[ast.Constant(str(code)), *values]):
                named = values[0].keys if values and isinstance(values[0], ast.Dict) else []
                yield code, frozenset(str(each.value) for each in named if isinstance(each, ast.Constant))


def _of_sentences(sentences: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {
        code: frozenset(name for _, name, _, _ in Formatter().parse(sentence) if name)
        for code, sentence in sentences.items()
    }


#: The names of the values by code.
REFUSALS = {**dict(_of_the_table()), **_of_sentences(OF_THE_JUDGE), **_of_sentences(OF_THE_GAME)}


def is_complete(refusal: Refusal) -> bool:
    """Whether the refusal has the values that its sentence needs."""
    return REFUSALS[refusal.code] <= refusal.values.keys()
