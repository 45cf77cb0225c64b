"""What a press or a scan is understood by, and what it may come to.

Values alone: `interpret` reads the one and answers with the other, and the table does what it says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cribboard.actions import Action
from cribboard.position import Position
from cribboard.rules import Rules
from cribd.boards import Board
from cribd.table import review
from cribd.table.rule_sets import RuleSet
from cribd.table.snapshot import Called, Judging, Lobby, Menu, MenuLine, Refusal


def one_page(called: Called | None) -> int:
    """One page, whatever was called: for whoever shows no reasons."""
    return 1


@dataclass(frozen=True, slots=True)
class Situation:
    """What a press is understood by: the game if there is one, what the table asks meanwhile, the open menu, the seat
    whose name stands while a side says which of its seats deals, the count judge if it is open, the rules that it can
    judge by, on how many `pages` its reasons stand, how far back somebody looks, and whether an official was called who
    has not come yet."""

    board: Board
    position: Position | None = None
    lobby: Lobby | None = None
    menu: Menu | None = None
    naming: int | None = None
    judging: Judging | None = None
    offered: tuple[RuleSet, ...] = ()
    pages: Callable[[Called | None], int] = one_page
    looking: review.Review | None = None
    official: bool = False


@dataclass(frozen=True, slots=True)
class OpenMenu:
    """Show the menu, at its first line."""


@dataclass(frozen=True, slots=True)
class StepMenu:
    """On to the next line, and from the last to the first."""


@dataclass(frozen=True, slots=True)
class LeaveMenu:
    """Close the menu; nothing is taken."""


@dataclass(frozen=True, slots=True)
class TakeLine:
    """This side's OK takes the line that is shown."""

    line: MenuLine
    side: int


@dataclass(frozen=True, slots=True)
class AskInstead:
    """Ask this of whoever switched the board on: nothing begins yet, and nothing is lost."""

    lobby: Lobby


@dataclass(frozen=True, slots=True)
class Resume:
    """Take up the unfinished game."""


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin the next game; an unfinished one is kept as broken off."""


@dataclass(frozen=True, slots=True)
class NameSeat:
    """Ask whether this seat deals, or ask no more."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class Judge:
    """So the count judge stands now; None closes it."""

    judging: Judging | None


@dataclass(frozen=True, slots=True)
class Look:
    """So far back somebody looks now; None ends it."""

    back: review.Review | None


@dataclass(frozen=True, slots=True)
class GiveNames:
    """So the sides are called from now on; other names are other players, unless they are the `same_players`."""

    names: tuple[str, ...]
    same_players: bool = False


@dataclass(frozen=True, slots=True)
class ChooseRules:
    """The next game takes these rules."""

    rules: Rules


class BeginAnew:
    """Begin the next game, whatever is under way or asked: a game that is won counts, any other is broken off."""


class BeginMatch:
    """Begin the first game of a new match, as `BeginAnew` begins the next one."""


class OpenResults:
    """The results of all games that have ended are open, where their rules seal them."""


class OfficialCame:
    """Whoever called an official says that he is here: the game goes on."""


Command = (
    OpenMenu | StepMenu | LeaveMenu | TakeLine | AskInstead | Resume | StartGame | NameSeat | Judge | Look
    | OfficialCame | GiveNames | ChooseRules | BeginAnew | BeginMatch | OpenResults
)  # fmt: skip
Answer = Action | Command | Refusal
