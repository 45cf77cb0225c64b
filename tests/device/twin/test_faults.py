"""The faults of the twin as they are typed."""

from __future__ import annotations

import re

import pytest
from tests.support.catalogues import phrase

from cribd.boards import load
from cribd.twin.faults import WITHOUT_VALUE, FaultName, TwinFault, default, read_fault

BOARD = load("continuous")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("bounce:7", TwinFault(FaultName.BOUNCE, 7)),
        ("stuck:red 120", TwinFault(FaultName.STUCK, (1, 120))),
        ("dead:blue 1", TwinFault(FaultName.DEAD, (0, 1))),
        ("swapped:red 121", TwinFault(FaultName.SWAPPED, (1, 121))),
        ("joined:blue 36", TwinFault(FaultName.JOINED, (0, 36))),
        ("chain-low:1", TwinFault(FaultName.CHAIN_LOW, 1)),
        ("strip-cut:0", TwinFault(FaultName.STRIP_CUT, 0)),
        ("half-frames:99", TwinFault(FaultName.HALF_FRAMES, 99)),
        ("slow-fsync:5", TwinFault(FaultName.SLOW_FSYNC, 5)),
    ],
)
def test_a_fault_is_read_with_its_value(text: str, fault: TwinFault) -> None:
    assert read_fault(text, BOARD) == fault


@pytest.mark.parametrize("name", FaultName)
def test_a_fault_without_a_value_has_one_that_is_allowed(name: FaultName) -> None:
    fault = read_fault(name, BOARD)
    assert fault == default(name, BOARD)
    value = f"{BOARD.tracks[fault.value[0]].name} {fault.value[1]}" if isinstance(fault.value, tuple) else fault.value
    if name not in WITHOUT_VALUE:
        assert read_fault(f"{name}:{value}", BOARD) == fault


@pytest.mark.parametrize(
    ("text", "code", "values"),
    [
        ("kettle", "problem.fault.unknown", {"names": ", ".join(sorted(FaultName))}),
        ("disk-full:1", "problem.fault.no_value", {"name": "disk-full"}),
        ("slow-fsync:11", "problem.fault.value", {"low": 1, "high": 10}),
        ("bounce:21", "problem.fault.value", {"low": 1, "high": 20}),
        ("bounce:", "problem.fault.value", {"low": 1, "high": 20}),
        ("bounce:1.5", "problem.fault.value", {"low": 1, "high": 20}),
        ("chain-low:32", "problem.fault.value", {"low": 1, "high": 31}),
        ("strip-cut:99999", "problem.fault.value", {"low": 0, "high": BOARD.strip.count - 1}),
        ("stuck:green 4", "problem.fault.hole", {"names": "blue 1, red 1"}),
        ("stuck:blue 122", "problem.fault.hole", {"names": "blue 1, red 1"}),
    ],
)
def test_a_fault_that_is_mistyped_names_what_is_allowed(text: str, code: str, values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(phrase(code, text=text, **values))}$"):
        read_fault(text, BOARD)
