"""Reads the order of LEDs or inputs from a board file.

On a strip, "blue 1-35 in fives" takes 41 LEDs: 35 holes and 6 gaps.

The phrases, in the order of the cable or the chain:

    blue 1-35 in fives      holes 1 to 35 of the track called blue, a gap after each five
    blue game               its game hole
    blue start 2-1          its start holes, back one first
    blue match 1-7 in ones  its match holes, a gap after each
    blue dealer, blue lap   its lamps
    gap 2                   two unused places
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cribd.boards.reading import Problems


class SpotKind(StrEnum):
    """The kinds of holes and lamps. The game hole is a HOLE."""

    HOLE = "hole"
    START = "start"
    MATCH = "match"
    DEALER = "dealer"
    LAP = "lap"


@dataclass(frozen=True, slots=True)
class SpotName:
    """The name of a hole or lamp.

    A dealer lamp or lap lamp has the number 1."""

    track: str
    kind: SpotKind
    number: int

    def __str__(self) -> str:
        return f"{self.track} {self.kind} {self.number}"


@dataclass(frozen=True, slots=True)
class LedPosition:
    """An LED's place, with the cable's direction as unit vector."""

    name: SpotName
    led: int
    x_mm: float
    y_mm: float
    heading: tuple[float, float]


GROUPS = {"ones": 1, "twos": 2, "threes": 3, "fives": 5, "tens": 10}
HEADINGS = {"right": (1.0, 0.0), "left": (-1.0, 0.0), "up": (0.0, -1.0), "down": (0.0, 1.0)}
STARTS, MATCHES = 2, 7

_PLACE = re.compile(
    r"""gap(\s(?P<gap>\d+))?
      | (?P<track>\w+)\s(
            (?P<single>game|dealer|lap)
          | ((?P<part>start|match)\s)? (?P<first>\d+)(-(?P<last>\d+))? (\sin\s(?P<group>\w+))?
        )""",
    re.VERBOSE,
)


def spot_names(
    words: str, *, tracks: Sequence[str], holes: int, where: str, problems: Problems
) -> Iterator[SpotName | None]:
    """Yield the names of the spots that this text lists.

    A gap yields None for each of its places. A wrong phrase yields nothing, and is added to `problems`."""
    found = _PLACE.fullmatch(words)
    group = found["group"] if found else None
    if found is None or (group is not None and group not in GROUPS):
        problems.add(
            "board.place",
            '{key} = "{words}": a place is "gap 2", "blue 1-35 in fives", "blue game", "blue start 2-1", '
            '"blue match 1-7", "blue dealer" or "blue lap", in {groups}.',
            key=where,
            words=words,
            groups=", ".join(GROUPS),
        )
        return
    if found["track"] is None:
        yield from [None] * int(found["gap"] or 1)
        return
    track = found["track"]
    if track not in tracks:
        problems.add(
            "board.track",
            '{key} = "{words}": the track is one of {tracks}.',
            key=where,
            words=words,
            tracks=", ".join(tracks),
        )
        return
    match found["single"]:
        case "game":
            yield SpotName(track, SpotKind.HOLE, holes + 1)
            return
        case "dealer" | "lap" as lamp:
            yield SpotName(track, SpotKind(lamp), 1)
            return
    part = SpotKind(found["part"] or "hole")
    most = {SpotKind.HOLE: holes, SpotKind.START: STARTS, SpotKind.MATCH: MATCHES}[part]
    first, last = int(found["first"]), int(found["last"] or found["first"])
    if not (1 <= first <= most and 1 <= last <= most):
        problems.add(
            "board.spot_number",
            '{key} = "{words}": the {part} numbers go from 1 to {most}.',
            key=where,
            words=words,
            part=part,
            most=most,
        )
        return
    step = 1 if last >= first else -1
    every = GROUPS[group] if group else 0
    for done, number in enumerate(range(first, last + step, step), start=1):
        yield SpotName(track, part, number)
        if every and done % every == 0 and number != last:
            yield None


@dataclass(frozen=True, slots=True)
class Straight:
    """A straight piece of LED strip in one of four directions.

    Its LEDs are one pitch apart; some may be unused."""

    at: tuple[float, float]
    heading: str

    def lay(self, names: Sequence[SpotName | None], *, first_led: int, pitch_mm: float) -> Iterator[LedPosition]:
        """Yield the LED of each named spot.

        LED numbers start at `first_led`. For a None in `names`, an LED number and a pitch are skipped."""
        dx, dy = HEADINGS[self.heading]
        for step, name in enumerate(names):
            if name is not None:
                x, y = self.at[0] + step * pitch_mm * dx, self.at[1] + step * pitch_mm * dy
                yield LedPosition(name, first_led + step, x, y, (dx, dy))

    @staticmethod
    def leds(names: Sequence[SpotName | None]) -> int:
        """Count the LEDs of this piece, including the gaps."""
        return len(names)


@dataclass(frozen=True, slots=True)
class Bend:
    """An arc of single LEDs; angles in degrees run clockwise from the right."""

    centre: tuple[float, float]
    radius: float
    from_deg: float
    to_deg: float

    def lay(self, names: Sequence[SpotName | None], *, first_led: int, pitch_mm: float) -> Iterator[LedPosition]:
        """Yield the LED of each named spot.

        LED numbers start at `first_led`. For a None in `names`, a place is skipped, but no LED number."""
        turn = math.copysign(1.0, self.to_deg - self.from_deg)
        led = first_led
        for step, name in enumerate(names):
            angle = math.radians(self.from_deg + (self.to_deg - self.from_deg) * step / max(1, len(names) - 1))
            if name is not None:
                x = self.centre[0] + self.radius * math.cos(angle)
                y = self.centre[1] + self.radius * math.sin(angle)
                yield LedPosition(name, led, x, y, (-turn * math.sin(angle), turn * math.cos(angle)))
                led += 1

    @staticmethod
    def leds(names: Sequence[SpotName | None]) -> int:
        """Count the LEDs of this arc, without the gaps."""
        return sum(name is not None for name in names)


StripRun = Straight | Bend


def beside(place: LedPosition, side: str, away_mm: float) -> tuple[float, float]:
    """Return the point left or right of an LED, looking along the cable."""
    sign = 1.0 if side == "right" else -1.0
    dx, dy = place.heading
    return place.x_mm - sign * dy * away_mm, place.y_mm + sign * dx * away_mm
