"""Score cards, and rulings on two that differ (3.29, ACC 12.2).

A card has a line for each game: game points, and the spread, plus if the game was won and minus if it was lost. Both
players' cards come from one accepted result.
"""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.competition.position import Result, Scores
from cribboard.competition.refusals import RefusedAction
from cribboard.competition.terms import Advantage, Ending, GameAt
from cribboard.rules import GameRules
from cribboard.skunk import Skunk, skunk_at, value_of_win


@dataclass(frozen=True, slots=True)
class ScorecardLine:
    """The line of one game on a score card."""

    at: GameAt
    opponent: int  # an entrant
    scores: Scores  # own, then the opponent's
    ending: Ending
    game_points: int
    spread: int  # above 0 if won, below 0 if lost
    skunk: Skunk  # of the loser


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """The lines of an entrant's score card, and their sums."""

    entrant: int
    lines: tuple[ScorecardLine, ...]
    hands: tuple[int, ...]  # 28 and 29 hands

    @property
    def game_points(self) -> int:
        """The sum of the game points."""
        return sum(line.game_points for line in self.lines)

    @property
    def wins(self) -> int:
        """The number of games won."""
        return sum(line.spread > 0 for line in self.lines if line.ending is Ending.FINISHED)

    @property
    def plus_points(self) -> int:
        """The sum of the winning margins."""
        return sum(line.spread for line in self.lines if line.spread > 0 and line.ending is Ending.FINISHED)

    @property
    def spread(self) -> int:
        """The net spread of all games."""
        return sum(line.spread for line in self.lines)

    @property
    def is_grand_slam(self) -> bool:
        """Whether the entrant won every game on this card."""
        return bool(self.lines) and self.wins == len(self.lines)


def spreads(result: Result) -> Scores:
    """Return each side's points less the opponent's points.

    Where two cards differ, these are the spreads that were ruled."""
    if result.cards is not None:
        return result.cards
    margin = result.scores[0] - result.scores[1]
    return margin, -margin


def skunk(result: Result, game: GameRules) -> Skunk:
    """Return the kind of skunk in a game, or `Skunk.NONE`."""
    winner = result.winner
    return Skunk.NONE if winner is None else skunk_at(result.scores[1 - winner], game)


def winner_by(scores: Scores, game: GameRules) -> int | None:
    """Return the index of the winner by these scores, or None."""
    return scores.index(max(scores)) if max(scores) >= game.target else None


def game_points(lost: int, game: GameRules) -> int:
    """Return the winner's game points, from the loser's score."""
    return value_of_win(skunk_at(lost, game), game)


def rule_cards(written: tuple[int | None, int | None], qualifiers: Advantage, game: GameRules) -> Scores:
    """Settle the result from two score cards that may differ (3.29).

    None stands for a card without a spread.

    Equal cards count as written. A spread on one card only is taken. Else an apparent qualifier takes the value that is
    worse for it, and the other side keeps its own. What is not stated there is refused, and the organiser decides.

    >>> from cribboard import RULES
    >>> rule_cards((21, -16), Advantage.FIRST, RULES["acc"].game)
    (16, -16)
    >>> rule_cards((17, -16), Advantage.BOTH, RULES["acc"].game)
    (16, -17)
    """
    first, second = written
    for spread in written:
        if spread is not None and not 1 <= abs(spread) <= game.target:
            raise RefusedAction("spread_out_of_range", spread=spread, target=game.target)
    if first is None and second is None:
        raise RefusedAction("cards_silent")
    if first is None or second is None:
        taken = first if first is not None else -(second or 0)
        return taken, -taken
    if (first > 0) == (second > 0):
        raise RefusedAction("cards_disagree_on_winner")
    if first == -second:
        return first, second
    if qualifiers is Advantage.NEITHER:
        raise RefusedAction("no_qualifier")
    if skunk_at(game.target - abs(first), game) is not skunk_at(game.target - abs(second), game):
        raise RefusedAction("skunk_disagrees")
    return (
        min(first, -second) if qualifiers in (Advantage.FIRST, Advantage.BOTH) else first,
        min(second, -first) if qualifiers in (Advantage.SECOND, Advantage.BOTH) else second,
    )
