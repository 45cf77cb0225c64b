"""The simulated PWM against what lgpio's source says of its thread."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribd.twin.pulses import Pulses

SLEEP_S = 0.020


@given(st.floats(0, 1), st.sampled_from([100, 220, 2400]))
def test_pulses_begin_at_most_one_sleep_and_one_cycle_late(at: float, hz: int) -> None:
    pulses = Pulses()
    pulses.start(hz, 50, at)
    assert pulses.risen(at) == 0
    assert pulses.risen(at + SLEEP_S + 1 / hz + 1e-6) >= 1


def test_a_frequency_in_hertz_is_that_many_pulses_a_second() -> None:
    pulses = Pulses()
    pulses.start(1000, 50, 0.0)
    assert pulses.risen(1.0005) == pytest.approx(1000, abs=1)


def test_a_pulse_is_high_for_its_share_of_the_cycle() -> None:
    pulses = Pulses()
    pulses.start(100, 25, 0.0)
    high = sum(pulses.level(0.1 + step / 100_000) for step in range(10_000))
    assert high == pytest.approx(2500, abs=11)


@pytest.mark.parametrize(("percent", "level"), [(0, 0), (100, 1)])
def test_duty_0_stays_low_and_duty_100_stays_high(percent: int, level: int) -> None:
    pulses = Pulses()
    pulses.start(100, percent, 0.0)
    assert {pulses.level(0.05 + step / 1000) for step in range(20)} == {level}


@given(st.floats(0.05, 0.1))
def test_the_end_leaves_the_pin_at_the_level_that_it_had(at: float) -> None:
    pulses = Pulses()
    pulses.start(100, 50, 0.0)
    had = pulses.level(at)
    pulses.end(at)
    assert pulses.level(at) == pulses.level(at + 1) == had
    pulses.write(0)
    assert pulses.level(at + 1) == 0


def test_a_tone_that_ends_before_the_thread_wakes_makes_no_pulse() -> None:
    pulses = Pulses()
    pulses.start(2400, 50, 0.001)
    pulses.end(0.016)
    assert (pulses.risen(1.0), pulses.level(1.0)) == (0, 0)


def test_the_last_change_takes_effect_at_the_end_of_the_cycle() -> None:
    pulses = Pulses()
    pulses.start(100, 100, 0.0)
    pulses.start(100, 30, 0.055)
    pulses.start(100, 0, 0.056)
    assert pulses.level(0.0599) == 1
    assert pulses.level(0.0601) == 0
    assert pulses.risen(0.5) == pulses.risen(0.0601)


@given(st.lists(st.tuples(st.sampled_from(["start", "end", "write"]), st.floats(0, 0.05), st.integers(0, 100))))
def test_the_number_of_pulses_never_falls(acts: list[tuple[str, float, int]]) -> None:
    pulses, now, before = Pulses(), 0.0, 0
    for act, wait, percent in acts:
        now += wait
        match act:
            case "start":
                pulses.start(50 + percent, percent, now)
            case "end":
                pulses.end(now)
            case "write":
                pulses.end(now)
                pulses.write(percent % 2)
        assert pulses.risen(now) >= before
        assert pulses.level(now) in (0, 1)
        before = pulses.risen(now)
