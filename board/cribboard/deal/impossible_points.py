"""The board's question about an impossible number, such as nineteen.

It depends only on what everybody at the table can see (design law 9). Rules reference, 7.1 and A16.
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard import possible_counts
from cribboard.deal.press_kind import counts_next
from cribboard.event_terms import Doubt, Occasion
from cribboard.position import Position
from cribboard.possible_counts import NINETEEN


def doubt_about(position: Position, side: int, points: int) -> Doubt:
    """Return the board's question about a claim of `points`.

    At the game hole the board does not ask about an impossible number, because the hand may be worth more."""
    return doubts_about(position, side, (points,))[0]


def doubts_about(position: Position, side: int, holes: Sequence[int]) -> list[Doubt]:
    """Return, for each hole, what the board asks about a peg there.

    `holes` are numbers of points ahead of the front peg."""
    size, his_nobs = _hand_size(position, side), position.rules.deal_and_play.his_nobs
    most, impossible = possible_counts.most(size, his_nobs), possible_counts.impossible(size, his_nobs)
    impossible -= {position.left_to_go(side)}

    def doubt(points: int) -> Doubt:
        if points == NINETEEN and points in impossible:
            return Doubt.NINETEEN
        return Doubt.FAR if points > most or points in impossible else Doubt.NONE

    return [doubt(points) for points in holes]


def highest_count(position: Position, side: int) -> int:
    """Return the highest number that the side's hand can be worth.

    The board asks about any peg farther ahead."""
    return possible_counts.most(_hand_size(position, side), position.rules.deal_and_play.his_nobs)


def _hand_size(p: Position, side: int) -> int:
    """Return the size of the hand that this side counts.

    It is 3 only in five-card cribbage, where a crib has 4 cards."""
    if p.counting is None or p.rules.deal_and_play.hand_size != 3:
        return 4
    seat, occasion = p.counting
    return 3 if counts_next(p, side) or (occasion is Occasion.HAND and p.rules.side_of(seat) == side) else 4
