"""The next game of a table: its rules, its way and the names of its sides.

An event that is due settles them, or what was set up beforehand, or else the players' settings, and behind these the
owner's configuration.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cribboard.rules import Rules, Way
from cribd.table.commands import SetUp
from cribd.table.event import EventGame
from cribd.table.owner_actions import tidy
from cribd.table.settings import Policy, Settings


@dataclass(frozen=True, slots=True)
class NextGame:
    """The game that an OK would begin now."""

    settings: Settings
    """With what was set up instead of what was chosen."""
    policy: Policy
    event: EventGame | None = None
    """The game of an event that it is; None if it is none."""

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.settings.rules if self.event is None else self.event.rules

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sides."""
        if self.event is not None:
            return tuple(map(tidy, self.event.names))
        return self.settings.names if any(self.settings.names) else self.policy.names

    @property
    def way(self) -> Way:
        """The way: without a card reader a table can only trust."""
        return self.settings.way if self.policy.cards else Way.TRUST


def with_set_up(settings: Settings, set_up: SetUp | None) -> Settings:
    """The settings with what was set up instead of what was chosen."""
    if set_up is None:
        return settings
    return replace(settings, rules=set_up.rules, way=set_up.way, names=set_up.names)
