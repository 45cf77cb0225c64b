"""The state machine of a self-test: what is asked, what each press makes of it, and that it always ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.sweeps import examples

from cribd.boards import load
from cribd.drivers.buzzer import Sound
from cribd.inputs import (
    CardRead,
    ChipPlace,
    Fault,
    FaultCleared,
    FaultKind,
    HolePlace,
    HolePressed,
    Input,
    Key,
    KeyHeld,
    KeyPressed,
    KeysTogether,
    ReadFailed,
    TagRead,
)
from cribd.selftest.results import StepOutcome, StepResult
from cribd.selftest.steps import (
    AllLightsStep,
    Area,
    BoardPart,
    HoleStep,
    KeyStep,
    LightStep,
    ReaderStep,
    ScreenStep,
    SelfTestStep,
    SoundStep,
    part_of,
    places_of,
    steps_of,
)
from cribd.selftest.walk import PersonAnswer, Walk

BOARD = load("continuous")
HOLES = tuple(HoleStep(0, hole, "blue", hole) for hole in range(1, 5))
LIGHTS: tuple[SelfTestStep, ...] = (*(LightStep(led, None) for led in range(4)), AllLightsStep())
KEYS = (KeyStep(Key.GO, 0, "blue"), KeyStep(Key.OK, 0, "blue"), KeyStep(Key.MENU, None))
SHORT: tuple[SelfTestStep, ...] = (
    *KEYS,
    ScreenStep(Area.ALL),
    *LIGHTS,
    *HOLES,
    SoundStep(Sound.GO),
    ReaderStep("left"),
    ReaderStep("right"),
)
OK = StepResult(StepOutcome.OK)


def begun(*steps: SelfTestStep) -> Walk:
    walk = Walk(steps, patience_s=30, pace_s=0.5)
    walk.begin(0.0)
    return walk


def press(*holes: int) -> list[Input]:
    return [HolePressed(0, hole) for hole in holes]


# The steps


@pytest.mark.parametrize("name", ["continuous", "classic", "triple"])
def test_every_led_every_button_and_every_key_of_a_board_is_one_step(name: str) -> None:
    board = load(name)
    steps = steps_of(board, ["left", "right"])
    assert len({step.name for step in steps}) == len(steps)
    assert [step.led for step in steps if isinstance(step, LightStep)] == list(range(board.strip.count))
    buttons = {
        (track.side, at) for track in board.tracks for at, spot in enumerate(track.holes, 1) if spot.input is not None
    }
    assert {(step.side, step.hole) for step in steps if isinstance(step, HoleStep)} == buttons
    assert {(step.key, step.side) for step in steps if isinstance(step, KeyStep)} == {
        (k.key, k.side) for k in board.keys
    }
    assert [step.reader for step in steps if isinstance(step, ReaderStep)] == ["left", "right"]


def test_the_parts_come_in_their_order_and_only_those_that_are_chosen() -> None:
    steps = steps_of(BOARD, ["reader"], [BoardPart.READERS, BoardPart.HOLES])
    assert list(dict.fromkeys(map(part_of, steps))) == [BoardPart.HOLES, BoardPart.READERS]
    assert list(dict.fromkeys(map(part_of, steps_of(BOARD, ["reader"])))) == list(BoardPart)


def test_every_led_of_the_board_file_has_its_place() -> None:
    places = places_of(BOARD)
    assert len(places) == sum(
        len(track.holes) + len(track.starts) + len(track.matches) + 1 + (track.lap_lamp is not None)
        for track in BOARD.tracks
    )


# Holes


def test_the_hole_that_is_asked_for_is_right_and_the_next_is_asked() -> None:
    walk = begun(*HOLES)
    walk.take(press(1), 1.0)
    assert walk.results == {HOLES[0]: OK}
    assert walk.step == HOLES[1]


def test_another_hole_is_named_and_the_right_one_still_counts() -> None:
    walk = begun(*HOLES)
    walk.take(press(2), 1.0)
    assert walk.scene.note == StepResult(StepOutcome.OTHER, HOLES[1])
    assert walk.step == HOLES[0]
    walk.take(press(1), 2.0)
    assert walk.results == {HOLES[0]: OK}
    assert walk.scene.note is None


def test_another_hole_that_answers_twice_is_the_result() -> None:
    walk = begun(*HOLES)
    walk.take(press(2), 1.0)
    walk.take(press(3), 2.0)
    walk.take(press(2), 3.0)
    assert walk.results == {}, "another hole each time: a finger that slips"
    walk.take(press(2), 4.0)
    assert walk.results == {HOLES[0]: StepResult(StepOutcome.OTHER, HOLES[1])}


def test_two_holes_that_go_down_at_one_press_are_named() -> None:
    walk = begun(*HOLES)
    walk.take(press(1, 2), 1.0)
    assert walk.scene.note == StepResult(StepOutcome.TOGETHER, HOLES[1])
    walk.take(press(1, 2), 2.0)
    assert walk.results == {HOLES[0]: StepResult(StepOutcome.TOGETHER, HOLES[1])}


def test_a_hole_that_nobody_presses_is_missed_after_the_patience_and_not_before() -> None:
    walk = begun(*HOLES)
    assert walk.next_due == 30.0
    walk.due(29.9)
    assert walk.results == {}
    walk.due(30.0)
    assert walk.results == {HOLES[0]: StepResult(StepOutcome.MISSED)}
    assert walk.next_due == 60.0


def test_ok_marks_a_hole_as_missed_and_undo_asks_it_again() -> None:
    walk = begun(*HOLES)
    walk.take([KeyPressed(Key.OK, 1)], 1.0)
    assert walk.results == {HOLES[0]: StepResult(StepOutcome.MISSED)}
    walk.take([KeyPressed(Key.UNDO)], 2.0)
    assert walk.results == {}
    walk.take(press(1), 3.0)
    assert walk.results == {HOLES[0]: OK}


def test_a_hole_that_was_missed_after_another_answered_says_so() -> None:
    walk = begun(*HOLES)
    walk.take(press(4), 1.0)
    walk.answer(PersonAnswer.YES, 2.0)
    assert walk.results == {HOLES[0]: StepResult(StepOutcome.OTHER, HOLES[3])}


def test_a_stuck_hole_is_named_without_being_asked_for() -> None:
    walk = begun(*HOLES)
    walk.take([Fault(FaultKind.BUTTON_STUCK, HolePlace(0, 2))], 0.0)
    walk.take(press(1), 10.0)
    walk.due(10.0)
    assert walk.results == {HOLES[0]: OK, HOLES[1]: StepResult(StepOutcome.STUCK)}


def test_a_chain_that_breaks_is_waited_for_and_then_the_result() -> None:
    walk = begun(*HOLES)
    broken = Fault(FaultKind.CHAIN_BROKEN, ChipPlace(9), "why")
    walk.take([broken], 1.0)
    assert walk.scene.fault == broken
    assert walk.next_due == 6.0
    walk.take([FaultCleared(FaultKind.CHAIN_BROKEN, ChipPlace(9))], 3.0)
    assert walk.next_due == 33.0
    walk.take([broken], 4.0)
    for _ in HOLES:
        walk.due(9.0)
    assert walk.results == dict.fromkeys(HOLES, StepResult(StepOutcome.FAULT, fault=broken))


def test_the_time_of_a_light_stands_in_the_result_of_its_hole() -> None:
    walk = begun(*HOLES)
    walk.take(press(1), 1.0)
    walk.lit(HOLES[0], 11.5)
    assert walk.results[HOLES[0]] == replace(OK, light_ms=11.5)
    walk.answer(PersonAnswer.YES, 2.0)
    walk.lit(HOLES[1], 11.5)
    assert walk.results[HOLES[1]] == StepResult(StepOutcome.MISSED)


# Keys


def test_keys_answer_only_for_themselves_while_they_are_tested() -> None:
    walk = begun(*KEYS)
    walk.take([KeyHeld(Key.GO, 0)], 1.0)
    walk.take([KeyPressed(Key.UNDO)], 2.0)
    assert walk.scene.note == StepResult(StepOutcome.OTHER)
    walk.take([KeyPressed(Key.GO, 0)], 2.5)
    assert walk.scene.note == StepResult(StepOutcome.OTHER, KEYS[0])
    walk.take([KeysTogether()], 3.0)
    assert walk.scene.note == StepResult(StepOutcome.TOGETHER)
    walk.take([KeyPressed(Key.OK, 0)], 4.0)
    walk.answer(PersonAnswer.YES, 5.0)
    assert walk.results == {KEYS[0]: OK, KEYS[1]: OK, KEYS[2]: StepResult(StepOutcome.MISSED)}
    assert walk.step is None
    assert walk.next_due == float("inf")


# Lights


def test_leds_are_lit_one_after_the_other_and_the_end_is_confirmed() -> None:
    walk = begun(*LIGHTS)
    for number in range(4):
        assert walk.step == LIGHTS[number]
        walk.due(walk.next_due)
    assert walk.step == AllLightsStep()
    walk.take([KeyPressed(Key.OK, 0)], 5.0)
    assert walk.results == dict.fromkeys(LIGHTS, OK)


def test_a_walk_that_is_late_shows_every_led() -> None:
    walk = begun(*LIGHTS)
    walk.due(100.0)
    assert walk.step == LIGHTS[1]
    assert walk.next_due == 100.5


def test_lights_that_nobody_confirms_are_missed() -> None:
    walk = begun(*LIGHTS)
    while walk.step is not None:
        walk.due(walk.next_due)
    assert walk.results[LIGHTS[-1]] == StepResult(StepOutcome.MISSED)


def test_ok_stops_at_the_led_that_is_lit_and_ok_again_calls_it_dark() -> None:
    walk = begun(*LIGHTS)
    walk.due(0.5)
    walk.take([KeyPressed(Key.OK, 0)], 0.9)
    assert (walk.step, walk.scene.paused) == (LIGHTS[1], True)
    walk.take([KeyPressed(Key.OK, 0)], 2.0)
    assert walk.results == {LIGHTS[0]: OK, LIGHTS[1]: StepResult(StepOutcome.DARK)}
    assert (walk.step, walk.scene.paused) == (LIGHTS[2], False)


def test_ok_right_after_the_next_led_was_lit_means_the_one_before() -> None:
    walk = begun(*LIGHTS)
    walk.due(0.5)
    walk.take([KeyPressed(Key.OK, 0)], 0.7)
    assert (walk.step, walk.scene.paused) == (LIGHTS[0], True)
    walk.take([KeyPressed(Key.GO, 0)], 2.0)
    assert walk.results == {LIGHTS[0]: OK}
    assert walk.step == LIGHTS[1]


def test_challenge_calls_an_led_and_all_behind_it_dark() -> None:
    walk = begun(*LIGHTS)
    walk.due(0.5)
    walk.answer(PersonAnswer.YES, 0.9)
    walk.answer(PersonAnswer.NO, 1.5)
    dark = StepResult(StepOutcome.DARK)
    assert walk.results == {LIGHTS[0]: OK, LIGHTS[1]: dark, LIGHTS[2]: dark, LIGHTS[3]: dark}
    assert walk.step == AllLightsStep()
    walk.answer(PersonAnswer.BACK, 2.0)
    assert (walk.step, walk.scene.paused) == (LIGHTS[3], True)


# Screen, sound, readers


def test_what_is_seen_or_heard_is_right_and_what_is_not_is_denied() -> None:
    steps: list[SelfTestStep] = [
        ScreenStep(Area.ALL),
        ScreenStep(Area.TOP_LEFT),
        SoundStep(Sound.GO),
        SoundStep(Sound.WIN),
    ]
    walk = begun(*steps)
    for at, key in enumerate([Key.OK, Key.CHALLENGE, Key.OK, Key.CHALLENGE]):
        walk.take([KeyPressed(key, 1)], at + 1.0)
    assert [walk.results[step].outcome for step in steps] == [
        StepOutcome.OK,
        StepOutcome.DENIED,
        StepOutcome.OK,
        StepOutcome.DENIED,
    ]


def test_a_sound_is_played_again_until_somebody_answers() -> None:
    walk = begun(SoundStep(Sound.GO))
    assert (walk.scene.plays, walk.next_due) == (1, 2.0)
    walk.due(2.0)
    walk.due(4.0)
    assert walk.scene.plays == 3


def test_each_reader_reads_its_own_card_and_the_card_of_the_reader_before_may_lie_there_still() -> None:
    left, right = ReaderStep("left"), ReaderStep("right")
    walk = begun(left, right)
    walk.take([TagRead("AB", "left")], 1.0)
    walk.take([TagRead("AB", "left")], 2.0)
    assert (walk.step, walk.scene.note) == (right, None)
    walk.take([CardRead("5H", "left")], 3.0)
    assert walk.scene.note == StepResult(StepOutcome.OTHER, left)
    walk.take([ReadFailed("right")], 4.0)
    assert walk.scene.note == StepResult(StepOutcome.UNREADABLE)
    walk.take([CardRead("5H", "right")], 5.0)
    assert walk.results == {left: OK, right: OK}


def test_a_reader_that_does_not_answer_keeps_no_other_reader_from_its_test() -> None:
    walk = begun(ReaderStep("left"), ReaderStep("right"))
    walk.take([Fault(FaultKind.READER_SILENT, "left", "why")], 0.0)
    walk.due(5.0)
    assert walk.results[ReaderStep("left")].outcome is StepOutcome.FAULT
    walk.take([CardRead("5H", "right")], 6.0)
    assert walk.results[ReaderStep("right")] == OK


# The law

Act = Callable[[Walk, float], None]


def taken(*inputs: Input) -> Act:
    return lambda walk, now: walk.take(inputs, now)


def answered(answer: PersonAnswer) -> Act:
    return lambda walk, now: walk.answer(answer, now)


FAULTS = [
    Fault(FaultKind.CHAIN_BROKEN, ChipPlace(2)),
    Fault(FaultKind.BUTTON_STUCK, HolePlace(0, 2)),
    Fault(FaultKind.LIGHTS_AWAY, "strip"),
    Fault(FaultKind.READER_SILENT, "left"),
]
PRESSED: list[Input] = [KeyPressed(key, side) for key in Key for side in (0, None)]
KEY_INPUTS: list[Input] = [*PRESSED, KeysTogether(), KeyHeld(Key.GO, 0)]
CARDS: list[Input] = [CardRead("5H", "left"), TagRead("AB", "right"), ReadFailed("left")]
FAULT_INPUTS: list[Input] = [*FAULTS, *(FaultCleared(fault.kind, fault.where) for fault in FAULTS)]
ACTS: st.SearchStrategy[Act] = st.one_of(
    st.lists(st.integers(1, 5), min_size=1, max_size=3).map(lambda holes: taken(*press(*holes))),
    st.sampled_from(KEY_INPUTS).map(taken),
    st.sampled_from(CARDS).map(taken),
    st.sampled_from(FAULT_INPUTS).map(taken),
    st.sampled_from(PersonAnswer).map(answered),
    st.just(lambda walk, now: walk.due(now)),
)


def finish(walk: Walk, now: float) -> None:
    """Nobody does anything any more: only time passes."""
    for _ in range(3 * len(SHORT) * 20):
        if walk.step is None:
            return
        now = max(now, walk.next_due)
        walk.due(now)
    pytest.fail(f"it does not end: {walk.scene}")


@pytest.mark.sweep
@settings(max_examples=examples(300), deadline=None)
@given(acts=st.lists(st.tuples(ACTS, st.floats(0, 3)), max_size=60), stopped_after=st.integers(0, 60))
def test_whatever_is_pressed_it_ends_every_step_has_one_result_and_none_is_lost_by_a_stop(
    acts: list[tuple[Act, float]], stopped_after: int
) -> None:
    walk, now = Walk(SHORT, patience_s=5.0, pace_s=0.5), 0.0
    walk.begin(now)
    for at, (act, passed) in enumerate(acts):
        if at == stopped_after:  # and resumed
            before = dict(walk.results)
            walk = Walk(SHORT, results=before, patience_s=5.0, pace_s=0.5)
            walk.begin(now)
            assert walk.results == before
        now += passed
        act(walk, now)
        scene = walk.scene
        assert scene.done == len(walk.results)
        assert (scene.step is None) == (set(walk.results) == set(SHORT))
    finish(walk, now)
    assert set(walk.results) == set(SHORT)
