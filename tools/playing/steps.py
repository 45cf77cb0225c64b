"""The notation of what players do at a board, and the same in words.

blue:8          a finger on blue's hole 8               ok.red go.blue challenge.red    a side's key
blue:8&red:5    fingers at the same moment              undo menu menu.held             the keys of all
green:8         a finger on the third side’s hole 8     go.blue.held                    a side's key, held
TC 10h          a card before the reader                “…”                             anything else before it
wait:3.1        nobody does anything for 3.1 seconds    off-on                          switched off, and on again
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from cribboard.cards import Card, NotationError
from cribboard.position import Phase
from cribd.drivers.keys import may_go_together
from cribd.inputs import CardRead, HolePressed, Input, Key, KeyHeld, KeyPressed, KeysTogether
from cribd.table.button_actions import points_ahead
from cribd.table.commands import Situation
from cribd.table.snapshot import Official, Playing

SIDES = ("blue", "red", "green")
_SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_KEYS = {
    **{key.value: KeyPressed(key) for key in (Key.UNDO, Key.MENU)},
    **{
        f"{key}.{name}": KeyPressed(key, at) for key in (Key.GO, Key.OK, Key.CHALLENGE) for at, name in enumerate(SIDES)
    },
}
_COUNTED = (Phase.PLAY, Phase.SHOW, Phase.PEGGING)


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


def in_words(step: Step, now: Situation) -> str:
    """What a player does, as another would tell it who sees the board."""
    match step:
        case Wait(seconds):
            return f"nothing for {seconds:.0f} seconds"
        case OffAndOn():
            return "off and on again"
        case Together(inputs):
            *others, last = (_told(given_input, now) for given_input in inputs)
            return f"{', '.join(others)} and {last} at once" if others else last


def _told(given_input: Input, now: Situation) -> str:
    match given_input:
        case HolePressed(track, hole):
            return f"{SIDES[track]}’s hole {hole}{_place(track, hole, now)}"
        case KeyPressed(key, side):
            return _key(key, side)
        case KeyHeld(key, side):
            return f"{_key(key, side)}, held"
        case CardRead(text):
            try:
                return f"{card_in_words(Card.parse(text))} scanned"
            except NotationError:
                return f"“{text}” scanned"
        case _:
            raise NotationError(str(given_input), "this is nothing that a player does")


def _key(key: Key, side: int | None) -> str:
    return key.upper() if side is None else f"{SIDES[side]}’s {key.upper()}"


def _place(track: int, hole: int, now: Situation) -> str:
    if now.position is None or not isinstance(now.mode, Playing | Official) or now.position.phase not in _COUNTED:
        return ""
    if track >= len(now.position.pegs):
        return ""
    match points_ahead(now.board, now.position, track, hole):
        case 0:
            return ", where its front peg is"
        case points if points > 0:
            return f", {points} ahead"
        case points:
            return f", {-points} behind"


def card_in_words(card: Card) -> str:
    """10♣, J♦."""
    return ("10" if card.rank.letter == "T" else card.rank.letter) + _SUITS[card.suit]
