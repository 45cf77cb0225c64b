"""A whole self-test on the twin: simulated fingers do what is asked, and the report names each fault hole by hole."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.tested_twin import TestedTwin

from cribd.boards import load
from cribd.config.config import ReaderConfig
from cribd.selftest.results import StepOutcome
from cribd.selftest.steps import BoardPart, HoleStep, LightStep, places_of

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("board", ["continuous", "classic", "starter"])
async def test_a_board_without_a_fault_is_right_in_every_step(tmp_path: Path, board: str) -> None:
    tested = TestedTwin(tmp_path, list(BoardPart), board=load(board))
    await tested.run()
    assert tested.found() == []
    assert set(tested.walk.results) == set(tested.steps)
    assert not any(any(led[:3]) for led in tested.twin.leds()), "the lights are out afterwards"
    assert not tested.twin.oled().on
    holes = [result for step, result in tested.walk.results.items() if isinstance(step, HoleStep)]
    assert all(result.light_ms is not None and 0 < result.light_ms < 40 for result in holes)


async def test_each_led_on_a_pin_is_lit_alone_and_a_dark_one_is_named(tmp_path: Path) -> None:
    tested = TestedTwin(tmp_path, [BoardPart.LIGHTS], board=load("starter"))
    look, seen = tested.twin.pin_leds, list[tuple[bool, ...]]()
    tested.twin.pin_leds = lambda: seen.append(look()) or (*seen[-1][:2], False, *seen[-1][3:])  # type: ignore[func-returns-value, method-assign]
    await tested.run()
    assert {lit.index(True) for lit in seen if sum(lit) == 1} == set(range(8))
    assert tested.found() == ["Blue call (GPIO 20): stays dark"]
    assert not any(look()), "the lights are out afterwards"


async def test_a_stuck_button_is_named_and_its_neighbours_are_right(tmp_path: Path) -> None:
    tested = TestedTwin(tmp_path, [BoardPart.HOLES], ["stuck:blue 12"])
    await tested.run()
    assert tested.found() == ["Blue 12: is down, and nobody presses it"]


async def test_a_dead_button_is_named(tmp_path: Path) -> None:
    tested = TestedTwin(tmp_path, [BoardPart.HOLES], ["dead:red 121"])
    await tested.run()
    assert tested.found() == ["Red 121: nothing answered"]


async def test_holes_whose_wires_are_exchanged_are_named_with_the_hole_that_answers(tmp_path: Path) -> None:
    tested = TestedTwin(tmp_path, [BoardPart.HOLES], ["swapped:blue 36"])
    await tested.run()
    assert tested.found() == [
        "Blue 36: Blue 37 was pressed, not Blue 36: the wires may be exchanged",
        "Blue 37: Blue 36 was pressed, not Blue 37: the wires may be exchanged",
    ]


async def test_holes_whose_wires_touch_are_named_with_the_other_one(tmp_path: Path) -> None:
    tested = TestedTwin(tmp_path, [BoardPart.HOLES], ["joined:blue 36"])
    await tested.run()
    assert tested.found() == [
        "Blue 36: Blue 37 went down too: the wires may touch",
        "Blue 37: Blue 36 went down too: the wires may touch",
    ]


async def test_a_bouncing_contact_is_one_press(tmp_path: Path) -> None:
    tested = TestedTwin(tmp_path, [BoardPart.KEYS, BoardPart.HOLES], ["bounce:20"])
    await tested.run()
    assert tested.found() == []


@pytest.mark.parametrize("fault", ["chain-low:9", "chain-high:9"])
async def test_a_broken_chain_is_the_result_of_every_hole(tmp_path: Path, fault: str) -> None:
    tested = TestedTwin(tmp_path, [BoardPart.HOLES], [fault])
    await tested.run()
    where = {"chain-low:9": "chip 9", "chain-high:9": "Buttons not read"}[fault]
    assert len(tested.found()) == len(tested.steps)
    assert all(where in found for found in tested.found()), tested.found()[:3]


async def test_a_cut_strip_is_dark_from_that_led_on(tmp_path: Path) -> None:
    tested = TestedTwin(tmp_path, [BoardPart.LIGHTS], ["strip-cut:300"])
    await tested.run()
    dark = [step.led for step, found in tested.walk.results.items() if found.outcome is StepOutcome.DARK
            and isinstance(step, LightStep)]  # fmt: skip
    assert dark == list(range(300, tested.board.strip.count))
    assert "(LED 300): stays dark" in tested.found()[0]


async def test_a_reader_that_sends_half_of_each_message_is_named(tmp_path: Path) -> None:
    tested = TestedTwin(tmp_path, [BoardPart.READERS], ["half-frames:50"])
    await tested.run()
    assert tested.found() == ["reader: what the reader sends cannot be read"]


@pytest.mark.parametrize(
    ("plug", "part", "found"),
    [
        ("screen", BoardPart.SCREEN, "No screen"),
        ("reader", BoardPart.READERS, "Reader is silent"),
        ("buttons", BoardPart.HOLES, "Buttons not read"),
    ],
)
async def test_a_part_whose_plug_is_out_is_the_result_of_each_of_its_steps(
    tmp_path: Path, plug: str, part: BoardPart, found: str
) -> None:
    tested = TestedTwin(tmp_path, [part])
    tested.twin.unplug(plug)
    await tested.run()
    assert len(tested.found()) == len(tested.steps)
    assert all(each.endswith(f": {found}") for each in tested.found()), tested.found()


async def test_a_plug_that_is_put_back_in_time_costs_no_step(tmp_path: Path) -> None:
    tested = TestedTwin(tmp_path, [BoardPart.SCREEN])
    tested.twin.unplug("screen")

    def put_back() -> bool:
        tested.twin.plug("screen")
        return True

    tested.clock.call_later(3.0, put_back)
    await tested.run()
    assert tested.found() == []


async def test_each_of_two_readers_is_asked_for_a_card(tmp_path: Path) -> None:
    readers = [ReaderConfig(port="twin", name="left"), ReaderConfig(port="twin", name="right", kind="pn532")]
    tested = TestedTwin(tmp_path, [BoardPart.READERS], readers=readers)
    await tested.run()
    assert tested.found() == []
    assert len(tested.walk.results) == 2


async def test_the_screen_and_the_lights_show_what_is_asked(tmp_path: Path) -> None:
    tested = TestedTwin(tmp_path, [BoardPart.HOLES])
    asked = tested.steps[0]
    assert isinstance(asked, HoleStep)
    lit: set[int] = set()

    def shown() -> bool:
        lit.update(number for number, led in enumerate(tested.twin.leds()) if any(led[:3]))
        return bool(lit) and any(tested.twin.oled().pixels)

    await tested.run(until=shown, with_fingers=False)
    assert lit == {asked.led}
    place = places_of(tested.board)[asked.led]
    assert (place.side, place.number) == (asked.side, asked.hole)
