"""Formats of competitions: how entrants meet, and what counts.

`docs/competition.md` has every format, with the source of each value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, get_type_hints

from cribboard.competition.terms import MedalTie, MeetingFormat, Missing, Movement, RankingCriterion
from cribboard.rules import RULES, Option, Rules, read_label
from cribboard.validation import Field

#: The version of the rulings, raised when results are counted differently. A competition keeps the one it began with.
#: 1: level matches of a play-off were decided by its points. 2: matches alone decide, and places below the medals are
#: shared (3.30).
VERSION = 2


def _value(default: object, says: str, *, low: int = 0, high: int = 0) -> Any:
    """Declare a field of a format with its meaning and range."""
    return field(default=default, metadata={"says": says, "low": low, "high": high})


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """The rules, pairing and ranking of a competition."""

    name: str  # of the preset, also for a club's own format
    version: int = VERSION  # of the rulings
    rules: str = _value("six-card", "the rules of each game: a preset or its label")
    team_size: int = _value(1, "players of an entrant", low=1, high=2)
    captain_only: Option = _value(Option.OFF, "only a captain may call an official")
    min_entrants: int = _value(2, "fewer entrants than this do not start", low=2, high=64)
    games: int | None = _value(
        None,
        "games of each entrant, or matches where a meeting is a match; all: everyone meets everyone",
        low=1,
        high=99,
    )
    meeting: MeetingFormat = _value(MeetingFormat.GAMES, "what two entrants play when they meet")
    meeting_games: int = _value(1, "games of a meeting, or what a match is the best of, or first to", low=1, high=15)
    skunk_wins: int = _value(1, "games that a skunk counts in a match", low=1, high=2)
    movement: Movement = _value(Movement.SCHEDULED, "how it is settled who meets whom")
    ranking: tuple[RankingCriterion, ...] = _value(
        (RankingCriterion.WINS, RankingCriterion.SPREAD), "what entrants are ranked by, the first first"
    )
    medals: int = _value(3, "places that are honoured one by one, and that a play-off may decide", low=1, high=3)
    level_medals: MedalTie = _value(MedalTie.SHARE, "what becomes of level entrants at a medal")
    play_off_games: int = _value(3, "a play-off for a medal is the best of so many", low=1, high=5)
    missing: Missing = _value(Missing.ZERO, "what a game counts that can no longer be played")
    sealed: Option = _value(Option.OFF, "standings and totals are hidden until the organiser opens them")
    check_pass: Option = _value(Option.OFF, "every result is compared with its slip before the opening")

    @property
    def label(self) -> str:
        """The format's name, version and changes, in one line.

        Spaces in the label of house rules become semicolons.

        >>> FORMATS["fadoq"].label
        'fadoq/2'
        """
        changes = (f"{name}={spelled(value).replace(' ', ';')}" for name, value in self.changes.items())
        return " ".join([f"{self.name}/{self.version}", *changes])

    @property
    def changes(self) -> Mapping[str, Any]:
        """The values that differ from the preset."""
        preset = FORMATS[self.name]
        return {name: value for name in FIELDS if (value := getattr(self, name)) != getattr(preset, name)}

    @property
    def game_rules(self) -> Rules:
        """The rules by which each game is played."""
        return RULES[self.rules] if self.rules in RULES else read_label(self.rules)

    @property
    def is_match(self) -> bool:
        """Whether two entrants meet in a match, not in single games."""
        return self.meeting is not MeetingFormat.GAMES

    def wins_needed(self, *, play_off: int = 0) -> int | None:
        """Return the wins needed in a match; None for single games."""
        if play_off:
            return self.play_off_games // 2 + 1
        if not self.is_match:
            return None
        return self.meeting_games if self.meeting is MeetingFormat.FIRST_TO else self.meeting_games // 2 + 1

    def most_games(self, *, play_off: int = 0) -> int:
        """Return the greatest number of games in one meeting.

        >>> FORMATS["match-play"].most_games(), FORMATS["match-play"].most_games(play_off=1)
        (13, 3)
        """
        needed = self.wins_needed(play_off=play_off)
        return self.meeting_games if needed is None else 2 * needed - 1

    def wins_of_skunk(self, *, play_off: int = 0) -> int:
        """Return the wins for a skunk in a match (3.31).

        In a play-off, a skunk counts for 1."""
        return 1 if play_off else self.skunk_wins

    @property
    def is_elimination(self) -> bool:
        """Whether the format is an elimination, single or double."""
        return self.movement in (Movement.SINGLE_ELIMINATION, Movement.DOUBLE_ELIMINATION)

    @property
    def visit(self) -> int:
        """The number of games in a meeting; a match counts as one."""
        return 1 if self.is_match else self.meeting_games


_HINTS = get_type_hints(Format)

#: Every value of a format by its name, in the order of the class.
FIELDS: Mapping[str, Field] = MappingProxyType(
    {
        field.name: Field(name=field.name, kind=_HINTS[field.name], none="all", **field.metadata)
        for field in fields(Format)
        if field.metadata
    }
)


def spelled(value: object) -> str:
    """Write the value of a format's field as text.

    >>> spelled(None), spelled((RankingCriterion.POINTS, RankingCriterion.SPREAD))
    ('all', 'points+spread')
    """
    if isinstance(value, tuple):
        return "+".join(value)
    return "all" if value is None else str(value)


_ELIMINATION: Mapping[str, Any] = {
    "meeting": MeetingFormat.BEST_OF,
    "meeting_games": 3,
    "ranking": (RankingCriterion.LASTED,),
}

#: The name of the format that the desk offers first.
DEFAULT_FORMAT = "fadoq"

#: The formats by name. The friendly ones play six-card cribbage; a club's own format may name any rules of two sides.
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        form.name: form
        for form in (
            Format(
                name="fadoq",
                rules="fadoq",
                team_size=2,
                captain_only=Option.ON,
                min_entrants=3,
                games=8,
                movement=Movement.WINNERS_STAY,
                ranking=(RankingCriterion.POINTS,),
                level_medals=MedalTie.PLAY_OFF,
                sealed=Option.ON,
                check_pass=Option.ON,
            ),
            Format(
                name="jeux50",
                rules="jeux50",
                min_entrants=9,
                games=16,
                meeting_games=2,
                ranking=(RankingCriterion.POINTS, RankingCriterion.SPREAD),
            ),
            Format(
                name="acc",
                rules="acc",
                games=9,
                ranking=(
                    RankingCriterion.GAME_POINTS,
                    RankingCriterion.WINS,
                    RankingCriterion.SPREAD,
                    RankingCriterion.PLUS_POINTS,
                    RankingCriterion.HEAD_TO_HEAD,
                ),
                level_medals=MedalTie.PLAY_OFF,
                play_off_games=1,
            ),
            Format(
                name="match-play",
                meeting=MeetingFormat.FIRST_TO,
                meeting_games=7,
                skunk_wins=2,
                ranking=(
                    RankingCriterion.MATCHES,
                    RankingCriterion.WINS,
                    RankingCriterion.SPREAD,
                    RankingCriterion.HEAD_TO_HEAD,
                ),
            ),
            Format(
                name="round-robin",
                ranking=(RankingCriterion.WINS, RankingCriterion.SPREAD, RankingCriterion.HEAD_TO_HEAD),
            ),
            Format(name="single-elimination", movement=Movement.SINGLE_ELIMINATION, **_ELIMINATION),
            Format(name="double-elimination", movement=Movement.DOUBLE_ELIMINATION, **_ELIMINATION),
        )
    }
)
