"""Replay a game act by act.

Here an act is one action with the events that it caused. The end of an act is the number of its last event; 0 is the
beginning. Gives numbers and views (design law 9), and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from operator import attrgetter

from cribboard.events import Acted, Event
from cribboard.game import Game
from cribboard.position import Position
from cribboard.view import View, see


class Acts:
    """The acts of a game so far."""

    def __init__(self, game: Game) -> None:
        self.log = game.log
        self.positions = tuple(map(game.position_after, range(len(self.log) + 1)))
        """The beginning, and the position after each event. Never shown to anybody."""
        begins = (number for number, event in enumerate(self.log) if isinstance(event, Acted))
        self.ends = tuple(dict.fromkeys((0, *begins, len(self.log))))
        """The ends of all acts, 0 first."""
        self.last = self.ends[-1]
        """The number of the last event."""

    @property
    def target(self) -> int:
        """The score at the game hole, in points."""
        return self.positions[0].rules.game.target

    @property
    def sides(self) -> int:
        """The number of sides that play."""
        return len(self.positions[0].pegs)

    def view(self, number: int) -> View:
        """Make the view of the table after event `number`."""
        return see(self.positions[number])

    def act(self, number: int) -> tuple[Event, ...]:
        """Return the events of the act that ends with event `number`."""
        return self.log[self.before(number) : number]

    def end_of(self, number: int) -> int:
        """Return the end of the act that contains event `number`."""
        return next(end for end in self.ends if end >= number)

    def after(self, number: int) -> int:
        """Return the end of the first act after event `number`.

        Without such an act, return the end of the last act."""
        return next((end for end in self.ends if end > number), self.last)

    def before(self, number: int) -> int:
        """Return the end of the last act before event `number`.

        0 if there is none."""
        return max((end for end in self.ends if end < number), default=0)

    def deal(self, deal: int) -> int | None:
        """Find the act that began this deal, and return its end.

        After a misdeal, this is the act that began the deal last. None if there is none."""
        return max(self._changes(attrgetter("deal"), lambda now: now == deal), default=None)

    def next_deal(self, number: int) -> int | None:
        """Find the act that began the next deal, and return its end.

        The next deal is the first that begins after event `number`. None if there is none."""
        return min((end for end in self._changes(attrgetter("deal"), lambda _: True) if end > number), default=None)

    def front(self, side: int, number: int) -> int:
        """Return the score of this side after event `number`."""
        return self.positions[number].pegs[side].front

    def put_into(self, side: int, wanted: Callable[[int], bool]) -> tuple[int, ...]:
        """List the acts that gave this side a `wanted` score.

        Each act is given by its end."""
        return self._changes(lambda p: p.pegs[side].front, wanted)

    def _changes(self, value: Callable[[Position], int], wanted: Callable[[int], bool]) -> tuple[int, ...]:
        """List the acts that changed `value` to a `wanted` number.

        Each act is given by its end."""
        values = [(end, value(self.positions[end])) for end in self.ends]
        return tuple(end for (_, before), (end, now) in pairwise(values) if now != before and wanted(now))
