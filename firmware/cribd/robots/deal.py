"""All cards of one deal.

The board sees none of them before a scan. Frozen; a deal is kept as JSON and read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any

from cribboard import events
from cribboard.cards import Card
from cribboard.deal.starter import waits_for_starter
from cribboard.events import Event
from cribboard.position import Phase, Position, put
from cribboard.rules import CRIB_SIZE, CutTie, FirstDeal, Rules
from cribboard.strategy import Act

#: Acts of a player on trust other than laying a card: to say go, and to finish a count of the show.
GO, COUNTED = "go", "counted"


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of one deal.

    Tuples have one entry for each seat, unless a comment says otherwise."""

    dealer: int
    fronts: tuple[int, ...]  # the front pegs when it was dealt, by side
    starter: Card
    hands: tuple[tuple[Card, ...], ...]  # the cards that each seat was dealt
    from_pack: tuple[Card, ...]  # the cards of the crib that nobody discards
    buried: tuple[int, ...]  # the seats whose discards go under the pack instead of into the crib
    discarded: tuple[tuple[Card, ...] | None, ...]  # what each seat gave away; None before it has
    acts: tuple[str, ...] = ()  # in a trust game: the cards that were laid, `GO` and `COUNTED`, in order

    @classmethod
    def at(cls, p: Position, pack: Sequence[Card]) -> Deal:
        """Return the deal of a shuffled pack at position `p`."""
        assert p.dealer is not None
        return deal_cards(p.rules, pack, p.dealer, tuple(pegs.front for pegs in p.pegs))

    @property
    def is_ready(self) -> bool:
        """Whether every seat has discarded."""
        return None not in self.discarded

    def kept(self, seat: int) -> tuple[Card, ...]:
        """Return the seat's cards at the start of the play.

        Before the seat discards, these are all cards that it was dealt."""
        return without(self.hands[seat], self.discarded[seat] or ())

    @property
    def crib(self) -> tuple[Card, ...]:
        """The cards of the crib. Some are missing until `is_ready`."""
        given = [card for seat, cards in enumerate(self.discarded) if seat not in self.buried for card in cards or ()]
        return (*given, *self.from_pack)

    def fits(self, rules: Rules) -> bool:
        """Whether the numbers of seats and sides fit these rules."""
        seats, sides = len(rules.seats), len(rules.sides)
        return len(self.hands) == len(self.discarded) == seats and len(self.fronts) == sides

    def cutter(self, p: Position) -> int | None:
        """Return the seat to turn up the starter now, or None.

        The board waits for the starter before the play, and again at the show if no reader could read the starter."""
        waits = p.phase is Phase.DEAL or waits_for_starter(p)
        return p.rules.cutter(self.dealer) if waits and self.is_ready else None

    def with_discard(self, seat: int, cards: Iterable[Card]) -> Deal:
        """Return this deal after this seat has discarded these cards."""
        return replace(self, discarded=put(self.discarded, seat, tuple(sorted(cards))))

    def with_act(self, act: str) -> Deal:
        """Return this deal after one more act in a trust game."""
        return replace(self, acts=(*self.acts, act))


def deal_cards(rules: Rules, pack: Sequence[Card], dealer: int, fronts: tuple[int, ...]) -> Deal:
    """Deal from the end of the shuffled `pack`.

    The starter comes first, then each seat's cards, then the rest of the crib. Seats that were dealt no more than they
    keep discard nothing (rules reference, 1.4 to 1.6 and 3.2)."""
    cards, dealing = list(pack), rules.deal_and_play
    short, buried = rules.short_hands(dealer), rules.burying_seats(dealer)
    starter = cards.pop()
    sizes = [dealing.hand_size if seat in short else dealing.cards_dealt for seat in rules.seats]
    hands = tuple(tuple(cards.pop() for _ in range(size)) for size in sizes)
    given = sum(size - dealing.hand_size for seat, size in enumerate(sizes) if seat not in buried)
    from_pack = tuple(cards.pop() for _ in range(CRIB_SIZE - given))
    discarded = tuple(() if size == dealing.hand_size else None for size in sizes)
    return Deal(dealer, fronts, starter, hands, from_pack, buried, discarded)


def first_dealer(rules: Rules, packs: Iterable[Sequence[Card]]) -> int:
    """Return the seat that wins the cut for the first deal.

    Each cut is from the top of the next of `packs`. After a tie there is another cut (rules reference, 1.9)."""
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
    """Return the cards that are not in `gone`, in order."""
    return tuple(card for card in cards if card not in gone)


def acts_of(log: Iterable[Event]) -> tuple[Act, ...]:
    """Return the cards and gos of the latest play.

    They end at a card that no reader could read."""
    acts: list[Act] = []
    unread = False
    for event in standing(log):
        match event:
            case events.StarterTurned() | events.StarterUnread() | events.DealVoided():
                acts, unread = [], False
            case events.CardUnread():
                unread = True
            case _ if unread:
                pass
            case events.CardLaid(seat, card):
                acts.append(Act(seat, card))
            case events.SaidGo(seat):
                acts.append(Act(seat, None))
            case events.AllPassed(seats):
                acts += [Act(seat, None) for seat in seats]
            case events.PassTakenBack(seat):
                acts = [act for act in acts if act != Act(seat, None)]
    return tuple(acts)


def standing(log: Iterable[Event]) -> list[Event]:
    """Return the events that were not undone or rolled back."""
    stands: list[tuple[int, Event]] = []
    for number, event in enumerate(log, start=1):
        match event:
            case events.Undone(to):
                stands = [stood for stood in stands if stood[0] <= to]
            case events.RolledBack(seat):
                gone = [at for at, (_, before) in enumerate(stands) if before == events.SaidGo(seat)]
                stands = stands[: gone[-1]] if gone else stands
            case _:
                stands.append((number, event))
    return [event for _, event in stands]


def to_json(deal: Deal) -> dict[str, Any]:
    """Return the deal as JSON, for `from_json`."""
    return {field.name: getattr(deal, field.name) for field in fields(deal)} | {
        "starter": str(deal.starter),
        "hands": [_spelled(hand) for hand in deal.hands],
        "from_pack": _spelled(deal.from_pack),
        "discarded": [None if given is None else _spelled(given) for given in deal.discarded],
    }


def from_json(saved: Any) -> Deal:
    """Read a deal from JSON. Raises `KeyError`, `OverflowError`, `TypeError` or `ValueError` if it is invalid."""
    deal = Deal(
        dealer=int(saved["dealer"]),
        fronts=tuple(map(int, saved["fronts"])),
        starter=Card.parse(saved["starter"]),
        hands=tuple(Card.parse_many(str(hand)) for hand in saved["hands"]),
        from_pack=Card.parse_many(str(saved["from_pack"])),
        buried=tuple(int(seat) for seat in saved["buried"]),
        discarded=tuple(None if given is None else Card.parse_many(str(given)) for given in saved["discarded"]),
        acts=tuple(map(str, saved["acts"])),
    )
    seats, cards = range(len(deal.hands)), (deal.starter, *deal.from_pack, *chain(*deal.hands))
    if len(set(cards)) != len(cards):
        raise ValueError("a card was dealt twice")
    if deal.dealer not in seats or not set(deal.buried) <= set(seats):
        raise ValueError("no such seat")
    for hand, given in zip(deal.hands, deal.discarded, strict=True):
        if not set(given or ()) <= set(hand):
            raise ValueError("a card was discarded that was not dealt")
    for act in deal.acts:
        if act not in (GO, COUNTED):
            Card.parse(act)
    return deal


def _spelled(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))
