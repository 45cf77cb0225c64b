"""The log and the positions of a competition.

The log is the competition: `position` is always the fold of `log`. Reads no clock and does no I/O; the caller stores
the log before it shows what came of it (design law 5).
"""

from __future__ import annotations

from collections.abc import Iterable

from cribboard.competition.actions import CompetitionAction
from cribboard.competition.events import CompetitionEvent
from cribboard.competition.evolution import step
from cribboard.competition.formats import Format
from cribboard.competition.position import CompetitionPosition
from cribboard.competition.referee import decide
from cribboard.competition.standings import StandingsRow, standings


class Competition:
    """One competition, from registration to medals.

    >>> from cribboard.competition import FORMATS, Competition
    >>> from cribboard.competition.actions import CheckIn, Register
    >>> evening = Competition.start(FORMATS["acc"], tables=6)
    >>> evening.do(Register(name="Odile"))
    (Registered(part=<EntrantKind.RANKED: 'ranked'>, captain=0, name='Odile', players=('Odile',)),)
    >>> evening.do(CheckIn(1))
    (CheckedIn(entrant=1, captain=0),)
    """

    def __init__(self, beginning: CompetitionPosition) -> None:
        self._history = [beginning]
        self._log: list[CompetitionEvent] = []

    @classmethod
    def start(cls, form: Format, *, tables: int = 0) -> Competition:
        """Start a new competition of this format."""
        return cls(CompetitionPosition(format=form, tables=tables, games=form.games, missing=form.missing))

    @property
    def position(self) -> CompetitionPosition:
        """The position after the last event."""
        return self._history[-1]

    @property
    def log(self) -> tuple[CompetitionEvent, ...]:
        """Every event so far, including undone events."""
        return tuple(self._log)

    def copy(self) -> Competition:
        copied = Competition(self._history[0])
        copied._history, copied._log = [*self._history], [*self._log]
        return copied

    def decide(self, action: CompetitionAction) -> tuple[CompetitionEvent, ...]:
        """Return the events that this action would cause. Raises `RefusedAction`.

        The competition does not change."""
        return decide(self.position, action)

    def append(self, events: Iterable[CompetitionEvent]) -> None:
        """Log these events, and apply them to the position."""
        for event in events:
            self._history.append(step(self._history, event))
            self._log.append(event)

    def do(self, action: CompetitionAction) -> tuple[CompetitionEvent, ...]:
        """Do this action and return its events. Raises `RefusedAction`, and then changes nothing."""
        caused = self.decide(action)
        self.append(caused)
        return caused

    def standings(self) -> tuple[StandingsRow, ...]:
        """Calculate the standings now.

        `view.see` decides which part of the standings the hall may see."""
        return standings(self.position)
