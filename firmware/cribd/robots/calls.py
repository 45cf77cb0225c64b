"""The points that a good player calls: those that were made and that the rules let the side take.

It knows no card and no board. Some rules bar a single point near the end, or a score that would pass the game hole
(rules reference, 3.1 and 3.18): such points are not called.
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.rules import GameRules, Option, Rules, SinglePointRule

#: Points that are scored together, each of its own source: a fifteen, a run, his nobs.
Move = tuple[int, ...]
Moves = tuple[Move, ...]


def worth(rules: Rules, at: int, moves: Sequence[Move]) -> int:
    """The points that a side at this score may call for these moves, one after the other.

    >>> from cribboard import RULES
    >>> worth(RULES["fadoq"], 115, [(1,), (1,), (2, 1)])
    4
    """
    called = 0
    for move in moves:
        called += _worth(rules.game, min(at + called, rules.game.target), move)
    return called


def _worth(game: GameRules, at: int, move: Move) -> int:
    made, left = sum(move), game.target - at
    if game.exact_out is Option.ON and made > left:
        return 0
    if game.no_single_point_from is None or at < game.no_single_point_from:
        return made
    match game.single_point_rule:
        case SinglePointRule.COMPONENT:
            return sum(points for points in move if points != 1)
        case SinglePointRule.OUT_ONLY:
            return 0 if made == 1 == left else made
        case SinglePointRule.MOVE:
            return 0 if made == 1 else made
