"""The terms of events, as enumerations: verdicts, the rules behind verdicts, and occasions to claim.

The values are those that records and journals hold; none may change.
"""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """The verdict on a claim."""

    EXACT = "exact"
    TOO_MANY = "too-many"
    TOO_FEW = "too-few"
    OUT_OF_TURN = "out-of-turn"
    TOO_LATE = "too-late"
    IMPOSSIBLE = "impossible"
    SINGLE_POINT = "single-point"
    UNVERIFIED = "unverified"
    NOTHING_MISSED = "nothing-missed"


class Ground(StrEnum):
    """The rule behind a ruling: `COUNT`, `ORDER`, `IMPOSSIBLE`, `UNREAD`, or the name of a parameter.

    `cribboard.rules.cited` has its number if there is one."""

    COUNT = "count"  # what the cards count
    ORDER = "order"  # one count after the other
    IMPOSSIBLE = "impossible"  # no hand counts this
    UNREAD = "unread"  # a card that no reader could read
    OVER_CLAIM = "over_claim"
    UNDER_CLAIM = "under_claim"
    LATE_CLAIM = "late_claim"
    FALSE_GAME = "false_game_penalty"
    MUGGINS = "muggins"
    WRONG_CALL = "muggins_wrong_call"
    RENEGE = "renege"
    SINGLE_POINT = "no_single_point_from"


class Bar(StrEnum):
    """The reason why points move no peg: a single point near the end, or more points than holes are left."""

    SINGLE_POINT = "single-point"
    EXACT_OUT = "exact-out"


class Occasion(StrEnum):
    """The event or cards that give points to claim: his heels, a card, a go, a hand or the crib."""

    HEELS = "heels"
    CARD = "card"
    GO = "go"
    HAND = "hand"
    CRIB = "crib"


#: Occasions of the show. All others are of the play.
OF_SHOW = (Occasion.HAND, Occasion.CRIB)


class Doubt(StrEnum):
    """The question that the board asks about a peg in hand before it accepts the hole."""

    NONE = "none"
    NINETEEN = "nineteen"
    FAR = "far"


class Timing(StrEnum):
    """The timing of a claim: before the next card, or after it."""

    IN_TIME = "in-time"
    LATE = "late"
