"""What a printed sheet or file is made from.

A `Printout` has a view and no position (design law 9). The hall's view lacks what is sealed, so no sheet for the hall
shows it (law 10).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType

from cribboard.competition.formats import Format
from cribboard.competition.record import CompetitionHeading
from cribboard.competition.tally import Amount
from cribboard.competition.terms import CompetitionPhase, RankingCriterion
from cribboard.competition.view import CompetitionView, RoundView
from cribboard.rules import Option
from cribd.text import competitions
from cribd.text.words import Words


class NothingToPrint(Exception):  # noqa: N818 (as `cribboard.competition.RefusedAction`)
    """This sheet cannot be printed now.

    `code` and `values` select and fill the sentence that says why."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(f"{code} {values}" if values else code)
        self.code = code
        self.values = values

    def in_words(self, words: Words) -> str:
        """Return the reason in a sentence."""
        return words.say(f"paper.refused.{self.code}", **self.values)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Printout:
    """A competition to print or export, in one language."""

    heading: CompetitionHeading
    view: CompetitionView
    words: Words
    language: str
    """Of the words: "en", "fr_CA"."""
    round: int = 0
    """The round that slips are for; 0: the last one."""
    address: Callable[[int], str] | None = None
    """The address of the phone page of a table; None where no phone reaches the board."""
    records: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The text of each game's record, by the last link of its chain."""

    @property
    def format(self) -> Format:
        """The format of the competition."""
        return self.heading.format

    @property
    def is_confidential(self) -> bool:
        """Whether this printout contains what the hall must not see yet.

        These are results of a sealed competition before they are open."""
        return (
            self.format.sealed is Option.ON and not self.view.is_sealed and self.view.phase is not CompetitionPhase.OPEN
        )

    def say(self, code: str, /, **values: object) -> str:
        """Return the phrase of the group `paper` with this code."""
        return self.words.say(f"paper.{code}", **values)

    def count(self, code: str, number: int, /, **values: object) -> str:
        """Return a phrase of the group `paper` in singular or plural."""
        return self.words.count(f"paper.{code}", number, **values)

    def sized(self, code: str) -> str:
        """Return a phrase's code for teams or for single players."""
        return f"{code}.team" if self.format.team_size > 1 else f"{code}.player"

    def round_title(self, round_: RoundView) -> str:
        """Return the title of a round or play-off."""
        return competitions.round_name(round_.number, competitions.play_offs_of(self.view), self.words)

    @property
    def name(self) -> str:
        """The name of the competition, or else of its format."""
        return self.heading.name or self.format_name

    @property
    def format_name(self) -> str:
        """The name of the format, as a title."""
        name = self.words.say(f"competition.format.{self.format.name}")
        return name[:1].upper() + name[1:]

    @property
    def date(self) -> str:
        """The date in words. An invalid date is unchanged."""
        return date_in_words(self.heading.date, self.words)

    def entrant_name(self, number: int) -> str:
        return self.view.entrants[number - 1].name

    def players(self, number: int) -> str:
        """Return the players of a team, the captain first, or ""."""
        entrant = self.view.entrants[number - 1]
        if len(entrant.players) < 2:
            return ""
        captain = self.captain(number)
        return ", ".join([captain, *(player for player in entrant.players if player != captain)])

    def captain(self, number: int) -> str:
        """Return the name of the captain, or else of the entrant."""
        return self.view.entrants[number - 1].captain_name

    def criterion(self, criterion: RankingCriterion) -> str:
        """Return the name of a criterion of the ranking."""
        return self.say(f"criterion.{criterion}")

    def term(self, term: StrEnum) -> str:
        """Return a competition term in the language of the printout."""
        return competitions.term(term, self.words)


def amount_in_words(amount: Amount, words: Words) -> str:
    """Format an amount as a whole number, or with one decimal.

    Halves are rounded away from zero (3.31).
    The minus is a true minus."""
    shown = str(amount)
    if isinstance(amount, Fraction):
        tenths = int(abs(amount) * 10 + Fraction(1, 2)) * (1 if amount > 0 else -1)
        shown = f"{tenths / 10:.1f}" if tenths else "0.0"
    return shown.replace("-", "−").replace(".", words.say("paper.decimal"))


def date_in_words(iso_date: str, words: Words) -> str:
    """Format an ISO date in words. Return other text unchanged."""
    try:
        day = date.fromisoformat(iso_date)
    except ValueError:
        return iso_date
    month = words.say(f"paper.month.{day.month}")
    code = "paper.date.first" if day.day == 1 else "paper.date"
    return words.say(code, day=day.day, month=month, year=day.year)
