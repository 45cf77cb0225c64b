"""Draws a board as SVG from its geometry; one unit is one millimetre.

The drawing shows what is on the board, and nothing else (design law 8). All lights are out; the twin's page shows
which ones glow.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from cribd.boards import Board, KeyPin, Spot, Track

Point = tuple[float, float]
Direction = tuple[float, float, float]

MATERIALS = "materials.svg"
"""Wood, brass and letters: what the drawing is made of, beside this module."""


def drawing(board: Board) -> str:
    """Return an SVG document of the board from above."""
    width, height = board.width_mm, board.height_mm
    view = f'viewBox="-6 -6 {_n(width + 12)} {_n(height + 14)}"'
    size = f'width="{_n(2 * width + 24)}" height="{_n(2 * height + 28)}"'
    materials = Path(__file__).with_name(MATERIALS).read_text(encoding="utf-8")
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {view} {size} role="img" aria-label="The {board.name} board">',
        *materials.strip().splitlines()[1:-1],
        *_wood(width, height),
        *_plate(board),
        *(line for track in board.tracks for line in _ribbon(track, board.pitch_mm)),
        *(f'<text class="number" x="{_n(at.x_mm)}" y="{_n(at.y_mm + 1.05)}">{at.text}</text>' for at in board.labels),
        *(line for track in board.tracks for line in _lights(track)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _rgb(colour: tuple[int, int, int], wood: float) -> str:
    """Return the colour of a track as paint on wood, mixed with the share `wood` of brown."""
    mixed = (round(part * (1 - wood) + brown * wood) for part, brown in zip(colour, (92, 56, 28), strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _wood(width: float, height: float) -> Iterable[str]:
    size = f'width="{_n(width)}" height="{_n(height)}" rx="9"'
    yield f'<rect x="0" y="2.4" {size} fill="#2a170a" opacity=".35" filter="url(#raised)"/>'
    yield f'<rect {size} fill="url(#wood)"/>'
    yield f'<rect {size} fill="#000" filter="url(#grain)"/>'
    yield f'<rect x=".4" y=".4" width="{_n(width - 0.8)}" height="{_n(height - 0.8)}" rx="8.6" fill="none" '
    yield 'stroke="#f3d7a6" stroke-opacity=".3" stroke-width=".6"/>'
    yield f'<rect x="4" y="4" width="{_n(width - 8)}" height="{_n(height - 8)}" rx="6" fill="none" '
    yield 'stroke="url(#brass)" stroke-opacity=".8" stroke-width=".5"/>'


def _plate(board: Board) -> Iterable[str]:
    """Yield the dark plate that carries the keys and the screen."""
    right = max([key.x_mm for key in board.keys] + [board.oled.x_mm + 14]) + 8
    yield f'<rect x="4" y="4" width="{_n(right - 4)}" height="{_n(board.height_mm - 8)}" rx="6" fill="url(#plate)" '
    yield 'stroke="url(#brass)" stroke-opacity=".8" stroke-width=".5"/>'
    x, y = board.oled.x_mm, board.oled.y_mm
    yield f'<g filter="url(#raised)"><rect x="{_n(x - 13.5)}" y="{_n(y - 9.5)}" width="27" height="19" rx="1.6" '
    yield 'fill="#0b0d10" stroke="url(#brass)" stroke-width=".7"/></g>'
    yield f'<rect x="{_n(x - 10.9)}" y="{_n(y - 5.5)}" width="21.8" height="10.9" rx=".4" fill="url(#glass)"/>'
    yield f'<text class="maker" x="{_n(x)}" y="{_n(y - 15)}">Cribboard</text>'
    for key in board.keys:
        yield from _key(board, key)


def _key(board: Board, key: KeyPin) -> Iterable[str]:
    x, y = _n(key.x_mm), _n(key.y_mm)
    turn = board.turn_of(key.side)
    paint = "#cfc0a2" if key.side is None else _rgb(board.tracks[key.side].colour, 0.35)
    yield f'<g transform="rotate({turn} {x} {y})">' if turn else "<g>"
    yield f'<circle cx="{x}" cy="{y}" r="5.6" fill="#1c100a" stroke="url(#brass)" stroke-width=".5"/>'
    yield f'<circle cx="{x}" cy="{y}" r="4.6" fill="{paint}" filter="url(#raised)"/>'
    yield f'<circle cx="{_n(key.x_mm - 1.2)}" cy="{_n(key.y_mm - 1.6)}" r="1.9" fill="#fff" opacity=".16"/>'
    yield f'<text class="caption" x="{x}" y="{_n(key.y_mm + 9.6)}">{key.key.upper()}</text>'
    yield "</g>"


def _ribbon(track: Track, pitch: float) -> Iterable[str]:
    """Yield the street of a track: light wood, edged in the track's colour, from the start to the game hole."""
    way = _smooth([(spot.x_mm, spot.y_mm) for spot in (*reversed(track.starts), *track.holes)])
    edge = _rgb(track.colour, 0.3)
    yield f'<path class="ribbon" d="{way}" stroke="{edge}" stroke-width="{_n(pitch * 1.16)}" filter="url(#sunk)"/>'
    yield f'<path class="ribbon" d="{way}" stroke="#f0d9ae" stroke-width="{_n(pitch * 0.96)}"/>'
    yield f'<path class="ribbon" d="{way}" stroke="#e3c48f" stroke-width="{_n(pitch * 0.7)}"/>'


SHARPEST = math.cos(math.radians(60))


def _smooth(points: Sequence[Point]) -> str:
    """Return a path through all points: straight along lines, round along arcs, and with corners elsewhere."""
    path = [f"M{_n(points[0][0])} {_n(points[0][1])}"]
    ways = [_way(a, b) for a, b in pairwise(points)]
    leave = [ways[0], *(_tangent(before, after, after) for before, after in pairwise(ways))]
    arrive = [*(_tangent(before, after, before) for before, after in pairwise(ways)), ways[-1]]
    for (x, y, length), out, home, start, end in zip(ways, leave, arrive, points, points[1:], strict=False):
        if out[:2] == home[:2] == (x, y):
            path.append(f"L{_n(end[0])} {_n(end[1])}")
            continue
        handle = length / 3
        first = (start[0] + out[0] * handle, start[1] + out[1] * handle)
        second = (end[0] - home[0] * handle, end[1] - home[1] * handle)
        path.append("C" + " ".join(f"{_n(a)} {_n(b)}" for a, b in (first, second, end)))
    return "".join(path)


def _way(start: Point, end: Point) -> Direction:
    """Return the direction from one point to another, and the distance."""
    length = math.dist(start, end)
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length, length


def _tangent(before: Direction, after: Direction, corner: Direction) -> Direction:
    """Return the direction of a curve at a point between two ways; at a sharp turn, `corner`."""
    if before[0] * after[0] + before[1] * after[1] < SHARPEST:
        return corner
    x = before[0] * after[2] + after[0] * before[2]
    y = before[1] * after[2] + after[1] * before[2]
    return x / math.hypot(x, y), y / math.hypot(x, y), corner[2]


def _lights(track: Track) -> Iterable[str]:
    paint = _rgb(track.colour, 0.25)
    *holes, game = track.holes
    yield f'<g stroke="{paint}" stroke-width=".55" fill="url(#drilled)">'
    yield from (_circle(spot, 1.75) for spot in (*track.starts, *holes))
    yield "</g>"
    yield f'<g stroke="url(#brass)" stroke-width="1.1" fill="url(#drilled)">{_circle(game, 2.6)}</g>'
    yield '<g stroke="url(#brass)" stroke-width=".5" fill="url(#drilled)">'
    yield from (_circle(spot, 1.6) for spot in track.matches)
    yield "</g>"
    yield f'<g stroke="{paint}" stroke-width=".8" fill="url(#lens)">'
    yield from (_circle(spot, 2.6) for spot in (track.dealer_lamp, track.lap_lamp) if spot is not None)
    yield "</g>"


def _circle(spot: Spot, radius: float) -> str:
    return f'<circle cx="{_n(spot.x_mm)}" cy="{_n(spot.y_mm)}" r="{_n(radius)}"/>'
