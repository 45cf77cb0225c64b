"""Does an action on the board as a person would do it: by a press or a scan."""

from __future__ import annotations

from collections.abc import Callable

from cribboard import actions
from cribboard.actions import Action
from cribboard.cards import Card
from cribboard.position import Position
from cribboard.rules import Rules
from cribd.clock import Clock
from cribd.inputs import Key
from cribd.twin.machine import Twin

#: Seconds of a long press: a little longer than the board takes for one.
_LONG_S = 1.05


class Presser:
    """Presses holes and keys of `twin`, and holds cards before the twin's first reader.

    A person may play at the same twin."""

    _down_s = 0.08  # long enough for the eye

    def __init__(self, twin: Twin, clock: Clock) -> None:
        self.twin = twin
        self._clock = clock

    async def do(self, action: Action, p: Position) -> None:
        """Press or scan to do this action in the game at position `p`.

        Raises `ValueError` for an action that no robot does."""
        match action:
            case (
                actions.CutForDeal(card=card)
                | actions.LayCard(card=card)
                | actions.ShowCard(card=card)
                | actions.TurnStarter(card=card)
                | actions.ReadCrib(card=card)
            ):
                await self.scan(card)
            case actions.TakePegInHand(side, points):
                await self.press(side, self.twin.board.hole_of(p.pegs[side].front + points, p.rules.game.target))
            case actions.SayGo(seat):
                await self.key(Key.GO, p.rules.side_of(seat))
            case actions.AllPass(seat):
                await self.key(Key.GO, p.rules.side_of(seat), long=True)
            case actions.Challenge(side) | actions.LetLieDead(side):
                await self.key(Key.CHALLENGE, side)
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

    async def scan(self, card: Card | str) -> None:
        """Hold a card before the reader until it is read."""
        await self.twin.hold_up(str(card), reader=self.twin.readers[0].name)

    async def press(self, track: int, *holes: int) -> None:
        """Press a hole, or several at the same moment."""
        for hole in holes:
            self.twin.press(track, hole)
        await self.pass_time(self._down_s)
        for hole in holes:
            self.twin.release(track, hole)

    async def key(self, key: Key, side: int | None = None, *, long: bool = False) -> None:
        """Press a key briefly. If `long`, hold the key down for a long press."""
        self.twin.key_down(key, side)
        await self.pass_time(_LONG_S if long else self._down_s)
        self.twin.key_up(key, side)

    async def name_dealer(
        self, dealer: int, rules: Rules, naming: Callable[[], int | None], *, pause_s: float = 0.0
    ) -> None:
        """Name the dealer with the OK of its side. If the side has several seats, MENU steps through them (7.8).

        `naming` returns the seat that the board shows, `pause_s` after each press."""
        side = rules.side_of(dealer)
        await self.key(Key.OK, side)
        for _ in rules.seats:
            await self.pass_time(pause_s)
            if (shown := naming()) is None:
                return
            if shown == dealer:
                await self.key(Key.OK, side)
                return
            await self.key(Key.MENU)

    async def pass_time(self, seconds: float) -> None:
        """Wait."""
        await self._clock.sleep(seconds)
