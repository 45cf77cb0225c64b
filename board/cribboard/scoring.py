"""What a hand or a crib is worth at the show, and why.

A count is a list of combinations, each with its kind, its cards and its points, in the order in which players count
aloud: fifteens, pairs, runs, flush, his nobs (rules reference, 1.23 to 1.27). Three of a kind is three
pairs, and a double run is two runs and a pair. This module must never know whose hand it is, what was called, or
where a peg stands.

There is one engine. `score_show` finds the combinations, and `show_points` gives their sum from memory: hands that
differ only in suits that do not matter share one row of 52 sums, one for each starter. The engine makes a row when a
hand first asks for it, so a row is never anything but a count. All hands together need 6,198 rows, one megabyte; a
deal needs three.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations, pairwise
from operator import attrgetter, itemgetter
from typing import NamedTuple, Protocol

from cribboard.cards import PACK, Card, Rank, Suit


class Kind(StrEnum):
    """What scores. The first five are the show's; the play shares some of them and has its own; heels is the cut's."""

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
    """Something that scores: its kind, the cards that make it, its points."""

    kind: Kind
    cards: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    """A count: the combinations as they are called, one after the other, and their `total`."""

    combinations: tuple[Combination, ...]

    @property
    def total(self) -> int:
        return sum(combination.points for combination in self.combinations)


class ShowRules(Protocol):
    """What a count asks of the rules.

    `hand_flush_min`: with how many cards of one suit a hand has a flush: 4, or 3 in five-card cribbage.
    `crib_flush`: `five_only` where a crib's flush needs the starter too, `four_ok` where it does not.
    `his_nobs`: the points for the jack of the starter's suit: 1, or 0 where they are not given.
    """

    @property
    def hand_flush_min(self) -> int: ...
    @property
    def crib_flush(self) -> str: ...
    @property
    def his_nobs(self) -> int: ...


class HasShowRules(Protocol):
    """Rules, as far as the show reads them."""

    @property
    def deal_and_play(self) -> ShowRules: ...


def score_show(hand: Sequence[Card], starter: Card, *, crib: bool = False, rules: HasShowRules | None = None) -> Score:
    """Count a hand, or a crib, with the starter. Each combination names its cards, lowest first; nobs names the jack.

    `hand` is four cards, or three in five-card cribbage. Without `rules` the usual ones hold. Raises `ValueError` for
    another number of cards, or if a card is there twice.

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
    return Score(tuple(_count(hand, starter, _law(crib, rules))))


def show_points(hand: Sequence[Card], starter: Card, *, crib: bool = False, rules: HasShowRules | None = None) -> int:
    """The total of `score_show`, fast: for programs that count hands by the million.

    The cards are taken to be five different ones, as they come from a pack; this is not looked at.

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

    rows = _USUAL_CRIB_ROWS if crib else _USUAL_HAND_ROWS
    if rules is not None:
        rows = _rows(_law(crib, rules))
    try:
        return rows[key][starter.place]
    except KeyError:
        rows[key] = _row(hand, _law(crib, rules))
        return rows[key][starter.place]


# The law of a count


class _Law(NamedTuple):
    """What the rules come to for this hand: with how many cards there is a flush, and what his nobs is worth."""

    flush_min: int
    nobs: int


_USUAL_HAND = _Law(flush_min=4, nobs=1)
_USUAL_CRIB = _Law(flush_min=5, nobs=1)
_CRIB_FLUSH_MIN = {"five_only": 5, "four_ok": 4}


def _law(crib: bool, rules: HasShowRules | None) -> _Law:
    if rules is None:
        return _USUAL_CRIB if crib else _USUAL_HAND
    show = rules.deal_and_play
    return _Law(_CRIB_FLUSH_MIN[show.crib_flush] if crib else show.hand_flush_min, show.his_nobs)


# The engine


def _count(hand: Sequence[Card], starter: Card, law: _Law) -> list[Combination]:
    """The combinations of hand and starter, in the order in which they are called."""
    if not 3 <= len(hand) <= 4:
        raise ValueError(f"a hand has three or four cards at the show, not {len(hand)}")
    cards = _in_order((*hand, starter))
    ranks = tuple([card.rank for card in cards])
    found = [Combination(kind, pick(cards), points) for kind, pick, points in _patterns(ranks)]

    flush = _flush(hand, starter)
    if len(flush) >= law.flush_min:
        found.append(Combination(Kind.FLUSH, tuple(_in_order(flush)), len(flush)))

    jack = _jack(hand, starter.suit)
    if jack and law.nobs:
        found.append(Combination(Kind.NOBS, (jack,), law.nobs))
    return found


def _flush(hand: Sequence[Card], starter: Card) -> Sequence[Card]:
    """The cards of one suit, if the hand is of one suit: all of the hand, and the starter if it matches."""
    suit = hand[0].suit
    for card in hand:
        if card.suit is not suit:
            return ()
    return (*hand, starter) if starter.suit is suit else hand


def _jack(hand: Sequence[Card], suit: Suit) -> Card | None:
    """The jack of this suit, if the hand holds it."""
    for card in hand:
        if card.rank is Rank.JACK and card.suit is suit:
            return card
    return None


def _in_order(cards: Iterable[Card]) -> list[Card]:
    return sorted(cards, key=_PLACE)


_PLACE = attrgetter("place")


class _Pattern(NamedTuple):
    """A combination before the cards are put in: `pick` takes its cards out of the five, lowest first."""

    kind: Kind
    pick: Callable[[Sequence[Card]], tuple[Card, ...]]
    points: int


@cache
def _patterns(ranks: tuple[Rank, ...]) -> tuple[_Pattern, ...]:
    """The fifteens, pairs and runs in cards of these ranks, which are lowest first. Suits play no part in them."""
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
def _pattern(kind: Kind, places: tuple[int, ...], points: int) -> _Pattern:
    return _Pattern(kind, itemgetter(*places), points)


# The memory of the fast total

_Rows = dict[int, bytes]
"""The key of a hand, and its sums: one byte for each starter, by its place in the pack."""

# Added to the key of a hand of one suit: beyond the digits of any card's key, so that such a hand has its own row.
_OF_ONE_SUIT = {suit: number << 48 for number, suit in enumerate(Suit, start=1)}


@cache
def _rows(law: _Law) -> _Rows:
    """The rows that were made under this law until now."""
    return {}


_USUAL_HAND_ROWS = _rows(_USUAL_HAND)
_USUAL_CRIB_ROWS = _rows(_USUAL_CRIB)


def _row(hand: Sequence[Card], law: _Law) -> bytes:
    """The sums of this hand with any card as starter.

    Also with its own cards, for the sake of other hands with the same key: 5C 5D 7H 8S shares its row with
    5C 5S 7H 8D, and for that one 5D may be cut.
    """
    return bytes(sum(combination.points for combination in _count(hand, starter, law)) for starter in PACK)
