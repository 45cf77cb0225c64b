"""Edges of the keys become presses, short and long."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribd.boards import load
from cribd.drivers.keys import LONG_PRESS_KEYS, MOST_REPEATS, KeyDecoder
from cribd.inputs import Input, Key, KeyHeld, KeyHeldLonger, KeyPressed, KeysTogether, KeysTooEarly

BOARD = load("continuous")


def decode(*edges: tuple[float, bool], key: Key = Key.OK, until: float = 60, decoder: KeyDecoder | None = None) -> Any:
    """The inputs of one key of side 1 with their times in milliseconds, asked for as soon as they are due."""
    decoder = KeyDecoder(debounce_ms=10, hold_s=1) if decoder is None else decoder
    inputs: list[tuple[int, Input]] = []

    def let_time_pass(until: float) -> None:
        while (due := decoder.next_due) is not None and due <= until:
            inputs.extend((round(due * 1000), given_input) for given_input in decoder.due_inputs(due))

    for at, down in edges:
        let_time_pass(at)
        inputs.extend((round(at * 1000), given_input) for given_input in decoder.edge(key, 1, down=down, at=at))
    let_time_pass(until)
    return inputs


@pytest.mark.parametrize("key", [Key.OK, Key.CHALLENGE, Key.UNDO])
def test_a_key_without_a_long_press_answers_as_soon_as_it_has_been_down_alone(key: Key) -> None:
    assert decode((1.0, True), (1.2, False), key=key) == [(1040, KeyPressed(key, 1))]
    assert decode((1.0, True), (9.0, False), key=key) == [(1040, KeyPressed(key, 1))]
    assert decode((1.0, True), (1.012, False), key=key) == [(1040, KeyPressed(key, 1))]


@pytest.mark.parametrize("key", [Key.GO, Key.MENU])
def test_a_short_press_of_a_key_with_a_long_press_is_reported_at_its_release(key: Key) -> None:
    assert decode((1.0, True), (1.9, False), key=key) == [(1900, KeyPressed(key, 1))]


@pytest.mark.parametrize("key", [Key.GO, Key.MENU])
def test_a_long_press_is_reported_after_one_second_and_not_at_its_release(key: Key) -> None:
    longer = [] if key is Key.GO else [(4000, KeyHeldLonger(key))]
    assert decode((1.0, True), (3.9, False), key=key) == [(2000, KeyHeld(key, 1))]
    assert decode((1.0, True), (7.0, False), key=key) == [(2000, KeyHeld(key, 1)), *longer]
    assert decode((1.0, True), key=key) == [(2000, KeyHeld(key, 1)), *longer]


def test_menu_is_held_longer_after_three_times_as_long_also_by_a_late_poll() -> None:
    decoder = KeyDecoder(debounce_ms=10, hold_s=0.5)
    decoder.edge(Key.MENU, None, down=True, at=1.0)
    assert decoder.due_inputs(9.0) == [KeyHeld(Key.MENU), KeyHeldLonger(Key.MENU)]
    assert decoder.edge(Key.MENU, None, down=False, at=9.1) == []


def test_a_step_key_answers_as_soon_as_it_has_been_down_alone_and_repeats_while_it_is_down() -> None:
    pressed, held = KeyPressed(Key.STEP, 1), KeyHeld(Key.STEP, 1)
    assert decode((1.0, True), (1.012, False), key=Key.STEP) == [(1040, pressed)]
    assert decode((1.0, True), (1.49, False), key=Key.STEP) == [(1040, pressed)]
    runs = [(1040, pressed), (1500, held), (1667, held), (1833, held), (2000, held)]
    assert decode((1.0, True), (2.1, False), key=Key.STEP) == runs
    again = [(at + 2000, what) for at, what in runs]
    assert decode((1.0, True), (2.1, False), (3.0, True), (4.1, False), key=Key.STEP) == [*runs, *again]


def test_a_step_key_that_is_held_for_a_minute_or_stuck_repeats_40_times_and_no_more() -> None:
    for edges in [(1.0, True), (61.0, False)], [(1.0, True)]:
        inputs = [what for _, what in decode(*edges, key=Key.STEP, until=90)]
        assert inputs == [KeyPressed(Key.STEP, 1), *[KeyHeld(Key.STEP, 1)] * MOST_REPEATS]


def test_the_step_keys_of_both_sides_run_at_once_and_one_under_the_same_palm_as_ok_does_not() -> None:
    both = hand((1.0, (Key.STEP, 0), True), (1.01, (Key.STEP, 1), True), (1.6, (Key.STEP, 0), False), until=1.6)
    for side in (0, 1):
        assert [what for _, what in both if isinstance(what, KeyPressed | KeyHeld) and what.side == side] == [
            KeyPressed(Key.STEP, side),
            KeyHeld(Key.STEP, side),
        ]
    palm = hand((1.0, (Key.STEP, 0), True), (1.01, (Key.OK, 0), True), until=60)
    assert [what for _, what in palm] == [KeysTogether()]


def test_menu_under_a_palm_is_never_held_longer() -> None:
    decoder = KeyDecoder(debounce_ms=10)
    decoder.edge(Key.MENU, None, down=True, at=1.0)
    assert decoder.edge(Key.UNDO, None, down=True, at=1.01) == [KeysTogether()]
    assert decoder.due_inputs(60.0) == []


def test_a_long_press_is_recognised_by_a_late_poll() -> None:
    decoder = KeyDecoder(debounce_ms=10, hold_s=1)
    assert decoder.edge(Key.GO, 0, down=True, at=1.0) == []
    assert decoder.edge(Key.GO, 0, down=False, at=2.001) == [KeyHeld(Key.GO, 0)]


def test_a_contact_that_bounces_is_one_press() -> None:
    bounces = [(1.0, True), (1.001, False), (1.002, True), (1.004, False), (1.0045, True)]
    releases = [(1.5, False), (1.501, True), (1.503, False)]
    assert decode(*bounces, *releases) == [(1040, KeyPressed(Key.OK, 1))]
    assert decode(*bounces, *releases, key=Key.GO) == [(1500, KeyPressed(Key.GO, 1))]


def test_a_tap_shorter_than_the_bounce_time_is_released_when_that_is_over() -> None:
    assert decode((1.0, True), (1.004, False), (2.0, True), (2.004, False)) == [
        (1040, KeyPressed(Key.OK, 1)),
        (2040, KeyPressed(Key.OK, 1)),
    ]
    assert decode((1.0, True), (1.004, False), key=Key.MENU) == [(1040, KeyPressed(Key.MENU, 1))]


def test_a_tap_is_recognised_by_a_late_poll() -> None:
    decoder = KeyDecoder(debounce_ms=10)
    assert decoder.edge(Key.OK, 0, down=True, at=1.0) == []
    assert decoder.edge(Key.OK, 0, down=False, at=1.004) == []
    assert decoder.edge(Key.OK, 0, down=True, at=2.0) == [KeyPressed(Key.OK, 0)]
    assert decoder.due_inputs(3.0) == [KeyPressed(Key.OK, 0)]


def test_two_taps_that_no_finger_can_make_are_one_press() -> None:
    for key in Key:
        taps = (1.0, True), (1.012, False), (1.024, True), (1.036, False)
        assert decode(*taps, key=key) == [(1040, KeyPressed(key, 1))]


def test_a_key_that_is_down_from_the_start_means_nothing_until_it_has_been_up() -> None:
    for key in Key:
        decoder = KeyDecoder(debounce_ms=10, hold_s=1)
        decoder.begin(key, 1, down=True)
        assert decode((5.0, False), key=key, decoder=decoder) == []
        pressed = decode((70.0, True), (70.1, False), key=key, until=90, decoder=decoder)
        assert [given_input for _, given_input in pressed] == [KeyPressed(key, 1)]


Touch = tuple[Key, int | None]
ALL_KEYS: tuple[Touch, ...] = tuple((pin.key, pin.side) for pin in BOARD.keys)
BLUES, REDS = ([touch for touch in ALL_KEYS if touch[1] == side] for side in (0, 1))


def hand(*touches: tuple[float, Touch, bool], until: float = 60) -> list[tuple[int, Input]]:
    """The inputs of several keys with their times in milliseconds, asked for as soon as they are due."""
    decoder = KeyDecoder(debounce_ms=10, hold_s=1, together_ms=40)
    inputs: list[tuple[int, Input]] = []
    for at, touch, down in (*touches, (until, (Key.OK, 7), False)):
        while (due := decoder.next_due) is not None and due <= at:
            inputs += [(round(due * 1000), given_input) for given_input in decoder.due_inputs(due)]
        inputs += [(round(at * 1000), given_input) for given_input in decoder.edge(*touch, down=down, at=at)]
    return inputs


def palm(*touches: Touch, every: float = 0.0, at: float = 1.0) -> list[tuple[float, Touch, bool]]:
    """Keys that go down one after the other, and up again half a second later in the same order."""
    down = [(at + number * every, touch, True) for number, touch in enumerate(touches)]
    return [*down, *((when + 0.5, touch, False) for when, touch, _ in down)]


def test_keys_that_are_pressed_one_by_one_do_not_wait_for_each_other() -> None:
    story = palm((Key.OK, 0), (Key.CHALLENGE, 0), (Key.UNDO, None), (Key.OK, 1), every=0.041)
    assert [given_input for _, given_input in hand(*story)] == [
        KeyPressed(Key.OK, 0), KeyPressed(Key.CHALLENGE, 0), KeyPressed(Key.UNDO, None), KeyPressed(Key.OK, 1)
    ]  # fmt: skip


def test_each_side_may_press_a_key_at_the_same_moment() -> None:
    for blue in BLUES:
        for red in REDS:
            decoded = [given_input for _, given_input in hand(*palm(blue, red))]
            assert sorted(decoded, key=str) == sorted([KeyPressed(*blue), KeyPressed(*red)], key=str)


@pytest.mark.parametrize("every", [0.0, 0.001, 0.039])
def test_two_keys_of_a_side_at_once_are_reported_as_keys_together_only(every: float) -> None:
    for one in REDS:
        for other in REDS:
            if one != other:
                assert hand(*palm(one, other, every=every)) == [(round(1000 + 1000 * every), KeysTogether())]


def test_undo_and_menu_are_pressed_alone() -> None:
    for shared in ((Key.UNDO, None), (Key.MENU, None)):
        for other in ALL_KEYS:
            if other != shared:
                assert hand(*palm(shared, other)) == hand(*palm(other, shared)) == [(1000, KeysTogether())]


@pytest.mark.parametrize("every", [0.0, 0.005, 0.035])
def test_all_keys_at_once_are_reported_once(every: float) -> None:
    together = [given_input for _, given_input in hand(*palm(*ALL_KEYS[::-1], every=every))]
    assert together == [KeysTogether()]


def test_keys_together_are_reported_though_one_was_up_before_the_other_went_down() -> None:
    ok, challenge = (Key.OK, 1), (Key.CHALLENGE, 1)
    assert hand((1.0, ok, True), (1.012, ok, False), (1.02, challenge, True), (1.5, challenge, False)) == [
        (1020, KeysTogether())
    ]


def test_a_mashed_key_gives_no_long_press() -> None:
    assert hand((1.0, (Key.GO, 0), True), (1.01, (Key.OK, 0), True)) == [(1010, KeysTogether())]
    assert hand((1.0, (Key.UNDO, None), True), (1.01, (Key.MENU, None), True)) == [(1010, KeysTogether())]


def test_mashed_keys_are_ignored_until_all_are_up() -> None:
    ok, go, challenge, theirs = (Key.OK, 1), (Key.GO, 1), (Key.CHALLENGE, 1), (Key.OK, 0)
    mash = [(1.0, ok, True), (1.0, go, True), (2.0, ok, False)]
    again = [(3.0, challenge, True), (3.1, go, False), (3.5, ok, True), (3.6, challenge, False), (3.7, ok, False)]
    assert hand(*mash, *again, (4.0, ok, True)) == [(1000, KeysTogether()), (4040, KeyPressed(*ok))]
    assert hand(*mash, (2.5, theirs, True)) == [(1000, KeysTogether()), (2540, KeyPressed(*theirs))]
    assert hand(*mash, (2.5, (Key.MENU, None), True)) == [(1000, KeysTogether())]


@given(st.lists(st.tuples(st.integers(0, 60), st.sampled_from(ALL_KEYS), st.booleans()), max_size=60))
def test_keys_reported_together_are_one_key_of_each_side(story: list[tuple[int, Touch, bool]]) -> None:
    at, touches = 1.0, []
    for pause_ms, touch, down in story:
        at += pause_ms / 1000
        touches.append((at, touch, down))
    pressed_at: dict[Touch, float] = {}
    downs = {touch: [at for at, other, down in touches if down and other == touch] for touch in ALL_KEYS}
    decoded = [
        (at, given_input)
        for at, given_input in hand(*touches)
        if isinstance(given_input, KeyPressed) and given_input.key not in LONG_PRESS_KEYS
    ]
    for at, given_input in decoded:
        assert any(abs(at - 1000 * down - 40) <= 11 for down in downs[given_input.key, given_input.side])
        for (key, side), before in pressed_at.items():
            if (key, side) != (given_input.key, given_input.side) and (
                None in (side, given_input.side) or side == given_input.side
            ):
                assert at - before >= 40
        pressed_at[given_input.key, given_input.side] = at


def test_the_decoder_has_no_deadline_while_all_keys_rest() -> None:
    decoder = KeyDecoder(debounce_ms=10)
    due = [decoder.next_due]
    decoder.edge(Key.GO, 0, down=True, at=1.0)
    due.append(decoder.next_due)
    decoder.edge(Key.GO, 0, down=False, at=1.5)
    due.append(decoder.next_due)
    assert due == [None, 1.04, None]
    assert decoder.due_inputs(100) == []


def test_a_held_key_needs_a_poll_after_one_second() -> None:
    decoder = KeyDecoder(debounce_ms=10)
    decoder.edge(Key.GO, 0, down=True, at=1.0)
    assert decoder.due_inputs(1.04) == []
    assert decoder.next_due == 2.0


edges = st.lists(st.tuples(st.integers(1, 1500), st.booleans()), max_size=40)


@given(edges, st.sampled_from(list(Key)))
def test_a_late_poll_gives_the_same_inputs_for_any_bounces(steps: list[tuple[int, bool]], key: Key) -> None:
    story, at = [], 0.0
    for pause_ms, down in steps:
        at += pause_ms / 1000
        story.append((at, down))
    late = KeyDecoder(debounce_ms=10, hold_s=1)
    inputs = [
        given_input for at, down in story for given_input in late.edge(key, 1, down=down, at=at)
    ] + late.due_inputs(1000)
    assert inputs == [given_input for _, given_input in decode(*story, key=key, until=1000)]


@given(edges, st.sampled_from(list(Key)))
def test_presses_are_never_nearer_than_the_bounce_time(steps: list[tuple[int, bool]], key: Key) -> None:
    story, at = [], 0.0
    for pause_ms, down in steps:
        at += pause_ms / 10_000
        story.append((at, down))
    times = [at for at, _ in decode(*story, key=key)]
    assert all(later - sooner >= 20 for sooner, later in pairwise(times))


@pytest.mark.parametrize("key", Key)
def test_only_ok_menu_and_undo_must_go_down_after_the_screen_shows_a_question(key: Key) -> None:
    def presses(asked_at: float) -> list[Input]:
        decoder = KeyDecoder(debounce_ms=10, asked_at=lambda: asked_at)
        return [given_input for _, given_input in decode((1.0, True), (1.5, False), key=key, decoder=decoder)]

    count = presses(1.0)
    assert count[0] in (KeyPressed(key, 1), KeyHeld(key, 1))
    is_answer = key in (Key.OK, Key.MENU, Key.UNDO)
    assert presses(1.001) == ([KeysTooEarly()] if is_answer else count)


def test_a_long_press_that_begins_before_the_question_is_too_early_as_well() -> None:
    for until, too_early in ((2.5, [2000]), (5.0, [2000, 4000])):
        decoder = KeyDecoder(debounce_ms=10, hold_s=1, asked_at=lambda: 1.5)
        inputs = decode((1.0, True), (until, False), key=Key.MENU, decoder=decoder)
        assert inputs == [(at, KeysTooEarly()) for at in too_early]
