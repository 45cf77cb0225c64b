"""The boards that come with the product, and what the loader says about a board file that cannot be built."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.catalogues import has_phrase, phrase
from tests.support.places import ROOT
from tests.support.spots import HOLED, spots_of

from cribd.boards import Board, BoardError, load
from cribd.inputs import Key

BOARDS = ROOT / "firmware" / "cribd" / "boards"


@pytest.fixture(params=HOLED)
def board(request: pytest.FixtureRequest) -> Board:
    return load(request.param)


Changed = Callable[..., tuple[str, ...]]


@pytest.fixture
def changed(tmp_path: Path) -> Changed:
    """Loads the continuous board with some of its text replaced, and gives the problems that are found."""

    def problems(*changes: tuple[str, str]) -> tuple[str, ...]:
        text = (BOARDS / "continuous.toml").read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, f"the board file no longer says {old!r}"
            text = text.replace(old, new, 1)
        path = tmp_path / "changed.toml"
        path.write_text(text, encoding="utf-8")
        try:
            load(path)
        except BoardError as error:
            return error.problems
        return ()

    return problems


def test_the_continuous_board_has_what_the_reference_build_says() -> None:
    board = load("continuous")
    assert board.laps == 1
    assert [len(track.holes) for track in board.tracks] == [121, 121]
    assert board.chain.chips == 31
    assert all(track.lap_lamp is None for track in board.tracks)


def test_the_classic_board_has_what_the_reference_build_says() -> None:
    board = load("classic")
    assert board.laps == 2
    assert [len(track.holes) for track in board.tracks] == [61, 61]
    assert board.chain.chips == 16
    assert all(track.lap_lamp is not None for track in board.tracks)


def test_the_triple_board_has_what_the_reference_build_says() -> None:
    board = load("triple")
    assert board.laps == 1
    assert [len(track.holes) for track in board.tracks] == [121, 121, 121]
    assert board.chain.chips == 46
    assert all(track.lap_lamp is None for track in board.tracks)


def test_blue_is_side_0_red_is_side_1_and_green_is_side_2(board: Board) -> None:
    sides = [(0, "blue"), (1, "red"), (2, "green")]
    assert [(track.side, track.name) for track in board.tracks] == sides[: len(board.tracks)]


def test_every_light_has_an_led_of_its_own_on_the_strip(board: Board) -> None:
    leds = [spot.led for track in board.tracks for spot in spots_of(track)]
    assert len(set(leds)) == len(leds)
    assert min(leds) == 0
    assert max(leds) == board.strip.count - 1


def test_every_hole_has_an_input_of_its_own_behind_the_pattern_and_nothing_else_has_one(board: Board) -> None:
    inputs = sorted(spot.input for track in board.tracks for spot in track.holes if spot.input is not None)
    assert inputs == list(range(len(board.chain.near_pattern), board.chain.inputs))
    assert all(spot.input is None for track in board.tracks for spot in set(spots_of(track)) - set(track.holes))


def test_the_strip_and_the_chain_have_the_chip_select_and_mode_of_the_reference_build(board: Board) -> None:
    assert (board.strip.spi_select, board.strip.spi_mode) == (0, 0)
    assert (board.chain.spi_select, board.chain.spi_mode, board.chain.hz) == (1, 2, 1_000_000)


def test_no_two_lights_are_nearer_than_the_pitch(board: Board) -> None:
    spots = [spot for track in board.tracks for spot in spots_of(track)]
    nearest = min(
        math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) for index, a in enumerate(spots) for b in spots[index + 1 :]
    )
    assert nearest == pytest.approx(board.pitch_mm, abs=0.01)


def test_the_cable_goes_from_light_to_light_without_a_long_way_back(board: Board) -> None:
    spots = sorted((spot for track in board.tracks for spot in spots_of(track)), key=lambda spot: spot.led)
    hops = [math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) for a, b in pairwise(spots)]
    assert sum(hop > 3.6 * board.pitch_mm for hop in hops) <= 4
    assert max(hops) < 120
    assert sum(hops) < 2.2 * sum(
        math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) for track in board.tracks for a, b in pairwise(track.holes)
    )


def test_holes_stand_in_fives_with_a_wider_gap_after_each(board: Board) -> None:
    for track in board.tracks:
        steps = [math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) for a, b in pairwise(track.holes)]
        for hole, step in enumerate(steps, start=1):
            inside = [steps[near] for near in (hole - 2, hole) if 0 <= near < len(steps) and (near + 1) % 5]
            if hole % 5 == 0:
                assert step > 1.25 * min(inside), f"{track.name}: no gap after hole {hole}"


def test_every_fifth_hole_is_numbered_near_the_hole(board: Board) -> None:
    texts = {label.text for label in board.labels}
    assert texts >= {str(number) for number in range(5, board.last_hole + 1, 5)}
    for label in board.labels:
        if label.text.isdecimal():
            holes = [track.holes[int(label.text) - 1] for track in board.tracks]
            assert min(math.hypot(h.x_mm - label.x_mm, h.y_mm - label.y_mm) for h in holes) < 1.1 * board.pitch_mm


def test_each_side_has_its_three_keys_and_all_share_undo_and_menu(board: Board) -> None:
    assert {(key.key, key.side) for key in board.keys} == {
        *((key, side) for key in (Key.GO, Key.OK, Key.CHALLENGE) for side in range(len(board.tracks))),
        (Key.UNDO, None),
        (Key.MENU, None),
    }


def test_each_side_sits_where_its_keys_lie_and_what_all_share_is_not_turned(board: Board) -> None:
    turns = {"blue": 0, "red": 180} if len(board.tracks) == 2 else {"blue": 0, "red": 90, "green": 180}
    assert {track.name: board.turn_of(track.side) for track in board.tracks} == turns
    assert board.turn_of(None) == 0


def test_no_two_sides_burn_equally_bright_so_that_an_eye_without_colours_can_tell_them_apart() -> None:
    light = [
        sum(w * (c / 255) ** 2.2 for w, c in zip((0.21, 0.72, 0.07), t.colour, strict=True))
        for t in load("triple").tracks
    ]
    dim, middle, bright = sorted(light)
    assert middle > 1.4 * dim
    assert bright > 2 * middle
    assert bright == light[2]


@pytest.mark.parametrize(
    ("name", "score", "target", "hole", "lap"),
    [
        ("continuous", 0, 121, 0, 1),
        ("continuous", 1, 121, 1, 1),
        ("continuous", 120, 121, 120, 1),
        ("continuous", 121, 121, 121, 1),
        ("continuous", 125, 121, 121, 1),
        ("continuous", 61, 61, 61, 1),
        ("continuous", 70, 61, 61, 1),
        ("triple", 61, 61, 61, 1),
        ("triple", 121, 121, 121, 1),
        ("classic", 0, 121, 0, 1),
        ("classic", 60, 121, 60, 1),
        ("classic", 61, 121, 1, 2),
        ("classic", 74, 121, 14, 2),
        ("classic", 120, 121, 60, 2),
        ("classic", 121, 121, 61, 2),
        ("classic", 61, 61, 61, 1),
        ("classic", 60, 61, 60, 1),
    ],
)
def test_a_score_stands_in_its_hole_on_its_lap(name: str, score: int, target: int, hole: int, lap: int) -> None:
    assert load(name).hole_of(score, target) == hole
    assert load(name).lap_of(score, target) == lap


def test_without_a_target_the_lap_is_that_of_a_full_game() -> None:
    assert [load("classic").lap_of(score, 121) for score in (0, 60, 61, 121)] == [1, 1, 2, 2]


@given(score=st.integers(0, 121), more=st.integers(1, 29))
def test_on_two_laps_a_hole_up_to_29_ahead_can_be_told_from_one_behind(score: int, more: int) -> None:
    board = load("classic")
    ahead = min(121, score + more)
    if ahead > score:
        behind = [board.hole_of(past, 121) for past in range(max(1, score - 30), score + 1)]
        assert board.hole_of(ahead, 121) not in behind


@pytest.mark.parametrize(("score", "target"), [(-1, 121), (0, 122), (0, 1)])
def test_a_game_that_the_board_cannot_hold_is_refused(score: int, target: int) -> None:
    with pytest.raises(ValueError, match=r"score|target"):
        load("continuous").hole_of(score, target)


def test_an_unknown_board_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(FileNotFoundError, match="continuous, classic, triple, starter"):
        load("three-player")


def test_the_file_at_a_path_is_the_same_board_as_the_one_of_that_name() -> None:
    assert load(BOARDS / "continuous.toml") == load("continuous")


Problem = tuple[str, dict[str, object]]


def problem(code: str, **values: object) -> Problem:
    """The phrase of a problem by its code, and those of its values that a test knows."""
    return f"problem.board.{code}", values


def wrong(key: str, value: str, code: str, **values: object) -> Problem:
    """The problem of a value that is not allowed, and the code and values of what is."""
    return problem("wrong", key=key, value=value, allowed=phrase(f"problem.board.{code}", **values))


PINS = "GPIO 4, 5, 6, 12, 13, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27"
SCREENS = "ssd1306, ssd1305, ssd1309, ssd1315, sh1106, ch1115"
DIRECTIONS = "right, left, up, down"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("laps = 1", "laps = 3", wrong("laps", "3", "whole", least=1, most=2)),
        ("laps = 1", "", problem("missing", key="laps", allowed=phrase("problem.board.whole", least=1, most=2))),
        ("laps = 1", "laps = 1\nlamps = 4", problem("unknown", key="lamps")),
        ("laps = 1", "laps = 2", problem("no_led", names="blue lap 1")),
        ('"ssd1306"', '"ssd1351"', wrong("oled.chip", '"ssd1351"', "one_of", names=SCREENS)),
        ('"ssd1306"', '"ssd1306"\nwidth = 256', wrong("oled.width", "256", "only", least=128)),
        ('"ssd1306"', '"ssd1306"\nheight = 32', wrong("oled.height", "32", "only", least=64)),
        ('"apa102"', '"ws2812"', wrong("strip.chip", '"ws2812"', "one_of", names="apa102, sk9822")),
        ("count = 318", "count = 317", problem("strip", count=317, name="red dealer 1", led=317, least=318)),
        ("count = 318", "count = 1500", problem("budget", budget=1500, count=1500)),
        ("chips = 31", "chips = 30", problem("chips", chips=30, inputs=248, least=31)),
        *(  # a chain is read in one transfer
            ("chips = 31", f"chips = {chips}", wrong("chain.chips", chips, "whole", least=1, most=64))
            for chips in ("0", "65", "512")
        ),
        ('"101001"', '"000000"', problem("near_pattern", pattern="000000")),
        ('"blue game", ', '"blue 120", ', problem("input_twice", name="blue hole 120", one=125, other=126)),
        ('"blue game", ', "", problem("no_input", names="blue hole 121")),
        ('"blue game", ', '"blue dealer", ', problem("no_button", words="blue dealer")),
        ("gpio = 27", "gpio = 10", problem("key_pin", gpio=10, pins=PINS)),
        ("gpio = 27", "gpio = 14", problem("key_pin", gpio=14, pins=PINS)),
        ("gpio = 27", "gpio = 17", problem("shared_pin", gpio=17, users="the key go of blue and the key ok of blue")),
        ("gpio = 12", "gpio = 20", problem("pwm", gpio=20, pins="GPIO 12, 13, 18, 19")),
        ("gpio = 12", "gpio = true", wrong("buzzer.gpio", "true", "whole", least=0, most=27)),
        (
            'key = "undo"',
            'key = "redo"',
            wrong("key 7.key", '"redo"', "one_of", names="go, ok, challenge, step, undo, menu"),
        ),
        ('key = "undo"', 'key = "redo"', problem("key_count", key="undo", times=0)),
        ("blue 46-80 in fives", "blue 45-80 in fives", problem("led_twice", name="blue hole 45", one=53, other=54)),
        ("blue 46-80 in fives", "blue 47-80 in fives", problem("no_led", names="blue hole 46")),
        ("blue 46-80 in fives", "blue 46-180", problem("spot_number", key="run 3.leds", words="blue 46-180", most=120)),
        ("blue 46-80 in fives", "blue 46-80 in sixes", problem("place", key="run 3.leds", words="blue 46-80 in sixes")),
        ("blue 46-80 in fives", "green 46-80", problem("track", key="run 3.leds", words="green 46-80")),
        (
            "at = [391.76, 24.168]",
            "at = [391.76, 24.168]\nfirst = 53",
            problem("led_taken", led=53, other="blue hole 45"),
        ),
        ("at = [391.76, 24.168]", "at = [91.76, 24.168]", problem("outside", size="466, 146", name="blue hole 80")),
        ("radius = 14", "radius = 9", problem("pitch", name="red hole 83", other="red hole 84", apart="4.66")),
        ('heading = "left"', 'heading = "west"', wrong("run 3.heading", '"west"', "one_of", names=DIRECTIONS)),
        ("size_mm = [466, 146]", "size_mm = 466", wrong("size_mm", "466", "point")),
        *(
            ("size_mm = [466, 146]", f"size_mm = [{size}]", wrong("size_mm", f"[{size}]", "point"))
            for size in ("true, 146", "466, false", "nan, 146", "inf, 146", "466, -inf", "466, 146, 1", '"466", 146')
        ),
        *(
            ("colour = [20, 90, 255]", f"colour = [{parts}]", wrong("track 1.colour", f"[{parts}]", "colour"))
            for parts in ("true, 90, 255", "20, nan, 255", "20, 90.0, 255", "20, 90", "-1, 90, 255")
        ),
        ("radius = 14", "radius = nan", wrong("run 7.radius", "nan", "number", least=1, most=1000)),
        ('heading = "left"', "heading = true", wrong("run 3.heading", "true", "one_of", names=DIRECTIONS)),
        ('heading = "left"', 'heading = ["left"]', wrong("run 3.heading", '["left"]', "one_of", names=DIRECTIONS)),
        ('"ssd1306"', "'a \"b\"'", wrong("oled.chip", '"a \\"b\\""', "one_of", names=SCREENS)),
        ("name =", "name :", problem("toml")),
    ],
)
def test_a_board_file_that_cannot_be_built_is_refused_with_the_key_the_value_and_what_is_allowed(
    changed: Changed, old: str, new: str, problem: Problem
) -> None:
    problems = changed((old, new))
    code, values = problem
    assert any(has_phrase(line, code, **values) for line in problems), problems
    assert all(line.endswith(".") for line in problems)


def test_all_problems_come_in_one_report(changed: Changed) -> None:
    problems = changed(("laps = 1", "laps = 9"), ("chips = 31", "chips = 3"), ("gpio = 12", "gpio = 8"))
    assert {line.split()[0] for line in problems} >= {"laps", "chain.chips", "buzzer.gpio"}


def test_a_board_file_may_name_inputs_that_nothing_uses(changed: Changed) -> None:
    assert changed(("chips = 31", "chips = 32"), ('"blue game", ', '"blue game", "gap 8", ')) == ()
