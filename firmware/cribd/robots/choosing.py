"""How robots choose their cards: by rote, or at a strength of `cribboard.strategy`.

At a strength each knows what a person in its seat knows: its own cards, the starter, the scores, and what was laid and
said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from cribboard import strategy
from cribboard.cards import PACK, Card, Rank
from cribboard.rules import Rules
from cribboard.scoring import show_points
from cribboard.strategy import Act, Seen, Strength
from cribd.robots.deal import Dealt, without


def by_rote(dealt: Dealt, dealer: int, rules: Rules) -> tuple[tuple[Card, ...], ...]:
    """What each seat discards, by seat: it keeps the cards that count most without a starter; among equals it gives its
    own crib more, another's less."""
    owner = rules.side_of(dealer)
    return tuple(
        _discard(cards, own_crib=rules.side_of(seat) == owner, rules=rules) for seat, cards in enumerate(dealt.hands)
    )


def _discard(dealt: Sequence[Card], *, own_crib: bool, rules: Rules) -> tuple[Card, ...]:
    def value(kept: tuple[Card, ...]) -> tuple[int, int]:
        pairs = list(combinations(without(dealt, kept), 2))
        crib = 2 * sum(a.rank is b.rank or a.value + b.value == 15 for a, b in pairs)
        # Any starter outside the dealt cards does to compare hands.
        starter = next(card for card in PACK if card not in dealt)
        return show_points(kept, starter, rules=rules), crib if own_crib else -crib

    kept = max(combinations(dealt, rules.deal_and_play.hand_size), key=value)
    return without(dealt, kept)


@dataclass(slots=True)
class DealAtLevel:
    """One deal at this `level`. `scores`: by side, before the deal. `discarded`: by seat. `acts`: what was laid and
    said, the first first; whoever plays the deal adds to it."""

    level: Strength
    rules: Rules
    chance: Random
    dealer: int
    scores: Sequence[int]
    dealt: Dealt
    discarded: tuple[tuple[Card, ...], ...] = field(init=False)
    acts: list[Act] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.discarded = tuple(self._discard(seat, cards) for seat, cards in enumerate(self.dealt.hands))

    def _discard(self, seat: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        if len(cards) == self.rules.deal_and_play.hand_size:
            return ()
        side = self.rules.side_of(seat)
        own_crib = side == self.rules.side_of(self.dealer)
        stands = (self.scores[side], self.scores[1 - side]) if len(self.scores) == 2 else None
        return strategy.discard(self.level, cards, self.rules, is_own_crib=own_crib, scores=stands, chance=self.chance)

    def card(self, seat: int, held: Sequence[Card]) -> Card | None:
        """What the seat lays of these cards; None if none fits."""
        seen = Seen(
            self.rules,
            seat,
            self.dealer,
            self._before_play(),
            tuple(held),
            self.discarded[seat],
            self.dealt.starter,
            tuple(self.acts),
        )
        return strategy.lay(self.level, seen, self.chance)

    def _before_play(self) -> tuple[int, ...]:
        """The scores with his heels."""
        heels = self.rules.deal_and_play.his_heels if self.dealt.starter.rank is Rank.JACK else 0
        dealers = self.rules.side_of(self.dealer)
        return tuple(score + heels * (side == dealers) for side, score in enumerate(self.scores))
