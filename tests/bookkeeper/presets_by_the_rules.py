"""The rule sets as the bookkeeper knows them: their values, and what a score is worth where a side stands.

It must never import anything of the product; it was written from sections 2 and 3 of the rules reference. A rule
set is read from its label in a diary, "britannica/2 target=61 skunk_line=31 exact_out=on". A value that does not move
pegs is ignored; one that this bookkeeper does not know is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

NO_MATTER_FOR_THE_PEGS = (
    *("six_player_deal", "crib_from_pack", "cutter", "exposed_cut", "undo"),
    *("tie_break", "sealed", "captain_only"),
)
#: What no other value of is kept yet.
ONLY_KEPT_AS = {"under_claim": "stands", "peg_release_final": "on"}


@dataclass(frozen=True)
class Opening:
    """What may be claimed at one moment, as the points it is made of. Heels stay open until the dealer's own card."""

    parts: tuple[int, ...]
    about: str = "card"  # heels, card, go, hand, crib

    @property
    def heels(self) -> bool:
        return self.about == "heels"

    @property
    def points(self) -> int:
        return sum(self.parts)


@dataclass(frozen=True)
class RuleSet:
    """One way to play. None is a line or a limit that does not exist."""

    players: int = 2
    teams: int = 2
    cards_dealt: int = 6
    discards: int = 2
    target: int = 121
    first_deal: str = "low_cut"
    cut_tie: str = "recut"
    his_heels: int = 2
    single_series: bool = False
    must_play_after_go: bool = True
    go: int = 1
    thirty_one: int = 2
    last_card: int = 1
    hand_flush_min: int | None = 4
    crib_flush: str = "five_only"
    his_nobs: int = 1
    three_for_last: int = 0
    exact_out: bool = False
    no_single_point_from: int | None = None
    single_point_rule: str = "move"
    win_value: int = 1
    skunk_line: int | None = None
    skunk_value: int = 2
    double_skunk_line: int | None = None
    double_skunk_value: int = 3
    match: int = 1  # games that win a match; where games are not what decides it, games played
    next_game_deal: str = "loser"
    verify_ack: bool = False
    standings: str = "wins"
    telling: str = "club"
    late_claim: str = "agreed"
    heels_timing: str = "at_cut"
    muggins: bool = False
    muggins_wrong_call: str = "nothing"
    muggins_on_heels: bool = True
    over_claim: str = "correct"
    false_game_penalty: int = 0
    renege: str = "refuse"

    @property
    def silent(self) -> bool:
        """Nothing is said about a claim before it is closed (section 4: help in counting is forbidden)."""
        return self.telling == "tournament" or self.muggins or self.over_claim == "award_excess"

    @property
    def may_be_late(self) -> bool:
        """Forgotten points may be claimed late (7.5)."""
        return self.late_claim == "agreed" and not self.muggins

    @property
    def hand(self) -> int:
        return self.cards_dealt - self.discards

    def side_of(self, seat: int) -> int:
        return seat % self.teams

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.players

    def worth(self, opening: Opening, at: int) -> int:
        """What is due to a side at this score (1.33, 1.35, 3.1, 3.18)."""
        points, left = opening.points, self.target - at
        if self.exact_out and points > left:
            return 0
        if self.no_single_point_from is None or at < self.no_single_point_from:
            return points
        match self.single_point_rule:
            case "component":
                return sum(part for part in opening.parts if part != 1)
            case "out_only":
                return 0 if points == 1 == left else points
            case _:
                return 0 if points == 1 else points

    def due(self, openings: Sequence[Opening], at: int) -> int:
        """What several are worth one after the other. A score past the target is worth no less."""
        due = 0
        for opening in openings:
            due += self.worth(opening, min(at + due, self.target))
        return due

    def bars(self, at: int, to: int) -> bool:
        """A press of exactly one hole, where no side may advance by one."""
        barred = self.no_single_point_from is not None and at >= self.no_single_point_from and to - at == 1
        return barred and self.single_point_rule != "out_only" and to != self.target

    def impossible(self, points: int, *, crib: bool) -> bool:
        """Whether no hand counts this much (1.41, 3.23). 19 is not among them: it may mean zero."""
        if self.hand == 3 and not crib:
            return points in (16, 17, 18) or points > 20
        return points in (25, 26, 27) or points > 29

    def skunked(self, scores: Sequence[int]) -> bool:
        return self._all_lost_below(self.skunk_line, scores)

    def lamps(self, scores: Sequence[int]) -> int:
        """How many lamps a game lights: more for a skunk, but one where points or game points decide a match."""
        if self.standings != "wins":
            return 1
        if self._all_lost_below(self.double_skunk_line, scores):
            return self.double_skunk_value
        return self.skunk_value if self.skunked(scores) else self.win_value

    def _all_lost_below(self, line: int | None, scores: Sequence[int]) -> bool:
        return line is not None and all(score < line for score in scores if score != self.target)

    def match_is_over(self, won: Sequence[int], played: int) -> bool:
        return (max(won) if self.standings == "wins" else played) >= self.match

    def next_dealer(self, first: int, scores: Sequence[int]) -> int | None:
        """Who deals the next game of a match; None if it is cut for. `first` dealt the first deal of the last game."""
        match self.next_game_deal:
            case "loser":
                seats = [(first + step) % self.players for step in range(1, self.players + 1)]
                return next(seat for seat in seats if scores[self.side_of(seat)] == min(scores))
            case "alternate":
                return self.left_of(first)
            case _:
                return None


_MORE = RuleSet(cards_dealt=5, discards=1, match=7)

PRESETS: Mapping[str, RuleSet] = {
    "six-card": RuleSet(skunk_line=90, match=7),
    "three-player": replace(_MORE, players=3, teams=3),
    "partners": replace(_MORE, players=4, skunk_line=90),
    "six-player": replace(_MORE, players=6, teams=3),
    "fadoq": RuleSet(
        players=4,
        cards_dealt=5,
        discards=1,
        no_single_point_from=116,
        match=8,
        next_game_deal="cut",
        verify_ack=True,
        standings="points",
    ),
    "five-card": RuleSet(cards_dealt=5, target=61, single_series=True, three_for_last=3, hand_flush_min=3),
    "britannica": RuleSet(skunk_line=61),
    "jeux50": RuleSet(match=2, next_game_deal="cut", verify_ack=True, standings="points", late_claim="refused"),
    "acc": RuleSet(
        telling="tournament",
        late_claim="refused",
        heels_timing="before_dealer_plays",
        muggins_wrong_call="reverse",
        muggins_on_heels=False,
        over_claim="award_excess",
        false_game_penalty=15,
        renege="two_per_card",
        win_value=2,
        skunk_line=91,
        skunk_value=3,
        double_skunk_line=61,
        match=9,
        next_game_deal="cut",
        standings="game_points",
    ),
}


def read_rules(label: str | None) -> RuleSet:
    """The rule set of a label in a diary. ValueError for rules that the bookkeeper cannot keep."""
    name, *changes = (label or "six-card/2").split()
    preset, _, version = name.partition("/")
    if preset not in PRESETS or version not in ("", "2"):
        raise ValueError(f"rules = {name}: this bookkeeper keeps {', '.join(PRESETS)}, version 2")
    rules = PRESETS[preset]
    for change in changes:
        parameter, _, text = change.partition("=")
        if parameter in NO_MATTER_FOR_THE_PEGS or ONLY_KEPT_AS.get(parameter) == text:
            continue
        changed = _read(rules, parameter, text)
        if not changed:
            raise ValueError(f"{change}: this bookkeeper does not keep it")
        rules = replace(rules, **changed)
    return rules


def _read(rules: RuleSet, parameter: str, text: str) -> dict[str, Any]:
    """The fields of a rule set that a change sets; none if the bookkeeper cannot keep it."""
    match {field.name: str(field.type) for field in fields(RuleSet)}.get(parameter):
        case "bool" if text in ("on", "off"):
            return {parameter: text == "on"}
        case "str":
            return {parameter: text}
        case "int" if (number := _as_number(text)) is not None:
            return {parameter: number}
        case "int | None" if (number := _as_number(text)) is not None:
            return {parameter: number or None}
    return {}


def _as_number(text: str) -> int | None:
    """Off is 0; None is no number."""
    return 0 if text == "off" else int(text) if text.isdecimal() else None
