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
from cribboard.play import LIMIT
from cribboard.play import count as count_of
from cribboard.rules import FirstDeal, Rules, Way
from cribboard.score_entry import Scored
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
    the same card made a go known. What is not `verified` rests on a card that no reader could read, and nobody but the
    players knows what is due."""

    occasion: Occasion
    seat: int
    awards: tuple[Combination, ...]
    called: int | None = None
    beside: int = 0
    verified: bool = True

    @property
    def due(self) -> int:
        return sum(award.points for award in self.awards) - (self.called or 0)


@dataclass(frozen=True, slots=True)
class Claim:
    """A peg in hand, or let go and not yet accepted. `since` is the event number before the act that lifted it;
    `let_by` are the sides that have said OK to a peg which waits at the game hole, while another is waited for."""

    side: int
    points: int
    state: PegState
    doubt: Doubt = Doubt.NONE
    timing: Timing = Timing.IN_TIME
    since: int = 0
    let_by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """A call that is pegged as called and will be judged later: the openings that it covers, all that were open to its
    side, and the pegs of the side `before` it."""

    side: int
    called: int
    openings: tuple[Opening, ...]
    before: Pegs


@dataclass(frozen=True, slots=True)
class Raised:
    """Where muggins is played: `by` has challenged `against`, and has yet to say whether a call was too much or, with
    `points` in hand, that so many were missed."""

    by: int
    against: int
    points: int | None = None


@dataclass(frozen=True, slots=True)
class FalseGo:
    """A card that came to light and would have fitted when its seat said go; `before` is where play stood then."""

    seat: int
    card: Card
    before: Position


@dataclass(frozen=True, slots=True)
class RememberedGo:
    """A false go that play was taken back to, for which each card that could have been laid counts when it appears: its
    seat and count, the side that has the points, and the cards that have `counted`."""

    seat: int
    count: int
    by: int
    counted: tuple[Card, ...]

    def counts(self, seat: int, card: Card) -> bool:
        """Whether this card of the seat could have been laid at the go, and has not counted yet."""
        return self.seat == seat and card not in self.counted and self.count + card.value <= LIMIT


@dataclass(frozen=True)  # not slotted: see `but`
class Position:
    """All that is true of a game after event number `number`.

    `cutters` cut for the deal again, nobody where all do; `cuts`, `hands` and `pegs` go by seat or side. `stack` lies
    oldest first and stays in sight, with `count_over`, until the next count is led; `gone` said go in this count, and
    `gos` holds every go of the deal that bound its seat, with the count it was said at, `gos_before` of them before
    this count. `passed` were said to pass by who laid last, and one of them may yet go on: `gone_at_end` had said go
    when the count ended, and `go_pegged` is what the go has pegged, with the pegs as they would stand without it.
    `open` is what each side may claim now, `missed` what it let pass in this count, or where muggins is played since it
    last pegged. In a silent game `standing` are the calls that are not judged yet, and `raised` a challenge that is not
    finished. A None on the stack is a card that no reader could read, `unread` by seat the counts that they were laid
    at (0 where that was not known), `unread_starter` that the starter is one, and `waived` are the counts that go on
    without theirs. `went` holds where play stood before each go of the deal, with its seat and count, and `false_go` is
    the last one that came to light; `remembered` are those of the deal that play was taken back to, where
    each card counts; `renege` says that the other side must say what becomes of it. `answered` have said OK to the
    question, `agreed` to the result. `scores` is all that was settled so far, oldest first. `acts` tells of
    each act that can be taken back the number of the event before it, and whose it was; `last` is the latest act with
    what it caused, and `taken_back` what that was, if it took something back.
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
    stack: tuple[tuple[int, Card | None], ...] = ()
    count_over: bool = True
    gone: frozenset[int] = frozenset()
    gos: tuple[tuple[int, int], ...] = ()
    gos_before: int = 0
    unsaid: tuple[tuple[int, int], ...] = ()
    passed: tuple[int, ...] = ()
    gone_at_end: frozenset[int] = frozenset()
    go_pegged: tuple[int, Pegs] | None = None
    crib: tuple[Card, ...] = ()
    counting: tuple[int, Occasion] | None = None
    counts_done: int = 0
    open: tuple[tuple[Opening, ...], ...] = ()
    missed: tuple[tuple[Opening, ...], ...] = ()
    claim: Claim | None = None
    standing: tuple[Standing, ...] = ()
    raised: Raised | None = None
    unread: tuple[tuple[int, ...], ...] = ()
    unread_starter: bool = False
    waived: frozenset[tuple[int, Occasion]] = frozenset()
    went: tuple[tuple[int, int, Position], ...] = ()
    false_go: FalseGo | None = None
    remembered: tuple[RememberedGo, ...] = ()
    renege: bool = False
    question: tuple[Question, int] | None = None
    answered: frozenset[int] = frozenset()
    pegs_at_deal: tuple[Pegs, ...] = ()
    winner: int | None = None
    agreed: frozenset[int] = frozenset()
    scores: tuple[Scored, ...] = ()
    acts: tuple[tuple[int, int], ...] = ()
    last: tuple[Event, ...] = ()
    taken_back: Action | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the running count that are known, oldest first."""
        return tuple(card for _, card in self.stack if card is not None)

    @property
    def count(self) -> int:
        """The running count; it stands until the next count is led. 0 if a card of it could not be read."""
        return 0 if self.blind else count_of(self.cards)

    @property
    def blind(self) -> bool:
        """Whether a card of this count could not be read, so that only the players know the running count."""
        return bool(self.unread) and any(card is None for _, card in self.stack)

    @property
    def silent(self) -> bool:
        """Whether a call is judged only when the other side has answered it."""
        return self.way is Way.VERIFY and self.rules.claims.silent

    @property
    def game_claimed(self) -> int | None:
        """The side that has called itself to the game hole, while nobody has answered yet."""
        target = self.rules.game.target
        claimant = next((side for side, pegs in enumerate(self.pegs) if pegs.front == target), None)
        return claimant if self.phase not in (Phase.WON, Phase.OVER) else None

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
        """The seat whose cards that were not laid, or not read, must be read before its hand can be counted."""
        if self.phase is not Phase.SHOW or self.counting or self.counts_done >= len(self.hands):
            return None
        count = self.show_order()[self.counts_done]
        read = len(self.hands[count[0]]) == self.rules.deal_and_play.hand_size
        return None if read or count in self.waived else count[0]

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
        """How many cards the seat still holds."""
        unread = self.unread[seat] if self.unread else ()
        return max(0, self.rules.deal_and_play.hand_size - len(self.hands[seat]) - len(unread))

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


def updated(position: Position, /, **changes: Any) -> Position:
    """The position but for these fields. A game makes thousands of them, and this is five times as fast as
    `dataclasses.replace`, which asks for each field by its name."""
    other = object.__new__(Position)
    other.__dict__.update(position.__dict__, **changes)
    return other
