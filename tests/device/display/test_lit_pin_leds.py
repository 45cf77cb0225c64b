"""What the LEDs on pins of their own show of the game."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.moments import BLUE, RED, moments

from cribboard.view import PromptKind
from cribd.boards import Shows, load
from cribd.clock import ManualClock
from cribd.display.lit_pin_leds import lit_pin_leds
from cribd.display.presenters import LedPresenter, OledPresenter
from cribd.table.settings import Settings
from cribd.table.snapshot import Lobby, Pending, Snapshot, SwitchedOff

BOARD = load("starter")
MOMENTS = moments()


def lit(snapshot: Snapshot, seconds: float = 0) -> set[tuple[Shows, int]]:
    gpios = lit_pin_leds(snapshot, BOARD, seconds).gpios
    return {(led.shows, led.side) for led in BOARD.leds if led.gpio in gpios}


@pytest.mark.parametrize("name", sorted(MOMENTS))
def test_the_turn_and_the_dealer_are_those_of_every_snapshot(name: str) -> None:
    snapshot = MOMENTS[name]
    view = snapshot.view if snapshot.looking is None else snapshot.looking.view
    if view is None or snapshot.mode == SwitchedOff():
        return
    shown = lit(snapshot)
    for side in (BLUE, RED):
        assert ((Shows.DEALER, side) in shown) == (view.dealer_side == side)
        asked = view.prompt.side == side or side in snapshot.waiting
        assert ((Shows.TURN, side) in shown) == (asked and snapshot.lobby is None)


def test_the_call_of_a_side_blinks_while_its_peg_is_in_hand() -> None:
    view = MOMENTS["trust"].view
    assert view is not None
    sides = (replace(view.sides[0], in_hand=8), view.sides[1])
    snapshot = Snapshot(view=replace(view, sides=sides))
    assert (Shows.PENDING, BLUE) in lit(snapshot)
    assert (Shows.PENDING, BLUE) not in lit(snapshot, 0.3)
    assert (Shows.PENDING, RED) not in lit(snapshot)
    assert lit_pin_leds(snapshot, BOARD, 0.1).until == 0.25


def test_a_press_that_is_not_committed_blinks() -> None:
    snapshot = replace(MOMENTS["trust"], pending=Pending(RED, 5))
    assert [(Shows.PENDING, RED) in lit(snapshot, at) for at in (0, 0.26, 0.51)] == [True, False, True]


def test_a_call_that_waits_to_be_accepted_is_steady() -> None:
    waiting = [
        s for s in MOMENTS.values() if s.view and s.view.claim and s.view.sides[s.view.claim.side].in_hand is None
    ]
    assert waiting
    for snapshot in waiting:
        assert snapshot.view is not None
        assert snapshot.view.claim is not None
        assert (Shows.PENDING, snapshot.view.claim.side) in lit(snapshot)
        assert lit_pin_leds(snapshot, BOARD, 0.3).until == inf


@pytest.mark.parametrize(("games", "shown"), [((0, 0), set()), ((1, 0), {BLUE}), ((2, 3), {BLUE, RED})])
def test_a_won_game_of_the_match_lights_the_led_of_its_side(games: tuple[int, int], shown: set[int]) -> None:
    snapshot = replace(MOMENTS["trust"], games=games)
    assert {side for shows, side in lit(snapshot) if shows is Shows.GAMES} == shown


def test_nobody_is_asked_between_two_games_and_a_board_that_is_switched_off_is_dark() -> None:
    between = replace(MOMENTS["trust"], mode=Lobby.AGAIN, games=(1, 0))
    assert not {side for shows, side in lit(between) if shows is Shows.TURN}
    assert lit(replace(between, mode=SwitchedOff())) == set()


def test_the_screen_names_the_step_key_where_the_holes_have_no_buttons() -> None:
    def drawn(snapshot: Snapshot) -> bytes:
        presenter = OledPresenter(BOARD, turns=False, clock=ManualClock(), show=lambda picture, *, dim: None)
        return presenter.draw(snapshot).tobytes()

    counting = next(s for s in MOMENTS.values() if s.view and s.view.prompt.kind is PromptKind.RELEASE)
    assert drawn(replace(counting, steps=True)) != drawn(counting)
    assert drawn(Snapshot(steps=True)) == drawn(Snapshot())


@given(st.floats(0, 1e7))
async def test_an_led_keeps_blinking_whatever_the_clock_says(begun: float) -> None:
    view = MOMENTS["trust"].view
    assert view is not None
    clock, shown = ManualClock(), list[frozenset[int]]()
    await clock.advance(begun)
    presenter = LedPresenter(BOARD, gamma=2.2, settings=Settings, clock=clock, send=lambda _: None, light=shown.append)
    presenter.publish(Snapshot(view=replace(view, sides=(replace(view.sides[0], in_hand=8), view.sides[1]))))
    for _ in range(40):
        await clock.advance(0.075)
    presenter.darken()
    [pending] = [led.gpio for led in BOARD.leds if (led.shows, led.side) == (Shows.PENDING, BLUE)]
    is_on = [pending in gpios for gpios in shown]
    assert 10 <= sum(on != before for before, on in pairwise(is_on)) <= 14
