"""Score hands and cribs at the show.

A score is a list of combinations in the order in which players count aloud: fifteens, pairs, runs, flush, his nobs
(rules reference, 1.23 to 1.27). Three of a kind is three pairs; a double run is two runs and a pair.

`score_show` finds the combinations. `show_points` gives their sum from a cache: hands that differ only in suits that do
not matter share one row of 52 sums, one for each starter, which `score_show`'s engine fills when a hand first needs it.
All hands together need 6,198 rows, one megabyte; a deal needs three.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations, pairwise
from operator import attrgetter, itemgetter
from typing import NamedTuple

from cribboard.cards import PACK, Card, Rank, Suit
from cribboard.rules import Rules


class Kind(StrEnum):
    """The kinds of points that a side can score.

    At the show, the first five kinds score. In the play, some of these and the next five score. At the cut, his heels
    score."""

    FIFTEEN = "fifteen"
    PAIR = "pair"
    RUN = "run"
    FLUSH = "flush"
    NOBS = "nobs"
    THIRTY_ONE = "thirty_one"
    PAIR_ROYAL = "pair_royal"
    DOUBLE_PAIR_ROYAL = "double_pair_royal"
    GO = "go"
    LAST_CARD = "last_card"
    HEELS = "heels"


@dataclass(frozen=True, slots=True)
class Combination:
    """Cards that score points together, with their kind and points."""

    kind: Kind
    cards: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    """The combinations of some cards, in the order of counting aloud."""

    combinations: tuple[Combination, ...]

    @property
    def total(self) -> int:
        """The sum of the points."""
        return sum(combination.points for combination in self.combinations)


def score_show(hand: Sequence[Card], starter: Card, *, crib: bool = False, rules: Rules | None = None) -> Score:
    """Score a hand or crib with the starter.

    Each combination lists its cards, lowest first; his nobs lists the jack. `hand` is four cards, or three in five-card
    cribbage. Without `rules` the usual ones hold. Raises `ValueError` for another number of cards, or if a card is
    there twice.

    >>> score = score_show(Card.parse_many("4C 5H 6S JD"), Card.parse("KD"))
    >>> for combination in score.combinations:
    ...     print(combination.kind, *combination.cards, combination.points)
    fifteen 5H JD 2
    fifteen 5H KD 2
    fifteen 4C 5H 6S 2
    run 4C 5H 6S 3
    nobs JD 1
    >>> score.total
    10
    """
    if len({starter.place, *[card.place for card in hand]}) <= len(hand):
        raise ValueError(f"a card is there twice: {' '.join(map(str, hand))} with {starter}")
    return Score(tuple(_count(hand, starter, _flush_minimum_and_nobs(crib, rules))))


def show_points(hand: Sequence[Card], starter: Card, *, crib: bool = False, rules: Rules | None = None) -> int:
    """Compute the points of a hand or crib, fast.

    Does not check that all cards are different.

    >>> show_points(Card.parse_many("5H 5C 5S JD"), Card.parse("5D"))
    29
    """
    if len(hand) == 4:
        a, b, c, d = hand
        key = a.key + b.key + c.key + d.key
        if a.suit is b.suit is c.suit is d.suit:
            key += _OF_ONE_SUIT[a.suit]
    else:
        key = sum(card.key for card in hand)
        suits = {card.suit for card in hand}
        if len(suits) == 1:
            key += _OF_ONE_SUIT[suits.pop()]

    totals = _USUAL_CRIB_TOTALS if crib else _USUAL_HAND_TOTALS
    if rules is not None:
        totals = _cached_totals(_flush_minimum_and_nobs(crib, rules))
    try:
        return totals[key][starter.place]
    except KeyError:
        totals[key] = _totals_by_starter(hand, _flush_minimum_and_nobs(crib, rules))
        return totals[key][starter.place]


# The rules of a count


class _CountRules(NamedTuple):
    """The rules that are needed to count one kind of hand."""

    flush_min: int  # cards of one suit that make a flush
    nobs: int  # points for his nobs


_USUAL_HAND = _CountRules(flush_min=4, nobs=1)
_USUAL_CRIB = _CountRules(flush_min=5, nobs=1)
_CRIB_FLUSH_MIN = {"five_only": 5, "four_ok": 4}


def _flush_minimum_and_nobs(crib: bool, rules: Rules | None) -> _CountRules:
    if rules is None:
        return _USUAL_CRIB if crib else _USUAL_HAND
    show = rules.deal_and_play
    return _CountRules(_CRIB_FLUSH_MIN[show.crib_flush] if crib else show.hand_flush_min, show.his_nobs)


# The engine


def _count(hand: Sequence[Card], starter: Card, count_rules: _CountRules) -> list[Combination]:
    """Find the combinations of hand and starter, in counting order."""
    _must_be_a_hand(hand)
    cards = sorted((*hand, starter), key=_PLACE)
    ranks = tuple([card.rank for card in cards])
    found = [Combination(kind, pick(cards), points) for kind, pick, points in _fifteens_pairs_and_runs(ranks)]
    return found + _flush_and_nobs(hand, starter, count_rules)


def _flush_and_nobs(hand: Sequence[Card], starter: Card, count_rules: _CountRules) -> list[Combination]:
    """Find a flush and his nobs.

    They depend on the suit of the starter, not on its rank."""
    found = []
    for card in hand:
        if card.suit is not hand[0].suit:
            break
    else:
        flush = (*hand, starter) if hand[0].suit is starter.suit else hand
        if len(flush) >= count_rules.flush_min:
            found.append(Combination(Kind.FLUSH, tuple(sorted(flush, key=_PLACE)), len(flush)))
    jacks = [card for card in hand if card.rank is Rank.JACK and card.suit is starter.suit]
    found.extend(Combination(Kind.NOBS, (jack,), count_rules.nobs) for jack in jacks if count_rules.nobs)
    return found


def _must_be_a_hand(hand: Sequence[Card]) -> None:
    if not 3 <= len(hand) <= 4:
        raise ValueError(f"a hand has three or four cards at the show, not {len(hand)}")


_PLACE = attrgetter("place")


class _Pattern(NamedTuple):
    """A combination, as indices of cards in a hand.

    `pick` takes its cards from the hand with the starter, which must be sorted, lowest first."""

    kind: Kind
    pick: Callable[[Sequence[Card]], tuple[Card, ...]]
    points: int


@cache
def _fifteens_pairs_and_runs(ranks: tuple[int, ...]) -> tuple[_Pattern, ...]:
    """Find the fifteens, pairs and runs among cards with these ranks.

    `ranks` must be sorted, lowest first."""
    choices = [some for size in range(2, len(ranks) + 1) for some in combinations(range(len(ranks)), size)]
    fifteens = [some for some in choices if sum(min(ranks[place], 10) for place in some) == 15]
    pairs = [some for some in choices if len(some) == 2 and ranks[some[0]] == ranks[some[1]]]
    runs = [
        some
        for some in choices
        if len(some) >= 3 and all(ranks[low] + 1 == ranks[high] for low, high in pairwise(some))
    ]
    longest = [some for some in runs if len(some) == len(runs[-1])]  # a run of four is not two of three as well
    return (
        *(_pattern(Kind.FIFTEEN, some, 2) for some in fifteens),
        *(_pattern(Kind.PAIR, some, 2) for some in pairs),
        *(_pattern(Kind.RUN, some, len(some)) for some in longest),
    )


@cache
def rank_points(ranks: tuple[int, ...]) -> int:
    """Add up the points of the fifteens, pairs and runs.

    `ranks` has the ranks of the cards, lowest first. Suits do not matter.

    >>> rank_points((5, 5, 5, 5, 11))
    28
    """
    return sum(points for _, _, points in _fifteens_pairs_and_runs(ranks))


@cache
def _pattern(kind: Kind, places: tuple[int, ...], points: int) -> _Pattern:
    return _Pattern(kind, itemgetter(*places), points)


# The cache of the fast total

_CachedTotals = dict[int, bytes]
"""By the key of a hand, one byte for each starter: the sum with it."""

# Added to the key of a hand of one suit, beyond the digits of any key: such a hand has its own row.
_OF_ONE_SUIT = {suit: number << 48 for number, suit in enumerate(Suit, start=1)}


@cache
def _cached_totals(count_rules: _CountRules) -> _CachedTotals:
    """Return the cache of totals for these rules.

    For each key of a hand, the cache has a row with the total for every starter."""
    return {}


_USUAL_HAND_TOTALS = _cached_totals(_USUAL_HAND)
_USUAL_CRIB_TOTALS = _cached_totals(_USUAL_CRIB)


def _totals_by_starter(hand: Sequence[Card], count_rules: _CountRules) -> bytes:
    """Compute the total of this hand with each starter.

    The hand's own cards are included, for other hands with the same key: 5C 5D 7H 8S shares its row with 5C 5S 7H 8D,
    which may have 5D as the starter.
    """
    _must_be_a_hand(hand)
    by_rank = {rank: rank_points(tuple(sorted((*(card.rank for card in hand), rank)))) for rank in Rank}
    by_suit = {
        ace.suit: sum(made.points for made in _flush_and_nobs(hand, ace, count_rules)) for ace in PACK[: len(Suit)]
    }
    return bytes(by_rank[starter.rank] + by_suit[starter.suit] for starter in PACK)
