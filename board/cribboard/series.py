"""Games into a match: who has won how many, who deals the next, and whether it is over."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cribboard.position import Phase, Position
from cribboard.rules import NextGameDeal, Rules
from cribboard.view import is_skunk


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game: its winner, every side's score, how many games it counts, and who dealt first."""

    winner: int
    scores: tuple[int, ...]
    counts: int
    first_dealer: int


@dataclass(frozen=True, slots=True)
class Match:
    """The games of one match, in order. A skunk counts for more than one (rules reference, 1.30 and 1.31).

    >>> from cribboard import RULES
    >>> match = Match(RULES["six-card"]).add(Result(winner=1, scores=(89, 121), counts=2, first_dealer=0))
    >>> match.games, match.winner, match.next_dealer()
    ((0, 2), None, 0)
    """

    rules: Rules
    results: tuple[Result, ...] = ()

    def add(self, result: Result) -> Match:
        return replace(self, results=(*self.results, result))

    @property
    def games(self) -> tuple[int, ...]:
        """Games won by each side, skunks counted for what they are worth."""
        sides = range(self.rules.deal_and_play.teams)
        return tuple(sum(result.counts for result in self.results if result.winner == side) for side in sides)

    @property
    def winner(self) -> int | None:
        """The side that has reached the games of the match, None while it goes on."""
        return next((side for side, won in enumerate(self.games) if won >= self.rules.game.match), None)

    def next_dealer(self) -> int | None:
        """The seat that deals the next game; None where the cut decides, as it does for the first."""
        if not self.results:
            return None
        last = self.results[-1]
        match self.rules.game.next_game_deal:
            case NextGameDeal.LOSER:
                return min(range(len(last.scores)), key=lambda side: last.scores[side])
            case NextGameDeal.ALTERNATE:
                return self.rules.left_of(last.first_dealer)
            case NextGameDeal.CUT:
                return None


def result_of(position: Position, *, first_dealer: int) -> Result | None:
    """What a finished game counts; None for one that is under way or was broken off."""
    if position.phase is not Phase.OVER or position.winner is None:
        return None
    counts = position.rules.game.skunk_value if is_skunk(position) else 1
    return Result(position.winner, tuple(pegs.front for pegs in position.pegs), counts, first_dealer)
