"""What the menu offers, and in which order (rules reference, 7.15)."""

from __future__ import annotations

from dataclasses import fields

import pytest

from cribboard import RULES, Card, Game, Way
from cribboard.actions import LayCard, ReleasePeg, TakePegInHand, TurnStarter
from cribboard.position import Phase, Position
from cribd.menu import BRIGHTNESS, LANGUAGES, Settings, chosen, menu_of
from cribd.showing import Line, Menu, MenuLine

BLUE, RED = 0, 1


def dealt(way: str = "verify") -> Position:
    return Game.start(RULES["six-card"], way=way, dealer=RED).position


def in_play() -> Position:
    game = Game.start(RULES["six-card"], way="verify", dealer=RED)
    game.do(TurnStarter(Card.parse("6C")))
    game.do(LayCard(BLUE, Card.parse("TC")))
    return game.position


def won() -> Position:
    game = Game.start(RULES["six-card"], way="trust", dealer=RED)
    for action in (TakePegInHand(BLUE, 121), TakePegInHand(BLUE, 121), ReleasePeg(BLUE)):
        game.do(action)
    assert game.position.phase is Phase.WON
    return game.position


def lines(position: Position | None, *, cards: bool = True) -> list[Line]:
    return [line.line for line in menu_of(position, Settings(), cards=cards).lines]


def test_before_a_game_the_likeliest_is_how_to_score_it() -> None:
    assert lines(None) == [Line.WAY, Line.LANGUAGE, Line.SOUND, Line.BRIGHTNESS]


def test_until_the_first_card_is_laid_the_likeliest_is_a_misdeal() -> None:
    game = [Line.SOUND, Line.BRIGHTNESS, Line.LANGUAGE, Line.WAY, Line.BREAK_OFF]
    assert lines(dealt()) == [Line.MISDEAL, *game]
    assert lines(in_play()) == game


def test_a_game_that_is_won_cannot_be_stopped_any_more() -> None:
    assert Line.BREAK_OFF not in lines(won())
    assert Line.BREAK_OFF in lines(dealt("trust"))


@pytest.mark.parametrize("position", [None, dealt(), in_play()])
def test_without_a_reader_no_way_is_offered_for_there_is_but_one(position: Position | None) -> None:
    assert Line.WAY in lines(position)
    assert Line.WAY not in lines(position, cards=False)


def test_a_setting_names_what_an_ok_would_change_it_to_and_what_it_is_now() -> None:
    menu = menu_of(None, Settings(way=Way.AUTO, language="fr_CA", brightness=15, sound="off"), cards=True)
    assert menu.lines == (
        MenuLine(Line.WAY, {"way": Way.TRUST, "now": Way.AUTO}),
        MenuLine(Line.LANGUAGE, {"language": "en", "now": "fr_CA"}),
        MenuLine(Line.SOUND, {"sound": "on", "now": "off"}),
        MenuLine(Line.BRIGHTNESS, {"percent": 100, "now": 15}),
    )


def test_a_brightness_that_the_menu_does_not_know_steps_to_the_brightest() -> None:
    menu = menu_of(None, Settings(brightness=42), cards=True)
    assert MenuLine(Line.BRIGHTNESS, {"percent": 100, "now": 42}) in menu.lines


@pytest.mark.parametrize(
    ("line", "setting", "choices"),
    [
        (Line.WAY, "way", tuple(Way)),
        (Line.LANGUAGE, "language", LANGUAGES),
        (Line.SOUND, "sound", ("on", "off")),
        (Line.BRIGHTNESS, "brightness", BRIGHTNESS),
    ],
)
def test_taking_a_line_over_and_over_goes_through_all_its_choices_and_back(
    line: Line, setting: str, choices: tuple[object, ...]
) -> None:
    settings = Settings()
    begun = getattr(settings, setting)
    seen = []
    for _ in choices:
        offered = next(each for each in menu_of(None, settings, cards=True).lines if each.line is line)
        settings = chosen(settings, offered)
        seen.append(getattr(settings, setting))
    assert sorted(map(str, seen)) == sorted(map(str, choices))
    assert seen[-1] == begun


def test_a_line_that_is_no_setting_changes_none() -> None:
    for line in (Line.MISDEAL, Line.BREAK_OFF):
        assert chosen(Settings(), MenuLine(line)) == Settings()


def test_every_setting_can_be_chosen_in_the_menu() -> None:
    offered = menu_of(None, Settings(), cards=True).lines
    changed = [chosen(Settings(), line) for line in offered]
    assert {f.name for f in fields(Settings)} == {
        f.name for each in changed for f in fields(each) if getattr(each, f.name) != getattr(Settings(), f.name)
    }


def test_the_line_that_an_ok_takes_is_the_one_that_is_shown() -> None:
    assert Menu(menu_of(None, Settings(), cards=True).lines, at=2).current.line is Line.SOUND
