"""Colours become the bytes of an LED frame."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.places import DATA_SHEETS

from cribd.boards import Strip, load
from cribd.drivers.strip_encoder import LedColour, StripEncoder

SHEETS = DATA_SHEETS
PLENTY_MA = 1_000_000


def strip(count: int, *, budget_ma: int = PLENTY_MA) -> Strip:
    return Strip(chip="apa102", count=count, hz=8_000_000, spi_select=0, spi_mode=0, budget_ma=budget_ma)


def shown(frame: bytes, count: int) -> list[tuple[int, int, int, int]]:
    """Brightness, blue, green, red of each LED, read as the sheet writes them."""
    words = [frame[at : at + 4] for at in range(4, 4 + 4 * count, 4)]
    assert all(word[0] >> 5 == 0b111 for word in words)
    return [(word[0] & 31, word[1], word[2], word[3]) for word in words]


def milliamps(frame: bytes, count: int) -> float:
    return sum(1 + 20 * level / 31 * (b + g + r) / 255 for level, b, g, r in shown(frame, count))


def test_full_colours_are_the_frames_of_the_data_sheet() -> None:
    for row in SHEETS["apa102"]["frame"]:
        if row["level"] == 31:
            light = LedColour(row["red"], row["green"], row["blue"])
            assert StripEncoder(strip(1)).encode({0: light})[4:8] == bytes.fromhex(row["bytes"])
    dark = next(row for row in SHEETS["apa102"]["frame"] if row["level"] == 0)
    assert StripEncoder(strip(1)).dark_frame[4:8] == bytes.fromhex(dark["bytes"])


@pytest.mark.parametrize(("count", "after"), SHEETS["led_strip"]["after_the_frames_of_n"].items())
def test_a_frame_begins_and_ends_with_the_zeros_that_the_data_sheet_asks_for(count: str, after: int) -> None:
    frame = StripEncoder(strip(int(count))).encode({led: LedColour(255, 255, 255) for led in range(int(count))})
    assert frame[:4] == bytes.fromhex(SHEETS["apa102"]["start_frame"])
    assert frame[4 + 4 * int(count) :] == bytes(after)


def test_the_frame_of_the_large_board_is_as_long_as_the_data_sheet_counts() -> None:
    assert len(StripEncoder(strip(262)).dark_frame) == SHEETS["led_strip"]["n_262_frame_bytes"]


def test_lights_glow_at_their_own_led_and_nowhere_else() -> None:
    encoder = StripEncoder(strip(5))
    frame = encoder.encode({1: LedColour(255, 0, 0), 3: LedColour(0, 0, 255)})
    assert shown(frame, 5) == [(0, 0, 0, 0), (31, 0, 0, 255), (0, 0, 0, 0), (31, 255, 0, 0), (0, 0, 0, 0)]
    assert encoder.encode({}) == encoder.dark_frame


def test_half_to_the_eye_is_much_less_than_half_to_the_led() -> None:
    [(level, _, green, _)] = shown(StripEncoder(strip(1)).encode({0: LedColour(0, 128, 0)}), 1)
    assert (level, green) == (31, 55)  # 255 * (128 / 255) ** 2.2 is 55.98
    half_by_level = StripEncoder(strip(1)).encode({0: LedColour(0, 255, 0, 128)})
    half_by_board = StripEncoder(strip(1), brightness=128 / 255).encode({0: LedColour(0, 255, 0)})
    assert half_by_level == half_by_board == StripEncoder(strip(1)).encode({0: LedColour(0, 128, 0)})


def test_a_dim_light_keeps_its_hue_by_the_global_brightness() -> None:
    encoder = StripEncoder(strip(2))
    bright, dim = shown(encoder.encode({0: LedColour(255, 120, 60), 1: LedColour(255, 120, 60, 20)}), 2)
    assert bright[0] == 31
    assert dim[0] < 31
    assert dim[3] / dim[2] == pytest.approx(bright[3] / bright[2], rel=0.1)


def test_black_is_dark_whatever_its_level() -> None:
    encoder = StripEncoder(strip(2))
    assert encoder.encode({0: LedColour(0, 0, 0), 1: LedColour(255, 255, 255, 0)}) == encoder.dark_frame


def test_a_picture_within_the_budget_is_left_alone() -> None:
    lights = {0: LedColour(255, 255, 255)}
    assert StripEncoder(strip(10, budget_ma=71)).encode(lights) == StripEncoder(strip(10)).encode(lights)


def test_a_picture_beyond_the_budget_is_scaled_down_as_a_whole() -> None:
    encoder = StripEncoder(strip(100, budget_ma=1000))
    frame = encoder.encode({led: LedColour(255, 255, 255) for led in range(100)} | {0: LedColour(255, 0, 0)})
    words = shown(frame, 100)
    assert 900 < milliamps(frame, 100) <= 1000
    assert set(words[1:]) == {words[1]}
    assert words[0][3] == words[1][3] > 0
    assert words[0][1:3] == (0, 0)


def test_a_budget_that_the_dark_strip_uses_up_lights_nothing() -> None:
    encoder = StripEncoder(strip(100, budget_ma=90))
    assert encoder.encode({led: LedColour(255, 255, 255) for led in range(100)}) == encoder.dark_frame


@pytest.mark.parametrize("name", ["continuous", "classic"])
def test_no_board_can_draw_more_than_its_budget(name: str) -> None:
    board = load(name)
    frame = StripEncoder(board.strip).encode({led: LedColour(255, 255, 255) for led in range(board.strip.count)})
    assert milliamps(frame, board.strip.count) <= board.strip.budget_ma


@pytest.mark.parametrize("led", [-1, 3])
def test_an_led_that_the_strip_does_not_have_is_refused(led: int) -> None:
    with pytest.raises(ValueError, match=f"led = {led}: the strip has 0 to 2"):
        StripEncoder(strip(3)).encode({led: LedColour(1, 2, 3)})


@pytest.mark.parametrize("light", [LedColour(256, 0, 0), LedColour(0, -1, 0), LedColour(0, 0, 0, 300)])
def test_an_impossible_colour_is_refused(light: LedColour) -> None:
    with pytest.raises(ValueError, match="0 to 255 are allowed"):
        StripEncoder(strip(3)).encode({0: light})


values = st.integers(0, 255)
pictures = st.dictionaries(st.integers(0, 39), st.builds(LedColour, values, values, values, values), max_size=40)


@given(pictures, st.integers(0, 2500), st.floats(0, 1))
def test_no_picture_draws_more_than_the_budget(
    picture: dict[int, LedColour], budget_ma: int, brightness: float
) -> None:
    encoder = StripEncoder(strip(40, budget_ma=budget_ma), brightness=brightness)
    assert milliamps(encoder.encode(picture), 40) <= max(40, budget_ma)


@given(pictures, st.integers(100, 2500), st.randoms())
def test_equal_pictures_give_equal_bytes(picture: dict[int, LedColour], budget_ma: int, rng: Random) -> None:
    encoder = StripEncoder(strip(40, budget_ma=budget_ma))
    shuffled = list(picture.items())
    rng.shuffle(shuffled)
    assert encoder.encode(picture) == encoder.encode(dict(shuffled)) == encoder.encode(picture)


@given(values, values, values)
def test_a_higher_level_is_never_darker(red: int, green: int, blue: int) -> None:
    encoder = StripEncoder(strip(256))
    frame = encoder.encode({level: LedColour(red, green, blue, level) for level in range(256)})
    light = [level * (b + g + r) for level, b, g, r in shown(frame, 256)]
    for dimmer, brighter in pairwise(light):
        assert brighter >= dimmer * 0.9  # a change of the global brightness may round, and no eye sees it


def test_many_different_lights_are_not_remembered_for_ever() -> None:
    encoder = StripEncoder(strip(4))
    for red in range(200):
        for level in range(0, 200, 4):
            encoder.encode({0: LedColour(red, 0, 0, level)})
    assert encoder._cached_led_bytes.cache_info().currsize < 5000
