"""What happened, in the past tense: all that is ever written down.

Each act at the table begins with `Acted`, which keeps the action itself so that a game can be judged again; what it
caused follows. Events carry kinds, cards and points, never text, and nothing of what is due before its claim is
closed (design law 9).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cribboard.actions import Action, By, Question, Seat, Side
from cribboard.cards import Card
from cribboard.scoring import Combination


class Verdict(StrEnum):
    """How a claim is judged."""

    EXACT = "exact"
    TOO_MANY = "too-many"
    TOO_FEW = "too-few"
    OUT_OF_TURN = "out-of-turn"
    TOO_LATE = "too-late"
    IMPOSSIBLE = "impossible"
    SINGLE_POINT = "single-point"
    UNVERIFIED = "unverified"
    NOTHING_MISSED = "nothing-missed"


class Ground(StrEnum):
    """The rule that a ruling follows: by the name of its parameter, where one decides, and `cribboard.rules.cited` has
    its number, where there is one."""

    COUNT = "count"
    """What the cards count."""
    ORDER = "order"
    """One count after the other."""
    IMPOSSIBLE = "impossible"
    UNREAD = "unread"
    """A card that no reader could read."""
    OVER_CLAIM = "over_claim"
    UNDER_CLAIM = "under_claim"
    LATE_CLAIM = "late_claim"
    FALSE_GAME = "false_game_penalty"
    MUGGINS = "muggins"
    WRONG_CALL = "muggins_wrong_call"
    RENEGE = "renege"
    SINGLE_POINT = "no_single_point_from"


class Bar(StrEnum):
    """Why points that were made move no peg: one point alone near the end, or more than the holes that are left."""

    SINGLE_POINT = "single-point"
    EXACT_OUT = "exact-out"


class Skunk(StrEnum):
    """How far behind the losers stayed."""

    NONE = "none"
    SKUNK = "skunk"
    DOUBLE = "double"


class Occasion(StrEnum):
    """What points may be claimed for."""

    HEELS = "heels"
    CARD = "card"
    GO = "go"
    HAND = "hand"
    CRIB = "crib"


class Doubt(StrEnum):
    """What the board asks about a peg in hand before it believes it."""

    NONE = "none"
    NINETEEN = "nineteen"
    FAR = "far"


class Timing(StrEnum):
    IN_TIME = "in-time"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class Acted:
    """Somebody did something, and it was allowed: an act begins."""

    action: Action


@dataclass(frozen=True, slots=True)
class CardCut:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CutTied:
    """The best cuts are of one rank: all cut again, or those who tied."""


@dataclass(frozen=True, slots=True)
class DealBegan:
    """This seat deals."""

    dealer: Seat


@dataclass(frozen=True, slots=True)
class ThreeForLast:
    """The first deal of a five-card game: its non-dealer begins with points."""

    side: Side
    points: int


@dataclass(frozen=True, slots=True)
class StarterTurned:
    card: Card


@dataclass(frozen=True, slots=True)
class CardLaid:
    """`count` is the running count that the card made."""

    seat: Seat
    card: Card
    count: int


@dataclass(frozen=True, slots=True)
class SaidGo:
    seat: Seat


@dataclass(frozen=True, slots=True)
class AllPassed:
    """None of these seats lays another card on this count."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class PassTakenBack:
    """This seat goes on with the count after all; what was pegged for the go comes back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Reneged:
    """This seat shows a card that it could have laid when it said go, or passed with the others, at `count`. The board
    says so, and no more: the players agree to undo, or play on."""

    seat: Seat
    card: Card
    count: int


@dataclass(frozen=True, slots=True)
class RolledBack:
    """Play goes on from before the false go of this seat: what was laid and pegged since comes back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardDead:
    """The card that this seat should have laid lies dead: it is counted at the show, and not laid."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class StarterUnread:
    """The starter is turned up, and no reader can read it."""


@dataclass(frozen=True, slots=True)
class CardUnread:
    """This seat lays a card that no reader can read: the running count is not known until the next one is led."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CountUnverified:
    """This hand or crib is counted without the cards that could not be read: what is called stands as called."""

    seat: Seat
    occasion: Occasion


@dataclass(frozen=True, slots=True)
class CountEnded:
    """Nobody can lay a card on this count any more. `last` laid the last one."""

    last: Seat
    count: int


@dataclass(frozen=True, slots=True)
class PlayEnded:
    """No more cards are laid in this deal."""


@dataclass(frozen=True, slots=True)
class CountOpened:
    """At the show, this seat's hand or crib is to be counted."""

    seat: Seat
    occasion: Occasion


@dataclass(frozen=True, slots=True)
class HandCardShown:
    """A card that this seat did not lay."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CribCardRead:
    card: Card


@dataclass(frozen=True, slots=True)
class PegTaken:
    """A peg is in hand, `points` ahead of the front peg; 0 is a zero in hand."""

    side: Side
    points: int
    doubt: Doubt
    timing: Timing


@dataclass(frozen=True, slots=True)
class PegPutBack:
    side: Side


@dataclass(frozen=True, slots=True)
class PegReleased:
    side: Side
    points: int
    by: By


@dataclass(frozen=True, slots=True)
class ClaimJudged:
    """The claim is closed: what was called, what was due, for which combinations, and what the verdict rests on. Where
    a card could not be read what was called is due."""

    side: Side
    occasions: tuple[Occasion, ...]
    verdict: Verdict
    called: int
    due: int
    combinations: tuple[Combination, ...]
    ground: Ground


@dataclass(frozen=True, slots=True)
class ClaimRuled:
    """A claim that moves no peg: out of turn, too late, impossible, or a single point where none is taken."""

    side: Side
    points: int
    verdict: Verdict
    ground: Ground


@dataclass(frozen=True, slots=True)
class PointsBarred:
    """The claim that was judged just now, or an award, came to these points, and they move no peg."""

    side: Side
    points: int
    bar: Bar


@dataclass(frozen=True, slots=True)
class Pegged:
    """The front peg of the side stands `points` further, in hole `score`; the old front is the back peg."""

    side: Side
    points: int
    score: int


@dataclass(frozen=True, slots=True)
class ClaimChallenged:
    """`by` said that the claim of `side` was too much."""

    side: Side
    by: Side


@dataclass(frozen=True, slots=True)
class SetBack:
    """A peg goes back: the front peg of the side stands in hole `score` and the back peg in hole `back` (7.21)."""

    side: Side
    score: int
    back: int
    ground: Ground


@dataclass(frozen=True, slots=True)
class Awarded:
    """These points go to a side that did not make them; they are pegged next."""

    side: Side
    points: int
    ground: Ground


@dataclass(frozen=True, slots=True)
class ChallengeRaised:
    """Where muggins is played a challenge is first a question: `by` will say whether a call of `against` was too much,
    or show how much was missed."""

    by: Side
    against: Side


@dataclass(frozen=True, slots=True)
class ChallengeWithdrawn:
    by: Side


@dataclass(frozen=True, slots=True)
class MugginsTaken:
    """The side that challenged has a peg in hand for so many points that were missed."""

    by: Side
    points: int


@dataclass(frozen=True, slots=True)
class MugginsRuled:
    """What a call of muggins comes to: `called` points of the `missed` ones of `against`. What was never claimed of
    them is in `combinations`; what was claimed too low is in the judgement of that claim."""

    by: Side
    against: Side
    called: int
    missed: int
    verdict: Verdict
    combinations: tuple[Combination, ...]
    ground: Ground


@dataclass(frozen=True, slots=True)
class ClaimAccepted:
    side: Side
    by: By


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The deal is over; the next dealer is told by the `DealBegan` that follows."""


@dataclass(frozen=True, slots=True)
class DealVoided:
    """A misdeal: what this deal pegged comes back, and the same seat deals again."""

    dealer: Seat


@dataclass(frozen=True, slots=True)
class CutStands:
    """A card was seen at the cut, and the starter stands all the same."""


@dataclass(frozen=True, slots=True)
class GameWon:
    side: Side


@dataclass(frozen=True, slots=True)
class ResultAccepted:
    side: Side


@dataclass(frozen=True, slots=True)
class ResultFinal:
    """Every side has said OK: the game counts."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Something needs the OK of every other side. `side` asks (for an undo: whose act is to be taken back)."""

    side: Side
    question: Question


@dataclass(frozen=True, slots=True)
class Agreed:
    """This side has said OK to what was asked, and another has still to answer."""

    side: Side


@dataclass(frozen=True, slots=True)
class QuestionDropped:
    question: Question


@dataclass(frozen=True, slots=True)
class Undone:
    """Play goes on from where it stood after event number `to` of this game."""

    to: int


@dataclass(frozen=True, slots=True)
class BrokenOff:
    """The game ends without a result."""


Event = (
    Acted | CardCut | CutTied | DealBegan | ThreeForLast | StarterTurned | StarterUnread | CardLaid | CardUnread
    | SaidGo | AllPassed | PassTakenBack | Reneged | RolledBack | CardDead | CountEnded | PlayEnded | CountOpened
    | HandCardShown | CribCardRead | CountUnverified | PegTaken | PegPutBack | PegReleased | ClaimJudged
    | PointsBarred | ClaimRuled | Pegged | SetBack | Awarded | ChallengeRaised | ChallengeWithdrawn | MugginsTaken
    | MugginsRuled | ClaimChallenged | ClaimAccepted | DealEnded | DealVoided | CutStands | GameWon
    | ResultAccepted | ResultFinal | Asked | Agreed | QuestionDropped | Undone | BrokenOff
)  # fmt: skip
