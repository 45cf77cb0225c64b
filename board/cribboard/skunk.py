"""Wins with all losers below the skunk line (rules reference, 1.30).

Britannica calls a skunk a lurch. The values of `Skunk` stand in JSON outputs; none may change.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cribboard.rules import GameRules


class Skunk(StrEnum):
    """The kind of skunk in a game, if any."""

    NONE = "none"
    SKUNK = "skunk"
    DOUBLE = "double"


def skunk_at(score: int, game: GameRules) -> Skunk:
    """Return the skunk that the best loser's score means.

    >>> from cribboard import RULES
    >>> [str(skunk_at(score, RULES["acc"].game)) for score in (91, 90, 60)]
    ['none', 'skunk', 'double']
    """
    if game.double_skunk_line is not None and score < game.double_skunk_line:
        return Skunk.DOUBLE
    return Skunk.SKUNK if game.skunk_line is not None and score < game.skunk_line else Skunk.NONE


@dataclass(frozen=True, slots=True)
class LosingScores:
    """A range of losing scores with the same skunk."""

    most: int  # the highest of them
    skunk: Skunk


def losing_scores(game: GameRules) -> tuple[LosingScores, ...]:
    """List the ranges of losing scores, each with its skunk.

    >>> from cribboard import RULES
    >>> [(scores.most, str(scores.skunk)) for scores in losing_scores(RULES["acc"].game)]
    [(60, 'double'), (90, 'skunk'), (120, 'none')]
    """
    ends = (game.double_skunk_line, game.skunk_line, game.target)
    return tuple(LosingScores(end - 1, skunk_at(end - 1, game)) for end in ends if end is not None)


def value_of_win(skunk: Skunk, game: GameRules) -> int:
    """Return what a win with this skunk counts in a match."""
    return {Skunk.NONE: game.win_value, Skunk.SKUNK: game.skunk_value, Skunk.DOUBLE: game.double_skunk_value}[skunk]
