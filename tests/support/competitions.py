"""A competition for tests: entrants who are all there, rounds by pairs, and results by scores."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from cribboard.competition import Competition, Format, RefusedAction, see
from cribboard.competition.actions import (
    Begin,
    CheckIn,
    CheckResult,
    CompetitionAction,
    DrawPlayOff,
    DrawRound,
    EndPlay,
    EnterResult,
    OpenPlace,
    Register,
    StartRound,
)
from cribboard.competition.events import CompetitionEvent
from cribboard.competition.position import CompetitionPosition
from cribboard.competition.scorecard import ScoreCard
from cribboard.competition.seating import Pairing, Seating
from cribboard.competition.terms import Choice, Ending, GameAt, ResultState
from cribboard.competition.view import CompetitionEye, CompetitionView

Game = tuple[int, int, int, int]
"""Two entrants and their scores."""


class Hall:
    """A competition whose entrants 1 to `entrants` are checked in; it has begun unless a test says otherwise."""

    def __init__(self, form: Format, entrants: int, *, tables: int = 99, choice: Choice | None = Choice.AS_SET) -> None:
        self.competition = Competition.start(form, tables=tables)
        for number in range(1, entrants + 1):
            self.add(number)
        if choice is not None:
            self.do(Begin(choice))

    @property
    def now(self) -> CompetitionPosition:
        return self.competition.position

    def add(self, number: int) -> None:
        """Entrant `number` registers and is checked in."""
        players = (f"Anne {number}", f"Benoît {number}") if self.now.format.team_size == 2 else ()
        self.do(Register(name=f"Entrant {number}", players=players), CheckIn(number))

    def do(self, *actions: CompetitionAction) -> tuple[CompetitionEvent, ...]:
        return tuple(event for action in actions for event in self.competition.do(action))

    def refused(self, action: CompetitionAction) -> str:
        """The code of a refusal, which leaves no trace."""
        before, log = self.now, self.competition.log
        with pytest.raises(RefusedAction) as refused:
            self.competition.do(action)
        assert str(refused.value)
        assert (self.now, self.competition.log) == (before, log)
        return refused.value.code

    def draw(self, *pairs: tuple[int, int], byes: Sequence[int] = (), waiting: Sequence[int] = ()) -> int:
        """Draws and starts a round at tables 1, 2, …; its number."""
        self.do(DrawRound(seated(*pairs, byes=byes, waiting=waiting)), StartRound())
        return len(self.now.rounds)

    def play(self, *games: Game, byes: Sequence[int] = ()) -> int:
        """A round of one game at each table, with its results."""
        number = self.draw(*(game[:2] for game in games), byes=byes)
        for table, game in enumerate(games, start=1):
            self.do(entered(number, table, *game[2:]))
        return number

    def play_off(self, first: int, second: int, *scores: tuple[int, int]) -> None:
        """A play-off of these two, game by game."""
        self.do(DrawPlayOff(seated((first, second))), StartRound())
        for game, (one, other) in enumerate(scores, start=1):
            self.do(entered(len(self.now.rounds), 1, one, other, game=game))

    def end(self) -> None:
        """Play is over, and every result is compared with its slip."""
        self.do(EndPlay())
        self.check_all()

    def check_all(self) -> None:
        for held in self.now.rounds:
            for encounter in held.encounters:
                for game, result in enumerate(encounter.results, start=1):
                    if result.state is ResultState.ACCEPTED:
                        self.do(CheckResult(GameAt(held.number, encounter.table, game)))

    def open(self, *places: int) -> None:
        for place in places:
            self.do(OpenPlace(place))

    @property
    def places(self) -> dict[int, int | None]:
        """By entrant."""
        return {row.entrant: row.place for row in self.competition.standings()}

    @property
    def order(self) -> tuple[int, ...]:
        """The ranked entrants in the order of their places, none of them level."""
        rows = [row for row in self.competition.standings() if row.place is not None]
        assert all(one.place != other.place for one, other in pairwise(rows))
        return tuple(row.entrant for row in rows)

    def hall(self) -> CompetitionView:
        return see(self.now, CompetitionEye.HALL)

    def scorecard(self, entrant: int) -> ScoreCard:
        """The card of an entrant, for the organiser."""
        return see(self.now, CompetitionEye.ORGANISER).scorecard(entrant, self.now.format.game_rules)


def seated(*pairs: tuple[int, int], byes: Sequence[int] = (), waiting: Sequence[int] = ()) -> Seating:
    """These pairs at tables 1, 2, …"""
    pairings = tuple(Pairing(table, pair) for table, pair in enumerate(pairs, start=1))
    return Seating(pairings, tuple(byes), tuple(waiting))


def entered(number: int, table: int, first: int, second: int, *, game: int = 1, broken: bool = False) -> EnterResult:
    """A slip of this round and table."""
    ending = Ending.BROKEN_OFF if broken else Ending.FINISHED
    return EnterResult(at=GameAt(number, table, game), scores=(first, second), ending=ending)


def circle(entrants: int, rounds: int) -> list[tuple[list[tuple[int, int]], list[int]]]:
    """The pairs and byes of rounds in which nobody meets an opponent twice: one stays, the others go round."""
    places = list(range(1, entrants + 1)) + [0] * (entrants % 2)
    found = []
    for _ in range(rounds):
        pairs = [(places[i], places[-1 - i]) for i in range(len(places) // 2)]
        byes = [one or other for one, other in pairs if not (one and other)]
        found.append(([pair for pair in pairs if all(pair)], byes))
        places = [places[0], places[-1], *places[1:-1]]
    return found
