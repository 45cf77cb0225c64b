"""Decisions on actions: the events that an action causes.

A module that judges an action adds events to a `Decision`, or raises `IllegalAction`.
"""

from __future__ import annotations

from collections.abc import Callable

from cribboard.actions import IllegalAction
from cribboard.events import Event, Undone
from cribboard.position import Phase, Position
from cribboard.rules import Way


class Decision:
    """The events that an action has caused so far.

    The caller passes in `evolve`, so that the modules that judge actions may also define how their events change the
    position."""

    def __init__(self, position: Position, evolve: Callable[[Position, Event], Position]) -> None:
        self.position = position
        self.events: list[Event] = []
        self.positions: list[Position] = []
        self._evolve = evolve

    def add(self, event: Event) -> None:
        """Add an event, and apply it to the position."""
        self.position = self._evolve(self.position, event)
        self.events.append(event)
        self.positions.append(self.position)

    def go_back(self, to: int) -> None:
        """Add an undo, back to the position after event `to`.

        Only the log has this position."""
        self.events.append(Undone(to))

    def stops(self) -> bool:
        """Whether the game is won, or a winning call awaits an answer."""
        return self.won() or self.position.game_claimed is not None

    def won(self) -> bool:
        """Whether the game is won (rules reference, 3.24)."""
        return self.position.phase is Phase.WON


def must_be_ahead(p: Position, side: int, points: int) -> None:
    """Raise `IllegalAction` if the front peg cannot move by `points`."""
    if points < 1:
        raise IllegalAction("behind_the_peg", points=points)
    if points > p.left_to_go(side):
        raise IllegalAction("past_the_end", points=points, left=p.left_to_go(side))


def must_read_cards(p: Position) -> None:
    """Raise `IllegalAction` if the game is scored on trust."""
    if p.way is Way.TRUST:
        raise IllegalAction("no_cards_here")
