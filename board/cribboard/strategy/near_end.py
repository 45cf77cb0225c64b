"""Estimate the chance to win near the end of a game.

Only for six-card of two players, where both need 60 or less; farther from the end a point is worth the same everywhere.
`python -m tools.discards` computes the chance backwards from the end, with the frequencies of points in a deal: the
pegging of both, then the pone's hand, the dealer's hand and the crib, in the order of the show.
"""

from __future__ import annotations

import struct
from base64 import b64decode
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import TypeVar

from cribboard.rules import Option, Rules
from cribboard.strategy.tables_data import near_end as written

#: The end is near if each side needs at most this many holes.
NEAR = 60

#: The probability of each number of points.
Shares = Mapping[int, float]

_Key = TypeVar("_Key")


def is_near(rules: Rules, scores: Sequence[int]) -> bool:
    """Whether the end is near enough to estimate the chance to win."""
    deal, game = rules.deal_and_play, rules.game
    six_card = (deal.players, deal.hand_size, deal.discards) == (2, 4, 2) and game.exact_out is Option.OFF
    return six_card and all(0 < game.target - score <= NEAR for score in scores)


def chance_of_dealer(dealer: int, pone: int) -> float:
    """Return the chance, before the deal, that the dealer will win.

    `dealer` and `pone` are the holes that each needs, 1 to `NEAR`."""
    return _chances()[(dealer - 1) * NEAR + pone - 1] / 0xFFFF


@cache
def _chances() -> tuple[int, ...]:
    """Decode the lookup table of the dealer's chances to win.

    In one row: for each number of holes that the dealer needs, a chance for each number that the pone needs."""
    return struct.unpack(f">{NEAR * NEAR}H", b64decode(written.CHANCES))


def chance_at_show(dealer: int, pone: int, *, hand: int, pone_hand: int) -> float:
    """Return the chance, before the show, that the dealer will win.

    `dealer` and `pone` are the holes that each needs, `hand` and `pone_hand` points. The crib is average."""
    if pone <= pone_hand:
        return 0.0
    if dealer <= hand:
        return 1.0
    return _before_crib()[dealer - hand - 1][pone - pone_hand - 1]


def chance_of_discard(hand: Shares, crib: float, *, needs: int, others: int, is_dealer: bool) -> float:
    """Return the chance to win after this discard.

    `hand` has the share of each number of points of the kept cards, `crib` the mean of the crib. The player's side and
    the other side need `needs` and `others` holes."""
    more = crib - _MEAN_CRIB
    if is_dealer:
        return sum([share * _of_dealer(hand, needs - own, others - other, more) for own, other, share in _to_crib()])
    return 1.0 - sum(
        [share * _against_pone(hand, others - other, needs - own, more) for other, own, share in _pegging()]
    )


def _of_dealer(hand: Shares, dealer: int, pone: int, more: float) -> float:
    """Return the dealer's chance when the dealer's hand counts next."""
    if dealer <= 0 or pone <= 0:
        return float(dealer <= 0)
    before = _before_crib()
    return sum([share * _interpolated(before, dealer - points, pone, more) for points, share in hand.items()])


def _against_pone(hand: Shares, dealer: int, pone: int, more: float) -> float:
    """Return the dealer's chance when the pone's hand counts next."""
    if dealer <= 0:
        return 1.0 if pone > 0 else 0.5  # who of both pegged out first is not known
    if pone <= 0:
        return 0.0
    before = _before_hand()
    return sum(
        [share * _interpolated(before, dealer, pone - points, more) for points, share in hand.items() if points < pone]
    )


def _interpolated(table: Sequence[Sequence[float]], dealer: int, pone: int, more: float) -> float:
    """Interpolate the dealer's chance to win between two rows of `table`.

    `more` is the mean of the crib minus the mean of an average crib. The dealer needs so many holes fewer."""
    needs = dealer - more
    if dealer <= 0 or needs <= 0:
        return 1.0
    whole = int(needs)
    least = table[min(whole, NEAR) - 1][pone - 1] if whole else 1.0
    most = table[min(whole, NEAR - 1)][pone - 1]
    return least + (most - least) * (needs - whole)


# Points in a deal


def shares(points: Mapping[_Key, int]) -> dict[_Key, float]:
    """Convert frequencies to probabilities. `points` has the frequency of each key."""
    total = sum(points.values())
    return {key: times / total for key, times in points.items()}


_CRIB: Shares = shares(written.CRIB)
_MEAN_CRIB = sum(points * share for points, share in _CRIB.items())


@cache
def _pegging() -> tuple[tuple[int, int, float], ...]:
    """List what dealer and pone peg in the play, with probabilities.

    His heels are included."""
    return tuple((dealer, pone, share) for (dealer, pone), share in shares(written.PEGGING).items())


@cache
def _to_crib() -> tuple[tuple[int, int, float], ...]:
    """List the possible scores of dealer and pone before the dealer counts.

    The points come from the play and the pone's hand. Very rare pairs are left out."""
    found: dict[tuple[int, int], float] = defaultdict(float)
    for (dealer, pone, share), (points, of_hands) in product(_pegging(), shares(written.PONE_HAND).items()):
        found[dealer, pone + points] += share * of_hands
    likely = {points: share for points, share in found.items() if share > _RARE}
    total = sum(likely.values())
    return tuple((dealer, pone, share / total) for (dealer, pone), share in likely.items())


#: Less likely points are left out, because each discard goes through all of them.
_RARE = 3e-4


@cache
def _before_crib() -> tuple[tuple[float, ...], ...]:
    return _counting(_CRIB)


@cache
def _before_hand() -> tuple[tuple[float, ...], ...]:
    return _counting(both(shares(written.DEALER_HAND), _CRIB))


def _counting(counts: Shares) -> tuple[tuple[float, ...], ...]:
    """Return the dealer's chances to win when only the dealer must count.

    The rows are the holes that the dealer needs, the columns the holes that the pone needs. `counts` has the
    probability of each number of points that the dealer still counts in this deal. The pone deals next."""

    def chance(dealer: int, pone: int) -> float:
        left = ((dealer - points, share) for points, share in counts.items())
        return sum([share * (1.0 - chance_of_dealer(pone, needs) if needs > 0 else 1.0) for needs, share in left])

    holes = range(1, NEAR + 1)
    return tuple(tuple(chance(dealer, pone) for pone in holes) for dealer in holes)


def both(first: Shares, second: Shares) -> Shares:
    """Return the probability of each sum of two independent scores."""
    sums: dict[int, float] = defaultdict(float)
    for (one, share), (two, other_share) in product(first.items(), second.items()):
        sums[one + two] += share * other_share
    return sums
