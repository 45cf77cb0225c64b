"""The pegs and lamps: what the table shows, as the lights that glow.

Pure: the same snapshot at the same moment gives the same lights. It never touches the strip, and knows nothing of what
is due. Each meaning has a place or a rhythm of its own, so nobody need tell one colour from another: a track is a
side's own and dark where nobody plays, the front peg bright, the back peg dim, the hole to be reached only glows, and
what is not settled blinks (rules reference, 7.1, 7.12 and 7.20; design law 5). While the count judge is open the hole
that was called is lit, and the pegs stand as they stood. While somebody looks back they stand where they stood then.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from cribboard.events import GameWon
from cribboard.view import SideView, View
from cribd.boards import Board, Spot, Track
from cribd.drivers.led_strip import Light
from cribd.table.snapshot import Snapshot

# How bright, as the eye sees it, 0 to 255.
_FRONT = 255
_BACK = 90
_GOAL = 40
_LAMP = 150
_MATCH = 110

_WARM = (255, 180, 90)  # the lamps are white, so that none is taken for a peg

_BLINK_S = 0.25  # on, and as long off; on first, so that a finger is answered at once
_WAVE_S = 4.0
_WAVE_STEP_S = 1 / 32
_RUNS = 3  # how often the wave runs round
_TAIL = 14  # holes

#: The target that a board shows while no game has said another.
_FULL_GAME = 121


class Glow(NamedTuple):
    """The lights by LED number (an LED that is not named stays dark), and how long they stay so.

    `until` is in seconds on the same scale as was asked for; infinite while nothing blinks.
    """

    lights: dict[int, Light]
    until: float


def is_won(snapshot: Snapshot) -> bool:
    """Whether the game has just been won, and nobody has done anything since."""
    return snapshot.view is not None and _says_it_is_won(snapshot.view)


def _says_it_is_won(view: View) -> bool:
    return any(isinstance(event, GameWon) for event in view.said)


def lights(snapshot: Snapshot, board: Board, seconds: float, *, since_win: float | None = None) -> Glow:
    """What glows `seconds` after this snapshot was first shown.

    A new snapshot begins again at 0, so that whatever begins to blink is lit at once; the winner's wave does not, so it
    is told how long ago the win was, if that was not when this was first shown. Call again when `until` is reached, or
    when there is a new snapshot; between the two nothing changes.
    """
    glowing: dict[int, Light] = {}
    view = snapshot.view if snapshot.looking is None else snapshot.looking.view
    target = _FULL_GAME if view is None else view.target
    sides = (SideView(0, 0),) * len(snapshot.games) if view is None else view.sides
    games = dict(enumerate(snapshot.games))
    for track, pegs in zip(board.tracks, sides, strict=False):
        for lamp in track.matches[: games.get(track.side, 0)]:
            glowing[lamp.led] = _light(track, _MATCH)
        if view is not None and view.dealer_side == track.side:
            glowing[track.dealer_lamp.led] = Light(*_WARM, _LAMP)
        if track.lap_lamp is not None and board.lap_of(pegs.score, target) > 1:
            glowing[track.lap_lamp.led] = Light(*_WARM, _LAMP)
        _stand(glowing, board, track, pegs, target)

    called = snapshot.judging.called if snapshot.judging is not None else None
    if called is not None and called.spot is not None:
        track, hole = board.tracks[called.spot[0]], called.spot[1]
        glowing[track.holes[hole - 1].led] = _light(track, _FRONT)

    loose = _loose(snapshot, view, board, target)
    if loose:
        phase, rest = divmod(seconds, _BLINK_S)
        for track, spot in loose:
            _blink(glowing, track, spot, on=int(phase) % 2 == 0)
        return Glow(glowing, seconds - rest + _BLINK_S)
    since_win = seconds if since_win is None else since_win
    if view is not None and since_win < _WAVE_S and _says_it_is_won(view):
        step = int(since_win / _WAVE_STEP_S)
        for track in board.tracks:
            if track.side == view.winner:
                _wave(glowing, track, step, target)
        return Glow(glowing, seconds - since_win + min(_WAVE_S, (step + 1) * _WAVE_STEP_S))
    return Glow(glowing, inf)


def _light(track: Track, level: int) -> Light:
    return Light(*track.colour, level)


def _stand(glowing: dict[int, Light], board: Board, track: Track, pegs: SideView, target: int) -> None:
    """The hole to be reached, and over it the pegs that stand in the wood. A peg in hand is the back peg, lifted."""
    goal = track.holes[board.hole_of(target, target) - 1]
    glowing[goal.led] = Light(*_WARM, _GOAL)
    if pegs.in_hand is None or pegs.in_hand == pegs.score:
        back = 0 if pegs.score else 1
        glowing[_spot(board, track, pegs.back, target, start=back).led] = _light(track, _BACK)
    glowing[_spot(board, track, pegs.score, target).led] = _light(track, _FRONT)


def _spot(board: Board, track: Track, score: int, target: int, *, start: int = 0) -> Spot:
    hole = board.hole_of(score, target)
    return track.holes[hole - 1] if hole else track.starts[start]


def _loose(snapshot: Snapshot, view: View | None, board: Board, target: int) -> list[tuple[Track, Spot]]:
    """What is not settled: the hole of a peg in hand, and that of a press which is not committed yet."""
    loose = []
    sides = () if view is None else view.sides
    for track, pegs in zip(board.tracks, sides, strict=False):
        if pegs.in_hand is not None:
            loose.append((track, _spot(board, track, pegs.in_hand, target)))
    if snapshot.pending is not None:
        track = board.tracks[snapshot.pending.track]
        loose.append((track, track.holes[snapshot.pending.hole - 1]))
    return loose


def _blink(glowing: dict[int, Light], track: Track, spot: Spot, *, on: bool) -> None:
    """Bright, or what is there otherwise; a front peg that blinks (a zero in hand) only grows dim."""
    front = _light(track, _FRONT)
    if on:
        glowing[spot.led] = front
    elif glowing.get(spot.led) == front:
        glowing[spot.led] = _light(track, _BACK)


def _wave(glowing: dict[int, Light], track: Track, step: int, target: int) -> None:
    """A comet of the winner's colour runs along the holes that were played for, over whatever glows there."""
    holes = track.holes[:target]
    head = round(step * _WAVE_STEP_S / _WAVE_S * _RUNS * len(holes))
    for behind in range(_TAIL):
        if head - behind >= 0:
            spot = holes[(head - behind) % len(holes)]
            glowing[spot.led] = _light(track, _FRONT * (_TAIL - behind) // _TAIL)
