"""Draws a board on two breadboards as SVG in true size, so that it can be copied wire by wire.

In the middle lie the Pi's header and the OLED, one breadboard below and one above, turned round. Each wire runs in a
lane of its own, and to its lane beside the rows of holes: two wires can only cross. Each has its number at both ends,
and its row in `pinout.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from tools.hardware.breadboard import (
    HEADER,
    PITCH_MM,
    POWER,
    RAIL,
    RAIL_NOTE,
    ROWS,
    Hole,
    Part,
    Wire,
    bands,
    ohms,
    parts,
    wires,
)
from tools.hardware.drawing import Point

from cribd.boards import Board

WIDTH, HALF = 165.0, 27.3
"""Of a breadboard: its width, and half its height."""
FROM_MIDDLE = {column: round(3.81 + PITCH_MM * n, 2) for n, column in enumerate("edcba")} | {RAIL: 21.59, "+": 24.13}
"""How far a column of the half beside a, and the rails beside that, are from the middle."""
LEFT, TOP, RIGHT, FOOT = -22.0, -20.0, 168.0, 42.0
"""The edges of the picture; `FOOT` counts from the lower breadboard's edge."""
LANE, LABELS, EDGE = 2.8, 20.0, 7.0
"""From lane to lane, from the header to the first lane, and from the last lane to the breadboard."""
OLED_RIGHT = 2.0
PAINT = {
    "black": "#111",
    "brown": "#8b4a1c",
    "red": "#e0201b",
    "orange": "#ff8c1a",
    "yellow": "#ffe11a",
    "green": "#1fa038",
    "blue": "#2457e6",
    "violet": "#a44be0",
    "grey": "#9a9a9a",
    "white": "#fff",
    "gold": "#c9a227",
}
STYLE = """<style>
  text { font: 2px "DejaVu Sans", Verdana, sans-serif; text-anchor: middle; fill: #222 }
  .title { font-size: 5px; font-weight: 700; text-anchor: start } .note { font-size: 2.8px; text-anchor: start }
  .key { font-size: 2.7px; font-weight: 700 } .led { font-size: 2.1px; font-weight: 700 }
  .plus { font-size: 2.6px; font-weight: 700 }
  .hole { font-size: 1.7px; font-weight: 700; text-anchor: start; fill: #000 } .faint { fill: #888 }
  .pin { font-size: 1.8px } .name { font-size: 1.8px; text-anchor: start } .used { font-weight: 700 }
  .below { text-anchor: end } .badge { font-size: 1.8px; font-weight: 700 } .screen { fill: #9cf; font-weight: 700 }
  .owner { font-size: 3.4px; font-weight: 700 }
  .holes { fill: none; stroke: #777; stroke-width: .9; stroke-linecap: round }
  .lead { stroke: #777; stroke-width: .7 } .leg { fill: #ccc; stroke: #333; stroke-width: .3 }
  .resistor { stroke-width: 2 } .wire circle { fill: #fff; stroke: #222; stroke-width: .3 }
  .wire path { fill: none; stroke-linejoin: round; stroke-linecap: round; stroke-width: 1.1 }
  .wire .core { stroke-width: .75 } .wire path:not(.core) { stroke: #222 }
</style>"""


def breadboard_drawing(board: Board) -> str:
    """Return an SVG document of the two breadboards from above, with the Pi's header and all wires."""
    layout = Layout.of(board)
    width, height = RIGHT - LEFT, layout.near + HALF + FOOT - TOP
    size = f'viewBox="{LEFT:g} {TOP:g} {width:g} {height:.5g}" width="{width:g}mm" height="{height:.5g}mm"'
    label = f'role="img" aria-label="The {board.name} board on two breadboards"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {label}>',
        STYLE,
        _rect((LEFT, TOP), width, height, fill="#fff"),
        *_words(board, layout),
        *(line for side in (0, 1) for line in _breadboard(layout, side, parts(board))),
        *(line for part in parts(board) for line in _part(layout, part)),
        *_oled(layout),
        *_wires_and_header(layout),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Layout:
    """The positions of all things in the drawing. `up` and `down`: the wires that leave the header up or down, by lane.

    `far` and `near` are the y of the middles of the breadboards, `even` and `odd` those of the header's rows."""

    up: tuple[Wire, ...]
    down: tuple[Wire, ...]
    far: float
    even: float
    odd: float
    near: float

    @classmethod
    def of(cls, board: Board) -> Layout:
        up = _in_lanes([wire for wire in wires(board) if _goes_up(wire)])
        down = _in_lanes([wire for wire in wires(board) if not _goes_up(wire)])
        even = 2 * HALF + EDGE + LANE * (len(up) - 1) + LABELS
        odd = even + 5.5
        return cls(up, down, HALF, even, odd, odd + LABELS + LANE * (len(down) - 1) + EDGE + HALF)

    def pin(self, pin: int) -> Point:
        return _pin_x(pin), self.odd if pin % 2 else self.even

    def at(self, side: int, row: float, away: float) -> Point:
        """Return the point at a row of a side's breadboard, `away` mm from its middle towards the player."""
        return _row_x(side, row), self.far - away if side else self.near + away

    def hole(self, hole: Hole) -> Point:
        away = FROM_MIDDLE.get(hole.column) or -FROM_MIDDLE["edcba"["fghij".index(hole.column)]]
        return self.at(hole.side, hole.row, away)

    def route(self, wire: Wire) -> list[Point]:
        """Return the corners of a wire, from its pin to its other end. Its lane runs from the third to the fourth."""
        lanes = self.up if _goes_up(wire) else self.down
        away = LABELS + LANE * lanes.index(wire)
        lane = self.even - away if _goes_up(wire) else self.odd + away
        start, x = self.pin(wire.pin), _leave_x(wire)
        end = self.hole(wire.end) if isinstance(wire.end, Hole) else (OLED_RIGHT, lane)
        return [start, (x, start[1]), (x, lane), (end[0], lane), end]


def _goes_up(wire: Wire) -> bool:
    return isinstance(wire.end, Hole) and wire.end.side == 1


def _row_x(side: int, row: float) -> float:
    return WIDTH / 2 + (row - (ROWS + 1) / 2) * PITCH_MM * (-1 if side else 1)


def _pin_x(pin: int) -> float:
    """Return the x of a pin: pins lie three rows apart, and half a row beside the holes."""
    return _row_x(0, 3.5 + 3 * ((pin - 1) // 2))


def _leave_x(wire: Wire) -> float:
    """Return the x where a wire leaves the header: straight from its pin, or between two pins of the other row."""
    if _goes_up(wire):
        return _pin_x(wire.pin) + (PITCH_MM if wire.pin % 2 else 0)
    return _pin_x(wire.pin) + (0 if wire.pin % 2 else 4.6)


def _in_lanes(laid: Sequence[Wire]) -> tuple[Wire, ...]:
    """Return the wires in the order of their lanes, chosen so that few wires cross and none run close together.

    First are those to the OLED. Then, for the far breadboard, those to the right are before those to the left, and for
    the near one after them."""

    def lane(wire: Wire) -> tuple[int, float]:
        x = _leave_x(wire)
        if isinstance(wire.end, str):
            return 0, x
        if _row_x(wire.end.side, wire.end.row) > x:
            return (1 if _goes_up(wire) else 3), -x
        return 2, x

    return tuple(sorted(laid, key=lane))


def _text(at: Point, text: object, kind: str, *, turned: bool = False) -> str:
    x, y = (f"{place:.5g}" for place in at)
    turn = f' transform="rotate(-90 {x} {y})"' if turned else ""
    return f'<text x="{x}" y="{y}" class="{kind}"{turn}>{escape(str(text))}</text>'


def _line(points: Iterable[Point], **style: object) -> str:
    d = "M" + "L".join(f"{x:.5g} {y:.5g}" for x, y in points)
    return f'<path d="{d}"{_attributes(style)}/>'


def _rect(corner: Point, width: float, height: float, **style: object) -> str:
    size = f'width="{width:.5g}" height="{height:.5g}"'
    return f'<rect x="{corner[0]:.5g}" y="{corner[1]:.5g}" {size}{_attributes(style)}/>'


def _circle(at: Point, radius: float, **style: object) -> str:
    return f'<circle cx="{at[0]:.5g}" cy="{at[1]:.5g}" r="{radius:g}"{_attributes(style)}/>'


def _attributes(style: dict[str, object]) -> str:
    """Return the SVG attributes of a style; `class_` stands for `class`, and `stroke_width` for `stroke-width`."""
    return "".join(f' {name.rstrip("_").replace("_", "-")}="{value}"' for name, value in style.items())


def _words(board: Board, layout: Layout) -> Iterable[str]:
    near, far, *_ = (track.name for track in board.tracks)
    yield _text((0, TOP + 7), f"The {board.name} board on two breadboards", "title")
    notes = (
        f"Below is the breadboard of {near}. Above is that of {far}, turned round to {far}: its row 1 is at the right.",
        "The header lies at the edge of the Pi: pins 2 to 40 outside, pin 1 at the end of the SD card.",
        "A number in a ring is that of a wire, not of a pin; both ends have it. Wires do not touch where they cross.",
        RAIL_NOTE,
        "A black wire crosses its whole breadboard to that rail. The other rails stay empty.",
        "LED and buzzer: the long leg, +, is in column f. Where the rail has no hole, the resistor stands askew.",
        "The pins of your OLED may lie in another order: go by the names that are printed on it.",
        "Pull the Pi's plug before you touch a wire. Printed at 100 % this is the true size. Not yet tried on a Pi.",
    )
    yield from (_text((0, layout.near + HALF + 14 + 3.7 * line), note, "note") for line, note in enumerate(notes))
    for x, y, text, kind in (
        (-11, layout.far, f"{far} ▲", "owner"),
        (-11, layout.near, f"{near} ▼", "owner"),
        (-11, layout.even, "The Pi", "owner"),
        (-9, layout.even + 3.5, "This end is", "aside"),
        (-9, layout.even + 6.3, "at the SD card", "aside"),
    ):
        yield _text((x, y), text, kind)


def _breadboard(layout: Layout, side: int, standing: Sequence[Part]) -> Iterable[str]:
    middle = layout.far if side else layout.near
    yield _rect((0, middle - HALF), WIDTH, 2 * HALF, rx=2, fill="#f6f4ee", stroke="#999", stroke_width=0.4)
    yield _rect((0, middle - 1.6), WIDTH, 3.2, fill="#e0dccf")
    for column in "abcdefghij":
        ends = [layout.hole(Hole(side, column, row)) for row in (1, ROWS)]
        yield _line(ends, class_="holes", stroke_dasharray=f"0 {PITCH_MM}")
        yield from (_text(layout.hole(Hole(side, column, row)), column, "letter") for row in (0, ROWS + 1))
    for away, mark in ((21.59, RAIL), (24.13, "+"), (-21.59, "+"), (-24.13, RAIL)):
        ends = [layout.at(side, row, away) for row in (3, 61)]
        yield _line(ends, class_="holes", stroke_dasharray=" ".join([f"0 {PITCH_MM}"] * 4 + [f"0 {2 * PITCH_MM}"]))
        colour = PAINT["blue" if mark == RAIL else "red"]
        aside = away + (1.3 if away > 22 or -22 < away < 0 else -1.3)
        yield _line((layout.at(side, row, aside) for row in (2, 62)), stroke=colour, stroke_width=0.35)
        yield from (_text(layout.at(side, row, away), mark, "rail") for row in (0, ROWS + 1))
    hidden = {leg.row + near for part in standing if part.side == side for leg in part.legs for near in range(-2, 3)}
    for row in {1, *range(5, ROWS, 5)} - hidden:
        yield from (_text(layout.at(side, row, away), row, "row") for away in (-17, 17))


def _part(layout: Layout, part: Part) -> Iterable[str]:
    side, middle = part.side, layout.at(part.side, part.row, 0)
    yield "<g>"
    yield f"<title>{part.name}: {', '.join(map(str, part.legs))}</title>"
    for leg in part.legs:
        at = layout.hole(leg)
        yield _line([at, (at[0], middle[1])], class_="lead")
        yield _circle(at, 0.8, class_="leg")
    if part.is_key:
        yield _rect((middle[0] - 3, middle[1] - 3), 6, 6, rx=0.6, fill="#333")
        yield _circle(middle, 1.9, fill="#ddd")
    else:
        yield _circle(middle, 2.5 if part.colour else 6, fill=PAINT.get(part.colour, "#777"), fill_opacity=0.8)
        yield _text(layout.at(side, part.row + (-0.7 if side else 0.7), -3.81), "+", "plus")
    yield from _resistor(layout, part)
    yield _hole_name(layout, part.signal, part.signal)
    aside = max(part.resistor, key=lambda hole: layout.hole(hole)[0])
    yield from (_hole_name(layout, hole, aside) for hole in part.resistor)
    yield _text(layout.at(side, part.row, HALF + 3), part.caption, "key" if part.is_key else "led")
    yield _text(layout.at(side, part.row, HALF + 6.2), ohms(part.ohm), "ohm")
    yield "</g>"


def _hole_name(layout: Layout, hole: Hole, beside: Hole) -> str:
    """Return the text of a hole's name, at the right of the row of the hole `beside`."""
    x, y = layout.at(hole.side, beside.row, {"j": -16.6, "a": 15.9, RAIL: 18.9}[hole.column])
    return _text((x + 1.2, y + 0.6), hole, "hole")


def _resistor(layout: Layout, part: Part) -> Iterable[str]:
    start, end = map(layout.hole, part.resistor)
    yield _line([start, end], class_="lead")
    way = [(start[0] + (end[0] - start[0]) * n, start[1] + (end[1] - start[1]) * n) for n in (0.2, 0.8)]
    yield _line(way, class_="resistor", stroke="#d8b98a")
    for n, colour in zip((0.27, 0.41, 0.55, 0.73), (*bands(part.ohm), "gold"), strict=True):
        band = [(start[0] + (end[0] - start[0]) * m, start[1] + (end[1] - start[1]) * m) for m in (n, n + 0.07)]
        yield _line(band, class_="resistor", stroke=PAINT[colour])
    yield from (_circle(at, 0.6, fill="#777") for at in (start, end))


def _wires_and_header(layout: Layout) -> Iterable[str]:
    """Yield the wires and the header. The pins are drawn over the wires, so that their numbers can be read."""
    laid = (*layout.up, *layout.down)
    used = {wire.pin for wire in laid}
    names = {pin: f"GPIO {gpio}" for gpio, pin in HEADER.items()} | POWER
    left, right = _pin_x(1) - 4, _pin_x(39) + 4
    yield _rect((left, layout.even - 2.7), right - left, layout.odd - layout.even + 5.4, rx=0.8, fill="#555")
    yield from (line for wire in laid for line in _wire(layout, wire))
    for pin, name in names.items():
        x, y = layout.pin(pin)
        yield _circle((x, y), 1.7, fill="#f0cf5a" if pin in used else "#bbb")
        yield _text((x, y + 0.65), pin, "pin")
        kind = ("name used" if pin in used else "name faint") + (" below" if pin % 2 else "")
        yield _text((x - 0.95, y + (3.6 if pin % 2 else -3.6)), name, kind, turned=True)


def _oled(layout: Layout) -> Iterable[str]:
    pins = [wire for wire in layout.down if isinstance(wire.end, str)]
    top = layout.odd + LABELS - 3
    yield _rect((OLED_RIGHT - 22, top), 22, LANE * len(pins) + 19, rx=1.5, fill="#16324f")
    yield _rect((OLED_RIGHT - 20.5, top + LANE * len(pins) + 4), 19, 10.5, fill="#05080c")
    yield _text((OLED_RIGHT - 11, top + LANE * len(pins) + 10), "OLED", "screen")
    yield from (_text((OLED_RIGHT - 4.5, layout.route(wire)[-1][1] + 0.7), wire.end, "screen") for wire in pins)


def _wire(layout: Layout, wire: Wire) -> Iterable[str]:
    route = layout.route(wire)
    up, straight = (-1 if _goes_up(wire) else 1), route[0] == route[1]
    first = route[0][1] if straight else layout.even if up < 0 else layout.odd
    if isinstance(wire.end, Hole):
        last = (route[3][0], layout.at(wire.end.side, 1, -HALF - 2.4)[1])
        if wire.end.column == RAIL:
            yield _hole_name(layout, wire.end, wire.end)
    else:
        last = (OLED_RIGHT + 2.5, route[3][1])
    yield '<g class="wire">'
    yield f"<title>{wire.number}, {wire.colour}: pin {wire.pin}, {wire.source}, to {wire.end} ({wire.name})</title>"
    yield _line(route)
    yield _line(route, class_="core", stroke=PAINT[wire.colour])
    for at in ((route[1][0], first + up * (14 if straight else 17)), last):
        yield _circle(at, 1.4)
        yield _text((at[0], at[1] + 0.65), wire.number, "badge")
    yield "</g>"
