"""The simulated LED strip, against the data sheets' examples and against a model that goes half clock by half clock."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.places import DATA_SHEETS
from tests.support.sweeps import examples

from cribd.twin.chips.led_strip import Chip, LedStrip

SHEETS: dict[str, Any] = DATA_SHEETS
BOTH = pytest.mark.parametrize("chip", list(Chip), ids=lambda chip: chip.value)


class SlowLed:
    """One LED, a bit at a time."""

    def __init__(self, latching: bool) -> None:
        self.latching = latching
        self.output = 0
        self.zeros = 0
        self.armed = False
        self.left = 0
        self.word = 0
        self.waiting: int | None = None
        self.shown = 0xE0000000

    def rise(self, bit: int) -> bool:
        """A rising edge of its clock with `bit` on its data input; True if its light changed."""
        before = self.shown
        if self.armed and self.waiting is not None:
            self.shown, self.waiting = self.waiting, None
        if self.left:
            self.word = self.word << 1 | bit
            self.left -= 1
            self.output = 0
            if not self.left:
                self.zeros = 0
                if self.latching:
                    self.waiting = self.word | 0xE0000000
                else:
                    self.shown = self.word | 0xE0000000
        elif self.armed and bit:
            self.armed = False
            self.word, self.left = 1, 31
            self.output = 0
        else:
            self.output = bit
            self.zeros = 0 if bit else self.zeros + 1
            self.armed = self.armed or self.zeros >= 32
        return self.shown != before


class SlowStrip:
    """LEDs in a row, each with the clock of the one before turned upside down."""

    def __init__(self, chip: Chip, count: int) -> None:
        self.leds = [SlowLed(chip is Chip.SK9822) for _ in range(count)]

    def edge(self, level: int, mosi: int) -> bool:
        changed = False
        inputs = [mosi, *(led.output for led in self.leds)]
        for place, led in enumerate(self.leds):
            if level == (place + 1) % 2:
                changed = led.rise(inputs[place]) or changed
        return changed

    def receive(self, data: bytes, mode: int) -> float | None:
        """When the last light changed, in clocks since the first bit began (mode 0; others only None or not)."""
        if not data:  # no byte, no chip select
            return None
        bits = [byte >> bit & 1 for byte in data for bit in range(7, -1, -1)]
        sampled = {0: bits, 1: [0, *bits[:-1]], 2: [*bits[1:], *bits[-1:]], 3: bits}[mode]
        edges = [(time + half / 2, 1 - half, bit) for time, bit in enumerate(sampled) for half in (0, 1)]
        if mode >= 2:  # the buffer opens on a high clock and closes on one
            edges = [(-1.0, 1, 0), (-0.5, 0, 0), *edges]
        last = None
        for time, level, mosi in edges:
            if self.edge(level, mosi):
                last = time + 0.5
        return last

    @property
    def shown(self) -> bytes:
        return b"".join(led.shown.to_bytes(4, "big") for led in self.leds)


def seen(strip: LedStrip) -> list[list[int]]:
    """Red, green, blue, level of each LED."""
    return [
        [strip.shown[i + 3], strip.shown[i + 2], strip.shown[i + 1], strip.shown[i] & 31]
        for i in range(0, len(strip.shown), 4)
    ]


def frame(count: int, led: str = "FF 10 20 30", *, end: int) -> bytes:
    return bytes(4) + bytes.fromhex(led) * count + bytes(end)


@BOTH
@pytest.mark.parametrize("example", SHEETS["apa102"]["frame"], ids=lambda e: e["bytes"])
def test_a_frame_glows_in_the_colour_the_data_sheet_says(chip: Chip, example: dict[str, Any]) -> None:
    strip = LedStrip(chip, count=1)
    strip.receive(frame(1, example["bytes"], end=5), mode=0)
    assert seen(strip) == [[example["red"], example["green"], example["blue"], example["level"]]]


@BOTH
def test_a_strip_of_three_shows_what_the_data_sheet_says(chip: Chip) -> None:
    example = SHEETS["apa102"]["strip"]
    strip = LedStrip(chip, count=example["count"])
    strip.receive(bytes.fromhex(example["sent"]), mode=0)
    assert seen(strip) == example["shown"]


@BOTH
@pytest.mark.parametrize(
    ("count", "end"), [(int(n), e) for n, e in SHEETS["led_strip"]["after_the_frames_of_n"].items()]
)
def test_the_recommended_end_shows_every_led_at_once(chip: Chip, count: int, end: int) -> None:
    strip = LedStrip(chip, count=count)
    strip.receive(frame(count, end=end), mode=0)
    assert seen(strip) == [[0x30, 0x20, 0x10, 31]] * count


def test_with_too_few_end_clocks_the_far_leds_of_an_apa102_strip_do_not_show() -> None:
    for count, dark in ((64, 0), (67, 1), (262, 4)):  # the sheet's own end frame is 32 clocks: enough for 64 LEDs
        strip = LedStrip(Chip.APA102, count=count)
        strip.receive(frame(count, end=4), mode=0)
        assert [light == [0, 0, 0, 0] for light in seen(strip)] == [False] * (count - dark) + [True] * dark


def test_the_end_clocks_that_the_sheet_asks_for_are_all_needed() -> None:
    for count in (16, 17, 64, 144):
        clocks = (count - 1) // 2
        short, enough = LedStrip(Chip.APA102, count=count), LedStrip(Chip.APA102, count=count)
        short.receive(frame(count, end=(clocks - 1) // 8), mode=0)
        enough.receive(frame(count, end=-(-clocks // 8)), mode=0)
        assert seen(short)[-1] == [0, 0, 0, 0]
        assert seen(enough)[-1] == [0x30, 0x20, 0x10, 31]


def test_the_next_start_frame_clocks_the_rest_of_a_frame_through() -> None:
    strip = LedStrip(Chip.APA102, count=64)
    strip.receive(frame(64, end=0), mode=0)
    assert seen(strip)[-1] == [0, 0, 0, 0]
    strip.receive(bytes(4), mode=0)
    assert seen(strip)[-1] == [0x30, 0x20, 0x10, 31]


def test_an_sk9822_shows_nothing_before_its_latch() -> None:
    strip = LedStrip(Chip.SK9822, count=2)
    strip.receive(frame(2, "FF 10 20 31", end=4), mode=0)
    assert seen(strip) == [[0, 0, 0, 0]] * 2
    strip.receive(bytes(1), mode=0)
    assert seen(strip) == [[0x31, 0x20, 0x10, 31]] * 2


def test_an_sk9822_shows_its_old_data_when_the_next_frame_starts() -> None:
    strip = LedStrip(Chip.SK9822, count=2)
    strip.receive(frame(2, "FF 10 20 31", end=5), mode=0)
    assert strip.receive(frame(2, "FF 99 99 99", end=0), mode=0) is None
    assert strip.receive(frame(2, "FF 10 20 31", end=5), mode=0) is not None
    assert seen(strip) == [[0x31, 0x20, 0x10, 31]] * 2


def test_an_end_frame_of_ones_lights_an_extra_led() -> None:
    strip = LedStrip(Chip.SK9822, count=2)
    sent = frame(2, end=4) + b"\xff" * 8
    strip.receive(sent, mode=0)
    strip.receive(bytes(5), mode=0)
    assert [255, 255, 255, 31] in seen(strip)


def test_without_a_start_frame_nothing_is_taken() -> None:
    strip = LedStrip(Chip.APA102, count=2)
    assert strip.receive(bytes.fromhex("FF 10 20 30") * 4, mode=0) is None
    assert seen(strip) == [[0, 0, 0, 0]] * 2


def test_a_frame_for_fewer_leds_leaves_the_others_as_they_are() -> None:
    strip = LedStrip(Chip.APA102, count=3)
    strip.receive(frame(3, "FF 00 00 FF", end=5), mode=0)
    strip.receive(frame(1, "E1 01 02 03", end=5), mode=0)
    assert seen(strip) == [[3, 2, 1, 1], [255, 0, 0, 31], [255, 0, 0, 31]]


@BOTH
@pytest.mark.parametrize("rest", [0, 1])
def test_a_clock_too_many_ahead_of_a_frame_does_no_harm_while_the_data_rests_low(chip: Chip, rest: int) -> None:
    """A Pi 5 may give one, when its clock comes down only after the buffer was opened."""
    strip, slow = LedStrip(chip, count=3), SlowStrip(chip, 3)
    for led in ("FF 10 20 30", "E1 00 00 FF"):
        wanted = frame(3, led, end=6)
        strip.receive(wanted, mode=0, late=rest)
        slow.edge(1, rest)
        slow.edge(0, rest)
        slow.receive(wanted, 0)
        assert strip.shown == slow.shown
        assert (strip.shown == bytes.fromhex(led) * 3) is (rest == 0 or led == "FF 10 20 30")


def test_power_on_darkens_the_strip_and_drops_a_half_frame() -> None:
    strip = LedStrip(Chip.APA102, count=2)
    strip.receive(frame(2, end=5), mode=0)
    strip.receive(bytes(4), mode=0)
    strip.power_on()
    strip.receive(bytes.fromhex("FF 10 20 30 FF 10 20 30"), mode=0)
    assert seen(strip) == [[0, 0, 0, 0]] * 2


@BOTH
def test_the_time_of_a_change_is_that_of_the_last_led_that_changed(chip: Chip) -> None:
    strip = LedStrip(chip, count=8)
    assert strip.receive(frame(8, end=6), mode=0) is not None
    assert strip.receive(frame(8, end=6), mode=0) is None
    near = bytes(4) + bytes.fromhex("FF 99 99 99") + bytes.fromhex("FF 10 20 30") * 7 + bytes(6)
    at = strip.receive(near, mode=0)
    frames_end = 32 * 9
    tail = 4  # the last frame ends in 0x30: four zeros of it count for the latch of the LEDs before it
    assert at == (32 + 32 - 0.5 if chip is Chip.APA102 else frames_end - tail + 32 + 0.5)


LED_FRAMES = st.sampled_from(["FF 10 20 30", "E0 00 00 00", "80 00 00 00", "FF FF FF FF", "F0 00 00 01"]).map(
    bytes.fromhex
)


@st.composite
def transfers(draw: st.DrawFn, count: int) -> bytes:
    match draw(st.sampled_from(["whole", "whole", "short", "noise", "zeros"])):
        case "whole":
            body = b"".join(draw(LED_FRAMES) for _ in range(count))
            return bytes(4) + body + bytes(4 + draw(st.integers(0, 2)))
        case "short":
            body = b"".join(draw(LED_FRAMES) for _ in range(draw(st.integers(0, count + 2))))
            return bytes(draw(st.integers(2, 6))) + body + draw(st.sampled_from([b"", bytes(1), b"\xff\xff", bytes(4)]))
        case "noise":
            return draw(st.binary(max_size=24))
    return bytes(draw(st.integers(0, 6)))


@pytest.mark.sweep
@pytest.mark.slow
@BOTH
@settings(max_examples=examples(300), deadline=None)
@given(data=st.data(), count=st.integers(1, 9))
def test_the_quick_strip_shows_what_leds_show_half_clock_by_half_clock(
    chip: Chip, data: st.DataObject, count: int
) -> None:
    quick, slow = LedStrip(chip, count=count), SlowStrip(chip, count)
    for _ in range(data.draw(st.integers(1, 6))):
        sent = data.draw(transfers(count))
        mode = data.draw(st.sampled_from([0, 0, 0, 0, 1, 2, 3]))
        at, truly = quick.receive(sent, mode=mode), slow.receive(sent, mode)
        assert quick.shown == slow.shown
        assert (at == truly) if mode == 0 else ((at is None) == (truly is None))
