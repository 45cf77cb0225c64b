"""Which LEDs are lit on a board with three tracks, when three sides play and when two do."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.moments import moments
from tests.support.spots import HOLED, spots_of

from cribboard.view import SideView, View
from cribd.boards import Board, Track, load
from cribd.display.led_colours import led_colours
from cribd.drivers.strip_encoder import LedColour, StripEncoder
from cribd.table.snapshot import Lobby, Pending, Snapshot

TRIPLE = load("triple")
BLUE, RED, GREEN = TRIPLE.tracks
MOMENTS = moments()


def seen(name: str) -> View:
    view = MOMENTS[name].view
    assert view is not None
    return view


def standing(*scores: int, dealer_side: int | None = None, **manners: object) -> Snapshot:
    """A game in which the sides stand so, each with its back peg two holes behind."""
    sides = tuple(SideView(score, max(0, score - 2)) for score in scores)
    view = replace(seen("trust"), sides=sides, dealer_side=dealer_side)
    return replace(Snapshot(view=view, games=(0,) * len(scores)), **manners)  # type: ignore[arg-type]


def glow(snapshot: Snapshot, seconds: float = 0.0, board: Board = TRIPLE) -> dict[int, LedColour]:
    return led_colours(snapshot, board, seconds).colours


def lit(snapshot: Snapshot, track: Track, seconds: float = 0.0) -> set[int]:
    """Which lights of a track burn."""
    return {spot.led for spot in spots_of(track)} & glow(snapshot, seconds).keys()


def test_each_side_stands_on_its_own_track_in_its_own_colour() -> None:
    shining = glow(standing(31, 46, 77))
    for track, hole in ((BLUE, 31), (RED, 46), (GREEN, 77)):
        assert shining[track.holes[hole - 1].led] == LedColour(*track.colour, 255)
        assert shining[track.holes[hole - 3].led][:3] == track.colour
    assert len(shining) == 9, "two pegs and the game hole of each, and nothing else"


def test_when_two_sides_play_the_third_track_stays_dark_with_its_lamps() -> None:
    for dealer in (0, 1):
        snapshot = standing(31, 46, dealer_side=dealer)
        assert lit(snapshot, BLUE)
        assert lit(snapshot, RED)
        assert lit(snapshot, GREEN) == set()


def test_games_of_a_side_that_does_not_play_now_are_not_shown() -> None:
    assert lit(standing(31, 46, games=(1, 2, 3)), GREEN) == set()


def test_before_the_first_game_the_tracks_of_the_match_wait_at_their_starts() -> None:
    two, three = (Snapshot(mode=Lobby.START, games=(0,) * sides) for sides in (2, 3))
    assert lit(two, GREEN) == set()
    assert {spot.led for spot in GREEN.starts} <= lit(three, GREEN)


def test_games_may_be_fewer_than_the_sides_that_play() -> None:
    shining = glow(standing(31, 46, 77, games=(1, 2)))
    assert BLUE.matches[0].led in shining
    assert RED.matches[1].led in shining
    assert not {spot.led for spot in GREEN.matches} & shining.keys()


@pytest.mark.parametrize(("won", "burning"), [(0, 0), (3, 3), (7, 7), (8, 7), (30, 7)])
def test_the_match_lamps_are_the_games_won_and_seven_at_the_most(won: int, burning: int) -> None:
    shining = glow(standing(0, 0, 0, games=(0, 0, won)))
    assert [spot.led in shining for spot in GREEN.matches] == [True] * burning + [False] * (7 - burning)


@pytest.mark.parametrize("side", [0, 1, 2])
def test_the_lamp_of_the_side_that_deals_burns_alone(side: int) -> None:
    shining = glow(standing(31, 46, 77, dealer_side=side))
    assert [lamp.led in shining for track in TRIPLE.tracks if (lamp := track.dealer_lamp)] == [
        n == side for n in range(3)
    ]


def test_a_press_on_the_third_track_blinks_in_its_colour() -> None:
    pending = standing(31, 46, 77, pending=Pending(2, 85))
    assert glow(pending)[GREEN.holes[84].led] == LedColour(*GREEN.colour, 255)
    assert GREEN.holes[84].led not in glow(pending, 0.3)


def test_a_peg_in_hand_of_the_third_side_blinks() -> None:
    snapshot = standing(31, 46, 77)
    assert snapshot.view is not None
    sides = (*snapshot.view.sides[:2], SideView(77, 75, 89))
    lifted = replace(snapshot, view=replace(snapshot.view, sides=sides))
    assert GREEN.holes[88].led in glow(lifted)
    assert GREEN.holes[88].led not in glow(lifted, 0.3)
    assert GREEN.holes[74].led not in glow(lifted)


def test_the_wave_runs_along_the_track_of_the_side_that_won_and_no_other() -> None:
    won = replace(seen("won"), sides=(SideView(90, 88), SideView(100, 98), SideView(121, 119)), winner=2)
    snapshot = Snapshot(view=won, games=(0, 0, 1))
    early, late = led_colours(snapshot, TRIPLE, 1.0), led_colours(snapshot, TRIPLE, 4.0)
    assert late.until == inf
    assert len(lit(snapshot, GREEN, 1.0)) > len(lit(snapshot, GREEN, 4.0))
    for track in (BLUE, RED):
        assert all(early.colours.get(spot.led) == late.colours.get(spot.led) for spot in spots_of(track))


@pytest.mark.parametrize(("name", "end"), [("continuous", 61), ("triple", 61), ("classic", 61)])
def test_in_a_game_to_61_goal_peg_and_wave_end_there(name: str, end: int) -> None:
    board = load(name)
    won = replace(seen("won"), target=61, sides=(SideView(61, 55), SideView(40, 38)), winner=0)
    track = board.tracks[0]
    beyond = {spot.led for spot in track.holes[end:]}
    for step in range(160):
        assert not beyond & glow(Snapshot(view=won), step / 32, board).keys()
    assert glow(Snapshot(view=won), 5.0, board)[track.holes[end - 1].led] == LedColour(*track.colour, 255)
    assert glow(standing_to_61(), 0.0, board)[track.holes[end - 1].led].level < 60


def standing_to_61() -> Snapshot:
    snapshot = standing(20, 30)
    assert snapshot.view is not None
    return replace(snapshot, view=replace(snapshot.view, target=61))


@given(
    board=st.sampled_from([load(name) for name in HOLED]),
    scores=st.lists(st.integers(0, 121), min_size=2, max_size=3),
    games=st.lists(st.integers(0, 20), max_size=3),
    dealer=st.none() | st.integers(0, 2),
    seconds=st.floats(0, 10),
)
def test_whatever_is_played_every_light_is_one_of_the_board(
    board: Board, scores: list[int], games: list[int], dealer: int | None, seconds: float
) -> None:
    snapshot = standing(*scores, dealer_side=dealer, games=tuple(games))
    shining = glow(snapshot, seconds, board)
    StripEncoder(board.strip).encode(shining)
    assert shining.keys() <= {spot.led for track in board.tracks[: len(scores)] for spot in spots_of(track)}
