"""What the table shows: the game's view, and the table's own manners around it.

Lights, screen, page and voice are all given this and nothing else. It holds no position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cribboard.actions import Action
from cribboard.cards import Card
from cribboard.count_judge import CountJudge, Fits, Judgment
from cribboard.rules import Rules, Standings
from cribboard.scoring import Score
from cribboard.view import View
from cribd.inputs import Fault
from cribd.table.rule_sets import PRESETS, RuleSet


class Lobby(StrEnum):
    """What the table asks while no game is under way (7.14, 7.16). Each is answered by an OK."""

    RESUME = "resume"
    """An unfinished game was found: OK takes it up, MENU asks for a new one instead."""
    START = "start"
    """One OK starts a game with the last rules, sides and way; a game that was found unfinished is then broken off."""
    AGAIN = "again"
    """The last result is final: another game of the match?"""


class Line(StrEnum):
    """A line of the menu. What a line would change to is in its values: rules, a way, a language."""

    MISDEAL = "misdeal"
    EXPOSED_CUT = "exposed_cut"
    UNREAD = "unread"
    ROLL_BACK = "roll_back"
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
    OFFICIAL = "official"
    BREAK_OFF = "break_off"


@dataclass(frozen=True, slots=True)
class MenuLine:
    """`values`: `rules` (a rule set), `state` (of an `option` of these rules: on, off), `way` (trust, verify, auto),
    `language` (en, fr_CA), `percent` (brightness), `sound` (on, off) or `telling` (how much the board tells) is what an
    OK would change to, and `now` what holds until then; `because` is the rule that leaves no choice, and `rule` what
    they make of a card that was seen at the cut. `ends` is how the match stands that the line would end, by side."""

    line: Line
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Menu:
    """The menu while it is open: its lines, and the one that an OK would take."""

    lines: tuple[MenuLine, ...]
    at: int = 0

    @property
    def current(self) -> MenuLine:
        return self.lines[self.at]


@dataclass(frozen=True, slots=True)
class Called:
    """A number that was called before the count judge, by a hole, the `spot` of a track; no number where the cards are
    only to be counted. `told` is the answer: a judgment, the count, or what would fit; None while it is looked for."""

    number: int | None
    spot: tuple[int, int] | None = None
    told: Judgment | Score | Fits | None = None


@dataclass(frozen=True, slots=True)
class Judging:
    """The count judge while it is open: the cards so far, the `rules` by which they are counted, what was called, and
    which page of the reasons is shown. `answered`: these cards were judged, and another is of the next hand."""

    judge: CountJudge
    rules: RuleSet
    called: Called | None = None
    page: int = 0
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Official:
    """An official was called by this side, and has not come yet. `captain`: only a captain speaks to him; `name` is who
    plays for the side, if the board was told."""

    side: int
    captain: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Looking:
    """The game as it was, while somebody looks back at it: the view of then, and the number of the `last` event."""

    view: View
    last: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a press or a scan did nothing: a code of `actions.REFUSALS` or of `interpret.REFUSALS`."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pending:
    """A press that the game has taken and the journal has not yet committed: its hole blinks, no more (law 5)."""

    track: int
    hole: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One picture of the table.

    `view` is the game's, None before the first; `lobby` is what is asked while none is under way; `refusal` is the
    answer to the latest press if that was refused, and stays until the next press. While `judging` or `looking` back,
    or until an `official` has come, the game waits, and stands as it stood. `naming` is the seat whose name stands
    while a side says which of its seats deals, and `waiting` are the sides whose OK is still missing to a question or a
    result. `undoes` is what an undo would take back, None where that is nothing. `faults` are those that stand. `names`
    are the sides', "" for nobody's, and `ended` games of this board have come to their end, one way or another.

    `seen` are the cards that lie open on the table as far as the board knows them: those cut for the deal, those of the
    deal, or those before the count judge while it is open.

    `rules` and `way` are those that the next game takes. Of the match that it belongs to: `games` are those won by
    side and `points` what `standings` adds up, `match` how many games win it or are played in it; when it is over,
    `match_winner` is None if it ended level. `ends` is how an earlier match stands that the next game ends, since it
    begins a new one; empty where there is none. `players` and `match_rules` are those of the match that is played until
    then.
    """

    view: View | None = None
    lobby: Lobby | None = None
    menu: Menu | None = None
    judging: Judging | None = None
    looking: Looking | None = None
    official: Official | None = None
    naming: int | None = None
    waiting: tuple[int, ...] = ()
    refusal: Refusal | None = None
    undoes: Action | None = None
    faults: tuple[Fault, ...] = ()
    names: tuple[str, ...] = ()
    ended: int = 0
    seen: tuple[Card, ...] = ()
    games: tuple[int, ...] = (0, 0)
    points: tuple[int, ...] = (0, 0)
    match: int = 7
    standings: Standings = Standings.WINS
    match_over: bool = False
    match_winner: int | None = None
    players: tuple[str, ...] = ()
    match_rules: Rules = PRESETS[0].rules
    ends: tuple[int, ...] = ()
    rules: RuleSet = PRESETS[0]
    way: str = "verify"
    language: str = "en"
    pending: Pending | None = None
