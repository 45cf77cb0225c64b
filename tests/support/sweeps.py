"""How much of a sweep runs: a spread sample in `make test`, all of it in `make sweeps`.

A sweep tries every bit, byte or hand that there is, or all of these with all of those. Its test is marked `sweep`, and
states the rule by which the sample is chosen: one that reaches every kind.

A test or a case that takes long, and has others of its kind in `make test`, is marked `long`: `make test-wires` runs
it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import product
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")
U = TypeVar("U")

#: Whether sweeps are whole, as `make sweeps` asks by `SWEEPS=whole`.
IS_WHOLE = os.environ.get("SWEEPS") == "whole"


def one_in(sample: int, whole: int = 1) -> int:
    """The step of a sweep: one in `sample` is tried, and one in `whole` where sweeps are whole."""
    return whole if IS_WHOLE else sample


def by_turns(these: Sequence[T], those: Sequence[U], *, each: int = 1) -> list[tuple[T, U]]:
    """Each of `these` with `each` of `those`, which take turns; with all of them where sweeps are whole."""
    count = len(those)
    return [
        (this, that)
        for (at, this), (place, that) in product(enumerate(these), enumerate(those))
        if IS_WHOLE or (place - at) % count < each
    ]


def mostly_long(cases: Iterable[object], *, every: int) -> list[ParameterSet]:
    """These cases, for `parametrize`: one in `every` is for `make test`, and the others are marked `long`."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=[pytest.mark.long] if at % every else [])
        for at, case in enumerate(cases)
    ]


def examples(count: int) -> int:
    """How many examples of a law are tried: one in eight of so many, and all where sweeps are whole."""
    return count // one_in(8)
