"""What the drivers tell the table: facts, in the past tense, with no opinion.

A fact says what a finger, a card or a plug did. What it means is decided by `interpret` alone. Holes are named by the
number that is printed beside them on the board: 1 to n, and n + 1 for the game hole, so on a two-lap board the same
hole is pressed for 14 and for 74.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Key(StrEnum):
    """The keys beside the board. GO, OK and CHALLENGE are there for each side; UNDO and MENU are there once."""

    GO = "go"
    OK = "ok"
    CHALLENGE = "challenge"
    UNDO = "undo"
    MENU = "menu"


@dataclass(frozen=True, slots=True)
class HolePressed:
    """A finger on the button of a hole. `track` is the side whose track it is, `hole` the number on the board."""

    track: int
    hole: int


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key went down and up, or is down and has not yet been held for long. `side` is None for UNDO and MENU."""

    key: Key
    side: int | None = None


@dataclass(frozen=True, slots=True)
class KeyHeld:
    """A key has been down for a second. It comes instead of `KeyPressed` where the key has a long press (GO, MENU)."""

    key: Key
    side: int | None = None


@dataclass(frozen=True, slots=True)
class KeysTogether:
    """Keys went down at once that one player presses one by one: a palm, a sleeve. It comes instead of all of them."""


@dataclass(frozen=True, slots=True)
class CardRead:
    """A reader read a card, or something like one. `text` is not yet judged: it may be no card at all.

    `side` is whose reader it is, where the configuration says so.
    """

    text: str
    reader: str = "reader"
    side: int | None = None


@dataclass(frozen=True, slots=True)
class TagRead:
    """A tag lies before a reader. `uid` is its number in upper-case hex; which card that is, a deck knows."""

    uid: str
    reader: str = "reader"


@dataclass(frozen=True, slots=True)
class TagsTogether:
    """Two tags lie before a reader at once."""

    uids: tuple[str, ...]
    reader: str = "reader"


@dataclass(frozen=True, slots=True)
class CardsTogether:
    """Two cards were held at a reader at once: neither counts. `texts` are as in `CardRead`."""

    texts: tuple[str, ...]
    reader: str = "reader"


@dataclass(frozen=True, slots=True)
class OtherDeck:
    """A card of a deck that is not in play here. `deck` is its name."""

    deck: str
    reader: str = "reader"


@dataclass(frozen=True, slots=True)
class UnknownTag:
    """A tag that no deck has."""

    uid: str
    reader: str = "reader"


@dataclass(frozen=True, slots=True)
class ReadFailed:
    """Something was held at a reader and could not be read: a wrong checksum, half a frame."""

    reader: str = "reader"


#: What comes of a card before a reader, and of nothing else.
Scanned = CardRead | TagRead | TagsTogether | CardsTogether | OtherDeck | UnknownTag | ReadFailed


#: A name on the scoreboard and in a record is no longer.
LONGEST_NAME = 20


@dataclass(frozen=True, slots=True)
class NamesGiven:
    """The owner of the board says from afar who plays, by side; "" is nobody's name, and none at all forgets them.
    `same_players`: the names are other ones, but the players are not, and their match goes on."""

    names: tuple[str, ...]
    same_players: bool = False


@dataclass(frozen=True, slots=True)
class RulesGiven:
    """The owner chooses the rules of the next game, by their label."""

    label: str


@dataclass(frozen=True, slots=True)
class NewGameAsked:
    """The owner begins the next game, whatever is under way."""


@dataclass(frozen=True, slots=True)
class NewMatchAsked:
    """The owner begins the first game of a new match, whatever is under way."""


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """The owner takes back the last act of the game, as seen when it stood after event `number`."""

    number: int


@dataclass(frozen=True, slots=True)
class ResultsOpened:
    """The owner opens the results of all games that have ended so far, where the rules seal them."""


#: What the owner does without a finger on the board.
FromAfar = NamesGiven | RulesGiven | NewGameAsked | NewMatchAsked | UndoAsked | ResultsOpened


class Kind(StrEnum):
    """What can be wrong with a part of the device."""

    CHAIN_BROKEN = "chain_broken"
    BUTTON_STUCK = "button_stuck"
    LIGHTS_AWAY = "lights_away"
    KEYS_AWAY = "keys_away"
    SCREEN_AWAY = "screen_away"
    READER_SILENT = "reader_silent"
    BUZZER_AWAY = "buzzer_away"
    VOICE_AWAY = "voice_away"
    JOURNAL_AWAY = "journal_away"
    GAME_DAMAGED = "game_damaged"


@dataclass(frozen=True, slots=True)
class Fault:
    """A part went wrong (design law 6). `where` names it: a reader, a chip of the chain, 'track 0 hole 14'."""

    kind: Kind
    where: str


@dataclass(frozen=True, slots=True)
class Mended:
    """The part that had gone wrong is back."""

    kind: Kind
    where: str


Input = HolePressed | KeyPressed | KeyHeld | KeysTogether | Scanned | FromAfar | Fault | Mended
