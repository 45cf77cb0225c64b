"""Does a game action by a press or a scan.

On a board whose holes have no buttons a hole is pressed by the step key of its side (rules reference, 7.25).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from cribboard import actions
from cribboard.actions import Action
from cribboard.cards import Card
from cribboard.deal.impossible_points import doubt_about
from cribboard.event_terms import Doubt
from cribboard.position import Position
from cribboard.rules import Rules
from cribd.clock import Clock
from cribd.inputs import Key
from cribd.table.snapshot import Snapshot
from cribd.twin.machine import Twin

#: Seconds of a long press: a little longer than the board takes for one.
_LONG_S = 1.05
#: Seconds between two steps: two presses that are nearer count as one. And more steps than any call takes.
_APART_S = 0.05
_MOST_STEPS = 30


class Presser:
    """Presses holes and keys of `twin`, and scans cards.

    Cards go to the twin's first reader. A person may play at the same twin. `shown` gives the newest snapshot, where
    steps are pressed."""

    _down_s = 0.08  # long enough for the eye

    def __init__(self, twin: Twin, clock: Clock, *, shown: Callable[[], Snapshot] = Snapshot) -> None:
        self.twin = twin
        self._clock = clock
        self._shown = shown
        self._stepper: asyncio.Task[Any] | None = None  # who steps now

    @property
    def has_buttons(self) -> bool:
        """Whether the holes of this board have buttons."""
        return not self.twin.board.has_step_calls

    async def do(self, action: Action, p: Position) -> None:
        """Do this action at position `p` by a press or scan.

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
                if not self.has_buttons and doubt_about(p, side, points) is Doubt.FAR:
                    return  # no step calls it
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
        """Scan a card at the first card reader."""
        await self._wait_for_steps()
        await self.twin.present_cards(str(card), reader=self.twin.readers[0].name)

    async def press(self, track: int, *holes: int) -> None:
        """Press these holes at the same moment.

        On a board without buttons, step to the first hole with the STEP key."""
        if not self.has_buttons:
            await self._step_to(track, holes[0])
            return
        for hole in holes:
            self.twin.press(track, hole)
        await self.pass_time(self._down_s)
        for hole in holes:
            self.twin.release(track, hole)

    async def _step_to(self, side: int, hole: int) -> None:
        """Press STEP until the peg in hand is at this hole."""
        await self._wait_for_steps()
        self._stepper = asyncio.current_task()
        try:
            for _ in range(_MOST_STEPS):
                await self.key(Key.STEP, side)
                await self.pass_time(_APART_S)
                view = self._shown().view
                in_hand = None if view is None else view.sides[side].in_hand
                if view is None or in_hand is None or self.twin.board.hole_of(in_hand, view.target) == hole:
                    return
        finally:
            self._stepper = None

    async def _wait_for_steps(self) -> None:
        """Wait until no other task presses STEP.

        A card or an OK between two presses of STEP would release the peg too soon."""
        while self._stepper not in (None, asyncio.current_task()):
            await self.pass_time(_APART_S)

    async def key(self, key: Key, side: int | None = None, *, long: bool = False) -> None:
        """Press a key, briefly or `long`."""
        await self._wait_for_steps()
        self.twin.key_down(key, side)
        await self.pass_time(_LONG_S if long else self._down_s)
        self.twin.key_up(key, side)

    async def name_dealer(
        self, dealer: int, rules: Rules, naming: Callable[[], int | None], *, pause_s: float = 0.0
    ) -> None:
        """Name the dealer with the OK key of the dealer's side.

        On a side with several seats, MENU chooses the seat (rules reference, 7.8). `naming` returns the seat that
        the board shows, `pause_s` after each press."""
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
        """Wait for so many seconds."""
        await self._clock.sleep(seconds)
