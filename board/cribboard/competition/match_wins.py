"""The wins that decide a match (rules reference, 3.31)."""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.rules import GameRules
from cribboard.skunk import Skunk, skunk_at


def wins_against(lost: int, game: GameRules, skunk_wins: int) -> int:
    """Return the winner's wins for a game, from the loser's score.

    >>> from cribboard import RULES
    >>> [wins_against(lost, RULES["acc"].game, skunk_wins=2) for lost in (91, 90)]
    [1, 2]
    """
    return 1 if skunk_at(lost, game) is Skunk.NONE else skunk_wins


def add_game(wins: Sequence[int], scores: Sequence[int], game: GameRules, skunk_wins: int) -> tuple[int, ...]:
    """Return each side's wins after a game with these scores."""
    best = max(scores)
    counts = wins_against(min(scores), game, skunk_wins)
    return tuple(won + counts * (score == best) for won, score in zip(wins, scores, strict=False))


def match_winner(wins: Sequence[int], needed: int) -> int | None:
    """Return the index of the match winner, or None."""
    return next((side for side, won in enumerate(wins) if won >= needed), None)
