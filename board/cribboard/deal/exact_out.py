"""Exact out: a side must reach the game hole exactly (rules reference, 3.18).

A score beyond the game hole moves no peg. The end of a count is then a claim of its own, and on auto the board calls
each score by itself: a side may reach the game hole by one of them.
"""

from __future__ import annotations

from cribboard.rules import GameRules, Option


def is_required(game: GameRules) -> bool:
    """Whether a side must reach the game hole exactly."""
    return game.exact_out is Option.ON
