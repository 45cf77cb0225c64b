"""Convert figures to JSON values.

A figure that is not known is left out or null, never 0.
"""

from __future__ import annotations

from typing import Any

from cribboard.figures import PAR, PAR_SOURCE, Averages, BestHand, DealPart, GameKind, Mean, Player, Role, Statistics


def as_values(statistics: Statistics) -> dict[str, Any]:
    """Convert all figures to a JSON object.

    It has `players`, most games won first, and the source of the `par`."""
    return {"players": [_player(player) for player in statistics.ranked()], "par": PAR_SOURCE}


def _player(player: Player) -> dict[str, Any]:
    deals = sorted(player.averages, key=lambda deals: (not deals[0].par, *deals[:2]))
    return {
        "name": player.name,
        "side": player.side,
        "games": player.games,
        "won": player.won,
        "skunks": {"given": player.skunked, "taken": player.skunks_taken},
        "doubles": {"given": player.doubled, "taken": player.doubles_taken},
        "left": None if player.left.average is None else _mean(player.left) | {"mugged": player.mugged},
        "hands": {"counted": player.hands, "big": player.big, "perfect": player.perfect} if player.hands else None,
        "deals": [
            {"players": kind.players, "cards": kind.cards, "par": kind.par, "role": role, "parts": parts}
            for kind, role, averages in deals
            if (parts := _parts(kind, role, averages))
        ],
        "best": [_hand(hand) for hand in player.best],
    }


def _parts(kind: GameKind, role: Role, averages: Averages) -> list[dict[str, Any]]:
    """List the known averages, one for each part of a deal.

    An average has its published par if there is one."""
    par = PAR[role] if kind.par else {}
    means = ((part, getattr(averages, part)) for part in DealPart)
    return [{"part": part, **_mean(mean), "par": par.get(part)} for part, mean in means if mean.times]


def _mean(mean: Mean) -> dict[str, Any]:
    return {"times": mean.times, "points": mean.points, "average": mean.average}


def _hand(hand: BestHand) -> dict[str, Any]:
    return {
        "points": hand.points,
        "cards": [str(card) for card in hand.cards],
        "starter": str(hand.starter),
        "of": "crib" if hand.crib else "hand",
        "date": hand.date,
    }
