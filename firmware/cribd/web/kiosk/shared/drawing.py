"""The geometry of the board as JSON (design law 8).

It has no wires, keys or lights, and nothing of a game: a page places the pegs itself. A board without holes is drawn
with those of the continuous or the triple board.
"""

from __future__ import annotations

from typing import Any

from cribd.boards import NAMES, Board, Spot, Track, load
from cribd.boards.board import WoodLabel


def drawing(board: Board) -> dict[str, Any]:
    """Return the drawing of a board as JSON values.

    Positions are `[x, y]` in millimetres from the top left corner; hole 1 comes first. A score s is in hole
    (s - 1) % holes + 1; the game hole, where a full game ends, is separate.
    """
    name = board.name
    if not board.strip.count:
        board = load(with_tracks(len(board.tracks)))
    return {
        "name": name,
        "width": board.width_mm,
        "height": board.height_mm,
        "pitch": board.pitch_mm,
        "laps": board.laps,
        "tracks": [_track(track) for track in board.tracks],
        "labels": [{"text": label.text, "at": _place(label)} for label in board.labels],
    }


def drawings(own: Board) -> dict[str, dict[str, Any]]:
    """Return the drawings of the built-in boards and `own`, by name."""
    return {board.name: drawing(board) for board in (*map(load, NAMES), own)}


def with_tracks(tracks: int) -> str:
    """Return the name of the built-in board with this many tracks.

    It is a board of one lap."""
    return "continuous" if tracks == 2 else "triple"


def _track(track: Track) -> dict[str, Any]:
    """Convert a track to JSON.

    `start` begins with the back peg's hole; `lap` is the second lap's lamp, or None."""
    front, back = track.starts
    assert track.dealer_lamp is not None  # it has a strip
    return {
        "name": track.name,
        "side": track.side,
        "start": [_place(back), _place(front)],
        "holes": [_place(hole) for hole in track.holes[:-1]],
        "game": _place(track.holes[-1]),
        "match": [_place(hole) for hole in track.matches],
        "dealer": _place(track.dealer_lamp),
        "lap": None if track.lap_lamp is None else _place(track.lap_lamp),
    }


def _place(spot: Spot | WoodLabel) -> list[float]:
    return [round(spot.x_mm, 2), round(spot.y_mm, 2)]
