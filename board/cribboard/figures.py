"""The statistics of a player over many games.

Games can be added in any order. What a game cannot know is left out, never counted as 0. `docs/statistics.md` explains
each figure and names the source of the par. `cribboard.statistics` makes the statistics of one game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum

from cribboard.cards import Card
from cribboard.rules import RULES, Rules

#: How many of a player's best hands are kept.
BEST = 3
#: The points from which players call a hand big, and the points of the highest hand.
BIG, PERFECT = 20, 29


class DealPart(StrEnum):
    """A part of a deal that has its own average."""

    PLAY = "play"
    HAND = "hand"
    CRIB = "crib"
    DEAL = "deal"


class Role(StrEnum):
    """The role of a side in a deal."""

    PONE = "pone"
    DEALER = "dealer"


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean, stored as the sum and number of values."""

    times: int = 0
    points: int = 0  # the sum

    def __add__(self, other: Mean) -> Mean:
        return Mean(self.times + other.times, self.points + other.points)

    @property
    def average(self) -> float | None:
        """The mean in points; None if there are no values."""
        return self.points / self.times if self.times else None


@dataclass(frozen=True, slots=True)
class Averages:
    """The averages of one player in one role."""

    play: Mean = Mean()  # with his heels
    hand: Mean = Mean()
    crib: Mean = Mean()
    deal: Mean = Mean()  # holes gained in the whole deal

    def __add__(self, other: Averages) -> Averages:
        return Averages(*(getattr(self, part) + getattr(other, part) for part in DealPart))


@dataclass(frozen=True, slots=True, order=True)
class GameKind:
    """A kind of game, within which deals can be compared."""

    players: int
    cards: int  # dealt to each
    par: bool  # there are published averages of such a deal; house rules that count otherwise have none


#: Average points of a deal of two-handed six-card cribbage, by John Chambers: "Average scoring", tip 6 of the American
#: Cribbage Congress, from his "Cribbage: A New Concept" (2002).
PAR: dict[Role, dict[DealPart, float]] = {
    Role.PONE: {DealPart.PLAY: 2.0, DealPart.HAND: 8.1, DealPart.DEAL: 10.1},
    Role.DEALER: {DealPart.PLAY: 3.5, DealPart.HAND: 8.0, DealPart.CRIB: 4.7, DealPart.DEAL: 16.2},
}
PAR_SOURCE = "http://www.cribbage.org/NewSite/tips/chambers6.asp"

#: Parameters that change no average.
_BESIDE_THE_COUNT = ("six_player_deal", "first_deal", "cut_tie", "cutter", "exposed_cut", "heels_timing")


def game_kind(rules: Rules) -> GameKind:
    """Return the kind of a game under these rules."""
    dealing, ordinary = rules.deal_and_play, RULES["six-card"].deal_and_play
    counted = (item.name for item in fields(dealing) if item.name not in _BESIDE_THE_COUNT)
    par = all(getattr(dealing, name) == getattr(ordinary, name) for name in counted)
    return GameKind(dealing.players, dealing.cards_dealt, par)


@dataclass(frozen=True, slots=True, order=True)
class BestHand:
    """A hand or crib that may be a player's best.

    In a comparison, the one with more points is greater. Of two with equal points, the later one is greater."""

    points: int
    date: str  # of its record
    crib: bool
    cards: tuple[Card, ...]
    starter: Card


@dataclass(frozen=True, slots=True)
class Player:
    """The statistics of a player, or of an unnamed side."""

    name: str = ""
    side: int | None = None  # of the board, if there is no name
    since: str = ""  # the date of the latest game
    games: int = 0  # played to the end
    won: int = 0
    skunked: int = 0  # skunks given
    doubled: int = 0  # double skunks given; they are skunks too
    skunks_taken: int = 0
    doubles_taken: int = 0
    hands: int = 0  # hands and cribs counted
    big: int = 0  # of these, 20 points or more
    perfect: int = 0  # of these, 29 points
    left: Mean = Mean()  # points made and not claimed, by deals in which calls were compared with the cards
    mugged: int = 0  # of these, points that the other side took
    averages: tuple[tuple[GameKind, Role, Averages], ...] = ()
    best: tuple[BestHand, ...] = ()

    @property
    def key(self) -> tuple[str, int]:
        """The name in lower case, and the side's number or -1."""
        return self.name.casefold(), -1 if self.side is None else self.side

    def __add__(self, other: Player) -> Player:
        later = max(self, other, key=lambda item: (item.since, item.name))
        sums = {
            item.name: getattr(self, item.name) + getattr(other, item.name)
            for item in fields(self)
            if item.name not in ("name", "side", "since", "averages", "best")
        }
        best = tuple(sorted({*self.best, *other.best}, reverse=True)[:BEST])
        averages: dict[tuple[GameKind, Role], Averages] = {}
        for kind, role, added in (*self.averages, *other.averages):
            averages[kind, role] = averages.get((kind, role), Averages()) + added
        return replace(later, **sums, averages=tuple((*of, averages[of]) for of in sorted(averages)), best=best)


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of all players, by `Player.key`.

    >>> Statistics() + Statistics() == Statistics()
    True
    """

    players: Mapping[tuple[str, int], Player] = field(default_factory=dict)

    def __add__(self, other: Statistics) -> Statistics:
        players = dict(self.players)
        for key, player in other.players.items():
            players[key] = players[key] + player if key in players else player
        return Statistics(players)

    def ranked(self) -> tuple[Player, ...]:
        """List the players, most games won first; unnamed sides come last."""
        return tuple(sorted(self.players.values(), key=lambda item: (item.side is not None, -item.won, item.key)))
