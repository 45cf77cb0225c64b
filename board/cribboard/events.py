"""Events: what happened, in the past tense. The log of a game contains only events.

Each action begins with `Acted`, which keeps the action so that the game can be judged again; the events that it caused
follow. Events carry kinds, cards and points, never text, and nothing of what is due before its claim is closed (design
law 9).
"""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.actions import Action, By, Question, Seat, Side
from cribboard.cards import Card
from cribboard.event_terms import Bar, Doubt, Ground, Occasion, Timing, Verdict
from cribboard.scoring import Combination


@dataclass(frozen=True, slots=True)
class Acted:
    """An action was taken and allowed. The events that it caused follow."""

    action: Action


@dataclass(frozen=True, slots=True)
class CardCut:
    """This seat cut this card for the deal."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CutTied:
    """The best cuts have one rank. All seats cut again, or only those that tied."""


@dataclass(frozen=True, slots=True)
class DealBegan:
    """A deal began, and this seat deals."""

    dealer: Seat


@dataclass(frozen=True, slots=True)
class ThreeForLast:
    """The non-dealer of the first deal gets points for dealing second (five-card)."""

    side: Side
    points: int


@dataclass(frozen=True, slots=True)
class StarterTurned:
    """The starter was turned up, or read late."""

    card: Card


@dataclass(frozen=True, slots=True)
class CardLaid:
    """This seat laid this card."""

    seat: Seat
    card: Card
    count: int  # the running count with the card; 0 if it is not known


@dataclass(frozen=True, slots=True)
class SaidGo:
    """This seat said go."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AllPassed:
    """The last player declared go for these seats."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class PassTakenBack:
    """This seat goes on with the count after all, and the points pegged for the go are taken back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Reneged:
    """A go was false: this seat showed a card that it could have laid."""

    seat: Seat
    card: Card
    count: int  # the running count at the go


@dataclass(frozen=True, slots=True)
class RolledBack:
    """Play went back to before the false go of this seat. Later cards and points are taken back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardDead:
    """The card of this seat's false go lies dead: it counts at the show, and cannot be laid."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class StarterUnread:
    """The starter was turned up, but no reader could read it."""


@dataclass(frozen=True, slots=True)
class CardUnread:
    """This seat laid a card that no reader can read. The running count is unknown until the next lead."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CountUnverified:
    """This hand or crib is counted without its unread cards, so its call stands as called."""

    seat: Seat
    occasion: Occasion


@dataclass(frozen=True, slots=True)
class CountEnded:
    """The running count of the play, to 31, is over: no seat can lay another card on it."""

    last: Seat  # laid the last card
    count: int  # 0 if it is not known


@dataclass(frozen=True, slots=True)
class PlayEnded:
    """The play of this deal is over."""


@dataclass(frozen=True, slots=True)
class CountOpened:
    """The count of this seat's hand or crib began, at the show."""

    seat: Seat
    occasion: Occasion


@dataclass(frozen=True, slots=True)
class HandCardShown:
    """This seat showed a card that it did not lay, or that could not be read."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CribCardRead:
    """A card of the crib was read."""

    card: Card


@dataclass(frozen=True, slots=True)
class PegTaken:
    """A peg was taken in hand or moved, `points` ahead of the front peg; 0 claims zero."""

    side: Side
    points: int
    doubt: Doubt
    timing: Timing


@dataclass(frozen=True, slots=True)
class PegPutBack:
    """The peg in hand went back: nothing is claimed."""

    side: Side


@dataclass(frozen=True, slots=True)
class PegReleased:
    """The peg in hand was released: `points` are called."""

    side: Side
    points: int
    by: By


@dataclass(frozen=True, slots=True)
class ClaimJudged:
    """A call was compared with the cards, and its claim is closed."""

    side: Side
    occasions: tuple[Occasion, ...]  # what it closes
    verdict: Verdict
    called: int
    due: int  # what was called, if a card could not be read
    combinations: tuple[Combination, ...]  # what was due
    ground: Ground


@dataclass(frozen=True, slots=True)
class ClaimRuled:
    """A claim was refused and moved no peg: it is out of turn, too late, impossible, or a barred single point."""

    side: Side
    points: int
    verdict: Verdict
    ground: Ground


@dataclass(frozen=True, slots=True)
class PointsBarred:
    """Some points of the claim or award just judged do not count: the peg does not move for them."""

    side: Side
    points: int
    bar: Bar


@dataclass(frozen=True, slots=True)
class Pegged:
    """The front peg moved by `points` to hole `score`, and the back peg to the hole that the front peg left."""

    side: Side
    points: int
    score: int


@dataclass(frozen=True, slots=True)
class ClaimChallenged:
    """`by` said that the call of `side` was too much."""

    side: Side
    by: Side


@dataclass(frozen=True, slots=True)
class SetBack:
    """The pegs went back: the front peg to hole `score`, the back peg to hole `back` (7.21)."""

    side: Side
    score: int
    back: int
    ground: Ground


@dataclass(frozen=True, slots=True)
class Awarded:
    """The side gets points that it did not make. `Pegged` follows."""

    side: Side
    points: int
    ground: Ground


@dataclass(frozen=True, slots=True)
class ChallengeRaised:
    """Where muggins is played, `by` challenges `against`, and will say whether a call was too much or points were
    missed."""

    by: Side
    against: Side


@dataclass(frozen=True, slots=True)
class ChallengeWithdrawn:
    """The challenge is over without a ruling."""

    by: Side


@dataclass(frozen=True, slots=True)
class MugginsTaken:
    """The challenger took a peg in hand for `points` that were missed."""

    by: Side
    points: int


@dataclass(frozen=True, slots=True)
class MugginsRuled:
    """A call of muggins was judged."""

    by: Side
    against: Side
    called: int  # by the challenger
    missed: int  # by `against`
    verdict: Verdict
    combinations: tuple[Combination, ...]  # what was never claimed; a call too low has its own `ClaimJudged`
    ground: Ground


@dataclass(frozen=True, slots=True)
class ClaimAccepted:
    """The claim of `side` was accepted."""

    side: Side
    by: By


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The deal is over. `DealBegan` follows, with the next dealer."""


@dataclass(frozen=True, slots=True)
class DealVoided:
    """A misdeal was declared: points pegged in this deal are taken back, and the same seat deals again."""

    dealer: Seat


@dataclass(frozen=True, slots=True)
class CutStands:
    """A card was exposed at the cut, and the starter stands."""


@dataclass(frozen=True, slots=True)
class GameWon:
    """The side reached the game hole."""

    side: Side


@dataclass(frozen=True, slots=True)
class ResultAccepted:
    """The side said OK to the result."""

    side: Side


@dataclass(frozen=True, slots=True)
class ResultFinal:
    """Every side said OK, so the game counts."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The OK of every other side is asked. `side` asks; for an undo, it is the side whose act is to be undone."""

    side: Side
    question: Question


@dataclass(frozen=True, slots=True)
class Agreed:
    """This side said OK, and at least one other side must still answer."""

    side: Side


@dataclass(frozen=True, slots=True)
class QuestionDropped:
    """The question was dropped."""

    question: Question


@dataclass(frozen=True, slots=True)
class Undone:
    """Play went back to the position after event number `to`."""

    to: int


@dataclass(frozen=True, slots=True)
class BrokenOff:
    """The game ended without a result."""


Event = (
    Acted | CardCut | CutTied | DealBegan | ThreeForLast | StarterTurned | StarterUnread | CardLaid | CardUnread
    | SaidGo | AllPassed | PassTakenBack | Reneged | RolledBack | CardDead | CountEnded | PlayEnded | CountOpened
    | HandCardShown | CribCardRead | CountUnverified | PegTaken | PegPutBack | PegReleased | ClaimJudged
    | PointsBarred | ClaimRuled | Pegged | SetBack | Awarded | ChallengeRaised | ChallengeWithdrawn | MugginsTaken
    | MugginsRuled | ClaimChallenged | ClaimAccepted | DealEnded | DealVoided | CutStands | GameWon
    | ResultAccepted | ResultFinal | Asked | Agreed | QuestionDropped | Undone | BrokenOff
)  # fmt: skip
