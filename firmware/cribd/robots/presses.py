"""How a robot does an action: the presses and scans of it on the twin, as a person would do them."""

from __future__ import annotations

from cribboard import actions
from cribboard.actions import Action
from cribboard.cards import Card
from cribboard.position import Position
from cribd.clock import Clock
from cribd.inputs import Key
from cribd.twin.machine import Twin

#: How long a finger stays on a button, in seconds: long enough for the eye.
_DOWN_S = 0.08


class Presser:
    """Presses holes and keys of `twin`, and holds cards before its first reader."""

    def __init__(self, twin: Twin, clock: Clock) -> None:
        self._twin = twin
        self._clock = clock

    async def do(self, action: Action, p: Position) -> None:
        """Do this action of a robot. `p` is where the game stands."""
        match action:
            case actions.CutForDeal(_, card) | actions.LayCard(_, card) | actions.ShowCard(_, card):
                await self.scan(card)
            case actions.TurnStarter(card) | actions.ReadCrib(card):
                await self.scan(card)
            case actions.TakePegInHand(side, points):
                board = self._twin.board
                await self.hole(side, board.hole_of(p.pegs[side].front + points, p.rules.game.target))
            case actions.SayGo(seat):
                await self.key(Key.GO, p.rules.side_of(seat))
            case actions.Challenge(side):
                await self.key(Key.CHALLENGE, side)
            case actions.NameDealer(seat):
                await self.key(Key.OK, p.rules.side_of(seat))
            case (
                actions.ReleasePeg(side)
                | actions.Accept(side)
                | actions.Agree(side)
                | actions.TakeZero(side)
                | actions.OpenCount(side)
                | actions.EndDeal(side)
                | actions.AcceptResult(side)
            ):
                await self.key(Key.OK, side)
            case _:
                raise ValueError(f"no robot does {action}")

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
