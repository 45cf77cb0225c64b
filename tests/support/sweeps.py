"""How much of a sweep runs: a spread sample in `make test`, all of it in `make test-wires`.

A sweep tries every bit, byte or hand that there is. Its test is marked `sweep`, and states the rule by which the sample
is chosen: one that reaches every kind.
"""

from __future__ import annotations

import os

#: Whether sweeps are whole, as `make test-wires` asks by `SWEEPS=whole`.
IS_WHOLE = os.environ.get("SWEEPS") == "whole"


def one_in(sample: int, whole: int = 1) -> int:
    """The step of a sweep: one in `sample` is tried, and one in `whole` where sweeps are whole."""
    return whole if IS_WHOLE else sample
