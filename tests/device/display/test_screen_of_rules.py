"""What the screen shows in the moments that only some rules have: approved by eye, and compared dot by dot."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.catalogues import phrase
from tests.support.drawn import drawn
from tests.support.goldens import Approved
from tests.support.moments_of_rules import moments_of_rules

from cribboard import RULES
from cribd.display.canvas import Canvas
from cribd.display.fonts import Bitmap, Weight, font
from cribd.display.screen import screen_image
from cribd.table.rule_sets import RuleSet, toggled
from cribd.table.snapshot import Lobby, Snapshot
from cribd.text import languages, load

MOMENTS = moments_of_rules()


@pytest.mark.parametrize("language", languages())
def test_each_moment_is_drawn_as_in_its_golden(language: str, approved: Approved) -> None:
    approved(f"rules.{language}", drawn(MOMENTS, language))


def test_every_preset_but_the_one_that_all_others_are_compared_with_has_its_moments() -> None:
    presets = {name for name in RULES if sum(moment.startswith(name) for moment in MOMENTS) > 2}
    assert presets == set(RULES) - {"six-card"}


@pytest.mark.parametrize("language", ["en", "fr_CA"])
@pytest.mark.parametrize(
    ("preset", "options", "listed"),
    [
        ("britannica", ("short", "exact-out"), ("short", "exact-out")),
        ("five-card", ("may-play-on", "lurch"), ("lurch",)),
    ],
)
def test_after_a_single_game_the_screen_lists_every_option_in_play(
    preset: str, options: tuple[str, ...], listed: tuple[str, ...], language: str
) -> None:
    rules = RULES[preset]
    for option in options:
        rules = toggled(rules, option)
    lines = load(language).hints(Snapshot(mode=Lobby.AGAIN, match=1, rules=RuleSet(preset, rules)))
    assert len(lines) == 2
    assert lines[-1] == ", ".join(phrase(f"option.{preset}.{option}", language) for option in listed).capitalize()


@pytest.mark.parametrize("points", [(0, 0), (888, 1888), (11888, 9), (968, 888, 880), (8888, 1888, 18888)], ids=str)
def test_the_scores_of_a_match_are_whole_and_do_not_touch(
    points: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    put, drawn = Canvas.put, []

    def put_on_dark(self: Canvas, part: Bitmap, x: int, y: int) -> None:
        here = Canvas(self.width, self.height)
        put(here, part, x, y)
        assert not any(new & old for new, old in zip(here.bitmap().rows, self.bitmap().rows, strict=True))
        assert 0 <= x <= self.width - part.width
        drawn.append(part)
        put(self, part, x, y)

    monkeypatch.setattr(Canvas, "put", put_on_dark)
    screen_image(replace(MOMENTS["fadoq-again"], points=points), load("en"))
    for total in points:
        faces = [font(name).line(str(total), weight) for name in ("medium", "narrow", "tall") for weight in Weight]
        assert any(number in drawn for number in faces), total


def test_a_single_game_shows_no_match() -> None:
    stands = [replace(MOMENTS["britannica-again"], games=games) for games in ((2, 0), (0, 1))]
    assert len({screen_image(stand, load("en")).tobytes() for stand in stands}) == 1
