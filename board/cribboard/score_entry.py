"""A score that is settled, as everybody at the table may know it."""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.cards import Card
from cribboard.events import Awarded, ClaimJudged, MugginsRuled, PassTakenBack, SetBack, ThreeForLast


@dataclass(frozen=True, slots=True)
class Scored:
    """Points that are settled: with event `number` they came, and `what` they are for, None where a table trusts and
    nobody knows. `points` is how far the front peg moved, back where it is less than 0, and `score` where it stood
    then; of a claim or of muggins that was called too low `what` tells what was lost. `seat` is whose claim it was; of
    a hand or a crib `cards` are those that were counted with the `starter`."""

    number: int
    deal: int
    side: int
    seat: int | None
    what: ClaimJudged | MugginsRuled | Awarded | ThreeForLast | SetBack | PassTakenBack | None
    points: int
    score: int
    cards: tuple[Card, ...] = ()
    starter: Card | None = None
