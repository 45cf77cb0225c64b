"""The coach, who judges the person's choices after a deal.

It knows what the person knew at that moment, and nothing of a card that was not shown to him. It reads the log, so that
it speaks of no card that was taken back, and of all of them after a restart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from cribboard.cards import Card
from cribboard.rules import Rules
from cribboard.strategy import Act, PlayerView, judge_discard, ranked_cards
from cribd.robots.deal import Deal, without

#: A choice that gives up less than this, in points, is as good as the best.
_AS_GOOD = 0.05


@dataclass(frozen=True, slots=True)
class Advice:
    """The coach's advice on one discard or one laid card.

    `gave_up` estimates the points that the person's choice costs; 0 if no choice was better."""

    chosen: tuple[Card, ...]
    best: tuple[Card, ...]
    gave_up: float

    @property
    def is_best(self) -> bool:
        """Whether the choice was as good as the best."""
        return self.gave_up < _AS_GOOD


@dataclass(frozen=True, slots=True)
class Lesson:
    """The coach's advice on one deal."""

    deal: Deal
    discard: Advice | None
    cards: tuple[Advice, ...]  # on each card where there was a choice, in order


def advice_on_discard(deal: Deal, seat: int, rules: Rules) -> Advice | None:
    """Return the advice on a seat's discard; None without a discard.

    It is in points of hand and crib."""
    given = deal.discarded[seat]
    if not given:
        return None
    own_crib = rules.side_of(seat) == rules.side_of(deal.dealer)
    judged = judge_discard(deal.hands[seat], given, rules, is_own_crib=own_crib)
    return Advice(given, judged.best.discarded, max(0.0, judged.gives_up))


def points_given_up(deals: Sequence[Deal], seat: int, rules: Rules) -> float:
    """Return the points that this seat gave up by its discards."""
    given = [advice_on_discard(deal, seat, rules) for deal in deals]
    return sum(advice.gave_up for advice in given if advice is not None)


def lesson(deal: Deal, seat: int, rules: Rules, acts: Sequence[Act], rng: Random) -> Lesson:
    """Return the coach's advice to this seat on a deal.

    `acts` are the cards and gos of the play."""
    return Lesson(deal, advice_on_discard(deal, seat, rules), tuple(_advice_on_play(deal, seat, rules, acts, rng)))


def _advice_on_play(deal: Deal, seat: int, rules: Rules, acts: Sequence[Act], rng: Random) -> Iterator[Advice]:
    hand, given = deal.kept(seat), deal.discarded[seat] or ()
    for number, act in enumerate(acts):
        if act.seat == seat and act.card in hand:
            before = tuple(acts[:number])
            seen = PlayerView(rules, seat, deal.dealer, deal.fronts, hand, given, deal.starter, before)
            if advice := _advice_on_card(seen, act.card, rng):
                yield advice
            hand = without(hand, (act.card,))


def _advice_on_card(seen: PlayerView, card: Card, rng: Random) -> Advice | None:
    """Return the advice on this card; None without a choice.

    It is in points pegged until the end of the play."""
    ranked = ranked_cards(seen, rng)
    chosen = next((other for other in ranked if other.card.rank is card.rank), None)
    if len(ranked) < 2 or chosen is None:
        return None
    best = ranked[0]
    return Advice((card,), (best.card,), 0.0 if best is chosen else max(0.0, best.worth - chosen.worth))


def worst(advice: Sequence[Advice]) -> Advice | None:
    """Return the advice on the costliest bad choice, or None."""
    bad = [choice for choice in advice if not choice.is_best]
    return max(bad, key=lambda choice: choice.gave_up, default=None)
