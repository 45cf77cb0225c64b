"""Turns scanned cards into actions of the game (7.6).

`card_action` parses the text and gives the card to the seat that is to act. Pure, a part of `interpret`. Readers are
noisy: a refusal of a half legible card names the cards that it may be.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from cribboard.actions import CutForDeal, LayCard, ReadCrib, ShowCard, TurnStarter
from cribboard.cards import PACK, Card, NotationError
from cribboard.deal.starter import waits_for_starter
from cribboard.position import Phase, Position
from cribd.inputs import MultipleCards, MultipleTags, OtherDeck, ReadFailed, TagRead, UnknownTag
from cribd.table.commands import InputMeaning
from cribd.table.snapshot import Refusal
from cribd.terminal import printable

#: How many characters of an unreadable text are shown.
_SHOWN_CHARACTERS = 8
#: How many characters of a tag's number are shown: its end, where the tags of one deck differ most.
_TAG_SHOWN = 6
#: The most cards that are named as possible meanings of a half legible text.
_MAY_BE = 4
_RANK_ALONE = re.compile("(10|[A2-9TJQK])[^A-Z0-9]")
_SUIT_ALONE = re.compile("[^A-Z0-9]{1,2}([CDHS])")


def card_action(p: Position, text: str, side: int | None) -> InputMeaning:
    """Return the action with the scanned card, or a refusal.

    `side` is the owner of the reader; None if the sides share it (rules reference, 7.6)."""
    try:
        card = Card.parse(text.strip())
    except NotationError:
        return not_a_card(text.strip(), p.seen)
    match p.phase:
        case Phase.CUT:
            return CutForDeal(_seat_in_turn(p, side, p.to_cut), card)
        case Phase.PLAY:
            return LayCard(_seat_in_turn(p, side, p.turn), card)
        case Phase.SHOW if waits_for_starter(p):
            return TurnStarter(card)
        case Phase.SHOW:
            return ReadCrib(card) if p.to_show is None else ShowCard(_seat_in_turn(p, side, p.to_show), card)
        case _:
            return TurnStarter(card)


def _seat_in_turn(p: Position, side: int | None, asked: int | None) -> int:
    """Return the seat for which a card is scanned.

    Usually it is `asked`. At the reader of another side, it is a seat of that side: the referee refuses the card."""
    if side is None or side not in p.rules.sides or (asked is not None and p.rules.side_of(asked) == side):
        return 0 if asked is None else asked
    return next(seat for seat in p.rules.seats if p.rules.side_of(seat) == side)


def not_a_card(text: str, seen: Callable[[Card], bool]) -> Refusal:
    """Return the refusal of a text that names no card.

    If half of the text is legible, the refusal names the unseen cards that fit."""
    half, found = half_legible(text)
    left = [card for card in found if not seen(card)]
    if not left:
        return Refusal("no_such_card", {"text": printable(text)[:_SHOWN_CHARACTERS] or "?"})
    return Refusal("unclear_card", {"half": half, "cards": tuple(left[:_MAY_BE])})


def half_legible(text: str) -> tuple[str, tuple[Card, ...]]:
    """Find the cards that a half-legible text may mean.

    Only the rank or the suit is legible. If neither is, return "" and no cards.

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


def scan_refused(scan: ReadFailed | MultipleCards | MultipleTags | OtherDeck | UnknownTag | TagRead) -> Refusal:
    """Return the refusal of an unusable scan (7.6).

    The refusal is the same in every mode."""
    match scan:
        case OtherDeck(deck):
            return Refusal("other_deck", {"deck": deck})
        case UnknownTag(uid) | TagRead(uid):
            return Refusal("unknown_tag", {"uid": uid[-_TAG_SHOWN:]})
        case MultipleCards((one, other, *_)):
            return Refusal("two_cards", {"one": _named(one), "other": _named(other)})
        case _:
            return Refusal("read_again")


def _named(text: str) -> Card | str:
    """Return the card with this name; "…" if there is none."""
    try:
        return Card.parse(text.strip())
    except NotationError:
        return "…"
