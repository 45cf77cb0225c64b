"""Computes the points that a good player calls.

It knows no card and no board. Some rules bar a single point near the end, or a score that would pass the game hole
(rules reference, 3.1 and 3.18): such points are not called.
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.deal import exact_out, rule_of_116
from cribboard.rules import Rules

#: Points that are scored together, each of its own source: a fifteen, a run, his nobs.
Move = tuple[int, ...]
Moves = tuple[Move, ...]


def called_points(rules: Rules, at: int, moves: Sequence[Move]) -> int:
    """Return the points that a side may call for `moves`.

    The side is at hole `at`. Points scored together are one move.
    >>> from cribboard import RULES
    >>> called_points(RULES["fadoq"], 115, [(1,), (1,), (2, 1)])
    4
    """
    called, game = 0, rules.game
    for move in moves:
        front = min(at + called, game.target)
        if exact_out.is_required(game) and sum(move) > game.target - front:
            continue
        called += sum(move)
        if rule_of_116.applies_at(game, front):
            called -= rule_of_116.count_single_points(game.single_point_rule, move)
    return called
