"""A board file without a strip or a chain, and what the loader says where its parts contradict each other."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.support.catalogues import has_phrase
from tests.support.places import ROOT

from cribd.boards import Board, BoardError, Shows, load
from cribd.boards.loader import read
from cribd.inputs import Key

Values = dict[str, Any]
Change = Callable[[Values], object]

BOARDS = ROOT / "firmware" / "cribd" / "boards"
STARTER, CONTINUOUS = (tomllib.loads((BOARDS / f"{name}.toml").read_text()) for name in ("starter", "continuous"))
FREE = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, *range(16, 28)}


def toml(values: Mapping[str, Any]) -> str:
    """A board file with these values."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items() if not tables_of(value)]
    for key, value in values.items():
        head = f"[{key}]" if isinstance(value, dict) else f"[[{key}]]"
        for table in tables_of(value):
            lines += [head, *(f"{name} = {json.dumps(each)}" for name, each in table.items())]
    return "\n".join(lines)


def tables_of(value: Any) -> list[Values]:
    if isinstance(value, dict):
        return [value]
    return value if isinstance(value, list) and value and isinstance(value[0], dict) else []


def problems(values: Mapping[str, Any]) -> tuple[str, ...]:
    try:
        read(toml(values), called="mine.toml")
    except BoardError as error:
        return error.problems
    return ()


def changed(values: Values, *changes: Change) -> Values:
    copy = deepcopy(values)
    for change in changes:
        change(copy)
    return copy


def led(shows: str, side: str, number: int = 1, **more: object) -> Values:
    return {"shows": shows, "side": side, "number": number, "gpio": 4, "colour": "red", "at": [50, 50], **more}


@pytest.fixture(scope="module")
def starter() -> Board:
    return load("starter")


def test_the_starter_board_has_keys_leds_a_screen_and_a_buzzer_and_nothing_on_spi(starter: Board) -> None:
    assert (starter.on_spi, starter.strip.count, starter.chain.chips) == ((), 0, 0)
    assert {(pin.key, pin.side) for pin in starter.keys} == {
        *((key, side) for key in (Key.GO, Key.OK, Key.CHALLENGE, Key.STEP) for side in (0, 1)),
        (Key.UNDO, None),
        (Key.MENU, None),
    }
    assert {(pin.shows, pin.side) for pin in starter.leds} == {(shows, side) for shows in Shows for side in (0, 1)}
    assert starter.buzzer_gpio is not None
    assert all(not (track.holes or track.starts or track.matches) for track in starter.tracks)


def test_its_pegs_stand_in_the_holes_of_a_continuous_board(starter: Board) -> None:
    scores = range(122)
    assert [starter.hole_of(score, 121) for score in scores] == [load("continuous").hole_of(s, 121) for s in scores]
    assert starter.game_hole == 121


def test_what_it_shares_with_the_continuous_board_is_on_the_same_pins(starter: Board) -> None:
    pins = {(pin.key, pin.side): pin.gpio for pin in starter.keys}
    continuous = load("continuous")
    assert {(pin.key, pin.side): pin.gpio for pin in continuous.keys}.items() <= pins.items()
    assert starter.buzzer_gpio == continuous.buzzer_gpio


def test_each_side_sits_at_its_own_breadboard(starter: Board) -> None:
    assert [starter.turn_of(side) for side in (0, 1)] == [0, 180]


def test_a_screen_and_keys_alone_are_a_board() -> None:
    assert problems(changed(STARTER, lambda v: v.pop("led"), lambda v: v.pop("buzzer"))) == ()


def without_holes(values: Values) -> None:
    for part in ("strip", "chain", "run"):
        del values[part]


def with_steps(values: Values) -> None:
    values["key"] += [
        {"key": "step", "side": side, "gpio": 4 + n, "at": [50, 50]} for n, side in enumerate(("blue", "red"))
    ]


def test_a_strip_without_buttons_shows_the_pegs_of_a_board_with_step_keys() -> None:
    board = read(toml(changed(CONTINUOUS, lambda v: v.pop("chain"), with_steps)), called="mine.toml")
    assert all(hole.input is None for track in board.tracks for hole in track.holes)
    assert board.on_spi == (board.strip,)


@given(keeps=st.sets(st.sampled_from(["strip", "chain", "run", "step"])))
def test_a_board_is_whole_or_its_report_names_each_part_that_lacks_another(keeps: set[str]) -> None:
    without = [lambda values, part=part: values.pop(part) for part in {"strip", "chain", "run"} - keeps]
    found = problems(changed(CONTINUOUS, *without, *([with_steps] if "step" in keeps else [])))
    wanted = {
        "no_strip": "chain" in keeps and "strip" not in keeps,
        "no_strip_to_lay": "run" in keeps and "strip" not in keeps,
        "no_led": "strip" in keeps and "run" not in keeps,
        "step_count": "chain" not in keeps and "step" not in keeps,
    }
    assert {code for code in wanted if any(has_phrase(line, f"problem.board.{code}") for line in found)} == {
        code for code, is_wrong in wanted.items() if is_wrong
    }
    assert bool(found) == any(wanted.values())


@given(which=st.integers(0, len(STARTER["led"]) - 1), gpio=st.integers(-1, 28))
def test_an_led_has_a_free_pin_of_its_own_that_is_low_while_the_pi_starts(which: int, gpio: int) -> None:
    values = changed(STARTER, lambda v: v["led"][which].update(gpio=gpio))
    others = [part["gpio"] for part in (*STARTER["key"], STARTER["buzzer"], *STARTER["led"])]
    others.remove(STARTER["led"][which]["gpio"])
    assert (not problems(values)) == (gpio in FREE - set(others) and gpio >= 9)


@given(which=st.integers(0, len(STARTER["key"]) - 1), gpio=st.integers(-1, 28))
def test_a_key_is_accepted_only_at_a_free_pin(which: int, gpio: int) -> None:
    values = changed(STARTER, lambda v: v["key"][which].update(gpio=gpio))
    others = [part["gpio"] for part in (*STARTER["key"], STARTER["buzzer"], *STARTER["led"])]
    others.remove(STARTER["key"][which]["gpio"])
    assert (not problems(values)) == (gpio in FREE - set(others))


@given(pin=st.integers(7, 11), port=st.sampled_from([1, 3, 4, 5, 6]))
def test_a_pin_that_the_board_needs_for_spi_or_i2c_is_free_for_no_key(pin: int, port: int) -> None:
    ports = {3: {4, 5}, 4: {8, 9}, 5: {12, 13}, 6: {22, 23}}

    def lay(values: Values) -> None:
        values["oled"]["i2c_port"] = port
        values["key"][0]["gpio"] = pin

    bare = changed(STARTER, lambda v: v.pop("led"), lambda v: v.pop("buzzer"), lay)
    used = {key["gpio"] for key in bare["key"]}
    assert (not problems(bare)) == (not used & ports.get(port, set()))
    assert any(has_phrase(line, "problem.board.key_pin", gpio=pin) for line in problems(changed(CONTINUOUS, lay)))


@given(colour=st.sampled_from(["red", "orange", "yellow", "green", "blue", "white"]), ohm=st.integers(1, 1000))
def test_no_pin_gives_more_than_16_ma_and_all_pins_no_more_than_50(colour: str, ohm: int) -> None:
    volts = {"red": 1.6, "orange": 1.7, "yellow": 1.8, "green": 1.9, "blue": 2.6, "white": 2.6}
    one = (3.3 - volts[colour]) / ohm * 1000

    def light(values: Values) -> None:
        for each in values["led"]:
            each |= {"colour": colour, "ohm": ohm}

    found = problems(changed(STARTER, light))
    assert sum(has_phrase(line, "problem.board.pin_ma", ohm=ohm) for line in found) == (8 if one > 16 else 0)
    assert any(has_phrase(line, "problem.board.pins_ma") for line in found) == (8 * one + 8 > 50)
    assert bool(found) == (one > 16 or 8 * one + 8 > 50)


@given(chips=st.integers(31, 130), ma=st.floats(1, 17))
@example(chips=64, ma=8.4)
@example(chips=130, ma=8.4)
def test_no_board_file_takes_more_than_500_ma_of_3_3_v(chips: int, ma: float) -> None:
    """All its LEDs are lit, and all the buttons that its chain has inputs for are pressed, at 10 kΩ each."""
    ohm = round((3.3 - 1.6) / ma * 1000)

    def enlarge(values: Values) -> None:
        values["chain"]["chips"] = chips
        pins = enumerate((13, 18, 19, 20, 21), start=1)
        values["led"] = [led("games", "red", number, gpio=gpio, ohm=ohm) for number, gpio in pins]

    oled, buzzer, of_leds, of_buttons = 200, 8, 5 * (3.3 - 1.6) / ohm * 1000, chips * 8 * 3.3 / 10
    assert problems(changed(CONTINUOUS, enlarge)) or oled + buzzer + of_leds + of_buttons < 500


@given(budget=st.integers(0, 6000))
def test_a_strip_takes_more_than_its_dark_leds_and_no_more_than_its_fuse_of_3_a(budget: int) -> None:
    count = CONTINUOUS["strip"]["count"]
    found = problems(changed(CONTINUOUS, lambda v: v["strip"].update(budget_ma=budget)))
    assert len(found) == (not count < budget <= 3000)
    assert any(has_phrase(line, "problem.board.budget", count=count) for line in found) == (100 <= budget <= count)


#: Changes of the starter's file that may be made together, each with the problem of it.
WRONG: dict[str, tuple[Change, str, Values]] = {
    "a side without a step key": (lambda v: v["key"].pop(0), "step_count", {"times": 0}),
    "no OK for red": (lambda v: v["key"].remove(STARTER["key"][5]), "key_count", {"times": 0}),
    "two LEDs for the same": (lambda v: v["led"].append(led("turn", "red")), "led_again", {}),
    "a third won game without a second": (lambda v: v["led"].append(led("games", "red", 3)), "led_gap", {"before": 2}),
    "two lamps of a dealer": (lambda v: v["led"].append(led("dealer", "red", 2)), "led_number", {"number": 2}),
    "an LED of nobody": (lambda v: v["led"].append(led("turn", "green")), "wrong", {"value": '"green"'}),
    "an LED that shows the count": (lambda v: v["led"].append(led("count", "red")), "wrong", {"value": '"count"'}),
    "a purple LED": (lambda v: v["led"][0].update(colour="purple"), "wrong", {"value": '"purple"'}),
    "an LED beside the board": (lambda v: v["led"][1].update(at=[50, 500]), "outside", {"at": "50.0, 500.0"}),
    "an LED on a pin of I2C": (lambda v: v["led"][2].update(gpio=3), "led_pin", {"gpio": 3}),
    "an LED that glows at the start": (lambda v: v["led"][3].update(gpio=8), "led_pin", {"gpio": 8}),
    "a key on the UART": (lambda v: v["key"][2].update(gpio=15), "key_pin", {"gpio": 15}),
    "a buzzer without PWM": (lambda v: v["buzzer"].update(gpio=4), "pwm", {"gpio": 4}),
    "two laps": (lambda v: v.update(laps=2), "laps", {}),
    "a chain": (lambda v: v.update(chain={**CONTINUOUS["chain"], "order": ["gap 2"]}), "no_strip", {}),
    "a run": (lambda v: v.update(run=[CONTINUOUS["run"][0]]), "no_strip_to_lay", {}),
    "an unknown key": (lambda v: v["led"][4].update(color="red"), "unknown", {"key": "led 5.color"}),
    "no place": (lambda v: v["led"][5].pop("at"), "missing", {"key": "led 6.at"}),
}  # fmt: skip


@given(wrong=st.sets(st.sampled_from(sorted(WRONG)), min_size=1))
def test_all_contradictions_of_a_file_come_in_one_report(wrong: set[str]) -> None:
    found = problems(changed(STARTER, *(WRONG[each][0] for each in sorted(wrong))))
    for each in wrong:
        _, code, values = WRONG[each]
        assert any(has_phrase(line, f"problem.board.{code}", **values) for line in found), (each, found)
    assert all(line.endswith(".") for line in found)


@given(
    part=st.sampled_from(["led", "key", "buzzer", "oled", "strip", "chain", "run", "track"]),
    value=st.sampled_from([7, "x", True, 1.5, [1], []]),
)
def test_a_part_that_is_no_table_is_refused(part: str, value: object) -> None:
    if (part, value) not in (("led", []), ("run", [])):
        assert problems(changed(STARTER, lambda v: v.update({part: value})))
