"""Formats: what a competition counts, and how its entrants meet. Each format is data, like a rule preset.

The metadata of a field: `says`, its meaning; `low` and `high`, the whole numbers that it may hold; `source`, where the
default comes from if the document of a preset is silent. `docs/competition.md` has every format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, get_type_hints

from cribboard.competition.terms import Criterion, Level, Meeting, Missing, Movement
from cribboard.rules import RULES, Option, Rules, read_label
from cribboard.validation import Field

#: The version of the rulings, raised when results are counted differently. A competition keeps the one it began with.
#: 1: level matches of a play-off were decided by its points. 2: matches alone decide, and places below the medals are
#: shared (3.30).
VERSION = 2


def _set(says: str, *, low: int = 0, high: int = 0, source: str = "") -> Mapping[str, Any]:
    return MappingProxyType({"says": says, "low": low, "high": high, "source": source})


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """The format of a competition."""

    name: str  # of the preset, also for a club's own format
    version: int = VERSION  # of the rulings
    rules: str = field(
        default="six-card",
        metadata=_set("the rules of each game: a preset or its label", source="decided: the game most clubs play"),
    )
    team_size: int = field(
        default=1, metadata=_set("players of an entrant", low=1, high=2, source="decided: most events are individual")
    )
    captain_only: Option = field(
        default=Option.OFF,
        metadata=_set("only a captain may call an official", source="silent: nobody but FADOQ has captains"),
    )
    min_entrants: int = field(
        default=2,
        metadata=_set("fewer entrants than this do not start", low=2, high=64, source="decided: a game needs two"),
    )
    games: int | None = field(
        default=None,
        metadata=_set(
            "games of each entrant, or matches where a meeting is a match; all: everyone meets everyone",
            low=1,
            high=99,
            source="decided: a round robin",
        ),
    )
    meeting: Meeting = field(
        default=Meeting.GAMES,
        metadata=_set("what two entrants play when they meet", source="decided: games that each count for themselves"),
    )
    meeting_games: int = field(
        default=1,
        metadata=_set(
            "games of a meeting, or what a match is the best of, or first to",
            low=1,
            high=15,
            source="silent: one game, unless a document says more",
        ),
    )
    skunk_wins: int = field(
        default=1,
        metadata=_set(
            "games that a skunk counts in a match",
            low=1,
            high=2,
            source="rules reference, 3.31: two only in first-to-seven and where a preset says so",
        ),
    )
    movement: Movement = field(
        default=Movement.SCHEDULED,
        metadata=_set("how it is settled who meets whom", source="decided: the fairest with a fixed number of games"),
    )
    ranking: tuple[Criterion, ...] = field(
        default=(Criterion.WINS, Criterion.SPREAD),
        metadata=_set("what entrants are ranked by, the first first", source="decided: as friendly leagues do"),
    )
    medals: int = field(
        default=3,
        metadata=_set(
            "places that are honoured one by one, and that a play-off may decide",
            low=1,
            high=3,
            source="FADOQ, 11; Jeux 50+, 1: three winners",
        ),
    )
    level_medals: Level = field(
        default=Level.SHARE,
        metadata=_set("what becomes of level entrants at a medal", source="rules reference, 3.12"),
    )
    play_off_games: int = field(
        default=3,
        metadata=_set("a play-off for a medal is the best of so many", low=1, high=5, source="FADOQ, 11"),
    )
    missing: Missing = field(
        default=Missing.ZERO,
        metadata=_set("what a game counts that can no longer be played", source="rules reference, 3.30"),
    )
    sealed: Option = field(
        default=Option.OFF,
        metadata=_set(
            "standings and totals are hidden until the organiser opens them",
            source="silent: nobody but FADOQ seals results",
        ),
    )
    check_pass: Option = field(
        default=Option.OFF,
        metadata=_set("every result is compared with its slip before the opening", source="silent: as `sealed`"),
    )

    @property
    def label(self) -> str:
        """Write name, version and changes as one line. Spaces in the label of house rules become semicolons.

        >>> FORMATS["fadoq"].label
        'fadoq/2'
        """
        changes = (f"{name}={spelled(value).replace(' ', ';')}" for name, value in self.changes.items())
        return " ".join([f"{self.name}/{self.version}", *changes])

    @property
    def changes(self) -> Mapping[str, Any]:
        """The values in which a club's own format differs from its preset."""
        preset = FORMATS[self.name]
        return {name: value for name in FIELDS if (value := getattr(self, name)) != getattr(preset, name)}

    @property
    def game_rules(self) -> Rules:
        """The rules of each game."""
        return RULES[self.rules] if self.rules in RULES else read_label(self.rules)

    @property
    def is_match(self) -> bool:
        """Whether a meeting is a match, decided by games won."""
        return self.meeting is not Meeting.GAMES

    def wins_needed(self, *, play_off: int = 0) -> int | None:
        """Games won that win a match; None if meetings are not matches."""
        if play_off:
            return self.play_off_games // 2 + 1
        if not self.is_match:
            return None
        return self.meeting_games if self.meeting is Meeting.FIRST_TO else self.meeting_games // 2 + 1

    def most_games(self, *, play_off: int = 0) -> int:
        """The most games that two entrants play when they meet.

        >>> FORMATS["match-play"].most_games(), FORMATS["match-play"].most_games(play_off=1)
        (13, 3)
        """
        needed = self.wins_needed(play_off=play_off)
        return self.meeting_games if needed is None else 2 * needed - 1

    def wins_of_skunk(self, *, play_off: int = 0) -> int:
        """Games won that a skunk counts for in a match (3.31). In a play-off it counts one."""
        return 1 if play_off else self.skunk_wins

    @property
    def is_elimination(self) -> bool:
        """Whether the format is an elimination: losers go out."""
        return self.movement in (Movement.SINGLE_ELIMINATION, Movement.DOUBLE_ELIMINATION)

    @property
    def visit(self) -> int:
        """Games, or matches, that one meeting adds for each entrant."""
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
    """Spell a value for a label.

    >>> spelled(None), spelled((Criterion.POINTS, Criterion.SPREAD))
    ('all', 'points+spread')
    """
    if isinstance(value, tuple):
        return "+".join(value)
    return "all" if value is None else str(value)


_ELIMINATION: Mapping[str, Any] = {
    "meeting": Meeting.BEST_OF,
    "meeting_games": 3,
    "ranking": (Criterion.LASTED,),
}

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
                ranking=(Criterion.POINTS,),
                level_medals=Level.PLAY_OFF,
                sealed=Option.ON,
                check_pass=Option.ON,
            ),
            Format(
                name="jeux50",
                rules="jeux50",
                min_entrants=9,
                games=16,
                meeting_games=2,
                ranking=(Criterion.POINTS, Criterion.SPREAD),
            ),
            Format(
                name="acc",
                rules="acc",
                games=9,
                ranking=(
                    Criterion.GAME_POINTS,
                    Criterion.WINS,
                    Criterion.SPREAD,
                    Criterion.PLUS_POINTS,
                    Criterion.HEAD_TO_HEAD,
                ),
                level_medals=Level.PLAY_OFF,
                play_off_games=1,
            ),
            Format(
                name="match-play",
                meeting=Meeting.FIRST_TO,
                meeting_games=7,
                skunk_wins=2,
                ranking=(Criterion.MATCHES, Criterion.WINS, Criterion.SPREAD, Criterion.HEAD_TO_HEAD),
            ),
            Format(name="round-robin", ranking=(Criterion.WINS, Criterion.SPREAD, Criterion.HEAD_TO_HEAD)),
            Format(name="single-elimination", movement=Movement.SINGLE_ELIMINATION, **_ELIMINATION),
            Format(name="double-elimination", movement=Movement.DOUBLE_ELIMINATION, **_ELIMINATION),
        )
    }
)

#: By preset: the section of its document, and the values that the section gives.
_SAID: Mapping[str, Mapping[str, str]] = {
    "fadoq": {
        "FADOQ, 1: Règlements généraux": "min_entrants captain_only sealed check_pass",
        "FADOQ, 4: Équipe": "team_size",
        "FADOQ, 10: Fin de partie": "movement",
        "FADOQ, 11: Calcul des points": "games ranking level_medals play_off_games medals",
        "FADOQ": "rules",
    },
    "jeux50": {
        "Jeux 50+, 1: Règlements généraux": "team_size games meeting meeting_games ranking medals movement",
        "Jeux 50+": "rules",
        "rules reference, 3.22: eight opponents need nine entrants": "min_entrants",
        "rules reference, 3.12: a shared rank, or a play-off if the organiser says so": "level_medals",
    },
    "acc": {
        "ACC": "rules",
        "decided: clubs that follow ACC play nine games or more": "games",
        "rules reference, 3.30": "ranking level_medals play_off_games",
    },
    "match-play": {
        "Wikipédia, Fin de partie": "meeting meeting_games skunk_wins",
        "decided: matches won, then games won, as leagues do": "ranking",
    },
    "round-robin": {"decided: games won, then the spread, then the game between two that are level": "ranking"},
    "single-elimination": {"decided: the usual elimination": "movement meeting meeting_games ranking"},
    "double-elimination": {"decided: the usual elimination": "movement meeting meeting_games ranking"},
}

#: The source of a value, by preset and field.
SOURCES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        preset: MappingProxyType({name: section for section, names in said.items() for name in names.split()})
        for preset, said in _SAID.items()
    }
)


def source_of(form: Format, name: str) -> str:
    """The source of this value in this format.

    >>> source_of(FORMATS["fadoq"], "min_entrants")
    'FADOQ, 1: Règlements généraux'
    """
    if name in form.changes:
        return "the club"
    return SOURCES[form.name].get(name, FIELDS[name].source)
