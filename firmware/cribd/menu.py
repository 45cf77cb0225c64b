"""What the menu offers now (7.15). The first line is always the likeliest; settings stay, acts close it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from cribboard.position import Phase, Position
from cribboard.referee import may_misdeal
from cribboard.rules import Way
from cribd.showing import Line, Menu, MenuLine

T = TypeVar("T")

LANGUAGES = ("en", "fr_CA")
BRIGHTNESS = (100, 60, 30, 15)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the players choose in the menu, kept from one evening to the next. `way` is that of the next game."""

    way: Way = Way.VERIFY
    language: str = "en"
    brightness: int = 100
    sound: str = "on"


def menu_of(position: Position | None, settings: Settings, *, cards: bool, at: int = 0) -> Menu:
    """The menu as it is now. `cards` says whether anything here can read them: without, a table can only trust."""
    way = (_setting(Line.WAY, "way", tuple(Way), settings.way),) if cards else ()
    sound = _setting(Line.SOUND, "sound", ("on", "off"), settings.sound)
    light = _setting(Line.BRIGHTNESS, "percent", BRIGHTNESS, settings.brightness)
    language = _setting(Line.LANGUAGE, "language", LANGUAGES, settings.language)
    if position is None:
        return Menu((*way, language, sound, light), at)
    misdeal = (MenuLine(Line.MISDEAL),) if may_misdeal(position) else ()
    stop = (MenuLine(Line.BREAK_OFF),) if position.phase is not Phase.WON else ()
    return Menu((*misdeal, sound, light, language, *way, *stop), at)


def chosen(settings: Settings, line: MenuLine) -> Settings:
    """The settings after this line was taken."""
    match line.line:
        case Line.WAY:
            return replace(settings, way=Way(line.values["way"]))
        case Line.LANGUAGE:
            return replace(settings, language=str(line.values["language"]))
        case Line.BRIGHTNESS:
            return replace(settings, brightness=int(line.values["percent"]))
        case Line.SOUND:
            return replace(settings, sound=str(line.values["sound"]))
        case _:
            return settings


def _setting(line: Line, name: str, choices: tuple[T, ...], now: T) -> MenuLine:
    return MenuLine(line, {name: _after(choices, now), "now": now})


def _after(choices: tuple[T, ...], now: T) -> T:
    return choices[(choices.index(now) + 1) % len(choices)] if now in choices else choices[0]
