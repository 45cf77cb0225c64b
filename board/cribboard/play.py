"""Score the cards that are laid in the play.

They score for fifteen, thirty-one, pairs and runs (rules reference, 1.17 to 1.22). The stack holds the cards of the
running count, oldest first. Go and the last card depend on who holds cards: `cribboard.deal.claim_windows` has them.
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.cards import Card
from cribboard.rules import Rules
from cribboard.scoring import Combination, Kind

#: The count that no card may pass.
LIMIT = 31

#: At this running count or less every card can be laid, so nobody can say go.
ANY_CARD_FITS = LIMIT - 10

_ALIKE = {2: (Kind.PAIR, 2), 3: (Kind.PAIR_ROYAL, 6), 4: (Kind.DOUBLE_PAIR_ROYAL, 12)}


def count(stack: Sequence[Card]) -> int:
    """Add up the running count of the stack.

    >>> count(Card.parse_many("7C 8D KS"))
    25
    """
    return sum([card.value for card in stack])


def score_play(stack: Sequence[Card], card: Card, *, rules: Rules | None = None) -> tuple[Combination, ...]:
    """Find the combinations that `card` makes on `stack`.

    Each combination lists its cards, oldest first.

    Without `rules` the usual ones hold. Raises `ValueError` for a card that passes 31.

    >>> for combination in score_play(Card.parse_many("4C 6D"), Card.parse("5S")):
    ...     print(combination.kind, *combination.cards, combination.points)
    fifteen 4C 6D 5S 2
    run 4C 6D 5S 3
    """
    laid = (*stack, card)
    reached = count(laid)
    if reached > LIMIT:
        raise ValueError(f"{card} passes {LIMIT}: the count would be {reached}")

    found = []
    if reached == 15:
        found.append(Combination(Kind.FIFTEEN, laid, 2))
    if reached == LIMIT:
        found.append(Combination(Kind.THIRTY_ONE, laid, 2 if rules is None else rules.deal_and_play.thirty_one))

    alike = 1
    while alike < len(laid) and laid[-alike - 1].rank is card.rank:
        alike += 1
    if alike in _ALIKE:
        kind, points = _ALIKE[alike]
        found.append(Combination(kind, laid[-alike:], points))

    length = _run(laid)
    if length:
        found.append(Combination(Kind.RUN, laid[-length:], length))
    return tuple(found)


def _run(laid: Sequence[Card]) -> int:
    """Return the length of the run at the end, or 0."""
    for length in range(len(laid), 2, -1):
        ranks = {card.rank for card in laid[-length:]}
        if len(ranks) == length and max(ranks) - min(ranks) == length - 1:
            return length
    return 0
