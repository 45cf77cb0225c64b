"""LEDs on pins of their own, by gpiozero's `LED` on the twin's pins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import DigitalOutputDevice

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.drivers.pin_leds import PinLeds
from cribd.inputs import Fault, FaultCleared, FaultKind, Input
from cribd.twin.machine import Twin

BOARD = load("starter")
PINS = [led.gpio for led in BOARD.leds]


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[Twin]:
    twin = Twin(BOARD, ManualClock(), folder=tmp_path)
    yield twin
    twin.close()


def shown(twin: Twin) -> list[int]:
    return [gpio for gpio, is_lit in zip(PINS, twin.pin_leds(), strict=True) if is_lit]


def test_the_leds_that_are_asked_for_are_lit_and_no_others_and_all_are_dark_at_the_end(twin: Twin) -> None:
    inputs: list[Input] = []
    leds = PinLeds(BOARD.leds, twin.wires, report=inputs.extend)
    assert shown(twin) == [], "before the board runs"
    for lit in (PINS[:3], PINS[2:5], [], PINS):
        leds.show(lit)
        assert shown(twin) == lit
    leds.close()
    assert (shown(twin), inputs) == ([], [])


def test_a_change_is_seen_at_the_pin_once(twin: Twin) -> None:
    leds = PinLeds(BOARD.leds, twin.wires, report=lambda _: None)
    leds.show([])
    before = twin.version
    leds.show(PINS[:1])
    leds.show(PINS[:1])
    assert twin.version == before + 1
    leds.close()


def test_a_pin_that_somebody_else_has_is_a_fault_once_and_is_tried_again(twin: Twin) -> None:
    inputs: list[Input] = []
    leds = PinLeds(BOARD.leds, twin.wires, report=inputs.extend)
    other = DigitalOutputDevice(PINS[4], pin_factory=twin.wires.pin_factory)
    leds.show(PINS)
    leds.show(PINS)
    assert inputs == [Fault(FaultKind.LIGHTS_AWAY, "leds")]
    other.close()
    leds.show(PINS)
    assert inputs[1:] == [FaultCleared(FaultKind.LIGHTS_AWAY, "leds")]
    assert shown(twin) == PINS
    leds.close()
