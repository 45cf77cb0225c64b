"""One set of rules, whole: its parts, its label, and what it makes of seats and sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, get_type_hints

from cribboard.rules.parameters import Claims, Cutter, DealAndPlay, GameRules

PARTS: Mapping[str, type] = MappingProxyType({"deal_and_play": DealAndPlay, "claims": Claims, "game": GameRules})


@dataclass(frozen=True, slots=True)
class Parameter:
    """What can be set: its name, the part of the rules that holds it, and the type of its values (an enum, `int`, or
    `int | None`), with what `parameters` says of it."""

    name: str
    part: str
    kind: Any
    says: str
    low: int
    high: int
    source: str


PARAMETERS: Mapping[str, Parameter] = MappingProxyType(
    {
        entry.name: Parameter(entry.name, part, hints[entry.name], **entry.metadata)
        for part, kind in PARTS.items()
        for hints in (get_type_hints(kind),)
        for entry in fields(kind)
    }
)
"""Every parameter by its name, in the order of the reference."""


def spelled(value: object) -> str:
    """A value as files and labels spell it.

    >>> spelled(121), spelled(None)
    ('121', 'off')
    """
    return "off" if value is None else str(value)


#: The version of the rulings. A change of how a claim is judged raises it; a game goes on, and its record is judged, by
#: the version that it began with. Version 2: points of the play come before a hand (rules reference, 3.24), a call
#: above the play is for the hand (3.25), a false go is remembered and may be silent (3.26), and on auto the side that
#: loses points by an undo is asked (7.13).
VERSION = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One set of rules, by the name and version that a game record gives. House rules keep the name of the `preset`
    that they change."""

    name: str
    version: int = VERSION
    deal_and_play: DealAndPlay = field(default_factory=DealAndPlay)
    claims: Claims = field(default_factory=Claims)
    game: GameRules = field(default_factory=GameRules)
    preset: Rules | None = None

    @property
    def label(self) -> str:
        """Name, version and changes, as records spell them: one line that says it all.

        >>> from cribboard import RULES
        >>> RULES["britannica"].label
        'britannica/2'
        """
        return " ".join([f"{self.name}/{self.version}", *(f"{n}={spelled(v)}" for n, v in self.changes.items())])

    @property
    def changes(self) -> Mapping[str, Any]:
        """The parameters in which house rules differ from their preset, with their values."""
        if self.preset is None:
            return {}
        usual = self.preset.values
        return {name: value for name, value in self.values.items() if value != usual[name]}

    @property
    def values(self) -> Mapping[str, Any]:
        """Every value by the name of its parameter."""
        return {name: getattr(getattr(self, each.part), name) for name, each in PARAMETERS.items()}

    @property
    def of_today(self) -> Rules:
        """The same rules by today's rulings."""
        return self.of_version(VERSION)

    def of_version(self, version: int) -> Rules:
        """The same rules by the rulings of that version, 1 to `VERSION`."""
        if version == self.version:
            return self
        return replace(self, version=version, preset=self.preset and self.preset.of_version(version))

    @property
    def seats(self) -> range:
        return range(self.deal_and_play.players)

    @property
    def sides(self) -> range:
        return range(self.deal_and_play.teams)

    def side_of(self, seat: int) -> int:
        """The side that this seat plays for; partners sit opposite each other."""
        return seat % self.deal_and_play.teams

    def left_of(self, seat: int) -> int:
        """The next seat clockwise."""
        return (seat + 1) % self.deal_and_play.players

    def right_of(self, seat: int) -> int:
        """The seat before, counter-clockwise."""
        return (seat - 1) % self.deal_and_play.players

    def cutter(self, dealer: int) -> int:
        """The seat that cuts for the starter."""
        return self.right_of(dealer) if self.deal_and_play.cutter is Cutter.RIGHT else self.left_of(dealer)

    def round_from(self, seat: int) -> tuple[int, ...]:
        """All seats clockwise, this one first."""
        players = self.deal_and_play.players
        return tuple((seat + step) % players for step in range(players))
