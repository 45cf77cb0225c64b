"""Computes the colour of each LED for a snapshot.

The same snapshot at the same moment gives the same colours; what is due changes none. Each meaning has a place or a
rhythm of its own, so that no player needs to tell colours apart (rules reference, 7.1, 7.12 and 7.20; design law 5):

- a board that is switched off is dark
- a track has the colour of its side and is dark where no side plays
- the front peg is bright, the back peg dim, the game hole faint
- a peg in hand and a press that is not committed blink
- lamps are warm white: dealer and second lap; won games have the colour of the side
- the count judge lights the hole that was called, and the pegs stay; in a review the pegs stand as they stood then
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from cribboard.events import GameWon
from cribboard.view import SideView, View
from cribd.boards import Board, Spot, Track
from cribd.drivers.strip_encoder import LedColour
from cribd.table.snapshot import Snapshot, SwitchedOff

# Levels: how bright an LED looks to the eye, 0 to 255.
_FRONT_PEG = 255
_BACK_PEG = 90
_GAME_HOLE = 40
_LAMP = 150
_GAMES_WON = 110

_WARM_WHITE = (255, 180, 90)  # no side has it, so that no lamp is taken for a peg

#: How long a blinking LED is lit, and then dark. It is lit first, so that a press is answered at once.
BLINK_S = 0.25
_WAVE_S = 4.0
_WAVE_STEP_S = 1 / 32
_WAVE_RUNS = 3
_WAVE_LENGTH = 14  # holes

#: The target that a board shows before its first game.
_FULL_GAME = 121


class LedFrame(NamedTuple):
    """The colours of the LEDs until their next change.

    LEDs without a colour are dark. `until` is in seconds, on the scale of the `seconds` asked for; infinite while
    nothing changes by itself."""

    colours: dict[int, LedColour]
    until: float


def is_won(view: View | None) -> bool:
    """Whether the game has just been won."""
    return view is not None and any(isinstance(event, GameWon) for event in view.said)


def led_colours(snapshot: Snapshot, board: Board, seconds: float, *, since_win: float | None = None) -> LedFrame:
    """Return the colours `seconds` after the snapshot was first shown.

    A new snapshot begins at 0, so that what blinks is lit at once. The winner's wave goes on from one snapshot to the
    next: `since_win` is how many seconds ago the game was won, `seconds` without it. Nothing changes before `until`.
    """
    if isinstance(snapshot.mode, SwitchedOff) or not board.strip.count:
        return LedFrame({}, inf)
    view = snapshot.view if snapshot.looking is None else snapshot.looking.view
    target = _FULL_GAME if view is None else view.target
    colours = _steady_colours(snapshot, view, board, target)
    blinking = _blinking_spots(snapshot, view, board, target)
    if blinking:
        phase, rest = divmod(seconds, BLINK_S)
        for track, spot in blinking:
            _blink(colours, track, spot, on=int(phase) % 2 == 0)
        return LedFrame(colours, seconds - rest + BLINK_S)
    since_win = seconds if since_win is None else since_win
    if view is not None and since_win < _WAVE_S and is_won(view):
        step = int(since_win / _WAVE_STEP_S)
        for track in board.tracks:
            if track.side == view.winner:
                _add_wave(colours, track, step, target)
        return LedFrame(colours, seconds - since_win + min(_WAVE_S, (step + 1) * _WAVE_STEP_S))
    return LedFrame(colours, inf)


def _steady_colours(snapshot: Snapshot, view: View | None, board: Board, target: int) -> dict[int, LedColour]:
    """Return the colours that do not blink."""
    colours: dict[int, LedColour] = {}
    sides = (SideView(0, 0),) * len(snapshot.games) if view is None else view.sides
    games_won = dict(enumerate(snapshot.games))
    for track, pegs in zip(board.tracks, sides, strict=False):
        for lamp in track.matches[: games_won.get(track.side, 0)]:
            colours[lamp.led] = LedColour(*track.colour, _GAMES_WON)
        if view is not None and view.dealer_side == track.side and track.dealer_lamp is not None:
            colours[track.dealer_lamp.led] = LedColour(*_WARM_WHITE, _LAMP)
        if track.lap_lamp is not None and board.lap_of(pegs.score, target) > 1:
            colours[track.lap_lamp.led] = LedColour(*_WARM_WHITE, _LAMP)
        _add_pegs(colours, board, track, pegs, target)
    called = snapshot.judging.called if snapshot.judging is not None else None
    if called is not None and called.spot is not None:
        track, hole = board.tracks[called.spot[0]], called.spot[1]
        colours[track.holes[hole - 1].led] = LedColour(*track.colour, _FRONT_PEG)
    return colours


def _add_pegs(colours: dict[int, LedColour], board: Board, track: Track, pegs: SideView, target: int) -> None:
    """Add a side's pegs and game hole to `colours`.

    The front peg hides a peg in the same hole. A back peg in hand is left out, except if it is in hand for 0 points."""
    goal = track.holes[board.hole_of(target, target) - 1]
    colours[goal.led] = LedColour(*_WARM_WHITE, _GAME_HOLE)
    if pegs.in_hand is None or pegs.in_hand == pegs.score:
        back = 0 if pegs.score else 1
        colours[board.spot_of_score(track, pegs.back, target, start=back).led] = LedColour(*track.colour, _BACK_PEG)
    colours[board.spot_of_score(track, pegs.score, target).led] = LedColour(*track.colour, _FRONT_PEG)


def _blinking_spots(snapshot: Snapshot, view: View | None, board: Board, target: int) -> list[tuple[Track, Spot]]:
    sides = () if view is None else view.sides
    spots = [
        (track, board.spot_of_score(track, pegs.in_hand, target))
        for track, pegs in zip(board.tracks, sides, strict=False)
        if pegs.in_hand is not None
    ]
    if snapshot.pending is not None and snapshot.pending.hole:  # a step key may put the peg back to the start
        track = board.tracks[snapshot.pending.track]
        spots.append((track, track.holes[snapshot.pending.hole - 1]))
    return spots


def _blink(colours: dict[int, LedColour], track: Track, spot: Spot, *, on: bool) -> None:
    """Light this hole brightly if `on`.

    If not `on`, dim a front peg in this hole: one stands there if zero points are in hand."""
    front = LedColour(*track.colour, _FRONT_PEG)
    if on:
        colours[spot.led] = front
    elif colours.get(spot.led) == front:
        colours[spot.led] = LedColour(*track.colour, _BACK_PEG)


def _add_wave(colours: dict[int, LedColour], track: Track, step: int, target: int) -> None:
    """Draw one step of the winner's wave."""
    holes = track.holes[:target]
    head = round(step * _WAVE_STEP_S / _WAVE_S * _WAVE_RUNS * len(holes))
    for behind in range(_WAVE_LENGTH):
        if head - behind >= 0:
            spot = holes[(head - behind) % len(holes)]
            colours[spot.led] = LedColour(*track.colour, _FRONT_PEG * (_WAVE_LENGTH - behind) // _WAVE_LENGTH)
