"""The phrases and names of one language.

`Words` fills phrases in; it decides nothing about what is said. Its `style` says for whom: the modules above it have a
phrase for each style where the wording differs, side by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from gettext import NullTranslations
from typing import Any, Self

from cribboard.cards import Card, Rank
from cribboard.possible_counts import MOST
from cribboard.rules import read_label
from cribboard.skunk import Skunk
from cribboard.validation import Message
from cribboard.view import View
from cribd.inputs import Key
from cribd.table.rule_sets import RuleSet
from cribd.text.catalogue import STEP, own_name
from cribd.text.lines import shortened

#: Characters of a title of house rules, or of a deck's name, that fit into a line in any language.
_TITLE = 12
#: Numbers up to this one have a word: the most that a hand can count by the rules of any document.
_IN_WORDS = 29
_SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class Style(StrEnum):
    """Where a text is shown or spoken."""

    SCREEN = "screen"
    """A line of the OLED: at most 21 characters."""
    SPOKEN = "spoken"
    """The voice: numbers and cards in words. If it has no phrase of its own, it says the screen's."""
    WRITTEN = "written"
    """A sentence of the audit of a record."""
    PAGE = "page"
    """A page: the main line in full, and labels in its list of scores."""


@dataclass(frozen=True, slots=True)
class PhraseCodes:
    """The codes of one phrase, one code for each style.

    "" if a style has none; `spoken` then uses the one of `screen`."""

    screen: str = ""
    spoken: str = ""
    written: str = ""
    page: str = ""

    def of(self, style: Style) -> str:
        """Return the code for this style, or ""."""
        match style:
            case Style.SCREEN:
                return self.screen
            case Style.SPOKEN:
                return self.spoken or self.screen
            case Style.WRITTEN:
                return self.written
            case Style.PAGE:
                return self.page


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of one language, for the players of a table.

    `names` has a name for each side, or "" for its colour. `steps`: points are called with step keys."""

    catalogue: NullTranslations
    players: int = 2
    sides: int = 2
    names: tuple[str, ...] = ()
    style: Style = Style.SCREEN
    steps: bool = False

    def seated(self, players: int, sides: int) -> Self:
        """Return a copy for this number of players and sides.

        With partners, a seat has the name of its side and a number."""
        if (players, sides) == (self.players, self.sides):
            return self
        return replace(self, players=players, sides=sides)

    def seated_for(self, view: View | None) -> Self:
        """Return a copy for the number of players in this game."""
        return self if view is None else self.seated(view.players, len(view.sides))

    def named(self, names: tuple[str, ...]) -> Self:
        """Return these words with the players' names.

        Lines of the screen leave the names out for lack of room."""
        return replace(self, names=names) if any(names) else self

    def styled(self, style: Style) -> Self:
        """Return these words in another style."""
        return replace(self, style=style)

    def stepped(self, steps: bool) -> Self:
        """Return a copy for a board with or without step keys."""
        return self if steps == self.steps else replace(self, steps=steps)

    # Phrases

    def say(self, code: str, /, **values: object) -> str:
        """Return the phrase of this code with its values filled in."""
        filled = {name: self.problem(value) if isinstance(value, Message) else value for name, value in values.items()}
        return self._phrase(code).format(**filled)

    def _phrase(self, code: str) -> str:
        """Return the unfilled phrase of this code.

        If points are called with step keys, it is the variant for step keys, where there is one."""
        if self.steps and (phrase := self.catalogue.gettext(code + STEP)) != code + STEP:
            return phrase
        return self.catalogue.gettext(code)

    def problem(self, problem: str | Exception) -> str:
        """Translate a problem or an exception; plain text stays unchanged."""
        if isinstance(problem, Exception):
            return self.problem(problem.args[0])
        return self.say(f"problem.{problem.code}", **problem.values) if isinstance(problem, Message) else problem

    def count(self, code: str, number: int, /, **values: object) -> str:
        """Return the phrase in its singular or plural form.

        In the phrase, the number is `n`."""
        return self.catalogue.ngettext(code, code, number).format(n=number, **values)

    def say_in_style(self, codes: PhraseCodes, /, **values: object) -> str:
        """Return the phrase for the present `style`, or ""."""
        code = codes.of(self.style)
        return self.say(code, **values) if code else ""

    def filled(self, code: str, values: Mapping[str, Any]) -> str:
        """Return the phrase with its placeholders filled in as words.

        Some phrases have variants for seats with a number, and for three sides."""
        named = {name: self._name(name, value) for name, value in values.items() if value is not None}
        if self.players != self.sides and code in _OF_SEATS:
            code = f"{code}.seats"
        elif self.sides > 2 and code in _OF_THREE_SIDES:
            code = f"{code}.three"
        return self.say(code, **named)

    def _name(self, name: str, value: Any) -> object:
        """Put the value of the placeholder `name` into words."""
        match name, value:
            case "side" | "claimant", _:
                return self.side(value)
            case "seat" | "gone" | "cutter", _:
                return self.seat(value)
            case "waiting", _:
                return ", ".join(map(self.side, value))
            case "four", _:
                return ", ".join(map(self.seat_in_short, value))
            case "buried", _:
                return self.seats_of_a_side(value)
            case "card", _:
                return self.card(value if isinstance(value, Card) else Card.parse(value))
            case "one" | "other", Card():
                return self.card(value)
            case "cards", tuple():
                return ", ".join(map(self.card, value))
            case "half", str():
                return "".join(_SUITS.get(letter, letter) for letter in value)
            case "deck", str():
                return shortened(value, _TITLE)
            case "key", _:
                return self.key(value)
        return value

    def one_of(self, names: Sequence[str]) -> str:
        """Write these names as a choice: `a, b or c`."""
        *those, last = names
        return self.say("one_of", those=", ".join(those), last=last) if those else last

    # Sides and seats

    def side(self, side: int) -> str:
        """Name a side by its player or its colour."""
        return (self.names[side] if side < len(self.names) else "") or self.say(f"side.{side}")

    def seat(self, seat: int) -> str:
        """Name a seat by its side and, with partners, a number."""
        if self.players == self.sides:
            return self.side(seat)
        return self.say("seat", side=self.side(seat % self.sides), number=seat // self.sides + 1)

    def seat_in_short(self, seat: int) -> str:
        """Name a seat in short, such as G or G2."""
        number = "" if self.players == self.sides else seat // self.sides + 1
        return f"{self.initial(seat % self.sides)}{number}"

    def seats_of_a_side(self, seats: Sequence[int]) -> str:
        """Name the seats of a side, such as Blue 1 + 2."""
        numbers = " + ".join(str(seat // self.sides + 1) for seat in sorted(seats))
        return self.say("seat", side=self.side(seats[0] % self.sides), number=numbers) if seats else ""

    def initial(self, side: int) -> str:
        """Return the letter for a side."""
        return self.say(f"initial.{side}")

    # Cards and numbers

    def card(self, card: Card) -> str:
        """Name a card: 10♦, or its full name for the voice."""
        if self.style is not Style.SPOKEN:
            return self.say(f"rank.{card.rank.value}") + _SUITS[card.suit]
        numbered = Rank.TWO <= card.rank <= Rank.TEN
        rank = self.number(card.rank) if numbered else self.say(f"voice.rank.{card.rank.value}")
        return self.say("voice.card", rank=rank, suit=self.say(f"voice.suit.{card.suit}"))

    def cards_of(self, side: int, cards: str) -> str:
        """Write cards with the letter of their side."""
        return self.say("cards_of", initial=self.initial(side), cards=cards)

    def number(self, value: int) -> str:
        """Write 0 to 29 as a word, other numbers in figures."""
        return self.say(f"number.{value}") if 0 <= value <= _IN_WORDS else str(value)

    def figure(self, value: int) -> str:
        """Write a number in figures, in groups of three: 2,352."""
        return f"{value:,}".replace(",", self.say("thousands"))

    def points(self, points: int) -> str:
        """Write a number of points: 1 point, 2 points."""
        return self.count("points", points)

    # Everything else that has a name

    def key(self, key: Key | str) -> str:
        """Return the label beside the key."""
        return self.say(f"key.{Key(key).value}")

    def language(self, language: str) -> str:
        """Return the name of a language in that language."""
        return own_name(language)

    def way(self, way: str) -> str:
        """Return the name of a way of scoring."""
        return self.say(f"way.{way}")

    def rules(self, rules: RuleSet) -> str:
        """Return the title of these rules."""
        if rules.title == rules.rules.name:
            return self.say(f"rules.{rules.title}")
        return shortened(rules.title, _TITLE)

    def win(self) -> str:
        """Return the word that the board shows for the winner."""
        return self.say("win")

    def skunk(self, view: View) -> str:
        """Return the word for the skunk of this game, or ""."""
        return self.skunked(view.skunk, view.rules)

    def skunked(self, skunk: Skunk, rules: str) -> str:
        """Return the word for a skunk, such as "lurch", or "".

        `rules` is the label of the game's rules, which decide the word."""
        if skunk is Skunk.NONE:
            return ""
        if read_label(rules).customs.says_lurch:
            return self.say("lurch")
        return self.say("skunk" if skunk is Skunk.SKUNK else "double_skunk")

    def doubt(self, points: int) -> str:
        """Say why the board doubts a pressed hole."""
        return self.say("doubt.far" if points > MOST else "doubt.no_count", points=points)


#: Codes with another phrase, `.seats`, where a seat has a number in its name.
_OF_SEATS = frozenset(
    {"ask.deal", "ask.lay_after_go", "ask.peg", "ask.read_crib", "ask.read_hand", "refusal.not_your_turn"}
)
#: Codes with another phrase, `.three`, where a side has two others.
_OF_THREE_SIDES = frozenset(
    {
        "ask.accept",
        "ask.result",
        "ask.undo_all",
        "instead.own_claim",
        "instead.waits_for_other_side",
        "menu.asks",
    }
)
