"""Measures how fast the game decides actions and applies events.

The games are played beforehand by the tests' players, who hold hands from a real pack and sometimes make mistakes. The
measurement repeats the same actions on the game alone. It counts processor time and takes the least of a few rounds.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence

from tests.support.players import Players

from cribboard import RULES, Game, Rules, Way
from cribboard.actions import Action
from cribboard.events import Acted
from cribboard.position import Position
from cribboard.referee import decide

GAMES = 50
GAMES_OF_EACH = 10
ROUNDS = 3
SLIPS = 0.05


def acts_of(rules: Rules, way: Way, seed: int) -> tuple[Action, ...]:
    """Return the acts of a whole game of good players."""
    game = Game.start(rules, way=way)
    Players(seed, slips=SLIPS).play(game)
    return tuple(event.action for event in game.log if isinstance(event, Acted))


def milliseconds(rules: Rules, way: Way, acts: Sequence[Action]) -> float:
    """Return the milliseconds to decide and apply these acts, from the start of a game to its end."""
    start = time.thread_time_ns()
    game = Game.start(rules, way=way)
    for act in acts:
        game.do(act)
    return (time.thread_time_ns() - start) / 1e6


def six_player_games() -> dict[str, float]:
    """Measure whole six-player games, the median and the slowest, for each way in which cards are read."""
    rules, found = RULES["six-player"], {"six_player_games": float(GAMES)}
    for way in (Way.AUTO, Way.VERIFY):
        games = [acts_of(rules, way, seed) for seed in range(GAMES)]
        costs = [min(milliseconds(rules, way, acts) for _ in range(ROUNDS)) for acts in games]
        found[f"six_player_game_{way}_median_ms"] = statistics.median(costs)
        found[f"six_player_game_{way}_worst_ms"] = max(costs)
    return found


def positions_of(rules: Rules, way: Way, acts: Sequence[Action]) -> Iterator[tuple[Position, Action]]:
    """Yield each act with the position before it."""
    game = Game.start(rules, way=way)
    for act in acts:
        yield game.position, act
        game.do(act)


def decide_milliseconds(position: Position, act: Action) -> float:
    costs = []
    for _ in range(ROUNDS):
        start = time.thread_time_ns()
        decide(position, act)
        costs.append(time.thread_time_ns() - start)
    return min(costs) / 1e6


def deciding() -> dict[str, float]:
    """Measure `decide` alone, over every act of games of every preset in every way."""
    costs = [
        decide_milliseconds(position, act)
        for rules in RULES.values()
        for way in Way
        for seed in range(GAMES_OF_EACH)
        for position, act in positions_of(rules, way, acts_of(rules, way, seed))
    ]
    p99 = statistics.quantiles(costs, n=100, method="inclusive")[98]
    return {"decide_median_ms": statistics.median(costs), "decide_p99_ms": p99}


PARTS = (six_player_games, deciding)
