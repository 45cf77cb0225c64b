"""The words of a self-test: every line of the OLED fits, and the report names what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from gettext import NullTranslations

import pytest
from tests.support.catalogues import phrases_of

from cribd.boards import load as board_of
from cribd.display.canvas import Canvas
from cribd.inputs import ChipPlace, Fault, FaultKind, Key
from cribd.selftest.report import report
from cribd.selftest.results import StepOutcome, StepResult
from cribd.selftest.scene import colours, scene_image
from cribd.selftest.steps import (
    AllLightsStep,
    BoardPart,
    HoleStep,
    KeyStep,
    LightStep,
    ReaderStep,
    SelfTestStep,
    part_of,
    steps_of,
)
from cribd.selftest.walk import Scene
from cribd.selftest.wording import (
    note,
    page_text,
    problem,
    question,
    screen_hints,
    screen_line,
    screen_note,
)
from cribd.text import LINE, languages, load

BOARD = board_of("triple")
STEPS = steps_of(BOARD, ["left"])
HOLES = steps_of(BOARD, [], [BoardPart.HOLES])
OF_OTHERS = (*steps_of(board_of("classic"), [], [BoardPart.LIGHTS]), *steps_of(board_of("starter"), []))
LONGEST_HOLE = HoleStep(2, 121, "green", 1)
LONGEST_KEY = KeyStep(Key.CHALLENGE, 2, "green")
BROKEN = Fault(FaultKind.CHAIN_BROKEN, ChipPlace(46), "why")


def scenes() -> Iterator[Scene]:
    """A scene of each step, with each note that it may have."""
    for step in (*STEPS, *OF_OTHERS):
        scene = Scene(step, 1, len(STEPS), 0)
        yield scene
        match step:
            case LightStep():
                yield replace(scene, paused=True)
            case HoleStep():
                yield replace(scene, note=StepResult(StepOutcome.OTHER, LONGEST_HOLE))
                yield replace(scene, note=StepResult(StepOutcome.TOGETHER, LONGEST_HOLE))
                yield replace(scene, fault=BROKEN)
            case KeyStep():
                yield replace(scene, note=StepResult(StepOutcome.OTHER, LONGEST_KEY))
                yield replace(scene, note=StepResult(StepOutcome.OTHER))
                yield replace(scene, note=StepResult(StepOutcome.TOGETHER))
            case ReaderStep():
                yield replace(scene, note=StepResult(StepOutcome.OTHER, ReaderStep("right")))
                yield replace(scene, note=StepResult(StepOutcome.UNREADABLE))
    yield Scene(None, len(STEPS), len(STEPS), 2)


@pytest.mark.parametrize("language", languages())
def test_every_line_of_the_screen_fits(language: str) -> None:
    words = load(language)
    for scene in scenes():
        for line in (screen_line(scene, words), screen_note(scene, words), *screen_hints(scene, words)):
            assert len(line) <= LINE, line
            assert not line.startswith("selftest."), line


class Recorder(NullTranslations):
    """A catalogue that records which phrases it is asked for."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._catalogue = load(language).catalogue
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        return self._catalogue.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.asked.add(msgid1)
        return self._catalogue.ngettext(msgid1, msgid2, n)


def results() -> Iterator[tuple[SelfTestStep, StepResult]]:
    """Every result that a step of each part may have."""
    firsts = {part_of(step): step for step in reversed(STEPS)}
    for step in (*firsts.values(), AllLightsStep()):
        for outcome in StepOutcome:
            if outcome is StepOutcome.DENIED and part_of(step) in (BoardPart.HOLES, BoardPart.KEYS, BoardPart.READERS):
                continue
            for other in (None, LONGEST_HOLE):
                yield step, StepResult(outcome, other, BROKEN if outcome is StepOutcome.FAULT else None)


@pytest.mark.parametrize("language", languages())
def test_no_phrase_is_missing_and_none_is_unused(language: str) -> None:
    recorder = Recorder(language)
    words = replace(load(language), catalogue=recorder)
    said: list[str] = []
    for scene in scenes():
        said += [screen_line(scene, words), screen_note(scene, words), *screen_hints(scene, words)]
        said += [question(scene, words), note(scene, words)]
    said += [problem(step, result, words) for step, result in results()]
    for found in (StepResult(StepOutcome.OK, light_ms=9.0), StepResult(StepOutcome.FAULT, fault=BROKEN)):
        said += report(STEPS, dict.fromkeys(STEPS, found), words)
    exchanged: dict[SelfTestStep, StepResult] = {
        HOLES[0]: StepResult(StepOutcome.OTHER, HOLES[1]),
        HOLES[1]: StepResult(StepOutcome.OTHER, HOLES[0]),
    }
    said += report(HOLES, exchanged, words)
    said += map(str, page_text(Scene(HOLES[2], 2, 9, 0), exchanged, words).values())
    assert not [text for text in said if "selftest." in text or "{" in text]
    there = {code.partition("\0")[0] for code in phrases_of(language) if code.startswith("selftest.")}
    assert {code for code in recorder.asked if code.startswith("selftest.")} == there


def test_the_hole_that_was_pressed_is_named_beside_the_one_that_was_asked_for() -> None:
    wrong = StepResult(StepOutcome.OTHER, HOLES[36])
    assert (
        problem(HOLES[35], wrong, load("en")) == "Blue 36: Blue 37 was pressed, not Blue 36: the wires may be exchanged"
    )


def test_two_holes_that_answer_for_each_other_are_reported_as_exchanged() -> None:
    results: dict[SelfTestStep, StepResult] = {step: StepResult(StepOutcome.OK, light_ms=12.0) for step in HOLES}
    results[HOLES[35]] = StepResult(StepOutcome.OTHER, HOLES[36])
    results[HOLES[36]] = StepResult(StepOutcome.OTHER, HOLES[35])
    lines = list(report(HOLES, results, load("en")))
    assert lines == [
        f"Holes: {len(HOLES) - 2} of {len(HOLES)} right",
        "  Blue 36: Blue 37 was pressed, not Blue 36: the wires may be exchanged",
        "  Blue 37: Blue 36 was pressed, not Blue 37: the wires may be exchanged",
        "Blue 36 and Blue 37 answer for one another: exchange their wires.",
        "From a press to its light: 12 ms, 12 ms at most",
    ]


def test_a_report_without_a_fault_says_so_and_one_that_is_not_whole_how_to_go_on() -> None:
    results: dict[SelfTestStep, StepResult] = {step: StepResult(StepOutcome.OK) for step in HOLES}
    assert list(report(HOLES, results, load("en")))[-1] == "Everything is right."
    del results[HOLES[-1]]
    assert list(report(HOLES, results, load("en")))[-1] == "1 step is left: `cribboard selftest --resume` goes on."


# What is drawn


def test_the_led_that_is_tested_is_lit_alone_and_a_wrong_hole_is_red() -> None:
    assert set(colours(Scene(STEPS[20], 0, 1, 0), {})) == {STEPS[20].led if isinstance(STEPS[20], LightStep) else -1}
    asked, other = HOLES[0], HOLES[1]
    assert isinstance(asked, HoleStep)
    assert isinstance(other, HoleStep)
    lit = colours(Scene(asked, 0, 1, 0, note=StepResult(StepOutcome.OTHER, other)), {})
    assert (lit[asked.led][:3], lit[other.led][:3]) == ((255, 255, 255), (255, 0, 0))


def test_at_the_end_of_the_lights_all_are_lit_but_those_that_are_dark() -> None:
    lights = [step for step in STEPS if isinstance(step, LightStep)]
    results: dict[SelfTestStep, StepResult] = {step: StepResult(StepOutcome.OK) for step in lights}
    results[lights[7]] = StepResult(StepOutcome.DARK)
    assert set(colours(Scene(AllLightsStep(), 0, 1, 0), results)) == {step.led for step in lights} - {lights[7].led}


def test_the_bar_grows_with_what_is_done() -> None:
    def lit(done: int) -> int:
        return scene_image(Scene(HOLES[0], done, 10, 0), load("en")).histogram()[255]

    assert lit(0) < lit(5) < lit(10)
    assert scene_image(Scene(HOLES[0], 0, 10, 0), load("en")).size == (Canvas(128, 64).width, 64)
