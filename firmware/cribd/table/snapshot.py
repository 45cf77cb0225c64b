"""The snapshot: the state of the table that may be shown.

It holds the game's view and the table's mode, and never a position (design law 9). `build_snapshot` makes it.

The mode decides what receives the presses: the game (`Playing`), the naming of a dealer, or the lobby between two
games. A menu, the count judge, a review or the call for an official covers one of these three; `covers` is the mode
to return to when it closes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cribboard.actions import Action
from cribboard.cards import Card
from cribboard.count_judge import CountJudge, JudgeAnswer
from cribboard.rules import Rules, Standings
from cribboard.view import View
from cribd.inputs import Fault
from cribd.storage.outbox import OutcomeStatus
from cribd.table.organiser_desk import EventGame, WaitsForRound
from cribd.table.rule_sets import PRESETS, RuleSet


class Lobby(StrEnum):
    """A question that the table asks between games (7.14, 7.16)."""

    RESUME = "resume"
    """An unfinished game was found: OK resumes it, MENU asks for a new one instead."""
    START = "start"
    """One OK starts a game with the last rules, sides and way, and breaks off a game that was found unfinished."""
    AGAIN = "again"
    """The last result is final: another game of the match?"""


@dataclass(frozen=True, slots=True)
class Playing:
    """The mode in which presses and scans go to the game."""


@dataclass(frozen=True, slots=True)
class NamingDealer:
    """The mode of choosing the first dealer (7.8)."""

    seat: int
    """The seat whose name is shown: OK chooses it."""


#: The modes that other modes can cover.
Base = Playing | NamingDealer | Lobby

PLAYING = Playing()


class Line(StrEnum):
    """The kinds of menu lines.

    A line's values are the new settings: rules, a way of scoring, a language."""

    MISDEAL = "misdeal"
    EXPOSED_CUT = "exposed_cut"
    UNREAD = "unread"
    ROLL_BACK = "roll_back"
    EVENT = "event"
    RULES = "rules"
    OPTION = "option"
    WAY = "way"
    LANGUAGE = "language"
    BRIGHTNESS = "brightness"
    SOUND = "sound"
    TELLING = "telling"
    NEW_MATCH = "new_match"
    JUDGE = "judge"
    LOOK_BACK = "look_back"
    CLUB = "club"
    SWITCH_OFF = "switch_off"
    OFFICIAL = "official"
    BREAK_OFF = "break_off"


@dataclass(frozen=True, slots=True)
class MenuLine:
    line: Line
    """What the line does."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """The values that OK sets: `rules` (a rule set), `state` (of an `option` of the `preset`: on, off), `way` (trust,
    verify, auto), `language` (en, fr_CA), `percent` (brightness), `sound` (on, off), `telling` (how much the board
    tells) or `play` (event, friendly), and `now`, the value until then. `because` is the rule that leaves no choice,
    `rule` what the rules make of a card that was seen at the cut, `club` the club of the board, and `ends` the points
    by side of the match that the line would end."""


@dataclass(frozen=True, slots=True)
class Menu:
    """The mode of the open menu."""

    lines: tuple[MenuLine, ...]
    """All lines, in the order of the MENU key."""
    at: int = 0
    """The index of the line that is shown."""
    covers: Base = PLAYING
    """The mode to return to when it closes."""

    @property
    def current(self) -> MenuLine:
        """The line that is shown, which OK chooses."""
        return self.lines[self.at]


@dataclass(frozen=True, slots=True)
class JudgeCall:
    """A question to the count judge, with its answer."""

    number: int | None
    """The points that were called; None if the cards are only counted."""
    spot: tuple[int, int] | None = None
    """The track and the hole that were pressed for the number."""
    answer: JudgeAnswer | None = None
    """The answer: a judgment, the count, or what would fit; None while it is looked for."""


@dataclass(frozen=True, slots=True)
class CountJudgeMode:
    """The mode in which the board counts a scanned hand."""

    judge: CountJudge
    """The cards so far, and whether they are a hand or a crib."""
    rules: RuleSet
    """The rules by which they are counted."""
    called: JudgeCall | None = None
    """The question about these cards."""
    page: int = 0
    """The index of the page of reasons that is shown."""
    answered: bool = False
    """Whether these cards were judged: the next card is of the next hand."""
    covers: Base = PLAYING
    """The mode to return to when it closes."""


@dataclass(frozen=True, slots=True)
class ReviewMode:
    """The mode of looking back at the game."""

    view: View
    """The game as it was then."""
    last: int
    """The number of the game's last event; `view.number` is that of the view."""
    covers: Base = PLAYING
    """The mode to return to when it ends."""


@dataclass(frozen=True, slots=True)
class OfficialMode:
    """The mode of waiting for a called official (7.17)."""

    side: int
    """The side that called."""
    captain: bool = False
    """Whether only a captain may speak to the official."""
    name: str = ""
    """The name of the side's player or captain; "" if it is unknown."""
    covers: Base = PLAYING
    """The mode to return to when the official is here."""


class DeskMessage(StrEnum):
    """The kinds of messages of the organiser's desk."""

    REHEARSAL = "rehearsal"
    WORD = "word"
    PAUSED = "paused"
    ENDED = "ended"
    """It has ended the game as it stood."""
    BY_SLIP = "by_slip"
    """The result of the game comes by slip."""


@dataclass(frozen=True, slots=True)
class DeskMessageMode:
    """The mode of showing a message of the desk."""

    what: DeskMessage
    word: str = ""
    """The word of the desk."""
    covers: Base | OfficialMode = PLAYING
    """The mode to return to once it is confirmed, or the desk lets the table go on."""


class ClubStep(StrEnum):
    """The steps of joining and leaving a club."""

    SEARCH = "search"
    """It looks for hubs."""
    FOUND = "found"
    """It has found a club: OK asks to join it."""
    WAITS = "waits"
    """It has asked, and the hub has not shown its key: another board may be before it."""
    WORDS = "words"
    """OK, if the desk shows the same two words."""
    DESK = "desk"
    """OK was pressed here: the desk must confirm too."""
    JOINED = "joined"
    ENDED = "ended"
    MEMBER = "member"
    """It belongs to this club: OK asks whether to leave it."""
    LEAVE = "leave"
    """OK leaves the club."""


@dataclass(frozen=True, slots=True)
class ClubMode:
    """The mode of joining, showing or leaving a club."""

    step: ClubStep
    name: str = ""
    """The name of the club, as its hub says; "" if it is not known."""
    words: tuple[str, ...] = ()
    """The two words that the desk shows too."""
    why: str = ""
    """The code of the reason for which the board has not joined."""
    values: Mapping[str, int] = field(default_factory=dict, hash=False)
    """The values of that reason."""
    covers: Base = PLAYING
    """The mode to return to."""

    @property
    def is_over(self) -> bool:
        """Whether joining or leaving has ended."""
        return self.step in (ClubStep.JOINED, ClubStep.ENDED)


@dataclass(frozen=True, slots=True)
class ConfirmOff:
    """The mode of asking whether to switch off (7.24)."""

    covers: Base | OfficialMode = PLAYING
    """The mode to return to when the answer is no."""


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    """The mode of a switched-off board, which takes no input."""

    covers: Base | OfficialMode = PLAYING
    """The mode to return to if the machine does not switch off."""


#: The mode as it is shown: one at a time.
ShownMode = (
    Base | Menu | CountJudgeMode | ReviewMode | OfficialMode | ClubMode | DeskMessageMode | ConfirmOff | SwitchedOff
)


def base_below(mode: ShownMode) -> Base:
    """Return the base that lies under this mode.

    A base is returned unchanged."""
    return mode if isinstance(mode, Base) else base_below(mode.covers)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a press or a scan did nothing."""

    code: str
    """A code of the table, the game or the count judge; a catalogue has its sentence under `refusal.CODE`."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """The values in its sentence: a side, a card, a key."""


@dataclass(frozen=True, slots=True)
class Pending:
    """An accepted press that the journal must still store (law 5)."""

    track: int
    """The index of the track."""
    hole: int
    """The number that is printed beside the hole."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state that the table shows at one moment.

    `lobby`, `naming`, `menu`, `judging`, `looking`, `official` and `off` come from `mode`.

    While a mode covers the game, the game waits and its view stays as it is.
    """

    view: View | None = None
    """The game's view; None before the first game."""
    mode: ShownMode = PLAYING
    """What receives the presses now. Without a view `PLAYING` is shown as `Lobby.START`."""
    waiting: tuple[int, ...] = ()
    """The sides that have not yet pressed OK to a question or to the result."""
    refusal: Refusal | None = None
    """Why the latest press was refused; it stays until the next press."""
    undoes: Action | None = None
    """The action that an undo would undo; None if there is none."""
    faults: tuple[Fault, ...] = ()
    """The present faults, newest last."""
    names: tuple[str, ...] = ()
    """The names of the sides; "" for a side without one."""
    next_names: tuple[str, ...] = ()
    """The names in the next game, by side."""
    ended: int = 0
    """How many games of this board have ended, one way or another, without those of sealed events. At the start it is
    without those of any event."""
    seen: tuple[Card, ...] = ()
    """The cards that lie open: those cut for the deal, those of the deal, or those before the open count judge."""
    games: tuple[int, ...] = (0, 0)
    """The games won, by side, in the match that the next game belongs to."""
    points: tuple[int, ...] = (0, 0)
    """The points by `standings` in that match, by side."""
    match: int = 7
    """How many games win that match, or are played in it."""
    standings: Standings = Standings.WINS
    """How that match is scored."""
    match_over: bool = False
    """Whether that match is over."""
    match_winner: int | None = None
    """The side that won it; None if it is not over, or ended level."""
    players: tuple[str, ...] = ()
    """The names, by side, of those who play the match until the next game; empty if that match is closed."""
    match_rules: Rules = PRESETS[0].rules
    """The rules of the match until the next game."""
    ends: tuple[int, ...] = ()
    """The points, by side, of an earlier match that the next game ends; empty if it ends none."""
    rules: RuleSet = PRESETS[0]
    """The rules of the next game."""
    way: str = "verify"
    """The way of the next game: trust, verify or auto."""
    language: str = "en"
    """The language of the board: en, fr_CA."""
    steps: bool = False
    """Whether points are called with step keys, because no hole has a button."""
    pending: Pending | None = None
    """The press that is not committed yet."""
    resting: bool = False
    """Whether nobody has pressed, scanned or asked anything for a while: lights and screen are dim until then."""
    event: EventGame | None = None
    """The game of an event that OK starts next, or the menu in place of a friendly game; None if none is due."""
    waits: WaitsForRound | None = None
    """The round of an event for which the table waits; None if it waits for none."""
    rehearsed: int = 0
    """The number of the last rehearsal of the event that was confirmed at this board; 0 if none was."""
    club: str | None = None
    """The name of the club to which the board belongs, "" if to none; None where it cannot join any."""
    entered: OutcomeStatus | None = None
    """How the organiser's desk answered the last game of an event, until the next game begins."""

    @property
    def is_called(self) -> bool:
        """Whether a competition's game is due, but another game goes on."""
        return self.event is not None and self.lobby is None and self.view is not None

    @property
    def base(self) -> Base:
        return base_below(self.mode)

    @property
    def lobby(self) -> Lobby | None:
        """The question of the lobby; None during a game.

        Also while another mode covers the lobby."""
        return self.base if isinstance(self.base, Lobby) else None

    @property
    def naming(self) -> int | None:
        """The seat offered as first dealer, or None.

        Also while another mode covers the choice."""
        return self.base.seat if isinstance(self.base, NamingDealer) else None

    @property
    def menu(self) -> Menu | None:
        """The menu if it is open; else None."""
        return self.mode if isinstance(self.mode, Menu) else None

    @property
    def judging(self) -> CountJudgeMode | None:
        """The count judge if it is open; else None."""
        return self.mode if isinstance(self.mode, CountJudgeMode) else None

    @property
    def looking(self) -> ReviewMode | None:
        """The review mode if it is open, else None."""
        return self.mode if isinstance(self.mode, ReviewMode) else None

    @property
    def official(self) -> OfficialMode | None:
        """The mode of waiting for an official, or None."""
        return self.mode if isinstance(self.mode, OfficialMode) else None

    @property
    def off(self) -> ConfirmOff | SwitchedOff | None:
        """The present mode, if it concerns switching off, else None."""
        return self.mode if isinstance(self.mode, ConfirmOff | SwitchedOff) else None
