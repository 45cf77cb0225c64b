"""The game of cribbage and its rules.

Needs the standard library alone. Knows no boards, lights or readers, and reads no clock, file or random number.

>>> score = score_show(Card.parse_many("5H 5C 5S JD"), Card.parse("5D"), crib=False, rules=RULES["six-card"])
>>> score.total
29
>>> game = Game.start(RULES["six-card"], way="verify")
>>> len(game.expected()) > 0
True
"""

from cribboard.actions import IllegalAction
from cribboard.cards import PACK, Card, NotationError, Rank, Suit
from cribboard.game import Game
from cribboard.play import score_play
from cribboard.rules import RULES, Rules, Way
from cribboard.scoring import Combination, Kind, Score, score_show, show_points

__all__ = [
    "PACK",
    "RULES",
    "Card",
    "Combination",
    "Game",
    "IllegalAction",
    "Kind",
    "NotationError",
    "Rank",
    "Rules",
    "Score",
    "Suit",
    "Way",
    "score_play",
    "score_show",
    "show_points",
]
