"""Actions that the game is asked to do.

An action is what a press or a card means once the table has understood it. The game refuses it (`IllegalAction`) or
answers with events. Points of a peg in hand count from the front peg, so an action knows no holes, laps or boards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, TypeVar, dataclass_transform

from cribboard.cards import Card

T = TypeVar("T")

#: The line of each action and event in a record. `cribboard.event_notation` writes and reads it.
TEMPLATES: dict[type, str] = {}


@dataclass_transform(frozen_default=True)
def written_as(template: str) -> Callable[[type[T]], type[T]]:
    """Return a class decorator that stores this template for records.

    The class becomes a frozen dataclass. In the template, `{name}` stands for the value of the field `name`."""

    def add_template(cls: type[T]) -> type[T]:
        made = dataclass(frozen=True, slots=True)(cls)
        TEMPLATES[made] = template
        return made

    return add_template


#: A chair, 0 to 5 clockwise.
Seat = Annotated[int, "seat"]

#: Who shares a track, 0 to 2: a player or a team. Both are plain numbers; a record spells them differently.
Side = Annotated[int, "side"]


class Question(StrEnum):
    """A question that needs another side's OK."""

    UNDO = "undo"
    MISDEAL = "misdeal"
    EXPOSED_CUT = "exposed-cut"
    BREAK_OFF = "break-off"
    ROLL_BACK = "roll-back"


@written_as("cut {seat} {card}")
class CutForDeal:
    """Cut this card for the deal."""

    seat: Seat
    card: Card


@written_as("deal {seat}")
class NameDealer:
    """Name the seat that deals first."""

    seat: Seat


@written_as("turn {card}")
class TurnStarter:
    """Turn up the starter."""

    card: Card


@written_as("lay {seat} {card}")
class LayCard:
    """Lay a card on the stack.

    Only the seat whose turn it is may do so."""

    seat: Seat
    card: Card


@written_as("unread {side}")
class GoOnUnread:
    """Continue the game without an unread card."""

    side: Side


@written_as("go {seat}")
class SayGo:
    """Say go for the seat whose turn it is.

    The seat can lay no card without passing thirty-one."""

    seat: Seat


@written_as("all-pass {seat}")
class AllPass:
    """Declare go for every seat that still holds cards.

    With three or more seats, the seat that laid last may do so."""

    seat: Seat


@written_as("take-back-pass {seat}")
class TakeBackPass:
    """Take back the go that another seat declared for this seat.

    This seat can lay a card, and the next count has not begun yet."""

    seat: Seat


@written_as("show {seat} {card}")
class ShowCard:
    """Show a card of this seat before the hand is counted.

    The card was not laid, or was not read when it was laid."""

    seat: Seat
    card: Card


@written_as("take {side} +{points}")
class TakePegInHand:
    """Move a peg `points` holes ahead of the front peg.

    The peg is the back peg or the peg in hand. After the side's challenge, `points` are what another side missed."""

    side: Side
    points: int


@written_as("put-back {side}")
class PutPegBack:
    """Put the peg in hand back and claim nothing."""

    side: Side


@written_as("zero {side}")
class TakeZero:
    """Claim zero points for the side's own hand or crib."""

    side: Side


class By(StrEnum):
    """Who or what released a peg or accepted a claim."""

    OWNER = "owner"
    OTHER_SIDE = "other-side"
    CHALLENGE = "challenge"
    NEXT_CARD = "next-card"
    NEXT_COUNT = "next-count"
    TIME = "time"
    BOARD = "board"


@written_as("release {side} by {by}")
class ReleasePeg:
    """Release the side's peg into its hole.

    On trust, the table's timer may release the peg too (`By.TIME`)."""

    side: Side
    by: By = By.OWNER


@written_as("accept {side}")
class Accept:
    """Say OK to another side's claim.

    In a game with muggins, an OK also decides an open challenge."""

    side: Side


@written_as("challenge {side}")
class Challenge:
    """Challenge a claim as too high.

    In a game with muggins: also as too low, or withdraw the challenge."""

    side: Side


@written_as("dead {side}")
class LetLieDead:
    """Mark as dead the card that revealed another side's false go.

    The other answer is `Agree`, which takes play back to the go."""

    side: Side


@written_as("next-count {side}")
class OpenCount:
    """On auto, open the next count."""

    side: Side


@written_as("crib {card}")
class ReadCrib:
    """Record that this card of the crib was read."""

    card: Card


@written_as("end-deal {side}")
class EndDeal:
    """End the deal, at a table that scores on trust.

    Only the dealer's side may do so."""

    side: Side


@written_as("accept-result {side}")
class AcceptResult:
    """Say OK to the result of the game."""

    side: Side


@written_as("undo")
class Undo:
    """Undo the last act, or ask the other sides first."""


@written_as("undo by official")
class UndoOfficially:
    """Undo the last act without the OK of any side.

    An official or the owner of the board may do so."""


@written_as("ask {side} {question}")
class Ask:
    """Ask the other sides for their OK to a `Question`."""

    side: Side
    question: Question


@written_as("agree {side}")
class Agree:
    """Say OK to the open question.

    For a false go, this takes play back to the go."""

    side: Side


@written_as("break-off")
class BreakOff:
    """At start-up, break off an unfinished game.

    No side is asked for its OK."""


@written_as("drop")
class DropQuestion:
    """Withdraw the open question."""


Action = (
    CutForDeal | NameDealer | TurnStarter | LayCard | GoOnUnread | SayGo | AllPass | TakeBackPass | ShowCard
    | TakePegInHand | PutPegBack | TakeZero | ReleasePeg | Accept | Challenge | LetLieDead | OpenCount | ReadCrib
    | EndDeal | AcceptResult | Undo | UndoOfficially | Ask | Agree | DropQuestion | BreakOff
)  # fmt: skip

#: Why an action was refused, in English; `cribd.text` has the words for the screen, in each language.
REFUSALS: Mapping[str, str] = {
    "behind_the_peg": "{points} points is behind the peg: a peg goes forward, 1 hole or more",
    "past_the_end": "{points} points would pass the game hole: {left} are left",
    "peg_is_down": "the peg of side {side} was let go: it moves no more",
    "no_peg_in_hand": "side {side} has no peg in hand",
    "no_count_now": "side {side} has nothing to count now",
    "no_score_now": "nothing can be scored before the starter is turned up",
    "board_pegs": "the board pegs by itself when it scores",
    "answer_first": "side {side} must first answer whether 19 means zero",
    "same_hole_again": "the hole {points} ahead is far: it must be pressed again before it counts",
    "not_your_turn": "it is the turn of seat {seat}",
    "no_card_now": "no card is expected now",
    "no_cards_here": "this table scores on trust: it reads no cards",
    "card_twice": "the {card} was seen in this deal before",
    "past_thirty_one": "the {card} would make {count}: 31 is the most",
    "no_go_now": "there is nothing to go from",
    "can_play": "at {count} every card can be laid: go is for those who cannot",
    "nothing_to_accept": "there is nothing to accept",
    "nothing_to_challenge": "there is nothing to challenge",
    "own_claim": "a claim is accepted by another side",
    "not_let_go": "the peg of side {side} is still in hand: what is not let go is not claimed",
    "points_first": "side {side} may still claim points that come first: it pegs them, or says OK",
    "game_is_claimed": "side {side} claims the game: the other side must answer",
    "renege_first": "side {side} must first say what becomes of the false go: OK takes play back to it",
    "no_renege": "no card of a false go waits for an answer",
    "own_renege": "side {side} says what becomes of the false go",
    "could_not_be_laid": "the {card} could not have been laid at {count}: 31 is the most",
    "nothing_unread": "no card is asked for that a reader could fail to read",
    "nothing_to_roll_back": "no false go was seen in this deal",
    "not_your_claim": "side {side} is the one to accept this claim",
    "not_the_dealer": "the dealer, seat {seat}, ends the deal",
    "waits_for_other_side": "side {side} has said so already: the other side must answer",
    "nothing_to_undo": "there is nothing to take back",
    "no_deal_now": "there is no deal to take back",
    "no_misdeal_now": "a card seen at the cut counts until the first card is laid",
    "no_exposed_cut": "these rules take no notice of a card that is seen at the cut",
    "nobody_to_pass": "nobody is left who could pass",
    "no_pass_to_take_back": "seat {seat} did not pass with the others just now",
    "nothing_asked": "nothing was asked",
    "game_is_over": "the game is over",
    "game_is_won": "the game is won: undo, or say OK to the result",
    "no_dealer_now": "who deals is settled",
    "no_such_seat": "there is no seat {seat}",
}


class IllegalAction(Exception):  # noqa: N818 (the name is public)
    """The action is not allowed, and the game is unchanged.

    `code` is a key of `REFUSALS`, `values` fill its sentence. The message is the English sentence.

    >>> str(IllegalAction("not_your_turn", seat=1))
    'it is the turn of seat 1'
    """

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = values
        super().__init__(REFUSALS[code].format(**values))
