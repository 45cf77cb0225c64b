"""The parameters of the rules (rules reference, section 2).

Rules are data: what differs between rule sets stands here, and in the presets.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Way(StrEnum):
    """The way in which a table scores."""

    TRUST = "trust"  # the call is the truth
    VERIFY = "verify"  # the call is compared with the cards
    AUTO = "auto"  # the board calls


class Option(StrEnum):
    """The values of a parameter that is on or off."""

    OFF = "off"
    ON = "on"


class SixPlayerDeal(StrEnum):
    """The way in which six players make a crib of four."""

    SHORT_HANDS = "short-hands"  # two seats get a card less and discard none
    BURY = "bury"  # two discards are buried


class FirstDeal(StrEnum):
    """The cut that gives the first deal."""

    LOW_CUT = "low_cut"
    HIGH_CUT = "high_cut"


class CutTie(StrEnum):
    """The seats that cut again after a tie."""

    RECUT = "recut"  # every seat
    TIED_RECUT = "tied_recut"  # the seats that tied


class Cutter(StrEnum):
    """The seat that cuts for the starter."""

    PONE = "pone"  # the dealer's only opponent
    RIGHT = "right"  # the seat to the dealer's right
    LEFT = "left"  # the seat to the dealer's left


class ExposedCut(StrEnum):
    """The consequence of an exposed card at the cut."""

    IGNORE = "ignore"  # nothing
    REDEAL = "redeal"  # the same dealer deals again
    TOP_CARD_STANDS = "top_card_stands"  # the top card is the starter


class HeelsTiming(StrEnum):
    """What happens to unclaimed heels when the dealer lays a card."""

    AT_CUT = "at_cut"  # it is late, like any points
    BEFORE_DEALER_PLAYS = "before_dealer_plays"  # it is lost


class CribFlush(StrEnum):
    """The cards that make a flush in the crib."""

    FIVE_ONLY = "five_only"
    FOUR_OK = "four_ok"


class LateClaim(StrEnum):
    """The treatment of points that are claimed after the next card."""

    AGREED = "agreed"  # they are given if the other side agrees
    REFUSED = "refused"


class Telling(StrEnum):
    """The information that the board shows about a call.

    From `GUEST` on, each level also shows what the level before shows."""

    TOURNAMENT = "tournament"  # nothing before the other side has answered it
    CLUB = "club"  # the verdict as soon as the peg is released
    GUEST = "guest"  # also what may be looked for before the call
    COACH = "coach"  # also the whole count after it


class OverClaim(StrEnum):
    """The treatment of a call of too many points."""

    CORRECT = "correct"  # it is set to the truth
    AWARD_EXCESS = "award_excess"  # and the other side gets the excess


class WrongMugginsCall(StrEnum):
    """The consequence of a muggins call when nothing was missed."""

    NOTHING = "nothing"
    REVERSE = "reverse"  # the other side gets the points


class Renege(StrEnum):
    """The consequence of a false go."""

    ANNOUNCE = "refuse"  # it is told, and play goes back if both sides agree
    TWO_PER_CARD = "two_per_card"  # the other side gets two points a card, and says whether play goes back


class UndoBy(StrEnum):
    """The sides that must say OK to an undo."""

    FREE = "free"  # nobody's
    AGREED = "agreed"  # the other side's, where cards are read
    OFFICIAL = "official"  # both sides'


class SinglePointRule(StrEnum):
    """The points that cannot be scored near the end (`cribboard.deal.rule_of_116`)."""

    MOVE = "move"  # a move of exactly one hole
    COMPONENT = "component"  # every combination worth one
    OUT_ONLY = "out_only"  # the last hole by one


class Standings(StrEnum):
    """What decides a match."""

    WINS = "wins"  # the first side with this many games won
    POINTS = "points"  # the most points pegged in this many games
    GAME_POINTS = "game_points"  # the most game points in this many games


class NextGameDeal(StrEnum):
    """The rule for the first deal of the next game."""

    LOSER = "loser"
    ALTERNATE = "alternate"
    CUT = "cut"


#: Cards of a crib.
CRIB_SIZE = 4

#: The source of a value that no source contradicts.
ALL = "every source that speaks of it"


def _parameter(default: object, says: str, *, low: int = 0, high: int = 0, source: str = ALL) -> Any:
    """Declare a parameter of the rules as a dataclass field.

    `says`: its meaning. `low` and `high`: the whole numbers that it may hold; an enum allows its members. `source`:
    where the default comes from if a preset's own source is silent.
    """
    return field(default=default, metadata={"says": says, "low": low, "high": high, "source": source})


@dataclass(frozen=True, slots=True, kw_only=True)
class DealAndPlay:
    """The parameters of the deal, the play and the show."""

    players: int = _parameter(2, "seats at the table", low=2, high=6, source="Wikipédia")
    teams: int = _parameter(
        2, "sides, each with its track; they alternate around the table", low=2, high=3, source="Wikipédia"
    )
    cards_dealt: int = _parameter(6, "cards dealt to a seat", low=4, high=6)
    discards: int = _parameter(
        2, "cards that a seat gives to the crib, which the pack completes to four", low=1, high=2
    )
    six_player_deal: SixPlayerDeal = _parameter(
        SixPlayerDeal.SHORT_HANDS,
        "how a crib of four comes about: dealer and right neighbour get a card less, or two discards are buried",
        source="short-hands: regles2jeux, ourpastimes; bury: emeraldimp, cribwars",
    )
    first_deal: FirstDeal = _parameter(FirstDeal.LOW_CUT, "which cut deals first, the ace being lowest")
    cut_tie: CutTie = _parameter(CutTie.RECUT, "who cuts again where the best cut is tied")
    cutter: Cutter = _parameter(Cutter.PONE, "who cuts for the starter")
    exposed_cut: ExposedCut = _parameter(
        ExposedCut.IGNORE,
        "what follows when the cut shows another card than the starter",
        source="only Jeux 50+ and ACC say what follows, and they differ; elsewhere nothing does",
    )
    his_heels: int = _parameter(2, "points for the dealer when the starter is a jack", high=10)
    heels_timing: HeelsTiming = _parameter(
        HeelsTiming.AT_CUT, "how long his heels may be claimed", source="five-card, Britannica, Jeux 50+"
    )
    single_series: Option = _parameter(
        Option.OFF, "the play is over with the first 31 or go", source="known to the five-card document alone"
    )
    must_play_after_go: Option = _parameter(
        Option.ON,
        "who can lay a card after a go must",
        source="Wikipédia, FADOQ, Britannica, Jeux 50+, ACC; for five cards decided",
    )
    go: int = _parameter(1, "points for the last to lay, short of 31", high=10)
    thirty_one: int = _parameter(2, "points for exactly 31", high=10)
    last_card: int = _parameter(1, "points for the last card of all, short of 31", high=10)
    hand_flush_min: int = _parameter(4, "cards of one suit that make a flush in a hand", low=3, high=5)
    crib_flush: CribFlush = _parameter(
        CribFlush.FIVE_ONLY, "what makes a flush in the crib", source="Britannica, Jeux 50+, ACC"
    )
    his_nobs: int = _parameter(
        1, "points for the jack of the starter's suit", high=10, source="Wikipédia, FADOQ, Britannica"
    )
    three_for_last: int = _parameter(
        0, "points for the non-dealer on the first deal", high=10, source="known to the five-card document alone"
    )

    @property
    def hand_size(self) -> int:
        """The number of cards that a seat keeps."""
        return self.cards_dealt - self.discards

    @property
    def cards_from_seats(self) -> int:
        """The number of cards that the seats give to the crib.

        With six players, two seats give no cards, in either deal."""
        return (self.players if self.players != 6 else 4) * self.discards

    @property
    def crib_from_pack(self) -> int:
        """The number of cards from the pack in the crib."""
        return CRIB_SIZE - self.cards_from_seats


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """The parameters for claiming, accepting and taking back points."""

    late_claim: LateClaim = _parameter(
        LateClaim.AGREED,
        "what becomes of points that are claimed after the next card",
        source="decided: old rulebooks refuse it; where a document is silent the other side may be kind",
    )
    telling: Telling = _parameter(
        Telling.CLUB,
        "what the board tells of a call, and when",
        source="decided: the truth at once where no document forbids help (ACC 9.5 does)",
    )
    over_claim: OverClaim = _parameter(
        OverClaim.CORRECT,
        "what becomes of points that were called too many",
        source="decided: no document knows a penalty; old laws and ACC give them away",
    )
    false_game_penalty: int = _parameter(
        0, "holes back for a false claim of the game", high=30, source="known to ACC alone"
    )
    muggins: Option = _parameter(
        Option.OFF,
        "the other side may take what a call left out",
        source="Britannica, ACC: an option announced beforehand",
    )
    muggins_wrong_call: WrongMugginsCall = _parameter(
        WrongMugginsCall.NOTHING, "what muggins costs where nothing was missed", source="known to ACC alone"
    )
    muggins_on_heels: Option = _parameter(
        Option.ON, "muggins may be called on his heels too", source="decided: ACC alone excepts them"
    )
    renege: Renege = _parameter(
        Renege.ANNOUNCE,
        "what follows a go of who could have laid a card",
        source="decided: told, and taken back by agreement; ACC alone has a penalty",
    )
    peg_release_final: Option = _parameter(
        Option.ON,
        "a peg that was let go moves no more; off: its owner may add to it until it is accepted",
        source="Jeux 50+, ACC",
    )
    verify_ack: Option = _parameter(
        Option.OFF,
        "a count waits for the other side's OK; off: its own next count says OK too",
        source="decided: a press less, unless the document wants time to verify (Jeux 50+, FADOQ)",
    )
    undo: UndoBy = _parameter(
        UndoBy.AGREED,
        "who lets an act be taken back: anybody, the other side where cards are read, or both sides",
        source="decided: no document knows one; who lays a wooden peg back asks across the table",
    )

    @property
    def silent(self) -> bool:
        """Whether the other side must answer a call before its verdict.

        An earlier verdict would help this side, which has to find the error (ACC 9.5)."""
        return (
            self.telling is Telling.TOURNAMENT or self.muggins is Option.ON or self.over_claim is OverClaim.AWARD_EXCESS
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules:
    """The parameters for the end of a game and for matches."""

    target: int = _parameter(121, "the game hole", low=31, high=121)
    exact_out: Option = _parameter(
        Option.OFF, "a score that would pass the game hole counts nothing", source="five-card, Wikipédia, FADOQ"
    )
    no_single_point_from: int | None = _parameter(
        None, "from this hole on nobody advances by one point", low=1, high=120, source="known to FADOQ alone"
    )
    single_point_rule: SinglePointRule = _parameter(
        SinglePointRule.MOVE,
        "what cannot advance by one: the whole move, each combination, or the way out",
        source="decided: FADOQ speaks of advancing, so of the move of the peg",
    )
    skunk_line: int | None = _parameter(
        None,
        "a loser below this hole is skunked",
        low=2,
        high=120,
        source="decided: off where a document has none, three sides play, or points are added up",
    )
    double_skunk_line: int | None = _parameter(
        None, "a loser below this hole is skunked twice", low=2, high=120, source="known to ACC alone"
    )
    win_value: int = _parameter(1, "what a game won counts for the match", low=1, high=9)
    skunk_value: int = _parameter(2, "what a skunk counts for the match", low=1, high=9, source="Wikipédia, Britannica")
    double_skunk_value: int = _parameter(
        3,
        "what a double skunk counts for the match",
        low=1,
        high=9,
        source="decided: the tables of clubs know 2 and 3 only; 4 can be set",
    )
    match: int = _parameter(7, "games that win a match, or that are played in it", low=1, high=99, source="Wikipédia")
    standings: Standings = _parameter(
        Standings.WINS, "what decides a match: games won, points pegged, or game points", source="Wikipédia"
    )
    next_game_deal: NextGameDeal = _parameter(
        NextGameDeal.LOSER,
        "who deals first in the next game: the loser, by turns, or a new cut",
        source="Bicycle: among friends the loser; events cut",
    )
    sealed: Option = _parameter(
        Option.OFF,
        "whether the rules want results kept until the medals; the event itself is what is sealed",
        source="silent: nobody but FADOQ seals results",
    )
