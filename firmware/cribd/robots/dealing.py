"""The cut for the deal, and the deal of a shuffled pack: what each seat gets, what the pack gives to the crib.

Robots and whoever plays alone are dealt to by it. It holds no chance: the pack is shuffled before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cribboard.cards import Card
from cribboard.rules import CRIB_SIZE, CutTie, FirstDeal, Rules, SixPlayerDeal


@dataclass(frozen=True, slots=True)
class Dealt:
    """One deal, before anybody discards."""

    starter: Card
    hands: tuple[tuple[Card, ...], ...]
    """By seat."""
    from_pack: tuple[Card, ...]
    """The cards of the crib that nobody discards."""
    buried: tuple[int, ...]
    """The seats whose discards go under the pack instead of into the crib."""

    def kept(self, discarded: Sequence[Sequence[Card]]) -> tuple[tuple[Card, ...], ...]:
        """The hands, by seat, without what each seat discarded."""
        return tuple(without(cards, given) for cards, given in zip(self.hands, discarded, strict=True))

    def crib(self, discarded: Sequence[Sequence[Card]]) -> tuple[Card, ...]:
        """The crib, from what each seat discarded."""
        given = [card for seat, cards in enumerate(discarded) if seat not in self.buried for card in cards]
        return (*given, *self.from_pack)


def deal(rules: Rules, pack: Sequence[Card], dealer: int) -> Dealt:
    """Deal from the end of the pack: the starter first, then each seat its cards, then the rest of the crib (rules
    reference, 1.4 to 1.6 and 3.2). `pack`: all cards, shuffled."""
    cards, dealing = list(pack), rules.deal_and_play
    short: tuple[int, ...] = ()
    buried: tuple[int, ...] = ()
    match dealing.six_player_deal:
        case SixPlayerDeal.SHORT_HANDS if dealing.players == 6:
            short = dealer, rules.right_of(dealer)
        case SixPlayerDeal.BURY:
            buried = tuple(seat for seat in rules.seats if rules.side_of(seat) == rules.side_of(dealer))
    starter = cards.pop()
    sizes = [dealing.hand_size if seat in short else dealing.cards_dealt for seat in rules.seats]
    hands = tuple(tuple(cards.pop() for _ in range(size)) for size in sizes)
    discarded = sum(size - dealing.hand_size for seat, size in enumerate(sizes) if seat not in buried)
    return Dealt(starter, hands, tuple(cards.pop() for _ in range(CRIB_SIZE - discarded)), buried)


def first_dealer(rules: Rules, packs: Iterable[Sequence[Card]]) -> int:
    """The seats cut among themselves, and again after a tie: who deals first (rules reference, 1.9). Each cut is from
    the top of the next of `packs`."""
    seats, deal_and_play = list(rules.seats), rules.deal_and_play
    for pack in packs:
        cut = {seat: card.rank for seat, card in zip(seats, pack, strict=False)}
        wanted = min(cut.values()) if deal_and_play.first_deal is FirstDeal.LOW_CUT else max(cut.values())
        best = [seat for seat in seats if cut[seat] is wanted]
        if len(best) == 1:
            return best[0]
        if deal_and_play.cut_tie is CutTie.TIED_RECUT:
            seats = best
    raise ValueError("the seats tied at every cut")


def without(cards: Sequence[Card], gone: Sequence[Card]) -> tuple[Card, ...]:
    """These cards, in their order, but those that are gone."""
    return tuple(card for card in cards if card not in gone)
