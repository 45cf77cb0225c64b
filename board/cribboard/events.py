"""Events of a game, in the past tense.

The log of a game contains only events. Each action begins with `Acted`, which keeps the action so that the game can be
judged again; the events that it caused follow. Events carry kinds, cards and points, never text, and nothing of what is
due before its claim is closed (design law 9).
"""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.actions import Action, By, Question, Seat, Side, written_as
from cribboard.cards import Card
from cribboard.event_terms import Bar, Doubt, Ground, Occasion, Timing, Verdict
from cribboard.scoring import Combination


@dataclass(frozen=True, slots=True)
class Acted:
    """An action was allowed, and its events follow."""

    action: Action


@written_as("card cut {seat} {card}")
class CardCut:
    """This seat cut this card for the deal."""

    seat: Seat
    card: Card


@written_as("cut tied")
class CutTied:
    """Several seats tied for the best cut."""


@written_as("deal began {dealer}")
class DealBegan:
    """A deal began, and this seat deals."""

    dealer: Seat


@written_as("three for last {side} +{points}")
class ThreeForLast:
    """The non-dealer got points in the first deal (five-card)."""

    side: Side
    points: int


@written_as("starter {card}")
class StarterTurned:
    """The starter was turned up, or read late."""

    card: Card


@written_as("laid {seat} {card} count {count}")
class CardLaid:
    """This seat laid this card."""

    seat: Seat
    card: Card
    count: int  # the running count with the card; 0 if it is not known


@written_as("said go {seat}")
class SaidGo:
    """This seat said go."""

    seat: Seat


@written_as("all passed {seats}")
class AllPassed:
    """One player declared go for these seats.

    It is the player who laid the last card."""

    seats: tuple[Seat, ...]


@written_as("pass taken back {seat}")
class PassTakenBack:
    """This seat's go and the points for go were taken back."""

    seat: Seat


@written_as("reneged {seat} {card} count {count}")
class FalseGoFound:
    """This seat's `card` revealed a false go."""

    seat: Seat
    card: Card
    count: int  # the running count at the go


@written_as("rolled back to go {seat}")
class RolledBack:
    """Play went back to before the false go of this seat."""

    seat: Seat


@written_as("dead {seat} {card}")
class CardDead:
    """A card became dead, because it showed that this seat's go was false.

    The card cannot be laid, but it is counted at the show."""

    seat: Seat
    card: Card


@written_as("unread starter")
class StarterUnread:
    """The starter was turned up unread."""


@written_as("laid {seat} unread")
class CardUnread:
    """This seat laid a card that no reader could read."""

    seat: Seat


@written_as("unverified {seat} {occasion}")
class CountUnverified:
    """This hand or crib may be counted without its unread cards."""

    seat: Seat
    occasion: Occasion


@written_as("count ended {count} last {last}")
class CountEnded:
    """The running count of the play ended."""

    last: Seat  # laid the last card
    count: int  # 0 if it is not known


@written_as("play ended")
class PlayEnded:
    """The play of this deal ended, and the show follows."""


@written_as("counting {seat} {occasion}")
class CountOpened:
    """The count of this seat's hand or crib began."""

    seat: Seat
    occasion: Occasion


@written_as("hand card {seat} {card}")
class HandCardShown:
    """This seat showed an unlaid or unread card."""

    seat: Seat
    card: Card


@written_as("crib card {card}")
class CribCardRead:
    """A card of the crib was read."""

    card: Card


@written_as("peg in hand {side} +{points} doubt {doubt} {timing}")
class PegTaken:
    """The side's peg in hand was lifted or moved.

    The peg is now `points` ahead of the front peg. With 0 points the side claims zero."""

    side: Side
    points: int
    doubt: Doubt
    timing: Timing


@written_as("peg put back {side}")
class PegPutBack:
    """The peg in hand was put back, and nothing is claimed."""

    side: Side


@written_as("peg let go {side} +{points} by {by}")
class PegReleased:
    """The peg in hand was released, and so `points` were called."""

    side: Side
    points: int
    by: By


@written_as("judged {side} {verdict} {occasions} called {called} due {due} for {combinations} by {ground}")
class ClaimJudged:
    """A call was compared with the cards."""

    side: Side
    occasions: tuple[Occasion, ...]  # what it closes
    verdict: Verdict
    called: int
    due: int  # what was called, if a card could not be read
    combinations: tuple[Combination, ...]  # what was due
    ground: Ground


@written_as("ruled {side} +{points} {verdict} by {ground}")
class ClaimRuled:
    """A claim was refused and moved no peg."""

    side: Side
    points: int
    verdict: Verdict
    ground: Ground


@written_as("barred {side} {points} by {bar}")
class PointsBarred:
    """A rule barred some points, which move no peg.

    They are part of the claim just judged, or of an award."""

    side: Side
    points: int
    bar: Bar


@written_as("pegged {side} +{points} = {score}")
class Pegged:
    """The side pegged `points` and reached hole `score`."""

    side: Side
    points: int
    score: int


@written_as("challenged {side} by {by}")
class ClaimChallenged:
    """The side `by` said that `side` called too much."""

    side: Side
    by: Side


@written_as("set back {side} = {score} back {back} by {ground}")
class SetBack:
    """The pegs were set to holes `score` and `back` (7.21)."""

    side: Side
    score: int
    back: int
    ground: Ground


@written_as("awarded {side} +{points} by {ground}")
class Awarded:
    """The side was awarded points; `Pegged` follows."""

    side: Side
    points: int
    ground: Ground


@written_as("challenge raised {by} against {against}")
class ChallengeRaised:
    """Side `by` challenged side `against` (muggins).

    `by` says next whether a call was too high or points were missed."""

    by: Side
    against: Side


@written_as("challenge withdrawn {by}")
class ChallengeWithdrawn:
    """The challenge ended without a verdict on missed points."""

    by: Side


@written_as("muggins in hand {by} +{points}")
class MugginsTaken:
    """The challenger calls muggins for `points`, with a peg in hand."""

    by: Side
    points: int


@written_as("muggins {by} {verdict} against {against} called {called} missed {missed} for {combinations} by {ground}")
class MugginsRuled:
    """A call of muggins was judged."""

    by: Side
    against: Side
    called: int  # by the challenger
    missed: int  # by `against`
    verdict: Verdict
    combinations: tuple[Combination, ...]  # what was never claimed; a call too low has its own `ClaimJudged`
    ground: Ground


@written_as("accepted {side} by {by}")
class ClaimAccepted:
    """The claim of `side` was accepted."""

    side: Side
    by: By


@written_as("deal ended")
class DealEnded:
    """The deal ended. `DealBegan` follows, with the next dealer."""


@written_as("misdeal {dealer}")
class DealVoided:
    """A misdeal was declared, so the same seat deals again.

    Points pegged in this deal were taken back."""

    dealer: Seat


@written_as("cut stands")
class CutStands:
    """A card was exposed at the cut, but the starter stands."""


@written_as("won {side}")
class GameWon:
    """The side won the game, because it reached the game hole."""

    side: Side


@written_as("result accepted {side}")
class ResultAccepted:
    """The side said OK to the result of the game."""

    side: Side


@written_as("result final")
class ResultFinal:
    """Every side accepted the result, so the game counts."""


@written_as("asked {side} {question}")
class Asked:
    """The sides were asked for their OK.

    `side` is not asked, unless an undo needs the OK of every side. For an undo, `side` is the side whose act is to be
    undone. On auto, it is a side that would lose no points by the undo, if there is one."""

    side: Side
    question: Question


@written_as("agreed {side}")
class Agreed:
    """This side said OK, and another side must still answer."""

    side: Side


@written_as("dropped {question}")
class QuestionDropped:
    """The open question was withdrawn."""

    question: Question


@written_as("undone to {to}")
class Undone:
    """Play went back to the position after event number `to`."""

    to: int


@written_as("broken off")
class BrokenOff:
    """The game was broken off, and has no result."""


DealEvent = CardCut | CutTied | DealBegan | ThreeForLast | DealEnded
MisdealEvent = DealVoided | CutStands
StarterEvent = StarterTurned | StarterUnread
LayingEvent = CardLaid | CardUnread
GoEvent = SaidGo | AllPassed | PassTakenBack | CountEnded | PlayEnded
FalseGoEvent = FalseGoFound | RolledBack | CardDead
ShowEvent = CountOpened | HandCardShown | CribCardRead | CountUnverified
ClaimEvent = PegTaken | PegPutBack | PegReleased | ClaimAccepted | ClaimRuled | ClaimChallenged
VerdictEvent = ClaimJudged | Pegged | SetBack | Awarded | PointsBarred
MugginsEvent = ChallengeRaised | MugginsTaken | ChallengeWithdrawn | MugginsRuled
QuestionEvent = Asked | Agreed | QuestionDropped
EndEvent = GameWon | ResultAccepted | ResultFinal | BrokenOff
UndoEvent = Acted | Undone
Event = (
    DealEvent | MisdealEvent | StarterEvent | LayingEvent | GoEvent | FalseGoEvent | ShowEvent | ClaimEvent
    | VerdictEvent | MugginsEvent | QuestionEvent | EndEvent | UndoEvent
)  # fmt: skip
