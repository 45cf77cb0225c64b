"""Makes the menu (7.15) and applies the chosen line.

The line that is wanted most often comes first. A line that changes a setting keeps the menu open; any other closes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

from cribboard.actions import Question
from cribboard.deal.misdeal import may_have_seen_the_cut, may_misdeal
from cribboard.deal.unread_cards import may_go_on_unread
from cribboard.position import Phase, Position
from cribboard.rules import ExposedCut, Option, Renege, Rules, Way, changed
from cribboard.series import Match
from cribd.table.rule_sets import RuleSet, alike, known, may_tell, options_on, toggled
from cribd.table.settings import Settings
from cribd.table.snapshot import PLAYING, Base, Line, Menu, MenuLine

T = TypeVar("T")

#: The brightness of the LEDs that a line offers, in percent.
BRIGHTNESS = (100, 60, 30, 15)
#: The question that each of these lines asks the other sides.
QUESTIONS: Mapping[Line, Question] = MappingProxyType(
    {
        Line.MISDEAL: Question.MISDEAL,
        Line.EXPOSED_CUT: Question.EXPOSED_CUT,
        Line.ROLL_BACK: Question.ROLL_BACK,
        Line.BREAK_OFF: Question.BREAK_OFF,
    }
)


class NextPlay(StrEnum):
    """The choice between the competition's game and a friendly game."""

    EVENT = "event"
    FRIENDLY = "friendly"


def menu_of(
    position: Position | None,
    settings: Settings,
    *,
    cards: bool,
    offered: Sequence[RuleSet],
    languages: Sequence[str],
    match: Match | None = None,
    played: bool = False,
    plays: NextPlay | None = None,
    due: bool = False,
    club: str | None = None,
    at: int = 0,
    covers: Base = PLAYING,
) -> Menu:
    """Make the menu for the present state.

    `covers` is the mode to return to when the menu closes. `position` is None while no game is under way, and only then
    can rules be chosen. `cards`: whether the board has a reader; without one a table can only trust. `offered`: the
    rules that this board can play. `languages`: those that it speaks. `match`: the one that the next game belongs to; a
    line that would end it has its points. `played`: whether there is a game to review. `plays`: which game is
    next while an event has one for the table, or will; its rules are settled. `due`: whether one of an event is due
    while another is under way. `club`: the name of the club to which the board belongs, "" if to none; None where it
    cannot join any. `at`: the index of the line that is shown.
    """
    way = (_setting(Line.WAY, "way", tuple(Way), settings.way),) if cards else ()
    sound = _setting(Line.SOUND, "sound", ("on", "off"), settings.sound)
    light = _setting(Line.BRIGHTNESS, "percent", BRIGHTNESS, settings.brightness)
    language = _setting(Line.LANGUAGE, "language", tuple(languages), settings.language)
    judge = (MenuLine(Line.JUDGE),) if cards else ()
    back = (MenuLine(Line.LOOK_BACK),) if played else ()
    clubs = () if club is None else (MenuLine(Line.CLUB, {"club": club}),)
    # only between games: in a game MENU is held to switch off (7.24)
    end = (*back, *clubs, MenuLine(Line.SWITCH_OFF))
    if position is None and plays is NextPlay.EVENT:
        return Menu((_plays(plays), *way, *judge, language, sound, light, *end), at, covers)
    if position is None:
        tells = (_telling(settings.rules),) if cards and settings.way is Way.VERIFY else ()
        running = match if match is not None and match.results and not match.over else None
        rules = tuple(_warned(line, settings, running) for line in _rules(settings.rules, offered))
        new = () if running is None else (MenuLine(Line.NEW_MATCH, {"ends": running.points}),)
        event = () if plays is None else (_plays(plays),)
        return Menu((*event, *rules, *way, *new, *judge, language, sound, light, *tells, *end), at, covers)
    late = (MenuLine(Line.MISDEAL),) if may_misdeal(position) and not may_have_seen_the_cut(position) else ()
    last = (MenuLine(Line.OFFICIAL), *((MenuLine(Line.BREAK_OFF),) if position.phase is not Phase.WON else ()))
    first = (*((_plays(NextPlay.FRIENDLY),) if due else ()), *_of_the_deal(position))
    return Menu((*first, sound, light, language, *way, *judge, *back, *last, *late), at, covers)


def _plays(now: NextPlay) -> MenuLine:
    return _setting(Line.EVENT, "play", tuple(NextPlay), now)


def at_same_line(menu: Menu, line: MenuLine) -> Menu:
    """Go to the line that does the same as `line`.

    Without such a line, go to the first."""
    does = [(line.line, line.values.get("option")) for line in menu.lines]
    wanted = (line.line, line.values.get("option"))
    return replace(menu, at=does.index(wanted) if wanted in does else 0)


def chosen(settings: Settings, line: MenuLine) -> Settings:
    """Return the settings after the choice of this menu line."""
    match line.line:
        case Line.RULES:
            return replace(settings, rules=line.values["rules"].rules)
        case Line.OPTION:
            return replace(settings, rules=toggled(settings.rules, line.values["option"]))
        case Line.WAY:
            return replace(settings, way=Way(line.values["way"]))
        case Line.LANGUAGE:
            return replace(settings, language=str(line.values["language"]))
        case Line.BRIGHTNESS:
            return replace(settings, brightness=int(line.values["percent"]))
        case Line.SOUND:
            return replace(settings, sound=str(line.values["sound"]))
        case Line.TELLING if "telling" in line.values:
            return replace(settings, rules=changed(settings.rules, {"telling": line.values["telling"]}))
        case _:
            return settings


def _rules(rules: Rules, offered: Sequence[RuleSet]) -> Iterator[MenuLine]:
    """Yield the menu lines for the rules and their options."""
    rule_set = known(rules, offered) or RuleSet(rules.name, rules)
    yield _setting(Line.RULES, "rules", tuple(offered), rule_set)
    for option in rule_set.options:
        state, now = ("off", "on") if option in options_on(rules) else ("on", "off")
        yield MenuLine(Line.OPTION, {"preset": rules.name, "option": option, "state": state, "now": now})


def _warned(line: MenuLine, settings: Settings, running: Match | None) -> MenuLine:
    """Add a warning to a line that would end the match."""
    if running is None or alike(chosen(settings, line).rules, running.rules):
        return line
    return MenuLine(line.line, {**line.values, "ends": running.points})


def _telling(rules: Rules) -> MenuLine:
    """Make the menu line for how much the board tells.

    If a rule leaves no choice, the line names that rule."""
    if len(choices := may_tell(rules)) > 1:
        return _setting(Line.TELLING, "telling", choices, rules.claims.telling)
    because = "muggins" if rules.claims.muggins is Option.ON else "over_claim"
    return MenuLine(Line.TELLING, {"because": rules.customs.forbids_help or because})


def _of_the_deal(position: Position) -> Iterator[MenuLine]:
    """Yield the menu lines that correct mistakes of the present deal."""
    rules = position.rules
    if position.false_go is not None and rules.claims.renege is Renege.ANNOUNCE:
        yield MenuLine(Line.ROLL_BACK)
    if may_have_seen_the_cut(position):  # before its first card a deal can be void
        yield MenuLine(Line.MISDEAL)
        if (rule := rules.deal_and_play.exposed_cut) is not ExposedCut.IGNORE:
            yield MenuLine(Line.EXPOSED_CUT, {"rule": rule})
    if may_go_on_unread(position):
        yield MenuLine(Line.UNREAD)


def _setting(line: Line, name: str, choices: tuple[T, ...], now: T) -> MenuLine:
    """Make the menu line that offers a setting's next choice."""
    choice = choices[(choices.index(now) + 1) % len(choices)] if now in choices else choices[0]
    return MenuLine(line, {name: choice, "now": now})
