"""Where pegs stand on a board, and which LEDs must glow there, from the rules and the board's geometry alone.

It must never import anything of the product; it was written from sections 1 and 7 of the rules reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

FAR = 29
#: Holes before the game hole, and laps.
BOARDS = {"continuous": (120, 1), "classic": (60, 2), "triple": (120, 1), "starter": (120, 1)}
#: The lamps of boards whose pegs only the screen shows.
WITHOUT_HOLES = {"starter": {"dealer", "match 1"}}
NAMES = ("blue", "red", "green")

Difference = tuple[str, object, object]


@dataclass(frozen=True)
class Road:
    """The way of a side round a board. A target at the end of a lap is the game hole, any other the hole of its
    number."""

    last: int
    laps: int
    target: int

    def hole(self, score: int) -> int:
        if score >= self.target and (self.target - 1) % self.last == 0:
            return self.last + 1
        return (min(score, self.target) - 1) % self.last + 1

    def spot(self, score: int, *, start: int) -> str:
        """What is printed at the hole of a score."""
        return str(self.hole(score)) if score else f"start {start}"

    def place(self, front: int, hole: int) -> int | None:
        """The score that a hole means: the next hole with that number, 1 to 29 ahead; None if there is none (7.20)."""
        ahead = range(front + 1, min(front + FAR, self.target) + 1)
        return next((score for score in ahead if self.hole(score) == hole), None)

    def on_second_lap(self, front: int) -> bool:
        """Whether a score is on the second lap. The game hole belongs to the lap before it."""
        way = front - 1 if self.hole(front) > self.last else front
        return self.laps == 2 and way > self.last


@dataclass
class Pegs:
    """The two pegs of a side. The back peg is lifted over the front peg (7.1)."""

    front: int = 0
    back: int = 0

    def move(self, points: int, *, target: int) -> None:
        if points:
            self.front, self.back = min(self.front + points, target), self.front


def see(glow: Mapping[str, int], road: Road, pegs: Pegs, *, held: int | None, lamps: set[str]) -> Iterator[Difference]:
    """Compare a track with its pegs: the front peg is the brightest hole, the back peg glows less. A peg in hand,
    `held` at a score, may blink. The hole of the target may glow as the goal, less than any peg. Of the lamps, these
    glow and no others."""
    front = road.spot(pegs.front, start=1)
    back = road.spot(pegs.back, start=1 if pegs.front else 2)
    holes = {name: light for name, light in glow.items() if name.isdigit() or name.startswith("start")}
    yield "lamps", lamps, set(glow) - set(holes)

    if held is not None:
        hand = road.spot(held, start=1)
        if hand not in (front, back):
            holes.pop(hand, 0)
        holes.setdefault(back, 0)  # this is the peg in hand; and a front peg that says zero may grow dim
        holes[front] = max(holes.get(front, 0), holes[back] + (hand == front))
    goal = str(road.hole(road.target))
    if goal not in (front, back):
        glowing = holes.pop(goal, 0)
        dimmest = min(filter(None, holes.values()), default=1)
        yield "goal dimmer than the pegs", True, glowing < dimmest
    yield "lit holes", {front, back}, set(holes)
    if {front, back} == set(holes) and front != back:  # a penalty may bring both into one hole
        yield "front peg brighter than back peg", True, holes[front] > holes[back]
