"""A decision under way, as the rooms of the game pass it on: what it has come to so far."""

from __future__ import annotations

from cribboard.events import Event, Undone
from cribboard.evolution import evolve
from cribboard.position import Phase, Position


class Ruling:
    """The events of a decision so far, and the position after each."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.events: list[Event] = []
        self.positions: list[Position] = []

    def add(self, event: Event) -> None:
        self.position = evolve(self.position, event)
        self.events.append(event)
        self.positions.append(self.position)

    def go_back(self, to: int) -> None:
        """Play goes on from where it stood after event `to`; where that was, only the log knows."""
        self.events.append(Undone(to))

    def stops(self) -> bool:
        """Nothing more happens by this action: the game is won, or a side has called itself to the game hole."""
        return self.won() or self.position.game_claimed is not None

    def won(self) -> bool:
        """Somebody has reached the game hole: nothing more happens, whoever was next (rules reference, 3.24)."""
        return self.position.phase is Phase.WON
