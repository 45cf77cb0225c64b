"""What is true at the table.

A `Position` is frozen, and knows what is due (nobody outside may: see `cribboard.view`). How it came to be, and how
each event changes it, is `cribboard.evolution`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from cribboard.actions import Action, Question
from cribboard.cards import Card, Rank
from cribboard.events import Doubt, Event, Occasion, Skunk, Timing
from cribboard.play import count as count_of
from cribboard.rules import FirstDeal, Rules, Way
from cribboard.scoring import Combination


class Phase(StrEnum):
    """Where the game stands. A table that trusts sees no cards: all of its deal is `PEGGING`."""

    CUT = "cut"
    DEAL = "deal"
    PLAY = "play"
    SHOW = "show"
    PEGGING = "pegging"
    WON = "won"
    OVER = "over"


class PegState(StrEnum):
    IN_HAND = "in-hand"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class Pegs:
    """The two pegs of a side, as points: the front one is the score, the back one where it stood before."""

    front: int = 0
    back: int = 0


@dataclass(frozen=True, slots=True)
class Opening:
    """Something that may be claimed now, and what is due for it. `called` is what was claimed of it before, where a peg
    that was let go may be added to; None if it was not claimed yet. `beside` are the points of the card itself, where
    the same card made a go known."""

    occasion: Occasion
    seat: int
    awards: tuple[Combination, ...]
    called: int | None = None
    beside: int = 0

    @property
    def due(self) -> int:
        return sum(award.points for award in self.awards) - (self.called or 0)


@dataclass(frozen=True, slots=True)
class Claim:
    """A peg in hand, or let go and not yet accepted. `since` is the event number before the act that lifted it."""

    side: int
    points: int
    state: PegState
    doubt: Doubt = Doubt.NONE
    timing: Timing = Timing.IN_TIME
    since: int = 0


@dataclass(frozen=True)  # not slotted: see `but`
class Position:
    """All that is true of a game after event number `number`.

    `cutters` cut for the deal again, nobody where all do; `cuts`, `hands` and `pegs` go by seat or side. `stack` lies
    oldest first and stays in sight, with `count_over`, until the next count is led; `gone` said go in this count, and
    `gos` holds every go of the deal that bound its seat, with the count it was said at, `gos_before` of them before
    this count. `passed` were said to pass by who laid last, and one of them may yet go on: `gone_at_end` had said go
    when the count ended, and `go_pegged` is what the go has pegged, with the pegs as they would stand without it.
    `open` is what each side may claim now, `missed` what it let pass in this count. `answered` have said OK to the
    question, `agreed` to the result. `acts` tells of each act that can be taken back the number of the event before
    it, and whose it was; `last` is the latest act with what it caused, and `taken_back` what that was, if it took
    something back.
    """

    rules: Rules
    way: Way
    pegs: tuple[Pegs, ...]
    number: int = 0
    phase: Phase = Phase.CUT
    deal: int = 0
    dealer: int | None = None
    cuts: tuple[tuple[int, Card], ...] = ()
    cutters: tuple[int, ...] = ()
    starter: Card | None = None
    turn: int | None = None
    hands: tuple[tuple[Card, ...], ...] = ()
    stack: tuple[tuple[int, Card], ...] = ()
    count_over: bool = True
    gone: frozenset[int] = frozenset()
    gos: tuple[tuple[int, int], ...] = ()
    gos_before: int = 0
    passed: tuple[int, ...] = ()
    gone_at_end: frozenset[int] = frozenset()
    go_pegged: tuple[int, Pegs] | None = None
    crib: tuple[Card, ...] = ()
    counting: tuple[int, Occasion] | None = None
    counts_done: int = 0
    open: tuple[tuple[Opening, ...], ...] = ()
    missed: tuple[tuple[Opening, ...], ...] = ()
    claim: Claim | None = None
    question: tuple[Question, int] | None = None
    answered: frozenset[int] = frozenset()
    pegs_at_deal: tuple[Pegs, ...] = ()
    winner: int | None = None
    agreed: frozenset[int] = frozenset()
    acts: tuple[tuple[int, int], ...] = ()
    last: tuple[Event, ...] = ()
    taken_back: Action | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the running count, oldest first."""
        return tuple(card for _, card in self.stack)

    @property
    def count(self) -> int:
        """The running count; it stands until the next count is led."""
        return count_of(self.cards)

    @property
    def to_cut(self) -> int | None:
        """The seat that cuts for the deal next."""
        return (self.cutters or tuple(self.rules.seats))[len(self.cuts)] if self.phase is Phase.CUT else None

    @property
    def best_cuts(self) -> tuple[int, ...]:
        """The seats that cut the rank that deals: one, or several that tied. The ace is lowest."""
        lowest = self.rules.deal_and_play.first_deal is FirstDeal.LOW_CUT
        ranks: list[Rank] = [card.rank for _, card in self.cuts]
        best = min(ranks) if lowest else max(ranks)
        return tuple(seat for seat, card in self.cuts if card.rank is best)

    @property
    def to_show(self) -> int | None:
        """The seat whose cards that it did not lay must be read before its hand can be counted."""
        if self.phase is not Phase.SHOW or self.counting or self.counts_done >= len(self.hands):
            return None
        seat, _ = self.show_order()[self.counts_done]
        return seat if self.cards_left(seat) else None

    @property
    def skunk(self) -> Skunk:
        """Whether a game that is won is a skunk: every loser is below the line."""
        if self.winner is None:
            return Skunk.NONE
        game = self.rules.game
        best = max(pegs.front for side, pegs in enumerate(self.pegs) if side != self.winner)
        if game.double_skunk_line is not None and best < game.double_skunk_line:
            return Skunk.DOUBLE
        return Skunk.SKUNK if game.skunk_line is not None and best < game.skunk_line else Skunk.NONE

    def unclaimed(self, side: int) -> tuple[Opening, ...]:
        """What the side may claim and has not claimed yet."""
        return tuple(opening for opening in self.open[side] if opening.called is None)

    def seen(self, card: Card) -> bool:
        """Whether this deal has shown the card already."""
        return card == self.starter or card in self.crib or any(card in hand for hand in self.hands)

    def cards_left(self, seat: int) -> int:
        return self.rules.deal_and_play.hand_size - len(self.hands[seat])

    def may_lay(self, after: int) -> int | None:
        """The first seat to the left of `after` that holds cards and has not said go; `after` itself comes last."""
        return self._next(after, among=lambda seat: self.cards_left(seat) > 0 and seat not in self.gone)

    def holds_cards(self, after: int) -> int | None:
        """The first seat to the left of `after` that holds cards."""
        return self._next(after, among=lambda seat: self.cards_left(seat) > 0)

    def _next(self, after: int, *, among: Callable[[int], bool]) -> int | None:
        seat = after
        for _ in self.hands:
            seat = self.rules.left_of(seat)
            if among(seat):
                return seat
        return None

    def show_order(self) -> tuple[tuple[int, Occasion], ...]:
        """Who counts what, in order: the hands from the dealer's left, the dealer's own, then the crib."""
        assert self.dealer is not None
        seats = self.rules.round_from(self.rules.left_of(self.dealer))
        return (*((seat, Occasion.HAND) for seat in seats), (self.dealer, Occasion.CRIB))

    def left_to_go(self, side: int) -> int:
        """Holes from the side's front peg to the game hole."""
        return self.rules.game.target - self.pegs[side].front


def but(position: Position, /, **changes: Any) -> Position:
    """The position but for these fields. A game makes thousands of them, and this is five times as fast as
    `dataclasses.replace`, which asks for each field by its name."""
    other = object.__new__(Position)
    other.__dict__.update(position.__dict__, **changes)
    return other
