"""The position: the state of a game after an event.

A `Position` is frozen. It knows what is due, so nothing outside the table may show it: `cribboard.view` makes what may
be shown. `cribboard.evolution` makes the next position from an event.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from cribboard.actions import Action, Question
from cribboard.cards import PACK, Card
from cribboard.event_terms import Doubt, Occasion, Timing
from cribboard.events import Event
from cribboard.play import LIMIT
from cribboard.play import count as count_of
from cribboard.rules import FirstDeal, Rules, Way
from cribboard.score_entry import ScoreEntry
from cribboard.scoring import Combination
from cribboard.skunk import Skunk, skunk_at


class Phase(StrEnum):
    """The phase of the game.

    On trust, the whole deal is `PEGGING`, because no cards are read."""

    CUT = "cut"
    DEAL = "deal"
    PLAY = "play"
    SHOW = "show"
    PEGGING = "pegging"
    WON = "won"
    OVER = "over"


class PegState(StrEnum):
    """The state of a claim's peg."""

    IN_HAND = "in-hand"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class Pegs:
    """The positions of a side's two pegs, in points."""

    front: int = 0  # the score
    back: int = 0  # the score before the last pegging


@dataclass(frozen=True, slots=True)
class ClaimWindow:
    """A claim that may be made now, with the points due."""

    occasion: Occasion  # what it is claimed for
    seat: int  # whose it is
    awards: tuple[Combination, ...]  # what is due
    called: int | None = None  # points claimed of it before, where a released peg may be added to; None: not claimed
    card_points: int = 0  # of a go: the points of the card itself, if that card ended the count
    verified: bool = True  # False: it rests on an unread card, and only the players know what is due

    @property
    def due(self) -> int:
        """The points that are still due."""
        return sum(award.points for award in self.awards) - (self.called or 0)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim whose peg is not accepted yet."""

    side: int  # whose peg it is
    points: int  # how far ahead of the front peg
    state: PegState  # in hand, or released
    doubt: Doubt = Doubt.NONE  # what the board asks before it believes the peg
    timing: Timing = Timing.IN_TIME  # before the next card, or late
    since: int = 0  # the number of the event before the act that lifted the peg
    approved_by: tuple[int, ...] = ()  # sides that said OK to a peg at the game hole while another side is waited for


@dataclass(frozen=True, slots=True)
class UnjudgedCall:
    """A call of a silent game that is not judged yet."""

    side: int  # who called
    called: int  # the points
    windows: tuple[ClaimWindow, ...]  # what the call covers
    before: Pegs  # the pegs of the side before the call


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """An open challenge in a game with muggins.

    `by` must still say what is wrong with the call of `against`."""

    by: int  # the side that challenges
    against: int  # the side that called
    points: int | None = None  # missed points that `by` has in hand; None: it has pressed no hole


@dataclass(frozen=True, slots=True)
class FalseGo:
    """A false go that was found."""

    seat: int  # who said go
    card: Card  # the one that would have fitted
    before: Position  # where play stood before the go


@dataclass(frozen=True, slots=True)
class RememberedGo:
    """A false go that can still cost points.

    Play went back to the go. Each card that fitted at the go costs points when it appears."""

    seat: int  # who said go
    count: int  # the running count at the go
    by: int  # the side that gets the points
    counted: tuple[Card, ...]  # cards that have cost points already

    def costs_points(self, seat: int, card: Card) -> bool:
        """Whether this card gives another side points for the false go.

        Each card that fitted at the go gives points once."""
        return self.seat == seat and card not in self.counted and self.count + card.value <= LIMIT


@dataclass(frozen=True, kw_only=True)
class Position:
    """The whole state of a game after event `number`.

    A tuple with an entry for each seat or side is in the order of their numbers.

    It has no slots: `updated` copies the dict.
    """

    rules: Rules  # those that are played, with all options
    way: Way  # how the table scores: trust, verify or auto
    pegs: tuple[Pegs, ...]  # by side
    number: int = 0  # events so far
    phase: Phase = Phase.CUT  # which part of the game it is

    # The cut, the deal, and the cards that were seen in it
    cuts: tuple[tuple[int, Card], ...] = ()  # seat and card, in order
    cutters: tuple[int, ...] = ()  # seats that must cut again after a tie; empty if all cut
    deal: int = 0  # from 1
    dealer: int | None = None  # a seat
    pegs_at_deal: tuple[Pegs, ...] = ()  # the pegs when the deal began: a misdeal puts them back
    starter: Card | None = None  # None until it is turned
    hands: tuple[tuple[Card, ...], ...] = ()  # by seat, the cards seen so far
    crib: tuple[Card, ...] = ()  # the cards of the crib read so far

    # The running count, and whose turn it is
    turn: int | None = None  # the seat that lays next; at the show, the seat whose count it is
    stack: tuple[tuple[int, Card | None], ...] = ()  # seat and card, oldest first, until the next lead; None: unread
    count_over: bool = True  # the count has ended, and its cards still lie on the stack
    said_go: frozenset[int] = frozenset()  # seats that said go in this count

    # The gos of the deal
    binding_gos: tuple[tuple[int, int], ...] = ()  # every go that bound its seat: seat and running count
    binding_gos_before: int = 0  # how many of `binding_gos` are of earlier counts
    implied_gos: tuple[tuple[int, int], ...] = ()  # the same of gos that a lead implied without a word
    go_snapshots: tuple[tuple[int, int, Position], ...] = ()  # each go: seat, running count, where play stood before it
    declared_for: tuple[int, ...] = ()  # seats that the last player declared go for; each may still go on
    said_go_at_end: frozenset[int] = frozenset()  # seats that had said go when the count ended
    pegged_for_go: tuple[int, Pegs] | None = None  # points pegged for this go, and the side's pegs without them

    # The false gos that came to light
    false_go: FalseGo | None = None  # the last one that came to light
    remembered_gos: tuple[RememberedGo, ...] = ()  # those that play was taken back to
    awaits_false_go_answer: bool = False  # the other side must say what becomes of `false_go`

    # The cards that no reader could read
    unread: tuple[tuple[int, ...], ...] = ()  # by seat, the running count at each; 0 if unknown; () if there are none
    unread_starter: bool = False  # whether the starter is such a card
    waived: frozenset[tuple[int, Occasion]] = frozenset()  # counts of the show that go on without their unread cards

    # Which hand or crib is counted
    counting: tuple[int, Occasion] | None = None  # the count that is open
    counts_done: int = 0  # counts accepted

    # What each side may claim, and what it has claimed
    open_windows: tuple[tuple[ClaimWindow, ...], ...] = ()  # by side, what it may claim now
    missed_windows: tuple[tuple[ClaimWindow, ...], ...] = ()  # by side, what it let pass: `miss_open_windows`
    claim: Claim | None = None  # the one peg in hand, or released and not accepted yet
    unjudged: tuple[UnjudgedCall, ...] = ()  # calls of a silent game that are not judged yet
    open_challenge: OpenChallenge | None = None  # an unfinished challenge, where muggins is played

    # What one side asks the others
    question: tuple[Question, int] | None = None  # what was asked, and by which side
    answered: frozenset[int] = frozenset()  # sides that said OK to it

    # Who won
    winner: int | None = None  # a side
    agreed: frozenset[int] = frozenset()  # sides that said OK to the result

    # What happened so far
    scores: tuple[ScoreEntry, ...] = ()  # all settled scores, oldest first
    acts: tuple[tuple[int, int], ...] = ()  # acts that can be undone: the number of the event before, and whose it was
    last: tuple[Event, ...] = ()  # the latest act and what it caused
    taken_back: Action | None = None  # what the latest act took back, if it is an undo

    def seen(self, card: Card) -> bool:
        """Whether the card was already seen in this deal."""
        return card == self.starter or card in chain(self.crib, *self.hands)

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards of the pack not seen in this deal."""
        shown = {card.place for card in chain(self.crib, *self.hands)}
        if self.starter is not None:
            shown.add(self.starter.place)
        return tuple([card for card in PACK if card.place not in shown])

    @property
    def cards(self) -> tuple[Card, ...]:
        """The known cards of the running count, oldest first."""
        return tuple([card for _, card in self.stack if card is not None])

    def unclaimed(self, side: int) -> tuple[ClaimWindow, ...]:
        """Return the open claim windows not yet claimed by the side."""
        return tuple(window for window in self.open_windows[side] if window.called is None)

    @property
    def count(self) -> int:
        """The running count, which is kept until the next lead.

        The count is 0 while a card of it is unread."""
        return 0 if self.blind else count_of(self.cards)

    @property
    def blind(self) -> bool:
        """Whether a card of the running count is unread."""
        return bool(self.unread) and any(card is None for _, card in self.stack)

    @property
    def silent(self) -> bool:
        """Whether the other side must answer a call before its verdict."""
        return self.way is Way.VERIFY and self.rules.claims.silent

    @property
    def game_claimed(self) -> int | None:
        """The side whose claim of the game is open, or None."""
        target = self.rules.game.target
        claimant = next((side for side, pegs in enumerate(self.pegs) if pegs.front == target), None)
        return claimant if self.phase not in (Phase.WON, Phase.OVER) else None

    @property
    def to_cut(self) -> int | None:
        """The next seat to cut for the deal, or None."""
        return (self.cutters or tuple(self.rules.seats))[len(self.cuts)] if self.phase is Phase.CUT else None

    @property
    def best_cuts(self) -> tuple[int, ...]:
        """The seats with the best cut; several if tied.

        The ace is lowest."""
        choose = min if self.rules.deal_and_play.first_deal is FirstDeal.LOW_CUT else max
        best = choose([card.rank for _, card in self.cuts])
        return tuple(seat for seat, card in self.cuts if card.rank is best)

    @property
    def to_show(self) -> int | None:
        """The seat that must show cards before its count, or None."""
        if self.phase is not Phase.SHOW or self.counting or self.counts_done >= len(self.hands):
            return None
        count = self.show_order()[self.counts_done]
        read = len(self.hands[count[0]]) == self.rules.deal_and_play.hand_size
        return None if read or count in self.waived else count[0]

    @property
    def skunk(self) -> Skunk:
        """The skunk by which this game was won, if any.

        `Skunk.NONE` if a loser reached the skunk line, or if no side has won."""
        if self.winner is None:
            return Skunk.NONE
        best = max(pegs.front for side, pegs in enumerate(self.pegs) if side != self.winner)
        return skunk_at(best, self.rules.game)

    def cards_left(self, seat: int) -> int:
        """Return the number of cards that the seat still holds."""
        unread = self.unread[seat] if self.unread else ()
        return max(0, self.rules.deal_and_play.hand_size - len(self.hands[seat]) - len(unread))

    def may_lay(self, after: int) -> int | None:
        """Find the next seat with cards that has not said go.

        The search goes to the left; `after` itself comes last. None if there is no such seat."""
        return next((seat for seat in self._seats_with_cards(after) if seat not in self.said_go), None)

    def next_seat_with_cards(self, after: int) -> int | None:
        """Find the next seat that holds cards.

        The search goes to the left; `after` itself comes last. None if no seat holds cards."""
        return next(self._seats_with_cards(after), None)

    def _seats_with_cards(self, after: int) -> Iterator[int]:
        seats = self.rules.round_from(self.rules.left_of(after))
        return (seat for seat in seats if self.cards_left(seat) > 0)

    def show_order(self) -> tuple[tuple[int, Occasion], ...]:
        """List the counts of the show as (seat, occasion), in order.

        The hands begin at the dealer's left, the dealer's own is last, then comes the crib."""
        assert self.dealer is not None
        seats = self.rules.round_from(self.rules.left_of(self.dealer))
        return (*((seat, Occasion.HAND) for seat in seats), (self.dealer, Occasion.CRIB))

    def left_to_go(self, side: int) -> int:
        """Return the side's distance to the game hole, in holes."""
        return self.rules.game.target - self.pegs[side].front


T = TypeVar("T")


def put(row: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return a copy of the tuple `row` with `value` at `index`."""
    return (*row[:index], value, *row[index + 1 :])


if TYPE_CHECKING:  # same signature: the type checker knows the fields
    updated = replace
else:

    def updated(position: Position, /, **changes: Any) -> Position:
        """Replace these fields of the position.

        Five times as fast as `dataclasses.replace`, which looks up every field by name; a game makes thousands of
        positions."""
        other = object.__new__(Position)
        object.__setattr__(other, "__dict__", position.__dict__ | changes)
        return other


def without_question(p: Position) -> Position:
    """Return the position without its open question."""
    return updated(p, question=None, answered=frozenset()) if p.question or p.answered else p
