"""What can be set in a set of rules: every parameter with its meaning, what it may be, and where it comes from.

Rules are data. Nothing here plays; nothing elsewhere holds a rule's number. The parameter names are the field's own
(rules reference, section 2) and stand in three parts: how cards are dealt and played, how scores are claimed, and
what makes a game. How an event of many games is run is no part of a game's rules.

Each field carries what it `says`, the whole numbers from `low` to `high` that it may hold (an enum allows its members),
and its `source`: who has the value that holds where a preset's own source is silent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Way(StrEnum):
    """How a table scores: the call is the truth, the call is compared, or the board calls."""

    TRUST = "trust"
    VERIFY = "verify"
    AUTO = "auto"


class Option(StrEnum):
    """A rule that is played or not."""

    OFF = "off"
    ON = "on"


class SixPlayerDeal(StrEnum):
    """Six hands of four make a crib of four only if two seats give nothing to it, or if two discards are buried."""

    SHORT_HANDS = "short-hands"
    BURY = "bury"


class FirstDeal(StrEnum):
    LOW_CUT = "low_cut"
    HIGH_CUT = "high_cut"


class CutTie(StrEnum):
    """Who cuts again where the best cut is tied: everybody, or those alone who tied."""

    RECUT = "recut"
    TIED_RECUT = "tied_recut"


class Cutter(StrEnum):
    """Who cuts for the starter: the dealer's only opponent, or the seat on his right or left."""

    PONE = "pone"
    RIGHT = "right"
    LEFT = "left"


class ExposedCut(StrEnum):
    """A card seen beside the cut: nothing, a new deal by the same dealer, or the top card stands all the same."""

    IGNORE = "ignore"
    REDEAL = "redeal"
    TOP_CARD_STANDS = "top_card_stands"


class HeelsTiming(StrEnum):
    """What becomes of heels that are not claimed before the dealer's own first card: they are late, like any points; or
    they are lost."""

    AT_CUT = "at_cut"
    BEFORE_DEALER_PLAYS = "before_dealer_plays"


class CribFlush(StrEnum):
    FIVE_ONLY = "five_only"
    FOUR_OK = "four_ok"


class LateClaim(StrEnum):
    """Points that are pressed after the next card was laid: given if the other side agrees, or refused."""

    AGREED = "agreed"
    REFUSED = "refused"


class Telling(StrEnum):
    """What the board tells of a call. Tournament: nothing before the other side has answered it; club: the verdict as
    soon as the peg is let go; guest: and what may be looked for before it; coach: and the whole count after it."""

    TOURNAMENT = "tournament"
    CLUB = "club"
    GUEST = "guest"
    COACH = "coach"


class OverClaim(StrEnum):
    """A call of too many: set to the truth, or what was too much goes to the other side as well."""

    CORRECT = "correct"
    AWARD_EXCESS = "award_excess"


class WrongCall(StrEnum):
    """Muggins that was called where nothing was missed: nothing, or the points go to the other side."""

    NOTHING = "nothing"
    REVERSE = "reverse"


class Renege(StrEnum):
    """A go of who could have laid a card: told, and taken back if both sides want it; or two points for each such card
    to the other side, which says whether play goes back to it."""

    REFUSE = "refuse"
    TWO_PER_CARD = "two_per_card"


class UndoBy(StrEnum):
    """Who lets an act be taken back: anybody; where cards are read the other side; or both sides, always."""

    FREE = "free"
    AGREED = "agreed"
    OFFICIAL = "official"


class SinglePointRule(StrEnum):
    """What cannot be scored near the end: a move of exactly one hole, every combination worth one, or only the last
    hole by one."""

    MOVE = "move"
    COMPONENT = "component"
    OUT_ONLY = "out_only"


class Standings(StrEnum):
    """What a match is won by: so many games, or the most points or game points after so many games."""

    WINS = "wins"
    POINTS = "points"
    GAME_POINTS = "game_points"


class NextGameDeal(StrEnum):
    LOSER = "loser"
    ALTERNATE = "alternate"
    CUT = "cut"


ALL = "every source that speaks of it"


def _set(says: str, *, low: int = 0, high: int = 0, source: str = ALL) -> Any:
    return {"says": says, "low": low, "high": high, "source": source}


@dataclass(frozen=True, slots=True, kw_only=True)
class DealAndPlay:
    """How cards are dealt, laid and counted. Points are points, cards are cards, `players` sit at the table."""

    players: int = field(default=2, metadata=_set("seats at the table", low=2, high=6, source="Wikipédia"))
    teams: int = field(
        default=2, metadata=_set("sides, each with its track; partners sit opposite", low=2, high=3, source="Wikipédia")
    )
    cards_dealt: int = field(default=6, metadata=_set("cards dealt to a seat", low=4, high=6))
    discards: int = field(
        default=2, metadata=_set("cards that a seat gives to the crib, which the pack completes to four", low=1, high=2)
    )
    six_player_deal: SixPlayerDeal = field(
        default=SixPlayerDeal.SHORT_HANDS,
        metadata=_set(
            "how a crib of four comes about: dealer and right neighbour get a card less, or two discards are buried",
            source="short-hands: regles2jeux, ourpastimes; bury: emeraldimp, cribwars",
        ),
    )
    first_deal: FirstDeal = field(
        default=FirstDeal.LOW_CUT, metadata=_set("which cut deals first, the ace being lowest")
    )
    cut_tie: CutTie = field(default=CutTie.RECUT, metadata=_set("who cuts again where the best cut is tied"))
    cutter: Cutter = field(default=Cutter.PONE, metadata=_set("who cuts for the starter"))
    exposed_cut: ExposedCut = field(
        default=ExposedCut.IGNORE,
        metadata=_set(
            "what follows when the cut shows another card than the starter",
            source="only Jeux 50+ and ACC say what follows, and they differ; elsewhere nothing does",
        ),
    )
    his_heels: int = field(default=2, metadata=_set("points for the dealer when the starter is a jack", high=10))
    heels_timing: HeelsTiming = field(
        default=HeelsTiming.AT_CUT,
        metadata=_set("how long his heels may be claimed", source="five-card, Britannica, Jeux 50+"),
    )
    single_series: Option = field(
        default=Option.OFF,
        metadata=_set("the play is over with the first 31 or go", source="known to the five-card document alone"),
    )
    must_play_after_go: Option = field(
        default=Option.ON,
        metadata=_set(
            "who can lay a card after a go must",
            source="Wikipédia, FADOQ, Britannica, Jeux 50+, ACC; for five cards decided",
        ),
    )
    go: int = field(default=1, metadata=_set("points for the last to lay, short of 31", high=10))
    thirty_one: int = field(default=2, metadata=_set("points for exactly 31", high=10))
    last_card: int = field(default=1, metadata=_set("points for the last card of all, short of 31", high=10))
    hand_flush_min: int = field(
        default=4, metadata=_set("cards of one suit that make a flush in a hand", low=3, high=5)
    )
    crib_flush: CribFlush = field(
        default=CribFlush.FIVE_ONLY, metadata=_set("what makes a flush in the crib", source="Britannica, Jeux 50+, ACC")
    )
    his_nobs: int = field(
        default=1,
        metadata=_set("points for the jack of the starter's suit", high=10, source="Wikipédia, FADOQ, Britannica"),
    )
    three_for_last: int = field(
        default=0,
        metadata=_set(
            "points for the non-dealer on the first deal", high=10, source="known to the five-card document alone"
        ),
    )

    @property
    def hand_size(self) -> int:
        """Cards that a seat keeps: what it lays in the play and counts at the show."""
        return self.cards_dealt - self.discards

    @property
    def cards_from_seats(self) -> int:
        """Cards of the crib that the seats give. Of six seats two give none to it, whichever deal is played."""
        return (self.players if self.players != 6 else 4) * self.discards

    @property
    def crib_from_pack(self) -> int:
        """Cards of the pack that complete the crib to four."""
        return CRIB_SIZE - self.cards_from_seats


CRIB_SIZE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """How a called score is taken, accepted and taken back."""

    late_claim: LateClaim = field(
        default=LateClaim.AGREED,
        metadata=_set(
            "what becomes of points that are claimed after the next card",
            source="decided: old rulebooks refuse it; where a document is silent the other side may be kind",
        ),
    )
    telling: Telling = field(
        default=Telling.CLUB,
        metadata=_set(
            "what the board tells of a call, and when",
            source="decided: the truth at once where no document forbids help (ACC 9.5 does)",
        ),
    )
    over_claim: OverClaim = field(
        default=OverClaim.CORRECT,
        metadata=_set(
            "what becomes of points that were called too many",
            source="decided: no document knows a penalty; old laws and ACC give them away",
        ),
    )
    false_game_penalty: int = field(
        default=0,
        metadata=_set("holes back for a false claim of the game", high=30, source="known to ACC alone"),
    )
    muggins: Option = field(
        default=Option.OFF,
        metadata=_set(
            "the other side may take what a call left out", source="Britannica, ACC: an option announced beforehand"
        ),
    )
    muggins_wrong_call: WrongCall = field(
        default=WrongCall.NOTHING,
        metadata=_set("what muggins costs where nothing was missed", source="known to ACC alone"),
    )
    muggins_on_heels: Option = field(
        default=Option.ON,
        metadata=_set("muggins may be called on his heels too", source="decided: ACC alone excepts them"),
    )
    renege: Renege = field(
        default=Renege.REFUSE,
        metadata=_set(
            "what follows a go of who could have laid a card",
            source="decided: told, and taken back by agreement; ACC alone has a penalty",
        ),
    )
    peg_release_final: Option = field(
        default=Option.ON,
        metadata=_set(
            "a peg that was let go moves no more; off: its owner may add to it until it is accepted",
            source="Jeux 50+, ACC",
        ),
    )
    verify_ack: Option = field(
        default=Option.OFF,
        metadata=_set(
            "a count waits for the other side's OK; off: its own next count says OK too",
            source="decided: a press less, unless the document wants time to verify (Jeux 50+, FADOQ)",
        ),
    )
    undo: UndoBy = field(
        default=UndoBy.AGREED,
        metadata=_set(
            "who lets an act be taken back: anybody, the other side where cards are read, or both sides",
            source="decided: no document knows one; who lays a wooden peg back asks across the table",
        ),
    )

    @property
    def silent(self) -> bool:
        """Whether a call that cards could verify is judged only when the other side has answered it: to tell the truth
        earlier would help who has to find it (ACC 9.5)."""
        return (
            self.telling is Telling.TOURNAMENT or self.muggins is Option.ON or self.over_claim is OverClaim.AWARD_EXCESS
        )

    @property
    def takes_late(self) -> bool:
        """Whether the other side may give points that were forgotten; with muggins they are the other side's (7.5)."""
        return self.late_claim is LateClaim.AGREED and self.muggins is Option.OFF


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules:
    """Where a game ends, what it counts, and who deals the next. A line is crossed by a loser's score below it."""

    target: int = field(default=121, metadata=_set("the game hole", low=31, high=121))
    exact_out: Option = field(
        default=Option.OFF,
        metadata=_set("a score that would pass the game hole counts nothing", source="five-card, Wikipédia, FADOQ"),
    )
    no_single_point_from: int | None = field(
        default=None,
        metadata=_set("from this hole on nobody advances by one point", low=1, high=120, source="known to FADOQ alone"),
    )
    single_point_rule: SinglePointRule = field(
        default=SinglePointRule.MOVE,
        metadata=_set(
            "what cannot advance by one: the whole move, each combination, or the way out",
            source="decided: FADOQ speaks of advancing, so of the move of the peg",
        ),
    )
    skunk_line: int | None = field(
        default=None,
        metadata=_set(
            "a loser below this hole is skunked",
            low=2,
            high=120,
            source="decided: off where a document has none, three sides play, or points are added up",
        ),
    )
    double_skunk_line: int | None = field(
        default=None,
        metadata=_set("a loser below this hole is skunked twice", low=2, high=120, source="known to ACC alone"),
    )
    win_value: int = field(default=1, metadata=_set("what a game won counts for the match", low=1, high=9))
    skunk_value: int = field(
        default=2, metadata=_set("what a skunk counts for the match", low=1, high=9, source="Wikipédia, Britannica")
    )
    double_skunk_value: int = field(
        default=3,
        metadata=_set(
            "what a double skunk counts for the match",
            low=1,
            high=9,
            source="decided: the tables of clubs know 2 and 3 only; 4 can be set",
        ),
    )
    match: int = field(
        default=7, metadata=_set("games that win a match, or that are played in it", low=1, high=99, source="Wikipédia")
    )
    standings: Standings = field(
        default=Standings.WINS,
        metadata=_set("what decides a match: games won, points pegged, or game points", source="Wikipédia"),
    )
    next_game_deal: NextGameDeal = field(
        default=NextGameDeal.LOSER,
        metadata=_set(
            "who deals first in the next game: the loser, by turns, or a new cut",
            source="Bicycle: among friends the loser; events cut",
        ),
    )
    sealed: Option = field(
        default=Option.OFF,
        metadata=_set(
            "whether what came of a game is told at its own table alone, until the organiser opens the results",
            source="silent: nobody but FADOQ seals results",
        ),
    )
