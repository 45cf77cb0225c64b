"""What a card before a reader means in a game, and why it means nothing (7.6).

Pure. Readers are noisy, so what they say is evidence: what is half legible is told with the cards that it may be.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from cribboard.actions import (
    CutForDeal,
    LayCard,
    ReadCrib,
    ShowCard,
    TurnStarter,
)
from cribboard.cards import PACK, Card, NotationError
from cribboard.position import Phase, Position
from cribboard.starter import waits_for_starter
from cribd.inputs import CardsTogether, OtherDeck, ReadFailed, TagRead, TagsTogether, UnknownTag
from cribd.table.commands import Answer
from cribd.table.snapshot import Refusal
from cribd.terminal import printable

#: Longer rubbish from a reader is cut here before it is shown.
_SHOWN = 8
#: Of a tag's number its end is shown, where tags of one deck differ most.
_TAG_SHOWN = 6
#: Of the cards that a half legible text may be, so many are told.
_MAY_BE = 4
_RANK_ALONE = re.compile("(10|[A2-9TJQK])[^A-Z0-9]")
_SUIT_ALONE = re.compile("[^A-Z0-9]{1,2}([CDHS])")


def card_read(p: Position, text: str, side: int | None) -> Answer:
    """7.6: a scan belongs to the seat that is to act; at a reader of one side's own it is that side's."""
    try:
        card = Card.parse(text.strip())
    except NotationError:
        return no_card(text.strip(), p.seen)
    match p.phase:
        case Phase.CUT:
            return CutForDeal(_whose(p, side, p.to_cut), card)
        case Phase.PLAY:
            return LayCard(_whose(p, side, p.turn), card)
        case Phase.SHOW if waits_for_starter(p):
            return TurnStarter(card)
        case Phase.SHOW:
            return ReadCrib(card) if p.to_show is None else ShowCard(_whose(p, side, p.to_show), card)
        case _:
            return TurnStarter(card)


def _whose(p: Position, side: int | None, asked: int | None) -> int:
    """The seat that is asked, unless the reader is another side's: then a seat of that side, which is not."""
    if side is None or side not in p.rules.sides or (asked is not None and p.rules.side_of(asked) == side):
        return 0 if asked is None else asked
    return next(seat for seat in p.rules.seats if p.rules.side_of(seat) == side)


def no_card(text: str, seen: Callable[[Card], bool]) -> Refusal:
    """What is half legible is told with the cards that it may be: those that were not seen yet."""
    half, found = half_legible(text)
    left = [card for card in found if not seen(card)]
    if not left:
        return Refusal("no_such_card", {"text": printable(text)[:_SHOWN] or "?"})
    return Refusal("unclear_card", {"half": half, "cards": tuple(left[:_MAY_BE])})


def half_legible(text: str) -> tuple[str, tuple[Card, ...]]:
    """What can be read of a card with one legible corner, "…" for the rest, and the cards that it may be; none if
    there is nothing in it.

    >>> half, cards = half_legible("5?")
    >>> half, [str(card) for card in cards]
    ('5…', ['5C', '5D', '5H', '5S'])
    """
    if found := _RANK_ALONE.fullmatch(text.upper()):
        rank = Card.parse(f"{found[1]}C").rank
        return f"{found[1]}…", tuple(card for card in PACK if card.rank is rank)
    if found := _SUIT_ALONE.fullmatch(text.upper()):
        suit = Card.parse(f"A{found[1]}").suit
        return f"…{found[1]}", tuple(card for card in PACK if card.suit is suit)
    return "", ()


def not_read(fact: ReadFailed | CardsTogether | TagsTogether | OtherDeck | UnknownTag | TagRead) -> Refusal:
    """7.6: what lay before a reader and is no card of this table, whatever is asked now."""
    match fact:
        case OtherDeck(deck):
            return Refusal("other_deck", {"deck": deck})
        case UnknownTag(uid) | TagRead(uid):
            return Refusal("unknown_tag", {"uid": uid[-_TAG_SHOWN:]})
        case CardsTogether((one, other, *_)):
            return Refusal("two_cards", {"one": _named(one), "other": _named(other)})
        case _:
            return Refusal("read_again")


def _named(text: str) -> Card | str:
    """A card for whoever tells of it; "…" for what is none."""
    try:
        return Card.parse(text.strip())
    except NotationError:
        return "…"
