"""The results of a self-test, and their file.

An interrupted self-test goes on from the file. The file is JSON: the name of the board, and each result under the name
of its step. It is replaced as a whole, so that it is never half written. Its faults have no cause, because `cribboard
doctor` finds the cause of a fault that is still there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from cribd.inputs import Fault, FaultKind, read_fault
from cribd.selftest.steps import SelfTestStep


class StepOutcome(StrEnum):
    OK = "ok"
    MISSED = "missed"  # nothing answered, or nobody
    DARK = "dark"  # the LED is not lit
    DENIED = "denied"  # the person neither sees nor hears it
    OTHER = "other"  # another hole, key or reader answered
    TOGETHER = "together"  # two answered one press
    UNREADABLE = "unreadable"  # the reader sent nothing that can be read
    STUCK = "stuck"  # the button is down, and nobody presses it
    FAULT = "fault"  # the part does not work


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step.

    `other` is the step of the wrong input that answered, if known. `light_ms` is the time from a press to its light."""

    outcome: StepOutcome
    other: SelfTestStep | None = None
    fault: Fault | None = None
    light_ms: float | None = None


Results = Mapping[SelfTestStep, StepResult]


class NotProgress(Exception):  # noqa: N818 (a state of the file, not an error of the caller)
    """The file has no readable results of this board."""


def save_results(path: Path, board: str, results: Results) -> None:
    """Write the results. Raises OSError."""
    values = {"board": board, "results": {step.name: _values(result) for step, result in results.items()}}
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    with beside.open("w", encoding="utf-8") as new:
        json.dump(values, new, ensure_ascii=False)
        new.flush()
        os.fsync(new.fileno())
    beside.replace(path)


def load_results(path: Path, board: str, steps: Collection[SelfTestStep]) -> dict[SelfTestStep, StepResult]:
    """Read the results of these steps.

    Raises OSError, and `NotProgress` if the file is not of this board."""
    by_name = {step.name: step for step in steps}
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        if values["board"] != board:
            raise NotProgress(str(values["board"]))
        found = {by_name[name]: _result(entry, by_name) for name, entry in values["results"].items() if name in by_name}
    except (ValueError, LookupError, TypeError, AttributeError) as wrong:
        raise NotProgress from wrong
    return {step: found[step] for step in steps if step in found}


def _values(result: StepResult) -> dict[str, Any]:
    """Return a result as JSON, without the fields that are None."""
    fault = result.fault
    values = {
        "outcome": result.outcome.value,
        "other": None if result.other is None else result.other.name,
        "fault": None if fault is None else [fault.kind.value, str(fault.where)],
        "light_ms": result.light_ms,
    }
    return {name: value for name, value in values.items() if value is not None}


def _result(values: Mapping[str, Any], by_name: Mapping[str, SelfTestStep]) -> StepResult:
    fault = values.get("fault")
    light_ms = values.get("light_ms")
    return StepResult(
        StepOutcome(values["outcome"]),
        other=by_name.get(values.get("other", "")),
        fault=None if fault is None else read_fault(FaultKind(fault[0]), str(fault[1])),
        light_ms=None if light_ms is None else float(light_ms),
    )
