"""Edges on GPIO pins, of the loop or of another thread, become inputs of the keys of a board."""

import asyncio
import threading
from types import SimpleNamespace
from typing import Any

import pytest
from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockFactory
from tests.support.no_wires import NoWires

from cribd.boards import load
from cribd.clock import ManualClock
from cribd.drivers.keys import KeyDecoder, Keys
from cribd.first_light import EarlyKey
from cribd.inputs import Input, Key, KeyHeld, KeyPressed, KeysTogether

BOARD = load("continuous")


class Bench(NoWires):
    """A board's keys on gpiozero's own mock pins, and a finger on them."""

    def __init__(self, clock: ManualClock) -> None:
        self.pin_factory = MockFactory()
        self.inputs: list[Input] = []
        self.keys = Keys(BOARD, self, clock=clock, report=self.inputs.extend, decoder=KeyDecoder(debounce_ms=10))

    def pin(self, key: Key, side: int | None = None) -> Any:
        [gpio] = [pin.gpio for pin in BOARD.keys if (pin.key, pin.side) == (key, side)]
        return self.pin_factory.pin(gpio)

    def close(self) -> None:
        self.keys.close()
        self.pin_factory.reset()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def bench(clock: ManualClock) -> Any:
    bench = Bench(clock)
    bench.keys.open()
    yield bench
    bench.close()


async def test_every_key_of_the_board_is_known_by_its_pin(bench: Bench, clock: ManualClock) -> None:
    for pin in BOARD.keys:
        bench.pin(pin.key, pin.side).drive_low()
        await clock.advance(0.1)
        bench.pin(pin.key, pin.side).drive_high()
        await clock.advance(0.1)
    assert bench.inputs == [KeyPressed(pin.key, pin.side) for pin in BOARD.keys]


async def test_a_key_held_for_a_second_is_reported_while_it_is_down(bench: Bench, clock: ManualClock) -> None:
    bench.pin(Key.MENU).drive_low()
    await clock.advance(0.999)
    assert bench.inputs == []
    await clock.advance(0.002)
    assert bench.inputs == [KeyHeld(Key.MENU)]
    bench.pin(Key.MENU).drive_high()
    await clock.advance(2)
    assert bench.inputs == [KeyHeld(Key.MENU)]


async def test_two_long_presses_at_once_each_have_their_second(bench: Bench, clock: ManualClock) -> None:
    bench.pin(Key.GO, 0).drive_low()
    await clock.advance(0.5)
    bench.pin(Key.GO, 1).drive_low()
    await clock.advance(0.6)
    assert bench.inputs == [KeyHeld(Key.GO, 0)]
    await clock.advance(0.5)
    assert bench.inputs == [KeyHeld(Key.GO, 0), KeyHeld(Key.GO, 1)]


async def test_a_quick_tap_is_released_without_another_edge(bench: Bench, clock: ManualClock) -> None:
    bench.pin(Key.GO, 0).drive_low()
    await clock.advance(0.004)
    bench.pin(Key.GO, 0).drive_high()
    await clock.advance(0.035)
    assert bench.inputs == []
    await clock.advance(0.002)
    assert bench.inputs == [KeyPressed(Key.GO, 0)]


async def test_a_palm_on_the_keys_is_one_input_and_the_next_finger_is_heard(bench: Bench, clock: ManualClock) -> None:
    for key in (Key.OK, Key.GO, Key.CHALLENGE):
        bench.pin(key, 1).drive_low()
        await clock.advance(0.015)
    await clock.advance(2)
    for key in (Key.CHALLENGE, Key.OK, Key.GO):
        bench.pin(key, 1).drive_high()
        await clock.advance(0.015)
    assert bench.inputs == [KeysTogether()]
    bench.pin(Key.OK, 1).drive_low()
    await clock.advance(0.05)
    assert bench.inputs == [KeysTogether(), KeyPressed(Key.OK, 1)]


async def test_two_ok_keys_at_once_are_two_presses(bench: Bench, clock: ManualClock) -> None:
    bench.pin(Key.OK, 0).drive_low()
    bench.pin(Key.OK, 1).drive_low()
    await clock.advance(0.05)
    assert bench.inputs == [KeyPressed(Key.OK, 0), KeyPressed(Key.OK, 1)]


async def test_all_keys_at_once_are_one_input(bench: Bench, clock: ManualClock) -> None:
    for drive in ("drive_low", "drive_high"):
        for pin in BOARD.keys:
            getattr(bench.pin(pin.key, pin.side), drive)()
        await clock.advance(2)
    assert bench.inputs == [KeysTogether()]


async def test_an_edge_may_come_from_another_thread(bench: Bench, clock: ManualClock) -> None:
    told_by: list[int] = []
    bench.keys._report = lambda inputs: told_by.append(threading.get_ident())
    await asyncio.to_thread(bench.pin(Key.UNDO).drive_low)
    await clock.advance(0.1)
    assert told_by == [threading.get_ident()]


async def test_a_key_that_is_down_when_the_board_starts_is_not_pressed(clock: ManualClock) -> None:
    bench = Bench(clock)
    pin = bench.pin(Key.GO, 1)
    pin.pull = "up"
    pin.drive_low()
    pin._set_pull = lambda value: setattr(pin, "_pull", value)  # a finger is stronger than a pull-up
    bench.keys.open()
    assert not pin.state
    await clock.advance(3)
    pin.drive_high()
    await clock.advance(1)
    assert bench.inputs == []
    bench.close()


async def test_an_early_press_counts_though_the_pins_cannot_be_opened_at_first(clock: ManualClock) -> None:
    bench, pin, busy = Bench(clock), BOARD.keys[0], BOARD.keys[3]
    other = DigitalInputDevice(busy.gpio, pull_up=True, pin_factory=bench.pin_factory)
    edges = [(clock.now() - 0.5, 0), (clock.now() - 0.4, 1)]
    closed: list[int] = []
    early: Any = {
        gpio: EarlyKey(SimpleNamespace(read=lambda own=own: own, close=lambda gpio=gpio: closed.append(gpio)), False)  # type: ignore[arg-type]
        for gpio, own in ((pin.gpio, edges), (BOARD.keys[-1].gpio, []))
    }
    with pytest.raises(OSError, match=f"GPIO {busy.gpio}: "):
        bench.keys.open(early)
    assert closed == [pin.gpio, BOARD.keys[-1].gpio]
    assert bench.inputs == []
    other.close()
    await clock.advance(1)
    bench.keys.open()
    await clock.advance(1)
    assert bench.inputs == [KeyPressed(pin.key, pin.side)]
    bench.close()


async def test_after_closing_no_edge_and_no_timer_is_left(bench: Bench, clock: ManualClock) -> None:
    bench.pin(Key.GO, 0).drive_low()
    await clock.run_ready_tasks()
    bench.keys.close()
    await clock.advance(3)
    assert bench.inputs == []
    assert [task for task in asyncio.all_tasks() if task.get_name() == "keys timer"] == []


async def test_a_pin_that_cannot_be_opened_is_named(clock: ManualClock) -> None:
    bench, pin = Bench(clock), BOARD.keys[3]
    other = DigitalInputDevice(pin.gpio, pull_up=True, pin_factory=bench.pin_factory)
    with pytest.raises(OSError, match=f"key {pin.key} on GPIO {pin.gpio}: "):
        bench.keys.open()
    other.close()
    bench.keys.open()  # nothing was left reserved
    bench.close()
