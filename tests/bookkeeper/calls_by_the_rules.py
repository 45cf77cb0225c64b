"""Checks what robots say aloud against the cards: calls, gos and shown hands.

It must never import anything of the product; it was written from sections 1 and 3 of the rules reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.bookkeeper.by_the_rules import count_hand
from tests.bookkeeper.deal_by_the_rules import Deal
from tests.bookkeeper.lights_by_the_rules import NAMES, Difference

Entry = Mapping[str, Any]


def seat_of(entry: Entry) -> int:
    """The seat that speaks. A diary need not name it where each side has one seat."""
    for key in ("seat", "side", "call"):
        if key in entry:
            return int(entry[key])
    raise ValueError(f"nobody says {entry}")


def look_over_shoulders(deal: Deal, entry: Entry) -> Iterator[Difference]:
    """Learn the cards of trust, where none is scanned: robots say aloud what they turn and lay, and who wins a go."""
    seat = seat_of(entry)
    match entry["for"]:
        case "turned":
            deal.turn_up(entry["card"])
        case "laid":
            yield "seat to play", deal.play.turn, seat
            yield f"the {entry['card']} can be laid", True, deal.lay(entry["card"]) is not None
        case "gowon":
            yield "seat that wins the go", deal.play.last, seat
            if deal.play.stack:
                deal.play.end_count()
        case "counted":
            cards = entry["cards"].split()
            yield "cards in a hand", deal.rules.hand, len(cards)
            if deal.rules.single_series:  # what stays in the hand is seen only now
                deal.unplayed[seat] = [card for card in cards if card not in deal.play.laid[seat]]


def check(deal: Deal, entry: Entry, *, at: int) -> Iterator[Difference]:
    """Compare a call with what the cards are worth to a side at this score."""
    side, rules = entry["call"], deal.rules
    if not deal.starter:
        yield f"starter before {NAMES[side]} called ({entry['for']})", "one", "none"
        return
    match entry["for"]:
        case "gowon":
            worth = deal.called_go(at)
        case "turned" | "laid":
            worth = deal.called(entry["points"], at)
        case "counted":
            cards = entry["cards"].split()
            worth = rules.worth(count_hand(cards, deal.starter, rules=rules), at)
            yield from _check_hand(deal, seat_of(entry), cards)
        case _:
            worth = rules.worth(count_hand(entry["cards"].split(), deal.starter, rules=rules, crib=True), at)
    yield f"worth of what {NAMES[side]} called for ({entry['for']})", worth, entry["points"]


def _check_hand(deal: Deal, seat: int, cards: Sequence[str]) -> Iterator[Difference]:
    yield f"hand of seat {seat}", set(deal.hand(seat)), set(cards)
    yield "cards that fitted when their owner said go", [], deal.false_gos()
