"""The inputs of the table.

An input says what a finger, a card or a plug did, in the past tense. What it means is decided by
`cribd.table.interpret` alone. Holes have the numbers that are printed on the board: 1 to n, and n + 1 for the game
hole. On a two-lap board the same hole is pressed for 14 and for 74.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum


class Key(StrEnum):
    """The keys of the board.

    UNDO and MENU exist once, the other keys for each side. Only where the holes have no buttons, STEP raises a call."""

    GO = "go"
    OK = "ok"
    CHALLENGE = "challenge"
    STEP = "step"
    UNDO = "undo"
    MENU = "menu"


@dataclass(frozen=True, slots=True)
class HolePressed:
    """The button of a hole was pressed.

    `track` is the number of the track's side, and `hole` the hole's number on the board."""

    track: int
    hole: int


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key was pressed. `side` is None for UNDO and MENU."""

    key: Key
    side: int | None = None


@dataclass(frozen=True, slots=True)
class KeyHeld:
    """GO, MENU or a step key has stayed down.

    For keys with a long press (GO, MENU), this replaces `KeyPressed`.
    For the step key it comes after `KeyPressed`, again and again while the key is down."""

    key: Key
    side: int | None = None


@dataclass(frozen=True, slots=True)
class KeyHeldLonger:
    """MENU has been down three times as long as for `KeyHeld`."""

    key: Key


@dataclass(frozen=True, slots=True)
class KeysTogether:
    """Keys that players never press together went down together.

    This one input replaces those of the keys."""


@dataclass(frozen=True, slots=True)
class KeysTooEarly:
    """OK, MENU or UNDO was pressed just after the start.

    This one input replaces those of the keys."""


@dataclass(frozen=True, slots=True)
class CardRead:
    """A card reader has read a text that may be a card.

    `side` is the side that the reader belongs to, where the configuration says so.
    """

    text: str
    reader: str = "reader"
    side: int | None = None


@dataclass(frozen=True, slots=True)
class TagRead:
    """A card reader has read the tag `uid` (in upper-case hex)."""

    uid: str
    reader: str = "reader"


@dataclass(frozen=True, slots=True)
class MultipleTags:
    """Two tags lie on a card reader at once."""

    uids: tuple[str, ...]
    reader: str = "reader"


@dataclass(frozen=True, slots=True)
class MultipleCards:
    """Two cards lie on a card reader at once.

    `texts` are as in `CardRead`."""

    texts: tuple[str, ...]
    reader: str = "reader"


@dataclass(frozen=True, slots=True)
class OtherDeck:
    """A card reader has read a card of another deck, named `deck`."""

    deck: str
    reader: str = "reader"


@dataclass(frozen=True, slots=True)
class UnknownTag:
    """A tag was read that no deck contains."""

    uid: str
    reader: str = "reader"


@dataclass(frozen=True, slots=True)
class ReadFailed:
    """A card reader has sent something unreadable."""

    reader: str = "reader"


#: The inputs of the players at the board that mean something by themselves.
Press = HolePressed | CardRead | KeyPressed | KeyHeld

#: The inputs of card readers.
Scanned = CardRead | TagRead | MultipleTags | MultipleCards | OtherDeck | UnknownTag | ReadFailed


#: The most characters of a name on the scoreboard and in a record.
LONGEST_NAME = 20


@dataclass(frozen=True, slots=True)
class NamesGiven:
    """The owner set the names of the sides.

    "" is no name, and an empty tuple removes all names.
    With `same_players` only the names change, and the match goes on."""

    names: tuple[str, ...]
    same_players: bool = False


@dataclass(frozen=True, slots=True)
class RulesGiven:
    """The owner chose the rule set `label` for the next games."""

    label: str


@dataclass(frozen=True, slots=True)
class GameSetUp:
    """A person set up games to play alone against robots.

    Every game has these rules (given by `label`), names and way of scoring, until `SetUpEnded`.

    What the players chose in the menu applies again after that."""

    label: str
    way: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetUpEnded:
    """The set-up for games against robots ended."""


@dataclass(frozen=True, slots=True)
class NewGameAsked:
    """The owner started the next game."""


@dataclass(frozen=True, slots=True)
class NewMatchAsked:
    """The owner started a new match."""


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """The owner asked to undo the act that ended with event `number`."""

    number: int


@dataclass(frozen=True, slots=True)
class SwitchOffAsked:
    """The owner switched the board off."""


class ClubAct(StrEnum):
    """The requests about the board's club.

    OPEN shows the club, or searches for one. JOIN has the address of a hub. OK and NEXT answer what the screen shows:
    NEXT asks for the next club found. CLOSE leaves the club's screens."""

    OPEN = "open"
    JOIN = "join"
    OK = "ok"
    NEXT = "next"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class ClubAsked:
    """The owner made a request about the board's club."""

    act: ClubAct
    address: str = ""


#: The inputs of the owner's page, and of a person who plays alone.
OwnerRequest = (
    NamesGiven
    | RulesGiven
    | GameSetUp
    | SetUpEnded
    | NewGameAsked
    | NewMatchAsked
    | UndoAsked
    | SwitchOffAsked
    | ClubAsked
)


class FaultKind(StrEnum):
    """The kinds of faults of the device."""

    CHAIN_BROKEN = "chain_broken"
    BUTTON_STUCK = "button_stuck"
    LIGHTS_AWAY = "lights_away"
    KEYS_AWAY = "keys_away"
    SCREEN_AWAY = "screen_away"
    READER_SILENT = "reader_silent"
    BUZZER_AWAY = "buzzer_away"
    VOICE_AWAY = "voice_away"
    UNDERVOLTAGE = "undervoltage"
    JOURNAL_AWAY = "journal_away"
    JOURNAL_HURT = "journal_hurt"
    JOURNAL_REBUILT = "journal_rebuilt"
    JOURNAL_SET_ASIDE = "journal_set_aside"
    JOURNAL_SHORT = "journal_short"
    GAME_DAMAGED = "game_damaged"
    HUB_NEWER = "hub_newer"
    CANNOT_PLAY = "cannot_play"
    NOT_IN_CLUB = "not_in_club"
    DOCTOR = "doctor"


@dataclass(frozen=True, slots=True)
class HolePlace:
    """The hole of a failed button, on the track of a side."""

    track: int
    hole: int

    def __str__(self) -> str:
        return f"track {self.track} hole {self.hole}"


@dataclass(frozen=True, slots=True)
class ChipPlace:
    """The first chip, counted from the Pi, that does not answer."""

    number: int

    def __str__(self) -> str:
        return f"chip {self.number}"


FaultPlace = HolePlace | ChipPlace | str
"""Where a fault is; a name for all other parts, such as a reader's."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A part has failed (design law 6). `where` says which part.

    `cause` is a clause with the answer of the system or of the part; a `Message` if the catalogues have it. Faults that
    differ only in their cause are equal."""

    kind: FaultKind
    where: FaultPlace
    cause: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class FaultCleared:
    """A part that had failed works again."""

    kind: FaultKind
    where: FaultPlace


def read_fault(kind: FaultKind, where: str) -> Fault:
    """Return the `Fault` of this kind at the place `where`.

    >>> read_fault(FaultKind.BUTTON_STUCK, "track 0 hole 14").where
    HolePlace(track=0, hole=14)
    """
    if kind is FaultKind.BUTTON_STUCK and (hole := re.fullmatch(r"track (\d{1,9}) hole (\d{1,9})", where)):
        return Fault(kind, HolePlace(int(hole[1]), int(hole[2])))
    if kind is FaultKind.CHAIN_BROKEN and (chip := re.fullmatch(r"chip (\d{1,9})", where)):
        return Fault(kind, ChipPlace(int(chip[1])))
    return Fault(kind, where)


Input = (
    HolePressed
    | KeyPressed
    | KeyHeld
    | KeyHeldLonger
    | KeysTogether
    | KeysTooEarly
    | Scanned
    | OwnerRequest
    | Fault
    | FaultCleared
)
