"""The terms of events, as enumerations.

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
    """The rule behind a ruling.

    Most values are names of parameters. `cribboard.rules.cited` has the number of the rule if there is one."""

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
    """The reason why points move no peg."""

    SINGLE_POINT = "single-point"
    EXACT_OUT = "exact-out"


class Occasion(StrEnum):
    """The event or cards that give points to claim."""

    HEELS = "heels"
    CARD = "card"
    GO = "go"
    HAND = "hand"
    CRIB = "crib"


#: Occasions of the show. All others are of the play.
OF_SHOW = (Occasion.HAND, Occasion.CRIB)


class Doubt(StrEnum):
    """The board's question about a peg in hand."""

    NONE = "none"
    NINETEEN = "nineteen"
    FAR = "far"


class Timing(StrEnum):
    """Whether a claim came before or after the next card."""

    IN_TIME = "in-time"
    LATE = "late"
