"""The rule that bars single points near the end.

FADOQ plays it from hole 116 on. The parameter `no_single_point_from` has the hole, and `single_point_rule` what counts
as a single point (rules reference, 3.1). Everything here is public: it depends on where the pegs stand.
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.event_terms import Occasion
from cribboard.position import ClaimWindow, Position
from cribboard.rules import GameRules, SinglePointRule


def applies_at(game: GameRules, front: int) -> bool:
    """Whether single points are barred at hole `front`."""
    if game.no_single_point_from is None or front < game.no_single_point_from:
        return False
    return game.single_point_rule is not SinglePointRule.OUT_ONLY or front == game.target - 1


def bars_single_point(p: Position, side: int, points: int) -> bool:
    """Whether the rule against single points forbids this move.

    A move to the game hole is never barred."""
    return points == 1 < p.left_to_go(side) and applies_at(p.rules.game, p.pegs[side].front)


def barred_points_of(rule: SinglePointRule, window: ClaimWindow, before: ClaimWindow | None) -> int:
    """Count the single points that `rule` bars in the window.

    They are the whole move if it is one point, or each combination worth one point. `before` is the claim window that
    is claimed just before. A go that fell due with a scoring card is one move with it.
    """
    if rule is SinglePointRule.COMPONENT:
        return count_single_points(rule, [award.points for award in window.awards])
    with_card = window.card_points and before is not None and before.occasion is Occasion.CARD
    return 0 if with_card else count_single_points(rule, [window.due])


def count_single_points(rule: SinglePointRule, move: Sequence[int]) -> int:
    """Count the single points in `move` that this rule forbids.

    A go and the last card are combinations, too. By `COMPONENT`, each combination worth one point counts; by the other
    rules, only a whole move worth one point.

    >>> count_single_points(SinglePointRule.COMPONENT, [2, 1]), count_single_points(SinglePointRule.MOVE, [2, 1])
    (1, 0)
    """
    if rule is SinglePointRule.COMPONENT:
        return sum(points for points in move if points == 1)
    return 1 if sum(move) == 1 else 0
