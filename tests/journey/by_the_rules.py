"""What cards are worth and who lays next, read from the rules alone: the arithmetic of the bookkeeper.

It imports nothing of the product, and must never do so: it was written from the rules reference (sections 1, 3 and 7,
the `six-card` preset) before its writer had seen how the product counts, so that no mistake is made twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

RANKS = "A23456789TJQK"
SIDES = (0, 1)


def read_card(text: str) -> str | None:
    """A card as rank and suit, "TH"; None if it is no card."""
    text = text.upper().replace("10", "T")
    return text if len(text) == 2 and text[0] in RANKS and text[1] in "CDHS" else None


def rank(card: str) -> int:
    """Where a card stands in a run, the ace lowest."""
    return RANKS.index(card[0])


def pips(card: str) -> int:
    """What a card counts: the ace 1, a court card 10."""
    return min(10, rank(card) + 1)


def total(cards: Sequence[str]) -> int:
    return sum(map(pips, cards))


def count_hand(hand: Sequence[str], starter: str, *, crib: bool = False) -> int:
    """What four cards count with the starter (rules 1.23 to 1.27)."""
    cards = [*hand, starter]
    fifteens = sum(total(some) == 15 for size in range(2, 6) for some in combinations(cards, size))
    pairs = sum(one[0] == other[0] for one, other in combinations(cards, 2))
    flush = 0
    if len({card[1] for card in hand}) == 1:
        flush = 5 if starter[1] == hand[0][1] else 0 if crib else 4
    nobs = f"J{starter[1]}" in hand
    return 2 * fifteens + 2 * pairs + _runs(cards) + flush + nobs


def _runs(cards: Sequence[str]) -> int:
    """The longest run, as often as doubled cards make it."""
    held = Counter(map(rank, cards))
    best = 0
    for lowest in range(len(RANKS)):
        length, ways = 0, 1
        while held[lowest + length]:
            ways *= held[lowest + length]
            length += 1
        if length >= 3:
            best = max(best, length * ways)
    return best


def count_laid(stack: Sequence[str]) -> int:
    """What the last card of a stack makes with those before it: 15, 31, pairs and runs (1.17, 1.21, 1.22)."""
    points = 2 if total(stack) in (15, 31) else 0
    alike = 1
    while alike < len(stack) and stack[-alike - 1][0] == stack[-1][0]:
        alike += 1
    points += alike * (alike - 1)
    for length in range(len(stack), 2, -1):
        ranks = set(map(rank, stack[-length:]))
        if len(ranks) == length and max(ranks) - min(ranks) == length - 1:
            return points + length
    return points


@dataclass(frozen=True)
class Brought:
    """What a card brings the side that lays it: a go that it ends, its own points, a go that is won with it."""

    before: int = 0
    card: int = 0
    after: int = 0

    @property
    def scores(self) -> list[int]:
        return [score for score in (self.before, self.card, self.after) if score]


@dataclass
class Play:
    """The play of one deal (1.13 to 1.20, 3.9, 7.7). Only what is laid is known: every hand has four cards."""

    turn: int
    stack: list[str] = field(default_factory=list)
    laid: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    gone: set[int] = field(default_factory=set)
    last: int = -1
    gos: list[tuple[int, int, int]] = field(default_factory=list)

    def over(self) -> bool:
        return not any(map(self.holds, SIDES))

    def holds(self, side: int) -> bool:
        return len(self.laid[side]) < 4

    def lay(self, card: str) -> Brought | None:
        """The side to play lays a card. None if the card cannot be laid."""
        side, other = self.turn, 1 - self.turn
        if self.over() or card in self.laid[0] + self.laid[1]:
            return None
        before = after = 0
        if total([*self.stack, card]) > 31:
            if self.last != side or self.holds(other):
                return None
            before = 1  # nobody else holds a card: the count ends by itself, and the go is his
            self.end_count()
        self.laid[side].append(card)
        self.stack.append(card)
        self.last = side
        points = count_laid(self.stack)
        if total(self.stack) == 31:
            self.end_count()
        elif self.over():
            points += 1
        elif other in self.gone and not self.holds(side):
            after = 1  # the other has said go, and he has no card left
            self.end_count()
        elif self.holds(other) and other not in self.gone:
            self.turn = other
        return Brought(before, points, after)

    def go(self, side: int) -> int | None:
        """A side says go. The side that the go is worth 1 to, if nobody can lay a card now."""
        other = 1 - side
        alone = side == self.last and not self.gone  # who laid last plays on, or has nobody left to say go to
        if side != self.turn or not self.stack or alone or self.over():
            return None
        self.gone.add(side)
        self.gos.append((side, total(self.stack), len(self.laid[side])))
        if self.holds(other) and other not in self.gone:
            self.turn = other
            return None
        won = self.last
        self.end_count()
        return won

    def end_count(self) -> None:
        """The next count begins; whoever did not lay last leads, if he has a card."""
        self.stack.clear()
        self.gone.clear()
        self.turn = 1 - self.last if self.holds(1 - self.last) else self.last

    def false_gos(self) -> list[str]:
        """Now that all cards are laid: those that could have been laid when their owner said go."""
        return [card for side, count, laid in self.gos for card in self.laid[side][laid:] if count + pips(card) <= 31]
