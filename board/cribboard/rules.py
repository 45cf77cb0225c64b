"""How cards are dealt, played, counted and claimed: the presets, named and versioned.

Rules are data. Nothing here plays; nothing elsewhere holds a rule's number. The parameter names are the field's own
(rules reference, section 2) and stand in three parts: how cards are dealt and played, how scores are claimed, and
what makes a game. How an event of many games is run is no part of a game's rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from types import MappingProxyType


class Way(StrEnum):
    """How a table scores: the call is the truth, the call is compared, or the board calls."""

    TRUST = "trust"
    VERIFY = "verify"
    AUTO = "auto"


class Option(StrEnum):
    """A house rule that is played or not."""

    OFF = "off"
    ON = "on"


class SixPlayerDeal(StrEnum):
    SHORT_HANDS = "short-hands"
    BURY = "bury"


class FirstDeal(StrEnum):
    LOW_CUT = "low_cut"


class CutTie(StrEnum):
    RECUT = "recut"


class Cutter(StrEnum):
    PONE = "pone"
    RIGHT = "right"
    LEFT = "left"


class HeelsTiming(StrEnum):
    AT_CUT = "at_cut"
    BEFORE_DEALER_PLAYS = "before_dealer_plays"


class Series(StrEnum):
    """Whether the count starts again after 31 or go, or the play is over with the first (five-card)."""

    MANY = "many"
    SINGLE = "single"


class CribFlush(StrEnum):
    FIVE_ONLY = "five_only"
    FOUR_OK = "four_ok"


class ExposedCut(StrEnum):
    IGNORE = "ignore"
    REDEAL = "redeal"
    TOP_CARD_STANDS = "top_card_stands"


class OverClaim(StrEnum):
    CORRECT = "correct"
    AWARD_EXCESS = "award_excess"


class UnderClaim(StrEnum):
    STANDS = "stands"


class LateClaim(StrEnum):
    AGREED = "agreed"
    REFUSED = "refused"


class Renege(StrEnum):
    REFUSE = "refuse"
    TWO_PER_CARD = "two_per_card"


class UndoBy(StrEnum):
    """Who lets an act be taken back: anybody, the other side, or both with the record saying so."""

    FREE = "free"
    AGREED = "agreed"
    OFFICIAL = "official"


class NextGameDeal(StrEnum):
    LOSER = "loser"
    ALTERNATE = "alternate"
    CUT = "cut"


@dataclass(frozen=True, slots=True, kw_only=True)
class DealAndPlay:
    """How cards are dealt, laid and counted. Points are points, cards are cards, `players` sit at the table."""

    players: int = 2
    teams: int = 2
    cards_dealt: int = 6
    discards: int = 2
    crib_from_pack: int = 0
    six_player_deal: SixPlayerDeal = SixPlayerDeal.SHORT_HANDS
    first_deal: FirstDeal = FirstDeal.LOW_CUT
    cut_tie: CutTie = CutTie.RECUT
    cutter: Cutter = Cutter.PONE
    exposed_cut: ExposedCut = ExposedCut.IGNORE
    his_heels: int = 2
    heels_timing: HeelsTiming = HeelsTiming.AT_CUT
    single_series: Series = Series.MANY
    must_play_after_go: Option = Option.ON
    go: int = 1
    thirty_one: int = 2
    last_card: int = 1
    hand_flush_min: int = 4
    crib_flush: CribFlush = CribFlush.FIVE_ONLY
    his_nobs: int = 1
    three_for_last: int = 0

    @property
    def hand_size(self) -> int:
        """Cards that a seat keeps: what it lays in the play and counts at the show."""
        return self.cards_dealt - self.discards


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """How a called score is judged, and what a slip costs."""

    muggins: Option = Option.OFF
    over_claim: OverClaim = OverClaim.CORRECT
    under_claim: UnderClaim = UnderClaim.STANDS
    late_claim: LateClaim = LateClaim.AGREED
    peg_release_final: Option = Option.ON
    verify_ack: Option = Option.ON
    renege: Renege = Renege.REFUSE
    false_game_penalty: int = 0
    undo: UndoBy = UndoBy.AGREED


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules:
    """Where a game ends, what it counts, and who deals the next. A line is crossed by a loser's score below it."""

    target: int = 121
    exact_out: Option = Option.OFF
    no_single_point_from: int | None = None
    skunk_line: int | None = 90
    double_skunk_line: int | None = None
    skunk_value: int = 2
    match: int = 7
    next_game_deal: NextGameDeal = NextGameDeal.LOSER


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One set of rules, by the name and version that a game record gives."""

    name: str
    version: int = 1
    deal_and_play: DealAndPlay = field(default_factory=DealAndPlay)
    claims: Claims = field(default_factory=Claims)
    game: GameRules = field(default_factory=GameRules)

    @property
    def label(self) -> str:
        """Name and version as records spell them.

        >>> RULES["six-card"].label
        'six-card/1'
        """
        return f"{self.name}/{self.version}"

    def side_of(self, seat: int) -> int:
        """The side that this seat plays for; partners sit opposite each other."""
        return seat % self.deal_and_play.teams

    def left_of(self, seat: int) -> int:
        """The next seat clockwise."""
        return (seat + 1) % self.deal_and_play.players

    def departures(self) -> tuple[str, ...]:
        """Parameters whose value this version cannot play, each as a sentence; none means that a game can start."""
        played = _PLAYED
        parts = (
            (self.deal_and_play, played.deal_and_play),
            (self.claims, played.claims),
            (self.game, played.game),
        )
        return tuple(
            f"{entry.name} = {getattr(mine, entry.name)!s} is not played yet; allowed: {getattr(ours, entry.name)!s}"
            for mine, ours in parts
            for entry in fields(mine)
            if entry.name not in _FREE and getattr(mine, entry.name) != getattr(ours, entry.name)
        )


#: Plain numbers that the game reads wherever they apply, so any value of them can be played.
_FREE = frozenset(
    {
        "his_heels", "go", "thirty_one", "last_card", "his_nobs", "crib_flush", "target", "skunk_line",
        "skunk_value", "match", "late_claim", "next_game_deal",
    }
)  # fmt: skip

_PLAYED = Rules(name="six-card")

RULES: Mapping[str, Rules] = MappingProxyType({rules.name: rules for rules in (_PLAYED,)})
