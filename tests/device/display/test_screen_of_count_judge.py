"""The screen of the count judge, in both languages, and what it leaves out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.drawn import drawn
from tests.support.goldens import Approved
from tests.support.moments import moments
from tests.support.moments_of_count_judge import A01, MOMENTS, judge

from cribd.display.canvas import Canvas
from cribd.display.fonts import font
from cribd.display.screen import screen_image
from cribd.table import count_judge_mode
from cribd.table.rule_sets import PRESETS, RuleSet
from cribd.table.snapshot import Snapshot
from cribd.text import count_judge, languages, load


@pytest.mark.parametrize("language", languages())
def test_each_moment_is_drawn_as_in_its_golden(language: str, approved: Approved) -> None:
    approved(f"count_judge.{language}", drawn(MOMENTS, language))


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("language", languages())
def test_the_main_line_stands_at_the_top_16_dots_high(moment: str, language: str) -> None:
    line = font("tall").fit_text(load(language).prompt(MOMENTS[moment]), 128)
    alone = Canvas(128, 16)
    alone.put(line, min(1, 128 - line.width), 0)
    shown = screen_image(MOMENTS[moment], load(language))
    assert shown.crop((0, 0, 128, 16)).tobytes() == alone.image().tobytes()


def test_the_count_judges_screen_shows_nothing_of_the_game() -> None:
    """The scores and the running count wait with the game: the same judge looks the same over any game."""
    alone = judge(A01, 12)
    assert alone.judging is not None
    quiet = [
        moment for moment in moments().values() if moment.refusal is None and not moment.faults and moment.menu is None
    ]
    over = [replace(each, mode=replace(alone.judging, covers=each.base)) for each in quiet]
    pictures = {screen_image(each, load("en")).tobytes() for each in over}
    assert pictures == {screen_image(alone, load("en")).tobytes()}


def test_every_reason_stands_on_one_page_and_the_pages_go_round() -> None:
    english = load("en")
    for hand, count in (("5H 5C 5S JD 5D", 10), (A01, 6), ("TC JD QH KS 5D", 6), ("2H 4C 6D 8S TC", 1)):
        first = judge(hand, None).judging
        assert first is not None
        shown = []
        for page in range(count_judge.pages(first.called)):
            shown += [line for line in english.hints(judge(hand, None, page=page)) if "OK" not in line]
        assert len(shown) == count
        assert len(set(shown)) == count


def test_there_are_as_many_pages_in_every_language() -> None:
    for snapshot in MOMENTS.values():
        assert snapshot.judging is not None
        lines = {len(load(language).hints(snapshot)) for language in languages()}
        assert len(lines) == 1


def test_rules_of_the_house_have_their_title() -> None:
    rules = RuleSet("Legion Hall, Tuesdays", PRESETS[0].rules)
    shown = Snapshot(mode=count_judge_mode.opened(rules))
    assert load("en").hints(shown)[0] == "Hand, Legion Hall…"
