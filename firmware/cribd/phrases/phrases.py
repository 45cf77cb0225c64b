"""Codes and values in, lines out.

Each function takes what the table shows and gives lines for the screen, in one language. None of them looks at a
clock, or knows how a line is drawn. What happened is told by `telling`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any

from cribboard.actions import Action
from cribboard.cards import Card
from cribboard.claims import MOST
from cribboard.view import Ask, Asks, View
from cribd.facts import Fault, Key, Kind, Mended
from cribd.phrases import telling
from cribd.phrases.catalogue import translations
from cribd.showing import Lobby, MenuLine, Refusal, Showing

#: No line is longer: what 128 dots hold in the smallest face that is still a main line (7.19).
LINE = 21

_FOLDER = Path(__file__).parent
_SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def languages() -> tuple[str, ...]:
    """The languages that have a catalogue, English first."""
    names = sorted(file.stem for file in _FOLDER.glob("*.po"))
    return tuple(sorted(names, key=lambda name: name != "en"))


@cache
def load(language: str) -> Phrases:
    """The phrases of a language: "en", "fr_CA". Raises ValueError, naming those there are, if there is none such."""
    if language not in languages():
        raise ValueError(f"language = {language!r}: allowed are {', '.join(languages())}")
    return Phrases(translations((_FOLDER / f"{language}.po").read_text(encoding="utf-8")))


class Phrases:
    """What the board says in one language."""

    def __init__(self, catalogue: NullTranslations) -> None:
        self._catalogue = catalogue

    def say(self, code: str, /, **values: object) -> str:
        """The phrase of this code, filled with values."""
        return self._catalogue.gettext(code).format(**values)

    def count(self, code: str, number: int, /, **values: object) -> str:
        """The phrase of this code in the form for so many, `n`."""
        return self._catalogue.ngettext(code, code, number).format(n=number, **values)

    # Names

    def side(self, side: int) -> str:
        """The name of a side, by the colour of its track."""
        return self.say(f"side.{side}")

    def seat(self, seat: int) -> str:
        """Who sits there. At a table for two, a seat is a side."""
        return self.side(seat)

    def initial(self, side: int) -> str:
        """One letter for a side."""
        return self.say(f"initial.{side}")

    def card(self, card: Card) -> str:
        """A card as its corner says it: 10♦, J♥ (V♥ in French)."""
        return self.say(f"rank.{card.rank.value}") + _SUITS[card.suit]

    def key(self, key: Key | str) -> str:
        """What stands beside the key."""
        return self.say(f"key.{Key(key).value}")

    def points(self, points: int) -> str:
        """A number of points: 1 point, 2 points."""
        return self.count("points", points)

    def way(self, way: str) -> str:
        """How a table scores."""
        return self.say(f"way.{way}")

    # Who must do what now

    def ask(self, showing: Showing) -> str:
        """The main line: who must do what now. Of an open menu, the line that an OK would take."""
        if showing.menu is not None:
            return self.menu_line(showing.menu.current)
        if showing.lobby is Lobby.AGAIN and showing.match_winner is not None:
            return self.say("lobby.again_match")
        if showing.lobby is not None or showing.view is None:
            return self.say(f"lobby.{(showing.lobby or Lobby.START).value}")
        ask = showing.view.ask
        match ask.what:
            case Asks.RESULT if ask.side is not None:
                return self._asked("ask.result_one", ask)
            case Asks.STARTER:
                return self._asked("ask.deal", ask)
        return self._asked(f"ask.{ask.what.value}", ask)

    def hints(self, showing: Showing) -> tuple[str, ...]:
        """What helps to do what is asked: the other answer, or the steps that follow. Often nothing."""
        if showing.menu is not None:
            return (self.say("menu.keys"), self.say("menu.leave"))
        match showing.lobby or (Lobby.START if showing.view is None else None):
            case Lobby.RESUME:
                return (self.say("hint.resume"),)
            case Lobby.AGAIN if showing.match_winner is not None:
                return (self.say("match.won", side=self.side(showing.match_winner)),)
            case Lobby.AGAIN:
                return (self.say("match.target", games=showing.match),)
            case Lobby.START:
                return (self.say("hint.start", way=self.way(showing.way)),)
        assert showing.view is not None
        ask = showing.view.ask
        if ask.what is Asks.STARTER:
            return (self._asked("step.discard", ask), self._asked("ask.starter", ask))
        if ask.what is Asks.SAME_HOLE:
            return (self._doubt(ask.values["points"]), self._asked("hint.same_hole", ask))
        code = _HINTS.get(ask.what)
        return (self._asked(code, ask),) if code else ()

    def menu_line(self, line: MenuLine) -> str:
        """A line of the menu; a setting names what it would change to."""
        return self._setting("menu", line, {name: value for name, value in line.values.items() if name != "now"})

    def menu_now(self, line: MenuLine) -> str:
        """What stands below a line of the menu: how a setting is now; of an act, whose OK it still needs."""
        if "now" not in line.values:
            return self.say("menu.asks")
        return self._setting("now", line, {name: line.values["now"] for name in line.values if name != "now"})

    def menu_title(self) -> str:
        """That the menu is open, and that no press or scan reaches the game meanwhile."""
        return self.say("menu.title")

    def win(self) -> str:
        """The one word for who has won."""
        return self.say("win")

    def skunk(self) -> str:
        """The loser stayed below the skunk line."""
        return self.say("skunk")

    def _setting(self, what: str, line: MenuLine, values: Mapping[str, Any]) -> str:
        words = {n: value if isinstance(value, int) else self.say(f"{n}.{value}") for n, value in values.items()}
        return self.say(f"{what}.{line.line.value}", **words)

    def _doubt(self, points: int) -> str:
        """Why the board does not believe a hole at once: no hand counts so many, or nothing ever does."""
        return self.say("doubt.far" if points > MOST else "doubt.no_count", points=points)

    def _asked(self, code: str, ask: Ask) -> str:
        return self._filled(code, {"side": ask.side, **ask.values})

    # What happened

    def said(self, view: View) -> tuple[str, ...]:
        """What was just done, scored and ruled: the most important first, often nothing."""
        return telling.said(view, self)

    def refusal(self, refusal: Refusal) -> tuple[str, ...]:
        """Why the latest press or scan did nothing: what was wrong, and what helps where the main line does not."""
        wrong = self._wrong(refusal)
        if refusal.code in _MAIN_LINE_SAYS:
            return (wrong,)
        return wrong, self._filled(f"instead.{refusal.code}", refusal.values)

    def _wrong(self, refusal: Refusal) -> str:
        code, values = f"refusal.{refusal.code}", refusal.values
        match refusal.code:
            case "same_hole_again":
                return self._doubt(values["points"])
            case "past_the_end":
                return self.count(code, values["left"])
        return self._filled(code, values)

    def undone(self, action: Action) -> str:
        """What was taken back, in a word or two."""
        values = {field.name: getattr(action, field.name) for field in fields(action)}
        return self._filled(f"undone.{type(action).__name__}", values)

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
        return self.say(code)

    def _filled(self, code: str, values: Mapping[str, Any]) -> str:
        """The phrase, with sides, seats, cards and keys by their names."""
        names: dict[str, object] = {}
        for name, value in values.items():
            match name, value:
                case _, None:
                    continue
                case "side" | "seat" | "gone" | "claimant", _:
                    names[name] = self.seat(value)
                case "card", _:
                    names[name] = self.card(value if isinstance(value, Card) else Card.parse(value))
                case "key", _:
                    names[name] = self.key(value)
                case _:
                    names[name] = value
        return self.say(code, **names)


#: Refusals after which only the main line helps: it says what to do, and the room is for the scores.
_MAIN_LINE_SAYS = frozenset(
    {
        "key_means_nothing",
        "no_card_now",
        "no_cards_left",
        "no_dealer_now",
        "no_score_now",
        "no_such_seat",
        "nothing_asked",
        "nothing_to_undo",
    }
)

_HINTS = {
    Asks.CUT: "hint.cut",
    Asks.CUT_AGAIN: "hint.cut",
    Asks.WHO_DEALS: "hint.who_deals",
    Asks.PEG: "hint.peg",
    Asks.RELEASE: "hint.release",
    Asks.ZERO: "hint.zero",
    Asks.NINETEEN: "hint.nineteen",
    Asks.LATE: "hint.late",
    Asks.COUNT_HAND: "hint.count",
    Asks.COUNT_CRIB: "hint.count",
    Asks.READ_CRIB: "hint.read_crib",
    Asks.UNDO: "hint.question",
    Asks.MISDEAL: "hint.question",
    Asks.BREAK_OFF: "hint.question",
    Asks.RESULT: "hint.result",
}
