"""A deal among robots, card by card: what happens on the table, whatever the board makes of it.

Never touches a board. The croupier shuffles, deals and plays the cards of both seats, and says aloud what a good
player would call. Chance comes from the `Random` it is given, so the same seed plays the same cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from cribboard.cards import PACK, Card, Rank
from cribboard.play import count, score_play
from cribboard.scoring import score_show, show_points

SEATS = 2
DEALT = 6
KEPT = 4


@dataclass(frozen=True, slots=True)
class Turned:
    """The starter is turned up. `heels` are the dealer's points for a jack."""

    dealer: int
    card: Card
    heels: int


@dataclass(frozen=True, slots=True)
class Laid:
    """A seat lays a card that makes `points`, the last card's point included. `more`: something else may be counted
    at once, the go that it also wins or the hand after the last card of all."""

    seat: int
    card: Card
    points: int
    more: bool


@dataclass(frozen=True, slots=True)
class Go:
    """A seat with cards can lay none."""

    seat: int


@dataclass(frozen=True, slots=True)
class GoWon:
    """Nobody can lay a card: the go is worth `points` to the seat that laid last. `alone`: nobody else held a card,
    so that nobody said go."""

    seat: int
    points: int
    alone: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """A seat counts its hand, or as dealer the crib. `cards` are shown to the reader only for a crib."""

    seat: int
    cards: tuple[Card, ...]
    points: int
    crib: bool


Happening = Turned | Laid | Go | GoWon | Counted


@dataclass(slots=True)
class Croupier:
    """Deals and plays. `chance` shuffles."""

    chance: Random

    def cut(self) -> tuple[Card, Card]:
        """Two different cards cut for the deal."""
        first, second = self.chance.sample(PACK, 2)
        return first, second

    def deal(self, dealer: int) -> Iterator[Happening]:
        """One whole deal. Whoever listens stops listening when the game is won."""
        pack = self.chance.sample(PACK, SEATS * DEALT + 1)
        starter = pack.pop()
        hands: list[tuple[Card, ...]] = []
        crib: list[Card] = []
        for seat in range(SEATS):
            kept, thrown = _discard(pack[seat * DEALT : (seat + 1) * DEALT], own_crib=seat == dealer)
            hands.append(kept)
            crib += thrown
        yield Turned(dealer, starter, 2 if starter.rank is Rank.JACK else 0)
        yield from _Play(hands, 1 - dealer).cards()
        for seat in (1 - dealer, dealer):
            yield Counted(seat, hands[seat], score_show(hands[seat], starter).total, crib=False)
        yield Counted(dealer, tuple(crib), score_show(crib, starter, crib=True).total, crib=True)


@dataclass(slots=True)
class _Play:
    """The play of one deal."""

    hands: list[tuple[Card, ...]]
    turn: int
    left: list[list[Card]] = field(init=False)
    stack: list[Card] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    last: int = 0

    def __post_init__(self) -> None:
        self.left = [list(hand) for hand in self.hands]

    def cards(self) -> Iterator[Happening]:
        while any(self.left):
            card = _choose(self.left[self.turn], self.stack)
            other = 1 - self.turn
            if card is not None:
                yield self._lay(card)
                if count(self.stack) == 31:
                    self._reset()
                elif not self.left[self.turn] and (other in self.gone and self.left[other]):
                    yield from self._go_won(alone=False)
                else:
                    self._pass_on()
            elif self.left[other]:
                yield Go(self.turn)
                self.gone.add(self.turn)
                if other in self.gone:
                    yield from self._go_won(alone=False)
                else:
                    self.turn = other
            elif other == self.last:
                yield Go(self.turn)
                yield from self._go_won(alone=False)
            else:
                yield from self._go_won(alone=True)

    def _lay(self, card: Card) -> Laid:
        points = sum(found.points for found in score_play(self.stack, card))
        self.left[self.turn].remove(card)
        self.stack.append(card)
        self.last = self.turn
        if not any(self.left) and count(self.stack) != 31:
            points += 1
        more = not self.left[self.turn] and (not self.left[1 - self.turn] or 1 - self.turn in self.gone)
        return Laid(self.turn, card, points, more)

    def _go_won(self, *, alone: bool) -> Iterator[Happening]:
        yield GoWon(self.last, 1, alone)
        self._reset()

    def _reset(self) -> None:
        self.stack.clear()
        self.gone.clear()
        self.turn = 1 - self.last
        if not self.left[self.turn]:
            self.turn = self.last

    def _pass_on(self) -> None:
        other = 1 - self.turn
        if self.left[other] and other not in self.gone:
            self.turn = other


def _choose(hand: list[Card], stack: list[Card]) -> Card | None:
    """The card that scores most, or else the highest that fits; None if none fits."""
    fits = [card for card in hand if count(stack) + card.value <= 31]
    return max(
        fits, key=lambda card: (sum(found.points for found in score_play(stack, card)), card.value), default=None
    )


def _discard(dealt: list[Card], *, own_crib: bool) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Keep the four that are worth most by themselves; of equals, what gives the crib more, or less."""

    def worth(kept: tuple[Card, ...]) -> tuple[int, int]:
        thrown = [card for card in dealt if card not in kept]
        crib = 2 * (thrown[0].rank is thrown[1].rank) + 2 * (thrown[0].value + thrown[1].value == 15)
        # A starter that is none of the six shows what four cards make; any will do to compare.
        starter = next(card for card in PACK if card not in dealt)
        return show_points(kept, starter), crib if own_crib else -crib

    kept = max(combinations(dealt, KEPT), key=worth)
    return kept, tuple(card for card in dealt if card not in kept)
