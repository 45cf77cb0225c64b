"""How an action is done on the board: the press or the scan of it, as a person would do it."""

from __future__ import annotations

from dataclasses import dataclass

from cribboard import actions
from cribboard.actions import Action
from cribboard.cards import Card
from cribboard.position import Position
from cribd.boards import Board
from cribd.clock import Clock
from cribd.inputs import Key
from cribd.twin.machine import Twin

#: How long a finger stays on a button, in seconds: long enough for the eye.
_DOWN_S = 0.08


@dataclass(frozen=True, slots=True)
class HolePress:
    """A hole of a side's track."""

    side: int
    hole: int


@dataclass(frozen=True, slots=True)
class KeyPress:
    """A key, for its long press if it is `long`."""

    key: Key
    side: int | None = None
    long: bool = False


#: What is pressed, or the card that is scanned.
Press = HolePress | KeyPress | Card


def press_for(action: Action, p: Position, board: Board) -> Press:
    """The press or the card for an action, where the game stands at `p`. Raises `ValueError` for what no robot does."""
    match action:
        case actions.CutForDeal(_, card) | actions.LayCard(_, card) | actions.ShowCard(_, card):
            return card
        case actions.TurnStarter(card) | actions.ReadCrib(card):
            return card
        case actions.TakePegInHand(side, points):
            return HolePress(side, board.hole_of(p.pegs[side].front + points, p.rules.game.target))
        case actions.SayGo(seat):
            return KeyPress(Key.GO, p.rules.side_of(seat))
        case actions.AllPass(seat):
            return KeyPress(Key.GO, p.rules.side_of(seat), long=True)
        case actions.Challenge(side) | actions.LetLieDead(side):
            return KeyPress(Key.CHALLENGE, side)
        case actions.NameDealer(seat):
            return KeyPress(Key.OK, p.rules.side_of(seat))
        case (
            actions.ReleasePeg(side)
            | actions.Accept(side)
            | actions.Agree(side)
            | actions.TakeZero(side)
            | actions.OpenCount(side)
            | actions.EndDeal(side)
            | actions.AcceptResult(side)
        ):
            return KeyPress(Key.OK, side)
    raise ValueError(f"no robot does {action}")


class Presser:
    """Presses holes and keys of `twin`, and holds cards before its first reader, at the side of a person."""

    def __init__(self, twin: Twin, clock: Clock) -> None:
        self._twin = twin
        self._clock = clock

    async def do(self, action: Action, p: Position) -> None:
        """Do this action of a robot. `p` is where the game stands."""
        match press_for(action, p, self._twin.board):
            case HolePress(side, hole):
                await self.hole(side, hole)
            case KeyPress(key, side):
                await self.key(key, side)
            case card:
                await self.scan(card)

    async def scan(self, card: Card) -> None:
        """Hold a card before the reader until it is read."""
        await self._twin.hold_up(str(card), reader=self._twin.readers[0].name)

    async def hole(self, side: int, hole: int) -> None:
        """Press a hole."""
        self._twin.press(side, hole)
        await self._clock.sleep(_DOWN_S)
        self._twin.release(side, hole)

    async def key(self, key: Key, side: int | None = None) -> None:
        """Press a key, briefly."""
        self._twin.key_down(key, side)
        await self._clock.sleep(_DOWN_S)
        self._twin.key_up(key, side)
