"""What the menu offers now (7.15). The first line is always the likeliest; settings stay, acts close it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from cribboard.position import Position
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
    ways = tuple(Way) if cards else (Way.TRUST,)
    way = MenuLine(Line.WAY, {"way": _after(ways, settings.way)})
    settled = (
        MenuLine(Line.LANGUAGE, {"language": _after(LANGUAGES, settings.language)}),
        MenuLine(Line.BRIGHTNESS, {"percent": _after(BRIGHTNESS, settings.brightness)}),
        MenuLine(Line.SOUND, {"sound": _after(("on", "off"), settings.sound)}),
    )
    if position is None:
        return Menu((way, *settled), at)
    misdeal = (MenuLine(Line.MISDEAL),) if may_misdeal(position) else ()
    return Menu((*misdeal, *settled, way, MenuLine(Line.BREAK_OFF)), at)


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


def _after(choices: tuple[T, ...], now: T) -> T:
    return choices[(choices.index(now) + 1) % len(choices)] if now in choices else choices[0]
