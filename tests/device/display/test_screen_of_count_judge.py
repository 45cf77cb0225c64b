"""The screen of the count judge, in both languages, and what it leaves out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.goldens import Golden, names
from tests.support.moments import moments

from cribboard import RULES, Card
from cribboard.count_judge import CountJudge
from cribd.display.canvas import Canvas
from cribd.display.fonts import font
from cribd.display.screen import picture
from cribd.inputs import Fault, FaultKind
from cribd.table import count_judge_mode
from cribd.table.rule_sets import PRESETS, RuleSet
from cribd.table.snapshot import PLAYING, Called, Judging, Lobby, Playing, Refusal, Snapshot
from cribd.text import count_judge, languages, load

GAME = moments()["four-cards"]


def judge(
    cards: str,
    *called: int | None,
    page: int = 0,
    crib: bool = False,
    rules: str = "six-card",
    covers: Lobby | Playing = Lobby.START,
) -> Snapshot:
    """The judge with these cards, and with a number called by a hole of blue's."""
    asked = CountJudge(rules=RULES[rules]).as_crib(crib).with_cards(Card.parse_many(cards))
    told = next((Called(number, (0, number) if number else None) for number in called), None)
    now = Judging(asked, RuleSet(rules, RULES[rules]), told, covers=covers)
    return Snapshot(mode=replace(count_judge_mode.with_answer(now), page=page))


A01 = "6C 7S 8D 8H 9S"
MOMENTS = {
    "first-card": judge(""),
    "starter": judge("TC JD QH KS"),
    "crib": judge("5H 5C", crib=True, rules="five-card"),
    "call": judge("TC JD QH KS TD"),
    "too-few": judge(A01, 12),
    "too-few-more": judge(A01, 12, page=1),
    "right": judge("TC JD QH KS 5D", 13),
    "two-reasons": judge("7H 8D 2C 3S KS", 8),
    "one-reason": judge("3H 8H KH QS", 3, rules="five-card"),
    "nothing": judge("2H 4C 6D 8S TC", 19),
    "counted": judge(A01, None),
    "impossible": judge("5H 5C 5S JD 5D", 27),
    "fits": judge("TD JC QC QD", 9),
    "fits-one": judge("5H 5C 5S JD", 29),
    "fits-many": judge("5H 5C", 12),
    "fits-nothing": judge("5H 5C 5S JD", 2),
    "fits-never": judge("5H 5C 5S JD", 25),
    "twice": replace(judge("5H 5C"), refusal=Refusal("judge_twice", {"card": Card.parse("5H")})),
    "closed": replace(judge("", covers=PLAYING), view=GAME.view, refusal=Refusal("judge_closed")),
    "fault": replace(judge(A01, 12), faults=(Fault(FaultKind.READER_SILENT, "reader"),)),
    "fault-and-refusal": replace(
        judge("5H"),
        refusal=Refusal("judge_waits", {"wanted": 2, "missing": 4}),
        faults=(Fault(FaultKind.KEYS_AWAY, "keys"),),
    ),
}  # fmt: skip


@pytest.mark.parametrize("moment", MOMENTS)
def test_each_moment_looks_as_it_was_approved(moment: str, golden: Golden) -> None:
    golden(f"count_judge/{moment}", {language: picture(MOMENTS[moment], load(language)) for language in languages()})


def test_no_golden_is_left_over() -> None:
    assert names("count_judge") == set(MOMENTS)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("language", languages())
def test_the_main_line_stands_at_the_top_16_dots_high(moment: str, language: str) -> None:
    line = font("tall").fitted(load(language).prompt(MOMENTS[moment]), 128)
    alone = Canvas(128, 16)
    alone.put(line, min(1, 128 - line.width), 0)
    shown = picture(MOMENTS[moment], load(language))
    assert shown.crop((0, 0, 128, 16)).tobytes() == alone.image().tobytes()


def test_the_count_judges_screen_shows_nothing_of_the_game() -> None:
    """The scores and the running count wait with the game: the same judge looks the same over any game."""
    alone = judge(A01, 12)
    assert alone.judging is not None
    quiet = [each for each in moments().values() if each.refusal is None and not each.faults and each.menu is None]
    over = [replace(each, mode=replace(alone.judging, covers=each.base)) for each in quiet]
    pictures = {picture(each, load("en")).tobytes() for each in over}
    assert pictures == {picture(alone, load("en")).tobytes()}


def test_every_reason_stands_on_one_page_and_the_pages_go_round() -> None:
    english = load("en")
    for hand, count in (("5H 5C 5S JD 5D", 10), (A01, 6), ("TC JD QH KS 5D", 6), ("2H 4C 6D 8S TC", 1)):
        first = judge(hand, None).judging
        assert first is not None
        told = []
        for page in range(count_judge.pages(first.called)):
            told += [line for line in english.hints(judge(hand, None, page=page)) if "OK" not in line]
        assert len(told) == count
        assert len(set(told)) == count


def test_there_are_as_many_pages_in_every_language() -> None:
    for snapshot in MOMENTS.values():
        assert snapshot.judging is not None
        lines = {len(load(language).hints(snapshot)) for language in languages()}
        assert len(lines) == 1


def test_rules_of_the_house_have_their_title() -> None:
    rules = RuleSet("Legion Hall, Tuesdays", PRESETS[0].rules)
    shown = Snapshot(mode=count_judge_mode.opened(rules))
    assert load("en").hints(shown)[0] == "Hand, Legion Hall…"
