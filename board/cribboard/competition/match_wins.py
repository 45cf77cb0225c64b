"""Matches in a competition: how many wins a game gives, and when a match is won (rules reference, 3.31)."""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.rules import GameRules
from cribboard.skunk import Skunk, skunk_at


def wins_against(lost: int, game: GameRules, skunk_wins: int) -> int:
    """Return the number of wins that the winner of a game gets in a match if the loser has the score `lost`.

    >>> from cribboard import RULES
    >>> [wins_against(lost, RULES["acc"].game, skunk_wins=2) for lost in (91, 90)]
    [1, 2]
    """
    return 1 if skunk_at(lost, game) is Skunk.NONE else skunk_wins


def add_game(wins: Sequence[int], scores: Sequence[int], game: GameRules, skunk_wins: int) -> tuple[int, ...]:
    """Return each side's number of wins after one more finished game, which had these scores."""
    best = max(scores)
    counts = wins_against(min(scores), game, skunk_wins)
    return tuple(won + counts * (score == best) for won, score in zip(wins, scores, strict=False))


def match_winner(wins: Sequence[int], needed: int) -> int | None:
    """Return the index of the side that has won the match; None if it is undecided."""
    return next((side for side, won in enumerate(wins) if won >= needed), None)
