"""Whole games of robots at all seats, with cards alone and no board."""

from __future__ import annotations

from random import Random

from cribboard import Game
from cribboard.cards import PACK
from cribboard.position import Phase
from cribboard.rules import Rules, Way
from cribboard.strategy import RobotLevel
from cribd.robots.deal import Deal
from cribd.robots.mistakes_and_habits import Habits
from cribd.robots.next_action import BesideBoard, Robots

#: Acts that no game of robots needs.
_MOST = 4000


def play_alone(
    rules: Rules, way: Way, *, seed: int, wrong: float = 0, hasty: float = 0, level: RobotLevel | None = None
) -> Game:
    """A game to its end, of robots with habits. AssertionError if nobody has anything to do."""
    rng, game = Random(seed), Game.start(rules, way=way, dealer=seed % len(rules.seats))
    habits = Habits(Random(seed), wrong=wrong, hasty=hasty)
    robots = Robots(rules, dict.fromkeys(rules.seats, level), str(seed), habits)
    number, deal = 0, None
    for _ in range(_MOST):
        p = game.position
        if p.phase is Phase.OVER:
            return game
        if deal is None or p.deal != number:
            habits.begin_deal()
            number, deal = p.deal, robots.deal_with_discards(Deal.at(p, rng.sample(PACK, len(PACK))), p, p.deal)
        action = robots.next_action(p, game.log, deal)
        assert action is not None, f"nobody has anything to do: {p.last}"
        if isinstance(action, BesideBoard):
            deal = deal.with_act(action.act)
        else:
            game.do(action)
    raise AssertionError(f"the game does not end: {game.position.last}")
