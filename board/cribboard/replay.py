"""Replay a game act by act, for the review at the table and for the pages.

A place in the game is the number of the last event of an act; 0 is the beginning. Gives numbers and views (design law
9), and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from cribboard.events import Acted, Event
from cribboard.game import Game
from cribboard.position import Position
from cribboard.view import View, see


class Acts:
    """The acts of `game` up to now."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.log = game.log
        begins = (number for number, event in enumerate(self.log) if isinstance(event, Acted))
        self.ends = tuple(dict.fromkeys((0, *begins, len(self.log))))
        """The places of the game, 0 first."""

    @property
    def last(self) -> int:
        """The number of the last event."""
        return self.ends[-1]

    @property
    def target(self) -> int:
        """The points of the game hole."""
        return self._game.beginning.rules.game.target

    @property
    def sides(self) -> int:
        """The number of sides that play."""
        return len(self._game.beginning.pegs)

    def view(self, number: int) -> View:
        """Make the view of the table at this place."""
        return see(self._game.position_after(number))

    def positions(self) -> tuple[Position, ...]:
        """The beginning, and the position after each event. Never shown to anybody."""
        return tuple(map(self._game.position_after, range(len(self.log) + 1)))

    def act(self, number: int) -> tuple[Event, ...]:
        """The events of the act that ends with event `number`."""
        return self.log[self.before(number) : number]

    def end_of(self, number: int) -> int:
        """The end of the act that contains event `number`."""
        return next(end for end in self.ends if end >= number)

    def after(self, number: int) -> int:
        """The end of the next act, or the last event if there is no next act."""
        return next((end for end in self.ends if end > number), self.last)

    def before(self, number: int) -> int:
        """The end of the act before, or the beginning if there is none."""
        return max((end for end in self.ends if end < number), default=0)

    def deal_at(self, number: int) -> int:
        """The number of the deal at this place."""
        return self._game.position_after(number).deal

    def deal(self, deal: int) -> int | None:
        """The place where this deal began, after a misdeal the last time; None if there was no such deal."""
        return max(self._changes(self.deal_at, lambda now: now == deal), default=None)

    def next_deal(self, number: int) -> int | None:
        """The place where the next deal began; None if there is none."""
        return min((end for end in self._changes(self.deal_at, lambda _: True) if end > number), default=None)

    def front(self, side: int, number: int) -> int:
        """The score of this side at this place."""
        return self._game.position_after(number).pegs[side].front

    def put_into(self, side: int, wanted: Callable[[int], bool]) -> tuple[int, ...]:
        """List the places of the acts that moved this side's front peg to a wanted score."""
        return self._changes(lambda number: self.front(side, number), wanted)

    def _changes(self, value: Callable[[int], int], wanted: Callable[[int], bool]) -> tuple[int, ...]:
        """List the places where the value changed to a wanted one."""
        values = [(end, value(end)) for end in self.ends]
        return tuple(end for (_, before), (end, now) in pairwise(values) if now != before and wanted(now))
