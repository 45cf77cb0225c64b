"""An entry of the score log, public at the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from cribboard import events
from cribboard.cards import Card

#: What settles a score.
Settled: TypeAlias = (
    events.ClaimJudged | events.MugginsRuled | events.Awarded | events.ThreeForLast | events.SetBack
    | events.PassTakenBack
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScoreEntry:
    """A settled change of a side's score."""

    number: int  # of the event that settled them
    deal: int
    side: int
    seat: int | None  # whose claim it was
    what: Settled | None  # what the points are for; None on trust, where it is unknown
    points: int  # how far the front peg moved; below 0 it moved back
    score: int  # where the front peg stood then
    cards: tuple[Card, ...] = ()  # the hand or crib that was counted
    starter: Card | None = None
