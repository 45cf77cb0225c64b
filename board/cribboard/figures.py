"""The figures of a player: what many games come to, as sums that can be added up in any order.

What a game cannot know is no figure of it: it is never counted as nought. `docs/statistics.md` says of every figure
what it means, and whose the par is. This module knows neither events nor positions; `cribboard.statistics` makes the
figures of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum

from cribboard.cards import Card
from cribboard.rules import RULES, Rules

#: So many of a player's best hands are kept.
BEST = 3
#: What players call a big hand, and the biggest there is.
BIG, PERFECT = 20, 29


class Part(StrEnum):
    """What a deal is made of, and the whole of it."""

    PLAY = "play"
    HAND = "hand"
    CRIB = "crib"
    DEAL = "deal"


class Role(StrEnum):
    """Whether the side deals, and so has the crib."""

    PONE = "pone"
    DEALER = "dealer"


@dataclass(frozen=True, slots=True)
class Mean:
    """So many `points` in so many `times`."""

    times: int = 0
    points: int = 0

    def __add__(self, other: Mean) -> Mean:
        return Mean(self.times + other.times, self.points + other.points)

    @property
    def average(self) -> float | None:
        """Points each time; None where there was none."""
        return self.points / self.times if self.times else None


@dataclass(frozen=True, slots=True)
class Averages:
    """What a player made in the deals of one role: the `play` with his heels, each `hand`, each `crib`, and what the
    whole `deal` moved the peg."""

    play: Mean = Mean()
    hand: Mean = Mean()
    crib: Mean = Mean()
    deal: Mean = Mean()

    def __add__(self, other: Averages) -> Averages:
        return Averages(*(getattr(self, part) + getattr(other, part) for part in Part))


@dataclass(frozen=True, slots=True, order=True)
class Kind:
    """Games whose deals can be compared: so many `players` with so many `cards` each. `par` says whether there are
    published averages of such a deal; house rules that count otherwise have none."""

    players: int
    cards: int
    par: bool


#: What a deal of two-handed six-card cribbage comes to on the average, by John Chambers: "Average scoring", tip 6 of
#: the American Cribbage Congress, from his "Cribbage: A New Concept" (2002).
PAR: dict[Role, dict[Part, float]] = {
    Role.PONE: {Part.PLAY: 2.0, Part.HAND: 8.1, Part.DEAL: 10.1},
    Role.DEALER: {Part.PLAY: 3.5, Part.HAND: 8.0, Part.CRIB: 4.7, Part.DEAL: 16.2},
}
PAR_SOURCE = "http://www.cribbage.org/NewSite/tips/chambers6.asp"

#: What these say changes no average.
_BESIDE_THE_COUNT = ("six_player_deal", "first_deal", "cut_tie", "cutter", "exposed_cut", "heels_timing")


def kind_of(rules: Rules) -> Kind:
    """What games under these rules can be compared with."""
    dealing, ordinary = rules.deal_and_play, RULES["six-card"].deal_and_play
    counted = (each.name for each in fields(dealing) if each.name not in _BESIDE_THE_COUNT)
    par = all(getattr(dealing, name) == getattr(ordinary, name) for name in counted)
    return Kind(dealing.players, dealing.cards_dealt, par)


@dataclass(frozen=True, slots=True)
class BestHand:
    """A hand or crib with its starter, and what it is worth. `date` is that of its record."""

    points: int
    cards: tuple[Card, ...]
    starter: Card
    crib: bool
    date: str

    @property
    def rank(self) -> tuple[object, ...]:
        """The best comes last, and of equals the latest."""
        return self.points, self.date, self.crib, self.cards, self.starter


@dataclass(frozen=True, slots=True)
class Player:
    """The figures of a player, or of a side of the board that had no name (`side` is its number then).

    `games` came to their end; of these so many were `won`, and so many times the player `skunked` or was skunked
    (`taken`), doubly too. `hands` are all that were counted, cribs too, and of these `big` of twenty or more and
    `perfect` of 29. `left` are points that were made and not claimed, in the deals where a call is compared with the
    cards, and `mugged` those of them that the other side took.
    """

    name: str = ""
    side: int | None = None
    since: str = ""
    games: int = 0
    won: int = 0
    skunked: int = 0
    doubled: int = 0
    skunks_taken: int = 0
    doubles_taken: int = 0
    hands: int = 0
    big: int = 0
    perfect: int = 0
    left: Mean = Mean()
    mugged: int = 0
    averages: tuple[tuple[Kind, Role, Averages], ...] = ()
    best: tuple[BestHand, ...] = ()

    @property
    def key(self) -> tuple[str, int]:
        """Who this is: a name however it is written, or a side of the board."""
        return self.name.casefold(), -1 if self.side is None else self.side

    def __add__(self, other: Player) -> Player:
        later = max(self, other, key=lambda each: (each.since, each.name))
        sums = {
            each.name: getattr(self, each.name) + getattr(other, each.name)
            for each in fields(self)
            if each.name not in ("name", "side", "since", "averages", "best")
        }
        best = tuple(sorted({*self.best, *other.best}, key=lambda hand: hand.rank, reverse=True)[:BEST])
        return replace(later, **sums, averages=_summed((*self.averages, *other.averages)), best=best)


_Averages = tuple[tuple[Kind, Role, Averages], ...]


def _summed(averages: _Averages) -> _Averages:
    """Each kind and role once, in order."""
    sums: dict[tuple[Kind, Role], Averages] = {}
    for kind, role, made in averages:
        sums[kind, role] = sums.get((kind, role), Averages()) + made
    return tuple((*of, sums[of]) for of in sorted(sums))


@dataclass(frozen=True, slots=True)
class Statistics:
    """The figures of everybody, by who it is; nothing but sums, so that games may be added in any order.

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
        """Who has won most first; the sides of the board that had no name come last."""
        return tuple(sorted(self.players.values(), key=lambda each: (each.side is not None, -each.won, each.key)))
