"""`python -m tools.discards`: makes the tables of `cribboard.strategy.tables_data`, and writes the module.

The tables are the fixed point of all players' best discards over all hands. A player keeps the cards with the greatest
sum of the hand's mean over all starters and the crib's, which is added if the crib is his side's and else subtracted.
The mean of the crib follows from what the others discard, and that from their tables. `improved` goes once around:
from tables to discards, from discards to tables. The beginning is a crib that is filled at random. Where two discards
of a hand are worth the same to a hundredth, the answer to each makes the other better, so each time around counts less
than the one before, and the end is where no entry moves by more than `SETTLED`.

Cards count by rank: 18,395 multisets of six cards stand for 20,358,520 hands. His nobs counts with the chance that the
starter's suit fits, and a crib of five different ranks is a flush once in 256 times. Flushes in hand are left out.
The others are dealt every hand that the player's own cards
leave possible.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, reduce
from math import comb
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from cribboard.cards import PACK, Card, Rank, Suit
from cribboard.rules import CRIB_SIZE, RULES
from cribboard.scoring import show_points
from cribboard.strategy.cards_to_lay import go_on
from cribboard.strategy.near_end import NEAR, both
from cribboard.strategy.pegging import Play
from cribboard.strategy.ranks import OF_A_RANK, Ranks, left_in_pack, multisets, ranks_of, splits, ways, with_starters

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Points that no entry of the tables moves by at the fixed point.
SETTLED = 0.02
#: Times around; where some discards of one card stay nearly equal, the mean of the last ones is taken.
_MOST_TIMES = 30
#: Hands that are compared with all hands at once: memory is bounded.
_BLOCK = 500

FILE = Path(__file__).parents[1] / "board" / "cribboard" / "strategy" / "tables_data.py"


class Giver(Enum):
    """Who gives other cards of a crib."""

    OWNER = auto()  # a seat of the side that counts the crib
    OTHER = auto()  # a seat of another side
    PACK = auto()  # the pack, one card


@dataclass(frozen=True, slots=True)
class Deal:
    """How many cards a seat gets and discards, and who gives the rest of the crib.

    `to_own`, `to_theirs`: the givers of all other cards, for a player whose side counts the crib and for one of
    another side.
    """

    cards_dealt: int
    discards: int
    to_own: tuple[Giver, ...]
    to_theirs: tuple[Giver, ...]

    @property
    def kept(self) -> int:
        """Cards that a seat keeps."""
        return self.cards_dealt - self.discards


_OWNER, _OTHER, _PACK = Giver

DEALS: Mapping[str, Deal] = {
    "SIX_CARD": Deal(6, 2, to_own=(_OTHER,), to_theirs=(_OWNER,)),
    "FIVE_CARD": Deal(5, 2, to_own=(_OTHER,), to_theirs=(_OWNER,)),
    "THREE_PLAYER": Deal(5, 1, to_own=(_OTHER, _OTHER, _PACK), to_theirs=(_OWNER, _OTHER, _PACK)),
    "PARTNERS": Deal(5, 1, to_own=(_OWNER, _OTHER, _OTHER), to_theirs=(_OWNER, _OWNER, _OTHER)),
    "SIX_PLAYER": Deal(5, 1, to_own=(_OTHER, _OTHER, _OTHER), to_theirs=(_OWNER, _OTHER, _OTHER)),
}
"""The deals of the presets. Of six seats the dealer and another give none."""


class Tables(NamedTuple):
    """What a player knows of one deal.

    `own`, `theirs`: the mean points of the crib by the ranks that he gives to it, in the order of `multisets`: over the
    hands where this discard is best, or where it never is over all hands that could make it.
    `kept_own`, `kept_theirs`: of the hands that hold these ranks, the share that keeps them, 0 to 1.
    """

    own: Floats
    theirs: Floats
    kept_own: Floats
    kept_theirs: Floats


def fixed_point(deal: Deal, progress: Callable[[int, float], None] = lambda *_: None) -> Tables:
    """The tables that no longer change. `progress` is told after each time around: its number, and the greatest change
    in points."""
    hands = all_hands(deal.cards_dealt, deal.discards)
    tables = _at_random(deal, hands)
    for number in range(1, _MOST_TIMES + 1):
        better = improved(tables, deal)
        change = moved(tables, better)
        progress(number, change)
        if change <= SETTLED:
            return better
        share = _SHARES[min(number, len(_SHARES)) - 1]
        tables = Tables(*(old + share * (new - old) for old, new in zip(tables, better, strict=True)))
    return tables


#: How much of each time around is taken over.
_SHARES = (1.0, 1.0, 0.7, 0.6, 0.5, 0.5, 0.5, 0.5, 0.3, 0.3, 0.3, 0.2, 0.2, 0.2, 0.1, 0.1, 0.1, 0.07, 0.05)


def moved(before: Tables, after: Tables) -> float:
    """The greatest change of a crib's mean, in points."""
    return max(float(np.abs(after.own - before.own).max()), float(np.abs(after.theirs - before.theirs).max()))


def improved(tables: Tables, deal: Deal) -> Tables:
    """The tables against players who discard by these."""
    hands = all_hands(deal.cards_dealt, deal.discards)
    best_own, best_theirs = hands.best(tables.own), hands.best(-tables.theirs)
    of_owner, of_other = hands.discards_of_others((best_own, best_theirs))
    given = {_OWNER: of_owner, _OTHER: of_other, _PACK: hands.cards_of_pack()}
    return Tables(
        own=_crib_means(deal, hands, hands.discard[best_own], [given[giver] for giver in deal.to_own]),
        theirs=_crib_means(deal, hands, hands.discard[best_theirs], [given[giver] for giver in deal.to_theirs]),
        kept_own=hands.kept_shares(best_own),
        kept_theirs=hands.kept_shares(best_theirs),
    )


def _at_random(deal: Deal, hands: Hands) -> Tables:
    """Where the search begins: the other cards of the crib come from the pack."""
    nobody = np.full(len(hands.counts), -1)
    others = [hands.cards_of_pack()] * (CRIB_SIZE - deal.discards)
    means = _crib_means(deal, hands, nobody, others)
    kept = np.ones(len(multisets(deal.kept)))
    return Tables(means, means, kept, kept)


# Hands


@dataclass(frozen=True, slots=True)
class Hands:
    """All hands by ranks, and all choices of all hands in one row: those of hand `n` begin at `first[n]`."""

    counts: Ints  # cards of each rank, for each hand
    hands: Floats  # how many hands have these ranks
    first: Ints  # of each hand
    hand: Ints  # the hand, for each choice
    discard: Ints  # what is discarded, as an index of `multisets`
    keep: Ints  # what is kept, as an index of `multisets`
    mean: Floats  # the points of what is kept, over all starters
    of_discards: Ints  # how many discards there are
    of_kept: Ints

    def best(self, crib: Floats) -> Ints:
        """The best choice of each hand, if a discard adds so much."""
        worth = self.mean + crib[self.discard]
        most = np.maximum.reduceat(worth, self.first)
        best = np.flatnonzero(worth >= most[self.hand])
        return best[np.unique(self.hand[best], return_index=True)[1]]

    def kept_shares(self, best: Ints) -> Floats:
        """Of the hands that hold these ranks, the share that keeps them."""
        holding = np.bincount(self.keep, self.hands[self.hand], len(self.of_kept))
        keeping = np.bincount(self.keep[best], self.hands, len(self.of_kept))
        return keeping / holding

    def discards_of_others(self, best: Sequence[Ints]) -> list[Floats]:
        """How likely another seat discards what, for each hand of one's own; for each of these ways to choose."""
        found = [np.zeros((len(self.counts), len(self.of_discards))) for _ in best]
        orders = [np.argsort(self.discard[each], kind="stable") for each in best]
        begins = [
            np.unique(self.discard[each][order], return_index=True) for each, order in zip(best, orders, strict=True)
        ]
        drawn = _one_hot(self.counts)
        for start in range(0, len(self.counts), _BLOCK):
            block = slice(start, start + _BLOCK)
            possible = np.exp(_logs_of_ways(OF_A_RANK - self.counts[block]) @ drawn.T)
            for shares, order, (which, begin) in zip(found, orders, begins, strict=True):
                shares[block, which] = np.add.reduceat(possible[:, order], begin, axis=1)
                shares[block] /= shares[block].sum(axis=1, keepdims=True)
        return found

    def cards_of_pack(self) -> Floats:
        """How likely a card of the pack is of each rank, for each hand."""
        left = OF_A_RANK - self.counts
        return np.asarray(left / left.sum(axis=1, keepdims=True))


@cache
def all_hands(cards_dealt: int, discards: int) -> Hands:
    """All hands of a deal."""
    index_of_discard = {ranks: index for index, ranks in enumerate(multisets(discards))}
    index_of_kept = {ranks: index for index, ranks in enumerate(multisets(cards_dealt - discards))}
    pack = left_in_pack(())
    dealt = multisets(cards_dealt)
    first: list[int] = []
    hand: list[int] = []
    discard: list[int] = []
    keep: list[int] = []
    points = np.array([with_starters(kept)[1:] for kept in index_of_kept], dtype=float)
    jacks = np.array([kept.count(Rank.JACK) for kept in index_of_kept])
    counts = _counts(dealt)
    for number, ranks in enumerate(dealt):
        first.append(len(hand))
        for taken, kept in splits(ranks, discards).items():
            hand.append(number)
            discard.append(index_of_discard[taken])
            keep.append(index_of_kept[kept])
    left = (OF_A_RANK - counts)[hand]
    mean = (left * points[keep]).sum(axis=1) / (len(PACK) - cards_dealt)
    mean += jacks[keep] * _nobs(counts[hand, Rank.JACK - 1], cards_dealt)
    return Hands(
        counts,
        np.array([ways(ranks, pack) for ranks in dealt], dtype=float),
        np.array(first),
        np.array(hand),
        np.array(discard),
        np.array(keep),
        mean,
        np.arange(len(index_of_discard)),
        np.arange(len(index_of_kept)),
    )


def _counts(ranks: Sequence[Ranks]) -> Ints:
    return np.array([[each.count(rank) for rank in Rank] for each in ranks])


def _one_hot(counts: Ints) -> Floats:
    return np.asarray((counts[:, :, None] == np.arange(OF_A_RANK + 1)).reshape(len(counts), -1), dtype=float)


def _logs_of_ways(left: Ints) -> Floats:
    """The logarithm of the ways to draw 0 to 4 cards of each rank, where so many are left."""
    logs = [[np.log(comb(n, k)) if k <= n else -1000.0 for k in range(OF_A_RANK + 1)] for n in range(OF_A_RANK + 1)]
    return np.array(logs)[left].reshape(len(left), -1)


def _nobs(jacks: Ints | int, known: int) -> Floats:
    """The chance that a jack has the starter's suit: each other known card is of its suit with 1 in 4, a jack never."""
    of_suit = len(Rank) - 1 - (known - np.asarray(jacks)) / len(Suit)
    return np.asarray(of_suit / (len(PACK) - known))


# Cribs


def _crib_means(deal: Deal, hands: Hands, discarded: Ints, given: Sequence[Floats]) -> Floats:
    """The mean of the crib for each discard, over the hands that make it, or could if none does."""
    means = []
    for index, ranks in enumerate(multisets(deal.discards)):
        making = np.flatnonzero(discarded == index)
        if not len(making):
            making = np.unique(hands.hand[hands.discard == index])
        means.append(np.average(_crib_mean(hands, making, ranks, given), weights=hands.hands[making]))
    return np.array(means)


def _crib_mean(hands: Hands, making: Ints, discarded: Ranks, given: Sequence[Floats]) -> Floats:
    """The mean of the crib for each of these hands."""
    known = hands.counts[making]
    rest = _rest(CRIB_SIZE - len(discarded), len(given))
    shares = reduce(_joined, [each[making] for each in given])
    shares = shares * np.all(known[:, None, :] + rest.counts <= OF_A_RANK, axis=2) if len(given) > 1 else shares
    shares = shares / shares.sum(axis=1, keepdims=True)
    points = rest.points(discarded)
    left = np.maximum(OF_A_RANK - rest.counts, 0)
    total = shares @ (left * points).sum(axis=1) - ((shares @ points) * known).sum(axis=1)
    seen = int(known[0].sum()) + rest.size
    jacks = shares @ rest.counts[:, Rank.JACK - 1] + discarded.count(Rank.JACK)
    return np.asarray(total / (len(PACK) - seen) + jacks * _nobs(1, seen))


def _joined(before: Floats, more: Floats) -> Floats:
    return np.asarray((before[:, :, None] * more[:, None, :]).reshape(len(before), -1))


#: What a flush adds to a crib of five different ranks, whose suits are independent of each other: 5 points.
_FLUSH = (CRIB_SIZE + 1) * len(Suit) ** -CRIB_SIZE


@dataclass(frozen=True, slots=True)
class _Rest:
    """What the others can give, in the order in which `_joined` has it."""

    size: int
    ranks: tuple[Ranks, ...]
    counts: Ints

    def points(self, discarded: Ranks) -> Floats:
        """The points with these cards, by the rank of the starter."""
        crib = [tuple(sorted(discarded + rest)) for rest in self.ranks]
        points = np.array([with_starters(ranks)[1:] for ranks in crib], dtype=float)
        different = [[len({*ranks, starter}) == CRIB_SIZE + 1 for starter in Rank] for ranks in crib]
        return np.asarray(points + _FLUSH * np.array(different))


@cache
def _rest(size: int, givers: int) -> _Rest:
    ranks: list[Ranks] = [()]
    for _ in range(givers):
        ranks = [before + more for before in ranks for more in multisets(size // givers)]
    return _Rest(size, tuple(ranks), _counts(ranks))


# What is usual in a deal, and the chance to win


class Usual(NamedTuple):
    """How often each number of points was counted or pegged in the deals that were dealt."""

    pegging: Counter[tuple[int, int]]  # by the dealer, heels included, and by the pone
    pone_hand: Counter[int]
    dealer_hand: Counter[int]
    crib: Counter[int]


#: Deals of which the usual points are taken.
_DEALS = 20_000


def usual(tables: Tables, deals: int = _DEALS) -> Usual:
    """The points of six-card deals, in which both discard by the tables and lay sensible cards."""
    chance, rules, deal = Random(1), RULES["six-card"], DEALS["SIX_CARD"]
    hands = all_hands(deal.cards_dealt, deal.discards)
    index = {ranks: number for number, ranks in enumerate(multisets(deal.cards_dealt))}
    best = hands.best(tables.own), hands.best(-tables.theirs)
    found = Usual(Counter(), Counter(), Counter(), Counter())
    for _ in range(deals):
        pack = chance.sample(PACK, 2 * deal.cards_dealt + 1)
        starter = pack.pop()
        kept: list[list[Card]] = []
        crib: list[Card] = []
        for choices in best:
            dealt = [pack.pop() for _ in range(deal.cards_dealt)]
            discarded = list(multisets(deal.discards)[hands.discard[choices[index[ranks_of(dealt)]]]])
            for card in dealt:
                if int(card.rank) in discarded:
                    discarded.remove(int(card.rank))
                    crib.append(card)
            kept.append([card for card in dealt if card not in crib])
        play = Play(rules, 0, (0, 0))
        go_on(play, [ranks_of(cards) for cards in kept])
        heels = rules.deal_and_play.his_heels if starter.rank is Rank.JACK else 0
        found.pegging[play.scores[0] + heels, play.scores[1]] += 1
        found.dealer_hand[show_points(kept[0], starter)] += 1
        found.pone_hand[show_points(kept[1], starter)] += 1
        found.crib[show_points(crib, starter, crib=True)] += 1
    return found


def chances(usual: Usual) -> Floats:
    """The chance of the dealer before a deal, by the holes that he and the pone need, 1 to `NEAR` each."""
    pegging, pone_hand = _shares(usual.pegging), _shares(usual.pone_hand)
    counted = both(_shares(usual.dealer_hand), _shares(usual.crib))
    before = np.full((NEAR + 1, NEAR + 1), 0.5)
    before_hand = np.full((NEAR + 1, NEAR + 1), 0.5)
    for needs in range(2, 2 * NEAR + 1):
        for dealer in range(max(1, needs - NEAR), min(NEAR, needs - 1) + 1):
            pone = needs - dealer
            # Where the dealer counts nothing at all the chance of both is not known yet: it is taken for even.
            before_hand[dealer, pone] = sum(
                share * (1.0 - before[pone, dealer - points] if points < dealer else 1.0)
                for points, share in counted.items()
            )
            total = 0.0
            for (own, other), share in pegging.items():
                if own >= dealer:
                    total += share * (0.5 if other >= pone else 1.0)
                elif other < pone:
                    left = dealer - own, pone - other
                    total += share * sum(
                        how_often * before_hand[left[0], left[1] - points]
                        for points, how_often in pone_hand.items()
                        if points < left[1]
                    )
            before[dealer, pone] = total
    return before[1:, 1:]


_Key = TypeVar("_Key")


def _shares(points: Counter[_Key]) -> dict[_Key, float]:
    total = sum(points.values())
    return {each: times / total for each, times in points.items()}


# The module


def module(tables: Mapping[str, Tables], usual_points: Usual) -> str:
    """The text of `cribboard.strategy.tables_data`."""
    lines = [_HEAD]
    for name, each in tables.items():
        deal = DEALS[name]
        lines.append(f"{name} = (")
        lines.append(f"    {deal.discards},")
        lines.append(f"    {deal.kept},")
        for crib, kept in ((each.own, each.kept_own), (each.theirs, each.kept_theirs)):
            lines.append("    (")
            lines.append("        (")
            lines += _wrapped([f"{points:.3f}," for points in crib], " ", 12)
            lines.append("        ),")
            lines.append('        """')
            lines += _wrapped([f"{round(share * 255):02x}" for share in kept], "", 8)
            lines.append('        """,')
            lines.append("    ),")
        lines.append(")")
        lines.append("")
    for name, counted in zip(("PONE_HAND", "DEALER_HAND", "CRIB"), usual_points[1:], strict=True):
        lines.append(f"{name} = {{")
        lines += _wrapped([f"{points}: {times}," for points, times in sorted(counted.items())], " ", 4)
        lines += ["}", ""]
    lines.append("PEGGING = {")
    lines += _wrapped([f"{points}: {times}," for points, times in sorted(usual_points.pegging.items())], " ", 4)
    lines += ["}", "", 'CHANCES = """']
    lines += _wrapped([f"{round(chance * 0xFFFF):04x}" for chance in chances(usual_points).flat], "", 0)
    return "\n".join([*lines, '"""', ""])


_HEAD = '''"""The numbers of `cribboard.strategy`. `python -m tools.discards` writes them, and says how they come about.

A set for each deal: how many cards a seat discards and keeps, and then for a seat whose side owns the crib and for
another the mean points of the crib by the ranks that it gives, and the share of hands that keep these ranks, 2
hexadecimal digits in parts of 255. Both are in the order of `multisets`. Then how often points are counted and pegged
in six-card, pegging by dealer and pone, and the chance of the dealer by the holes that he and the pone need, 1 to 60
each, 4 digits in parts of 65535.
"""

# fmt: off
'''


def _wrapped(words: Sequence[str], between: str, indent: int) -> list[str]:
    """Lines of at most 120 characters."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]}{between}{word}" if lines else ""
        if lines and len(longer) <= 120:
            lines[-1] = longer
        else:
            lines.append(" " * indent + word)
    return lines


def main() -> int:
    """Make the tables, say how far it is, and write the module."""
    begun = time.monotonic()
    made: dict[str, Tables] = {}
    for name, deal in DEALS.items():

        def progress(number: int, change: float, name: str = name) -> None:
            minutes, seconds = divmod(int(time.monotonic() - begun), 60)
            said = f"{minutes:2}:{seconds:02}  {name}: {number} times around, the last moved an entry by {change:.3f}"
            print(said, file=sys.stderr, flush=True)

        made[name] = fixed_point(deal, progress)
    print("Playing deals for the chance to win.", file=sys.stderr, flush=True)
    FILE.write_text(module(made, usual(made["SIX_CARD"])), encoding="utf-8")
    print(f"Written: {FILE}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
