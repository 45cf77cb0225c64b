"""The cards of one deal as the players hold them: what was dealt, who discarded what, and on trust what was laid.

The board sees none of it before a card is scanned. Frozen; a deal is kept as JSON and read again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from cribboard.cards import Card
from cribboard.position import put
from cribd.robots.dealing import Dealt

#: What a player may do on trust besides laying a card: say go, and be done with a count of the show.
GO, COUNTED = "go", "counted"


class NotADeal(ValueError):  # noqa: N818 (what the journal holds, not what the caller did)
    """What was kept is no deal."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal. Tuples go by seat."""

    dealer: int
    fronts: tuple[int, ...]
    """The front pegs when it was dealt, by side."""
    dealt: Dealt
    discarded: tuple[tuple[Card, ...] | None, ...]
    """What each seat gave away; None before it has."""
    acts: tuple[str, ...] = ()
    """On trust, where the board follows no card: the cards that were laid, `GO`, and `COUNTED`, the first first."""

    @classmethod
    def of(cls, dealer: int, fronts: tuple[int, ...], dealt: Dealt, hand_size: int) -> Deal:
        """A new deal, in which the seats that were dealt no more than they keep discard nothing."""
        return cls(dealer, fronts, dealt, tuple(() if len(hand) == hand_size else None for hand in dealt.hands))

    @property
    def is_ready(self) -> bool:
        """Whether every seat has discarded."""
        return None not in self.discarded

    def kept(self, seat: int) -> tuple[Card, ...]:
        """The cards that the seat holds at the start of the play; all that it was dealt before its discard."""
        given = self.discarded[seat] or ()
        return tuple(card for card in self.dealt.hands[seat] if card not in given)

    @property
    def crib(self) -> tuple[Card, ...]:
        """The crib; not complete before `is_ready`."""
        return self.dealt.crib([given or () for given in self.discarded])

    def with_discard(self, seat: int, cards: Iterable[Card]) -> Deal:
        """The deal after this seat gave these cards away."""
        return replace(self, discarded=put(self.discarded, seat, tuple(sorted(cards))))

    def with_act(self, act: str) -> Deal:
        """The deal after a card was laid, or something was said, on trust."""
        return replace(self, acts=(*self.acts, act))


def to_json(deal: Deal) -> dict[str, Any]:
    """The deal as JSON, for `from_json`."""
    dealt = deal.dealt
    return {
        "dealer": deal.dealer,
        "fronts": list(deal.fronts),
        "starter": str(dealt.starter),
        "hands": [_spelled(hand) for hand in dealt.hands],
        "from_pack": _spelled(dealt.from_pack),
        "buried": list(dealt.buried),
        "discarded": [None if given is None else _spelled(given) for given in deal.discarded],
        "acts": list(deal.acts),
    }


def from_json(kept: Any) -> Deal:
    """The deal that was kept. Raises `NotADeal`."""
    try:
        dealt = Dealt(
            Card.parse(kept["starter"]),
            tuple(Card.parse_many(hand) for hand in kept["hands"]),
            Card.parse_many(kept["from_pack"]),
            tuple(int(seat) for seat in kept["buried"]),
        )
        discarded = tuple(None if given is None else Card.parse_many(given) for given in kept["discarded"])
        fronts, acts = tuple(map(int, kept["fronts"])), tuple(map(str, kept["acts"]))
        return Deal(int(kept["dealer"]), fronts, dealt, discarded, acts)
    except (KeyError, TypeError, ValueError) as wrong:
        raise NotADeal(f"no deal: {wrong}") from wrong


def _spelled(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))
