"""The next game of a table.

What was set up beforehand settles the rules, the way and the names. Else an event that is due settles the rules and the
names, or the players' settings do, and behind these the owner's configuration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cribboard.position import Position
from cribboard.rules import Rules, Way
from cribd.clock import Clock
from cribd.storage.journal import Journal
from cribd.table.commands import SetUp
from cribd.table.match import CurrentMatch
from cribd.table.menu import chosen, menu_of
from cribd.table.organiser_desk import EventGame, WaitsForRound
from cribd.table.owner_actions import tidy
from cribd.table.rule_sets import RuleSet
from cribd.table.settings import Policy, Settings, keep_settings
from cribd.table.snapshot import Base, Menu, MenuLine
from cribd.table.table_at_event import TableAtEvent


@dataclass(frozen=True, slots=True)
class NextGame:
    """The game that OK would begin now."""

    settings: Settings
    """The settings with the set-up applied."""
    policy: Policy
    event: EventGame | None = None
    """The game of an event to play; None if it belongs to no event."""
    waits: WaitsForRound | None = None
    """The round of an event for which the table waits: until then OK starts no game."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.settings.rules if self.event is None else self.event.rules

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sides."""
        if self.event is not None:
            return tuple(map(tidy, self.event.names))
        return self.settings.names if any(self.settings.names) else self.policy.names

    @property
    def way(self) -> Way:
        """The way of scoring: without a card reader, `Way.TRUST`."""
        return self.settings.way if self.policy.cards else Way.TRUST


class NextGames:
    """The settings of a table for its next games.

    `settings` are the latest choices of the players; a thread writes them to the `journal`. Raises `JournalAway` if it
    cannot. All games are played by `set_up` instead, unless it is None.
    """

    def __init__(self, settings: Settings, policy: Policy, event: TableAtEvent, journal: Journal, clock: Clock) -> None:
        self.settings = settings
        self.set_up: SetUp | None = None
        self._policy = policy
        self._event = event
        self._journal = journal
        self._clock = clock

    @property
    def next(self) -> NextGame:
        """The game that starts when somebody presses OK."""
        set_up = self.set_up
        if set_up is None:
            return NextGame(self.settings, self._policy, self._event.next_game, self._event.waits)
        return NextGame(replace(self.settings, rules=set_up.rules, way=set_up.way, names=set_up.names), self._policy)

    def menu(
        self,
        under_way: Position | None,
        match: CurrentMatch,
        offered: Sequence[RuleSet],
        *,
        club: str | None,
        at: int,
        covers: Base,
    ) -> Menu:
        """Make the menu for the present state.

        `under_way` is the position of the game in progress, None in the lobby."""
        due = self.next
        return menu_of(
            under_way,
            due.settings,
            cards=self._policy.cards,
            offered=offered,
            languages=self._policy.languages,
            match=match.standing(due.settings.rules, due.names, between=True, event=due.event),
            plays=self._event.plays if self.set_up is None else None,
            due=due.event is not None,
            played=match.position is not None and match.position.number > 0,
            club=club,
            at=at,
            covers=covers,
        )

    async def keep(self, settings: Settings) -> None:
        """Store these settings in the journal, then use them."""
        await self._clock.run_in_thread(lambda: keep_settings(self._journal, settings))
        self.settings = settings

    async def choose(self, taken: MenuLine) -> None:
        """Store the choice of a menu line.

        While games are set up, the rules and the way of scoring change for these games only."""
        then, mine, set_up = chosen(self.next.settings, taken), self.settings, self.set_up
        if set_up is None:
            await self.keep(then)
            return
        await self.keep(replace(then, rules=mine.rules, way=mine.way, names=mine.names))
        self.set_up = replace(set_up, rules=then.rules, way=then.way)
