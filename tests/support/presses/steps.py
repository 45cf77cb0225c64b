"""The notation of what players do at a board.

blue:8          a finger on blue's hole 8               ok.red go.blue challenge.red    a side's key
blue:8&red:5    fingers at the same moment              undo menu menu.held             the keys of all
green:8         a finger on the third side’s hole 8     go.blue.held                    a side's key, held
TC 10h          a card before the reader                “…”                             anything else before it
wait:3.1        nobody does anything for 3.1 seconds    off-on                          switched off, and on again
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from cribboard.cards import Card
from cribd.drivers.keys import may_go_together
from cribd.inputs import CardRead, HolePressed, Input, Key, KeyHeld, KeyPressed, KeysTogether

SIDES = ("blue", "red", "green")
_KEYS = {
    **{key.value: KeyPressed(key) for key in (Key.UNDO, Key.MENU)},
    **{
        f"{key}.{name}": KeyPressed(key, at) for key in (Key.GO, Key.OK, Key.CHALLENGE) for at, name in enumerate(SIDES)
    },
}


@dataclass(frozen=True, slots=True)
class Together:
    """What happens in one moment: mostly one input."""

    inputs: tuple[Input, ...]

    @property
    def heard(self) -> tuple[Input, ...]:
        """What the table hears of it: keys that no player presses together are told as that alone."""
        keys = [given_input for given_input in self.inputs if isinstance(given_input, KeyPressed | KeyHeld)]
        if all(may_go_together(one.side, other.side) for one, other in combinations(keys, 2)):
            return self.inputs
        return (KeysTogether(), *(given_input for given_input in self.inputs if given_input not in keys))


@dataclass(frozen=True, slots=True)
class Wait:
    """Nobody does anything for so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class OffAndOn:
    """The board loses its power and gets it again."""


Step = Together | Wait | OffAndOn


def read(step: str) -> Step:
    """What a step means. Raises `NotationError` if it means nothing."""
    if step == "off-on":
        return OffAndOn()
    word, colon, number = step.partition(":")
    if word == "wait" and colon:
        return Wait(float(number))
    return Together(tuple(_fact(part) for part in step.split("&")))


def _fact(text: str) -> Input:
    if text.startswith("“"):
        return CardRead(text.strip("“”"))
    track, colon, hole = text.partition(":")
    if colon and track in SIDES:
        return HolePressed(SIDES.index(track), int(hole))
    pressed = _KEYS.get(text.removesuffix(".held"))
    if pressed is not None:
        return KeyHeld(pressed.key, pressed.side) if text.endswith(".held") else pressed
    return CardRead(str(Card.parse(text)))
