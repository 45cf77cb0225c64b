"""A match of several games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from cribboard.events import ResultFinal
from cribboard.game import Game
from cribboard.position import Phase, Position
from cribboard.rules import NextGameDeal, Rules, Standings
from cribboard.skunk import value_of_win


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """The outcome of a game, as it counts for a match."""

    winner: int  # a side
    scores: tuple[int, ...]  # by side
    counts: int  # what it counts for the match
    first_dealer: int  # a seat


@dataclass(frozen=True, slots=True)
class Match:
    """The games of one match, in order.

    A skunk may count as several games (rules reference, 1.30 and 1.31). The rules say what decides the match:
    games won, or the points pegged or the game points of a fixed number of games (3.11).

    >>> from cribboard import RULES
    >>> match = Match(RULES["six-card"]).add(FinishedGame(winner=1, scores=(89, 121), counts=2, first_dealer=0))
    >>> match.games, match.winner, match.next_dealer()
    ((0, 2), None, 0)
    """

    rules: Rules
    results: tuple[FinishedGame, ...] = ()

    def add(self, result: FinishedGame) -> Match:
        """Return the match with one more game."""
        return replace(self, results=(*self.results, result))

    @property
    def games(self) -> tuple[int, ...]:
        """How many games each side has won.

        If this number decides the match, a skunk counts as all games that it is worth."""
        skunks_count = self.rules.game.standings is Standings.WINS
        return self._of_each_side(lambda result: result.counts if skunks_count else 1)

    @property
    def points(self) -> tuple[int, ...]:
        """The numbers that decide the match, by side."""
        match self.rules.game.standings:
            case Standings.WINS:
                return self.games
            case Standings.GAME_POINTS:
                return self._of_each_side(lambda result: result.counts)
            case Standings.POINTS:
                return tuple(sum(result.scores[side] for result in self.results) for side in self.rules.sides)

    @property
    def over(self) -> bool:
        if self.rules.game.standings is Standings.WINS:
            return max(self.games) >= self.rules.game.match
        return len(self.results) >= self.rules.game.match

    @property
    def winner(self) -> int | None:
        """The winner of the match; None also after a tie."""
        best = [side for side, points in enumerate(self.points) if points == max(self.points)]
        return best[0] if self.over and len(best) == 1 else None

    def next_dealer(self) -> int | None:
        """Return the seat that deals the next game, or None.

        None if the cut decides, as for the first game. Of several seats it is the first to the left of the last game's
        first dealer."""
        if not self.results:
            return None
        last = self.results[-1]
        in_turn = self.rules.round_from(self.rules.left_of(last.first_dealer))
        match self.rules.game.next_game_deal:
            case NextGameDeal.LOSER:
                return min(in_turn, key=lambda seat: last.scores[self.rules.side_of(seat)])
            case NextGameDeal.ALTERNATE:
                return in_turn[0]
            case NextGameDeal.CUT:
                return None

    def _of_each_side(self, worth: Callable[[FinishedGame], int]) -> tuple[int, ...]:
        return tuple(
            sum(worth(result) for result in self.results if result.winner == side) for side in self.rules.sides
        )


def result_of(position: Position, *, first_dealer: int) -> FinishedGame | None:
    """Return the outcome of a completed game, or None."""
    if position.phase is not Phase.OVER or position.winner is None:
        return None
    scores = tuple(pegs.front for pegs in position.pegs)
    return FinishedGame(position.winner, scores, value_of_win(position.skunk, position.rules.game), first_dealer)


def first_dealer(game: Game) -> int:
    """Return the seat that dealt the first deal of the game.

    Undone cuts do not count. A deal must have begun."""
    positions = (game.position_after(number) for number in range(len(game.log) + 1))
    *_, dealer = (p.dealer for p in positions if p.deal == 1 and p.dealer is not None)
    return dealer


def final_result(game: Game) -> FinishedGame | None:
    """Return the final result of a game, or None."""
    if not game.log or not isinstance(game.log[-1], ResultFinal) or not game.position.deal:
        return None
    return result_of(game.position, first_dealer=first_dealer(game))
