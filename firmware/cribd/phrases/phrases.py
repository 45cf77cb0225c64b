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
from cribboard.rules import Standings, Way
from cribboard.view import Ask, Asks, Skunk, View
from cribd.facts import Fault, Key, Kind, Mended
from cribd.phrases import telling
from cribd.phrases.catalogue import translations
from cribd.rule_sets import RuleSet
from cribd.showing import Line, Lobby, MenuLine, Refusal, Showing

#: No line is longer: what 128 dots hold in the smallest face that is still a main line (7.19).
LINE = 21
#: A title of house rules is cut here, so that a line of the menu holds it in any language.
TITLE = 12

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
    """What the board says in one language, to so many players on so many sides."""

    def __init__(self, catalogue: NullTranslations, players: int = 2, sides: int = 2) -> None:
        self._catalogue = catalogue
        self._players = players
        self._sides = sides

    def seated(self, players: int, sides: int) -> Phrases:
        """The same words for a table of so many: with partners a seat has its side's name and a number."""
        return Phrases(self._catalogue, players, sides)

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
        """The name of a side, by the colour of its track."""
        return self.say(f"side.{side}")

    def seat(self, seat: int) -> str:
        """Who sits there: a side, or where it has more seats one of its numbers."""
        if self._players == self._sides:
            return self.side(seat)
        return self.say("seat", side=self.side(seat % self._sides), number=seat // self._sides + 1)

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

    def rules(self, rules: RuleSet) -> str:
        """The title of rules."""
        if rules.is_preset:
            return self.say(f"rules.{rules.title}")
        return rules.title if len(rules.title) <= TITLE else rules.title[: TITLE - 1] + "…"

    # Who must do what now

    def ask(self, showing: Showing) -> str:
        """The main line: who must do what now. Of an open menu, the line that an OK would take."""
        return self.seated_for(showing.view)._ask(showing)

    def hints(self, showing: Showing) -> tuple[str, ...]:
        """What helps to do what is asked: the other answer, or the steps that follow. Often nothing."""
        return self.seated_for(showing.view)._hints(showing)

    def _ask(self, showing: Showing) -> str:
        if showing.menu is not None:
            return self.menu_line(showing.menu.current)
        if showing.lobby is Lobby.AGAIN and showing.match_over and showing.match > 1:
            return self.say("lobby.again_match")
        if showing.lobby is not None or showing.view is None:
            return self.say(f"lobby.{(showing.lobby or Lobby.START).value}")
        if showing.naming is not None:
            return self._filled("ask.name_dealer", {"seat": showing.naming})
        ask = showing.view.ask
        match ask.what:
            case Asks.RESULT if ask.side is not None:
                return self._asked("ask.result_one", ask)
            case Asks.RESULT if 0 < len(showing.waiting) < self._sides:
                return self._filled("ask.result_some", {"waiting": showing.waiting})
            case Asks.STARTER:
                return self._asked("ask.deal", ask)
            case what if what in _QUESTIONS and ask.side is None:
                return self._asked(f"ask.{what.value}_all", ask)
        return self._asked(f"ask.{ask.what.value}", ask)

    def _hints(self, showing: Showing) -> tuple[str, ...]:
        if showing.menu is not None:
            return (self._menu_keys(showing.menu.current), self.say("menu.leave"))
        match showing.lobby or (Lobby.START if showing.view is None else None):
            case Lobby.RESUME:
                return (self.say("hint.resume"),)
            case Lobby.AGAIN:
                return self._match(showing)
            case Lobby.START:
                return self._next_game(showing)
        assert showing.view is not None
        if showing.naming is not None:
            return (self.say("hint.next_name"), self.say("hint.question"))
        return self._game_hints(showing.view, showing.waiting)

    def _game_hints(self, view: View, waiting: tuple[int, ...]) -> tuple[str, ...]:
        ask = view.ask
        match ask.what:
            case Asks.STARTER:
                return self._how_to_deal(ask)
            case Asks.SAME_HOLE:
                return (self._doubt(ask.values["points"]), self._asked("hint.same_hole", ask))
            case Asks.CUT_AGAIN if self._players > 2:
                return (self._asked("ask.cut", ask), self._asked("hint.cut", ask))
            case Asks.RELEASE if view.way is Way.TRUST and _takes_the_last_single(view):
                return (self.say("hint.need_two"), self._asked("hint.release", ask))
            case Asks.PEG if self._players != self._sides:
                return (self._asked("hint.dealer", ask), self._asked("hint.peg", ask))
        code = _HINTS.get(ask.what)
        hints = (self._asked(code, ask),) if code else ()
        missing = ask.side is None and 0 < len(waiting) < self._sides
        return (self._filled("hint.waiting", {"waiting": waiting}), *hints) if missing else hints

    def _how_to_deal(self, ask: Ask) -> tuple[str, ...]:
        """Who gets fewer cards, who discards, what completes the crib, and who cuts."""
        values = ask.values
        discard = "step.others_discard" if values.get("four") else "step.discard"
        steps = [discard]
        if values.get("four"):
            steps.insert(0, "step.four")
        if values.get("buried"):
            steps.append("step.buried")
        if values.get("from_pack"):
            steps.append("step.from_pack")
        steps.append("step.cut" if self._players > 2 else "ask.starter")
        return tuple(self._asked(step, ask) for step in steps)

    def _next_game(self, showing: Showing) -> tuple[str, ...]:
        """What one OK starts: in one line if that holds it."""
        rules = self.rules(showing.rules)
        both = self.say("hint.start_of", rules=rules, way=self.say(f"way_in_short.{showing.way}"))
        if len(both) <= LINE:
            return (both,)
        return (self.say("hint.rules", rules=rules), self.say("hint.start", way=self.way(showing.way)))

    def _match(self, showing: Showing) -> tuple[str, ...]:
        """Who has won the match, or what will; and how it stands where games alone do not tell."""
        if showing.match == 1:
            return (self.say("hint.rules", rules=self.rules(showing.rules)),)
        if showing.standings is Standings.WINS:
            first = self.say("match.target", games=showing.match)
        else:
            first = self.say(f"match.target_{showing.standings.value}", games=showing.match)
        if showing.match_over:
            winner = showing.match_winner
            first = self.say("match.level") if winner is None else self.say("match.won", side=self.side(winner))
        if showing.standings is Standings.WINS:
            return (first,)
        sides = enumerate(showing.points)
        each = [self.say("match.points", side=self.initial(side), points=points) for side, points in sides]
        return (first, *telling.wrapped(each))

    def menu_line(self, line: MenuLine) -> str:
        """A line of the menu; a setting names what it would change to."""
        return self._setting("menu", line, {name: value for name, value in line.values.items() if name != "now"})

    def menu_now(self, line: MenuLine) -> str:
        """What stands below a line of the menu: how a setting is now; what is special about the rules that it would
        change to; of an act, whose OK it still needs."""
        match line.line:
            case Line.RULES:
                rules = line.values["rules"]
                if rules.is_preset:
                    return self.say(f"special.{rules.title}")
                return self.say("now.house", rules=self.say(f"rules.{rules.rules.name}"))
            case Line.OPTION:
                return self._setting("now", line, {"state": line.values["now"]})
        if "now" not in line.values:
            return self._filled("menu.asks", {})
        return self._setting("now", line, {name: line.values["now"] for name in line.values if name != "now"})

    def _menu_keys(self, line: MenuLine) -> str:
        """How to go on; of the rules, which of them are chosen, for below them stands what is special."""
        if line.line is Line.RULES:
            return self.say("now.rules", rules=self.rules(line.values["now"]))
        return self.say("menu.keys")

    def menu_title(self) -> str:
        """That the menu is open, and that no press or scan reaches the game meanwhile."""
        return self.say("menu.title")

    def win(self) -> str:
        """The one word for who has won."""
        return self.say("win")

    def skunk(self, view: View) -> str:
        """The one word for losers who stayed below the line, as these rules call it; nothing if none did."""
        if view.skunk is Skunk.NONE:
            return ""
        if view.rules.startswith(_LURCHES):
            return self.say("lurch")
        return self.say("skunk" if view.skunk is Skunk.SKUNK else "double_skunk")

    def _setting(self, what: str, line: MenuLine, values: Mapping[str, Any]) -> str:
        words: dict[str, object] = {}
        for name, value in values.items():
            match name:
                case "preset":
                    continue
                case "rules":
                    words[name] = self.rules(value)
                case "option":
                    words[name] = self.say(f"option.{line.values['preset']}.{value}")
                case _:
                    words[name] = value if isinstance(value, int) else self.say(f"{name}.{value}")
        return self.say(f"{what}.{line.line.value}", **words)

    def _doubt(self, points: int) -> str:
        """Why the board does not believe a hole at once: no hand counts so many, or nothing ever does."""
        return self.say("doubt.far" if points > MOST else "doubt.no_count", points=points)

    def _asked(self, code: str, ask: Ask) -> str:
        return self._filled(code, {"side": ask.side, **ask.values})

    # What happened

    def said(self, view: View) -> tuple[str, ...]:
        """What was just done, scored and ruled: the most important first, often nothing."""
        return telling.said(view, self.seated_for(view))

    def refusal(self, refusal: Refusal) -> tuple[str, ...]:
        """Why the latest press or scan did nothing: what was wrong, and what helps where the main line does not.

        A refusal knows nothing of the table: ask the phrases that are `seated_for` it.
        """
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
                case "four" | "buried", _:
                    names[name] = ", ".join(map(self.seat, value))
                case "card", _:
                    names[name] = self.card(value if isinstance(value, Card) else Card.parse(value))
                case "key", _:
                    names[name] = self.key(value)
                case _:
                    names[name] = value
        if self._players != self._sides and code in _SAID_OF_SEATS:
            code = f"{code}.seats"
        elif self._sides > 2 and code in _SAID_TO_THREE:
            code = f"{code}.three"
        return self.say(code, **names)


def _takes_the_last_single(view: View) -> bool:
    """Whether the peg in hand goes out by the one hole that is left, where no single point is taken: it may be any
    count, and the board reminds."""
    claim = view.claim
    if claim is None or claim.points != 1:
        return False
    side = view.sides[claim.side]
    return side.barred and side.score + 1 == view.target


#: Rules whose players say that the loser is lurched.
_LURCHES = ("britannica/", "five-card/")

_QUESTIONS = frozenset({Asks.UNDO, Asks.MISDEAL, Asks.EXPOSED_CUT, Asks.BREAK_OFF})

#: What has other words where a seat has a number in its name.
_SAID_OF_SEATS = frozenset(
    {
        "ask.deal",
        "ask.lay_after_go",
        "ask.read_crib",
        "ask.read_hand",
        "refusal.no_cards_left",
        "refusal.not_your_turn",
    }
)

#: What has other words where a side has two others.
_SAID_TO_THREE = frozenset(
    {
        "ask.accept",
        "ask.result",
        "instead.own_claim",
        "instead.waits_for_other_side",
        "menu.asks",
    }
)

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
    Asks.READ_HAND: "hint.read_hand",
    Asks.READ_CRIB: "hint.read_crib",
    Asks.UNDO: "hint.question",
    Asks.MISDEAL: "hint.question",
    Asks.EXPOSED_CUT: "hint.question",
    Asks.BREAK_OFF: "hint.question",
    Asks.RESULT: "hint.result",
}
