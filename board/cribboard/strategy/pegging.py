"""Simulate the play by ranks instead of cards.

Fast, for millions of cards. The referee of real games is `cribboard.deal.laying_cards`; a test compares both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Self

from cribboard.play import LIMIT
from cribboard.rules import Option, Rules

#: What a card of each rank adds to the count; index 0 is unused.
VALUE = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)

#: Points by the number of equal ranks. Five can occur in an inferred hand, although the pack has only four.
_ALIKE = (0, 0, 2, 6, 12, 0)

#: The size of each cache of the play. The garbage collector scans the results while every thread waits: with eight
#: times as many, a card sometimes took 0.1 s.
REMEMBERED = 1 << 12


@lru_cache(REMEMBERED)
def made(stack: tuple[int, ...]) -> int:
    """Return the points that the last card makes, without thirty-one.

    `stack` has the ranks of the count, oldest first.

    >>> made((4, 6, 5))
    5
    """
    points = 2 if sum([VALUE[rank] for rank in stack]) == 15 else 0
    last, size = stack[-1], len(stack)
    alike = 1
    while alike < size and stack[-1 - alike] == last:
        alike += 1
    if alike > 1:
        return points + _ALIKE[alike]
    for length in range(size, 2, -1):
        tail = stack[-length:]
        if max(tail) - min(tail) == length - 1 and len(set(tail)) == length:
            return points + length
    return points


class Play:
    """The state of the play in one deal, with the scores."""

    __slots__ = [
        "_deal",
        "_next",
        "_target",
        "cards",
        "count",
        "last",
        "left",
        "over",
        "said_go",
        "scores",
        "stack",
        "turn",
    ]

    def __init__(self, rules: Rules, dealer: int, scores: tuple[int, ...]) -> None:
        self._deal = rules.deal_and_play
        self._next = _round(self._deal.players)
        self._target = rules.game.target
        self.left = [self._deal.hand_size] * self._deal.players  # cards that each seat still holds
        self.cards = sum(self.left)
        self.stack: tuple[int, ...] = ()  # the ranks of the count
        self.count = 0
        self.turn = self.last = rules.left_of(dealer)  # the seats that lay next, and laid last
        self.said_go = 0  # a bit for each seat that did
        self.over = False  # no card is left, or a side is in the game hole
        self.scores = list(scores)  # by side

    def points(self, rank: int) -> int:
        """Return the points that a card scores at once."""
        return made((*self.stack, rank)) + (self._deal.thirty_one if self.count + VALUE[rank] == LIMIT else 0)

    def copy(self) -> Self:
        """Return a copy of the play for trying cards."""
        other = object.__new__(type(self))
        other._deal, other._next, other._target = self._deal, self._next, self._target
        other.left, other.cards = self.left[:], self.cards
        other.stack, other.count = self.stack, self.count
        other.turn, other.last, other.said_go, other.over = self.turn, self.last, self.said_go, self.over
        other.scores = self.scores[:]
        return other

    def lay(self, rank: int) -> None:
        """Lay a fitting card of this rank, and peg its points."""
        seat = self.last = self.turn
        self.stack += (rank,)
        self.count += VALUE[rank]
        self.left[seat] -= 1
        self.cards -= 1
        points = made(self.stack)
        if self.count == LIMIT:
            points += self._deal.thirty_one
        elif not self.cards:
            points += self._deal.last_card
        self._peg(points)
        if not self.cards:
            self.over = True
        elif self.count == LIMIT:
            self._end_count()
        else:
            self._pass_on()

    def say_go(self) -> None:
        """Say go for the seat whose turn it is.

        If no other seat can lay, the last player pegs the go."""
        self.said_go |= 1 << self.turn
        self._pass_on()

    def _pass_on(self) -> None:
        for seat in self._next[self.turn]:
            if self.left[seat] and not self.said_go >> seat & 1:
                self.turn = seat
                return
        self._peg(self._deal.go)
        self._end_count()

    def _end_count(self) -> None:
        self.stack, self.count, self.said_go = (), 0, 0
        if self._deal.single_series is Option.ON:
            self.over = True
            return
        for seat in self._next[self.last]:
            if self.left[seat]:
                self.turn = seat
                return

    def _peg(self, points: int) -> None:
        side = self.last % self._deal.teams
        self.scores[side] += points
        if self.scores[side] >= self._target:
            self.over = True


@lru_cache(8)
def _round(players: int) -> tuple[tuple[int, ...], ...]:
    """List the seats that play after each seat, in order.

    The seat itself comes last."""
    return tuple(tuple((seat + step) % players for step in range(1, players + 1)) for seat in range(players))
