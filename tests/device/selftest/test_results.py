"""The file with the results of a self-test: what is kept is read again, and what is no progress is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cribd.boards import load
from cribd.inputs import ChipPlace, Fault, FaultKind, HolePlace
from cribd.selftest.results import NotProgress, StepOutcome, StepResult, load_results, save_results
from cribd.selftest.steps import BoardPart, SelfTestStep, steps_of

STEPS = steps_of(load("continuous"), ["reader"])
HOLES = steps_of(load("continuous"), [], [BoardPart.HOLES])
RESULTS: dict[SelfTestStep, StepResult] = {
    HOLES[0]: StepResult(StepOutcome.OK, light_ms=11.5),
    HOLES[1]: StepResult(StepOutcome.OTHER, HOLES[2]),
    HOLES[2]: StepResult(StepOutcome.OTHER),
    HOLES[3]: StepResult(StepOutcome.FAULT, fault=Fault(FaultKind.CHAIN_BROKEN, ChipPlace(9))),
    HOLES[4]: StepResult(StepOutcome.FAULT, fault=Fault(FaultKind.BUTTON_STUCK, HolePlace(0, 5))),
    STEPS[-1]: StepResult(StepOutcome.FAULT, fault=Fault(FaultKind.READER_SILENT, "chip 9")),
}


def test_results_are_read_as_they_were_kept(tmp_path: Path) -> None:
    path = tmp_path / "state" / "selftest.json"
    save_results(path, "continuous", {})
    save_results(path, "continuous", RESULTS)
    assert load_results(path, "continuous", STEPS) == RESULTS
    assert [file.name for file in path.parent.iterdir()] == ["selftest.json"]


def test_only_the_results_of_the_steps_that_are_asked_for_are_read(tmp_path: Path) -> None:
    path = tmp_path / "selftest.json"
    save_results(path, "continuous", RESULTS)
    assert load_results(path, "continuous", HOLES[:2]) == {
        HOLES[0]: RESULTS[HOLES[0]],
        HOLES[1]: StepResult(StepOutcome.OTHER),
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        '{"board": "continuous"}',
        '{"board": "continuous", "results": []}',
        '{"board": "continuous", "results": {"hole blue 1": {"outcome": "well"}}}',
        '{"board": "continuous", "results": {"hole blue 1": 3}}',
        '{"board": "continuous", "results": {"hole blue 1": {"outcome": "fault", "fault": 7}}}',
        '{"board": "continuous", "results": {"hole blue 1": {"outcome": "fault", "fault": []}}}',
        '{"board": "continuous", "results": {"hole blue 1": {"outcome": "other", "other": []}}}',
        '{"board": "classic", "results": {}}',
    ],
)
def test_an_invalid_file_or_another_boards_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "selftest.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(NotProgress):
        load_results(path, "continuous", STEPS)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "selftest.json"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(NotProgress):
        load_results(path, "continuous", STEPS)


def test_the_file_is_json_with_the_name_of_each_step(tmp_path: Path) -> None:
    path = tmp_path / "selftest.json"
    save_results(path, "continuous", RESULTS)
    values = json.loads(path.read_text(encoding="utf-8"))
    assert values["board"] == "continuous"
    assert values["results"]["hole blue 2"] == {"outcome": "other", "other": "hole blue 3"}
