"""Which LEDs are lit when two sides play, on every board: pegs, lamps, blinking, and for how long nothing changes."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.moments import BLUE, RED, Story, moments
from tests.support.spots import HOLED

from cribboard.actions import AcceptResult, NameDealer, TakePegInHand
from cribboard.view import SideView
from cribd.boards import Board, Spot, load
from cribd.display.led_colours import LedFrame, led_colours
from cribd.drivers.strip_encoder import LedColour, StripEncoder
from cribd.table.snapshot import Lobby, Pending, Snapshot

MOMENTS = moments()
WAVE_S = 4.0

SOFT, DIM, BRIGHT = "soft", "dim", "bright"


@pytest.fixture(params=HOLED)
def board(request: pytest.FixtureRequest) -> Board:
    return load(request.param)


def standing(score: int, back: int = 0, *, in_hand: int | None = None, side: int = BLUE) -> Snapshot:
    """A game under way in which one side stands so and the other has not moved."""
    view = MOMENTS["trust"].view
    assert view is not None
    sides = [SideView(0, 0), SideView(0, 0)]
    sides[side] = SideView(score, back, in_hand)
    return Snapshot(view=replace(view, sides=tuple(sides)))


def names(board: Board) -> dict[int, str]:
    """What each LED lights."""
    named: dict[int, str] = {}

    def name(spots: tuple[Spot, ...], what: str) -> None:
        named.update({spot.led: f"{what} {number}" for number, spot in enumerate(spots, start=1)})

    for track in board.tracks:
        name(track.starts, f"{track.name} start")
        name(track.holes, f"{track.name} hole")
        name(track.matches, f"{track.name} match")
        for lamp, what in ((track.dealer_lamp, "dealer"), (track.lap_lamp, "lap")):
            if lamp is not None:
                named[lamp.led] = f"{track.name} {what}"
    return named


def glowing(snapshot: Snapshot, board: Board, seconds: float = 0.0) -> dict[str, str]:
    """What glows, and how strongly; an LED that lights nothing would show as such."""
    named = names(board)
    strength = dict.fromkeys(range(1, 60), SOFT) | dict.fromkeys(range(60, 130), DIM)
    return {
        named.get(led, f"LED {led}"): strength.get(light.level, BRIGHT)
        for led, light in led_colours(snapshot, board, seconds).colours.items()
    }


def of_side(snapshot: Snapshot, board: Board, side: int = BLUE, seconds: float = 0.0) -> dict[str, str]:
    name = board.tracks[side].name + " "
    return {
        what.removeprefix(name): how for what, how in glowing(snapshot, board, seconds).items() if what.startswith(name)
    }


def goal(board: Board) -> str:
    return f"hole {board.game_hole}"


def test_before_anything_is_scored_both_pegs_stand_in_the_start_holes(board: Board) -> None:
    seen = of_side(standing(0), board, RED)
    assert seen == {"start 1": BRIGHT, "start 2": DIM, goal(board): SOFT}


def test_the_first_peg_leaves_and_the_other_one_becomes_the_back_peg(board: Board) -> None:
    seen = of_side(standing(8, 0, side=RED), board, RED)
    assert seen == {"hole 8": BRIGHT, "start 1": DIM, goal(board): SOFT}


def test_the_front_peg_is_bright_and_the_back_peg_dim(board: Board) -> None:
    seen = of_side(standing(46, 38), board)
    assert (seen["hole 46"], seen["hole 38"]) == (BRIGHT, DIM)


def test_both_pegs_of_a_side_have_its_colour(board: Board) -> None:
    for side, track in enumerate(board.tracks[:2]):
        glow = led_colours(standing(46, 38, side=side), board, 0).colours
        for hole in (46, 38):
            assert glow[track.holes[hole - 1].led][:3] == track.colour


def test_a_peg_in_hand_blinks_in_its_new_hole_and_is_no_longer_behind(board: Board) -> None:
    snapshot = standing(46, 38, in_hand=54)
    on, off = (of_side(snapshot, board, seconds=seconds) for seconds in (0.0, 0.3))
    assert (on.get("hole 54"), off.get("hole 54")) == (BRIGHT, None)
    assert "hole 38" not in on
    assert on["hole 46"] == off["hole 46"] == BRIGHT


def test_a_zero_in_hand_makes_the_front_peg_itself_blink_and_leaves_the_other(board: Board) -> None:
    snapshot = standing(46, 38, in_hand=46)
    assert [of_side(snapshot, board, seconds=s)["hole 46"] for s in (0.0, 0.3)] == [BRIGHT, DIM]
    assert of_side(snapshot, board)["hole 38"] == DIM


def test_a_press_that_is_not_committed_blinks_and_moves_no_peg(board: Board) -> None:
    calm = standing(46, 38)
    pending = replace(calm, pending=Pending(BLUE, 54))
    assert of_side(pending, board) == of_side(calm, board) | {"hole 54": BRIGHT}
    assert of_side(pending, board, seconds=0.3) == of_side(calm, board)
    assert of_side(pending, board, RED) == of_side(calm, board, RED)


def test_a_blinking_light_begins_lit(board: Board) -> None:
    """A finger is answered at once (figures of the first board): the blinking may not begin with darkness."""
    track = board.tracks[RED]
    for hole in (1, 29, board.game_hole):
        pending = replace(standing(0), pending=Pending(RED, hole))
        assert led_colours(pending, board, 0.0).colours[track.holes[hole - 1].led] == LedColour(*track.colour, 255)


@pytest.mark.parametrize("name", MOMENTS)
def test_colours_change_at_the_time_that_the_frame_names_and_not_before(name: str, board: Board) -> None:
    seconds = 0.0
    for _ in range(300):
        glow = led_colours(MOMENTS[name], board, seconds)
        assert glow.until > seconds
        if glow.until == inf:
            assert led_colours(MOMENTS[name], board, seconds + 1e6) == glow
            break
        assert led_colours(MOMENTS[name], board, (seconds + glow.until) / 2) == glow
        assert led_colours(MOMENTS[name], board, glow.until).colours != glow.colours or seconds < WAVE_S
        seconds = glow.until


@given(st.floats(0, 1e6, allow_nan=False))
def test_the_next_change_is_always_later_than_now(seconds: float) -> None:
    assert led_colours(standing(46, 38, in_hand=54), load("classic"), seconds).until > seconds
    assert led_colours(MOMENTS["won"], load("classic"), seconds).until > seconds


def test_a_board_without_blinking_has_no_next_frame(board: Board) -> None:
    assert led_colours(standing(46, 38), board, 0.0).until == inf


def test_only_the_dealing_side_has_its_dealer_lamp_lit(board: Board) -> None:
    story = Story("trust").do(NameDealer(RED))
    lamps = {what for what in glowing(story.shows(), board) if "dealer" in what}
    assert lamps == {"red dealer"}


def test_the_match_lamps_are_the_games_won(board: Board) -> None:
    seen = glowing(replace(standing(0), games=(3, 7)), board)
    assert {what for what in seen if "match" in what} == {
        *(f"blue match {n}" for n in (1, 2, 3)),
        *(f"red match {n}" for n in range(1, 8)),
    }


def test_a_match_that_was_won_by_a_skunk_has_no_more_lamps_than_the_board(board: Board) -> None:
    seen = glowing(replace(standing(0), games=(8, 0)), board)
    assert sum("blue match" in what for what in seen) == 7


def test_a_board_that_waits_shows_its_pegs_at_the_start_and_the_games_won(board: Board) -> None:
    seen = glowing(Snapshot(mode=Lobby.START, games=(1, 0)), board)
    assert {"blue start 1", "blue start 2", "red start 1", "red start 2", "blue match 1"} <= set(seen)
    assert not {what for what in seen if "dealer" in what}


class TestTwoLaps:
    board = load("classic")

    def test_the_lap_lamp_shows_the_second_lap(self) -> None:
        assert of_side(standing(60, 52), self.board).keys() >= {"hole 60", "hole 52"}
        assert "lap" not in of_side(standing(60, 52), self.board)
        second = of_side(standing(74, 66), self.board)
        assert (second["hole 14"], second["hole 6"], second["lap"]) == (BRIGHT, DIM, BRIGHT)

    def test_a_peg_in_hand_past_the_first_lap_lights_no_lap_lamp_yet(self) -> None:
        seen = of_side(standing(55, 50, in_hand=64), self.board)
        assert seen["hole 4"] == BRIGHT
        assert "lap" not in seen

    def test_the_front_peg_outshines_what_stands_in_the_same_hole(self) -> None:
        assert of_side(standing(65, 5), self.board)["hole 5"] == BRIGHT

    def test_a_short_game_glows_where_it_ends(self) -> None:
        view = standing(0).view
        assert view is not None
        short = Snapshot(view=replace(view, target=31))
        assert of_side(short, self.board)["hole 31"] == SOFT

    def test_a_game_of_one_lap_ends_in_the_game_hole(self) -> None:
        view = standing(58, 52).view
        assert view is not None
        short = Snapshot(view=replace(view, target=61))
        holes = {what: how for what, how in of_side(short, self.board).items() if "hole" in what}
        assert holes == {"hole 58": BRIGHT, "hole 52": DIM, "hole 61": SOFT}


class TestTheWin:
    def test_a_wave_of_the_winners_colour_runs_along_its_track_and_then_the_peg_stands(self, board: Board) -> None:
        won = MOMENTS["won"]
        track = board.tracks[BLUE]
        visited = set()
        seconds = 0.0
        while (glow := led_colours(won, board, seconds)).until != inf:
            visited |= {led for led, light in glow.colours.items() if light == LedColour(*track.colour, 255)}
            seconds = glow.until
        assert seconds == WAVE_S
        assert len(visited & {spot.led for spot in track.holes}) > len(track.holes) / 2
        after = of_side(won, board, seconds=WAVE_S)
        assert after[goal(board)] == BRIGHT
        assert {how for what, how in after.items() if what.startswith("hole")} <= {BRIGHT, DIM}

    def test_the_other_side_keeps_its_pegs_meanwhile(self, board: Board) -> None:
        won = MOMENTS["won"]
        assert of_side(won, board, RED, 1.0) == of_side(won, board, RED, WAVE_S)

    def test_the_first_ok_to_the_result_ends_the_celebration(self, board: Board) -> None:
        assert led_colours(MOMENTS["won-agreed"], board, 0.0).until == inf

    def test_the_wave_runs_until_the_winner_accepts_the_result(self, board: Board) -> None:
        story = Story("trust").do(NameDealer(BLUE)).peg(RED, 29, 29, 29, 29, 5)
        seen = of_side(story.shows(), board, RED, 2.0)
        assert len(seen) > 10
        story.do(AcceptResult(RED))
        assert len(of_side(story.shows(), board, RED, 2.0)) < 10


def test_every_light_can_be_sent_within_the_budget(board: Board) -> None:
    """No LED is named that the strip does not have, at any moment."""
    encoder = StripEncoder(board.strip)
    for snapshot in MOMENTS.values():
        for seconds in (0.0, 0.3, 1.7):
            encoder.encode(led_colours(snapshot, board, seconds).colours)


def test_front_peg_back_peg_and_game_hole_differ_on_the_wire() -> None:
    board = load("continuous")
    frame = StripEncoder(board.strip).encode(led_colours(standing(46, 38), board, 0).colours)

    def power(spot: Spot) -> int:
        head, *colours = frame[4 + 4 * spot.led : 8 + 4 * spot.led]
        return (head & 31) * max(colours)

    track = board.tracks[BLUE]
    front, back, aim = (power(track.holes[hole - 1]) for hole in (46, 38, 121))
    assert front > 4 * back > 8 * aim > 0


def test_the_lights_of_two_counts_that_differ_only_in_what_is_due_are_the_same(board: Board) -> None:
    """7.22: until the peg is let go, a right call and a wrong one glow alike, hole for hole."""

    def lifted(points: int) -> LedFrame:
        story = Story("verify", dealer=RED).starter("9D").lay(BLUE, "5H TC").do(TakePegInHand(RED, points))
        return led_colours(story.shows(), board, 0)

    track = board.tracks[RED]
    right, wrong = lifted(2).colours, lifted(4).colours
    assert right.pop(track.holes[1].led) == wrong.pop(track.holes[3].led)
    assert right == wrong


def test_a_zero_said_at_the_show_blinks_too(board: Board) -> None:
    assert led_colours(MOMENTS["zero"], board, 0.0).until < 1
