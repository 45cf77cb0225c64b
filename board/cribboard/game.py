"""A game under way: its rules, its log, and where it stands.

The log is the game. Everything else here can be made again from it: `position` is the fold of `log`, after every
step. No clock, no chance, no I/O: who writes the log down is not this module's business.
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
        """A new game. `way` is trust, verify or auto; `dealer` a seat where it is known, as in a match's later games.

        Raises `RulesError` if the rules contradict themselves, saying how, and ValueError if `way` is no way.
        """
        if problems := tuple(contradictions(rules)):
            raise RulesError(problems)
        return cls(start(rules, Way(way), dealer=dealer))

    @property
    def beginning(self) -> Position:
        """Where the game started: number 0."""
        return self._history[0]

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self._history[-1]

    @property
    def log(self) -> tuple[Event, ...]:
        """Every event so far, those that were undone included; event number n stands at index n - 1."""
        return tuple(self._log)

    def expected(self) -> tuple[Action, ...]:
        """The actions that are legal now, and for whom."""
        return expected(self.position)

    def do(self, action: Action) -> tuple[Event, ...]:
        """The events that the action caused. `IllegalAction` leaves the game as it was."""
        events = self.decide(action)
        self.hear(events)
        return events

    def decide(self, action: Action) -> tuple[Event, ...]:
        """The events that the action would cause; the game stays as it is until it hears them."""
        decision = rule(self.position, action)
        events = tuple(decision.events)
        self._decided = events, decision.positions
        return events

    def after(self, events: Iterable[Event]) -> Position:
        """Where the game would stand after these events."""
        history = list(self._history)
        for event in events:
            history.append(step(history, event))
        return history[-1]

    def hear(self, events: Iterable[Event]) -> None:
        """Take on events that were decided before: by this game just now, or in a journal or a record."""
        decided, positions = self._decided
        if events is decided:  # what follows from them is known already
            self._history += positions
            self._log += decided[: len(positions)]
            events = decided[len(positions) :]
        self._decided = (), []
        for event in events:
            self._history.append(step(self._history, event))
            self._log.append(event)

    def position_after(self, number: int) -> Position:
        """Where the game stood after event `number`: 0 is the beginning."""
        return self._history[number]
