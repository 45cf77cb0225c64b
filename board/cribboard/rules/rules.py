"""The rules of a game: parameters, customs, label, seats and sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, get_type_hints

from cribboard.rules.parameters import Claims, Cutter, DealAndPlay, GameRules, SixPlayerDeal
from cribboard.validation import Field

PARTS: Mapping[str, type] = MappingProxyType({"deal_and_play": DealAndPlay, "claims": Claims, "game": GameRules})


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter(Field):
    """A parameter of the rules, as `cribboard.rules.parameters` declares it."""

    part: str  # the key in `PARTS`


PARAMETERS: Mapping[str, Parameter] = MappingProxyType(
    {
        entry.name: Parameter(name=entry.name, part=part, kind=hints[entry.name], none="off", **entry.metadata)
        for part, kind in PARTS.items()
        for hints in (get_type_hints(kind),)
        for entry in fields(kind)
    }
)
"""Every parameter by its name, in the order of the rules reference."""


def spelled(value: object) -> str:
    """Spell the value of a rule as in rules files.

    >>> spelled(121), spelled(None)
    ('121', 'off')
    """
    return "off" if value is None else str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs:
    """Properties of a preset that house rules cannot change.

    They come from the document that the preset follows."""

    says_lurch: bool = False  # a skunk is called a lurch
    captain_calls: bool = False  # only the captain of a team may speak to an official
    is_abridged: bool = False  # the document says that it is a short form of other rules
    forbids_help: str = ""  # the document that forbids help with a count; "" if none does
    score_cards: bool = False  # both sides write a score card, and an official compares them (rules reference, 3.29)


_CUSTOMS = {
    "fadoq": Customs(captain_calls=True, is_abridged=True),
    "five-card": Customs(says_lurch=True),
    "britannica": Customs(says_lurch=True),
    "acc": Customs(forbids_help="acc", score_cards=True),
}

#: The version of the rulings, raised when claims are judged differently. A game is played, and its record judged, by
#: the version that it began with. New in version 2: points of the play come before a hand (rules reference, 3.24), a
#: call above the play is for the hand (3.25), a false go is remembered and may be silent (3.26), and on auto the side
#: that loses points by an undo is asked (7.13).
VERSION = 2


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a game: a preset or house rules.

    The class has no slots, because the label and the values are cached."""

    name: str  # of the preset, also for house rules
    version: int = VERSION  # of the rulings
    deal_and_play: DealAndPlay = field(default_factory=DealAndPlay)
    claims: Claims = field(default_factory=Claims)
    game: GameRules = field(default_factory=GameRules)
    preset: Rules | None = None  # what house rules change; None for a preset itself

    @cached_property
    def label(self) -> str:
        """The rules' name, version and changes in one line.

        >>> from cribboard import RULES
        >>> RULES["britannica"].label
        'britannica/2'
        """
        return " ".join([f"{self.name}/{self.version}", *(f"{n}={spelled(v)}" for n, v in self.changes.items())])

    @property
    def changes(self) -> Mapping[str, Any]:
        """The values that house rules change, by parameter name."""
        if self.preset is None:
            return {}
        defaults = self.preset.values
        return {name: value for name, value in self.values.items() if value != defaults[name]}

    @cached_property
    def values(self) -> Mapping[str, Any]:
        """The value of every parameter, by name."""
        return {name: getattr(getattr(self, parameter.part), name) for name, parameter in PARAMETERS.items()}

    @property
    def customs(self) -> Customs:
        return _CUSTOMS.get(self.name, Customs())

    @property
    def of_today(self) -> Rules:
        """The same rules, with today's version of the rulings."""
        return self.of_version(VERSION)

    def of_version(self, version: int) -> Rules:
        """Return these rules with this version of rulings, 1 to `VERSION`."""
        if version == self.version:
            return self
        return replace(self, version=version, preset=self.preset and self.preset.of_version(version))

    @property
    def seats(self) -> range:
        """The numbers of the seats, from 0."""
        return range(self.deal_and_play.players)

    @property
    def sides(self) -> range:
        """The numbers of the sides, from 0."""
        return range(self.deal_and_play.teams)

    def side_of(self, seat: int) -> int:
        return seat % self.deal_and_play.teams

    def left_of(self, seat: int) -> int:
        """Return the next seat clockwise."""
        return (seat + 1) % self.deal_and_play.players

    def right_of(self, seat: int) -> int:
        """Return the next seat counter-clockwise."""
        return (seat - 1) % self.deal_and_play.players

    def cutter(self, dealer: int) -> int:
        """Return the seat that cuts for the starter."""
        return self.right_of(dealer) if self.deal_and_play.cutter is Cutter.RIGHT else self.left_of(dealer)

    def round_from(self, seat: int) -> tuple[int, ...]:
        """List all seats clockwise, beginning with this seat."""
        players = self.deal_and_play.players
        return tuple((seat + step) % players for step in range(players))

    def short_hands(self, dealer: int) -> tuple[int, ...]:
        """List the seats with one card fewer and no discards.

        They are the dealer and the seat to the dealer's right. Empty if the rules give no seat fewer cards."""
        deal = self.deal_and_play
        is_short = deal.players == 6 and deal.six_player_deal is SixPlayerDeal.SHORT_HANDS
        return (dealer, self.right_of(dealer)) if is_short else ()

    def burying_seats(self, dealer: int) -> tuple[int, ...]:
        """List the seats whose discards go under the pack.

        They are the dealer and the dealer's next partner clockwise. Empty if the rules bury no discards."""
        if self.deal_and_play.six_player_deal is not SixPlayerDeal.BURY:
            return ()
        partners = (seat for seat in self.round_from(dealer) if self.side_of(seat) == self.side_of(dealer))
        return tuple(partners)[:2]
