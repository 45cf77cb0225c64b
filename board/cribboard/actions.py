"""What a side may ask of the game, in the imperative, and how the game says no.

An action is what a press or a card means once the table has understood it. It may be refused (`IllegalAction`); what
it causes, when it is not, are events. Points of a peg in hand are counted from the front peg, so that an action
knows nothing of holes, laps or boards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated

from cribboard.cards import Card

#: A chair, 0 to 5 clockwise; `Side` is who shares a track. Plain numbers, told apart for the record.
Seat = Annotated[int, "seat"]
Side = Annotated[int, "side"]


class Question(StrEnum):
    """What needs the other side's OK before it is done."""

    UNDO = "undo"
    MISDEAL = "misdeal"
    EXPOSED_CUT = "exposed-cut"
    BREAK_OFF = "break-off"
    ROLL_BACK = "roll-back"


@dataclass(frozen=True, slots=True)
class CutForDeal:
    """The named seat cuts this card for the deal."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class NameDealer:
    """The players have settled among themselves who deals first."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnStarter:
    """The starter is turned up."""

    card: Card


@dataclass(frozen=True, slots=True)
class LayCard:
    """The seat whose turn it is lays a card on the stack."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class GoOnUnread:
    """No reader can read the card that is asked for: the side says that the table goes on without it."""

    side: Side


@dataclass(frozen=True, slots=True)
class SayGo:
    """The seat whose turn it is can lay no card without passing thirty-one."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AllPass:
    """The seat that laid last says for the table that nobody can go on: three seats or more need not all say go."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TakeBackPass:
    """This seat can lay a card after all: it never said go itself, and the next count is not led yet."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ShowCard:
    """A card that this seat did not lay is shown to the reader before its hand is counted (five-card)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class TakePegInHand:
    """The back peg is lifted to `points` holes ahead of the front peg, or moved there if it is in hand already. After
    the side's own challenge these are points that another missed."""

    side: Side
    points: int


@dataclass(frozen=True, slots=True)
class PutPegBack:
    """The peg in hand goes back where it was: nothing was claimed."""

    side: Side


@dataclass(frozen=True, slots=True)
class TakeZero:
    """The side says that it counts nothing: a zero in hand."""

    side: Side


class By(StrEnum):
    """Who or what let go of the peg, or accepted a claim."""

    OWNER = "owner"
    OTHER_SIDE = "other-side"
    CHALLENGE = "challenge"
    NEXT_CARD = "next-card"
    NEXT_COUNT = "next-count"
    TIME = "time"
    BOARD = "board"


@dataclass(frozen=True, slots=True)
class ReleasePeg:
    """The side lets go of its peg, or (`by` time) the table's timer does it for a side that trusts."""

    side: Side
    by: By = By.OWNER


@dataclass(frozen=True, slots=True)
class Accept:
    """This side says OK to what another side claims."""

    side: Side


@dataclass(frozen=True, slots=True)
class Challenge:
    """This side says that the claim is too much; where muggins is played, that it is wrong, or no more that it is."""

    side: Side


@dataclass(frozen=True, slots=True)
class LetLieDead:
    """The other side says that the card of a false go lies dead; to agree would take play back to it."""

    side: Side


@dataclass(frozen=True, slots=True)
class OpenCount:
    """Somebody has seen the last count: the next one may open. The board calls (auto)."""

    side: Side


@dataclass(frozen=True, slots=True)
class ReadCrib:
    """A card of the crib is shown to the reader."""

    card: Card


@dataclass(frozen=True, slots=True)
class EndDeal:
    """The dealer's side says that this deal is over; without cards nobody else can know."""

    side: Side


@dataclass(frozen=True, slots=True)
class AcceptResult:
    """This side agrees that the game ended so."""

    side: Side


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last act, or, where it needs the other side's OK, ask for that."""


@dataclass(frozen=True, slots=True)
class UndoOfficially:
    """An official, or the owner of the board, takes back the last act: no side is asked."""


@dataclass(frozen=True, slots=True)
class Ask:
    """This side asks for a misdeal, says that the cut showed a card, or wants to break the game off."""

    side: Side
    question: Question


@dataclass(frozen=True, slots=True)
class Agree:
    """This side says OK to what was asked."""

    side: Side


@dataclass(frozen=True, slots=True)
class BreakOff:
    """The table gives the game up unasked: it was found unfinished at switching on, and another is wanted."""


@dataclass(frozen=True, slots=True)
class DropQuestion:
    """What was asked is asked no more."""


Action = (
    CutForDeal | NameDealer | TurnStarter | LayCard | GoOnUnread | SayGo | AllPass | TakeBackPass | ShowCard
    | TakePegInHand | PutPegBack | TakeZero | ReleasePeg | Accept | Challenge | LetLieDead | OpenCount | ReadCrib
    | EndDeal | AcceptResult | Undo | UndoOfficially | Ask | Agree | DropQuestion | BreakOff
)  # fmt: skip

#: Why an action was refused, in English; `cribd.text` has the words for the screen, in each language.
REFUSALS: Mapping[str, str] = MappingProxyType(
    {
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
)


class IllegalAction(Exception):  # noqa: N818 (the name is public)
    """Read, but not allowed; the game is as it was.

    `code` is a key of `REFUSALS`, `values` what its sentence names. The message is the English sentence.

    >>> str(IllegalAction("not_your_turn", seat=1))
    'it is the turn of seat 1'
    """

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = values
        super().__init__(REFUSALS[code].format(**values))
