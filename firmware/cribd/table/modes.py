"""What stands before the game while it waits: the menu, the count judge, a look back, an official who was called.

One of them at a time. It belongs to the table, which shows it and lets the game's timer rest meanwhile; nothing here
publishes, keeps or decides anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.game import Game
from cribboard.position import Position
from cribboard.series import Match
from cribd.table import count_judge_mode, review
from cribd.table.menu import Settings, menu_of
from cribd.table.rule_sets import RuleSet, titled
from cribd.table.snapshot import Judging, Menu, Official


class Modes:
    """`offered` are the rules of this board, `languages` what it speaks; `cards`: whether anything here reads cards."""

    def __init__(self, offered: Sequence[RuleSet], *, cards: bool, languages: Sequence[str]) -> None:
        self._offered = offered
        self._cards = cards
        self._languages = languages
        self.menu: Menu | None = None
        self.judging: Judging | None = None
        self.looking: review.Review | None = None
        self.official: Official | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the game has the table's ear."""
        return all(each is None for each in (self.menu, self.judging, self.looking, self.official))

    def clear(self) -> None:
        """Away with whatever it is."""
        self.menu = self.judging = self.looking = self.official = None

    def open_menu(self, position: Position | None, settings: Settings, *, match: Match, played: bool, at: int) -> None:
        """`position` is None between two games; `match` is that of the next one, and `played` says whether there is a
        game to look back at."""
        self.menu = menu_of(
            position,
            settings,
            cards=self._cards,
            offered=self._offered,
            languages=self._languages,
            match=match,
            played=played,
            at=at,
        )

    def open_judge(self, position: Position | None, settings: Settings) -> None:
        """The count judge opens by the rules that are played, or would be."""
        self.menu = None
        self.judging = count_judge_mode.opened(
            titled(settings.rules if position is None else position.rules, self._offered)
        )

    def call_official(self, side: int, position: Position | None, names: Sequence[str]) -> None:
        """The game waits for an official (7.17). By the rules of FADOQ only a captain may speak to one, and the board
        cannot know whose finger it was."""
        captain = position is not None and position.rules.name == "fadoq"
        self.menu = None
        self.official = Official(side, captain=captain, name=names[side] if side < len(names) else "")

    def look_at(self, game: Game) -> None:
        """Look back at this game, from where it stands."""
        self.menu, self.looking = None, review.opened(game)
