"""The simulated machine: actions of a person reach the wires, and the chips say what a person sees."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from gpiozero import DigitalInputDevice, DigitalOutputDevice
from tests.support.spots import HOLED

from cribd.boards import Board, load
from cribd.clock import ManualClock
from cribd.inputs import Key
from cribd.twin.machine import Twin
from cribd.twin.parts import LedState
from cribd.wires import Spi


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(params=HOLED)
def twin(request: pytest.FixtureRequest, clock: ManualClock, tmp_path: Path) -> Iterator[Twin]:
    twin = Twin(load(request.param), clock, folder=tmp_path)
    yield twin
    twin.close()


def chain(twin: Twin) -> Spi:
    wired = twin.board.chain
    return twin.wires.spi(wired.spi_select, hz=wired.hz, mode=wired.spi_mode)


def strip(twin: Twin) -> Spi:
    wired = twin.board.strip
    return twin.wires.spi(wired.spi_select, hz=wired.hz, mode=wired.spi_mode)


def bits(twin: Twin, device: Spi) -> str:
    return "".join(f"{byte:08b}" for byte in device.transfer([0] * (twin.board.chain.chips + 1)))


def frame(board: Board, lights: dict[int, str]) -> list[int]:
    leds = b"".join(bytes.fromhex(lights.get(i, "E0 00 00 00")) for i in range(board.strip.count))
    return [*bytes(4), *leds, *bytes(4 + -(-board.strip.count // 16))]


def test_every_button_of_the_board_changes_its_own_input_and_no_other(twin: Twin) -> None:
    device = chain(twin)
    open_bits = bits(twin, device)
    assert open_bits.startswith(twin.board.chain.near_pattern)
    assert open_bits.endswith(str(twin.board.chain.far_level) * 8)
    for track in twin.board.tracks:
        for hole, spot in enumerate(track.holes, 1):
            twin.press(track.side, hole)
            pressed = bits(twin, device)
            assert [i for i, (a, b) in enumerate(zip(open_bits, pressed, strict=True)) if a != b] == [spot.input]
            twin.release(track.side, hole)
    assert bits(twin, device) == open_bits


def test_a_hole_that_is_not_there_is_refused(twin: Twin) -> None:
    for hole in (0, len(twin.board.tracks[0].holes) + 1):
        with pytest.raises(ValueError, match=f"hole {hole}"):
            twin.press(0, hole)


def test_unplugged_buttons_read_as_silence_and_come_back_with_what_is_pressed_now(twin: Twin) -> None:
    device = chain(twin)
    twin.unplug("buttons")
    twin.press(0, 3)
    assert set(bits(twin, device)) == {"0"}
    twin.plug("buttons")
    place = twin.board.tracks[0].holes[2].input
    assert place is not None
    assert bits(twin, device)[place] == str(twin.board.chain.pressed_level)


def test_the_time_of_a_press_is_that_of_its_edge(twin: Twin, clock: ManualClock) -> None:
    assert (twin.pressed_at,) == (None,)
    clock.wait(1.0)
    twin.press(0, 1)
    assert twin.pressed_at == clock.now()
    at = clock.now()
    clock.wait(1.0)
    twin.release(0, 1)
    assert twin.pressed_at == at
    twin.key_down(Key.MENU)
    assert twin.pressed_at == clock.now()


def test_each_key_moves_its_own_pin_and_no_other(twin: Twin) -> None:
    pins = {
        (key.key, key.side): DigitalInputDevice(key.gpio, pull_up=True, pin_factory=twin.wires.pin_factory)
        for key in twin.board.keys
    }
    for key in pins:
        twin.key_down(*key)
        assert [other for other, pin in pins.items() if pin.is_active] == [key]
        twin.key_up(*key)
    assert not any(pin.is_active for pin in pins.values())


def test_leds_show_the_frame_that_was_sent(twin: Twin) -> None:
    device = strip(twin)
    last = twin.board.strip.count - 1
    device.transfer(frame(twin.board, {0: "FF 00 00 FF", 7: "E1 01 02 03", last: "FF FF 00 00"}))
    leds = twin.leds()
    assert len(leds) == twin.board.strip.count
    assert (leds[0], leds[7], leds[last]) == (LedState(255, 0, 0, 31), LedState(3, 2, 1, 1), LedState(0, 0, 255, 31))
    assert sum(light != LedState(0, 0, 0, 0) for light in leds) == 3


def test_bytes_reach_only_the_selected_device(
    twin: Twin,
) -> None:
    buttons, lights = chain(twin), strip(twin)
    twin.press(0, 1)
    before = bits(twin, buttons)
    lights.transfer(frame(twin.board, {0: "FF 00 00 FF"}))
    assert bits(twin, buttons) == before
    shown = twin.leds()
    buttons.transfer(frame(twin.board, {}))
    assert twin.leds() == shown


def test_the_time_of_an_led_change_lies_inside_its_transfer(twin: Twin, clock: ManualClock) -> None:
    device = strip(twin)
    sent = frame(twin.board, {2: "FF 00 00 FF"})
    begin = clock.now()
    device.transfer(sent)
    at = twin.lights.changed_at
    assert at is not None
    on_the_wire = 32 * 4 - 0.5 + 2 / 2  # the middle of the last bit of the third frame, half a clock later at each LED
    assert at - begin == pytest.approx(on_the_wire / twin.board.strip.hz, rel=1e-3)
    device.transfer(sent)
    assert twin.lights.changed_at == at


def test_an_unplugged_strip_stays_dark_until_its_next_frame(twin: Twin) -> None:
    device, sent = strip(twin), frame(twin.board, {0: "FF 00 00 FF"})
    device.transfer(sent)
    twin.unplug("strip")
    dark = (LedState(0, 0, 0, 0),) * twin.board.strip.count
    assert twin.leds() == dark
    device.transfer(sent)
    assert twin.leds() == dark
    twin.plug("strip")
    assert twin.leds() == dark
    device.transfer(sent)
    assert twin.leds()[0] == LedState(255, 0, 0, 31)


def test_listeners_receive_changes_and_nothing_else(twin: Twin) -> None:
    heard: list[int] = []
    end = twin.listen(heard.append)
    device = strip(twin)
    device.transfer(frame(twin.board, {0: "FF 00 00 FF"}))
    device.transfer(frame(twin.board, {0: "FF 00 00 FF"}))
    chain(twin).transfer([0] * 8)
    assert heard == [twin.version]
    device.transfer(frame(twin.board, {}))
    twin.unplug("screen")
    assert heard == sorted(set(heard))
    assert len(heard) == 3
    end()
    twin.plug("screen")
    assert len(heard) == 3
    assert twin.version > heard[-1]


def test_a_change_is_seen_only_when_its_transfer_is_over(twin: Twin, clock: ManualClock) -> None:
    times: list[float] = []
    twin.listen(lambda _: times.append(clock.now()))
    device, sent = strip(twin), frame(twin.board, {0: "FF 00 00 FF"})
    begin = clock.now()
    device.transfer(sent)
    assert [time - begin for time in times] == [pytest.approx(len(sent) * 8 / twin.board.strip.hz, rel=1e-3)]


def test_an_unknown_plug_is_refused(twin: Twin) -> None:
    with pytest.raises(ValueError, match="kettle"):
        twin.unplug("kettle")


def test_the_reset_pin_resets_the_screen_and_holds_it(clock: ManualClock, tmp_path: Path) -> None:
    board = load("continuous")
    twin = Twin(replace(board, oled=replace(board.oled, reset_gpio=24)), clock, folder=tmp_path)
    bus = twin.wires.i2c(1)
    bus.write_i2c_block_data(0x3C, 0x00, [0x8D, 0x14, 0xAF])
    assert twin.oled().on
    reset = DigitalOutputDevice(24, initial_value=True, pin_factory=twin.wires.pin_factory)
    assert twin.oled().on
    reset.off()
    assert not twin.oled().on
    with pytest.raises(OSError, match="0x3C"):
        bus.write_byte(0x3C, 0)
    reset.on()
    bus.write_byte_data(0x3C, 0x00, 0xA7)
    assert twin.oled().inverse
    twin.close()


def test_a_screen_that_the_twin_does_not_know_is_refused(clock: ManualClock, tmp_path: Path) -> None:
    board = load("continuous")
    with pytest.raises(ValueError, match="sh1106"):
        Twin(replace(board, oled=replace(board.oled, chip="sh1106")), clock, folder=tmp_path)


def test_fingers_and_both_buses_may_work_at_once(clock: ManualClock, tmp_path: Path) -> None:
    board = load("continuous")
    twin = Twin(board, clock, folder=tmp_path)
    device, lights, bus = chain(twin), strip(twin), twin.wires.i2c(1)
    heard: list[int] = []
    twin.listen(heard.append)

    def fingers() -> None:
        for turn in range(200):
            twin.press(turn % 2, turn % 100 + 1)
            twin.release(turn % 2, turn % 100 + 1)

    def spi() -> None:
        for turn in range(100):
            assert bits(twin, device).startswith(board.chain.near_pattern)
            lights.transfer(frame(board, {turn: "FF 00 00 FF"}))

    def i2c() -> None:
        for turn in range(200):
            bus.write_i2c_block_data(0x3C, 0x40, [turn + 1] * 32)
            twin.oled()

    def plugs() -> None:
        for _ in range(50):
            twin.unplug("strip")
            twin.plug("strip")

    failed: list[BaseException] = []

    def guarded(work: object) -> None:
        try:
            assert callable(work)
            work()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in (fingers, spi, i2c, plugs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert not failed
    assert twin.version == len(heard)
    assert sorted(heard) == list(range(1, len(heard) + 1))
    assert set(bits(twin, device)[6:-8]) == {"1"}
    twin.close()
