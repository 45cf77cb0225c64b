"""The acts of a game, one after the other, for whoever looks back: at the table or in a record.

Pure, and reads only: a game goes in, numbers and views come out. An act is whole or it is not, so a place is the number
of the last event of an act, and 0 the beginning. What is seen there is the view of the table as it was then, made at
the only door out of the game (design law 9).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from cribboard.events import Acted, Event
from cribboard.game import Game
from cribboard.position import Position
from cribboard.view import View, see


class Acts:
    """The acts of `game` up to now; what is played later is not among them."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.log = game.log
        begins = (number for number, event in enumerate(self.log) if isinstance(event, Acted))
        self.ends = tuple(dict.fromkeys((0, *begins, len(self.log))))
        """The places: the number of the last event of each act, and 0 before them."""

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
        """How many sides play."""
        return len(self._game.beginning.pegs)

    def view(self, number: int) -> View:
        """The table as it was after the act that ends with this event."""
        return see(self._game.position_after(number))

    def positions(self) -> tuple[Position, ...]:
        """Where the game stood after each event, and first where it began: for what is made of them, never shown."""
        return tuple(map(self._game.position_after, range(len(self.log) + 1)))

    def act(self, number: int) -> tuple[Event, ...]:
        """The act that ends with this event."""
        return self.log[self.before(number) : number]

    def end_of(self, number: int) -> int:
        """The end of the act that this event belongs to."""
        return next(end for end in self.ends if end >= number)

    def after(self, number: int) -> int:
        """The end of the next act; the last event from there on."""
        return next((end for end in self.ends if end > number), self.last)

    def before(self, number: int) -> int:
        """The end of the act before; the beginning from there on."""
        return max((end for end in self.ends if end < number), default=0)

    def deal_at(self, number: int) -> int:
        """Which deal was played then."""
        return self._game.position_after(number).deal

    def deal(self, deal: int) -> int | None:
        """Where this deal began, the last time if a misdeal had it begin again; None if there was none."""
        return max(self._changes(self.deal_at, lambda now: now == deal), default=None)

    def next_deal(self, number: int) -> int | None:
        """Where the next deal began."""
        return min((end for end in self._changes(self.deal_at, lambda _: True) if end > number), default=None)

    def front(self, side: int, number: int) -> int:
        """Where the front peg of this side stood."""
        return self._game.position_after(number).pegs[side].front

    def put_into(self, side: int, wanted: Callable[[int], bool]) -> tuple[int, ...]:
        """The acts that put the front peg of this side where it was wanted, in order."""
        return self._changes(lambda number: self.front(side, number), wanted)

    def _changes(self, value: Callable[[int], int], wanted: Callable[[int], bool]) -> tuple[int, ...]:
        """The ends of the acts at which the value became another that is wanted."""
        values = [(end, value(end)) for end in self.ends]
        return tuple(end for (_, before), (end, now) in pairwise(values) if now != before and wanted(now))
