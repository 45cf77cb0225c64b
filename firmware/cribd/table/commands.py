"""The input and output types of `interpret`: the situation that it reads, and the commands that it returns.

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
    AtClub,
    Base,
    ConfirmOff,
    DeskMessage,
    FromDesk,
    JudgeCall,
    Judging,
    Menu,
    MenuLine,
    Official,
    Refusal,
    SwitchedOff,
    base_below,
)

#: The mode of the table: what receives the presses now. A snapshot shows a `Review`, which holds positions, as
#: `Looking`.
Mode = Base | Menu | Judging | Review | Official | AtClub | FromDesk | ConfirmOff | SwitchedOff


def base_of(mode: Mode) -> Base:
    """The base of this mode: the mode itself, or the mode that it covers."""
    return mode.covers if isinstance(mode, Review) else base_below(mode)


@dataclass(frozen=True, slots=True)
class Situation:
    """The state of a table and its board that decides the meaning of an input."""

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
    """Change to this mode, or to another state of the present one. No game begins or ends."""

    mode: Mode


@dataclass(frozen=True, slots=True)
class OpenMenu:
    """Show the menu at this line."""

    at: int = 0


@dataclass(frozen=True, slots=True)
class TakeLine:
    """Choose the menu line that is shown. `side` is the side that pressed OK."""

    line: MenuLine
    side: int


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin the next game; break off an unfinished one."""


@dataclass(frozen=True, slots=True)
class GiveNames:
    """Set the names of the sides, in the order of the tracks.

    Other names mean other players, unless `same_players` is true."""

    names: tuple[str, ...]
    same_players: bool = False


@dataclass(frozen=True, slots=True)
class ChooseRules:
    """Play the next game by these rules."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class SetUp:
    """Play every game from now on with these rules, this way of scoring and these names, in place of the settings."""

    rules: Rules
    way: Way
    names: tuple[str, ...]


class EndSetUp:
    """Play by the settings again from the next game on."""


class BeginAnew:
    """Begin the next game, in any mode. A won game is added to the match; an unfinished game is broken off."""


class EndGame:
    """End the game that the desk takes from this table as it stands."""


class BeginMatch:
    """Begin the first game of a new match; otherwise the same as `BeginAnew`."""


class OfficialCame:
    """The official is here: continue the game."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """Confirm what the desk says: a rehearsal, or that the rest was read."""

    what: DeskMessage


@dataclass(frozen=True, slots=True)
class ClubRequest:
    """Do this where the table shows a club, at the hub with this `address` if it joins."""

    act: ClubAct
    address: str = ""


class SwitchOff:
    """Switch the board off, with its machine."""


#: The commands whose effect the journal stores.
StoredCommand = TakeLine | StartGame | BeginAnew | EndGame | BeginMatch | GiveNames | ChooseRules | SetUp | EndSetUp
TableCommand = ChangeMode | OpenMenu | OfficialCame | Confirm | SwitchOff | ClubRequest | StoredCommand
InputMeaning = Action | TableCommand | Refusal
