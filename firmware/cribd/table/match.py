"""The games of one table as its journal keeps them, and the match that they belong to.

It knows no press and no picture: the table says when a game begins and what was decided. First the journal, then the
game (design law 5): what could not be kept has not happened.

A match goes on while its rules and its players are the same and nobody asks for a new one. Players are the same unless
another name stands where one stood: a side that gets its first name, or loses it, is played by whom it was played
before. What the journal holds says whose a match is: the names of its newest game, or those that were given since.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from cribboard.actions import Action, BreakOff
from cribboard.events import Acted, Event
from cribboard.position import Phase, Position
from cribboard.record import Heading
from cribboard.rules import Rules, Way
from cribboard.series import Match
from cribd.clock import Clock
from cribd.storage.archive import OPENED, read_opened
from cribd.storage.journal import Journal, JournalDamaged, Kept
from cribd.table.results import result_of_game
from cribd.table.rule_sets import alike

#: The setting of the journal that says whose the match is since its newest game, or that it is closed.
_MATCH = "match"


class GamesKept:
    """The game that is played, or was last; None before the first. What is written is written aside, and raises
    `NotKept`."""

    def __init__(self, journal: Journal, clock: Clock, rules: Rules) -> None:
        self._journal = journal
        self._clock = clock
        self._match = Match(rules)
        self._match_number = 1
        self._players: tuple[str, ...] | None = ()  # None: the match is closed
        self.latest: Kept | None = None

    @property
    def position(self) -> Position | None:
        """Where the game stands."""
        return None if self.latest is None else self.latest.game.position

    @property
    def over(self) -> bool:
        """Whether the latest game has come to its end."""
        return self.position is not None and self.position.phase is Phase.OVER

    @property
    def ended(self) -> int:
        """How many games have come to their end, one way or another."""
        if self.latest is None:
            return 0
        return self.latest.id if self.over else self.latest.id - 1

    @property
    def last_act(self) -> Action | None:
        """What an undo would take back."""
        p = self.position
        if self.latest is None or p is None or not p.acts or self.over:
            return None
        began = self.latest.game.log[p.acts[-1][0]]
        return began.action if isinstance(began, Acted) else None

    def wake(self) -> tuple[JournalDamaged, ...]:
        """Take up what the journal holds; what is wrong with games that therefore count nothing in the match.

        Raises `JournalDamaged` if the last game is not sound; a table so left starts a new match.
        """
        left_out: list[JournalDamaged] = []
        try:
            latest = self._journal.latest()
            if latest is not None:
                self._match = self._journal.match(latest.match, latest.heading, left_out=left_out.append)
                self._match_number, self.latest = latest.match, latest
                self._players = _players(self._journal.setting(_MATCH), latest)
        except JournalDamaged:
            self._match_number = self._journal.next_match()
            raise
        return tuple(left_out)

    @property
    def players(self) -> tuple[str, ...]:
        """Whose the match is, by side; none of a match that is closed."""
        return self._players or ()

    @property
    def rules(self) -> Rules:
        """By which rules the match is played."""
        return self._match.rules

    def match(self, rules: Rules, names: Sequence[str] = (), *, between: bool) -> Match:
        """The match as it stands; `between` two games, none yet if the next one is not of it."""
        return Match(rules) if between and not self._is_of(rules, names) else self._match

    def ends(self, rules: Rules, names: Sequence[str]) -> tuple[int, ...]:
        """How the match stands if a game by these rules and players would end it; empty if it goes on, or is over."""
        if self._is_of(rules, names) or self._match.over or not self._match.results:
            return ()
        return self._match.points

    def _is_of(self, rules: Rules, names: Sequence[str]) -> bool:
        """Whether a game by these rules and players is of the match that was played last."""
        if self._players is None or not alike(rules, self._match.rules):
            return False
        return all(
            not old or not new or old.casefold() == new.casefold()
            for old, new in zip(self._players, names, strict=False)
        )

    async def close_match(self) -> None:
        """The next game begins a new match."""
        await self._say_whose(None)

    async def rename(self, names: Sequence[str]) -> None:
        """The players of the match are called so from now on."""
        if self._players is not None:
            await self._say_whose(tuple(names))

    async def _say_whose(self, players: tuple[str, ...] | None) -> None:
        newest = 0 if self.latest is None else self.latest.id
        told = json.dumps({"game": newest, "players": players})
        await self._clock.run_in_thread(lambda: self._journal.settle({_MATCH: told}))
        self._players = players

    async def commit(self, kept: Kept, events: Sequence[Event]) -> None:
        """Keep what was decided, and only then let the game hear it."""
        result = result_of_game(kept, events)
        await self._clock.run_in_thread(lambda: self._journal.append(kept, events, result))
        kept.game.hear(events)
        if result is not None:
            self._match = self._match.add(result)

    async def open_results(self) -> None:
        """The archive may show all games that have ended, sealed or not. What is open stays open."""
        await self._clock.run_in_thread(self._open_results)

    def _open_results(self) -> None:
        opened = read_opened(self._journal.setting(OPENED), newest=self._journal.newest())
        self._journal.settle({OPENED: str(max(opened, self.ended))})

    async def begin(self, rules: Rules, *, way: Way, names: Sequence[str], board: str) -> None:
        """The next game of the match, or the first of a new one. What was unfinished is kept as broken off."""
        if self.latest is not None and not self.over:
            await self.commit(self.latest, self.latest.game.decide(BreakOff()))
        goes_on = self._is_of(rules, names) and not self._match.over
        match = self._match if goes_on else Match(rules)
        number = self._match_number + (match is not self._match)
        sides = len(rules.sides)
        heading = Heading(
            rules=rules,
            way=way,
            dealer=match.next_dealer(),
            names=(*names, *("",) * sides)[:sides],
            date=self._clock.wall().date().isoformat(),
            board=board,
        )
        begun = await self._clock.run_in_thread(lambda: self._journal.begin(heading, number))
        self._match, self._match_number, self._players = match, number, heading.names
        self.latest = Kept(begun, number, heading, heading.begin())


def _players(told: str | None, latest: Kept) -> tuple[str, ...] | None:
    """Whose the match of this game is; None if it is closed. What was said before the game, or is not understood, does
    not count."""
    try:
        said = json.loads(told or "{}")
    except (ValueError, RecursionError):
        said = None
    match said:
        case {"game": latest.id, "players": None}:
            return None
        case {"game": latest.id, "players": [*names]} if all(isinstance(name, str) for name in names):
            return tuple(names)
        case _:
            return latest.heading.names
