"""Figures as plain values: what a page fetches and what `cribboard statistics --json` prints.

What is not known is left out, or null where one looks for it; it is never 0. Never holds a game.
"""

from __future__ import annotations

from typing import Any

from cribboard.figures import PAR, PAR_SOURCE, Averages, BestHand, Kind, Mean, Part, Player, Role, Statistics


def as_values(statistics: Statistics) -> dict[str, Any]:
    """The figures of everybody, who has won most first, and whose the par is."""
    return {"players": [_player(player) for player in statistics.ranked()], "par": PAR_SOURCE}


def _player(player: Player) -> dict[str, Any]:
    return {
        "name": player.name,
        "side": player.side,
        "games": player.games,
        "won": player.won,
        "skunks": {"given": player.skunked, "taken": player.skunks_taken},
        "doubles": {"given": player.doubled, "taken": player.doubles_taken},
        "left": None if player.left.average is None else _mean(player.left) | {"mugged": player.mugged},
        "hands": {"counted": player.hands, "big": player.big, "perfect": player.perfect} if player.hands else None,
        "deals": [_deals(*each) for each in sorted(player.averages, key=_par_first) if _parts(*each)],
        "best": [_hand(hand) for hand in player.best],
    }


def _par_first(each: tuple[Kind, Role, Averages]) -> tuple[bool, Kind, Role]:
    kind, role, _ = each
    return not kind.par, kind, role


def _deals(kind: Kind, role: Role, averages: Averages) -> dict[str, Any]:
    return {
        "players": kind.players,
        "cards": kind.cards,
        "par": kind.par,
        "role": role,
        "parts": _parts(kind, role, averages),
    }


def _parts(kind: Kind, role: Role, averages: Averages) -> list[dict[str, Any]]:
    """Each part of these deals that is known, with its par where there is one."""
    par = PAR[role] if kind.par else {}
    means = ((part, getattr(averages, part)) for part in Part)
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
