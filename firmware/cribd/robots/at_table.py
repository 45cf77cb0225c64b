"""What all robots have in common: they read the snapshot, press holes, and call right or wrong numbers."""

from __future__ import annotations

from random import Random
from typing import Any

from cribboard import hand_counts
from cribboard.position import Phase
from cribboard.rules import CRIB_SIZE, Rules
from cribboard.view import PromptKind, View
from cribd.boards import Board
from cribd.inputs import Key
from cribd.robots.calls import Moves, called_points
from cribd.robots.croupier import Counted, Happening, Laid, Turned
from cribd.robots.fingers import Fingers

#: Within so many points of the game hole a wrong call may claim the game, and how often it does.
_NEAR = 12
_SAYS_OUT = 0.3


class AtTable:
    """All robots at a table that plays by `rules`. `wrong` is the share of calls that are wrong, 0 to 1."""

    def __init__(self, board: Board, fingers: Fingers, chance: Random, *, rules: Rules, wrong: float) -> None:
        self._board = board
        self._fingers = fingers
        self._chance = chance
        self._rules = rules
        self._wrong = wrong

    @property
    def _view(self) -> View:
        view = self._fingers.snapshot.view
        assert view is not None
        return view

    @property
    def _won(self) -> bool:
        return self._view.phase is Phase.WON

    def _side_of(self, happening: Happening) -> int:
        return self._rules.side_of(seat_of(happening))

    def _others(self, side: int) -> list[int]:
        """The other sides, from the left."""
        sides = len(self._rules.sides)
        return [(side + step) % sides for step in range(1, sides)]

    def _due(self, side: int, moves: Moves) -> int:
        """The points that a side may call for these moves, from its front peg or its peg in hand."""
        pegs = self._view.sides[side]
        return called_points(self._rules, pegs.score if pegs.in_hand is None else pegs.in_hand, moves)

    async def _press_ahead(self, side: int, points: int) -> None:
        view = self._view
        to = min(view.sides[side].score + points, view.target)
        await self._fingers.press(side, self._board.hole_of(to, view.target))

    def _call(self, due: int, happening: Happening) -> int:
        """The number that a robot calls where `due` is right: now and then a few points more or less."""
        if not self._wrong or self._chance.random() >= self._wrong:
            return due
        pegs = self._view.sides[self._side_of(happening)]
        his_nobs = self._rules.deal_and_play.his_nobs
        size = len(happening.cards) if isinstance(happening, Counted) else CRIB_SIZE
        called = due + self._chance.choice((-2, -1, 1, 2, 3))
        # A wrong call avoids what no hand counts: the board refuses that or asks back.
        most, never = hand_counts.most(size, his_nobs), hand_counts.impossible(size, his_nobs)
        if pegs.barred and called == 1:
            return due
        left = self._view.target - pegs.score
        if due < left <= _NEAR and self._chance.random() < _SAYS_OUT:
            return left
        return called if 0 <= called < left and called <= most and called not in never else due

    async def _give_way(self, claimant: int) -> None:
        """Where a peg waits at the game hole for points that come first (3.24), the side that is asked says OK."""
        while not self._won and self._view.prompt.kind is PromptKind.POINTS_FIRST:
            assert self._view.prompt.side is not None
            assert self._view.prompt.side != claimant
            await self._fingers.key(Key.OK, self._view.prompt.side)

    async def _let_go(self, side: int) -> None:
        """Release the peg of a side by its own OK, before its next score."""
        if not self._won and self._view.sides[side].in_hand is not None:
            await self._fingers.key(Key.OK, side)

    def _note_call(self, called: int, happening: Happening) -> None:
        """Write into the diary what was called and for which cards; not what was due."""
        entry: dict[str, Any] = {"call": self._side_of(happening), "seat": seat_of(happening), "points": called}
        is_crib = isinstance(happening, Counted) and happening.crib
        entry["for"] = "crib" if is_crib else type(happening).__name__.lower()
        match happening:
            case Laid(card=card) | Turned(card=card):
                entry["card"] = str(card)
            case Counted(cards=cards):
                entry["cards"] = " ".join(map(str, cards))
        self._fingers.diary(entry)


def seat_of(happening: Happening) -> int:
    """The seat that does it; the dealer's where the starter is turned."""
    return happening.dealer if isinstance(happening, Turned) else happening.seat
