"""A game: its log of events, and its positions.

The log is the game: `position` is always the fold of `log`. Reads no clock and does no I/O; the caller stores the log.
"""

from __future__ import annotations

from collections.abc import Iterable

from cribboard.actions import Action
from cribboard.events import Event
from cribboard.evolution import start, step
from cribboard.expected import expected
from cribboard.position import Position
from cribboard.referee import rule
from cribboard.rules import Rules, RulesError, Way, contradictions


class Game:
    """One game, from the cut for deal to the result.

    >>> from cribboard import RULES, Card, Game
    >>> from cribboard.actions import CutForDeal
    >>> game = Game.start(RULES["six-card"], way="verify")
    >>> game.do(CutForDeal(0, Card.parse("4H")))
    (Acted(action=CutForDeal(seat=0, card=<4H>)), CardCut(seat=0, card=<4H>))
    >>> game.position.cuts
    ((0, <4H>),)
    """

    def __init__(self, beginning: Position) -> None:
        self._history = [beginning]
        self._log: list[Event] = []
        self._decided: tuple[tuple[Event, ...], list[Position]] = ((), [])

    @classmethod
    def start(cls, rules: Rules, *, way: Way | str, dealer: int | None = None) -> Game:
        """Begin a new game. Raises `RulesError` if the rules contradict themselves.

        `way` is trust, verify or auto; another word raises `ValueError`. `dealer` is the seat that deals first, if it
        is known, as in later games of a match.
        """
        if problems := tuple(contradictions(rules)):
            raise RulesError(problems)
        return cls(start(rules, Way(way), dealer=dealer))

    @property
    def beginning(self) -> Position:
        """The position before the first event."""
        return self._history[0]

    @property
    def position(self) -> Position:
        """The position after the last event."""
        return self._history[-1]

    @property
    def log(self) -> tuple[Event, ...]:
        """Every event so far, including undone events.

        Event number n is at index n - 1."""
        return tuple(self._log)

    def expected(self) -> tuple[Action, ...]:
        """List the legal actions of all sides."""
        return expected(self.position)

    def do(self, action: Action) -> tuple[Event, ...]:
        """Take the action, and return the events that it causes. Raises `IllegalAction`, and then changes nothing."""
        events = self.decide(action)
        self.append(events)
        return events

    def decide(self, action: Action) -> tuple[Event, ...]:
        """Return the events that the action would cause.

        The game does not change until these events are appended."""
        decision = rule(self.position, action)
        events = tuple(decision.events)
        self._decided = events, decision.positions
        return events

    def after(self, events: Iterable[Event]) -> Position:
        """Return the position after these events, without appending them."""
        history = list(self._history)
        for event in events:
            history.append(step(history, event))
        return history[-1]

    def append(self, events: Iterable[Event]) -> None:
        """Append events from `decide`, a journal or a record."""
        decided, positions = self._decided
        if events is decided:  # their positions are known
            self._history += positions
            self._log += decided[: len(positions)]
            events = decided[len(positions) :]
        self._decided = (), []
        for event in events:
            self._history.append(step(self._history, event))
            self._log.append(event)

    def position_after(self, number: int) -> Position:
        """Return the position after event `number`; 0 is the beginning."""
        return self._history[number]
