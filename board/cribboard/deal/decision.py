"""A decision while it is made: the events so far, and the position after each.

The referee begins one for each action and hands it to the modules that judge the action. They add events to it, or
raise `IllegalAction`.
"""

from __future__ import annotations

from collections.abc import Callable

from cribboard.actions import IllegalAction
from cribboard.events import Event, Undone
from cribboard.position import Phase, Position
from cribboard.rules import Way


class Decision:
    """The events that an action causes. The caller passes in `evolve`, which gives the position after an event, so that
    the modules that judge actions may also define the changes of their events."""

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
        """Undo back to the position after event `to`, which only the log has."""
        self.events.append(Undone(to))

    def stops(self) -> bool:
        """Whether this action can cause nothing more: the game is won, or a call that reaches the game hole waits for
        its answer."""
        return self.won() or self.position.game_claimed is not None

    def won(self) -> bool:
        """Whether a side is in the game hole: then nothing more happens (rules reference, 3.24)."""
        return self.position.phase is Phase.WON


def must_read_cards(p: Position) -> None:
    """Raises `IllegalAction` if the table scores on trust."""
    if p.way is Way.TRUST:
        raise IllegalAction("no_cards_here")
