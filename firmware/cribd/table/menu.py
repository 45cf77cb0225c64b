"""What the menu offers now (7.15). The first line is always the likeliest; settings stay, acts close it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from cribboard.cut_and_deal import may_have_seen_the_cut, may_misdeal
from cribboard.position import Phase, Position
from cribboard.rules import OPTIONS, RULES, ExposedCut, Option, Renege, Rules, Way, changed
from cribboard.series import Match
from cribboard.unread_cards import may_go_on_unread
from cribd.table.rule_sets import RuleSet, alike, known, may_tell, options_on, toggled
from cribd.table.snapshot import Line, Menu, MenuLine

T = TypeVar("T")

BRIGHTNESS = (100, 60, 30, 15)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the players choose in the menu, and the owner from afar, kept from one evening to the next. `rules` and
    `way` are those of the next game; `names` go by side, and where there are none the configuration's hold."""

    rules: Rules = RULES["six-card"]
    way: Way = Way.VERIFY
    language: str = "en"
    brightness: int = 100
    sound: str = "on"
    names: tuple[str, ...] = ()


def menu_of(
    position: Position | None,
    settings: Settings,
    *,
    cards: bool,
    offered: Sequence[RuleSet],
    languages: Sequence[str],
    match: Match | None = None,
    played: bool = False,
    at: int = 0,
) -> Menu:
    """The menu as it is now; `position` is None while no game is under way, and only then can rules be chosen.

    `cards` says whether anything here can read them: without, a table can only trust. `offered` are the rules that
    this board can play, and `languages` those that it speaks. `match` is the one that the next game belongs to, and
    `played` says whether there is a game to look back at. A line that would end a match says how it stands.
    """
    way = (_setting(Line.WAY, "way", tuple(Way), settings.way),) if cards else ()
    sound = _setting(Line.SOUND, "sound", ("on", "off"), settings.sound)
    light = _setting(Line.BRIGHTNESS, "percent", BRIGHTNESS, settings.brightness)
    language = _setting(Line.LANGUAGE, "language", tuple(languages), settings.language)
    judge = (MenuLine(Line.JUDGE),) if cards else ()
    back = (MenuLine(Line.LOOK_BACK),) if played else ()
    if position is None:
        tells = (_telling(settings.rules),) if cards and settings.way is Way.VERIFY else ()
        running = match if match is not None and match.results and not match.over else None
        rules = tuple(_warned(line, settings, running) for line in _rules(settings.rules, offered))
        new = () if running is None else (MenuLine(Line.NEW_MATCH, {"ends": running.points}),)
        return Menu((*rules, *way, *new, *judge, language, sound, light, *tells, *back), at)
    late = (MenuLine(Line.MISDEAL),) if may_misdeal(position) and not may_have_seen_the_cut(position) else ()
    last = (MenuLine(Line.OFFICIAL), *((MenuLine(Line.BREAK_OFF),) if position.phase is not Phase.WON else ()))
    return Menu((*_of_the_deal(position), sound, light, language, *way, *judge, *back, *last, *late), at)


def chosen(settings: Settings, line: MenuLine) -> Settings:
    """The settings after this line was taken."""
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


def _rules(rules: Rules, offered: Sequence[RuleSet]) -> tuple[MenuLine, ...]:
    """The rules, then what may be added to a preset. What its owner made of it is in the house rules' own file."""
    now = known(rules, offered) or RuleSet(rules.name, rules)
    line = _setting(Line.RULES, "rules", tuple(offered), now)
    if not now.is_preset:
        return (line,)
    played = options_on(rules)
    states = {option: ("off", "on") if option in played else ("on", "off") for option in OPTIONS.get(rules.name, {})}
    return (
        line,
        *(
            MenuLine(Line.OPTION, {"preset": rules.name, "option": option, "state": state, "now": before})
            for option, (state, before) in states.items()
        ),
    )


def _warned(line: MenuLine, settings: Settings, running: Match | None) -> MenuLine:
    """A line that chooses rules, and if they are not those of the match that is running, how that stands."""
    if running is None or alike(chosen(settings, line).rules, running.rules):
        return line
    return MenuLine(line.line, {**line.values, "ends": running.points})


def _telling(rules: Rules) -> MenuLine:
    """How much the board tells of a call; or by which rule it keeps silent, whatever anybody likes."""
    if len(choices := may_tell(rules)) > 1:
        return _setting(Line.TELLING, "telling", choices, rules.claims.telling)
    because = "muggins" if rules.claims.muggins is Option.ON else "over_claim"
    return MenuLine(Line.TELLING, {"because": "acc" if rules.name == "acc" else because})


def _of_the_deal(position: Position) -> tuple[MenuLine, ...]:
    """What may have gone wrong just now: a false go that came to light, the deal, a card that no reader can read."""
    by_agreement = position.false_go is not None and position.rules.claims.renege is Renege.REFUSE
    roll_back = (MenuLine(Line.ROLL_BACK),) if by_agreement else ()
    unread = (MenuLine(Line.UNREAD),) if may_go_on_unread(position) else ()
    return (*roll_back, *_void_deal(position), *unread)


def _void_deal(position: Position) -> tuple[MenuLine, ...]:
    """What makes a deal void before its first card: a misdeal, and a card seen at the cut if the rules speak of it."""
    if not may_have_seen_the_cut(position):
        return ()
    misdeal, rule = MenuLine(Line.MISDEAL), position.rules.deal_and_play.exposed_cut
    return (misdeal,) if rule is ExposedCut.IGNORE else (misdeal, MenuLine(Line.EXPOSED_CUT, {"rule": rule}))


def _setting(line: Line, name: str, choices: tuple[T, ...], now: T) -> MenuLine:
    return MenuLine(line, {name: _after(choices, now), "now": now})


def _after(choices: tuple[T, ...], now: T) -> T:
    return choices[(choices.index(now) + 1) % len(choices)] if now in choices else choices[0]
