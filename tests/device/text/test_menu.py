"""The texts of the menu: what a line shows, what OK makes of it, and what the keys do.

The lines are the codes of their phrases; `tests/device/table/golden` has the words.
"""

from __future__ import annotations

from dataclasses import replace

from tests.support.coded_lines import lines
from tests.support.everything_asked import MOMENTS

from cribd.table.rule_sets import PRESETS
from cribd.table.snapshot import Line, Lobby, Menu, MenuLine, Snapshot


def test_before_a_game_the_menu_says_what_its_keys_do_and_once() -> None:
    way = MenuLine(Line.WAY, {"way": "auto", "now": "trust"})
    between = Snapshot(mode=Menu((way,), covers=Lobby.START))
    during = replace(MOMENTS["menu"], mode=Menu((way,)))
    keys, leave = "⟨menu.keys⟩", "⟨menu.leave⟩"
    assert lines(lambda words: (words.menu_title(between), *words.hints(between))) == (keys, leave)
    assert lines(lambda words: (words.menu_title(during), *words.hints(during))) == ("⟨menu.title⟩", keys, leave)


def test_a_line_of_the_menu_shows_the_value_and_what_ok_makes_of_it() -> None:
    rules = MenuLine(Line.RULES, {"rules": PRESETS[2], "now": PRESETS[0]})
    light = MenuLine(Line.BRIGHTNESS, {"percent": 60, "now": 100})
    option = MenuLine(Line.OPTION, {"preset": "britannica", "option": "short", "state": "on", "now": "off"})
    assert lines(
        lambda words: [say(line) for line in (rules, light, option) for say in (words.menu_line, words.menu_now)]
    ) == (
        "⟨menu.rules rules=⟨rules.six-card⟩⟩",
        "⟨menu.change value=⟨rules.partners⟩⟩",
        "⟨menu.brightness percent=⟨percent percent=100⟩⟩",
        "⟨menu.change value=⟨percent percent=60⟩⟩",
        "⟨menu.option option=⟨option.britannica.short⟩ state=⟨state.off⟩⟩",
        "⟨menu.change value=⟨state.on⟩⟩",
    )
