"""A decision in progress: the events so far, and the position after each.

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
    """The events that an action causes. `evolve` gives the position after an event; it is handed in, so that the
    modules that judge actions may also say how their events change the position."""

    def __init__(self, position: Position, evolve: Callable[[Position, Event], Position]) -> None:
        self.position = position
        self.events: list[Event] = []
        self.positions: list[Position] = []
        self._evolve = evolve

    def add(self, event: Event) -> None:
        """Add an event, and take the position after it."""
        self.position = self._evolve(self.position, event)
        self.events.append(event)
        self.positions.append(self.position)

    def go_back(self, to: int) -> None:
        """Undo back to the position after event `to`. Only the log has that position."""
        self.events.append(Undone(to))

    def stops(self) -> bool:
        """Whether nothing more happens by this action: the game is won, or a call reaches the game hole and must be
        answered."""
        return self.won() or self.position.game_claimed is not None

    def won(self) -> bool:
        """Whether a side has reached the game hole: nothing more happens (rules reference, 3.24)."""
        return self.position.phase is Phase.WON


def must_read_cards(p: Position) -> None:
    """Raises `IllegalAction` where the table scores on trust."""
    if p.way is Way.TRUST:
        raise IllegalAction("no_cards_here")
