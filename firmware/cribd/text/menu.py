"""Writes the texts of the menu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cribboard.rules import ExposedCut
from cribd.table.snapshot import Line, MenuLine, Snapshot
from cribd.text.lines import LINE, shortened
from cribd.text.words import Words

#: Values of a line of the menu that are not the setting itself.
_NOT_THE_SETTING = ("now", "preset", "rule", "ends")


def prompt_line(line: MenuLine, words: Words) -> str:
    """Write a line of the menu for the screen."""
    if "because" in line.values:
        return words.say("menu.no_help")
    if line.line is Line.CLUB:
        name = shortened(line.values["club"], LINE - 7)
        return words.say("menu.club_of", club=name) if name else words.say("menu.club")
    values = {name: value for name, value in line.values.items() if name not in _NOT_THE_SETTING}
    if "now" in line.values:
        values[_changed_name(line)] = line.values["now"]
    named = {name: _word(name, value, line, words) for name, value in values.items()}
    return words.say(f"menu.{line.line.value}", **named)


def effect_of_ok(line: MenuLine, words: Words) -> str:
    """Say what OK does on this menu line.

    It says that the match would end, the value that OK sets, whose OK an act needs, or why nothing can be changed."""
    if "ends" in line.values:
        return match_ends(line.values["ends"], words)
    match line.line:
        case Line.EXPOSED_CUT if line.values["rule"] is ExposedCut.TOP_CARD_STANDS:
            return words.say("said.cut_stands")
        case Line.CLUB:
            return words.say("now.club_of" if line.values["club"] else "now.club")
        case Line.JUDGE:
            return words.say("now.judge")
        case Line.LOOK_BACK | Line.OFFICIAL | Line.UNREAD | Line.SWITCH_OFF as what:
            return words.say(f"now.{what.value}")
        case Line.TELLING if "because" in line.values:
            return words.say(f"because.{line.values['because']}")
    return _change(line, words) if "now" in line.values else words.filled("menu.asks", {})


def _change(line: MenuLine, words: Words) -> str:
    """Name the value that OK gives to the setting."""
    name = _changed_name(line)
    return words.say("menu.change", value=_word(name, line.values[name], line, words))


def title(snapshot: Snapshot, words: Words) -> str:
    """Write the title of the open menu."""
    return words.say("menu.keys" if _between_games(snapshot) else "menu.title")


def hints(snapshot: Snapshot, line: MenuLine, words: Words) -> tuple[str, ...]:
    """Write the help for a line of the menu."""
    return (*_hints_of(snapshot, line, words), words.say("menu.leave"))


def _hints_of(snapshot: Snapshot, line: MenuLine, words: Words) -> tuple[str, ...]:
    """Write the help for this line of the menu.

    How to leave the menu is not part of it. Below a warning: the value that OK sets. For rules: what is special. Else:
    the keys, unless the title has them."""
    if "ends" in line.values and "now" in line.values:
        return (_change(line, words),)
    if line.line is Line.RULES:
        rules = line.values["rules"]
        if rules.is_preset:
            return (words.say(f"special.{rules.title}"),)
        return (words.say("now.house", rules=words.say(f"rules.{rules.rules.name}")),)
    return () if _between_games(snapshot) else (words.say("menu.keys"),)


def _between_games(snapshot: Snapshot) -> bool:
    return snapshot.lobby is not None or snapshot.view is None


def _changed_name(line: MenuLine) -> str:
    """Return the name of the value that a press of OK changes."""
    return "state" if line.line is Line.OPTION else next(name for name in line.values if name not in _NOT_THE_SETTING)


def _word(name: str, value: Any, line: MenuLine, words: Words) -> str:
    """Put a value of a setting into words."""
    match name:
        case "rules":
            return words.rules(value)
        case "language":
            return words.language(value)
        case "option":
            return words.say(f"option.{line.values['preset']}.{value}")
        case "percent":
            return words.say("percent", percent=value)
    return words.say(f"{name}.{value}")


def match_ends(totals: Sequence[int], words: Words) -> str:
    """Warn that OK ends the match at these totals."""
    return words.say("match.ends", totals="–".join(map(str, totals)))
