"""Choose cards to discard and to lay, and judge discards.

Knows only what the player in a seat knows, and takes a random generator. `best_discards` and `judge_discard` are about
the discard, `ranked_cards` about a card of the play; `RobotLevel` with `choose_discard` and `choose_card` is a player.
"""

from cribboard.strategy.cards_to_lay import Act, PlayerView, ranked_cards
from cribboard.strategy.discards import Discard, best_discards, judge_discard
from cribboard.strategy.robot_levels import RobotLevel, choose_card, choose_discard

__all__ = [
    "Act",
    "Discard",
    "PlayerView",
    "RobotLevel",
    "best_discards",
    "choose_card",
    "choose_discard",
    "judge_discard",
    "ranked_cards",
]
