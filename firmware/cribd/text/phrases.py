"""Codes and values in, lines out.

Each function takes what the table shows and gives lines for the screen, in one language. None of them looks at a
clock, or knows how a line is drawn. What happened is told by `telling`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from gettext import NullTranslations
from typing import Any

from cribboard.actions import Action
from cribboard.cards import Card
from cribboard.events import Skunk
from cribboard.hand_counts import MOST
from cribboard.view import View
from cribd.inputs import Fault, Key, Kind, Mended
from cribd.languages import catalogue
from cribd.table.rule_sets import RuleSet
from cribd.table.snapshot import MenuLine, Refusal, Snapshot
from cribd.text import announcements, prompts
from cribd.text.announcements import Coached
from cribd.text.catalogue import read_po, sound, translations
from cribd.text.lines import LINE

__all__ = ["LINE", "Coached", "Phrases", "load", "texts"]

#: A title of house rules is cut here, so that a line of the menu holds it in any language.
TITLE = 12

_SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


@cache
def load(language: str) -> Phrases:
    """The phrases of a language: "en", "fr_CA". What another than English does not say, or not so that it can be filled
    in, is said in English, and that goes to the error output. Raises ValueError, naming those there are, if there is
    none such."""
    english = _read("en")
    if language == "en":
        return Phrases(translations(english))
    try:
        messages, wrong = sound(_read(language), english)
        spoken: NullTranslations = translations(messages)
    except (OSError, ValueError, LookupError) as unreadable:
        messages, wrong, spoken = {}, [str(unreadable)], NullTranslations()
    if missing := len(english.keys() - messages.keys()):
        print(f"{catalogue(language)}: {missing} phrases are said in English.", *wrong, sep="\n  ", file=sys.stderr)
    spoken.add_fallback(translations(english))
    return Phrases(spoken)


def texts(language: str) -> dict[str, str]:
    """The phrases of a language, by code, their places unfilled, and plural forms joined by NUL. As in `load`, English
    says what another language does not."""
    english = _read("en")
    try:
        messages, _ = sound(_read(language), english)
    except (OSError, ValueError):
        messages = {}
    own_name = {"page.language": messages.get("page.language", language)}
    return {name.partition("\0")[0]: text for name, text in (english | messages | own_name).items() if name}


def _read(language: str) -> dict[str, str]:
    return read_po(catalogue(language).read_text(encoding="utf-8"))


@cache
def _own_name(language: str) -> str:
    return texts(language)["page.language"]


class Phrases:
    """What the board says in one language, to so many players on so many sides."""

    def __init__(
        self, catalogue: NullTranslations, players: int = 2, sides: int = 2, names: tuple[str, ...] = ()
    ) -> None:
        self._catalogue = catalogue
        self.players = players
        self.sides = sides
        self._names = names

    def seated(self, players: int, sides: int) -> Phrases:
        """The same words for a table of so many: with partners a seat has its side's name and a number."""
        return Phrases(self._catalogue, players, sides, self._names)

    def named(self, names: tuple[str, ...]) -> Phrases:
        """The same words where there is room for names, which a line of the screen has not: they go by side, and for ""
        its colour stands."""
        return Phrases(self._catalogue, self.players, self.sides, names) if any(names) else self

    def seated_for(self, view: View | None) -> Phrases:
        """The same words for the table of this game."""
        return self if view is None else self.seated(view.players, len(view.sides))

    def say(self, code: str, /, **values: object) -> str:
        """The phrase of this code, filled with values."""
        return self._catalogue.gettext(code).format(**values)

    def count(self, code: str, number: int, /, **values: object) -> str:
        """The phrase of this code in the form for so many, `n`."""
        return self._catalogue.ngettext(code, code, number).format(n=number, **values)

    # Names

    def side(self, side: int) -> str:
        """The name of a side: who plays there, or the colour of its track."""
        return (self._names[side] if side < len(self._names) else "") or self.say(f"side.{side}")

    def seat(self, seat: int) -> str:
        """Who sits there: a side, or where it has more seats one of its numbers."""
        if self.players == self.sides:
            return self.side(seat)
        return self.say("seat", side=self.side(seat % self.sides), number=seat // self.sides + 1)

    def seat_in_short(self, seat: int) -> str:
        """Who sits there, by a letter and a number: G2."""
        number = "" if self.players == self.sides else seat // self.sides + 1
        return f"{self.initial(seat % self.sides)}{number}"

    def seats_of_a_side(self, seats: Sequence[int]) -> str:
        """Seats that share a track, by its name: Blue 1 + 2."""
        numbers = " + ".join(str(seat // self.sides + 1) for seat in sorted(seats))
        return self.say("seat", side=self.side(seats[0] % self.sides), number=numbers) if seats else ""

    def initial(self, side: int) -> str:
        """One letter for a side."""
        return self.say(f"initial.{side}")

    def cards_of(self, side: int, cards: str) -> str:
        """Cards, and whose they are, as short as can be."""
        return self.say("cards_of", initial=self.initial(side), cards=cards)

    def card(self, card: Card) -> str:
        """A card as its corner says it: 10♦, J♥ (V♥ in French)."""
        return self.say(f"rank.{card.rank.value}") + _SUITS[card.suit]

    def key(self, key: Key | str) -> str:
        """What stands beside the key."""
        return self.say(f"key.{Key(key).value}")

    def points(self, points: int) -> str:
        """A number of points: 1 point, 2 points."""
        return self.count("points", points)

    def language(self, language: str) -> str:
        """What a language calls itself."""
        return _own_name(language)

    def way(self, way: str) -> str:
        """How a table scores."""
        return self.say(f"way.{way}")

    def rules(self, rules: RuleSet) -> str:
        """The title of rules; a preset with options keeps its own."""
        if rules.title == rules.rules.name:
            return self.say(f"rules.{rules.title}")
        return rules.title if len(rules.title) <= TITLE else rules.title[: TITLE - 1] + "…"

    # Who must do what now

    def ask(self, snapshot: Snapshot) -> str:
        """The main line: who must do what now. Of an open menu, the line that an OK would take."""
        return prompts.ask(snapshot, self.seated_for(snapshot.view))

    def hints(self, snapshot: Snapshot) -> tuple[str, ...]:
        """What helps to do what is asked: the other answer, or the steps that follow. Often nothing."""
        return prompts.hints(snapshot, self.seated_for(snapshot.view))

    def menu_line(self, line: MenuLine) -> str:
        """A line of the menu; a setting says how it is now."""
        return prompts.menu_line(line, self)

    def menu_now(self, line: MenuLine) -> str:
        """What stands below a line of the menu: what a setting would change to; of an act, whose OK it still needs.
        Before all, that the match would end."""
        return prompts.menu_now(line, self)

    def menu_title(self, snapshot: Snapshot) -> str:
        """That the menu is open, and the game waits; before a game, what the keys do here."""
        return prompts.menu_title(snapshot, self)

    def win(self) -> str:
        """The one word for who has won."""
        return self.say("win")

    def skunk(self, view: View) -> str:
        """The one word for losers who stayed below the line, as these rules call it; nothing if none did."""
        return self.skunked(view.skunk, view.rules)

    def skunked(self, skunk: Skunk, rules: str) -> str:
        """The same, of any game under the rules of this label."""
        if skunk is Skunk.NONE:
            return ""
        if rules.startswith(_LURCHES):
            return self.say("lurch")
        return self.say("skunk" if skunk is Skunk.SKUNK else "double_skunk")

    def doubt(self, points: int) -> str:
        """Why the board does not believe a hole at once: no hand counts so many, or nothing ever does."""
        return self.say("doubt.far" if points > MOST else "doubt.no_count", points=points)

    # What happened

    def said(self, view: View) -> tuple[str, ...]:
        """What was just done, scored and ruled: the most important first, often nothing."""
        return announcements.said(view, self.seated_for(view))

    def reasons(self, view: View) -> frozenset[str]:
        """Those of the lines that say what points are for."""
        return announcements.reasons(view, self.seated_for(view))

    def coached(self, view: View) -> Coached | None:
        """A whole count, step by step, if one was just said."""
        return announcements.coached(view, self.seated_for(view))

    def refusal(self, refusal: Refusal) -> tuple[str, ...]:
        """Why the latest press or scan did nothing: what was wrong, and what helps where the main line does not.

        A refusal knows nothing of the table: ask the phrases that are `seated_for` it.
        """
        wrong = self._wrong(refusal)
        if refusal.code in _MAIN_LINE_SAYS:
            return (wrong,)
        return wrong, self.filled(f"instead.{refusal.code}", refusal.values)

    def _wrong(self, refusal: Refusal) -> str:
        code, values = f"refusal.{refusal.code}", refusal.values
        match refusal.code:
            case "same_hole_again":
                return self.doubt(values["points"])
            case "past_the_end":
                return self.count(code, values["left"])
        return self.filled(code, values)

    def undone(self, action: Action) -> str:
        """What was taken back, in a word or two."""
        values = {field.name: getattr(action, field.name) for field in fields(action)}
        return self.filled(f"undone.{type(action).__name__}", values)

    def fault(self, fault: Fault) -> str:
        """A part of the board that went wrong, and where."""
        return self._part("fault", fault)

    def mended(self, mended: Mended) -> str:
        """A part that is back."""
        return self._part("mended", mended)

    def _part(self, what: str, part: Fault | Mended) -> str:
        code = f"{what}.{part.kind.value}"
        if button := re.fullmatch(r"track (\d+) hole (\d+)", part.where):
            return self.say(code, side=self.side(int(button[1])), hole=button[2])
        if what == "fault" and part.kind is Kind.CHAIN_BROKEN and (chip := re.fullmatch(r"chip (\d+)", part.where)):
            return self.say("fault.chip", chip=chip[1])
        if part.kind is Kind.READER_SILENT and part.where != _ONE_READER:
            return self._of_reader(code, part.where)
        return self.say(code)

    def _of_reader(self, code: str, name: str) -> str:
        """A reader that has a name of its own is called by it, as much of it as the line holds."""
        for held in range(len(name), 0, -1):
            text = self.say(f"{code}.named", name=name if held == len(name) else f"{name[:held]}…")
            if len(text) <= LINE:
                return text
        return self.say(code)

    def filled(self, code: str, values: Mapping[str, Any]) -> str:
        """The phrase, with sides, seats, cards and keys by their names; in other words where names are longer, or
        where there is more than one other side."""
        names: dict[str, object] = {}
        for name, value in values.items():
            match name, value:
                case _, None:
                    continue
                case "side" | "claimant", _:
                    names[name] = self.side(value)
                case "seat" | "gone" | "cutter", _:
                    names[name] = self.seat(value)
                case "waiting", _:
                    names[name] = ", ".join(map(self.side, value))
                case "four", _:
                    names[name] = ", ".join(map(self.seat_in_short, value))
                case "buried", _:
                    names[name] = self.seats_of_a_side(value)
                case "card", _:
                    names[name] = self.card(value if isinstance(value, Card) else Card.parse(value))
                case "one" | "other", Card():
                    names[name] = self.card(value)
                case "cards", tuple():
                    names[name] = ", ".join(map(self.card, value))
                case "half", str():
                    names[name] = "".join(_SUITS.get(letter, letter) for letter in value)
                case "deck", str():
                    names[name] = value if len(value) <= TITLE else value[: TITLE - 1] + "…"
                case "key", _:
                    names[name] = self.key(value)
                case _:
                    names[name] = value
        if self.players != self.sides and code in _SAID_OF_SEATS:
            code = f"{code}.seats"
        elif self.sides > 2 and code in _SAID_TO_THREE:
            code = f"{code}.three"
        return self.say(code, **names)


#: What a reader is called that the owner has given no name.
_ONE_READER = "reader"

#: Rules whose players say that the loser is lurched.
_LURCHES = ("britannica/", "five-card/")

#: What has other words where a seat has a number in its name.
_SAID_OF_SEATS = frozenset(
    {
        "ask.deal",
        "ask.lay_after_go",
        "ask.peg",
        "ask.read_crib",
        "ask.read_hand",
        "refusal.not_your_turn",
    }
)

#: What has other words where a side has two others.
_SAID_TO_THREE = frozenset(
    {
        "ask.accept",
        "ask.result",
        "ask.undo_all",
        "instead.own_claim",
        "instead.waits_for_other_side",
        "menu.asks",
    }
)

#: Refusals after which only the main line helps: it says what to do, and the room is for the scores.
_MAIN_LINE_SAYS = frozenset(
    {
        "gone_on",
        "key_means_nothing",
        "no_card_now",
        "no_dealer_now",
        "no_renege",
        "no_score_now",
        "no_such_rules",
        "no_such_seat",
        "not_playing",
        "nothing_asked",
        "nothing_to_roll_back",
        "nothing_unread",
        "nothing_to_undo",
    }
)
