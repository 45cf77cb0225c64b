"""The input and output types of `interpret`.

A press or a scan becomes an action for the game, a command for the table, or a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cribboard.actions import Action
from cribboard.position import Position
from cribboard.rules import Rules, Way
from cribd.boards import Board
from cribd.inputs import ClubAct
from cribd.table.review import Review
from cribd.table.rule_sets import RuleSet
from cribd.table.snapshot import (
    PLAYING,
    Base,
    ClubMode,
    ConfirmOff,
    CountJudgeMode,
    DeskMessage,
    DeskMessageMode,
    JudgeCall,
    Menu,
    MenuLine,
    OfficialMode,
    Refusal,
    SwitchedOff,
    base_below,
)

#: The mode of the table: what receives the presses now. A snapshot shows a `Review`, which holds positions, as
#: `Looking`.
Mode = Base | Menu | CountJudgeMode | Review | OfficialMode | ClubMode | DeskMessageMode | ConfirmOff | SwitchedOff


def base_of(mode: Mode) -> Base:
    """Return the base that lies under this mode.

    A base is returned unchanged.

    A base is the game, the lobby or the choice of the dealer."""
    return mode.covers if isinstance(mode, Review) else base_below(mode)


@dataclass(frozen=True, slots=True)
class Situation:
    """The state of a table that decides an input's meaning."""

    board: Board
    """The board of this table: its tracks and holes."""
    position: Position | None = None
    """The game in progress, else the last one; None before the first."""
    mode: Mode = PLAYING
    """What receives the presses now. Without a position `PLAYING` means `Lobby.START`."""
    offered: tuple[RuleSet, ...] = ()
    """The rules that this board can play, and that the count judge can judge by."""
    pages: Callable[[JudgeCall | None], int] = lambda called: 1
    """On how many pages the count judge's answer is shown."""
    waits: bool = False
    """Whether the table waits for the next round of an event: then OK starts no game."""
    unread: bool = False
    """Whether the question whether to switch off, or what the desk says, has stood too short to be read: then OK does
    not answer it."""


@dataclass(frozen=True, slots=True)
class ChangeMode:
    """The command to change or update the mode."""

    mode: Mode


@dataclass(frozen=True, slots=True)
class OpenMenu:
    """The command to show the menu at this line."""

    at: int = 0


@dataclass(frozen=True, slots=True)
class TakeLine:
    """The command of `side` to choose this menu line."""

    line: MenuLine
    side: int


@dataclass(frozen=True, slots=True)
class StartGame:
    """The command to begin the next game, ending an unfinished one."""


@dataclass(frozen=True, slots=True)
class GiveNames:
    """The command to set the names of the sides.

    The names are in the order of the tracks. Other names mean other players, unless `same_players` is true."""

    names: tuple[str, ...]
    same_players: bool = False


@dataclass(frozen=True, slots=True)
class ChooseRules:
    """The command to change the rules from the next game on."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class SetUp:
    """The command to play the next games by these settings."""

    rules: Rules
    way: Way
    names: tuple[str, ...]


class EndSetUp:
    """The command to end the set-up of the next games."""


class BeginAnew:
    """The owner's command to begin the next game.

    It works in every mode. A won game is added to the match; an unfinished one is broken off."""


class EndGame:
    """The desk's command to end the game in progress."""


class BeginMatch:
    """The command to begin a new match with its first game."""


class OfficialCame:
    """The command to continue after the official has come."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """The command to confirm the desk's message of this kind."""

    what: DeskMessage


@dataclass(frozen=True, slots=True)
class ClubRequest:
    """The command for a step of joining or leaving a club."""

    act: ClubAct
    address: str = ""
    """The address of the hub to join."""


class SwitchOff:
    """The command to switch off the board and its machine."""


#: The commands whose effect the journal stores.
StoredCommand = TakeLine | StartGame | BeginAnew | EndGame | BeginMatch | GiveNames | ChooseRules | SetUp | EndSetUp
TableCommand = ChangeMode | OpenMenu | OfficialCame | Confirm | SwitchOff | ClubRequest | StoredCommand
InputMeaning = Action | TableCommand | Refusal
